/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-message.h"
#include "request/beckon-inbox.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_MESSAGE_ROW (beckon_message_row_get_type ())
G_DECLARE_FINAL_TYPE (BeckonMessageRow, beckon_message_row, BECKON, MESSAGE_ROW, AdwBin)

/**
 * Shows a message: a bubble for the person's, text and cards for the agent's. Follows the message while it grows. It can have
 * the focus, to be read out, but is no stop of the Tab key. @text: (nullable): of a person's message that is shown in other
 * words than a model reads it. Signal `toggled`: its selection changed.
 */
GtkWidget *beckon_message_row_new (BeckonInbox *inbox, BeckonMessage *message, const char *text) G_GNUC_WARN_UNUSED_RESULT;

BeckonMessage *beckon_message_row_get_message (BeckonMessageRow *self);

/** The row of @message among @rows; %NULL if it has none. Borrowed. */
GtkWidget *beckon_message_row_find (GtkWidget *rows, BeckonMessage *message);

/** Puts the message's text on the clipboard. */
void beckon_message_row_copy (BeckonMessageRow *self);

/** Whether it says what the message used: at first it does not. */
void beckon_message_row_set_shows_usage (BeckonMessageRow *self, gboolean shows_usage);

/** While messages are being selected it has a check button, and a click anywhere in it is one on that. */
void     beckon_message_row_set_selecting (BeckonMessageRow *self, gboolean selecting, gboolean selected);
gboolean beckon_message_row_get_selected (BeckonMessageRow *self);
void     beckon_message_row_toggle (BeckonMessageRow *self);

/** Adds the call views of the message to @views, in order. Borrowed. */
void beckon_message_row_list_calls (BeckonMessageRow *self, GPtrArray *views);

/** Returns: (nullable): borrowed; what opens the message's menu, once somebody came near. */
GtkWidget *beckon_message_row_get_menu_button (BeckonMessageRow *self);

G_END_DECLS
