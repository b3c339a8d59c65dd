/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-conversation.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_COMPOSER_BAR (beckon_composer_bar_get_type ())
G_DECLARE_FINAL_TYPE (BeckonComposerBar, beckon_composer_bar, BECKON, COMPOSER_BAR, GtkWidget)

/**
 * BeckonComposerBar:
 *
 * The line below what is written: in which folder, in what mode and with which model it is worked on, each as a button with its
 * words; and what Enter will do, beside them or, where there is no room, below. Its height does not depend on whether there is
 * something to say about Enter, so nothing above it ever moves.
 */

/** @conversation: (nullable) */
void beckon_composer_bar_set_conversation (BeckonComposerBar *bar, BeckonConversation *conversation);

/** (nullable): a list of #BeckonProfile, and one of #BeckonConversation, from which recent folders are known; once. */
void beckon_composer_bar_set_sources (BeckonComposerBar *bar, GListModel *profiles, GListModel *conversations);

/** @profile_id: (nullable): the one in use */
void beckon_composer_bar_set_profile (BeckonComposerBar *bar, const char *profile_id);

/** @hint: (nullable): what Enter will do. @more: (nullable): what stands behind it where there is room for all of it. */
void beckon_composer_bar_set_hint (BeckonComposerBar *bar, const char *hint, const char *more);

G_END_DECLS
