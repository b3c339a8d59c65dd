/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-message.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_MESSAGE_FOOTER (beckon_message_footer_get_type ())
G_DECLARE_FINAL_TYPE (BeckonMessageFooter, beckon_message_footer, BECKON, MESSAGE_FOOTER, AdwBin)

/**
 * BeckonMessageFooter:
 *
 * The line below a message: which of its versions it is, what it used, and what can be done with it. It has no widgets but
 * those that are needed: the buttons come when somebody comes near. Its actions are the window's and the transcript's.
 */
GtkWidget *beckon_message_footer_new (BeckonMessage *message) G_GNUC_WARN_UNUSED_RESULT;

/** Whether there is something below @message at all. @shows_usage: whether what it used is something. */
gboolean beckon_message_footer_is_needed (BeckonMessage *message, gboolean shows_usage);

/** Adds the buttons. */
void beckon_message_footer_show_buttons (BeckonMessageFooter *self);

/** Returns: (nullable): borrowed; what opens the message's menu, once the buttons are there. */
GtkWidget *beckon_message_footer_get_menu_button (BeckonMessageFooter *self);

/** Whether what the message used is said: at first it is not. */
void beckon_message_footer_set_shows_usage (BeckonMessageFooter *self, gboolean shows_usage);

G_END_DECLS
