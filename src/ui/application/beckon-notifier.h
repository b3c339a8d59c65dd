/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "channels/beckon-channel.h"
#include "runtime/beckon-runtime.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define BECKON_TYPE_NOTIFIER (beckon_notifier_get_type ())
G_DECLARE_FINAL_TYPE (BeckonNotifier, beckon_notifier, BECKON, NOTIFIER, GObject)

/**
 * BeckonNotifier:
 *
 * Tells the person who does not look at the window that something waits for them, and takes that back when anybody settled
 * it; and that a run that took long is over. A notification opens the card (`app.show-request`); for one question with up to
 * three choices it has them as buttons (`app.answer-request`). No call is ever approved from one, and no changes land: they are
 * not seen there. Main thread.
 */

/** @runtime: opened; what is pending by then is not announced. */
BeckonNotifier *beckon_notifier_new (GtkApplication *application, BeckonRuntime *runtime) G_GNUC_WARN_UNUSED_RESULT;

/** Says that a text channel does not work; and that it does, or is gone. @id: of its account. */
void beckon_notifier_tell_channel (BeckonNotifier *notifier, BeckonChannel *channel);
void beckon_notifier_withdraw_channel (BeckonNotifier *notifier, const char *id);

/** Says that the program goes on without a window, or not any more. */
void beckon_notifier_set_background (BeckonNotifier *notifier, gboolean background);

G_END_DECLS
