/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-message-row.h"

G_BEGIN_DECLS

/** Lets a press of the second button, and a long one, on a message open its menu. @rows: the parent of the messages. */
void beckon_message_menu_attach (GtkWidget *transcript, GtkWidget *rows);

/** Opens the menu of a message: copy it, edit it, branch from it. @inner: (nullable): what in it is pointed at, for what is
 * about one block. @at: (nullable): where, in @row. */
void beckon_message_menu_popup (GtkWidget *transcript, BeckonMessageRow *row, GtkWidget *inner, const graphene_point_t *at);

G_END_DECLS
