/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-store-private.h"

G_BEGIN_DECLS

/**
 * BeckonStoreThread:
 *
 * The thread that works for a store, and the queue of what it is to do. Belongs to the main thread.
 */
typedef struct _BeckonStoreThread BeckonStoreThread;

typedef enum
{
  BECKON_STORE_THREAD_OPEN,
  BECKON_STORE_THREAD_WORK,
  BECKON_STORE_THREAD_CLOSE,
  BECKON_STORE_THREAD_QUIT,
} BeckonStoreThreadKind;

/** @store: borrowed; outlives it. @context: where results are delivered. The thread itself begins with the first operation. */
BeckonStoreThread *beckon_store_thread_new (BeckonStore *store, GMainContext *context) G_GNUC_WARN_UNUSED_RESULT;

/** Carries out what was pushed before, closes, and waits for that. */
void beckon_store_thread_free (BeckonStoreThread *thread);

/** @task: (transfer full) (nullable): returned on the main thread when it is done. @op: copied. */
void beckon_store_thread_push (BeckonStoreThread *thread, BeckonStoreThreadKind kind, GTask *task, const BeckonStoreOp *op);

/** On the main thread: what the thread found out about the files. */
void beckon_store_set_condition (BeckonStore *store, BeckonFault fault, gboolean is_lasting, guint n_unsaved);

G_END_DECLS
