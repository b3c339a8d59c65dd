/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-request-private.h"

#include "base/beckon-error.h"
#include "form/beckon-request-json.h"

/* What the store keeps of a request, and how it is made of that again. */

/* What a form is for. */
#define FORM_OUTCOME "outcome"

static BeckonRequest *
refuse_body (GError **error, const char *why)
{
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, why);
  return NULL;
}

/* What belongs to a step of a plan says so; without a plan that can be read it is an approval like any other. */
static void
read_step (BeckonRequest *self, JsonObject *object)
{
  const char *step = beckon_json_get_string (object, "step");
  const char *document = beckon_json_get_string (object, "plan");
  g_autoptr (BeckonPlan) plan = NULL;

  if (step != NULL && document != NULL)
    plan = beckon_plan_parse (document, BECKON_PLAN_FROM_PERSON, NULL);
  if (plan != NULL && beckon_plan_find (plan, step) >= 0)
    {
      beckon_request_set_step (self, plan, step);
      beckon_request_set_plan_redacted (self, beckon_json_get_string (object, "plan_concealed"));
    }
}

static BeckonRequest *
read_form (const char *id, const char *conversation_id, const char *message_id, const char *call_id, const char *body,
           gint64 asked_at, GError **error)
{
  g_autoptr (JsonObject) object = beckon_json_parse_object (body, -1, error);
  const char *tool = object != NULL ? beckon_json_get_string (object, "tool") : NULL;
  const char *arguments = object != NULL ? beckon_json_get_string (object, "arguments") : NULL;
  BeckonRequest *self;

  if (object == NULL)
    return NULL;
  if (g_strcmp0 (beckon_json_get_string (object, "form"), FORM_OUTCOME) != 0)
    return refuse_body (error, "Not a stored form: nobody knows what it is for");
  if (tool == NULL || arguments == NULL)
    return refuse_body (error, "Not a stored form: the tool or its arguments are missing");

  self = beckon_request_new_outcome (id, conversation_id, message_id, call_id, tool, arguments,
                                     MAX (beckon_json_get_int (object, "started_at", 0), 0), asked_at);
  self->can_verify = beckon_json_get_boolean (object, "can_look", FALSE);
  beckon_request_set_redacted (self, beckon_json_get_string (object, "concealed"));
  read_step (self, object);
  return self;
}

static BeckonRequest *
read_plan (const char *id, const char *conversation_id, const char *message_id, const char *call_id, const char *body,
           gint64 asked_at, GError **error)
{
  g_autoptr (JsonObject) object = beckon_json_parse_object (body, -1, NULL);
  const char *redacted = object != NULL ? beckon_json_get_string (object, "concealed") : NULL;
  const char *document = redacted != NULL ? beckon_json_get_string (object, "plan") : body;
  g_autoptr (BeckonPlan) plan = document != NULL ? beckon_plan_parse (document, BECKON_PLAN_FROM_PERSON, NULL) : NULL;
  BeckonRequest *self;

  if (plan == NULL)
    return refuse_body (error, "Not a stored plan");

  self = beckon_request_new_plan (id, conversation_id, message_id, call_id, plan, asked_at);
  beckon_request_set_redacted (self, redacted);
  return self;
}

static BeckonRequest *
read_changes (const char *id, const char *conversation_id, const char *message_id, const char *call_id, const char *body,
              gint64 asked_at, GError **error)
{
  g_autoptr (JsonObject) object = beckon_json_parse_object (body, -1, error);
  const char *tool = object != NULL ? beckon_json_get_string (object, "tool") : NULL;
  const char *arguments = object != NULL ? beckon_json_get_string (object, "arguments") : NULL;
  g_autoptr (BeckonChangeSet) changes = NULL;
  BeckonRequest *self;

  if (object == NULL)
    return NULL;
  if (tool == NULL || arguments == NULL)
    return refuse_body (error, "Not a stored request about changes: the tool or its arguments are missing");
  changes = beckon_change_set_from_json (beckon_json_get_string (object, "changes"), error);
  if (changes == NULL)
    return NULL;

  self = beckon_request_new_changes (id, conversation_id, message_id, call_id, tool, arguments, changes, asked_at);
  beckon_request_set_redacted (self, beckon_json_get_string (object, "concealed"));
  return self;
}

static BeckonRequest *
read_approval (const char *id, const char *conversation_id, const char *message_id, const char *call_id,
               const char *body, gint64 asked_at, GError **error)
{
  g_autoptr (JsonObject) object = beckon_json_parse_object (body, -1, error);
  BeckonRequest *self;
  const char *tool;
  const char *arguments;

  if (object == NULL)
    return NULL;

  tool = beckon_json_get_string (object, "tool");
  arguments = beckon_json_get_string (object, "arguments");
  if (tool == NULL || arguments == NULL)
    return refuse_body (error, "Not a stored approval: the tool or its arguments are missing");

  self = beckon_request_new_approval (id, conversation_id, message_id, call_id, tool, arguments,
                                      beckon_json_get_string (object, "reason"), asked_at);
  self->outcome_unknown = beckon_json_get_boolean (object, "outcome_unknown", FALSE);
  if (json_object_has_member (object, "ground"))
    self->ground = beckon_approval_reason_read (beckon_json_get_object (object, "ground"));
  if (beckon_json_get_object (object, "details") != NULL)
    self->details = beckon_approval_details_read (beckon_json_get_object (object, "details"));
  beckon_request_set_redacted (self, beckon_json_get_string (object, "concealed"));
  read_step (self, object);
  return self;
}

static gboolean
is_kind (const char *word, BeckonRequestKind kind)
{
  return g_strcmp0 (word, beckon_request_kind_to_string (kind)) == 0;
}

BeckonRequest *
beckon_request_new_from_body (const char *id, const char *conversation_id, const char *message_id, const char *call_id,
                              const char *kind, const char *body, gint64 asked_at, GError **error)
{
  g_autoptr (BeckonQuestion) question = NULL;

  g_return_val_if_fail (id != NULL, NULL);
  g_return_val_if_fail (body != NULL, NULL);

  if (is_kind (kind, BECKON_REQUEST_APPROVAL))
    return read_approval (id, conversation_id, message_id, call_id, body, asked_at, error);

  if (is_kind (kind, BECKON_REQUEST_FORM))
    return read_form (id, conversation_id, message_id, call_id, body, asked_at, error);

  if (is_kind (kind, BECKON_REQUEST_PLAN))
    return read_plan (id, conversation_id, message_id, call_id, body, asked_at, error);

  if (is_kind (kind, BECKON_REQUEST_CHANGES))
    return read_changes (id, conversation_id, message_id, call_id, body, asked_at, error);

  if (!is_kind (kind, BECKON_REQUEST_QUESTION))
    {
      g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, "Unknown kind of request: %s", kind);
      return NULL;
    }

  question = beckon_question_from_json (body, error);
  if (question == NULL)
    return NULL;

  return beckon_request_new_question (id, conversation_id, message_id, call_id, question, asked_at);
}

static void
write_ground (BeckonJsonWriter *writer, const BeckonApprovalReason *ground)
{
  g_autofree char *json = NULL;

  if (ground == NULL)
    return;
  json = beckon_approval_reason_to_json (ground);
  beckon_json_writer_name (writer, "ground");
  beckon_json_writer_raw (writer, json, -1);
}

/* The document itself, where there is nothing to be said beside it. */
static char *
write_plan (BeckonRequest *request)
{
  g_autofree char *document = beckon_plan_to_json (request->plan);
  g_autoptr (GString) text = NULL;
  BeckonJsonWriter writer;

  if (request->redacted == NULL)
    return g_steal_pointer (&document);
  text = g_string_new (NULL);
  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "plan", document);
  beckon_json_writer_member_string (&writer, "concealed", request->redacted);
  beckon_json_writer_end_object (&writer);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
beckon_request_dup_body (BeckonRequest *request)
{
  g_autoptr (GString) text = NULL;
  BeckonJsonWriter writer;

  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  if (request->question != NULL)
    return beckon_question_to_json (request->question);
  if (request->kind == BECKON_REQUEST_PLAN)
    return write_plan (request);

  text = g_string_new (NULL);
  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  if (request->kind == BECKON_REQUEST_FORM)
    beckon_json_writer_member_string (&writer, "form", FORM_OUTCOME);
  beckon_request_json_member (&writer, "tool", request->tool);
  beckon_request_json_member (&writer, "arguments", request->arguments);
  beckon_request_json_member (&writer, "concealed", request->redacted);
  beckon_request_json_member (&writer, "reason", request->reason);
  write_ground (&writer, request->ground);
  if (request->details != NULL)
    {
      beckon_json_writer_name (&writer, "details");
      beckon_approval_details_write (request->details, &writer);
    }
  if (request->changes != NULL)
    {
      g_autofree char *changes = beckon_change_set_to_json (request->changes);

      beckon_json_writer_member_string (&writer, "changes", changes);
    }
  if (request->kind == BECKON_REQUEST_FORM)
    beckon_json_writer_member_int (&writer, "started_at", request->started_at);
  else if (request->outcome_unknown)
    beckon_json_writer_member_boolean (&writer, "outcome_unknown", TRUE);
  if (request->can_verify)
    beckon_json_writer_member_boolean (&writer, "can_look", TRUE);
  if (request->step != NULL)
    {
      g_autofree char *document = beckon_plan_to_json (request->plan);

      beckon_json_writer_member_string (&writer, "step", request->step);
      beckon_json_writer_member_string (&writer, "plan", document);
      beckon_request_json_member (&writer, "plan_concealed", request->plan_redacted);
    }
  beckon_json_writer_end_object (&writer);
  return g_string_free (g_steal_pointer (&text), FALSE);
}
