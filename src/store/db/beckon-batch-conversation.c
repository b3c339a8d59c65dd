/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-batch-private.h"

typedef struct
{
  BeckonBatchOp op;
  char *id;
  gint64 created_at;
  gint64 updated_at;
  char *title;
  char *profile_id;
  BeckonTitleSource title_source;
  gint64 pinned;
  gint64 archived;
  char *folder;
  BeckonMode mode;
  BeckonEffort effort;
} PutConversation;

typedef struct
{
  BeckonBatchOp op;
  char *id;
  const char *sql;
  const char *types;
  char *text;
  gint64 number;
} SetMember;

typedef struct
{
  BeckonBatchOp op;
  char *id;
  char *draft;
} SetDraft;

typedef struct
{
  BeckonBatchOp op;
  char *conversation_id;
  char *call_id;
  char *event;
  char *data;
  gint64 at;
} AddProvenance;

/* Deleted conversations are not inserted again, however late this comes. A title that is there stays: the process that
 * continues a conversation may have an old one; so do its folder, mode and effort. */
static const char put_conversation_sql[] =
  "INSERT INTO conversation (id, created_at, updated_at, title, profile, named_by, pinned, archived, folder, mode,"
  "  effort, sequence)"
  " SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, (SELECT coalesce (max (sequence), 0) + 1 FROM conversation)"
  " WHERE NOT EXISTS (SELECT 1 FROM gone WHERE id = ?1)"
  " ON CONFLICT (id) DO UPDATE SET profile = ?5, updated_at = ?3,"
  "  sequence = CASE WHEN updated_at <> ?3 THEN excluded.sequence ELSE sequence END,"
  "  named_by = CASE WHEN title = '' THEN ?6 ELSE named_by END, title = CASE WHEN title = '' THEN ?4 ELSE title END"
  " WHERE deleted_at IS NULL";
static const char set_title_sql[] = "UPDATE conversation SET title = ?2, named_by = 'person' WHERE id = ?1";
static const char propose_title_sql[] =
  "UPDATE conversation SET title = ?2, named_by = 'model' WHERE id = ?1 AND named_by = 'message'";
static const char follow_title_sql[] = "UPDATE conversation SET title = ?2 WHERE id = ?1 AND named_by = 'message'";
static const char set_profile_sql[] = "UPDATE conversation SET profile = ?2 WHERE id = ?1";
static const char set_pinned_sql[] = "UPDATE conversation SET pinned = ?3 WHERE id = ?1";
static const char set_archived_sql[] = "UPDATE conversation SET archived = ?3 WHERE id = ?1";
static const char set_folder_sql[] = "UPDATE conversation SET folder = ?2 WHERE id = ?1";
static const char set_mode_sql[] = "UPDATE conversation SET mode = ?2 WHERE id = ?1";
static const char set_effort_sql[] = "UPDATE conversation SET effort = ?2 WHERE id = ?1";
static const char set_wants_title_sql[] = "UPDATE conversation SET wants_title = ?3 WHERE id = ?1";
static const char set_unread_sql[] = "UPDATE conversation SET unread = ?3 WHERE id = ?1";
static const char set_seen_sql[] = "UPDATE conversation SET seen_at = max (seen_at, ?3) WHERE id = ?1";
static const char set_draft_sql[] = "UPDATE conversation SET draft = ?2 WHERE id = ?1";

static gboolean
exec_put_conversation (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const PutConversation *op = (const PutConversation *) base;
  int changed = beckon_database_change (session->database, error, put_conversation_sql, "siisssiisss", op->id, op->created_at,
                                        op->updated_at, op->title, op->profile_id,
                                        beckon_title_source_to_string (op->title_source), op->pinned, op->archived,
                                        op->folder, beckon_mode_to_string (op->mode),
                                        beckon_effort_to_string (op->effort));

  return changed > 0 || (changed == 0 && beckon_batch_refuse_missing (error));
}

static void
free_put_conversation (BeckonBatchOp *base)
{
  PutConversation *op = (PutConversation *) base;

  g_free (op->id);
  g_free (op->title);
  g_free (op->profile_id);
  g_free (op->folder);
  g_free (op);
}

void
beckon_batch_put_conversation (BeckonBatch *batch, BeckonConversation *conversation)
{
  PutConversation *op;

  g_return_if_fail (batch != NULL);
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation));

  op = g_new0 (PutConversation, 1);
  op->id = g_strdup (beckon_conversation_get_id (conversation));
  op->created_at = beckon_conversation_get_created_at (conversation);
  op->updated_at = beckon_conversation_get_updated_at (conversation);
  op->title = g_strdup (beckon_conversation_get_title (conversation));
  op->profile_id = g_strdup (beckon_conversation_get_profile_id (conversation));
  op->title_source = beckon_conversation_get_title_source (conversation);
  op->pinned = beckon_conversation_get_pinned (conversation);
  op->archived = beckon_conversation_get_archived (conversation);
  op->folder = g_strdup (beckon_conversation_get_folder (conversation));
  op->mode = beckon_conversation_get_mode (conversation);
  op->effort = beckon_conversation_get_effort (conversation);
  beckon_batch_add_id (batch, op->id);
  batch->is_temporary |= beckon_conversation_get_temporary (conversation);
  beckon_batch_add (batch, op, exec_put_conversation, free_put_conversation);
}

/* A missing conversation is no error: the value goes with it. */
static gboolean
exec_set_member (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const SetMember *op = (const SetMember *) base;

  return beckon_database_run (session->database, error, op->sql, op->types, op->id, op->text, op->number);
}

static void
free_set_member (BeckonBatchOp *base)
{
  SetMember *op = (SetMember *) base;

  g_free (op->id);
  g_free (op->text);
  g_free (op);
}

static void
add_set_member (BeckonBatch *batch, const char *sql, const char *types, const char *id, const char *text, gint64 number)
{
  SetMember *op = g_new0 (SetMember, 1);

  op->id = g_strdup (id);
  op->sql = sql;
  op->types = types;
  op->text = g_strdup (text);
  op->number = number;
  beckon_batch_add_id (batch, id);
  beckon_batch_add (batch, op, exec_set_member, free_set_member);
}

void
beckon_batch_set_title (BeckonBatch *batch, const char *conversation_id, const char *title)
{
  g_return_if_fail (batch != NULL);
  g_return_if_fail (conversation_id != NULL && title != NULL);

  add_set_member (batch, set_title_sql, "ss", conversation_id, title, 0);
}

void
beckon_batch_propose_title (BeckonBatch *batch, const char *conversation_id, const char *title)
{
  g_return_if_fail (batch != NULL);
  g_return_if_fail (conversation_id != NULL && title != NULL);

  add_set_member (batch, propose_title_sql, "ss", conversation_id, title, 0);
}

void
beckon_batch_follow_title (BeckonBatch *batch, const char *conversation_id, const char *title)
{
  g_return_if_fail (batch != NULL);
  g_return_if_fail (conversation_id != NULL && title != NULL);

  add_set_member (batch, follow_title_sql, "ss", conversation_id, title, 0);
}

void
beckon_batch_set_profile (BeckonBatch *batch, const char *conversation_id, const char *profile_id)
{
  g_return_if_fail (batch != NULL);
  g_return_if_fail (conversation_id != NULL);

  add_set_member (batch, set_profile_sql, "ss", conversation_id, profile_id, 0);
}

void
beckon_batch_set_pinned (BeckonBatch *batch, const char *conversation_id, gboolean pinned)
{
  g_return_if_fail (batch != NULL);
  g_return_if_fail (conversation_id != NULL);

  add_set_member (batch, set_pinned_sql, "ssi", conversation_id, NULL, !!pinned);
}

void
beckon_batch_set_archived (BeckonBatch *batch, const char *conversation_id, gboolean archived)
{
  g_return_if_fail (batch != NULL);
  g_return_if_fail (conversation_id != NULL);

  add_set_member (batch, set_archived_sql, "ssi", conversation_id, NULL, !!archived);
}

void
beckon_batch_set_unread (BeckonBatch *batch, const char *conversation_id, gboolean unread)
{
  g_return_if_fail (batch != NULL);
  g_return_if_fail (conversation_id != NULL);

  add_set_member (batch, set_unread_sql, "ssi", conversation_id, NULL, !!unread);
}

void
beckon_batch_set_seen_at (BeckonBatch *batch, const char *conversation_id, gint64 seen_at)
{
  g_return_if_fail (batch != NULL);
  g_return_if_fail (conversation_id != NULL);

  add_set_member (batch, set_seen_sql, "ssi", conversation_id, NULL, seen_at);
}

void
beckon_batch_set_wants_title (BeckonBatch *batch, const char *conversation_id, gboolean wants_title)
{
  g_return_if_fail (batch != NULL);
  g_return_if_fail (conversation_id != NULL);

  add_set_member (batch, set_wants_title_sql, "ssi", conversation_id, NULL, !!wants_title);
}

void
beckon_batch_set_folder (BeckonBatch *batch, const char *conversation_id, const char *folder)
{
  g_return_if_fail (batch != NULL);
  g_return_if_fail (conversation_id != NULL);

  add_set_member (batch, set_folder_sql, "ss", conversation_id, folder, 0);
}

void
beckon_batch_set_mode (BeckonBatch *batch, const char *conversation_id, BeckonMode mode)
{
  g_return_if_fail (batch != NULL);
  g_return_if_fail (conversation_id != NULL);

  add_set_member (batch, set_mode_sql, "ss", conversation_id, beckon_mode_to_string (mode), 0);
}

void
beckon_batch_set_effort (BeckonBatch *batch, const char *conversation_id, BeckonEffort effort)
{
  g_return_if_fail (batch != NULL);
  g_return_if_fail (conversation_id != NULL);

  add_set_member (batch, set_effort_sql, "ss", conversation_id, beckon_effort_to_string (effort), 0);
}

static gboolean
exec_set_draft (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const SetDraft *op = (const SetDraft *) base;

  return beckon_database_run (session->database, error, set_draft_sql, "ss", op->id, op->draft);
}

static void
free_set_draft (BeckonBatchOp *base)
{
  SetDraft *op = (SetDraft *) base;

  g_free (op->id);
  g_free (op->draft);
  g_free (op);
}

/* A composer is its window's own: other processes are not told. */
void
beckon_batch_set_draft (BeckonBatch *batch, const char *conversation_id, const char *draft)
{
  gboolean was_quiet;
  SetDraft *op;

  g_return_if_fail (batch != NULL);
  g_return_if_fail (conversation_id != NULL);

  op = g_new0 (SetDraft, 1);
  op->id = g_strdup (conversation_id);
  op->draft = g_strdup (draft != NULL ? draft : "");
  was_quiet = batch->is_quiet;
  beckon_batch_add_id (batch, conversation_id);
  beckon_batch_add (batch, op, exec_set_draft, free_set_draft);
  batch->is_quiet = was_quiet;
}

static gboolean
exec_add_provenance (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const AddProvenance *op = (const AddProvenance *) base;

  return beckon_batch_write_provenance (session->database, op->conversation_id, op->call_id, op->event, op->data, op->at,
                                        error);
}

static void
free_add_provenance (BeckonBatchOp *base)
{
  AddProvenance *op = (AddProvenance *) base;

  g_free (op->conversation_id);
  g_free (op->call_id);
  g_free (op->event);
  g_free (op->data);
  g_free (op);
}

void
beckon_batch_add_provenance (BeckonBatch *batch, const char *conversation_id, const char *call_id, const char *event,
                             const char *data, gint64 at)
{
  AddProvenance *op;

  g_return_if_fail (batch != NULL);
  g_return_if_fail (conversation_id != NULL);
  g_return_if_fail (event != NULL);

  op = g_new0 (AddProvenance, 1);
  beckon_batch_add_id (batch, conversation_id);
  op->conversation_id = g_strdup (conversation_id);
  op->call_id = g_strdup (call_id);
  op->event = g_strdup (event);
  op->data = g_strdup (data);
  op->at = at;
  beckon_batch_add (batch, op, exec_add_provenance, free_add_provenance);
}
