/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_BAR_BUTTON (beckon_bar_button_get_type ())
G_DECLARE_FINAL_TYPE (BeckonBarButton, beckon_bar_button, BECKON, BAR_BUTTON, AdwBin)

/**
 * BeckonBarButton:
 *
 * A button with a menu that says in words what is chosen: in full where there is room for it, otherwise by a shorter word that
 * is cut in the middle. It never lacks a word. Property: `icon-name` (string), none by default.
 */

void beckon_bar_button_set_icon_name (BeckonBarButton *button, const char *icon_name);

/** @words: what it shows; @word: what it shows where there is little room. */
void beckon_bar_button_set_words (BeckonBarButton *button, const char *words, const char *word);

/**
 * beckon_bar_button_set_name:
 * @button: the button
 * @spoken: its accessible name
 * @hint: (nullable): what there is to know about the choice; its tooltip says both
 */
void beckon_bar_button_set_name (BeckonBarButton *button, const char *spoken, const char *hint);

/** Either of them opens when it is pressed. */
void beckon_bar_button_set_menu (BeckonBarButton *button, GMenuModel *menu);
void beckon_bar_button_set_popover (BeckonBarButton *button, GtkWidget *popover);
void beckon_bar_button_popdown (BeckonBarButton *button);

G_END_DECLS
