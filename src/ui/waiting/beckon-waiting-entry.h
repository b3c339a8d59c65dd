/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "runtime/beckon-runtime.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_WAITING_ENTRY (beckon_waiting_entry_get_type ())
G_DECLARE_FINAL_TYPE (BeckonWaitingEntry, beckon_waiting_entry, BECKON, WAITING_ENTRY, AdwBin)

/**
 * BeckonWaitingEntry:
 *
 * A pending request outside its conversation: whose it is, who asks and since when, and its card. The title activates
 * `win.show-origin`.
 */
GtkWidget *beckon_waiting_entry_new (BeckonRuntime *runtime, BeckonRequest *request) G_GNUC_WARN_UNUSED_RESULT;

/** Borrowed. */
BeckonRequest *beckon_waiting_entry_get_request (BeckonWaitingEntry *self);
GtkWidget     *beckon_waiting_entry_get_card (BeckonWaitingEntry *self);

/** Says anew since when it waits. @now: microseconds since the epoch. */
void beckon_waiting_entry_update (BeckonWaitingEntry *self, gint64 now);

G_END_DECLS
