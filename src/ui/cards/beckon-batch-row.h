/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-call-view.h"
#include "request/beckon-call-table.h"

#include <adwaita.h>

G_BEGIN_DECLS

/** The mark of a row, not yet sent. */
typedef enum
{
  BECKON_BATCH_OPEN,
  BECKON_BATCH_RUN,
  BECKON_BATCH_DENY,
} BeckonBatchMark;

#define BECKON_TYPE_BATCH_ROW (beckon_batch_row_get_type ())
G_DECLARE_FINAL_TYPE (BeckonBatchRow, beckon_batch_row, BECKON, BATCH_ROW, AdwBin)

/**
 * BeckonBatchRow:
 *
 * One of several similar calls: its arguments in columns, or below one another where there is no room, what is
 * marked for it, and the whole of it when it is opened. As a row of no table it is its view and nothing else. Signal
 * `marked`, without arguments.
 */
GtkWidget *beckon_batch_row_new (BeckonCallView *view, BeckonRequest *request) G_GNUC_WARN_UNUSED_RESULT;

BeckonCallView *beckon_batch_row_get_view (BeckonBatchRow *self);
BeckonRequest  *beckon_batch_row_get_request (BeckonBatchRow *self);

/** @table: (nullable): what it is row @index of; %NULL where there is no table. @trailing: makes the ends of all
 *  rows as wide. */
void beckon_batch_row_show (BeckonBatchRow *self, BeckonCallTable *table, guint index, GtkSizeGroup *trailing);

BeckonBatchMark beckon_batch_row_get_mark (BeckonBatchRow *self);
void            beckon_batch_row_set_mark (BeckonBatchRow *self, BeckonBatchMark mark);

/** Whether there is more of it than the row shows, and nobody has opened it. */
gboolean beckon_batch_row_is_unseen (BeckonBatchRow *self);

/** Whether its request waits. */
gboolean beckon_batch_row_is_pending (BeckonBatchRow *self);

/** Shows all of it. */
void beckon_batch_row_open (BeckonBatchRow *self);

/** Whether only the line of it is seen. */
gboolean beckon_batch_row_is_closed (BeckonBatchRow *self);

/** Why it could not be settled; %NULL takes it away. */
void beckon_batch_row_set_error (BeckonBatchRow *self, const char *message);

/** A line of values beside one another, below the names of the columns; for the head of a table. */
GtkWidget *beckon_batch_row_make_head (BeckonCallTable *table, GtkSizeGroup *trailing) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
