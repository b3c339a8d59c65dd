/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-batch-private.h"

#include "beckon-search-index.h"

typedef struct
{
  BeckonBatchOp op;
  char *id;
  gint64 created_at;
  gint64 updated_at;
  char *title;
  char *profile_id;
} PutConversation;

typedef struct
{
  BeckonBatchOp op;
  char *id;
  char *draft;
} SetDraft;

typedef struct
{
  BeckonBatchOp op;
  char *id;
} Delete;

typedef struct
{
  BeckonBatchOp op;
  BeckonProfile *copy;
} PutProfile;

typedef struct
{
  BeckonBatchOp op;
  char *conversation_id;
  char *call_id;
  char *event;
  char *data;
  gint64 at;
} AddProvenance;

static const char put_conversation_sql[] =
  "INSERT INTO conversation (id, created_at, updated_at, title, profile) VALUES (?1, ?2, ?3, ?4, ?5)"
  " ON CONFLICT (id) DO UPDATE SET updated_at = ?3, title = ?4, profile = ?5";
static const char set_draft_sql[] = "UPDATE conversation SET draft = ?2 WHERE id = ?1";
static const char delete_conversation_sql[] = "DELETE FROM conversation WHERE id = ?1";
static const char delete_provenance_sql[] = "DELETE FROM provenance WHERE conversation = ?1";
static const char put_profile_sql[] =
  "INSERT INTO profile (id, kind, name, base_url, model, rounds) VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
  " ON CONFLICT (id) DO UPDATE SET kind = ?2, name = ?3, base_url = ?4, model = ?5, rounds = ?6";
static const char delete_profile_sql[] = "DELETE FROM profile WHERE id = ?1";
static gboolean
exec_put_conversation (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const PutConversation *op = (const PutConversation *) base;

  return beckon_database_run (session->database, error, put_conversation_sql, "siiss", op->id, op->created_at,
                              op->updated_at, op->title, op->profile_id);
}

static void
free_put_conversation (BeckonBatchOp *base)
{
  PutConversation *op = (PutConversation *) base;

  g_free (op->id);
  g_free (op->title);
  g_free (op->profile_id);
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
  beckon_batch_add (batch, op, exec_put_conversation, free_put_conversation);
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
  beckon_batch_add (batch, op, exec_set_draft, free_set_draft);
  batch->is_quiet = was_quiet;
}

static void
free_delete (BeckonBatchOp *base)
{
  Delete *op = (Delete *) base;

  g_free (op->id);
  g_free (op);
}

static void
add_delete (BeckonBatch *batch, const char *id, gboolean (*exec) (const BeckonBatchOp *, BeckonSession *, GError **))
{
  Delete *op = g_new0 (Delete, 1);

  op->id = g_strdup (id);
  beckon_batch_add (batch, op, exec, free_delete);
}

/* A person who deletes a conversation means all of it, so what the log says of it goes too; before that it cannot. */
static gboolean
exec_delete_conversation (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const Delete *op = (const Delete *) base;

  return beckon_database_run (session->database, error, delete_conversation_sql, "s", op->id)
         && beckon_database_run (session->database, error, delete_provenance_sql, "s", op->id)
         && beckon_search_index_forget (session->database, error);
}

void
beckon_batch_delete_conversation (BeckonBatch *batch, const char *conversation_id)
{
  g_return_if_fail (batch != NULL);
  g_return_if_fail (conversation_id != NULL);

  add_delete (batch, conversation_id, exec_delete_conversation);
  batch->moves_requests = TRUE;
}

static gboolean
exec_put_profile (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  BeckonProfile *profile = ((const PutProfile *) base)->copy;

  return beckon_database_run (session->database, error, put_profile_sql, "sssssi", beckon_profile_get_id (profile),
                              beckon_profile_kind_to_string (beckon_profile_get_kind (profile)),
                              beckon_profile_get_name (profile), beckon_profile_get_base_url (profile),
                              beckon_profile_get_model (profile), (gint64) beckon_profile_get_rounds (profile));
}

static void
free_put_profile (BeckonBatchOp *base)
{
  PutProfile *op = (PutProfile *) base;

  g_object_unref (op->copy);
  g_free (op);
}

void
beckon_batch_put_profile (BeckonBatch *batch, BeckonProfile *profile)
{
  PutProfile *op;

  g_return_if_fail (batch != NULL);
  g_return_if_fail (BECKON_IS_PROFILE (profile));
  g_return_if_fail (beckon_profile_get_kind (profile) != BECKON_PROFILE_TOUR);

  op = g_new0 (PutProfile, 1);
  op->copy = beckon_profile_copy (profile);
  beckon_batch_add (batch, op, exec_put_profile, free_put_profile);
}

static gboolean
exec_delete_profile (const BeckonBatchOp *base, BeckonSession *session, GError **error)
{
  const Delete *op = (const Delete *) base;

  return beckon_database_run (session->database, error, delete_profile_sql, "s", op->id);
}

void
beckon_batch_delete_profile (BeckonBatch *batch, const char *profile_id)
{
  g_return_if_fail (batch != NULL);
  g_return_if_fail (profile_id != NULL);

  add_delete (batch, profile_id, exec_delete_profile);
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
  op->conversation_id = g_strdup (conversation_id);
  op->call_id = g_strdup (call_id);
  op->event = g_strdup (event);
  op->data = g_strdup (data);
  op->at = at;
  beckon_batch_add (batch, op, exec_add_provenance, free_add_provenance);
}
