/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-session.h"

G_BEGIN_DECLS

/**
 * beckon_end_conversation:
 * @session: its database is in a writing transaction
 * @id: a conversation
 * @front_end: what ends it, for the log
 * @not_known: the result of calls that were running, for models
 * @not_run: the result of calls that were not, for models
 * @at: microseconds since the epoch
 * @error: return location
 *
 * Ends whatever is under way there: requests are cancelled, calls have results, and its run is stopped.
 */
gboolean beckon_end_conversation (BeckonSession *session, const char *id, const char *front_end, const char *not_known,
                                  const char *not_run, gint64 at, GError **error);

/** Ends whatever was under way everywhere when the copy was made that is now the history. Nothing of it happens twice. */
gboolean beckon_end_restored (BeckonSession *session, GError **error);

G_END_DECLS
