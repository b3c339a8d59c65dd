/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A document is a claim. Every member has to be there and of its type, every word one we know, every body and answer
 * one that can be read back; the schema's own checks come on top. It is tried with its own ids first, and with new ones if one
 * of them is taken.
 */
#include "beckon-config.h"

#include "beckon-import-writer.h"

#include "base/beckon-error.h"
#include "base/beckon-id.h"
#include "base/beckon-json.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "domain/beckon-attachment.h"
#include "domain/beckon-conversation.h"
#include "domain/beckon-run-phase.h"
#include "domain/beckon-tool-call.h"
#include "request/beckon-question-request.h"
#include "store/sqlite/beckon-branches.h"
#include "store/sqlite/beckon-stored-names.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_ID_BYTES 64
#define UNFINISHED_RESULT "This call was not finished when the conversation was exported"

/* A step may be begun more than once: when the person has changed the plan. */
#define MAX_STEPS (100 * BECKON_PLAN_MAX_STEPS)

/* Longer than anything takes; many of them can be added up. */
#define MAX_DURATION (365 * G_TIME_SPAN_DAY)

/* Longer than any name of a currency. */
#define MAX_CURRENCY_BYTES 16

typedef struct
{
  BeckonDatabase *database;
  GHashTable *new_ids; /* (owned) (nullable) (element-type utf8 utf8): by the document's; %NULL keeps those */
  const char *conversation_id;
  const char *message_id;
  const char *call_id;
  const char *plan_id; /* (nullable): the call whose plan is written */
  GHashTable *places; /* (owned) (element-type utf8 guint): of the messages so far, by the document's ids */
  const char *last;   /* (nullable): the last of those ids */
  GError *error; /* (owned) (nullable): the first; nothing is read or written after it */
} Writing;

/* Old conversations do not come to the top: they stand with others of their time. */
static const char conversation_sql[] =
  "INSERT INTO conversation (id, created_at, updated_at, title, profile, draft, pinned, archived, unread, named_by, origin,"
  "  origin_message, folder, mode, source, effort, sequence)"
  " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16,"
  "  coalesce ((SELECT sequence FROM conversation WHERE updated_at <= ?3 ORDER BY sequence DESC LIMIT 1), 0))";
static const char draft_file_sql[] =
  "INSERT INTO draft_file (conversation, place, origin, media_type, text) VALUES (?1, ?2, ?3, ?4, ?5)";
static const char queued_sql[] = "INSERT INTO queued_message (id, conversation, sends_now, text) VALUES (?1, ?2, 0, ?3)";
static const char queued_file_sql[] =
  "INSERT INTO queued_file (message, place, origin, media_type, text) VALUES (?1, ?2, ?3, ?4, ?5)";
static const char message_sql[] =
  "INSERT INTO message (id, conversation, seq, role, status, created_at, input, output, cached, cost, parent, chosen,"
  "  active, currency) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, 0, ?13)";
static const char call_sql[] =
  "INSERT INTO call (id, message, provider_id, tool, arguments, fault, read_only, state, started_at, finished_at, settled,"
  "  exit_status) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, nullif (?12, -1))";
static const char part_sql[] =
  "INSERT INTO part (message, place, kind, origin, call, is_error, text, media_type, duration)"
  " VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6, ?7, ?8)";
static const char result_sql[] =
  "INSERT INTO part (message, place, kind, call, is_error, text) VALUES (?1, NULL, 'result', ?2, ?3, ?4)";
static const char plan_sql[] = "INSERT INTO plan (call, document, revision) VALUES (?1, ?2, ?3)";
static const char step_sql[] = "INSERT INTO step (call, plan, step, outcome) VALUES (?1, ?2, ?3, ?4)";
static const char image_sql[] =
  "INSERT INTO result_image (call, place, origin, media_type, bytes) VALUES (?1, ?2, ?3, ?4, ?5)";
static const char request_sql[] =
  "INSERT INTO request (id, conversation, message, call, kind, body, state, draft, asked_at, asked_by, due)"
  " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
static const char settlement_sql[] =
  "INSERT INTO settlement (request, state, answer, arguments, front_end, actor, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
static const char run_sql[] =
  "INSERT INTO run (id, conversation, profile, phase, open, detail, round, round_limit, retry_at)"
  " VALUES (?1, ?2, ?3, ?4, 0, ?5, ?6, ?7, ?8)";

static void
import_writer_refuse (Writing *writing, const char *member)
{
  if (writing->error == NULL)
    beckon_text_set_error (&writing->error, BECKON_ERROR, BECKON_ERROR_INVALID,
                           _("This export is damaged: “%s” is missing or wrong."),
                           member);
}

static const char *
import_writer_get_text (Writing *writing, JsonObject *object, const char *name)
{
  const char *text = beckon_json_get_string (object, name);

  if (text == NULL)
    import_writer_refuse (writing, name);

  return text != NULL ? text : "";
}

static const char *
get_text_or_null (Writing *writing, JsonObject *object, const char *name)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  return node != NULL && JSON_NODE_HOLDS_NULL (node) ? NULL : import_writer_get_text (writing, object, name);
}

/* Members that older documents do not have. */
static const char *
get_later_text (Writing *writing, JsonObject *object, const char *name, const char *fallback)
{
  return json_object_has_member (object, name) ? get_text_or_null (writing, object, name) : fallback;
}

static gint64
import_writer_get_number (Writing *writing, JsonObject *object, const char *name)
{
  gint64 number = beckon_json_get_int (object, name, G_MININT64);

  if (number == G_MININT64)
    import_writer_refuse (writing, name);

  return number;
}

static gboolean
get_truth (Writing *writing, JsonObject *object, const char *name)
{
  gboolean truth = beckon_json_get_boolean (object, name, FALSE);

  if (truth != beckon_json_get_boolean (object, name, TRUE))
    import_writer_refuse (writing, name);

  return truth;
}

static gboolean
get_later_truth (Writing *writing, JsonObject *object, const char *name)
{
  return json_object_has_member (object, name) && get_truth (writing, object, name);
}

static void
for_each (Writing *writing, JsonObject *object, const char *name, void (*write) (Writing *, JsonObject *, guint))
{
  JsonArray *array = beckon_json_get_array (object, name);

  if (array == NULL)
    import_writer_refuse (writing, name);
  for (guint i = 0; array != NULL && writing->error == NULL && i < json_array_get_length (array); i++)
    {
      JsonNode *node = json_array_get_element (array, i);

      if (JSON_NODE_HOLDS_OBJECT (node))
        write (writing, json_node_get_object (node), i);
      else
        import_writer_refuse (writing, name);
    }
}

/* Borrowed from the document or from the table of new ids. */
static const char *
get_id (Writing *writing, JsonObject *object)
{
  const char *id = import_writer_get_text (writing, object, "id");
  char *fresh;

  if (*id == '\0' || strlen (id) > MAX_ID_BYTES)
    import_writer_refuse (writing, "id");
  if (writing->new_ids == NULL)
    return id;

  fresh = g_hash_table_lookup (writing->new_ids, id);
  if (fresh == NULL)
    {
      fresh = beckon_id_new ();
      g_hash_table_insert (writing->new_ids, g_strdup (id), fresh);
    }

  return fresh;
}

/* No write follows an error. */
#define run(writing, ...)                                                                                              \
  G_STMT_START                                                                                                         \
  {                                                                                                                    \
    if ((writing)->error == NULL)                                                                                      \
      beckon_database_run ((writing)->database, &(writing)->error, __VA_ARGS__);                                       \
  }                                                                                                                    \
  G_STMT_END

/* (transfer full) */
static GBytes *
get_content (Writing *writing, JsonObject *object)
{
  const char *encoded = beckon_json_get_string (object, "base64");
  const char *text;
  gsize length;
  guchar *decoded;

  if (encoded == NULL)
    {
      text = import_writer_get_text (writing, object, "text");
      return g_bytes_new (text, strlen (text));
    }

  decoded = g_base64_decode (encoded, &length);

  return g_bytes_new_take (decoded, length);
}

static void
write_settlement (Writing *writing, JsonObject *request, const char *id, BeckonRequestState state)
{
  JsonObject *settlement = beckon_json_get_object (request, "settlement");
  const char *word = beckon_request_state_to_string (state);
  const char *answer = get_text_or_null (writing, settlement, "answer");
  const char *arguments = get_text_or_null (writing, settlement, "arguments");
  g_autoptr (BeckonAnswer) parsed = answer != NULL ? beckon_answer_from_json (answer, NULL) : NULL;

  if (settlement == NULL || g_strcmp0 (beckon_json_get_string (settlement, "state"), word) != 0)
    import_writer_refuse (writing, "settlement");
  if (answer != NULL && parsed == NULL)
    import_writer_refuse (writing, "answer");
  if (arguments != NULL && !beckon_json_check (arguments, -1, NULL))
    import_writer_refuse (writing, "arguments");

  run (writing, settlement_sql, "ssssssi", id, word, answer, arguments,
       import_writer_get_text (writing, settlement, "front_end"),
       import_writer_get_text (writing, settlement, "actor"), import_writer_get_number (writing, settlement, "at"));
}

static void
write_request (Writing *writing, JsonObject *object, guint index)
{
  const char *id = get_id (writing, object);
  const char *kind = import_writer_get_text (writing, object, "kind");
  const char *body = import_writer_get_text (writing, object, "body");
  gint64 asked_at = import_writer_get_number (writing, object, "asked_at");
  BeckonRequestState state = BECKON_REQUEST_PENDING;
  g_autoptr (BeckonRequest) request = beckon_request_new_from_body (id, writing->conversation_id, writing->message_id,
                                                                    writing->call_id, kind, body, asked_at, NULL);
  gboolean is_pending;

  if (request == NULL)
    import_writer_refuse (writing, "body");
  if (!beckon_request_state_from_string (import_writer_get_text (writing, object, "state"), &state))
    import_writer_refuse (writing, "state");

  is_pending = state == BECKON_REQUEST_PENDING;
  run (writing, request_sql, "ssssssssisi", id, writing->conversation_id, writing->message_id, writing->call_id, kind, body,
       beckon_request_state_to_string (is_pending ? BECKON_REQUEST_CANCELLED : state),
       get_text_or_null (writing, object, "draft"), asked_at, get_later_text (writing, object, "asked_by", NULL),
       (gint64) (get_later_truth (writing, object, "due") && beckon_request_is_late (request)));
  if (is_pending)
    {
      /* An open question can no longer be answered: the agent that asked it is not there. */
      g_autoptr (BeckonAnswer) answer = beckon_answer_new (BECKON_ANSWER_CANCELLED, NULL);
      g_autofree char *json = beckon_answer_to_json (answer);

      run (writing, settlement_sql, "ssssssi", id, beckon_request_state_to_string (BECKON_REQUEST_CANCELLED), json,
           NULL, "import", "", asked_at);
    }
  else
    write_settlement (writing, object, id, state);
}

static void
import_writer_write_image (Writing *writing, JsonObject *object, guint place)
{
  g_autoptr (GBytes) content = get_content (writing, object);
  gsize length;
  const void *bytes = g_bytes_get_data (content, &length);

  if (place >= BECKON_TOOL_CALL_MOST_IMAGES || length == 0)
    import_writer_refuse (writing, "images");
  run (writing, image_sql, "sissb", writing->call_id, (gint64) place, get_text_or_null (writing, object, "origin"),
       import_writer_get_text (writing, object, "media_type"), bytes != NULL ? bytes : "", length);
}

static void
import_writer_write_result (Writing *writing, JsonObject *call, BeckonCallState state)
{
  JsonObject *result = beckon_json_get_object (call, "result");
  g_autoptr (GBytes) content = NULL;

  if (result != NULL)
    {
      content = get_content (writing, result);
      run (writing, result_sql, "ssib", writing->message_id, writing->call_id,
           (gint64) get_truth (writing, result, "is_error"), g_bytes_get_data (content, NULL), g_bytes_get_size (content));
      if (json_object_has_member (result, "images"))
        for_each (writing, result, "images", import_writer_write_image);
    }
  else if (!beckon_call_state_is_final (state))
    {
      run (writing, result_sql, "ssib", writing->message_id, writing->call_id, (gint64) TRUE, UNFINISHED_RESULT,
           strlen (UNFINISHED_RESULT));
    }
  else if (state == BECKON_CALL_DONE)
    {
      import_writer_refuse (writing, "result");
    }
}

static void
import_writer_write_call (Writing *writing, JsonObject *object);

/* A step is a call that no part holds. The words that are stored for what became of it are those that can be read back. */
static void
write_step (Writing *writing, JsonObject *object, guint index)
{
  JsonObject *call = beckon_json_get_object (object, "call");
  const char *outcome = get_text_or_null (writing, object, "outcome");

  if (call == NULL || json_object_has_member (call, "plan") || index >= MAX_STEPS)
    import_writer_refuse (writing, "steps");
  if (g_strcmp0 (beckon_step_outcome_to_string (beckon_step_outcome_from_string (outcome)), outcome) != 0)
    import_writer_refuse (writing, "outcome");
  if (writing->error != NULL)
    return;

  import_writer_write_call (writing, call);
  run (writing, step_sql, "ssss", writing->call_id, writing->plan_id, import_writer_get_text (writing, object, "step"),
       outcome);
}

static void
import_writer_write_call (Writing *writing, JsonObject *object)
{
  BeckonCallState state = BECKON_CALL_CANCELLED;
  gboolean is_open;

  writing->call_id = get_id (writing, object);
  if (!beckon_call_state_from_string (import_writer_get_text (writing, object, "state"), &state))
    import_writer_refuse (writing, "state");

  is_open = !beckon_call_state_is_final (state);
  run (writing, call_sql, "ssssssisiisi", writing->call_id, writing->message_id,
       get_text_or_null (writing, object, "provider_id"), import_writer_get_text (writing, object, "tool"),
       import_writer_get_text (writing, object, "arguments"), get_text_or_null (writing, object, "fault"),
       (gint64) get_truth (writing, object, "read_only"),
       beckon_call_state_to_string (is_open ? BECKON_CALL_CANCELLED : state),
       import_writer_get_number (writing, object, "started_at"),
       import_writer_get_number (writing, object, "finished_at"), get_later_text (writing, object, "settled", NULL),
       CLAMP (beckon_json_get_int (object, "exit_status", -1), -1, 255));
  import_writer_write_result (writing, object, state);
  for_each (writing, object, "requests", write_request);
  if (json_object_has_member (object, "plan"))
    {
      JsonObject *plan = beckon_json_get_object (object, "plan");
      const char *document = import_writer_get_text (writing, plan, "document");
      g_autoptr (BeckonPlan) parsed = beckon_plan_parse (document, BECKON_PLAN_FROM_PERSON, NULL);

      if (parsed == NULL)
        import_writer_refuse (writing, "plan");
      writing->plan_id = writing->call_id;
      run (writing, plan_sql, "ssi", writing->plan_id, document, import_writer_get_number (writing, plan, "revision"));
      if (writing->error == NULL)
        for_each (writing, plan, "steps", write_step);
      writing->call_id = writing->plan_id;
      writing->plan_id = NULL;
    }
}

static void
write_part (Writing *writing, JsonObject *object, guint place)
{
  const char *word = import_writer_get_text (writing, object, "kind");
  g_autoptr (GBytes) content = get_content (writing, object);
  JsonObject *call = beckon_json_get_object (object, "call");
  const char *media_type = get_later_text (writing, object, "media_type", NULL);
  BeckonPartKind kind = BECKON_PART_TEXT;

  if ((media_type != NULL) != g_str_equal (word, "image"))
    import_writer_refuse (writing, "media_type");
  if (!beckon_part_kind_from_word (word, &kind) || (kind == BECKON_PART_CALL) != (call != NULL))
    import_writer_refuse (writing, "kind");

  writing->call_id = NULL;
  if (call != NULL)
    import_writer_write_call (writing, call);
  run (writing, part_sql, "sisssbsi", writing->message_id, (gint64) place, word,
       get_text_or_null (writing, object, "origin"), writing->call_id, g_bytes_get_data (content, NULL),
       g_bytes_get_size (content), media_type,
       CLAMP (beckon_json_get_int (object, "duration", 0), 0, MAX_DURATION));
  writing->call_id = NULL;
}

/* Its document's id and its place. It stands before those that follow it, so that nothing can go round in a circle. */
static const char *
get_parent (Writing *writing, JsonObject *object, gint64 *seq)
{
  const char *parent = get_later_text (writing, object, "parent", writing->last);
  gpointer place = NULL;

  *seq = 0;
  if (parent == NULL)
    return NULL;
  if (!g_hash_table_lookup_extended (writing->places, parent, NULL, &place))
    import_writer_refuse (writing, "parent");
  *seq = GPOINTER_TO_UINT (place) + 1;
  return parent;
}

/* Older documents have none. Each that there is stays in memory, so that only what may be one is taken. */
static const char *
get_currency (JsonObject *object)
{
  const char *currency = beckon_json_get_string (object, "currency");
  g_autofree char *shown = currency != NULL ? beckon_text_for_display (currency, -1, BECKON_TEXT_EXACT) : NULL;

  return shown != NULL && strlen (currency) <= MAX_CURRENCY_BYTES && g_str_equal (shown, currency) ? currency : "";
}

static void
import_writer_write_message (Writing *writing, JsonObject *object, guint index)
{
  const char *role = import_writer_get_text (writing, object, "role");
  gboolean is_chosen = !json_object_has_member (object, "chosen") || get_truth (writing, object, "chosen");
  gint64 seq;
  const char *parent = get_parent (writing, object, &seq);
  BeckonMessageStatus status = BECKON_MESSAGE_COMPLETE;

  writing->message_id = get_id (writing, object);
  if (!beckon_role_from_word (role, &(BeckonRole) { BECKON_ROLE_USER }))
    import_writer_refuse (writing, "role");
  if (!beckon_message_status_from_string (import_writer_get_text (writing, object, "status"), &status))
    import_writer_refuse (writing, "status");
  if (status == BECKON_MESSAGE_STREAMING)
    status = BECKON_MESSAGE_CUT_OFF;

  run (writing, message_sql, "ssissiiiiisis", writing->message_id, writing->conversation_id, seq, role,
       beckon_message_status_to_string (status), import_writer_get_number (writing, object, "created_at"),
       import_writer_get_number (writing, object, "input"), import_writer_get_number (writing, object, "output"),
       import_writer_get_number (writing, object, "cached"), beckon_json_get_int (object, "cost", -1),
       parent == NULL             ? ""
       : writing->new_ids == NULL ? parent
                                  : (const char *) g_hash_table_lookup (writing->new_ids, parent),
       (gint64) is_chosen, get_currency (object));
  writing->last = import_writer_get_text (writing, object, "id");
  g_hash_table_insert (writing->places, (gpointer) writing->last, GUINT_TO_POINTER ((guint) seq));
  for_each (writing, object, "parts", write_part);
  writing->message_id = NULL;
}

static void
write_run (Writing *writing, JsonObject *object, guint index)
{
  BeckonRunPhase phase = BECKON_RUN_STOPPED;

  if (!beckon_run_phase_from_string (import_writer_get_text (writing, object, "phase"), &phase))
    import_writer_refuse (writing, "phase");

  run (writing, run_sql, "sssssiii", get_id (writing, object), writing->conversation_id,
       import_writer_get_text (writing, object, "profile"),
       beckon_run_phase_to_string (beckon_run_phase_is_end (phase) ? phase : BECKON_RUN_STOPPED),
       get_text_or_null (writing, object, "detail"), import_writer_get_number (writing, object, "round"),
       import_writer_get_number (writing, object, "round_limit"), import_writer_get_number (writing, object, "retry_at"));
}

/* @owner: the conversation, or the queued message; each file may be a text and what it was read from. */
static void
import_writer_write_file (Writing *writing, JsonObject *object, guint place, const char *sql, const char *owner)
{
  g_autoptr (GBytes) content = get_content (writing, object);
  gsize length;
  const void *bytes = g_bytes_get_data (content, &length);

  if (place >= 2 * BECKON_ATTACHMENT_MOST)
    import_writer_refuse (writing, "files");
  run (writing, sql, "sissb", owner, (gint64) place, import_writer_get_text (writing, object, "origin"),
       get_text_or_null (writing, object, "media_type"), bytes != NULL ? bytes : "", length);
}

static void
write_draft_file (Writing *writing, JsonObject *object, guint place)
{
  import_writer_write_file (writing, object, place, draft_file_sql, writing->conversation_id);
}

static void
write_queued_file (Writing *writing, JsonObject *object, guint place)
{
  import_writer_write_file (writing, object, place, queued_file_sql, writing->message_id);
}

static void
write_queued (Writing *writing, JsonObject *object, guint index)
{
  writing->message_id = get_id (writing, object);
  run (writing, queued_sql, "sss", writing->message_id, writing->conversation_id,
       import_writer_get_text (writing, object, "text"));
  if (json_object_has_member (object, "files"))
    for_each (writing, object, "files", write_queued_file);
}

static void
write_conversation (Writing *writing, JsonObject *object)
{
  const char *named_by = get_later_text (writing, object, "named_by", "person");
  const char *folder;
  BeckonMode mode;
  BeckonEffort effort;

  if (!beckon_title_source_from_string (named_by, &(BeckonTitleSource) { BECKON_TITLE_PERSON }))
    import_writer_refuse (writing, "named_by");

  /* Which folder the agent works in is for the person here to choose, not for a document, which may be another
   * person's. */
  folder = get_later_text (writing, object, "folder", NULL);
  if (folder != NULL && !g_path_is_absolute (folder))
    import_writer_refuse (writing, "folder");

  writing->conversation_id = get_id (writing, object);

  /* To be asked less is for the person here to choose, not for a document, which may be another person's. */
  mode = BECKON_MODE_DEFAULT;
  if (!beckon_mode_from_string (get_later_text (writing, object, "mode", beckon_mode_to_string (BECKON_MODE_DEFAULT)),
                                &mode))
    import_writer_refuse (writing, "mode");

  effort = BECKON_EFFORT_DEFAULT;
  if (!beckon_effort_from_string (get_later_text (writing, object, "effort", beckon_effort_to_string (effort)),
                                  &effort))
    import_writer_refuse (writing, "effort");
  run (writing, conversation_sql, "siisssiiisssssss", writing->conversation_id,
       import_writer_get_number (writing, object, "created_at"), import_writer_get_number (writing, object, "updated_at"),
       import_writer_get_text (writing, object, "title"), get_text_or_null (writing, object, "profile"),
       import_writer_get_text (writing, object, "draft"), (gint64)get_truth (writing, object, "pinned"),
       (gint64)get_truth (writing, object, "archived"), (gint64)get_later_truth (writing, object, "unread"), named_by,
       get_later_text (writing, object, "origin", NULL), get_later_text (writing, object, "origin_message", NULL), NULL,
       beckon_mode_to_string (MIN (mode, BECKON_MODE_DEFAULT)), beckon_json_get_string (object, "source"),
       beckon_effort_to_string (effort));
  if (json_object_has_member (object, "draft_files"))
    for_each (writing, object, "draft_files", write_draft_file);
  if (json_object_has_member (object, "queue"))
    for_each (writing, object, "queue", write_queued);
  for_each (writing, object, "messages", import_writer_write_message);
  if (writing->error == NULL)
    beckon_branches_adopt (writing->database, writing->conversation_id, &writing->error);
  for_each (writing, object, "requests", write_request);
  for_each (writing, object, "runs", write_run);
}

/* Within a transaction; what was begun of one that fails is taken back. */
static char *
attempt (BeckonDatabase *database, JsonObject *conversation, GHashTable *new_ids, GError **error)
{
  g_autoptr (GHashTable) places = g_hash_table_new (g_str_hash, g_str_equal);
  Writing writing = { .database = database, .new_ids = new_ids, .places = places };

  if (!beckon_database_run (database, error, "SAVEPOINT imported", ""))
    return NULL;

  write_conversation (&writing, conversation);
  if (writing.error == NULL)
    return beckon_database_run (database, error, "RELEASE imported", "") ? g_strdup (writing.conversation_id) : NULL;
  g_propagate_error (error, writing.error);
  return NULL;
}

static gboolean
import_writer_take_back (BeckonDatabase *database, GError **error)
{
  return beckon_database_run (database, error, "ROLLBACK TO imported", "")
         && beckon_database_run (database, error, "RELEASE imported", "");
}

/* Prefix of the source of a conversation of ours. */
#define OURS "beckon:"

static const char known_sql[] =
  "SELECT EXISTS (SELECT 1 FROM conversation WHERE source = ?1 AND deleted_at IS NULL)"
  "  OR EXISTS (SELECT 1 FROM conversation WHERE id = ?2 AND deleted_at IS NULL)";
static const char free_source_sql[] = "UPDATE conversation SET source = NULL WHERE source = ?1 AND deleted_at IS NOT NULL";

static gboolean
is_known (BeckonDatabase *database, const char *source, gboolean *known, GError **error)
{
  const char *id = g_str_has_prefix (source, OURS) ? source + strlen (OURS) : "";
  sqlite3_stmt *statement = beckon_database_query (database, error, known_sql, "ss", source, id);

  if (statement == NULL || beckon_database_step (database, statement, error) != BECKON_STEP_ROW)
    return FALSE;
  *known = sqlite3_column_int64 (statement, 0) > 0;
  sqlite3_reset (statement);
  return TRUE;
}

/* (nullable): the id it has now; %NULL with what is wrong with it, @fault: (out), or with an @error of the database. */
static char *
write_new (BeckonDatabase *database, JsonObject *conversation, GError **fault, GError **error)
{
  g_autoptr (GHashTable) new_ids = NULL;
  char *id = attempt (database, conversation, NULL, fault);

  if (id != NULL || !import_writer_take_back (database, error)
      || !g_error_matches (*fault, BECKON_ERROR, BECKON_ERROR_CONFLICT))
    return id;
  g_clear_error (fault);
  new_ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  id = attempt (database, conversation, new_ids, fault);
  if (id == NULL)
    import_writer_take_back (database, error);
  return id;
}

/* %FALSE where the database is what is wrong. */
static gboolean
write_one (BeckonDatabase *database, JsonObject *conversation, BeckonImportReport *report, GError **error)
{
  const char *source = beckon_json_get_string (conversation, "source");
  g_autoptr (GError) fault = NULL;
  g_autoptr (GError) broken = NULL;
  gboolean known = FALSE;
  char *id;

  if (source != NULL
      && (!is_known (database, source, &known, error)
          || (!known && !beckon_database_run (database, error, free_source_sql, "s", source))))
    return FALSE;
  if (known)
    {
      report->n_known++;
      return TRUE;
    }
  id = write_new (database, conversation, &fault, &broken);
  if (broken != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&broken));
      return FALSE;
    }
  if (id != NULL)
    {
      g_ptr_array_add (report->ids, id);
      return TRUE;
    }
  report->n_unreadable++;
  if (report->problem == NULL)
    report->problem = g_strdup (fault->message);
  return TRUE;
}

gboolean
beckon_import_write (BeckonDatabase *database, GPtrArray *documents, BeckonImportReport *report, GError **error)
{
  const BeckonImportReport before = *report;
  guint n_before = report->ids->len;
  gboolean is_written = TRUE;

  if (!beckon_database_begin (database, BECKON_DURABILITY_FULL, error))
    return FALSE;

  for (guint i = 0; is_written && i < documents->len; i++)
    is_written = write_one (database, g_ptr_array_index (documents, i), report, error);
  if (is_written && beckon_database_commit (database, error))
    return TRUE;

  if (!is_written)
    beckon_database_rollback (database);
  g_ptr_array_set_size (report->ids, (gint) n_before);
  report->n_known = before.n_known;
  report->n_unreadable = before.n_unreadable;
  return FALSE;
}
