/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-summary.h"

#include "base/beckon-text.h"
#include "beckon-compaction.h"
#include "beckon-context.h"
#include "domain/beckon-note.h"

#include <glib/gi18n-lib.h>

#define MAX_SUMMARY_BYTES (256 * 1024)

/* Shares of the room for messages: for the summary, and for the quote beside it; and of the budget: for the request. */
#define SUMMARY_SHARE 0.1
#define QUOTE_SHARE 0.15
#define REQUEST_SHARE 0.8
#define BYTES_PER_TOKEN 4

/* A summary says something even where the prompt leaves no room. */
#define LEAST_ROOM 1000

static gint64
get_share (double share, gint64 tokens)
{
  return (gint64) (share * (double) tokens);
}

typedef struct
{
  BeckonProfile *profile; /* (owned) */
  BeckonClock *clock;     /* (owned) */
  gint64 through;
  gint64 most; /* tokens of a summary */
  char *quote;
  GString *text;
  BeckonUsage usage;
  BeckonLlmEnd end;
  BeckonLlmError error_kind;
  char *error; /* (nullable) */
  gint64 retry_after_ms;
} Writing;

static void
writing_free (Writing *writing)
{
  g_object_unref (writing->profile);
  g_object_unref (writing->clock);
  g_free (writing->quote);
  g_free (writing->error);
  g_string_free (writing->text, TRUE);
  g_free (writing);
}

static void
summary_on_event (const BeckonLlmEvent *event, gpointer user_data)
{
  Writing *writing = user_data;

  if (event->type == BECKON_LLM_EVENT_TEXT && writing->text->len + event->length <= MAX_SUMMARY_BYTES)
    g_string_append_len (writing->text, event->text, (gssize) event->length);
  else if (event->type == BECKON_LLM_EVENT_USAGE)
    writing->usage = event->usage;
  else if (event->type == BECKON_LLM_EVENT_END)
    writing->end = event->end;
  else if (event->type == BECKON_LLM_EVENT_ERROR)
    {
      g_free (writing->error);
      writing->error = g_strndup (event->text, event->length);
      writing->error_kind = event->error;
    }
}

static gboolean
is_usable (Writing *writing)
{
  for (gsize i = 0; i < writing->text->len; i++)
    if (!g_ascii_isspace (writing->text->str[i]))
      return writing->end == BECKON_LLM_END_COMPLETE || writing->end == BECKON_LLM_END_LENGTH;
  return FALSE;
}

static BeckonMessage *
make_note (Writing *writing)
{
  gsize half = (gsize) writing->most * BYTES_PER_TOKEN / 2;
  g_autofree char *valid = beckon_text_make_valid (g_strstrip (writing->text->str), -1, NULL);
  g_autofree char *summary = beckon_context_shorten (valid, half, half, NULL);
  BeckonMessage *note = beckon_note_new_summary (writing->through, summary, writing->quote,
                                                 beckon_clock_get_real_time (writing->clock));

  beckon_usage_set_cost (&writing->usage, writing->profile);
  beckon_message_set_usage (note, &writing->usage);
  return note;
}

static void
summary_on_streamed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Writing *writing = g_task_get_task_data (task);
  GError *error = NULL;

  if (!beckon_provider_stream_finish (BECKON_PROVIDER (source), result, &writing->retry_after_ms, &error))
    g_task_return_error (task, error);
  else if (is_usable (writing))
    g_task_return_pointer (task, make_note (writing), g_object_unref);
  else
    g_task_return_new_error (task, BECKON_LLM_ERROR, (int) writing->error_kind,
                             _("The earlier messages could not be summarized. %s"),
                             writing->error != NULL ? writing->error : _("The model gave no summary."));
}

static Writing *
writing_new (const BeckonAgentParts *parts, const BeckonSummaryTask *task)
{
  Writing *writing = g_new0 (Writing, 1);
  gint64 room = MAX (task->room, LEAST_ROOM);

  writing->profile = g_object_ref (task->profile);
  writing->clock = g_object_ref (parts->clock);
  writing->through = beckon_message_get_seq (g_ptr_array_index (task->messages, task->n - 1));
  writing->most = get_share (SUMMARY_SHARE, room);
  writing->quote = beckon_compaction_quote (task->conversation, writing->through,
                                            get_share (QUOTE_SHARE, room));
  writing->text = g_string_new (NULL);
  writing->usage = (BeckonUsage) BECKON_USAGE_INIT;
  writing->end = BECKON_LLM_END_CUT_OFF;
  writing->error_kind = BECKON_LLM_ERROR_SERVER;
  writing->retry_after_ms = -1;
  return writing;
}

gboolean
beckon_summary_has_room (gint64 budget)
{
  return beckon_compaction_has_room (get_share (REQUEST_SHARE, budget));
}

gint64
beckon_summary_write_async (const BeckonAgentParts *parts, const BeckonSummaryTask *what, GCancellable *cancellable,
                            GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Writing *writing = writing_new (parts, what);
  g_autoptr (BeckonLlmRequest) request
      = beckon_compaction_new_request (what->profile, what->messages, what->n, get_share (REQUEST_SHARE, what->budget),
                                       writing->most, beckon_clock_get_real_time (parts->clock));

  g_task_set_source_tag (task, beckon_summary_write_async);
  g_task_set_task_data (task, writing, (GDestroyNotify) writing_free);
  beckon_provider_stream_async (parts->provider, request, summary_on_event, writing, cancellable, summary_on_streamed,
                                g_object_ref (task));
  return beckon_tokens_of_request (request);
}

BeckonMessage *
beckon_summary_write_finish (GAsyncResult *result, gint64 *retry_after_ms, GError **error)
{
  if (retry_after_ms != NULL)
    *retry_after_ms = ((Writing *) g_task_get_task_data (G_TASK (result)))->retry_after_ms;
  return g_task_propagate_pointer (G_TASK (result), error);
}
