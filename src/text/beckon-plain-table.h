/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-call-table.h"
#include "text/beckon-plain-text.h"

G_BEGIN_DECLS

/** The decision on a row. */
typedef enum
{
  BECKON_PLAIN_TABLE_OPEN,
  BECKON_PLAIN_TABLE_RUN,
  BECKON_PLAIN_TABLE_DENY,
} BeckonPlainTableDecision;

/**
 * beckon_plain_table_format:
 * @requests: (element-type BeckonRequest): two or more similar ones; see beckon_call_table_is_similar()
 *
 * The calls as a numbered table in plain text, what is the same in all above it, and how to reply.
 *
 * Returns: (transfer full): several lines without a closing line break
 */
char *beckon_plain_table_format (GPtrArray *requests) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_plain_table_parse:
 * @requests: (element-type BeckonRequest): the rows
 * @line: what the person wrote, trimmed
 * @decisions: (out caller-allocates) (array): one for each row
 * @shown: (out): with %BECKON_PLAIN_ITEM: the row that is to be shown by itself, from 0
 * @message: (out) (transfer full) (nullable): with %BECKON_PLAIN_AGAIN what to tell the person, translated
 *
 * Reads a reply to a table: "run all", "deny all", "run 1,3; deny 2", and a number alone, which shows that row with all of
 * its arguments. A row that was not named stays open. What does not fit decides nothing at all. "/stop" and "/status" are the
 * run's.
 *
 * Returns: %BECKON_PLAIN_ANSWER where something is decided
 */
BeckonPlainResult beckon_plain_table_parse (GPtrArray *requests, const char *line, BeckonPlainTableDecision *decisions,
                                            guint *shown, char **message);

G_END_DECLS
