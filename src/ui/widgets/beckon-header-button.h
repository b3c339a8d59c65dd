/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_HEADER_BUTTON (beckon_header_button_get_type ())
G_DECLARE_FINAL_TYPE (BeckonHeaderButton, beckon_header_button, BECKON, HEADER_BUTTON, AdwBin)

/**
 * BeckonHeaderButton:
 *
 * A button of the header with a menu: an icon and a word, or the icon alone where there is no room for the word, which is never
 * squeezed. Either way it needs no more room than the icon. Properties: `icon-name` (string), `word-alone` (boolean): the icon
 * is there only when the word is not.
 */

/** Icons stand for the words. */
void beckon_header_button_set_narrow (BeckonHeaderButton *button, gboolean narrow);

/** How wide its words are, whether they are shown or not. */
int beckon_header_button_measure_words (BeckonHeaderButton *button);

void beckon_header_button_set_icon_name (BeckonHeaderButton *button, const char *icon_name);

/** @word: what it shows; a long one is cut. */
void beckon_header_button_set_word (BeckonHeaderButton *button, const char *word);

/** @spoken: what it is called, and what its tooltip says. */
void beckon_header_button_set_name (BeckonHeaderButton *button, const char *spoken);

/** @hint: what its tooltip says below that; after beckon_header_button_set_name(). */
void beckon_header_button_set_hint (BeckonHeaderButton *button, const char *hint);

void beckon_header_button_set_menu (BeckonHeaderButton *button, GMenuModel *menu);

G_END_DECLS
