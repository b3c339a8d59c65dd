/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-request-document.h"

#include "base/beckon-json-writer.h"
#include "base/beckon-json.h"
#include "beckon-plain-class.h"
#include "beckon-plain-remember.h"
#include "beckon-request-document-private.h"
#include "request/beckon-approval-request.h"
#include "request/beckon-changes-request.h"
#include "request/beckon-form-request.h"
#include "request/beckon-outcome-request.h"
#include "request/beckon-question-request.h"

#include <string.h>

static void
add_string (BeckonJsonWriter *writer, const char *name, const char *value)
{
  if (value != NULL)
    beckon_json_writer_member_string (writer, name, value);
}

/* A model's arguments need not be JSON. */
static void
add_json (BeckonJsonWriter *writer, const char *name, const char *json)
{
  if (json == NULL)
    return;

  beckon_json_writer_name (writer, name);
  if (beckon_json_check (json, -1, NULL))
    beckon_json_writer_raw (writer, json, -1);
  else
    beckon_json_writer_string (writer, json, -1);
}

static void
add_tool (BeckonJsonWriter *writer, BeckonRequest *request, const BeckonRequestContext *context)
{
  beckon_json_writer_name (writer, "tool");
  beckon_json_writer_begin_object (writer);
  add_string (writer, "call", beckon_request_get_call_id (request));
  add_string (writer, "message", beckon_request_get_message_id (request));
  if (context != NULL)
    {
      add_string (writer, "name", context->tool);
      add_json (writer, "arguments", context->arguments);
      add_string (writer, "context", context->text);
    }
  beckon_json_writer_end_object (writer);
}

/* A plan, or the plan that a step belongs to. */
void
beckon_request_document_write_plan (BeckonJsonWriter *writer, BeckonRequest *request)
{
  g_autoptr (BeckonPlan) plan = beckon_request_dup_shown_plan (request);
  g_autofree char *document = NULL;

  if (plan == NULL)
    return;

  document = beckon_plan_to_json (plan);
  add_json (writer, "plan", document);
  add_string (writer, "step", beckon_request_get_step (request));
}

/* Adds the choices to remember, by the numbers that an answer names. */
static void
add_choices (BeckonJsonWriter *writer, BeckonRequest *request)
{
  GPtrArray *choices = beckon_plain_remember_get_choices (request);

  if (choices == NULL || beckon_request_get_state (request) != BECKON_REQUEST_PENDING)
    return;

  beckon_json_writer_name (writer, "remember");
  beckon_json_writer_begin_array (writer);
  for (guint i = 0; i < choices->len; i++)
    beckon_json_writer_string (writer, ((const BeckonRuleProposal *) g_ptr_array_index (choices, i))->label, -1);
  beckon_json_writer_end_array (writer);
}

/* A path is exact where it is UTF-8; where it is not, it is as good as can be, and exact beside that. */
static void
add_path (BeckonJsonWriter *writer, const char *name, const char *exact_name, const char *path)
{
  g_autofree char *valid = NULL;
  g_autofree char *exact = NULL;

  if (path == NULL)
    return;

  valid = g_utf8_make_valid (path, -1);
  beckon_json_writer_member_string (writer, name, valid);
  if (g_utf8_validate (path, -1, NULL))
    return;
  exact = g_base64_encode ((const guchar *) path, strlen (path));
  beckon_json_writer_member_string (writer, exact_name, exact);
}

static void
request_document_add_change (BeckonJsonWriter *writer, const BeckonFileChange *change, BeckonFileFate fate)
{
  add_path (writer, "path", "path_base64", change->path);
  add_path (writer, "from", "from_base64", change->from);
  beckon_json_writer_member_string (writer, "kind", beckon_file_change_kind_to_string (change->kind));
  beckon_json_writer_member_string (writer, "type", beckon_file_type_to_string (change->type));
  if (change->git != NULL && change->bound != NULL)
    {
      g_autofree char *title = beckon_file_change_dup_shown_path (change);

      beckon_json_writer_member_string (writer, "title", title);
    }
  beckon_json_writer_member_string (writer, "concern", beckon_file_concern_to_string (change->concern));
  add_string (writer, "concern_text",
              fate == BECKON_FILE_OPEN && change->remark != NULL ? change->remark
              : beckon_file_concern_to_words (change->concern));
  beckon_json_writer_member_string (writer, "fate", beckon_file_fate_to_string (fate));
  beckon_json_writer_member_int (writer, "size", (gint64) change->size);
  if (change->n_files > 0)
    beckon_json_writer_member_int (writer, "files", change->n_files);
  if (change->mode_before != change->mode_after)
    {
      beckon_json_writer_member_int (writer, "mode_before", change->mode_before);
      beckon_json_writer_member_int (writer, "mode_after", change->mode_after);
    }
  add_path (writer, "target", "target_base64", change->target);
  if (change->is_text)
    {
      beckon_json_writer_member_int (writer, "added", change->n_added);
      beckon_json_writer_member_int (writer, "removed", change->n_removed);
    }
  add_string (writer, "diff", change->diff);
  if (change->diff != NULL)
    beckon_json_writer_member_int (writer, "hunks", change->n_hunks);
  add_string (writer, "theirs", change->theirs);
}

void
beckon_request_document_write_changes (BeckonJsonWriter *writer, BeckonRequest *request)
{
  const BeckonChangeSet *changes = beckon_request_get_changes (request);
  g_autofree char *arguments = beckon_request_dup_shown_arguments (request);
  g_autofree char *sentence = beckon_changes_request_dup_sentence (request);
  int exit_status;
  const char *output = beckon_changes_request_get_outcome (request, &exit_status);
  g_autoptr (JsonObject) object = arguments != NULL ? beckon_json_parse_object (arguments, -1, NULL) : NULL;

  beckon_json_writer_name (writer, "changes");
  beckon_json_writer_begin_object (writer);
  add_string (writer, "tool", beckon_request_get_tool (request));
  add_json (writer, "arguments", arguments);
  if (object != NULL)
    add_string (writer, "command", beckon_json_get_string (object, "command"));
  if (exit_status >= 0)
    beckon_json_writer_member_int (writer, "exit_status", exit_status);
  add_string (writer, "output", output);
  beckon_json_writer_member_string (writer, "sentence", sentence);
  beckon_json_writer_name (writer, "files");
  beckon_json_writer_begin_array (writer);
  for (guint i = 0; i < beckon_change_set_get_n_changes (changes); i++)
    {
      const BeckonFileChange *change = beckon_change_set_get (changes, i);

      /* A change that is bound to another has no number, because it is decided with it. */
      beckon_json_writer_begin_object (writer);
      beckon_json_writer_member_int (writer, "change", i + 1);
      request_document_add_change (writer, change, change->fate);
      if (change->bound != NULL)
        {
          beckon_json_writer_name (writer, "bound");
          beckon_json_writer_begin_array (writer);
          for (guint j = 0; j < change->bound->len; j++)
            {
              beckon_json_writer_begin_object (writer);
              request_document_add_change (writer, g_ptr_array_index (change->bound, j), change->fate);
              beckon_json_writer_end_object (writer);
            }
          beckon_json_writer_end_array (writer);
        }
      beckon_json_writer_end_object (writer);
    }
  beckon_json_writer_end_array (writer);
  add_choices (writer, request);
  beckon_json_writer_end_object (writer);
}

static void
request_document_add_call (BeckonJsonWriter *writer, BeckonRequest *request)
{
  g_autofree char *arguments = beckon_request_dup_shown_arguments (request);

  add_string (writer, "tool", beckon_request_get_tool (request));
  add_json (writer, "arguments", arguments);
}

void
beckon_request_document_write_question (BeckonJsonWriter *writer, BeckonRequest *request)
{
  BeckonQuestion *question = beckon_request_get_question (request);
  g_autofree char *json = beckon_question_to_json (question);
  gboolean is_known = FALSE;

  add_json (writer, "question", json);
  /* For each question what was answered the last time, where anything is known of one of them. */
  for (guint i = 0; i < beckon_question_get_n_items (question); i++)
    is_known = is_known || beckon_question_get_item (question, i)->last != NULL;
  if (!is_known)
    return;

  beckon_json_writer_name (writer, "last");
  beckon_json_writer_begin_array (writer);
  for (guint i = 0; i < beckon_question_get_n_items (question); i++)
    {
      const BeckonLastAnswer *last = beckon_question_get_item (question, i)->last;
      g_autofree char *known = last != NULL ? beckon_last_answer_to_json (last) : g_strdup ("null");

      beckon_json_writer_raw (writer, known, -1);
    }
  beckon_json_writer_end_array (writer);
}

void
beckon_request_document_write_approval (BeckonJsonWriter *writer, BeckonRequest *request)
{
  beckon_json_writer_name (writer, "approval");
  beckon_json_writer_begin_object (writer);
  request_document_add_call (writer, request);
  add_string (writer, "reason", beckon_request_get_reason (request));
  beckon_json_writer_member_boolean (writer, "outcome_unknown", beckon_request_get_outcome_unknown (request));
  add_choices (writer, request);
  beckon_json_writer_end_object (writer);
  beckon_request_document_write_plan (writer, request);
}

void
beckon_request_document_write_outcome (BeckonJsonWriter *writer, BeckonRequest *request)
{
  beckon_json_writer_name (writer, "form");
  beckon_json_writer_begin_object (writer);
  beckon_json_writer_member_string (writer, "form", "outcome");
  request_document_add_call (writer, request);
  beckon_json_writer_member_int (writer, "started_at", beckon_request_get_started_at (request));
  beckon_json_writer_member_boolean (writer, "can_look", beckon_request_get_can_verify (request));
  beckon_json_writer_end_object (writer);
  beckon_request_document_write_plan (writer, request);
}

void
beckon_request_document_write_form (BeckonJsonWriter *writer, BeckonRequest *request)
{
  g_autoptr (BeckonForm) form = beckon_form_request_is_url (request) ? NULL : beckon_form_request_make_form (request);

  beckon_json_writer_name (writer, "form");
  beckon_json_writer_begin_object (writer);
  beckon_json_writer_member_string (writer, "form", "elicitation");
  beckon_json_writer_member_string (writer, "mode", form != NULL ? "form" : "url");
  beckon_json_writer_member_string (writer, "server", beckon_form_request_get_server (request));
  beckon_json_writer_member_string (writer, "message", beckon_form_request_get_message (request));
  add_json (writer, "schema", beckon_form_request_get_schema (request));
  add_json (writer, "initial", form != NULL ? beckon_form_get_text (form) : NULL);
  add_string (writer, "secret", beckon_form_request_get_secret (request));
  add_string (writer, "url", beckon_form_request_get_url (request));
  beckon_json_writer_end_object (writer);
}

char *
beckon_request_document_write (BeckonRequest *request, const BeckonRequestContext *context, gboolean is_answerable)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean is_pending;
  BeckonJsonWriter writer;
  g_autofree char *summary = NULL;
  g_autoptr (BeckonAnswer) given = NULL;
  g_autofree char *answer = NULL;

  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  is_pending = beckon_request_get_state (request) == BECKON_REQUEST_PENDING;
  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "id", beckon_request_get_id (request));
  beckon_json_writer_member_string (&writer, "kind", beckon_request_get_kind_name (request));
  beckon_json_writer_member_string (&writer, "state", beckon_request_state_to_string (beckon_request_get_state (request)));
  beckon_json_writer_member_int (&writer, "asked_at", beckon_request_get_asked_at (request));
  beckon_json_writer_member_boolean (&writer, "answerable", is_pending && is_answerable);
  beckon_json_writer_name (&writer, "conversation");
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "id", beckon_request_get_conversation_id (request));
  if (context != NULL)
    add_string (&writer, "title", context->title);
  beckon_json_writer_end_object (&writer);
  if (context != NULL && context->profile_id != NULL)
    {
      beckon_json_writer_name (&writer, "asker");
      beckon_json_writer_begin_object (&writer);
      beckon_json_writer_member_string (&writer, "profile", context->profile_id);
      add_string (&writer, "name", context->asker);
      beckon_json_writer_end_object (&writer);
    }
  add_tool (&writer, request, context);
  beckon_plain_class_get (request)->write (&writer, request);
  summary = beckon_request_dup_summary (request);
  given = beckon_request_dup_shown_answer (request);
  if (beckon_request_get_state (request) != BECKON_REQUEST_PENDING)
    {
      if (given != NULL)
        answer = beckon_answer_document_write (given, beckon_request_get_question (request));
      beckon_json_writer_name (&writer, "settlement");
      beckon_json_writer_begin_object (&writer);
      add_json (&writer, "answer", answer);
      add_string (&writer, "summary", summary);
      add_string (&writer, "front_end", beckon_request_get_front_end (request));
      add_string (&writer, "actor", beckon_request_get_actor (request));
      beckon_json_writer_member_int (&writer, "at", beckon_request_get_settled_at (request));
      beckon_json_writer_end_object (&writer);
    }
  beckon_json_writer_end_object (&writer);
  return g_string_free (g_steal_pointer (&text), FALSE);
}
