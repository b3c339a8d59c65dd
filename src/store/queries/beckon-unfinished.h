/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-landing.h"
#include "store/db/beckon-store.h"

G_BEGIN_DECLS

/**
 * BeckonUnfinished:
 * @call_id: (owned): a call
 * @conversation_id: (owned): its conversation
 * @landing: (owned) (nullable): it was being landed; %NULL: its changes were being undone, or made again
 * @is_redo: they were being made again
 * @front_end: (owned) (nullable): by whom they were
 * @now: (owned) (nullable): of a file tool: the file as it stood before
 *
 * Something that a process which is gone was doing to a folder.
 */
typedef struct
{
  char *call_id;
  char *conversation_id;
  BeckonLanding *landing;
  gboolean is_redo;
  char *front_end;
  GBytes *now;
} BeckonUnfinished;

void beckon_unfinished_free (BeckonUnfinished *unfinished);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonUnfinished, beckon_unfinished_free)

/**
 * beckon_store_claim_unfinished_async:
 * @store: an open store
 * @callback: called later
 * @user_data: for @callback
 *
 * Lists what processes that are gone did to folders and did not end, in the order in which it is to be ended; what was being
 * undone belongs to this process from now on. Costs a look at two indexes where there is nothing. Main thread.
 */
void beckon_store_claim_unfinished_async (BeckonStore *store, GAsyncReadyCallback callback, gpointer user_data);

/** (transfer full) (element-type BeckonUnfinished): empty in a store that can only be read. */
GPtrArray *beckon_store_claim_unfinished_finish (BeckonStore *store, GAsyncResult *result,
                                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
