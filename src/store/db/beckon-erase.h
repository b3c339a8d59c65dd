/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "store/sqlite/beckon-database.h"

G_BEGIN_DECLS

/** Deletes all there is of a conversation, in a transaction under way. @places: as below. */
gboolean beckon_erase_conversation (BeckonDatabase *database, const char *conversation_id, GPtrArray *places, GError **error);

/** %TRUE if beckon_erase_step() has something to erase. */
gboolean beckon_erase_is_pending (BeckonDatabase *database);

/**
 * beckon_erase_step:
 * @database: a database outside of a transaction
 * @places: (element-type utf8): gets the ids of calls whose landing places are no longer needed
 * @has_more: (out): %FALSE if nothing is left to be erased
 * @error: return location
 *
 * Erases a piece of what is doomed, in a transaction of its own that is short, however long the conversation.
 */
gboolean beckon_erase_step (BeckonDatabase *database, GPtrArray *places, gboolean *has_more, GError **error);

/**
 * beckon_erase_traces_step:
 * @database: a database outside of a transaction
 * @n_steps: (inout): how many there were; 0 to begin
 * @has_more: (out): %FALSE if it is done
 * @error: return location
 *
 * What was deleted leaves words in the index. This merges the index, a piece at a time; what is then left in the log goes with
 * beckon_database_empty_log().
 */
gboolean beckon_erase_traces_step (BeckonDatabase *database, guint *n_steps, gboolean *has_more, GError **error);

G_END_DECLS
