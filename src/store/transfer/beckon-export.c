/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-export.h"

#include "base/beckon-error.h"
#include "base/beckon-json-writer.h"
#include "base/beckon-json.h"
#include "base/beckon-text.h"
#include "base/beckon-worker.h"
#include "beckon-config.h"
#include "form/beckon-parameters.h"
#include "request/beckon-form-request.h"
#include "request/beckon-request.h"
#include "store/db/beckon-store-private.h"
#include "store/sqlite/beckon-database.h"

#include <glib/gi18n-lib.h>

/* Unparsable text may hold it anywhere. */
#define EMPTY_OBJECT "{}"

/*
 * Redacted:
 * @redacted: (nullable): which arguments of the call are not to be seen; see beckon_tool_call_get_redacted()
 * @arguments: (nullable): the call's, in which they stand
 * @plan_redacted: (nullable): of a step: the same of the call that holds the plan
 * @plan_arguments: (nullable): that call's
 *
 * What is not to be seen of the call that is written.
 */
typedef struct
{
  char *redacted;
  char *arguments;
  char *plan_redacted;
  char *plan_arguments;
} Redacted;

/* %FALSE where all of it may be seen. */
static gboolean
export_redacts (const Redacted *what)
{
  return what->redacted != NULL || what->plan_redacted != NULL;
}

static void
redact_member (JsonObject *object, const char *name, const char *redacted)
{
  const char *text = beckon_json_get_string (object, name);
  g_autofree char *shown = text != NULL ? beckon_parameters_show_by (redacted, text) : NULL;

  if (shown != NULL)
    json_object_set_string_member (object, name, shown);
}

/* A plan has its document, a step its arguments and the document of its plan, every other call its arguments. */
static char *
redact_body (const Redacted *what, const char *text)
{
  g_autoptr (JsonObject) object = beckon_json_parse_object (text, -1, NULL);
  g_autoptr (JsonNode) node = NULL;

  if (object == NULL)
    return g_strdup (EMPTY_OBJECT);
  if (beckon_json_get_string (object, "arguments") == NULL)
    return beckon_json_get_string (object, "plan") != NULL
               ? beckon_parameters_show_by (what->redacted, beckon_json_get_string (object, "plan"))
               : g_strdup (EMPTY_OBJECT);
  redact_member (object, "arguments", what->redacted);
  redact_member (object, "plan", what->plan_redacted);
  node = json_node_new (JSON_NODE_OBJECT);
  json_node_set_object (node, object);
  return beckon_json_print (node);
}

static char *
redact_answer (const Redacted *what, const char *text)
{
  g_autoptr (BeckonAnswer) answer = beckon_answer_from_json (text, NULL);
  g_autoptr (BeckonAnswer) kept = NULL;
  g_autofree char *shown = NULL;

  if (answer == NULL)
    return g_strdup (EMPTY_OBJECT);
  if (answer->text == NULL
      || (answer->kind != BECKON_ANSWER_APPROVED_EDITED && answer->kind != BECKON_ANSWER_PLAN))
    return g_strdup (text);
  shown = beckon_parameters_show_by (answer->kind == BECKON_ANSWER_PLAN && what->plan_redacted != NULL ? what->plan_redacted
                                                                                                        : what->redacted,
                                     answer->text);
  kept = beckon_answer_new (answer->kind, shown);
  return beckon_answer_to_json (kept);
}

/* Takes @text. */
static char *
apply_mask (const char *redacted, const char *arguments, char *text)
{
  g_autofree char *before = text;
  g_autoptr (BeckonMask) mask = arguments != NULL ? beckon_parameters_make_mask_by (redacted, arguments) : NULL;

  return mask != NULL ? beckon_mask_apply_json (mask, before) : g_steal_pointer (&before);
}

/*
 * export_redact:
 * @what: what is not to be seen
 * @column: what is written: "arguments", "document", "body", "draft", "answer", or anything else
 * @text: (nullable): it
 *
 * What a person masked is in no export: neither in the arguments, nor in what was planned, asked, drafted or answered about
 * them, nor in what came of it.
 *
 * Returns: (transfer full) (nullable): what may be written instead; it can be read as what it is
 */
static char *
export_redact (const Redacted *what, const char *column, const char *text)
{
  char *shown;

  if (text == NULL || g_str_equal (column, "draft"))
    return NULL;
  if (g_str_equal (column, "arguments") || g_str_equal (column, "settled"))
    shown = beckon_parameters_show_by (what->redacted, text);
  else if (g_str_equal (column, "document"))
    shown = beckon_parameters_show_by (what->plan_redacted, text);
  else if (g_str_equal (column, "body"))
    shown = redact_body (what, text);
  else if (g_str_equal (column, "answer"))
    shown = redact_answer (what, text);
  else
    shown = g_strdup (text);
  shown = apply_mask (what->redacted, what->arguments, shown);
  return apply_mask (what->plan_redacted, what->plan_arguments, shown);
}

typedef struct
{
  char *path;
  char *conversation_id;
} Export;

typedef struct
{
  BeckonDatabase *database;
  BeckonJsonWriter writer;
  Redacted what; /* of the call that is written */
  GError *error; /* (owned) (nullable): the first; nothing is read after it */
} Writing;

/* A name for each column; a name with a sign is what is written there: '?' a truth, '#' a number, '$' text or null. */
static const char conversation_sql[] =
  "SELECT id \"$id\", created_at \"#created_at\", updated_at \"#updated_at\", title \"$title\", profile \"$profile\","
  " draft \"$draft\", pinned \"?pinned\", archived \"?archived\", unread \"?unread\", named_by \"$named_by\","
  " origin \"$origin\", origin_message \"$origin_message\", folder \"$folder\","
  " mode \"$mode\", effort \"$effort\" FROM conversation WHERE id = ?1 AND deleted_at IS NULL";
static const char draft_files_sql[] =
  "SELECT origin \"$origin\", media_type \"$media_type\", text FROM draft_file WHERE conversation = ?1 ORDER BY place";
static const char queue_sql[] =
  "SELECT id \"$id\", text \"$text\" FROM queued_message WHERE conversation = ?1 ORDER BY number";
static const char queue_files_sql[] =
  "SELECT origin \"$origin\", media_type \"$media_type\", text FROM queued_file WHERE message = ?1 ORDER BY place";
static const char messages_sql[] =
  "SELECT id \"$id\", role \"$role\", status \"$status\", created_at \"#created_at\", input \"#input\","
  " output \"#output\", cached \"#cached\", cost \"#cost\", currency \"$currency\","
  " nullif (parent, '') \"$parent\", chosen \"?chosen\""
  " FROM message WHERE conversation = ?1 AND deleted_at IS NULL ORDER BY seq, created_at, id";
static const char parts_sql[] =
  "SELECT kind \"$kind\", origin \"$origin\", media_type \"$media_type\", id, call, duration \"#duration\" FROM part"
  " WHERE message = ?1 AND place IS NOT NULL ORDER BY place";
static const char text_sql[] =
  "SELECT -1 AS seq, text FROM part WHERE id = ?1 UNION ALL SELECT seq, text FROM chunk WHERE part = ?1 ORDER BY seq";
static const char call_sql[] =
  "SELECT id \"$id\", provider_id \"$provider_id\", tool \"$tool\", arguments \"$arguments\", fault \"$fault\","
  " read_only \"?read_only\", state \"$state\", started_at \"#started_at\", finished_at \"#finished_at\""
  ", settled \"$settled\", concealed, coalesce (exit_status, -1) \"#exit_status\" FROM call WHERE id = ?1";
/* Columns of it. */
#define CALL_ARGUMENTS 3
#define CALL_REDACTED 10

static const char result_sql[] = "SELECT is_error \"?is_error\", id FROM part WHERE call = ?1 AND kind = 'result'";

static const char images_sql[] =
  "SELECT origin \"$origin\", media_type \"$media_type\", bytes FROM result_image WHERE call = ?1 ORDER BY place";

static const char plan_sql[] = "SELECT document \"$document\", revision \"#revision\" FROM plan WHERE call = ?1";
static const char steps_sql[] =
  "SELECT step \"$step\", outcome \"$outcome\", call FROM step WHERE plan = ?1 ORDER BY call";

#define REQUEST \
  "SELECT r.id \"$id\", r.kind \"$kind\", r.body \"$body\", r.state \"$state\", r.draft \"$draft\"," \
  " r.asked_at \"#asked_at\", r.asked_by \"$asked_by\", r.due \"?due\" FROM request r "

static const char call_requests_sql[] = REQUEST "WHERE r.call = ?1 ORDER BY r.asked_at, r.id";
static const char other_requests_sql[] = REQUEST "WHERE r.conversation = ?1 AND r.call IS NULL ORDER BY r.asked_at, r.id";
static const char settlement_sql[] =
  "SELECT state \"$state\", answer \"$answer\", arguments \"$arguments\", front_end \"$front_end\", actor \"$actor\","
  " at \"#at\" FROM settlement WHERE request = ?1";
static const char runs_sql[] =
  "SELECT id \"$id\", profile \"$profile\", phase \"$phase\", detail \"$detail\", round \"#round\","
  " round_limit \"#round_limit\", retry_at \"#retry_at\" FROM run WHERE conversation = ?1 ORDER BY number";

static void
export_export_free (Export *export)
{
  g_free (export->path);
  g_free (export->conversation_id);
  g_free (export);
}

static gboolean
export_step (Writing *writing, sqlite3_stmt *statement)
{
  return statement != NULL && writing->error == NULL
         && beckon_database_step (writing->database, statement, &writing->error) == BECKON_STEP_ROW;
}

static sqlite3_stmt *
query (Writing *writing, const char *sql, const char *key)
{
  return writing->error == NULL ? beckon_database_query (writing->database, &writing->error, sql, "s", key) : NULL;
}

static void
write_redacted (Writing *writing, const char *name, const char *text)
{
  g_autofree char *shown = export_redact (&writing->what, name, text);

  beckon_json_writer_name (&writing->writer, name);
  beckon_json_writer_string (&writing->writer, shown, -1);
}

static void
write_column (Writing *writing, sqlite3_stmt *row, int column)
{
  BeckonJsonWriter *writer = &writing->writer;
  const char *name = sqlite3_column_name (row, column);
  const char *text = beckon_column_text (row, column);
  g_autofree char *portable = NULL;

  if (name[0] == '$' && export_redacts (&writing->what))
    {
      write_redacted (writing, name + 1, text);
      return;
    }

  switch (name[0])
    {
    case '?':
      beckon_json_writer_member_boolean (writer, name + 1, sqlite3_column_int (row, column) != 0);
      break;

    case '#':
      beckon_json_writer_member_int (writer, name + 1, sqlite3_column_int64 (row, column));
      break;

    case '$':
      portable = text != NULL && g_str_equal (name + 1, "body") ? beckon_form_request_dup_portable (text) : NULL;
      beckon_json_writer_name (writer, name + 1);
      if (portable != NULL)
        beckon_json_writer_string (writer, portable, -1);
      else
        beckon_json_writer_string (writer, text, sqlite3_column_bytes (row, column));
      break;

    default:
      break;
    }
}

/* Begins an object with the row's members; its caller ends it. */
static void
begin_row (Writing *writing, sqlite3_stmt *row)
{
  beckon_json_writer_begin_object (&writing->writer);
  for (int i = 0; i < sqlite3_column_count (row); i++)
    write_column (writing, row, i);
}

static void
write_content (Writing *writing, GByteArray *text)
{
  if (export_redacts (&writing->what))
    {
      g_autofree char *valid = beckon_text_make_valid ((const char *) text->data, text->len, NULL);

      write_redacted (writing, "text", valid);
    }
  else if (text->len == 0 || g_utf8_validate ((const char *) text->data, text->len, NULL))
    {
      beckon_json_writer_name (&writing->writer, "text");
      beckon_json_writer_string (&writing->writer, text->len > 0 ? (const char *) text->data : "", text->len);
    }
  else
    {
      g_autofree char *encoded = g_base64_encode (text->data, text->len);

      beckon_json_writer_member_string (&writing->writer, "base64", encoded);
    }
}

static void
append_blob (GByteArray *text, sqlite3_stmt *row, int column)
{
  const guint8 *bytes = sqlite3_column_blob (row, column);

  g_byte_array_append (text, bytes, (guint) sqlite3_column_bytes (row, column));
}

static void
export_write_text (Writing *writing, gint64 part)
{
  g_autoptr (GByteArray) text = g_byte_array_new ();
  sqlite3_stmt *rows = beckon_database_query (writing->database, &writing->error, text_sql, "i", part);

  while (export_step (writing, rows))
    append_blob (text, rows, 1);
  write_content (writing, text);
}

/* Arrays are there only where anything is in them: most are empty, and older documents do not know them. */
static void
begin_item (Writing *writing, const char *name, gboolean *has_any)
{
  if (!*has_any)
    {
      beckon_json_writer_name (&writing->writer, name);
      beckon_json_writer_begin_array (&writing->writer);
    }
  *has_any = TRUE;
}

static void
write_files (Writing *writing, const char *name, const char *sql, const char *key)
{
  sqlite3_stmt *rows = query (writing, sql, key);
  gboolean has_any = FALSE;

  while (export_step (writing, rows))
    {
      g_autoptr (GByteArray) text = g_byte_array_new ();

      begin_item (writing, name, &has_any);
      begin_row (writing, rows);
      append_blob (text, rows, 2);
      write_content (writing, text);
      beckon_json_writer_end_object (&writing->writer);
    }
  if (has_any)
    beckon_json_writer_end_array (&writing->writer);
}

static void
write_requests (Writing *writing, const char *sql, const char *key)
{
  sqlite3_stmt *rows = query (writing, sql, key);

  beckon_json_writer_name (&writing->writer, "requests");
  beckon_json_writer_begin_array (&writing->writer);
  while (export_step (writing, rows))
    {
      sqlite3_stmt *settlement;

      begin_row (writing, rows);
      settlement = query (writing, settlement_sql, beckon_column_text (rows, 0));
      beckon_json_writer_name (&writing->writer, "settlement");
      if (export_step (writing, settlement))
        {
          begin_row (writing, settlement);
          beckon_json_writer_end_object (&writing->writer);
          sqlite3_reset (settlement);
        }
      else
        beckon_json_writer_null (&writing->writer);
      beckon_json_writer_end_object (&writing->writer);
    }
  beckon_json_writer_end_array (&writing->writer);
}

static void
export_write_result (Writing *writing, const char *call_id)
{
  sqlite3_stmt *row = query (writing, result_sql, call_id);
  sqlite3_stmt *rows;
  gboolean has_any;

  beckon_json_writer_name (&writing->writer, "result");
  if (!export_step (writing, row))
    {
      beckon_json_writer_null (&writing->writer);
      return;
    }

  begin_row (writing, row);
  export_write_text (writing, sqlite3_column_int64 (row, 1));
  rows = query (writing, images_sql, call_id);
  has_any = FALSE;
  /* Only where there are any, as with draft files. They are no text that anything could be taken out of. */
  while (export_step (writing, rows))
    {
      g_autofree char *encoded = g_base64_encode (sqlite3_column_blob (rows, 2), (gsize) sqlite3_column_bytes (rows, 2));

      if (!has_any)
        {
          beckon_json_writer_name (&writing->writer, "images");
          beckon_json_writer_begin_array (&writing->writer);
        }
      has_any = TRUE;
      begin_row (writing, rows);
      beckon_json_writer_member_string (&writing->writer, "base64", encoded);
      beckon_json_writer_end_object (&writing->writer);
    }
  if (has_any)
    beckon_json_writer_end_array (&writing->writer);
  beckon_json_writer_end_object (&writing->writer);
  sqlite3_reset (row);
}

/* Begins the object of a call, which export_end_call() ends. */
static gboolean
export_begin_call (Writing *writing, const char *call_id)
{
  sqlite3_stmt *row = query (writing, call_sql, call_id);

  if (!export_step (writing, row))
    return FALSE;

  writing->what.arguments = g_strdup (beckon_column_text (row, CALL_ARGUMENTS));
  writing->what.redacted = g_strdup (beckon_column_text (row, CALL_REDACTED));
  beckon_json_writer_name (&writing->writer, "call");
  begin_row (writing, row);
  sqlite3_reset (row);
  export_write_result (writing, call_id);
  write_requests (writing, call_requests_sql, call_id);

  return TRUE;
}

static void
export_end_call (Writing *writing)
{
  g_clear_pointer (&writing->what.arguments, g_free);
  g_clear_pointer (&writing->what.redacted, g_free);
  beckon_json_writer_end_object (&writing->writer);
}

static void
export_write_call (Writing *writing, const char *call_id)
{
  sqlite3_stmt *row;
  sqlite3_stmt *rows;

  if (!export_begin_call (writing, call_id))
    return;

  /* From here on each step has arguments of its own. */
  writing->what.plan_redacted = g_steal_pointer (&writing->what.redacted);
  writing->what.plan_arguments = g_steal_pointer (&writing->what.arguments);
  row = query (writing, plan_sql, call_id);
  /* Only where there is one, as with draft files. */
  if (export_step (writing, row))
    {
      beckon_json_writer_name (&writing->writer, "plan");
      begin_row (writing, row);
      sqlite3_reset (row);

      /* No step has a plan of its own, so that nothing else reads rows of steps meanwhile. */
      rows = query (writing, steps_sql, call_id);
      beckon_json_writer_name (&writing->writer, "steps");
      beckon_json_writer_begin_array (&writing->writer);
      while (export_step (writing, rows))
        {
          begin_row (writing, rows);
          if (export_begin_call (writing, beckon_column_text (rows, 2)))
            export_end_call (writing);
          beckon_json_writer_end_object (&writing->writer);
        }
      beckon_json_writer_end_array (&writing->writer);

      beckon_json_writer_end_object (&writing->writer);
    }
  g_clear_pointer (&writing->what.plan_redacted, g_free);
  g_clear_pointer (&writing->what.plan_arguments, g_free);
  export_end_call (writing);
}

static void
write_parts (Writing *writing, const char *message_id)
{
  sqlite3_stmt *rows = query (writing, parts_sql, message_id);

  beckon_json_writer_name (&writing->writer, "parts");
  beckon_json_writer_begin_array (&writing->writer);
  while (export_step (writing, rows))
    {
      begin_row (writing, rows);
      export_write_text (writing, sqlite3_column_int64 (rows, 3));
      if (sqlite3_column_type (rows, 4) != SQLITE_NULL)
        export_write_call (writing, beckon_column_text (rows, 4));
      beckon_json_writer_end_object (&writing->writer);
    }
  beckon_json_writer_end_array (&writing->writer);
}

static void
export_write_messages (Writing *writing, const char *conversation_id)
{
  sqlite3_stmt *rows = query (writing, messages_sql, conversation_id);

  beckon_json_writer_name (&writing->writer, "messages");
  beckon_json_writer_begin_array (&writing->writer);
  while (export_step (writing, rows))
    {
      begin_row (writing, rows);
      write_parts (writing, beckon_column_text (rows, 0));
      beckon_json_writer_end_object (&writing->writer);
    }
  beckon_json_writer_end_array (&writing->writer);
}

static void
write_conversation (Writing *writing, const char *conversation_id)
{
  sqlite3_stmt *row = query (writing, conversation_sql, conversation_id);
  sqlite3_stmt *rows;
  gboolean has_any = FALSE;

  if (!export_step (writing, row))
    {
      if (writing->error == NULL)
        g_set_error_literal (&writing->error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND, _("Conversation not found."));
      return;
    }

  begin_row (writing, row);
  write_files (writing, "draft_files", draft_files_sql, conversation_id);
  rows = query (writing, queue_sql, conversation_id);
  while (export_step (writing, rows))
    {
      begin_item (writing, "queue", &has_any);
      begin_row (writing, rows);
      write_files (writing, "files", queue_files_sql, beckon_column_text (rows, 0));
      beckon_json_writer_end_object (&writing->writer);
    }
  if (has_any)
    beckon_json_writer_end_array (&writing->writer);
  export_write_messages (writing, conversation_id);
  write_requests (writing, other_requests_sql, conversation_id);

  rows = query (writing, runs_sql, conversation_id);
  beckon_json_writer_name (&writing->writer, "runs");
  beckon_json_writer_begin_array (&writing->writer);
  while (export_step (writing, rows))
    {
      begin_row (writing, rows);
      beckon_json_writer_end_object (&writing->writer);
    }
  beckon_json_writer_end_array (&writing->writer);

  beckon_json_writer_end_object (&writing->writer);
  sqlite3_reset (row);
}

/* A document that could not be finished is given away nowhere, so a row that failed may leave it open. */
static char *
write_from (BeckonDatabase *database, const char *conversation_id, GError **error)
{
  Writing writing = { .database = database };
  g_autoptr (GString) document = g_string_new (NULL);

  beckon_json_writer_init (&writing.writer, document);

  beckon_json_writer_begin_object (&writing.writer);
  beckon_json_writer_member_string (&writing.writer, "format", BECKON_EXPORT_FORMAT);
  beckon_json_writer_member_int (&writing.writer, "version", BECKON_EXPORT_VERSION);
  beckon_json_writer_name (&writing.writer, "conversation");
  write_conversation (&writing, conversation_id);

  if (writing.error != NULL)
    {
      g_propagate_error (error, writing.error);
      return NULL;
    }

  beckon_json_writer_end_object (&writing.writer);

  return g_strndup (document->str, document->len);
}

static void
run_export (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Export *export = data;
  GError *error = NULL;
  BeckonDatabase *reader = beckon_reader_open (export->path, cancellable, &error);
  char *document = reader != NULL ? write_from (reader, export->conversation_id, &error) : NULL;

  if (reader != NULL)
    beckon_reader_close (reader);
  if (document != NULL)
    g_task_return_pointer (task, document, g_free);
  else
    g_task_return_error (task, error);
}

/* Temporary conversations live on the store's thread only. */
static gpointer
export_from_memory (BeckonSession *session, gpointer data, GError **error)
{
  return write_from (session->database, data, error);
}

static void
on_exported_from_memory (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  char *document = g_task_propagate_pointer (G_TASK (result), &error);

  if (document != NULL)
    g_task_return_pointer (task, document, g_free);
  else
    g_task_return_error (task, error);
}

static void
start_from_memory (BeckonStore *self, const char *conversation_id, GTask *task)
{
  BeckonStoreOp op = { .func = export_from_memory, .free_data = g_free, .free_result = g_free, .in_memory = TRUE };

  op.data = g_strdup (conversation_id);
  beckon_store_submit (self,
                       beckon_store_task_new (self, g_task_get_cancellable (task), on_exported_from_memory, task,
                                              start_from_memory),
                       &op);
}

/* Earlier writes are in the file once it is this one's turn. */
static gpointer
wait_for_turn (BeckonSession *session, gpointer data, GError **error)
{
  return GINT_TO_POINTER (TRUE);
}

static void
on_turn (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (g_task_propagate_boolean (G_TASK (result), &error))
    beckon_worker_run_for_person (task, run_export);
  else
    g_task_return_error (task, error);
}

void
beckon_store_export_async (BeckonStore *self, const char *conversation_id, GCancellable *cancellable,
                           GAsyncReadyCallback callback, gpointer user_data)
{
  const BeckonStoreOp op = { .func = wait_for_turn };
  Export *export;
  GTask *task;

  g_return_if_fail (BECKON_IS_STORE (self));
  g_return_if_fail (conversation_id != NULL);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_store_export_async);
  if (g_hash_table_contains (beckon_store_get_temporary (self), conversation_id))
    {
      start_from_memory (self, conversation_id, task);
      return;
    }

  export = g_new0 (Export, 1);
  export->path = beckon_store_dup_path (self);
  export->conversation_id = g_strdup (conversation_id);
  g_task_set_task_data (task, export, (GDestroyNotify) export_export_free);
  beckon_store_submit (self, beckon_store_task_new (self, cancellable, on_turn, task, beckon_store_export_async), &op);
}

BECKON_FINISH_POINTER (char *, beckon_store_export, BeckonStore)
