/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-queue-item.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_QUEUE_CHIP (beckon_queue_chip_get_type ())
G_DECLARE_FINAL_TYPE (BeckonQueueChip, beckon_queue_chip, BECKON, QUEUE_CHIP, AdwBin)

/**
 * BeckonQueueChip:
 *
 * A message that is queued, and what can be done with it: `win.queued-send`, `win.queued-edit` and `win.queued-remove`, each
 * with the item's id.
 */
GtkWidget *beckon_queue_chip_new (BeckonQueueItem *item) G_GNUC_WARN_UNUSED_RESULT;

/** @can_edit: there is room for it where messages are written. */
void beckon_queue_chip_set_can_edit (BeckonQueueChip *chip, gboolean can_edit);

G_END_DECLS
