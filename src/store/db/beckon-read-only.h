/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-session.h"

G_BEGIN_DECLS

/**
 * beckon_read_only_open:
 * @session: a session without a database
 * @directory: the store's folder, in which nothing can be written
 * @error: return location
 *
 * Gives @session a database that can be read, and writes nothing in @directory. A history that cannot be read where it is,
 * because a log was left over or it must be converted, is copied to a private temporary folder first; the session removes
 * that when it closes.
 */
gboolean beckon_read_only_open (BeckonSession *session, const char *directory, GError **error);

/** Removes what was copied. */
void beckon_read_only_close (BeckonSession *session);

G_END_DECLS
