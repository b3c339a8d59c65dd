/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "runtime/beckon-runtime.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_WAITING_PAGE (beckon_waiting_page_get_type ())
G_DECLARE_FINAL_TYPE (BeckonWaitingPage, beckon_waiting_page, BECKON, WAITING_PAGE, AdwBin)

/** How many requests have cards at first, and how many more each time the person asks for more. */
#define BECKON_WAITING_PAGE_STEP 20

/** Every pending request of every conversation, oldest first, answerable where it stands. */
GtkWidget *beckon_waiting_page_new (BeckonRuntime *runtime) G_GNUC_WARN_UNUSED_RESULT;

/** Puts the focus where the oldest is answered, because the person asked for it. */
void beckon_waiting_page_focus (BeckonWaitingPage *self);

#define BECKON_TYPE_WAITING_ENTRY (beckon_waiting_entry_get_type ())
G_DECLARE_FINAL_TYPE (BeckonWaitingEntry, beckon_waiting_entry, BECKON, WAITING_ENTRY, AdwBin)

G_END_DECLS
