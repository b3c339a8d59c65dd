/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "store/db/beckon-store.h"

G_BEGIN_DECLS

/*
 * Landing places that nobody needs go: of commands that changed nothing, of conversations that are gone, of programs that ended
 * in the middle, and what was kept for an undo and is too old or too much. All of it is done on another thread, and nobody
 * waits for it.
 */

/**
 * beckon_landing_upkeep_hold_async:
 * @callback: called when it is so
 * @user_data: for @callback
 *
 * Says that this process has landing places of temporary conversations, so that no other one takes them for left behind. Waits
 * for one that is just tidying up. To be called before the first of them is made; the source of the result is %NULL.
 */
void beckon_landing_upkeep_hold_async (GAsyncReadyCallback callback, gpointer user_data);

/** Removes the place of one call, now. Any thread; blocks. */
void beckon_landing_upkeep_remove (const char *call_id);

/** Removes the place of one call, and then calls beckon_landing_upkeep_run(). */
void beckon_landing_upkeep_drop (BeckonStore *store, const char *call_id, gint64 now);

/** Removes what nobody needs. @now: microseconds since the epoch. */
void beckon_landing_upkeep_run (BeckonStore *store, gint64 now);

/**
 * beckon_landing_upkeep_remove_all_async:
 * @callback: called when it is done
 * @user_data: for @callback
 *
 * Removes every place there is, behind beckon_store_delete_all_async(). The source of the result is %NULL.
 */
void beckon_landing_upkeep_remove_all_async (GAsyncReadyCallback callback, gpointer user_data);

/**
 * beckon_landing_upkeep_recover_async:
 * @store: an open store
 * @callback: called later
 * @user_data: for @callback
 *
 * Finishes what programs that are gone were doing to people's folders: landing, undoing, making again, rewinding. No folder is
 * left half changed until somebody looks into its conversation; whoever takes up the run afterwards finds that it has landed.
 * Main thread; folders are touched on another one.
 */
void beckon_landing_upkeep_recover_async (BeckonStore *store, GAsyncReadyCallback callback, gpointer user_data);

/** %FALSE with an error if the store could not say what there is; what could not be finished is tried at the next start. */
gboolean beckon_landing_upkeep_recover_finish (BeckonStore *store, GAsyncResult *result, GError **error);

G_END_DECLS
