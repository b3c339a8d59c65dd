/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-session.h"
#include "domain/beckon-folder-extras.h"
#include "store/db/beckon-batch.h"

G_BEGIN_DECLS

/** Work of a batch on the store's thread that is more than a statement. */
typedef gboolean (*BeckonBatchWork) (BeckonSession *session, const BeckonValue *values, GError **error);

/**
 * BeckonBatch:
 * @durability: of its commit
 * @steps: (element-type BeckonBatchStep): what it writes, in the order it was asked for
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
  GArray *steps;
  GPtrArray *requests;
  GPtrArray *ids;
  gboolean is_temporary;
  gboolean is_quiet;
  gboolean is_kept;
  gboolean asks;
  gboolean moves_requests;
};

/** Adds a statement. @sql: a literal. @...: its parameters; the first is an id, or something else that is never NULL. */
#define beckon_batch_run(batch, sql, ...) beckon_batch_append (batch, sql, NULL, BECKON_VALUES (__VA_ARGS__))

/** Adds work; @...: what it gets, likewise. */
#define beckon_batch_work(batch, work, ...) beckon_batch_append (batch, NULL, work, BECKON_VALUES (__VA_ARGS__))

/** Lets the batch fail with @code and @words unless the last statement changes a row. Where the statement itself fails with
 *  @code, @words are told, too. @words: translated, copied. */
void beckon_batch_expect (BeckonBatch *batch, int code, const char *words);

/** beckon_batch_expect() for a row of something that may be gone, with the words for that. */
void beckon_batch_expect_there (BeckonBatch *batch);

/** %FALSE with the error of beckon_batch_expect_there(), for work that is no statement. */
gboolean beckon_batch_refuse_missing (GError **error);

/** The next step is done only if the last statement changes a row. */
void beckon_batch_only_then (BeckonBatch *batch);

/** Does the work of beckon_batch_run() and beckon_batch_work(). @values: copied, but what is owned is handed over. */
void beckon_batch_append (BeckonBatch *batch, const char *sql, BeckonBatchWork work, const BeckonValue *values);

/** Notes what the batch is about. @id: (nullable): ignored if %NULL. */
void beckon_batch_add_id (BeckonBatch *batch, const char *id);

/** Writes all of it or nothing, on the store's thread. */
gboolean beckon_batch_exec (BeckonBatch *batch, BeckonSession *session, GError **error);

/** Writes (element-type BeckonPart), which do not change any more, with a statement of owner, place, origin, type and bytes. */
gboolean beckon_batch_write_files (BeckonDatabase *database, const char *sql, const char *owner, GPtrArray *files,
                                   GError **error);

/** Writes that a call may run. */
gboolean beckon_batch_write_permit (BeckonDatabase *database, const char *id, const char *call_id, const char *digest,
                                    gint64 at, GError **error);

/** Writes a rule that is new. */
gboolean beckon_batch_write_rule (BeckonDatabase *database, const BeckonRule *rule, GError **error);

/** Writes that a message of a text channel is handled; see beckon_batch_end_inbound(). */
gboolean beckon_batch_write_inbound_end (BeckonDatabase *database, const char *channel_id, const char *message_id,
                                         GError **error);

/** Writes what a person said of a folder, in place of what they said before. */
gboolean beckon_batch_write_trust (BeckonDatabase *database, const BeckonFolderTrust *trust, GError **error);

/** Writes the result of a call. */
gboolean beckon_batch_write_result (BeckonDatabase *database, const char *call_id, const char *result, gboolean is_error,
                                    GError **error);

/** The same as a step of a batch. */
void beckon_batch_add_result (BeckonBatch *batch, const char *call_id, const char *result, gboolean is_error);

/** Writes a line of the log. @data: (nullable): JSON. */
gboolean beckon_batch_write_provenance (BeckonDatabase *database, const char *conversation_id, const char *call_id,
                                        const char *event, const char *data, gint64 at, GError **error);

/** Prepares what writing a result and a line of the log needs. */
void beckon_batch_warm (BeckonDatabase *database);

G_END_DECLS
