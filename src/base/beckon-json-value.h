/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  BECKON_JSON_VALUE_NULL,
  BECKON_JSON_VALUE_FALSE,
  BECKON_JSON_VALUE_TRUE,
  BECKON_JSON_VALUE_NUMBER,
  BECKON_JSON_VALUE_STRING,
  BECKON_JSON_VALUE_ARRAY,
  BECKON_JSON_VALUE_OBJECT,
} BeckonJsonValueKind;

/**
 * BeckonJsonValue:
 * @text: of a string what it says, which may hold NUL; of a number as it is written
 * @name: its name in the object that holds it; "" elsewhere
 * @children: (element-type BeckonJsonValue): of an array or object, in order; %NULL elsewhere
 * @offset: where it begins in the text that it was read from, in bytes
 * @length: how many bytes of that text it is
 * @name_offset: where its name begins there, with the quotes; that of an element is @offset
 *
 * A tree that holds every JSON text truly: strings with U+0000 and numbers of any size, which json-glib's cannot.
 * Never changed once made; any thread.
 */
typedef struct _BeckonJsonValue BeckonJsonValue;

struct _BeckonJsonValue
{
  BeckonJsonValueKind kind;
  GString *text;
  GString *name;
  GPtrArray *children;
  gsize offset;
  gsize length;
  gsize name_offset;
};

/** As beckon_json_check(), and makes a tree. */
BeckonJsonValue *beckon_json_value_parse (const char *text, gssize length, GError **error) G_GNUC_WARN_UNUSED_RESULT;

void beckon_json_value_free (BeckonJsonValue *value);

/** A member of an object; %NULL when @value is no object, or has none of that name. */
const BeckonJsonValue *beckon_json_value_get (const BeckonJsonValue *value, const char *name);
const BeckonJsonValue *beckon_json_value_get_member (const BeckonJsonValue *value, const GString *name);

guint                  beckon_json_value_get_n_children (const BeckonJsonValue *value);
const BeckonJsonValue *beckon_json_value_get_child (const BeckonJsonValue *value, guint index);

/** A place by JSON pointer, "" for @value itself; %NULL if there is none. @value: (nullable). */
const BeckonJsonValue *beckon_json_value_point (const BeckonJsonValue *value, const char *pointer);

/** Adds "/@name" to @pointer, with ~ and / in @name as a pointer wants them. @length: bytes, -1 if @name ends in NUL. */
void beckon_json_pointer_append (GString *pointer, const char *name, gssize length);

/** Gets a string; %NULL when @value is %NULL, no string, or holds U+0000. */
const char *beckon_json_value_get_string (const BeckonJsonValue *value);

/** A number; exact for integers of 64 bits; 0 for anything else. */
long double beckon_json_value_get_number (const BeckonJsonValue *value);

/** By what JSON means: 1 and 1.0 are equal, and so are objects whose members have another order. */
gboolean beckon_json_value_equal (const BeckonJsonValue *one, const BeckonJsonValue *other);

/** As compact JSON text. Caller frees. */
char *beckon_json_value_print (const BeckonJsonValue *value) G_GNUC_WARN_UNUSED_RESULT;

/** (nullable): what a string, number or boolean says; %NULL for anything else. Caller frees. */
char *beckon_json_value_dup_scalar (const BeckonJsonValue *value) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonJsonValue, beckon_json_value_free)

G_END_DECLS
