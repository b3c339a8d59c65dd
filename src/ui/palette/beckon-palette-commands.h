/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-conversation.h"

G_BEGIN_DECLS

/**
 * beckon_palette_commands_append:
 * @items: where #BeckonPaletteItem of what can be done now are appended, what is done most often first
 * @conversation: (nullable): the one that is shown
 */
void beckon_palette_commands_append (GPtrArray *items, BeckonConversation *conversation);

G_END_DECLS
