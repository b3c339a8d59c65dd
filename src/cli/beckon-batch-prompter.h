/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cli/beckon-request-prompter.h"
#include "request/beckon-inbox.h"

G_BEGIN_DECLS

#define BECKON_TYPE_BATCH_PROMPTER (beckon_batch_prompter_get_type ())
G_DECLARE_FINAL_TYPE (BeckonBatchPrompter, beckon_batch_prompter, BECKON, BATCH_PROMPTER, GObject)

/**
 * BeckonBatchPrompter:
 *
 * Leads through several similar calls that wait for leave, as one table. The numbers are those of the table that was printed,
 * whatever was answered elsewhere meanwhile. Main thread.
 */

/** For @request and those in @inbox that are similar; %NULL where there are none. */
BeckonBatchPrompter *beckon_batch_prompter_new (BeckonInbox *inbox, BeckonRequest *request) G_GNUC_WARN_UNUSED_RESULT;

/** Whether any row still waits. */
gboolean beckon_batch_prompter_is_open (BeckonBatchPrompter *asker);

/** (nullable): the first row that still waits. Borrowed. */
BeckonRequest *beckon_batch_prompter_get_open (BeckonBatchPrompter *asker);

/** Returns the text before the next line; %NULL if it was printed. Caller frees. */
char *beckon_batch_prompter_next_text (BeckonBatchPrompter *asker);

/**
 * beckon_batch_prompter_take_line:
 * @asker: the asker
 * @line: what the person typed, trimmed
 * @single: (out) (transfer full) (nullable): a row that they want to see by itself
 * @answers: (out) (transfer full) (element-type BeckonAnswer): one for each row; %NULL elements for rows that were not
 *   named, or have been answered elsewhere
 * @message: (out) (transfer full) (nullable): what to tell the person
 */
BeckonRequestPrompterResult beckon_batch_prompter_take_line (BeckonBatchPrompter *asker, const char *line,
                                                             BeckonRequest **single, GPtrArray **answers, char **message);

/** Returns a row's request. Borrowed. */
BeckonRequest *beckon_batch_prompter_get_request (BeckonBatchPrompter *asker, guint row);

G_END_DECLS
