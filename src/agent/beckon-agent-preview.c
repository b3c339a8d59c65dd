/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-agent-private.h"

#include "base/beckon-finish.h"
#include "base/beckon-json.h"
#include "base/beckon-worker.h"
#include "landing/beckon-landing-content.h"
#include "request/beckon-approval-request.h"
#include "tools/beckon-file-stamp.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/*
 * Previews of calls that wait for their approval: computed by the tool as it would run, with the person's secrets masked as in
 * a result. No preview decides: that the file is still the one that was shown is checked when the call runs.
 */

/* A preview: first the mask, then on a worker. */
typedef struct
{
  BeckonTool *tool; /* (owned) */
  char *conversation_id;
  char *folder; /* (nullable) */
  char *arguments;
  BeckonMask *mask; /* (owned) (nullable) */
  gint64 now;
} Previewing;

static void
previewing_free (gpointer data)
{
  Previewing *previewing = data;

  g_object_unref (previewing->tool);
  g_free (previewing->conversation_id);
  g_free (previewing->folder);
  g_free (previewing->arguments);
  beckon_mask_unref (previewing->mask);
  g_free (previewing);
}

static gboolean
has_preview (BeckonCallPreviewer *previewer, const char *name)
{
  BeckonTool *tool = beckon_tool_registry_lookup (BECKON_AGENT (previewer)->parts.tools, name);

  return tool != NULL && beckon_tool_has_preview (tool);
}

static void
preview_on_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Previewing *previewing = task_data;
  GError *error = NULL;
  BeckonToolContext context = {
    .conversation_id = previewing->conversation_id,
    .message_id = "",
    .arguments = previewing->arguments,
    .folder = previewing->folder,
    .mask = previewing->mask,
    .now = previewing->now,
  };
  BeckonCallPreview *preview = beckon_tool_preview (previewing->tool, &context, &error);

  if (preview != NULL)
    g_task_return_pointer (task, preview, (GDestroyNotify) beckon_call_preview_unref);
  else
    g_task_return_error (task, error);
}

static void
agent_preview_on_mask_made (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Previewing *previewing = g_task_get_task_data (task);
  GError *error = NULL;

  previewing->mask = beckon_known_secrets_make_mask_finish (BECKON_KNOWN_SECRETS (source), result, &error);
  if (error != NULL)
    g_task_return_error (task, error);
  else
    beckon_worker_run_for_person (task, preview_on_thread);
}

static void
preview_async (BeckonCallPreviewer *previewer, BeckonRequest *request, const char *arguments, GCancellable *cancellable,
               GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonAgent *agent = BECKON_AGENT (previewer);
  g_autoptr (GTask) task = g_task_new (agent, cancellable, callback, user_data);
  BeckonTool *tool = beckon_tool_registry_lookup (agent->parts.tools, beckon_request_get_tool (request));
  const BeckonApprovalDetails *details = beckon_request_get_details (request);
  g_autoptr (GPtrArray) no_handles = g_ptr_array_new ();
  Previewing *previewing;

  g_task_set_source_tag (task, preview_async);
  if (tool == NULL || !beckon_tool_has_preview (tool))
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, _("This tool is no longer available."));
      return;
    }
  previewing = g_new0 (Previewing, 1);
  previewing->tool = g_object_ref (tool);
  previewing->conversation_id = g_strdup (beckon_request_get_conversation_id (request));
  previewing->folder = details != NULL ? g_strdup (details->folder) : NULL;
  previewing->arguments = g_strdup (arguments);
  previewing->now = beckon_clock_get_real_time (agent->parts.clock);
  g_task_set_task_data (task, previewing, previewing_free);
  beckon_known_secrets_make_mask_async (agent->parts.secrets, no_handles, cancellable, agent_preview_on_mask_made,
                                        g_steal_pointer (&task));
}

static BECKON_FINISH_POINTER (BeckonCallPreview *, preview, BeckonCallPreviewer)

/* @start: (out): where the first line begins that differs; @n_behind: (out): how many bytes of whole lines both share at the
 * end. */
static void
find_difference (const char *one, const char *other, gsize *start, gsize *n_behind)
{
  gsize n_one = strlen (one), n_other = strlen (other), n_ahead = 0, n_shared = 0;

  *start = *n_behind = 0;
  for (; n_ahead < MIN (n_one, n_other) && one[n_ahead] == other[n_ahead]; n_ahead++)
    if (one[n_ahead] == '\n')
      *start = n_ahead + 1;
  for (; n_shared < MIN (n_one, n_other) - *start && one[n_one - n_shared - 1] == other[n_other - n_shared - 1]; n_shared++)
    if (one[n_one - n_shared - 1] == '\n')
      *n_behind = n_shared;
}

/* Makes one edit, in place of however many there were: of the lines between the first and the last that differ, or of the whole
 * text where those are not there once alone, as the tool demands. */
static void
set_edit (JsonObject *object, const char *before, const char *wanted)
{
  g_autofree char *old_text = NULL;
  g_autofree char *new_text = NULL;
  const char *found;
  gsize start, n_behind;

  find_difference (before, wanted, &start, &n_behind);
  old_text = g_strndup (before + start, strlen (before) - start - n_behind);
  found = *old_text != '\0' ? strstr (before, old_text) : NULL;
  if (found == NULL || strstr (found + 1, old_text) != NULL)
    {
      g_free (old_text);
      old_text = g_strdup (before);
      start = n_behind = 0;
    }
  new_text = g_strndup (wanted + start, strlen (wanted) - start - n_behind);
  json_object_set_string_member (object, "old_text", old_text);
  json_object_set_string_member (object, "new_text", new_text);
  json_object_remove_member (object, "more_edits");
  json_object_remove_member (object, "replace_all");
}

static char *
agent_preview_leave_out (BeckonCallPreviewer *previewer, const BeckonCallPreview *preview, const char *arguments, GArray *kept)
{
  g_autofree char *wanted = beckon_landing_content_merge (preview->before, preview->after, kept);
  g_autoptr (JsonNode) node = beckon_json_parse (arguments, -1, NULL);
  JsonObject *object = node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;

  if (object != NULL && beckon_json_get_string (object, "old_text") != NULL)
    set_edit (object, preview->before, wanted);
  else if (object != NULL && beckon_json_get_string (object, "content") != NULL)
    json_object_set_string_member (object, "content", wanted);
  else
    return NULL;
  return beckon_json_print (node);
}

static void
check_on_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  g_autofree char *changed = beckon_file_stamps_find_change (task_data);

  g_task_return_boolean (task, changed == NULL);
}

static void
check_async (BeckonCallPreviewer *previewer, const char *files, GCancellable *cancellable, GAsyncReadyCallback callback,
             gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (previewer, cancellable, callback, user_data);

  g_task_set_source_tag (task, check_async);
  g_task_set_task_data (task, g_strdup (files), g_free);
  beckon_worker_run (task, check_on_thread);
}

static gboolean
check_finish (BeckonCallPreviewer *previewer, GAsyncResult *result)
{
  return g_task_propagate_boolean (G_TASK (result), NULL);
}

void
beckon_agent_call_previewer_init (BeckonCallPreviewerInterface *iface)
{
  iface->has_preview = has_preview;
  iface->preview_async = preview_async;
  iface->preview_finish = preview_finish;
  iface->leave_out = agent_preview_leave_out;
  iface->check_async = check_async;
  iface->check_finish = check_finish;
}
