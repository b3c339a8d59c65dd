/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-conversation.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_SIDEBAR_ROW (beckon_sidebar_row_get_type ())
G_DECLARE_FINAL_TYPE (BeckonSidebarRow, beckon_sidebar_row, BECKON, SIDEBAR_ROW, AdwBin)

/** @conversation: (nullable): whose title and state it shows; rows are used again for others. */
void                beckon_sidebar_row_set_conversation (BeckonSidebarRow *self, BeckonConversation *conversation);
BeckonConversation *beckon_sidebar_row_get_conversation (BeckonSidebarRow *self);

/** Sets the heading above the first of a group; %NULL for none. */
void beckon_sidebar_row_set_heading (BeckonSidebarRow *self, const char *heading);

G_END_DECLS
