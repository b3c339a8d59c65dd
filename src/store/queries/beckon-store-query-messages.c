/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A conversation is read in passes in one snapshot: messages; their parts with calls and results; the chunks of parts that
 * are not joined yet; plans and their steps, and what commands changed, where there are any; the requests of the calls. Each
 * pass walks an index in the order of the conversation, and the objects are made here on the store's thread: nobody else knows
 * them yet. The requests are exchanged for the objects that this process already has when they arrive on the main thread.
 */

#include "store/db/beckon-store-private.h"

#include "domain/beckon-attachment.h"
#include "request/beckon-form-request.h"
#include "store/sqlite/beckon-branches.h"
#include "store/sqlite/beckon-stored-names.h"

typedef struct
{
  char *conversation_id;
  gint64 first_seq;
  gint64 end_seq;   /* the first that is not wanted any more */
  guint n_last;     /* only so many of the last of them; 0 for all */
  guint branch;     /* from 1: of that branch, whichever is shown; 0: of the one that is */
  char *message_id; /* (nullable): as many as it takes for this one to be among them, and `n_last` before it */
} Range;

/* State that the passes share. */
typedef struct
{
  BeckonDatabase *database;
  const Range *range;
  GPtrArray *messages;   /* (owned) (element-type BeckonMessage) */
  GHashTable *by_id;     /* (owned) (element-type utf8 BeckonMessage) */
  GHashTable *calls;     /* (owned) (element-type utf8 BeckonToolCall) */
  GHashTable *by_number; /* (owned) (element-type int64 BeckonPart) */
  GHashTable *images;    /* (owned) (element-type utf8 GPtrArray<BeckonPart>): of results, by their calls */
} Loading;

static const char messages_sql[] =
  "SELECT id, seq, role, status, created_at, input, output, cached, cost, parent, currency"
  " FROM message"
  " WHERE conversation = ?1 AND active AND seq >= ?2 AND seq < ?3 ORDER BY seq";
/* Most conversations have no branch but one, so that this begins with what is on others. */
static const char versions_sql[] =
  "SELECT c.id, count (*), sum ((o.created_at, o.id) < (c.created_at, c.id))"
  " FROM message o CROSS JOIN message c ON c.conversation = o.conversation AND c.parent = o.parent AND c.chosen"
  " WHERE o.conversation = ?1 AND NOT o.chosen AND o.deleted_at IS NULL AND c.active AND c.seq >= ?2 AND c.seq < ?3"
  " GROUP BY c.id";
static const char left_sql[] =
  "SELECT a.id, count (*) FROM message o CROSS JOIN message a ON a.id = o.parent"
  " WHERE o.conversation = ?1 AND NOT o.chosen AND o.deleted_at IS NULL AND a.active AND a.seq >= ?2 AND a.seq < ?3"
  "  AND a.seq = (SELECT max (seq) FROM message WHERE conversation = ?1 AND active) GROUP BY a.id";
static const char parts_sql[] =
  "SELECT p.message, p.id, p.kind, p.origin, p.text,"
  "  c.id, c.provider_id, c.tool, c.arguments, c.fault, c.read_only, c.state, c.started_at, c.finished_at,"
  "  r.text, r.is_error, p.media_type, f.undone_at, p.duration, c.settled, c.concealed,"
  "  f.withheld, c.exit_status, c.output_length"
  " FROM message m CROSS JOIN part p ON p.message = m.id LEFT JOIN call c ON c.id = p.call"
  "  LEFT JOIN part r ON r.call = p.call AND r.kind = 'result' LEFT JOIN file_copy f ON f.call = p.call"
  " WHERE m.conversation = ?1 AND m.active AND m.seq >= ?2 AND m.seq < ?3 AND p.place IS NOT NULL ORDER BY m.seq, p.place";
static const char chunks_sql[] =
  "SELECT k.part, k.text FROM message m CROSS JOIN part p ON p.message = m.id CROSS JOIN chunk k ON k.part = p.id"
  " WHERE m.conversation = ?1 AND m.active AND m.seq >= ?2 AND m.seq < ?3 AND p.place IS NOT NULL"
  " ORDER BY m.seq, p.place, k.seq";
static const char plans_sql[] =
  "SELECT p.call, p.document FROM message m CROSS JOIN call c ON c.message = m.id JOIN plan p ON p.call = c.id"
  " WHERE m.conversation = ?1 AND m.active AND m.seq >= ?2 AND m.seq < ?3";
/* The columns of a call are where they are in the parts. An id begins with the time that it was made. */
static const char steps_sql[] =
  "SELECT s.plan, s.step, s.outcome, NULL, NULL,"
  "  c.id, c.provider_id, c.tool, c.arguments, c.fault, c.read_only, c.state, c.started_at, c.finished_at,"
  "  r.text, r.is_error, NULL, f.undone_at, NULL, c.settled, c.concealed,"
  "  f.withheld, c.exit_status, c.output_length"
  " FROM message m CROSS JOIN call c ON c.message = m.id JOIN step s ON s.call = c.id"
  "  LEFT JOIN part r ON r.call = c.id AND r.kind = 'result' LEFT JOIN file_copy f ON f.call = c.id"
  " WHERE m.conversation = ?1 AND m.active AND m.seq >= ?2 AND m.seq < ?3 ORDER BY m.seq, c.id";
static const char images_sql[] =
  "SELECT i.call, i.origin, i.media_type, i.bytes"
  " FROM message m CROSS JOIN call c ON c.message = m.id CROSS JOIN result_image i ON i.call = c.id"
  " WHERE m.conversation = ?1 AND m.active AND m.seq >= ?2 AND m.seq < ?3 ORDER BY i.call, i.place";
static const char landings_sql[] =
  "SELECT" BECKON_STORE_LANDING_COLUMNS
  "FROM message m CROSS JOIN call c ON c.message = m.id CROSS JOIN landing l ON l.call = c.id"
  " WHERE m.conversation = ?1 AND m.active AND m.seq >= ?2 AND m.seq < ?3 ORDER BY l.id";
static const char has_landings_sql[] = "SELECT EXISTS (SELECT 1 FROM landing)";
static const char has_images_sql[] = "SELECT EXISTS (SELECT 1 FROM result_image)";
static const char has_plans_sql[] = "SELECT EXISTS (SELECT 1 FROM plan)";
static const char requests_sql[] =
  "SELECT r.id, r.conversation, r.message, r.call, r.kind, r.body, r.state, r.draft, r.asked_at,"
  "  s.answer, s.front_end, s.actor, s.at, r.asked_by, s.arguments"
  " FROM message m CROSS JOIN request r ON r.message = m.id LEFT JOIN settlement s ON s.request = r.id"
  " WHERE m.conversation = ?1 AND m.active AND m.seq >= ?2 AND m.seq < ?3 AND r.call IS NOT NULL"
  " ORDER BY m.seq, r.asked_at, r.id";
/* Which call asked is in the body. */
static const char forms_sql[] =
  "SELECT r.id, r.conversation, r.message, r.call, r.kind, r.body, r.state, r.draft, r.asked_at,"
  "  s.answer, s.front_end, s.actor, s.at, r.asked_by"
  " FROM request r INDEXED BY request_form LEFT JOIN settlement s ON s.request = r.id"
  " WHERE r.conversation = ?1 AND r.kind = 'form' AND r.call IS NULL AND r.state <> 'pending' AND ?2 < ?3"
  " ORDER BY r.asked_at, r.id";

static const char find_sql[] = "SELECT seq FROM message WHERE id = ?1 AND conversation = ?2 AND active";
static const char count_back_sql[] =
  "SELECT min (seq) FROM (SELECT seq FROM message WHERE conversation = ?1 AND active AND seq < ?2 ORDER BY seq DESC LIMIT ?3)";

static void
range_free (Range *range)
{
  g_free (range->message_id);
  g_free (range->conversation_id);
  g_free (range);
}

static void
loading_clear (Loading *loading)
{
  g_clear_pointer (&loading->messages, g_ptr_array_unref);
  g_hash_table_unref (loading->by_id);
  g_hash_table_unref (loading->calls);
  g_hash_table_unref (loading->by_number);
  g_hash_table_unref (loading->images);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Loading, loading_clear)

static gboolean
for_each_row (Loading *loading, const char *sql, void (*take) (Loading *, sqlite3_stmt *), GError **error)
{
  sqlite3_stmt *statement = beckon_database_query (loading->database, error, sql, "sii", loading->range->conversation_id,
                                                   loading->range->first_seq, loading->range->end_seq);
  BeckonStep step = BECKON_STEP_ERROR;

  while (statement != NULL && (step = beckon_database_step (loading->database, statement, error)) == BECKON_STEP_ROW)
    take (loading, statement);

  return step == BECKON_STEP_DONE;
}

static void
query_messages_take_message (Loading *loading, sqlite3_stmt *row)
{
  BeckonRole role = BECKON_ROLE_USER;
  BeckonMessageStatus status = BECKON_MESSAGE_FAILED;
  BeckonMessage *message;

  beckon_role_from_word (beckon_column_text (row, 2), &role);
  beckon_message_status_from_string (beckon_column_text (row, 3), &status);
  message = beckon_message_new (beckon_column_text (row, 0), role, sqlite3_column_int64 (row, 4));
  beckon_message_set_seq (message, sqlite3_column_int64 (row, 1));
  beckon_message_set_status (message, status);
  beckon_message_set_parent_id (message, beckon_column_text (row, 9));
  beckon_message_set_usage (message, &(BeckonUsage) { sqlite3_column_int64 (row, 5), sqlite3_column_int64 (row, 6),
                                                      sqlite3_column_int64 (row, 7), sqlite3_column_int64 (row, 8),
                                                      g_intern_string (beckon_column_text (row, 10)) });

  g_ptr_array_add (loading->messages, message);
  g_hash_table_insert (loading->by_id, (gpointer) beckon_message_get_id (message), message);
}

static void
take_versions (Loading *loading, sqlite3_stmt *row)
{
  BeckonMessage *message = g_hash_table_lookup (loading->by_id, beckon_column_text (row, 0));

  if (message != NULL)
    beckon_message_set_version (message, (guint) sqlite3_column_int (row, 2), (guint) sqlite3_column_int (row, 1) + 1);
}

static void
take_left (Loading *loading, sqlite3_stmt *row)
{
  BeckonMessage *message = g_hash_table_lookup (loading->by_id, beckon_column_text (row, 0));

  if (message != NULL)
    beckon_message_set_n_left (message, (guint) sqlite3_column_int (row, 1));
}

static void
append_column (BeckonPart *part, sqlite3_stmt *row, int column)
{
  const char *text = sqlite3_column_blob (row, column);

  beckon_part_append (part, text, (gsize) sqlite3_column_bytes (row, column));
}

static void
take_image (Loading *loading, sqlite3_stmt *row)
{
  const char *call_id = beckon_column_text (row, 0);
  GPtrArray *images = g_hash_table_lookup (loading->images, call_id);
  BeckonPart *image = beckon_part_new (BECKON_PART_IMAGE, NULL);

  if (images == NULL)
    {
      images = g_ptr_array_new_with_free_func (g_object_unref);
      g_hash_table_insert (loading->images, g_strdup (call_id), images);
    }
  beckon_part_set_origin (image, beckon_column_text (row, 1));
  beckon_part_set_media_type (image, beckon_column_text (row, 2));
  append_column (image, row, 3);
  g_ptr_array_add (images, image);
}

BeckonCallChange
beckon_store_get_change (sqlite3_stmt *row, int undone_at, int withheld)
{
  if (sqlite3_column_int64 (row, undone_at) > 0)
    return BECKON_CALL_CHANGE_UNDONE;
  return (sqlite3_column_int (row, withheld) & BECKON_STORE_BEFORE_WITHHELD) != 0 ? BECKON_CALL_CHANGE_WITHHELD
                                                                                    : BECKON_CALL_CHANGE_KEPT;
}

static void
query_messages_take_call (Loading *loading, BeckonToolCall *call, sqlite3_stmt *row)
{
  BeckonCallState state = BECKON_CALL_UNKNOWN;
  GPtrArray *images;
  g_autofree char *result = NULL;

  beckon_call_state_from_string (beckon_column_text (row, 11), &state);
  beckon_tool_call_set_fault (call, beckon_column_text (row, 9));
  beckon_tool_call_set_settled_arguments (call, beckon_column_text (row, 19));
  beckon_tool_call_set_redacted (call, beckon_column_text (row, 20));
  beckon_tool_call_set_read_only (call, sqlite3_column_int (row, 10) != 0);
  beckon_tool_call_set_state (call, state);
  beckon_tool_call_set_times (call, sqlite3_column_int64 (row, 12), sqlite3_column_int64 (row, 13));
  images = g_hash_table_lookup (loading->images, beckon_tool_call_get_id (call));
  if (sqlite3_column_type (row, 14) != SQLITE_NULL)
    {
      for (guint i = 0; images != NULL && i < images->len; i++)
        beckon_tool_call_add_image (call, g_ptr_array_index (images, i));

      beckon_tool_call_set_end (call, sqlite3_column_type (row, 22) != SQLITE_NULL ? sqlite3_column_int (row, 22) : -1,
                                sqlite3_column_type (row, 23) != SQLITE_NULL ? (gsize) sqlite3_column_int64 (row, 23)
                                                                             : G_MAXSIZE);
      /* SQLite has no address for no bytes. */
      result = sqlite3_column_bytes (row, 14) > 0
                 ? g_strndup (sqlite3_column_blob (row, 14), (gsize) sqlite3_column_bytes (row, 14))
                 : g_strdup ("");
      beckon_tool_call_set_result (call, result, sqlite3_column_int (row, 15) != 0);
    }
  if (sqlite3_column_type (row, 17) != SQLITE_NULL)
    beckon_tool_call_set_change (call, beckon_store_get_change (row, 17, 21));
  g_hash_table_insert (loading->calls, (gpointer) beckon_tool_call_get_id (call), call);
}

static BeckonPart *
read_call (Loading *loading, sqlite3_stmt *row)
{
  g_autoptr (BeckonToolCall) call = beckon_tool_call_new (beckon_column_text (row, 5), beckon_column_text (row, 6),
                                                          beckon_column_text (row, 7), beckon_column_text (row, 8));

  query_messages_take_call (loading, call, row);
  return beckon_part_new_call (call);
}

static void
query_messages_take_part (Loading *loading, sqlite3_stmt *row)
{
  BeckonMessage *message = g_hash_table_lookup (loading->by_id, beckon_column_text (row, 0));
  g_autoptr (BeckonPart) part = NULL;
  BeckonPartKind kind;
  gint64 *number;

  if (message == NULL || !beckon_part_kind_from_word (beckon_column_text (row, 2), &kind))
    return;
  if (kind == BECKON_PART_IMAGE && beckon_attachment_is_file_type (beckon_column_text (row, 16)))
    {
      /* The row behind a text's that has the file it was read from. */
      guint n = beckon_message_get_n_parts (message);
      g_autoptr (GBytes) file
          = g_bytes_new (sqlite3_column_blob (row, 4), (gsize) sqlite3_column_bytes (row, 4));

      beckon_attachment_take_file (n > 0 ? beckon_message_get_part (message, n - 1) : NULL, beckon_column_text (row, 3),
                                   beckon_column_text (row, 16), file);

      return;
    }

  part = kind == BECKON_PART_CALL ? read_call (loading, row) : beckon_part_new (kind, NULL);
  beckon_part_set_origin (part, beckon_column_text (row, 3));
  if (kind == BECKON_PART_IMAGE)
    beckon_part_set_media_type (part, beckon_column_text (row, 16));
  beckon_part_set_duration (part, sqlite3_column_int64 (row, 18));
  if (kind != BECKON_PART_CALL)
    append_column (part, row, 4);

  number = g_new (gint64, 1);
  *number = sqlite3_column_int64 (row, 1);
  g_hash_table_insert (loading->by_number, number, part);
  beckon_message_add_part (message, part);
}

static void
take_chunk (Loading *loading, sqlite3_stmt *row)
{
  gint64 number = sqlite3_column_int64 (row, 0);
  BeckonPart *part = g_hash_table_lookup (loading->by_number, &number);

  if (part != NULL)
    append_column (part, row, 1);
}

static void
take_plan (Loading *loading, sqlite3_stmt *row)
{
  BeckonToolCall *call = g_hash_table_lookup (loading->calls, beckon_column_text (row, 0));
  g_autoptr (BeckonPlan) plan = NULL;

  if (call != NULL)
    plan = beckon_plan_parse (beckon_column_text (row, 1), BECKON_PLAN_FROM_PERSON, NULL);
  if (plan != NULL)
    beckon_tool_call_set_plan (call, plan);
}

static void
take_step (Loading *loading, sqlite3_stmt *row)
{
  BeckonToolCall *planned = g_hash_table_lookup (loading->calls, beckon_column_text (row, 0));
  g_autoptr (BeckonToolCall) step = NULL;

  if (planned == NULL)
    return;

  step = beckon_tool_call_new_step (beckon_column_text (row, 5), planned, beckon_column_text (row, 1),
                                    beckon_column_text (row, 7), beckon_column_text (row, 8));
  beckon_tool_call_set_step_outcome (step, beckon_step_outcome_from_string (beckon_column_text (row, 2)));
  query_messages_take_call (loading, step, row);
  beckon_tool_call_add_step (planned, step);
}

static void
take_landing (Loading *loading, sqlite3_stmt *row)
{
  BeckonToolCall *call = g_hash_table_lookup (loading->calls, beckon_column_text (row, 0));
  BeckonLanding *landing = call != NULL ? beckon_store_read_landing (row) : NULL;

  if (landing != NULL)
    beckon_tool_call_take_landing (call, landing);
}

BeckonRequest *
beckon_store_read_request (sqlite3_stmt *row, int first)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonAnswer) answer = NULL;
  BeckonRequest *request = beckon_request_new_from_body (
    beckon_column_text (row, first), beckon_column_text (row, first + 1), beckon_column_text (row, first + 2),
    beckon_column_text (row, first + 3), beckon_column_text (row, first + 4), beckon_column_text (row, first + 5),
    sqlite3_column_int64 (row, first + 8), &error);
  BeckonAskedBy *asked_by;
  BeckonRequestState state;

  if (request == NULL || !beckon_request_state_from_string (beckon_column_text (row, first + 6), &state))
    {
      g_message ("a stored request cannot be read: %s", error != NULL ? error->message : "its state is unknown");
      g_clear_object (&request);
      return NULL;
    }

  asked_by = beckon_asked_by_from_text (beckon_column_text (row, first + 13));
  if (asked_by != NULL)
    beckon_request_take_asked_by (request, asked_by);
  beckon_request_set_draft (request, beckon_column_text (row, first + 7));
  if (state == BECKON_REQUEST_PENDING)
    return request;

  if (sqlite3_column_type (row, first + 9) != SQLITE_NULL)
    answer = beckon_answer_from_json (beckon_column_text (row, first + 9), NULL);
  beckon_request_settle (request, state, answer, beckon_column_text (row, first + 10),
                         beckon_column_text (row, first + 11), sqlite3_column_int64 (row, first + 12));

  return request;
}

/* A call may have been asked for more than once; the last request is the one that counts, the last edit the one that runs. */
static void
take_request (Loading *loading, sqlite3_stmt *row)
{
  BeckonToolCall *call = g_hash_table_lookup (loading->calls, beckon_column_text (row, 3));
  g_autoptr (BeckonRequest) request = call != NULL ? beckon_store_read_request (row, 0) : NULL;

  if (request == NULL)
    return;

  beckon_tool_call_set_request (call, G_OBJECT (request));
  if (sqlite3_column_type (row, 14) != SQLITE_NULL)
    beckon_tool_call_set_edited_arguments (call, beckon_column_text (row, 14));
}

static void
take_form (Loading *loading, sqlite3_stmt *row)
{
  g_autoptr (BeckonRequest) form = beckon_store_read_request (row, 0);
  const char *call_id = form != NULL ? beckon_form_request_get_asking_call (form) : NULL;
  BeckonToolCall *call = call_id != NULL ? g_hash_table_lookup (loading->calls, call_id) : NULL;

  if (call != NULL)
    beckon_tool_call_add_asked (call, G_OBJECT (form));
}

static gboolean
read_seq (BeckonDatabase *database, sqlite3_stmt *statement, gint64 *seq, GError **error)
{
  BeckonStep step = BECKON_STEP_ERROR;

  while (statement != NULL && (step = beckon_database_step (database, statement, error)) == BECKON_STEP_ROW)
    if (sqlite3_column_type (statement, 0) != SQLITE_NULL)
      *seq = sqlite3_column_int64 (statement, 0);

  return step == BECKON_STEP_DONE;
}

/* Finds the start of a range given by its end. A missing message counts as the end. */
static gboolean
find_first (BeckonDatabase *database, Range *range, GError **error)
{
  gint64 end_seq = range->end_seq;

  if (range->n_last == 0)
    return TRUE;

  if (range->message_id != NULL
      && !read_seq (database,
                    beckon_database_query (database, error, find_sql, "ss", range->message_id, range->conversation_id),
                    &end_seq, error))
    return FALSE;

  range->first_seq = MIN (end_seq, range->end_seq);

  return read_seq (database,
                   beckon_database_query (database, error, count_back_sql, "sii", range->conversation_id, range->first_seq,
                                          (gint64) range->n_last),
                   &range->first_seq, error);
}

/* Most histories have none, and to find that out for each of their calls takes time. */
static gboolean
load_images (Loading *loading, GError **error)
{
  gint64 has_images = 0;

  return beckon_database_get_number (loading->database, has_images_sql, &has_images, error)
         && (has_images == 0 || for_each_row (loading, images_sql, take_image, error));
}

static gboolean
load_plans (Loading *loading, GError **error)
{
  gint64 has_plans = 0;

  if (!beckon_database_get_number (loading->database, has_plans_sql, &has_plans, error))
    return FALSE;

  return has_plans == 0
         || (for_each_row (loading, plans_sql, take_plan, error) && for_each_row (loading, steps_sql, take_step, error));
}

static gboolean
load_landings (Loading *loading, GError **error)
{
  gint64 has_landings = 0;

  return beckon_database_get_number (loading->database, has_landings_sql, &has_landings, error)
         && (has_landings == 0 || for_each_row (loading, landings_sql, take_landing, error));
}

/* To read another branch is to show it, and then to take that back. */
static gboolean
query_messages_begin (BeckonDatabase *database, const Range *range, GError **error)
{
  g_autofree char *last = NULL;

  if (range->branch == 0)
    return beckon_database_begin_read (database, error);
  if (!beckon_database_begin (database, BECKON_DURABILITY_NORMAL, error))
    return FALSE;

  last = beckon_branches_find_last (database, range->conversation_id, range->branch, error);
  if (last != NULL && beckon_branches_show (database, range->conversation_id, last, error))
    return TRUE;

  beckon_database_rollback (database);

  return FALSE;
}

static gpointer
query_messages_load (BeckonSession *session, gpointer data, GError **error)
{
  Range *range = ((const BeckonValue *) data)[1].object;
  g_auto (Loading) loading = {
    .database = session->database,
    .range = range,
    .messages = g_ptr_array_new_with_free_func (g_object_unref),
    .by_id = g_hash_table_new (g_str_hash, g_str_equal),
    .calls = g_hash_table_new (g_str_hash, g_str_equal),
    .by_number = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL),
    .images = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_ptr_array_unref),
  };
  gboolean loaded;

  if (!query_messages_begin (session->database, range, error))
    return NULL;

  loaded = find_first (session->database, range, error) && for_each_row (&loading, messages_sql, query_messages_take_message,
                                                                         error)
           && for_each_row (&loading, versions_sql, take_versions, error)
           && for_each_row (&loading, left_sql, take_left, error) && load_images (&loading, error)
           && for_each_row (&loading, parts_sql, query_messages_take_part, error)
           && for_each_row (&loading, chunks_sql, take_chunk, error) && load_plans (&loading, error)
           && load_landings (&loading, error) && for_each_row (&loading, requests_sql, take_request, error)
           && for_each_row (&loading, forms_sql, take_form, error);
  beckon_database_rollback (session->database);

  return loaded ? g_steal_pointer (&loading.messages) : NULL;
}

static void
query_messages_unify (BeckonStore *self, gpointer result)
{
  GPtrArray *messages = result;

  for (guint i = 0; i < messages->len; i++)
    {
      g_autoptr (GPtrArray) calls = beckon_message_list_calls (g_ptr_array_index (messages, i));

      for (guint j = 0; j < calls->len; j++)
        {
          BeckonToolCall *call = g_ptr_array_index (calls, j);
          GObject *request = beckon_tool_call_get_request (call);

          if (request != NULL)
            {
              g_autoptr (BeckonRequest) known = beckon_store_unify_request (self, BECKON_REQUEST (request));

              beckon_tool_call_set_request (call, G_OBJECT (known));
            }
        }
    }
}

static void
submit (BeckonStore *self, Range *range, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  const BeckonStoreOp op = { .func = query_messages_load, .done = query_messages_unify,
                             .free_result = (GDestroyNotify) g_ptr_array_unref };

  beckon_store_work_async (self, &op, beckon_store_load_messages_async, cancellable, callback, user_data,
                           range->conversation_id, BECKON_OWNED (range, range_free));
}

static Range *
range_new (const char *conversation_id, gint64 first_seq, gint64 end_seq)
{
  Range *range = g_new0 (Range, 1);

  range->conversation_id = g_strdup (conversation_id);
  range->first_seq = first_seq;
  range->end_seq = end_seq;

  return range;
}

void
beckon_store_load_messages_from_async (BeckonStore *self, const char *conversation_id, gint64 first_seq,
                                       GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_STORE (self));
  g_return_if_fail (conversation_id != NULL);

  submit (self, range_new (conversation_id, first_seq, G_MAXINT64), cancellable, callback, user_data);
}

void
beckon_store_load_messages_before_async (BeckonStore *self, const char *conversation_id, gint64 end_seq, guint n_last,
                                         const char *message_id, GCancellable *cancellable,
                                         GAsyncReadyCallback callback, gpointer user_data)
{
  Range *range;

  g_return_if_fail (BECKON_IS_STORE (self));
  g_return_if_fail (conversation_id != NULL);
  g_return_if_fail (n_last > 0 || message_id == NULL);

  range = range_new (conversation_id, 0, end_seq);
  range->n_last = n_last;
  range->message_id = g_strdup (message_id);
  submit (self, range, cancellable, callback, user_data);
}

void
beckon_store_load_messages_async (BeckonStore *self, const char *conversation_id, GCancellable *cancellable,
                                  GAsyncReadyCallback callback, gpointer user_data)
{
  beckon_store_load_messages_from_async (self, conversation_id, 0, cancellable, callback, user_data);
}

void
beckon_store_load_branch_async (BeckonStore *self, const char *conversation_id, guint branch, GCancellable *cancellable,
                                GAsyncReadyCallback callback, gpointer user_data)
{
  Range *range;

  g_return_if_fail (BECKON_IS_STORE (self));
  g_return_if_fail (conversation_id != NULL && branch > 0);

  range = range_new (conversation_id, 0, G_MAXINT64);
  range->branch = branch;
  submit (self, range, cancellable, callback, user_data);
}

BECKON_FINISH_POINTER (GPtrArray *, beckon_store_load_messages, BeckonStore)
