/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/**
 * BeckonJsonWriter:
 *
 * Adds one compact JSON value to a string; on the stack, nothing to free. The caller opens and closes in pairs and
 * gives every value of an object its name; commas come by themselves. Members are the writer's own.
 */
typedef struct
{
  GString *string;
  gsize start;
} BeckonJsonWriter;

/** Begins a value at the end of @string, which has to outlive the writer. */
void beckon_json_writer_init (BeckonJsonWriter *writer, GString *string);

void beckon_json_writer_begin_object (BeckonJsonWriter *writer);
void beckon_json_writer_end_object (BeckonJsonWriter *writer);
void beckon_json_writer_begin_array (BeckonJsonWriter *writer);
void beckon_json_writer_end_array (BeckonJsonWriter *writer);
void beckon_json_writer_name (BeckonJsonWriter *writer, const char *name);

/**
 * beckon_json_writer_string:
 * @writer: a writer
 * @text: (nullable): a text; %NULL is written as null
 * @length: its bytes, which may hold NUL; -1 if it ends in NUL
 *
 * What is not valid UTF-8 is written as U+FFFD, so that the output always is.
 */
void beckon_json_writer_string (BeckonJsonWriter *writer, const char *text, gssize length);
void beckon_json_writer_int (BeckonJsonWriter *writer, gint64 value);

/**
 * The shortest text that reads as the same number; what is not finite is written as null, because JSON has no word for
 * it.
 */
void beckon_json_writer_double (BeckonJsonWriter *writer, double value);
void beckon_json_writer_boolean (BeckonJsonWriter *writer, gboolean value);
void beckon_json_writer_null (BeckonJsonWriter *writer);

/** @json is a whole value that was checked before; it is added as it is. */
void beckon_json_writer_raw (BeckonJsonWriter *writer, const char *json, gssize length);
void beckon_json_writer_node (BeckonJsonWriter *writer, JsonNode *node);

/** A name and its value at once. */
void beckon_json_writer_member_string (BeckonJsonWriter *writer, const char *name, const char *text);

/** The string of @before and @text, of which every character stands for itself in JSON; nothing is looked for in it. */
void beckon_json_writer_member_plain (BeckonJsonWriter *writer, const char *name, const char *before, const char *text,
                                      gsize length);
void beckon_json_writer_member_int (BeckonJsonWriter *writer, const char *name, gint64 value);
void beckon_json_writer_member_boolean (BeckonJsonWriter *writer, const char *name, gboolean value);

G_END_DECLS
