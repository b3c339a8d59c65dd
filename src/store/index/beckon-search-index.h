/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "store/sqlite/beckon-database.h"

G_BEGIN_DECLS

/**
 * beckon_search_index_step:
 * @database: a database outside of a transaction
 * @has_more: (out): %TRUE if something may be left
 * @error: return location
 *
 * Indexes some of what was written since, in a transaction of its own that takes a few milliseconds.
 */
gboolean beckon_search_index_step (BeckonDatabase *database, gboolean *has_more, GError **error);

/** Empties the index, and notes that everything is to be indexed. Outside of a transaction. */
gboolean beckon_search_index_rebuild (BeckonDatabase *database, GError **error);

/** Takes out of the index what was deleted in the transaction that is open; its last act. */
gboolean beckon_search_index_forget (BeckonDatabase *database, GError **error);

G_END_DECLS
