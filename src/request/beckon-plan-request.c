/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-plan-request.h"

#include "base/beckon-error.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "base/beckon-tree-stamp.h"
#include "beckon-answer-private.h"
#include "beckon-config.h"
#include "beckon-settlement.h"
#include "form/beckon-request-json.h"

#include <glib/gi18n-lib.h>
#include <string.h>

G_DEFINE_INTERFACE (BeckonPlanTools, beckon_plan_tools, G_TYPE_OBJECT)

static void
beckon_plan_tools_default_init (BeckonPlanToolsInterface *iface)
{
}

gboolean
beckon_plan_tools_check (BeckonPlanTools *self, BeckonRequest *request, const BeckonPlan *plan, GError **error)
{
  return BECKON_PLAN_TOOLS_GET_IFACE (self)->check (self, request, plan, error);
}

char **
beckon_plan_tools_list_names (BeckonPlanTools *self, const char *conversation_id)
{
  g_return_val_if_fail (BECKON_IS_PLAN_TOOLS (self), NULL);
  g_return_val_if_fail (conversation_id != NULL, NULL);

  return BECKON_PLAN_TOOLS_GET_IFACE (self)->list_names (self, conversation_id);
}

#define TOOL "propose_plan"
#define NOT_RUN "Nothing of the plan was run."

struct _BeckonPlanRequest
{
  BeckonCallRequest parent_instance;

  char *files; /* (nullable) */
};

G_DEFINE_FINAL_TYPE (BeckonPlanRequest, beckon_plan_request, BECKON_TYPE_CALL_REQUEST)

BeckonRequest *
beckon_plan_request_new (const char *id, const char *conversation_id, const char *message_id, const char *call_id,
                         const BeckonPlan *plan, gint64 asked_at)
{
  BeckonCallRequest *self;

  g_return_val_if_fail (conversation_id != NULL, NULL);
  g_return_val_if_fail (plan != NULL, NULL);

  self = g_object_new (BECKON_TYPE_PLAN_REQUEST, NULL);
  beckon_request_set_place (BECKON_REQUEST (self), id, conversation_id, message_id, call_id, asked_at);
  beckon_call_request_take_plan (self, TOOL, beckon_plan_copy (plan));
  return BECKON_REQUEST (self);
}

const char *
beckon_plan_request_get_files (BeckonRequest *request)
{
  g_return_val_if_fail (BECKON_IS_REQUEST (request), NULL);

  return BECKON_IS_PLAN_REQUEST (request) ? BECKON_PLAN_REQUEST (request)->files : NULL;
}

void
beckon_plan_request_set_files (BeckonRequest *request, const char *files)
{
  BeckonPlanRequest *self = BECKON_PLAN_REQUEST (request);

  g_free (self->files);
  self->files = g_strdup (files);
}

/* By its name in the working folder, which is the shortest path that ends with it. */
static guint
plan_request_count_files (JsonObject *files, const char *name)
{
  g_autofree char *end = g_canonicalize_filename (name, "/");
  const char *found = NULL;
  guint64 inode;
  guint n_files = 0;
  JsonObjectIter iter;
  const char *path;

  json_object_iter_init (&iter, files);
  while (json_object_iter_next (&iter, &path, NULL))
    if (g_str_has_suffix (path, end) && (found == NULL || strlen (path) < strlen (found)))
      found = path;
  return found != NULL && beckon_tree_stamp_read (beckon_json_get_string (files, found), &inode, &n_files) ? n_files : 0;
}

char *
beckon_plan_request_list_contents (BeckonRequest *request, const BeckonPlanStep *step)
{
  const char *stamps = beckon_plan_request_get_files (request);
  g_autoptr (JsonObject) files = stamps != NULL ? beckon_json_parse_object (stamps, -1, NULL) : NULL;
  g_autoptr (JsonObject) arguments = files != NULL ? beckon_json_parse_object (step->arguments, -1, NULL) : NULL;
  const gboolean is_move = g_str_equal (step->tool, "move_files");
  JsonArray *list = arguments != NULL && (is_move || g_str_equal (step->tool, "delete_files"))
                      ? beckon_json_get_array (arguments, is_move ? "moves" : "paths") : NULL;
  g_autoptr (GString) lines = g_string_new (NULL);

  for (guint i = 0; list != NULL && i < json_array_get_length (list); i++)
    {
      JsonNode *element = json_array_get_element (list, i);
      const char *name = JSON_NODE_HOLDS_OBJECT (element) ? beckon_json_get_string (json_node_get_object (element), "from")
                         : JSON_NODE_HOLDS_VALUE (element) ? json_node_get_string (element) : NULL;
      const guint n = name != NULL ? plan_request_count_files (files, name) : 0;
      g_autofree char *shown = n > 0 ? beckon_text_for_display (name, -1, BECKON_TEXT_EXACT) : NULL;
      /* Translators: a folder that a step of a plan deletes or moves, and how many files are in it */
      g_autofree char *line = n > 0 ? beckon_text_printf (g_dngettext (GETTEXT_PACKAGE, "In %s: %u file", "In %s: %u files", n),
                                                          shown, n) : NULL;

      if (line != NULL)
        g_string_append_printf (lines, "%s%s", lines->len > 0 ? "\n" : "", line);
    }
  return lines->len > 0 ? g_string_free (g_steal_pointer (&lines), FALSE) : NULL;
}

static gboolean
beckon_plan_request_read_body (BeckonRequest *request, const char *body, GError **error)
{
  g_autoptr (JsonObject) object = beckon_json_parse_object (body, -1, NULL);
  const char *redacted = object != NULL ? beckon_json_get_string (object, "concealed") : NULL;
  const char *document = object != NULL ? beckon_json_get_string (object, "plan") : NULL;
  BeckonPlan *plan = beckon_plan_parse (document != NULL ? document : body, BECKON_PLAN_FROM_PERSON, NULL);

  if (plan == NULL)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, "Not a stored plan");
      return FALSE;
    }

  beckon_call_request_take_plan (BECKON_CALL_REQUEST (request), TOOL, plan);
  beckon_request_set_redacted (request, redacted);
  if (document != NULL)
    beckon_plan_request_set_files (request, beckon_json_get_string (object, "files"));
  return TRUE;
}

/* The document itself, where nothing is to be said beside it. */
static char *
beckon_plan_request_dup_body (BeckonRequest *request)
{
  const char *redacted = beckon_call_request_get_redacted (BECKON_CALL_REQUEST (request));
  const char *files = beckon_plan_request_get_files (request);
  g_autoptr (GString) text = NULL;
  BeckonJsonWriter writer;

  if (redacted == NULL && files == NULL)
    return g_strdup (beckon_request_get_arguments (request));
  text = g_string_new (NULL);
  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "plan", beckon_request_get_arguments (request));
  beckon_request_json_member (&writer, "concealed", redacted);
  beckon_request_json_member (&writer, "files", files);
  beckon_json_writer_end_object (&writer);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean
beckon_plan_request_check_answer (BeckonRequest *request, const BeckonAnswer *answer, GError **error)
{
  return answer->kind != BECKON_ANSWER_PLAN
         || beckon_call_request_check_document (BECKON_CALL_REQUEST (request), answer, FALSE, error);
}

static void
beckon_plan_request_settle_call (BeckonRequest *request, const BeckonAnswer *answer, BeckonSettlement *settlement)
{
  if (answer->kind == BECKON_ANSWER_APPROVED || answer->kind == BECKON_ANSWER_PLAN)
    {
      settlement->call_event = BECKON_CALL_EVENT_SETTLED_GO;
      settlement->plan = g_strdup (answer->kind == BECKON_ANSWER_PLAN ? answer->text : beckon_request_get_arguments (request));
      /* The accepted plan starts, byte for byte. */
      settlement->arguments = g_strdup (settlement->plan);
      return;
    }

  settlement->call_event = BECKON_CALL_EVENT_SETTLED_RESULT;
  settlement->is_error = TRUE;
  if (answer->kind == BECKON_ANSWER_ASKED_BACK)
    settlement->result = g_strconcat ("{\"status\":\"replan\"} " NOT_RUN " The user asks for another plan.",
                                      answer->text != NULL ? " They said: " : NULL, answer->text, NULL);
  else if (answer->kind == BECKON_ANSWER_DECLINED)
    settlement->result = g_strconcat ("The user did not accept the plan. " NOT_RUN,
                                      answer->text != NULL ? " They said: " : NULL, answer->text, NULL);
  else if (answer->kind == BECKON_ANSWER_TIMED_OUT)
    settlement->result = g_strdup ("The user did not decide in the time that was set. " NOT_RUN);
  else if (answer->kind == BECKON_ANSWER_UNAVAILABLE)
    settlement->result = g_strdup ("Nobody can accept a plan here. " NOT_RUN);
  else
    settlement->result = g_strdup (BECKON_ANSWER_CANCELLED_RESULT ". " NOT_RUN);
}

static gboolean
is_changed (BeckonRequest *request, const BeckonAnswer *answer)
{
  g_autoptr (BeckonPlan) plan = beckon_plan_parse (answer->text, BECKON_PLAN_FROM_PERSON, NULL);

  return plan == NULL || !beckon_plan_equal (plan, beckon_request_get_plan (request));
}

static char *
beckon_plan_request_dup_summary (BeckonRequest *request, const BeckonAnswer *answer)
{
  if (answer->kind == BECKON_ANSWER_PLAN && is_changed (request, answer))
    return g_strdup (_("Accepted with changes"));
  if (answer->kind == BECKON_ANSWER_APPROVED || answer->kind == BECKON_ANSWER_PLAN)
    return g_strdup (_("Accepted"));
  if (answer->kind == BECKON_ANSWER_DECLINED)
    return g_strdup (_("Dismissed"));
  if (answer->kind == BECKON_ANSWER_ASKED_BACK)
    return g_strdup (_("Another plan was asked for"));
  return beckon_answer_to_summary (answer, NULL);
}

static void
beckon_plan_request_finalize (GObject *object)
{
  g_free (BECKON_PLAN_REQUEST (object)->files);
  G_OBJECT_CLASS (beckon_plan_request_parent_class)->finalize (object);
}

static void
beckon_plan_request_class_init (BeckonPlanRequestClass *klass)
{
  BeckonRequestClass *request_class = BECKON_REQUEST_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = beckon_plan_request_finalize;
  request_class->kind = "plan";
  request_class->answers = 1 << BECKON_ANSWER_APPROVED | 1 << BECKON_ANSWER_PLAN | 1 << BECKON_ANSWER_ASKED_BACK
                           | 1 << BECKON_ANSWER_DECLINED;
  request_class->refusal = N_("This is a plan. Accept it, change it, dismiss it or ask for another one.");
  request_class->read_body = beckon_plan_request_read_body;
  request_class->dup_body = beckon_plan_request_dup_body;
  request_class->check_answer = beckon_plan_request_check_answer;
  request_class->settle_call = beckon_plan_request_settle_call;
  request_class->dup_summary = beckon_plan_request_dup_summary;
}

static void
beckon_plan_request_init (BeckonPlanRequest *self)
{
}
