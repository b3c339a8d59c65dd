/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-clock.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/** How long a card that appeared answers nothing, in milliseconds. */
#define BECKON_GUARD_APPEARED_MS 500

/** How long it answers nothing after its window was raised, so that the click that raised it is not an answer. */
#define BECKON_GUARD_RAISED_MS 250

/**
 * BeckonGuard:
 *
 * Keeps a card from taking what was not meant for it: for a moment after it appears and after its window is raised, it
 * answers nothing and its accessible state is *busy*. Belongs to one widget.
 */
typedef struct _BeckonGuard BeckonGuard;

/** @widget: whose guard it is, not referenced; free the guard in its dispose. */
BeckonGuard *beckon_guard_new (GtkWidget *widget) G_GNUC_WARN_UNUSED_RESULT;
void         beckon_guard_free (BeckonGuard *guard);

/** Another clock than the system's; before the widget is mapped. */
void beckon_guard_set_clock (BeckonGuard *guard, BeckonClock *clock);

/** The widget changed by itself: it answers nothing for as long as if it had appeared now. */
void beckon_guard_renew (BeckonGuard *guard);

/** Input may be an answer now. */
gboolean beckon_guard_is_open (BeckonGuard *guard);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonGuard, beckon_guard_free)

G_END_DECLS
