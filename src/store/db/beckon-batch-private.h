/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-session.h"
#include "domain/beckon-folder-extras.h"
#include "store/db/beckon-batch.h"

G_BEGIN_DECLS

/**
 * BeckonBatchOp:
 * @exec: writes it, on the store's thread
 * @free: frees the whole op
 *
 * One thing that a batch writes; the first member of a struct of its own.
 */
typedef struct _BeckonBatchOp BeckonBatchOp;
struct _BeckonBatchOp
{
  gboolean (*exec) (const BeckonBatchOp *op, BeckonSession *session, GError **error);
  void (*free) (BeckonBatchOp *op);
};

/**
 * BeckonBatch:
 * @durability: of its commit
 * @ops: (element-type BeckonBatchOp): in the order they were asked for
 * @requests: (element-type BeckonRequest): the new ones, to be known as the one object of their id
 * @ids: (element-type utf8): whatever it is about: conversations, messages, calls, requests
 * @is_temporary: it stores a temporary conversation
 * @is_quiet: nothing in it concerns another process
 * @is_kept: it is kept while it cannot be written
 * @asks: a request is added in it
 * @moves_requests: a request is added, settled or deleted in it
 */
struct _BeckonBatch
{
  BeckonDurability durability;
  GPtrArray *ops;
  GPtrArray *requests;
  GPtrArray *ids;
  gboolean is_temporary;
  gboolean is_quiet;
  gboolean is_kept;
  gboolean asks;
  gboolean moves_requests;
};

/** Adds an op whose struct begins with a #BeckonBatchOp. */
void beckon_batch_add (BeckonBatch *batch, gpointer op, gboolean (*exec) (const BeckonBatchOp *, BeckonSession *, GError **),
                       void (*free_op) (BeckonBatchOp *));

/** Notes what the batch is about. @id: (nullable): ignored if %NULL. */
void beckon_batch_add_id (BeckonBatch *batch, const char *id);

/** %FALSE with %BECKON_ERROR_NOT_FOUND: what something belongs to is not there. */
gboolean beckon_batch_refuse_missing (GError **error);

/** Writes all of it or nothing, on the store's thread. */
gboolean beckon_batch_exec (BeckonBatch *batch, BeckonSession *session, GError **error);

/** The pictures that came with the result of a call, which is written before. */
void beckon_batch_add_result_images (BeckonBatch *batch, BeckonToolCall *call);

/** Writes (element-type BeckonPart), which do not change any more, with a statement of owner, place, origin, type and bytes. */
gboolean beckon_batch_write_files (BeckonDatabase *database, const char *sql, const char *owner, GPtrArray *files,
                                   GError **error);

/** Writes that a call may run. */
gboolean beckon_batch_write_permit (BeckonDatabase *database, const char *id, const char *call_id, const char *digest,
                                    gint64 at, GError **error);

/** Writes a rule that is new. */
gboolean beckon_batch_write_rule (BeckonDatabase *database, const BeckonRule *rule, GError **error);

/** Writes what a person said of a folder, in place of what they said before. */
gboolean beckon_batch_write_inbound_end (BeckonDatabase *database, const char *channel_id, const char *message_id,
                                         GError **error);
gboolean beckon_batch_write_trust (BeckonDatabase *database, const BeckonFolderTrust *trust, GError **error);

/** Writes the result of a call. */
gboolean beckon_batch_write_result (BeckonDatabase *database, const char *call_id, const char *result, gboolean is_error,
                                    GError **error);

/** Writes a line of the log. @data: (nullable): JSON. */
gboolean beckon_batch_write_provenance (BeckonDatabase *database, const char *conversation_id, const char *call_id,
                                        const char *event, const char *data, gint64 at, GError **error);

/** Prepares what writing a result and a line of the log needs. */
void beckon_batch_warm (BeckonDatabase *database);

G_END_DECLS
