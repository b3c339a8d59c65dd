/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-conversation.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_QUEUE_STRIP (beckon_queue_strip_get_type ())
G_DECLARE_FINAL_TYPE (BeckonQueueStrip, beckon_queue_strip, BECKON, QUEUE_STRIP, AdwBin)

/**
 * BeckonQueueStrip:
 *
 * The messages of a conversation that are queued, in order, each as a #BeckonQueueChip; of many the first, and how many more.
 */

/** @conversation: (nullable) */
void beckon_queue_strip_set_conversation (BeckonQueueStrip *strip, BeckonConversation *conversation);

/** @can_edit: there is room for one where messages are written. */
void beckon_queue_strip_set_can_edit (BeckonQueueStrip *strip, gboolean can_edit);

G_END_DECLS
