/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-conversation.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_PLACE_BUTTON (beckon_place_button_get_type ())
G_DECLARE_FINAL_TYPE (BeckonPlaceButton, beckon_place_button, BECKON, PLACE_BUTTON, AdwBin)

/** Shows in which folder a conversation works and how much it asks, each with a menu; they activate `win.choose-folder`,
 *  `win.forget-folder` and `win.mode` (a mode's word). */

/** @conversation: (nullable): whose; its changes are followed. */
void beckon_place_button_set_conversation (BeckonPlaceButton *self, BeckonConversation *conversation);

/** @narrow: icons stand for the words. */
void beckon_place_button_set_narrow (BeckonPlaceButton *self, gboolean narrow);

/** How wide its words are, whether they are shown or not. */
int beckon_place_button_measure_words (BeckonPlaceButton *self);

/** How much wider it would be if it were not tight; 0 if it is not. */
int beckon_place_button_measure_missing (BeckonPlaceButton *self);

/** @tight: there is room for one button only: the folder's, whose menu then has the modes too. */
void beckon_place_button_set_tight (BeckonPlaceButton *self, gboolean tight);

G_END_DECLS
