/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-database.h"

G_BEGIN_DECLS

/**
 * beckon_chunks_join:
 * @database: a database outside of a transaction
 * @joined: (out): %FALSE if there was nothing to join
 * @error: return location
 *
 * Joins the chunks of one part, whose message is over, with the part, in a transaction of its own. What is read is the
 * same before and after.
 */
gboolean beckon_chunks_join (BeckonDatabase *database, gboolean *joined, GError **error);

G_END_DECLS
