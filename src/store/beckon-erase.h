/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-database.h"

G_BEGIN_DECLS

/** Deletes all there is of a conversation, in a transaction under way. */
gboolean beckon_erase_conversation (BeckonDatabase *database, const char *conversation_id, GError **error);

/**
 * beckon_erase_step:
 * @database: a database outside of a transaction
 * @has_more: (out): %FALSE if nothing is left to be erased
 * @error: return location
 *
 * Erases a piece of what is doomed, in a transaction of its own that is short, however long the conversation.
 */
gboolean beckon_erase_step (BeckonDatabase *database, gboolean *has_more, GError **error);

G_END_DECLS
