/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A copy is made by the statements of beckon-copy.c alone, without its rows coming out of the database. What they need is a new
 * id for each old one, the same wherever the old one stands: the function copy_of () gives it.
 */

#include "beckon-config.h"

#include "beckon-copy.h"

#include "base/beckon-id.h"
#include "store/db/beckon-batch-private.h"
#include "store/db/beckon-store-private.h"

typedef struct
{
  char *source_id;
  char *last_message_id; /* (nullable) */
  char *copy_id;
  char *title;
  gint64 now;
} Copy;

/* The largest place there can be. */
#define ALL 9223372036854775807

#define UNFINISHED_RESULT "This call was not finished when the conversation was copied."

/* All branches, or the one that is shown as far as a message. */
#define THOSE_MESSAGES \
  "m.conversation = ?1 AND m.deleted_at IS NULL AND (?3 = " G_STRINGIFY (ALL) " OR (m.active AND m.seq <= ?3))"
#define IS_OVER "c.state IN ('done', 'cancelled')"

static const char find_message_sql[] = "SELECT seq FROM message WHERE id = ?1 AND conversation = ?2 AND active";
static const char conversation_sql[] =
  "INSERT INTO conversation (id, created_at, updated_at, title, profile, draft, named_by, origin, origin_message, folder,"
  "  mode, effort, sequence)"
  " SELECT ?2, ?3, ?3, ?4, profile, iif (?5 IS NULL, draft, ''), 'person', iif (?5 IS NULL, origin, id),"
  "  iif (?5 IS NULL, origin_message, ?5), folder, mode, effort, (SELECT max (sequence) + 1 FROM conversation)"
  " FROM conversation WHERE id = ?1 AND deleted_at IS NULL";
static const char draft_files_sql[] =
  "INSERT INTO draft_file (conversation, place, origin, media_type, text)"
  " SELECT ?2, place, origin, media_type, text FROM draft_file WHERE conversation = ?1";
/* A copy sends nothing by itself, so none of them goes with the next step either. */
static const char queue_sql[] =
  "INSERT INTO queued_message (id, conversation, sends_now, text)"
  " SELECT copy_of (id), ?2, 0, text FROM queued_message WHERE conversation = ?1 ORDER BY number";
static const char queue_files_sql[] =
  "INSERT INTO queued_file (message, place, origin, media_type, text)"
  " SELECT copy_of (f.message), f.place, f.origin, f.media_type, f.text FROM queued_message q"
  "  JOIN queued_file f ON f.message = q.id WHERE q.conversation = ?1 AND ?2 IS NOT NULL";
static const char messages_sql[] =
  "INSERT INTO message (id, conversation, seq, role, status, created_at, input, output, cached, cost, currency,"
  "  parent, chosen, active)"
  " SELECT copy_of (m.id), ?2, m.seq, m.role, iif (m.status = 'streaming', 'cut-off', m.status), m.created_at, m.input,"
  "  m.output, m.cached, m.cost, m.currency, iif (m.parent = '', '', copy_of (m.parent)), m.chosen, m.active"
  " FROM message m WHERE " THOSE_MESSAGES " ORDER BY m.seq, m.created_at, m.id";
static const char calls_sql[] =
  "INSERT INTO call (id, message, provider_id, tool, arguments, fault, read_only, state, started_at, finished_at, settled,"
  "  concealed, exit_status, output_length)"
  " SELECT copy_of (c.id), copy_of (c.message), c.provider_id, c.tool, c.arguments, c.fault, c.read_only,"
  "  iif (" IS_OVER ", c.state, 'cancelled'), c.started_at, c.finished_at, c.settled, c.concealed,"
  "  c.exit_status, c.output_length"
  " FROM message m JOIN call c ON c.message = m.id WHERE " THOSE_MESSAGES;
static const char plans_sql[] =
  "INSERT INTO plan (call, document, revision)"
  " SELECT copy_of (p.call), p.document, p.revision"
  " FROM message m JOIN call c ON c.message = m.id JOIN plan p ON p.call = c.id WHERE " THOSE_MESSAGES;
static const char steps_sql[] =
  "INSERT INTO step (call, plan, step, outcome)"
  " SELECT copy_of (s.call), copy_of (s.plan), s.step, s.outcome"
  " FROM message m JOIN call c ON c.message = m.id JOIN step s ON s.call = c.id WHERE " THOSE_MESSAGES;
static const char parts_sql[] =
  "INSERT INTO part (message, place, kind, origin, call, is_error, text, media_type, duration)"
  " SELECT copy_of (p.message), p.place, p.kind, p.origin, copy_of (p.call), p.is_error, p.text, p.media_type, p.duration"
  " FROM message m JOIN part p ON p.message = m.id WHERE " THOSE_MESSAGES " ORDER BY p.id";
static const char images_sql[] =
  "INSERT INTO result_image (call, place, origin, media_type, bytes)"
  " SELECT copy_of (i.call), i.place, i.origin, i.media_type, i.bytes"
  " FROM message m JOIN call c ON c.message = m.id JOIN result_image i ON i.call = c.id WHERE " THOSE_MESSAGES;
static const char chunks_sql[] =
  "INSERT INTO chunk (part, seq, text)"
  " SELECT n.id, k.seq, k.text FROM message m JOIN part p ON p.message = m.id JOIN chunk k ON k.part = p.id"
  "  JOIN part n ON n.message = copy_of (p.message) AND n.place = p.place WHERE " THOSE_MESSAGES;
static const char results_sql[] =
  "INSERT INTO part (message, place, kind, call, is_error, text)"
  " SELECT copy_of (c.message), NULL, 'result', copy_of (c.id), 1, CAST ('" UNFINISHED_RESULT "' AS BLOB)"
  " FROM message m JOIN call c ON c.message = m.id WHERE " THOSE_MESSAGES " AND NOT " IS_OVER
  "  AND NOT EXISTS (SELECT 1 FROM part WHERE call = c.id AND kind = 'result')";

#define THOSE_REQUESTS " FROM message m JOIN request r ON r.message = m.id WHERE " THOSE_MESSAGES

static const char requests_sql[] =
  "INSERT INTO request (id, conversation, message, call, kind, body, state, draft, asked_at, asked_by, due)"
  " SELECT copy_of (r.id), ?2, copy_of (r.message), copy_of (r.call), r.kind, r.body,"
  "  iif (r.state = 'pending', 'cancelled', r.state), r.draft, r.asked_at, r.asked_by, r.due" THOSE_REQUESTS;
static const char settlements_sql[] =
  "INSERT INTO settlement (request, state, answer, arguments, front_end, actor, at)"
  " SELECT copy_of (s.request), s.state, s.answer, s.arguments, s.front_end, s.actor, s.at"
  " FROM message m JOIN request r ON r.message = m.id JOIN settlement s ON s.request = r.id WHERE " THOSE_MESSAGES;
static const char cancel_sql[] =
  "INSERT INTO settlement (request, state, answer, front_end, actor, at)"
  " SELECT copy_of (r.id), 'cancelled', ?4, 'copy', '', ?2" THOSE_REQUESTS " AND r.state = 'pending'";
static const char runs_sql[] =
  "INSERT INTO run (id, conversation, profile, phase, open, detail, round, round_limit, retry_at)"
  " SELECT copy_of (id), ?2, profile, iif (open, 'stopped', phase), 0, iif (open, NULL, detail), round, round_limit, 0"
  " FROM run WHERE conversation = ?1 ORDER BY number";

/* A branch that ends with a message of the person, or with calls, is a turn that can be gone on with. */
static const char branch_run_sql[] =
  "INSERT INTO run (id, conversation, profile, phase, open, round, round_limit, retry_at)"
  " SELECT copy_of (?2), ?2, r.profile, 'stopped', 0, 0, r.round_limit, 0 FROM run r, message m"
  " WHERE r.conversation = ?1 AND m.conversation = ?1 AND m.active AND m.seq = ?3"
  "  AND (m.role = 'user' OR EXISTS (SELECT 1 FROM call WHERE message = m.id))"
  " ORDER BY r.number DESC LIMIT 1";

static void
copy_free (Copy *copy)
{
  g_free (copy->source_id);
  g_free (copy->last_message_id);
  g_free (copy->copy_id);
  g_free (copy->title);
  g_free (copy);
}

static void
copy_of (sqlite3_context *context, int n_arguments, sqlite3_value **arguments)
{
  GHashTable *copies = sqlite3_user_data (context);
  const char *id = (const char *) sqlite3_value_text (arguments[0]);
  char *copy = id != NULL ? g_hash_table_lookup (copies, id) : NULL;

  if (id == NULL)
    return;

  if (copy == NULL)
    {
      copy = beckon_id_new ();
      g_hash_table_insert (copies, g_strdup (id), copy);
    }
  sqlite3_result_text (context, copy, -1, SQLITE_TRANSIENT);
}

static gboolean
find_last (BeckonDatabase *database, const Copy *copy, gint64 *seq, GError **error)
{
  sqlite3_stmt *statement;
  BeckonStep step;

  *seq = G_MAXINT64;
  if (copy->last_message_id == NULL)
    return TRUE;

  statement = beckon_database_query (database, error, find_message_sql, "ss", copy->last_message_id, copy->source_id);
  step = statement != NULL ? beckon_database_step (database, statement, error) : BECKON_STEP_ERROR;
  if (step != BECKON_STEP_ROW)
    return step == BECKON_STEP_DONE && beckon_batch_refuse_missing (error);

  *seq = sqlite3_column_int64 (statement, 0);
  sqlite3_reset (statement);

  return TRUE;
}

static gboolean
copy_rows (BeckonDatabase *database, const Copy *copy, GError **error)
{
  const char *const statements[] = { messages_sql, calls_sql, plans_sql, steps_sql, parts_sql, images_sql,
                                     chunks_sql, results_sql };
  gint64 seq;
  int changed;
  g_autoptr (BeckonAnswer) answer = NULL;
  g_autofree char *json = NULL;
  const char *const whole[] = { draft_files_sql, queue_sql, queue_files_sql };

  if (!find_last (database, copy, &seq, error))
    return FALSE;

  changed = beckon_database_change (database, error, conversation_sql, "ssiss", copy->source_id, copy->copy_id, copy->now,
                                    copy->title, copy->last_message_id);
  if (changed <= 0)
    return changed == 0 && beckon_batch_refuse_missing (error);

  /* The draft's files and the queue, where all is copied and not a branch. */
  for (guint i = 0; i < G_N_ELEMENTS (whole) && copy->last_message_id == NULL; i++)
    if (!beckon_database_run (database, error, whole[i], "ss", copy->source_id, copy->copy_id))
      return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (statements); i++)
    if (!beckon_database_run (database, error, statements[i], "ssi", copy->source_id, copy->copy_id, seq))
      return FALSE;

  answer = beckon_answer_new (BECKON_ANSWER_CANCELLED, NULL);
  json = beckon_answer_to_json (answer);
  return beckon_database_run (database, error, requests_sql, "ssi", copy->source_id, copy->copy_id, seq)
         && beckon_database_run (database, error, settlements_sql, "ssi", copy->source_id, copy->copy_id, seq)
         && beckon_database_run (database, error, cancel_sql, "siis", copy->source_id, copy->now, seq, json)
         && (copy->last_message_id != NULL
               ? beckon_database_run (database, error, branch_run_sql, "ssi", copy->source_id, copy->copy_id, seq)
               : beckon_database_run (database, error, runs_sql, "ss", copy->source_id, copy->copy_id));
}

static gpointer
write_copy (BeckonSession *session, gpointer data, GError **error)
{
  const Copy *copy = data;
  g_autoptr (GHashTable) copies = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  sqlite3 *handle = beckon_database_get_handle (session->database);
  BeckonConversation *header;
  gboolean copied;

  /* The function stays, because prepared statements name it; without its table it would be of no use. */
  sqlite3_create_function_v2 (handle, "copy_of", 1, SQLITE_UTF8 | SQLITE_DIRECTONLY, copies, copy_of, NULL, NULL, NULL);
  copied = beckon_database_begin (session->database, BECKON_DURABILITY_NORMAL, error);
  if (copied && copy_rows (session->database, copy, error))
    copied = beckon_database_commit (session->database, error);
  else if (copied)
    {
      beckon_database_rollback (session->database);
      copied = FALSE;
    }
  sqlite3_create_function_v2 (handle, "copy_of", 1, SQLITE_UTF8 | SQLITE_DIRECTONLY, NULL, copy_of, NULL, NULL, NULL);
  if (!copied)
    return NULL;

  session->has_news = TRUE;
  session->has_unindexed = TRUE;
  session->has_chunks = TRUE;
  header = beckon_store_read_header (session, copy->copy_id, error);
  if (header == NULL && error != NULL && *error == NULL)
    beckon_batch_refuse_missing (error);

  return header;
}

void
beckon_store_copy_async (BeckonStore *self, const char *conversation_id, const char *last_message_id, const char *title,
                         gint64 now, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonStoreOp op = { .func = write_copy, .free_data = (GDestroyNotify) copy_free, .free_result = g_object_unref };
  Copy *copy;

  g_return_if_fail (BECKON_IS_STORE (self));
  g_return_if_fail (conversation_id != NULL && title != NULL);

  copy = g_new0 (Copy, 1);
  copy->source_id = g_strdup (conversation_id);
  copy->last_message_id = g_strdup (last_message_id);
  copy->copy_id = beckon_id_new ();
  copy->title = g_strdup (title);
  copy->now = now;
  op.data = copy;
  op.in_memory = g_hash_table_contains (beckon_store_get_temporary (self), conversation_id);
  if (op.in_memory)
    g_hash_table_add (beckon_store_get_temporary (self), g_strdup (copy->copy_id));
  beckon_store_bump_serial (self);
  beckon_store_submit (self, beckon_store_task_new (self, cancellable, callback, user_data, beckon_store_copy_async), &op);
}

BECKON_FINISH_POINTER (BeckonConversation *, beckon_store_copy, BeckonStore)
