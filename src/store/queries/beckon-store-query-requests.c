/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "store/db/beckon-store-private.h"

#include "base/beckon-error.h"
#include "request/beckon-form-request.h"
#include "store/db/beckon-answer-memory.h"
#include "store/db/beckon-settle.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The shortest end of an id that is taken for it. */
#define CODE_LENGTH 4

#define COLUMNS                                                                                                        \
  "r.id, r.conversation, r.message, r.call, r.kind, r.body, r.state, r.draft, r.asked_at, s.answer, s.front_end,"      \
  " s.actor, s.at, r.asked_by"
#define SETTLEMENT " LEFT JOIN settlement s ON s.request = r.id"

static const char list_sql[] =
  "SELECT " COLUMNS " FROM request r INDEXED BY request_pending" SETTLEMENT
  " WHERE r.state = 'pending' ORDER BY r.asked_at, r.id";
static const char lookup_sql[] = "SELECT " COLUMNS " FROM request r" SETTLEMENT " WHERE r.id = ?1";
/* The end of an id is its code; the newest one is meant. */
static const char code_sql[] = "SELECT " COLUMNS " FROM request r" SETTLEMENT
  " WHERE r.state <> 'pending' AND substr (r.id, -length (?1)) = ?1 COLLATE NOCASE ORDER BY r.id DESC LIMIT 1";
static const char forms_sql[] =
  "SELECT " COLUMNS ", r.delivered FROM request r" SETTLEMENT " WHERE r.conversation = ?1 AND r.kind = 'form'"
  " ORDER BY r.asked_at, r.id";
static const char draft_sql[] = "UPDATE request SET draft = ?2 WHERE id = ?1 AND state = 'pending'";

/* Unreadable requests, such as ones of a later kind, are left out: they must not keep others from being answered. */
static gboolean
list_in (BeckonDatabase *database, GPtrArray *requests, GError **error)
{
  sqlite3_stmt *statement = beckon_database_query (database, error, list_sql, "");
  BeckonStep step = BECKON_STEP_ERROR;

  while (statement != NULL && (step = beckon_database_step (database, statement, error)) == BECKON_STEP_ROW)
    {
      BeckonRequest *request = beckon_store_read_request (statement, 0);

      if (request != NULL)
        g_ptr_array_add (requests, request);
    }

  for (guint i = 0; step == BECKON_STEP_DONE && i < requests->len; i++)
    if (!beckon_answer_memory_fill_request (database, g_ptr_array_index (requests, i), error))
      return FALSE;

  return step == BECKON_STEP_DONE;
}

static gpointer
query_requests_list (BeckonSession *session, gpointer data, GError **error)
{
  g_autoptr (GPtrArray) requests = g_ptr_array_new_with_free_func (g_object_unref);

  if (!list_in (session->database, requests, error)
      || (session->memory != NULL && !list_in (session->memory, requests, error)))
    return NULL;

  return g_steal_pointer (&requests);
}

static void
query_requests_unify (BeckonStore *self, gpointer result)
{
  GPtrArray *requests = result;

  for (guint i = 0; i < requests->len; i++)
    {
      g_autoptr (BeckonRequest) fresh = g_ptr_array_index (requests, i);

      g_ptr_array_index (requests, i) = beckon_store_unify_request (self, fresh);
    }
}

static void
list_pending_async (BeckonRequestStore *journal, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  const BeckonStoreOp op = { .func = query_requests_list, .done = query_requests_unify,
                             .free_result = (GDestroyNotify) g_ptr_array_unref };

  beckon_store_work_async (BECKON_STORE (journal), &op, list_pending_async, cancellable, callback, user_data, BECKON_NONE);
}

static BECKON_FINISH_POINTER (GPtrArray *, list_pending, BeckonRequestStore)

static gpointer
list_forms (BeckonSession *session, gpointer data, GError **error)
{
  g_autoptr (GPtrArray) forms = g_ptr_array_new_with_free_func (g_object_unref);
  sqlite3_stmt *statement = beckon_database_query_values (session->database, error, forms_sql, data);
  BeckonStep step = BECKON_STEP_ERROR;

  while (statement != NULL && (step = beckon_database_step (session->database, statement, error)) == BECKON_STEP_ROW)
    {
      g_autoptr (BeckonRequest) request = beckon_store_read_request (statement, 0);

      if (request == NULL || beckon_form_request_get_resumption (request) == NULL)
        continue;
      if (sqlite3_column_int (statement, 14) != 0)
        beckon_form_request_set_delivered (request);
      g_ptr_array_add (forms, g_steal_pointer (&request));
    }
  return step == BECKON_STEP_DONE ? g_steal_pointer (&forms) : NULL;
}

/* Objects that a list shows as pending are brought up to the store; only the row says what was delivered. */
static void
unify_forms (BeckonStore *self, gpointer result)
{
  GPtrArray *forms = result;

  for (guint i = 0; i < forms->len; i++)
    {
      g_autoptr (BeckonRequest) fresh = g_ptr_array_index (forms, i);
      BeckonRequest *known = beckon_store_unify_request (self, fresh);

      if (beckon_form_request_is_delivered (fresh))
        beckon_form_request_set_delivered (known);
      g_ptr_array_index (forms, i) = known;
    }
}

void
beckon_store_list_forms_async (BeckonStore *store, const char *conversation_id, GCancellable *cancellable,
                               GAsyncReadyCallback callback, gpointer user_data)
{
  const BeckonStoreOp op
    = { .func = list_forms, .done = unify_forms, .free_result = (GDestroyNotify) g_ptr_array_unref };

  beckon_store_work_async (store, &op, beckon_store_list_forms_async, cancellable, callback, user_data, conversation_id);
}

BECKON_FINISH_POINTER (GPtrArray *, beckon_store_list_forms, BeckonStore)

/* (nullable): without @error where there is none. */
static BeckonRequest *
look_up_by (BeckonDatabase *database, const char *sql, const char *words, GError **error)
{
  sqlite3_stmt *statement = beckon_database_query (database, error, sql, "s", words);
  BeckonRequest *request;

  if (statement == NULL || beckon_database_step (database, statement, error) != BECKON_STEP_ROW)
    return NULL;
  request = beckon_store_read_request (statement, 0);
  if (request == NULL)
    g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_STORE,
                         _("This question was stored in a form that cannot be read."));
  sqlite3_reset (statement);
  return request;
}

static gpointer
query_requests_look_up (BeckonSession *session, gpointer data, GError **error)
{
  const char *id = ((const BeckonValue *) data)->text;
  g_autoptr (GError) failure = NULL;
  BeckonRequest *request = look_up_by (session->database, lookup_sql, id, &failure);

  if (request == NULL && failure == NULL && strlen (id) >= CODE_LENGTH)
    request = look_up_by (session->database, code_sql, id, &failure);
  if (failure != NULL)
    g_propagate_error (error, g_steal_pointer (&failure));
  else if (request == NULL)
    g_set_error_literal (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_UNKNOWN,
                         _("This question no longer exists. Its conversation may have been deleted."));
  return request;
}

/* Not the object that lists share: a look-up is for comparing that one with the truth. */
static void
lookup_async (BeckonRequestStore *journal, const char *request_id, GCancellable *cancellable, GAsyncReadyCallback callback,
              gpointer user_data)
{
  const BeckonStoreOp op = { .func = query_requests_look_up, .free_result = g_object_unref };

  beckon_store_work_async (BECKON_STORE (journal), &op, lookup_async, cancellable, callback, user_data, request_id);
}

static BECKON_FINISH_POINTER (BeckonRequest *, lookup, BeckonRequestStore)

typedef struct
{
  BeckonDatabase *database;
  const char *request_id;
} Looking;

static gboolean
query_requests_is_over (gpointer data, GError **error)
{
  const Looking *looking = data;

  return beckon_settle_is_over (looking->database, looking->request_id, error);
}

static gpointer
settle (BeckonSession *session, gpointer data, GError **error)
{
  const BeckonSettlement *settlement = ((const BeckonValue *) data)[1].object;
  Looking looking = { session->database, settlement->request_id };
  g_autoptr (GError) refusal = NULL;
  gboolean settled, keep;

  if (!beckon_database_begin_unless (session->database, BECKON_DURABILITY_FULL, query_requests_is_over, &looking, error))
    return NULL;

  settled = beckon_settle_exec (session, settlement, BECKON_SETTLE_ANSWER, &keep, &refusal);
  if (!settled && !keep)
    beckon_database_rollback (session->database);
  else if (!beckon_database_commit (session->database, error))
    return NULL;
  else
    session->has_news = session->has_unindexed = TRUE;

  if (!settled)
    g_propagate_error (error, g_steal_pointer (&refusal));

  return GINT_TO_POINTER (settled);
}

/* More answers come after this one. */
static void
query_requests_make_room (BeckonSession *session)
{
  beckon_database_make_room (session->database);
}

static void
settle_async (BeckonRequestStore *journal, const BeckonSettlement *settlement, GCancellable *cancellable,
              GAsyncReadyCallback callback, gpointer user_data)
{
  const BeckonStoreOp op = { .use = BECKON_STORE_WRITES, .func = settle, .done = beckon_store_on_requests_moved,
                             .after = query_requests_make_room };

  beckon_store_work_async (BECKON_STORE (journal), &op, settle_async, cancellable, callback, user_data,
                           settlement->request_id,
                           BECKON_OWNED (beckon_settlement_copy (settlement), beckon_settlement_free));
}

static BECKON_FINISH_BOOLEAN (settle, BeckonRequestStore)

static gpointer
save_draft (BeckonSession *session, gpointer data, GError **error)
{
  if (!beckon_database_begin (session->database, BECKON_DURABILITY_NORMAL, error))
    return NULL;

  if (beckon_database_change_values (session->database, error, draft_sql, data) < 0)
    {
      beckon_database_rollback (session->database);
      return NULL;
    }

  return GINT_TO_POINTER (beckon_database_commit (session->database, error));
}

static void
save_draft_async (BeckonRequestStore *journal, const char *request_id, const char *draft, GCancellable *cancellable,
                  GAsyncReadyCallback callback, gpointer user_data)
{
  const BeckonStoreOp op = { .use = BECKON_STORE_KEEPS, .func = save_draft };

  beckon_store_work_async (BECKON_STORE (journal), &op, save_draft_async, cancellable, callback, user_data, request_id, draft);
}

static BECKON_FINISH_BOOLEAN (save_draft, BeckonRequestStore)

static void
list_earlier_async (BeckonRequestStore *journal, const char *tool, GCancellable *cancellable, GAsyncReadyCallback callback,
                    gpointer user_data)
{
  beckon_store_list_earlier_async (BECKON_STORE (journal), tool, cancellable, callback, user_data);
}

static GHashTable *
list_earlier_finish (BeckonRequestStore *journal, GAsyncResult *result, GError **error)
{
  return beckon_store_list_earlier_finish (BECKON_STORE (journal), result, error);
}

void
beckon_store_requests_init (BeckonRequestStoreInterface *iface)
{
  iface->list_earlier_async = list_earlier_async;
  iface->list_earlier_finish = list_earlier_finish;
  iface->list_pending_async = list_pending_async;
  iface->list_pending_finish = list_pending_finish;
  iface->lookup_async = lookup_async;
  iface->lookup_finish = lookup_finish;
  iface->settle_async = settle_async;
  iface->settle_finish = settle_finish;
  iface->save_draft_async = save_draft_async;
  iface->save_draft_finish = save_draft_finish;
}
