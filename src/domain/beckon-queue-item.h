/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-part.h"

G_BEGIN_DECLS

#define BECKON_TYPE_QUEUE_ITEM (beckon_queue_item_get_type ())
G_DECLARE_FINAL_TYPE (BeckonQueueItem, beckon_queue_item, BECKON, QUEUE_ITEM, GObject)

/**
 * BeckonQueueItem:
 *
 * A message that a person queued while the agent works. Property: `sends-now` (boolean): it is put before the model at the
 * next round boundary of the turn, not after it. Main thread.
 */

/** @id: of the message that it becomes. @files: (element-type BeckonPart): as in beckon-attachment.h; copied */
BeckonQueueItem *beckon_queue_item_new (const char *id, const char *text, GPtrArray *files,
                                        gboolean sends_now) G_GNUC_WARN_UNUSED_RESULT;

const char *beckon_queue_item_get_id (BeckonQueueItem *self);

/** Never %NULL; may be empty where there are files. */
const char *beckon_queue_item_get_text (BeckonQueueItem *self);

/** (element-type BeckonPart): never %NULL; borrowed. */
GPtrArray *beckon_queue_item_get_files (BeckonQueueItem *self);

gboolean beckon_queue_item_get_sends_now (BeckonQueueItem *self);
void     beckon_queue_item_set_sends_now (BeckonQueueItem *self, gboolean sends_now);

G_END_DECLS
