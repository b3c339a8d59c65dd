/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-store-private.h"

G_BEGIN_DECLS

/**
 * beckon_deferred_writes_perform:
 * @session: the session
 * @op: what to do; its data is taken when it is kept
 * @error: return location
 *
 * Carries out an operation that writes, behind everything that was kept before it. What fails for a reason that can pass is
 * kept if @op says so, and then the error is %BECKON_ERROR_DEFERRED. Store's thread.
 */
gpointer beckon_deferred_writes_perform (BeckonSession *session, BeckonStoreOp *op, GError **error);

/** %FALSE if @op, which is about what is temporary, must not take effect because it is said that nothing does. */
gboolean beckon_deferred_writes_allows_in_memory (BeckonSession *session, const BeckonStoreOp *op, GError **error);

/** Notes what is wrong with the files after an operation that does not write. */
void beckon_deferred_writes_note (BeckonSession *session);

/** %TRUE if there is something to try again. */
gboolean beckon_deferred_writes_is_due (BeckonSession *session);

/** Tries again, and finds out whether writing is possible now. */
void beckon_deferred_writes_retry (BeckonSession *session);

/** Writes what can be written and drops the rest, with @error saying how much that was. For the end of the session. */
gboolean beckon_deferred_writes_finish (BeckonSession *session, GError **error);

G_END_DECLS
