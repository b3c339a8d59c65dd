/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-request.h"

G_BEGIN_DECLS

/**
 * BeckonCallTable:
 *
 * Several calls of one tool as a table: a row for each, a column for each argument in which they differ, and beside it what is
 * the same in all. A view: it settles nothing, and knows nothing of how it is shown. Not changed once made.
 */
typedef struct _BeckonCallTable BeckonCallTable;

/** Longer values are cut in a cell, which says so; see beckon_call_table_is_cut(). Characters. */
#define BECKON_CALL_TABLE_MAX_CELL 400

/**
 * beckon_call_table_new:
 * @requests: (element-type BeckonRequest): approvals of one tool; of those that wait and whose draft has other arguments, those
 *   are shown
 *
 * What is not to be seen is not in it.
 */
BeckonCallTable *beckon_call_table_new (GPtrArray *requests) G_GNUC_WARN_UNUSED_RESULT;
void             beckon_call_table_free (BeckonCallTable *table);

guint beckon_call_table_get_n_rows (BeckonCallTable *table);
guint beckon_call_table_get_n_columns (BeckonCallTable *table);

/** The argument's name, fit to show. */
const char *beckon_call_table_get_column (BeckonCallTable *table, guint column);

/** (nullable): the value, fit to show; %NULL where the call has none. */
const char *beckon_call_table_get_cell (BeckonCallTable *table, guint row, guint column);

/** Whether the row is not whole: it has to be opened before anybody decides on it. */
gboolean beckon_call_table_is_cut (BeckonCallTable *table, guint row);

/** Whether a person has changed its arguments. */
gboolean beckon_call_table_is_edited (BeckonCallTable *table, guint row);

/** (nullable): the arguments that are the same in all, a line each; %NULL where there are none. */
const char *beckon_call_table_get_common (BeckonCallTable *table);

/** Whether both are approvals of one tool that one message asked for, and neither is a step of a plan. */
gboolean beckon_call_table_is_similar (BeckonRequest *one, BeckonRequest *other);

/**
 * beckon_call_table_make_answer:
 * @request: one of them
 * @run: whether it is to run
 *
 * Returns: (transfer full): the answer to this one: the arguments that its draft has, or as it was proposed
 */
BeckonAnswer *beckon_call_table_make_answer (BeckonRequest *request, gboolean run) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonCallTable, beckon_call_table_free)

G_END_DECLS
