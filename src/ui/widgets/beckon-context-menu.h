/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/** The style class of what a menu is about, while it is open. */
#define BECKON_CONTEXT_MENU_OPEN "menu-open"

/**
 * beckon_context_menu_popup:
 * @menu: what it offers
 * @name: what it is called for who cannot see it
 * @parent: holds it while it is open, and has a layout manager
 * @widget: below @parent: what it is about; it has the style class meanwhile
 * @at: (nullable): where the pointer is, in @widget; %NULL: the keyboard asked
 *
 * Opens a menu that goes by itself.
 */
void beckon_context_menu_popup (GMenuModel *menu, const char *name, GtkWidget *parent, GtkWidget *widget,
                                const graphene_point_t *at);

/** The same with actions of the menu's own, named by @prefix in it. */
void beckon_context_menu_popup_with (GMenuModel *menu, const char *prefix, GActionGroup *actions, const char *name,
                                     GtkWidget *parent, GtkWidget *widget, const graphene_point_t *at);

/**
 * beckon_context_menu_find_row:
 * @rows: the parent of rows
 * @x: a place in it
 * @y: likewise
 * @at: (out): the same place in the row
 * @inner: (out) (optional): the innermost widget there
 *
 * Returns: (transfer none) (nullable): the row that is there
 */
GtkWidget *beckon_context_menu_find_row (GtkWidget *rows, double x, double y, graphene_point_t *at, GtkWidget **inner);

G_END_DECLS
