/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-mcp-tool.h"

#include "attach/beckon-image.h"
#include "base/beckon-error.h"
#include "base/beckon-json-writer.h"
#include "base/beckon-path.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "base/beckon-wipe.h"
#include "base/beckon-worker.h"
#include "beckon-mcp-process.h"
#include "domain/beckon-attachment.h"
#include "request/beckon-form-request.h"
#include "request/beckon-question-request.h"
#include "request/beckon-question.h"
#include "text/beckon-call-labels.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Makes the question whether a server may do something, for beckon_question_request_allows(): not to allow it is the first
 * choice, to allow it the last. Returns (transfer full) (nullable): %NULL where @text is no question */
static BeckonQuestion *
mcp_decision_new (const char *text)
{
  g_autoptr (GString) json = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, json);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "question", text);
  beckon_json_writer_name (&writer, "choices");
  beckon_json_writer_begin_array (&writer);
  /* Translators: the two choices of a decision about a server of tools */
  beckon_json_writer_string (&writer, _("Don't Allow"), -1);
  beckon_json_writer_string (&writer, _("Allow"), -1);
  beckon_json_writer_end_array (&writer);
  beckon_json_writer_member_boolean (&writer, "allow_freeform", FALSE);
  beckon_json_writer_end_object (&writer);
  return beckon_question_parse (json->str, NULL);
}

/* Reports are shown ten times a second at most. */
#define REPORT_US (G_USEC_PER_SEC / 10)

/* The most of a difference that is shown. */
#define CHARS_OF_CHANGE 6000

struct _BeckonMcpTool
{
  GObject parent_instance;

  BeckonMcpService *service;
  BeckonMcpToolInfo *info;
  BeckonMcpServer *server; /* as it was, for other threads */
  BeckonToolDefinition *definition;
};

static void beckon_mcp_tool_tool_init (BeckonToolInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (BeckonMcpTool, beckon_mcp_tool, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_TOOL, beckon_mcp_tool_tool_init))

/* --- What it is --------------------------------------------------------------------------------------------------- */

static BeckonToolDefinition *
get_definition (BeckonTool *tool)
{
  return BECKON_MCP_TOOL (tool)->definition;
}

static const char *
mcp_tool_get_server (BeckonTool *tool)
{
  return BECKON_MCP_TOOL (tool)->server->name;
}

static const char *
get_digest (BeckonTool *tool)
{
  return BECKON_MCP_TOOL (tool)->info->digest;
}

static void
mcp_tool_get_effects (BeckonTool *tool, const BeckonToolContext *context, BeckonEffects *effects)
{
  effects->read_only = FALSE;
  effects->uses_network = TRUE;
}

static char *
get_absence (BeckonTool *tool, const char *folder)
{
  BeckonMcpTool *self = BECKON_MCP_TOOL (tool);

  if (beckon_mcp_server_is_for_folder (self->server, folder))
    return NULL;
  return beckon_text_printf (_("This server is for conversations in %s."), self->server->folder);
}

static gboolean
mcp_tool_check (BeckonTool *tool, const BeckonToolContext *context, GError **error)
{
  BeckonMcpTool *self = BECKON_MCP_TOOL (tool);

  if (beckon_mcp_server_is_for_folder (self->server, context->folder))
    return TRUE;
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                       "The server of this tool is not for conversations in this folder.");
  return FALSE;
}

/* --- A call ------------------------------------------------------------------------------------------------------- */

typedef struct
{
  BeckonMcpResult *result;
  GPtrArray *images; /* (element-type BeckonPart) */
  GPtrArray *ready;  /* (element-type BeckonMcpImage): as models take them */
  BeckonToolReport report;
  gpointer report_data;
  BeckonToolPrompt prompt;
  BeckonToolHandOver hand_over;
  gpointer prompt_data;
  char *conversation_id;
  char *message_id;
  char *arguments;
  char *folder;
  char *resumption; /* (nullable) */
  BeckonRequest *change; /* (nullable): about a changed definition or program */
  char *stamps;          /* (nullable): of the changed program */
  GPtrArray *links; /* (element-type BeckonRequest): addresses that the person was asked to open */
  gint64 reported_at;
  guint n_images_lost;
} Run;

static void
run_free (Run *run)
{
  beckon_mcp_result_free (run->result);
  g_ptr_array_unref (run->images);
  g_ptr_array_unref (run->links);
  g_clear_pointer (&run->ready, g_ptr_array_unref);
  g_free (run->conversation_id);
  g_free (run->message_id);
  beckon_wipe (run->arguments);
  g_free (run->folder);
  g_free (run->resumption);
  g_clear_object (&run->change);
  g_free (run->stamps);
  g_free (run);
}

static void
show_progress (const char *text, gpointer data)
{
  Run *run = g_task_get_task_data (data);
  gint64 now = g_get_monotonic_time ();

  if (run->report == NULL || now - run->reported_at < REPORT_US)
    return;
  run->reported_at = now;
  run->report (text, run->report_data);
}

static void
on_form_answered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonAnswer) answer = beckon_tool_prompt_finish (result, &error);

  /* An answer that is there and can't be had is no refusal. */
  if (g_error_matches (error, BECKON_ERROR, BECKON_ERROR_STORE))
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_pointer (task, beckon_form_request_dup_result (g_task_get_task_data (task), answer),
                           (GDestroyNotify) beckon_wipe);
}

/* Without a person to be asked, a form is cancelled. */
static void
elicit (const char *params, const char *key, const char *resumption, GCancellable *cancellable, GAsyncReadyCallback callback,
        gpointer user_data, gpointer data)
{
  BeckonMcpTool *self = g_task_get_source_object (data);
  Run *run = g_task_get_task_data (data);
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  GError *error = NULL;
  BeckonRequest *request;

  g_task_set_source_tag (task, elicit);
  if (run->prompt == NULL)
    {
      g_task_return_pointer (task, g_strdup ("{\"action\":\"cancel\"}"), g_free);
      return;
    }
  request = beckon_form_request_new (run->conversation_id, self->server->name, params, g_get_real_time (), &error);
  if (request == NULL)
    {
      g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_INVALID, "%s", error->message);
      g_error_free (error);
      return;
    }
  g_task_set_task_data (task, request, g_object_unref);
  if (key != NULL && resumption != NULL && strlen (resumption) <= BECKON_FORM_REQUEST_MAX_RESUMPTION)
    beckon_form_request_set_resumption (request, key, resumption);
  if (beckon_form_request_is_url (request))
    g_ptr_array_add (run->links, g_object_ref (request));
  run->prompt (request, cancellable, on_form_answered, g_steal_pointer (&task), run->prompt_data);
}

/* The answer is for the model: no person decided anything. */
static gboolean
is_unasked (const BeckonAnswer *answer, const GError *error)
{
  return answer != NULL ? answer->kind == BECKON_ANSWER_UNAVAILABLE
                        : g_error_matches (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
}

static void
mcp_tool_hand_over (const char *resumption, GAsyncReadyCallback callback, gpointer user_data, gpointer data)
{
  Run *run = g_task_get_task_data (data);
  g_autoptr (GTask) task = NULL;

  if (run->hand_over != NULL)
    {
      run->hand_over (resumption, callback, user_data, run->prompt_data);
      return;
    }
  task = g_task_new (NULL, NULL, callback, user_data);
  g_task_set_source_tag (task, mcp_tool_hand_over);
  g_task_return_boolean (task, TRUE);
}

static void
show_completed (const char *id, gpointer data)
{
  Run *run = g_task_get_task_data (data);

  for (guint i = 0; run->report != NULL && i < run->links->len; i++)
    {
      BeckonRequest *request = g_ptr_array_index (run->links, i);
      g_autofree char *words = NULL;

      if (g_strcmp0 (beckon_form_request_get_elicitation_id (request), id) != 0)
        continue;
      words = beckon_form_request_dup_completed_words (request);
      run->report (words, run->report_data);
    }
}

static const BeckonMcpCallHandler call_handler = {
  .progress = show_progress,
  .elicit = elicit,
  .hand_over = mcp_tool_hand_over,
  .completed = show_completed,
};

/* (nullable) */
static const char *
get_remark (GTask *task, const char *words)
{
  BeckonMcpTool *self = g_task_get_source_object (task);

  return beckon_mcp_read_only_get_remark (beckon_mcp_service_get_server (self->service), words);
}

static void
finish_run (GTask *task)
{
  Run *run = g_task_get_task_data (task);
  GString *text = g_string_new (run->result->text);
  const char *remark = run->result->is_error ? get_remark (task, run->result->text) : NULL;

  if (run->n_images_lost > 0)
    g_string_append_printf (text, "\n[%u pictures couldn't be read and are left out.]", run->n_images_lost);
  if (remark != NULL)
    g_string_append_printf (text, "\n\n%s", remark);
  g_task_return_pointer (task, g_string_free (text, FALSE), g_free);
}

static void
image_free (gpointer data)
{
  BeckonMcpImage *image = data;

  g_free (image->media_type);
  g_bytes_unref (image->bytes);
  g_free (image);
}

/* Decoded and written anew, as everything that others send as a picture. */
static void
prepare_images (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Run *run = data;

  run->ready = g_ptr_array_new_with_free_func (image_free);
  for (guint i = 0; i < run->result->images->len; i++)
    {
      const BeckonMcpImage *image = g_ptr_array_index (run->result->images, i);
      const char *type = NULL;
      GBytes *bytes = beckon_image_prepare (image->bytes, &type, NULL);
      BeckonMcpImage *made;

      if (bytes == NULL)
        continue;
      made = g_new0 (BeckonMcpImage, 1);
      made->media_type = g_strdup (type);
      made->bytes = bytes;
      g_ptr_array_add (run->ready, made);
    }
  g_task_return_boolean (task, TRUE);
}

static void
on_prepared (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Run *run = g_task_get_task_data (task);

  g_task_propagate_boolean (G_TASK (result), NULL);
  for (guint i = 0; run->ready != NULL && i < run->ready->len; i++)
    {
      const BeckonMcpImage *image = g_ptr_array_index (run->ready, i);
      g_autofree char *name = g_strdup_printf ("picture-%u", i + 1);

      g_ptr_array_add (run->images, beckon_attachment_new_image (name, image->media_type, image->bytes));
    }
  run->n_images_lost = run->result->images->len - run->images->len;
  finish_run (task);
}

static void
on_called (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Run *run = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (GTask) preparing = NULL;

  run->report = NULL;
  run->result = beckon_mcp_service_call_finish (BECKON_MCP_SERVICE (source), result, &error);
  if (run->result == NULL)
    {
      if (get_remark (task, error->message) != NULL)
        g_prefix_error (&error, "%s ", get_remark (task, error->message));
      g_task_return_error (task, error);
    }
  else if (run->result->images->len == 0)
    {
      finish_run (task);
    }
  else
    {
      preparing = g_task_new (NULL, NULL, on_prepared, g_object_ref (task));
      g_task_set_task_data (preparing, run, NULL);
      beckon_worker_run_for_person (preparing, prepare_images);
    }
}

/* @task: (transfer full). */
static void
call_server (GTask *task)
{
  BeckonMcpTool *self = g_task_get_source_object (task);
  Run *run = g_task_get_task_data (task);
  const BeckonMcpToolCall call = {
    .tool = self->info,
    .arguments = run->arguments,
    .folder = run->folder,
    .resumption = run->resumption,
    .handler = &call_handler,
    .data = task,
  };

  beckon_mcp_service_call_async (self->service, &call, g_task_get_cancellable (task), on_called, task);
}

/* --- Changes ------------------------------------------------------------------------------------------------------- */

static void
refuse_change (GTask *task, gboolean is_unasked)
{
  const Run *run = g_task_get_task_data (task);

  g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_CONFLICT,
                           "Not run: the server changed %s since the user allowed it, and the user %s.",
                           run->stamps != NULL ? "its program" : "this tool",
                           is_unasked ? "can't be asked here whether they accept the change" : "did not accept the change");
}

/* (nullable): a fence that nothing in @text can end. A change that can't be shown whole can't be accepted. */
static char *
dup_fenced (const char *text, const char *language)
{
  g_autoptr (GString) plain = g_string_new (text);

  if (g_utf8_strlen (text, -1) > CHARS_OF_CHANGE)
    return NULL;
  g_string_replace (plain, "`", "ˋ", 0);
  return g_strdup_printf ("```%s\n%s\n```", language, plain->str);
}

/* @words: (nullable): the question; @task: (transfer full). */
static void
ask_about_change (GTask *task, const char *words, GAsyncReadyCallback callback)
{
  Run *run = g_task_get_task_data (task);
  g_autoptr (BeckonQuestion) question = words != NULL && run->prompt != NULL ? mcp_decision_new (words) : NULL;

  if (question == NULL)
    {
      refuse_change (task, run->prompt == NULL);
      g_object_unref (task);
      return;
    }
  g_clear_object (&run->change);
  run->change = beckon_question_request_new (NULL, run->conversation_id, run->message_id, NULL, question, g_get_real_time ());
  run->prompt (run->change, g_task_get_cancellable (task), callback, task, run->prompt_data);
}

/* %FALSE once the task has returned. */
static gboolean
is_change_allowed (GTask *task, GAsyncResult *result)
{
  Run *run = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonAnswer) answer = beckon_tool_prompt_finish (result, &error);

  if (g_task_return_error_if_cancelled (task))
    return FALSE;
  if (answer != NULL && beckon_question_request_allows (run->change, answer))
    return TRUE;
  refuse_change (task, is_unasked (answer, error));
  return FALSE;
}

static void
on_program_approved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (beckon_mcp_service_approve_finish (BECKON_MCP_SERVICE (source), result, &error))
    call_server (g_steal_pointer (&task));
  else
    g_task_return_error (task, error);
}

static void
on_program_answered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonMcpTool *self = g_task_get_source_object (task);
  Run *run = g_task_get_task_data (task);

  if (is_change_allowed (task, result))
    beckon_mcp_service_approve_async (self->service, run->stamps, on_program_approved, g_steal_pointer (&task));
}

static void
on_reviewed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GTask *task = user_data;
  BeckonMcpTool *self = g_task_get_source_object (task);
  Run *run = g_task_get_task_data (task);
  g_autofree char *change = beckon_mcp_service_review_finish (BECKON_MCP_SERVICE (source), result, &run->stamps);
  g_autofree char *fenced = change != NULL ? dup_fenced (change, "") : NULL;
  g_autofree char *words = NULL;

  if (change == NULL)
    {
      call_server (task);
      return;
    }
  if (fenced != NULL)
    /* Translators: a server, and which of its files are not what they were */
    words = beckon_text_printf (_("The program of the server %1$s is not what you approved. It runs without a sandbox. Start "
                                  "it anyway?\n\n%2$s\n\nBeckon has no copy of the earlier files, so it can't show what "
                                  "changed in them."),
                                self->server->name, fenced);
  ask_about_change (task, words, on_program_answered);
}

/* @task: (transfer full). */
static void
call_reviewed (GTask *task)
{
  BeckonMcpTool *self = g_task_get_source_object (task);

  beckon_mcp_service_review_async (self->service, on_reviewed, task);
}

static void
on_change_answered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonMcpTool *self = g_task_get_source_object (task);

  if (!is_change_allowed (task, result))
    return;
  beckon_mcp_service_accept (self->service, self->info);
  call_reviewed (g_steal_pointer (&task));
}

/* (nullable) */
static char *
dup_change_words (BeckonMcpTool *self, const BeckonMcpToolInfo *before)
{
  g_autofree char *difference = beckon_mcp_tool_info_compare (before, self->info);
  g_autofree char *fenced = dup_fenced (difference, "diff");

  if (fenced == NULL)
    return NULL;
  /* Translators: a tool, a server, and what is different */
  return beckon_text_printf (_("The tool %1$s of the server %2$s is no longer what you allowed. Allow it as it is "
                               "now?\n\n%3$s"),
                             self->info->name, self->server->name, fenced);
}

static void
mcp_tool_run (BeckonTool *tool, const BeckonToolContext *context, GTask *task)
{
  BeckonMcpTool *self = BECKON_MCP_TOOL (tool);
  Run *run = g_new0 (Run, 1);
  const BeckonMcpToolInfo *before = beckon_mcp_service_get_previous (self->service, self->info->name);
  g_autofree char *words = NULL;

  g_task_set_check_cancellable (task, FALSE);
  run->images = g_ptr_array_new_with_free_func (g_object_unref);
  run->links = g_ptr_array_new_with_free_func (g_object_unref);
  run->report = context->report;
  run->report_data = context->report_data;
  run->prompt = context->prompt;
  run->hand_over = context->hand_over;
  run->prompt_data = context->prompt_data;
  run->conversation_id = g_strdup (context->conversation_id);
  run->message_id = g_strdup (context->message_id);
  run->arguments = g_strdup (context->arguments);
  run->folder = g_strdup (context->folder);
  run->resumption = g_strdup (context->resumption);
  g_task_set_task_data (task, run, (GDestroyNotify) run_free);
  words = before != NULL ? dup_change_words (self, before) : NULL;
  if (before != NULL)
    ask_about_change (g_object_ref (task), words, on_change_answered);
  else
    call_reviewed (g_object_ref (task));
}

static void
mcp_tool_get_end (BeckonTool *tool, GAsyncResult *result, BeckonToolEnd *end)
{
  const Run *run = g_task_get_task_data (G_TASK (result));

  end->is_failure = run->result != NULL && run->result->is_error;
}

static GPtrArray *
dup_images (BeckonTool *tool, GAsyncResult *result)
{
  const Run *run = g_task_get_task_data (G_TASK (result));

  return run->images->len > 0 ? g_ptr_array_ref (run->images) : NULL;
}

static void
beckon_mcp_tool_tool_init (BeckonToolInterface *iface)
{
  iface->get_definition = get_definition;
  iface->get_server = mcp_tool_get_server;
  iface->get_digest = get_digest;
  iface->get_effects = mcp_tool_get_effects;
  iface->get_absence = get_absence;
  iface->check = mcp_tool_check;
  iface->run = mcp_tool_run;
  iface->get_end = mcp_tool_get_end;
  iface->dup_images = dup_images;
}

static void
beckon_mcp_tool_finalize (GObject *object)
{
  BeckonMcpTool *self = BECKON_MCP_TOOL (object);

  g_object_unref (self->service);
  beckon_mcp_tool_info_unref (self->info);
  beckon_mcp_server_unref (self->server);
  beckon_tool_definition_unref (self->definition);

  G_OBJECT_CLASS (beckon_mcp_tool_parent_class)->finalize (object);
}

static void
beckon_mcp_tool_class_init (BeckonMcpToolClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_mcp_tool_finalize;
}

static void
beckon_mcp_tool_init (BeckonMcpTool *self)
{
}

BeckonTool *
beckon_mcp_tool_new (BeckonMcpService *service, BeckonMcpToolInfo *info, const char *name)
{
  BeckonMcpTool *self;

  self = g_object_new (BECKON_TYPE_MCP_TOOL, NULL);
  self->service = g_object_ref (service);
  self->info = beckon_mcp_tool_info_ref (info);
  self->server = beckon_mcp_server_ref (beckon_mcp_service_get_server (service));
  self->definition = beckon_tool_definition_new (name, info->description, info->schema, FALSE);
  beckon_tool_titles_set (name, info->title);
  return BECKON_TOOL (self);
}

BeckonMcpToolInfo *
beckon_mcp_tool_get_info (BeckonMcpTool *self)
{
  return self->info;
}
