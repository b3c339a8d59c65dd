/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cli/beckon-asker.h"
#include "request/beckon-inbox.h"

G_BEGIN_DECLS

#define BECKON_TYPE_TABLE_ASKER (beckon_table_asker_get_type ())
G_DECLARE_FINAL_TYPE (BeckonTableAsker, beckon_table_asker, BECKON, TABLE_ASKER, GObject)

/**
 * BeckonTableAsker:
 *
 * Leads through several similar calls that wait for leave, as one table. The numbers are those of the table that was printed,
 * whatever was answered elsewhere meanwhile. Main thread.
 */

/** For @request and those in @inbox that are similar; %NULL where there are none. */
BeckonTableAsker *beckon_table_asker_new (BeckonInbox *inbox, BeckonRequest *request) G_GNUC_WARN_UNUSED_RESULT;

/** Whether any row still waits. */
gboolean beckon_table_asker_is_open (BeckonTableAsker *asker);

/** (nullable): the first row that still waits. Borrowed. */
BeckonRequest *beckon_table_asker_get_open (BeckonTableAsker *asker);

/** What to print before the next line is read; %NULL if it was printed already. Caller frees. */
char *beckon_table_asker_next_text (BeckonTableAsker *asker);

/**
 * beckon_table_asker_take_line:
 * @asker: the asker
 * @line: what the person typed, trimmed
 * @single: (out) (transfer full) (nullable): a row that they want to see by itself
 * @answers: (out) (transfer full) (element-type BeckonAnswer): one for each row; %NULL elements for rows that were not
 *   named, or have been answered elsewhere
 * @message: (out) (transfer full) (nullable): what to tell the person
 */
BeckonAskerResult beckon_table_asker_take_line (BeckonTableAsker *asker, const char *line, BeckonRequest **single,
                                                GPtrArray **answers, char **message);

/** Of the row with that number. Borrowed. */
BeckonRequest *beckon_table_asker_get_request (BeckonTableAsker *asker, guint row);

G_END_DECLS
