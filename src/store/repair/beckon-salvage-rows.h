/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "store/sqlite/beckon-database.h"

G_BEGIN_DECLS

/**
 * BeckonSalvage:
 * @n_conversations: how many the new file has
 * @n_messages: likewise
 * @n_lost_conversations: how many are known to have been there and could not be read; more may have been lost without a trace
 * @n_lost_messages: likewise
 * @damaged: (element-type utf8): names of tables that could not be read whole, those two only if nothing is known of what was
 *   lost; the caller makes it
 *
 * What came of a salvage.
 */
typedef struct
{
  gint64 n_conversations;
  gint64 n_messages;
  gint64 n_lost_conversations;
  gint64 n_lost_messages;
  GPtrArray *damaged;
} BeckonSalvage;

/**
 * beckon_salvage_copy_rows:
 * @from: a damaged file; nothing is written to it
 * @to: an empty one of the newest version
 * @salvage: (out): what came of it
 * @error: return location
 *
 * Copies every row that can be read, mends what refers to rows that cannot, and counts. Fails only if @to cannot be written.
 */
gboolean beckon_salvage_copy_rows (BeckonDatabase *from, BeckonDatabase *to, BeckonSalvage *salvage, GError **error);

G_END_DECLS
