/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-llm-error.h"

G_BEGIN_DECLS

/** The most bytes one event may have: its data so far and the line being read. */
#define BECKON_SSE_MAX_EVENT (8 * 1024 * 1024)

typedef struct _BeckonSseParser BeckonSseParser;

/**
 * BeckonSseEvent:
 * @type: the event's type, "message" where the stream names none
 * @data: its data lines joined by line feeds, as they came: not ended by NUL, and maybe not UTF-8
 * @length: bytes of @data
 * @id: the last event id so far, "" before the first
 *
 * One event, borrowed for the time of the call.
 */
typedef struct
{
  const char *type;
  const char *data;
  gsize length;
  const char *id;
} BeckonSseEvent;

typedef void (*BeckonSseEventFunc) (const BeckonSseEvent *event, gpointer user_data);

/** A line with a field that the rules do not know; neither string is ended by NUL. */
typedef void (*BeckonSseFieldFunc) (const char *name, gsize name_length, const char *value, gsize value_length,
                                    gpointer user_data);

/**
 * beckon_sse_parser_new:
 * @event_function: called for each event
 * @field_function: (nullable): called for each line that has to be ignored because its field is unknown
 * @user_data: for both
 *
 * A parser of server-sent events by the WHATWG rules. Pure: bytes in, events out.
 */
BeckonSseParser *beckon_sse_parser_new (BeckonSseEventFunc event_function, BeckonSseFieldFunc field_function,
                                        gpointer user_data) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_sse_parser_push:
 * @parser: a parser
 * @data: bytes, cut anywhere
 * @length: how many
 * @error: return location
 *
 * Events are given before this returns; the functions must not push. An event that the stream's end leaves without its
 * blank line is never given.
 *
 * Returns: %FALSE with %BECKON_LLM_ERROR_TOO_LARGE when an event exceeds %BECKON_SSE_MAX_EVENT; nothing more may be
 *   pushed then
 */
gboolean beckon_sse_parser_push (BeckonSseParser *parser, const char *data, gsize length, GError **error);

/** The reconnection time in milliseconds that the stream asked for last, -1 if none. */
gint64 beckon_sse_parser_get_retry (BeckonSseParser *parser);

void beckon_sse_parser_free (BeckonSseParser *parser);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonSseParser, beckon_sse_parser_free)

G_END_DECLS
