/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-model-question.h"

#include "base/beckon-error.h"

#define BYTES_PER_TOKEN 4
#define MAX_BYTES (64 * 1024)

typedef struct
{
  BeckonToolReply *reply;
  GString *text;
  gsize most;
  GCancellable *inner;
  GSource *cancelled; /* (nullable) */
  gboolean is_full;
  gboolean is_whole;
} Asking;

static void
asking_free (gpointer data)
{
  Asking *asking = data;

  beckon_tool_reply_free (asking->reply);
  g_string_free (asking->text, TRUE);
  g_object_unref (asking->inner);
  if (asking->cancelled != NULL)
    g_source_destroy (asking->cancelled);
  g_clear_pointer (&asking->cancelled, g_source_unref);
  g_free (asking);
}

static void
on_event (const BeckonLlmEvent *event, gpointer user_data)
{
  Asking *asking = user_data;

  if (event->type == BECKON_LLM_EVENT_TEXT)
    g_string_append_len (asking->text, event->text, (gssize) event->length);
  else if (event->type == BECKON_LLM_EVENT_END)
    asking->is_whole = event->end == BECKON_LLM_END_COMPLETE;
  asking->is_full = asking->text->len > asking->most;
  if (asking->is_full)
    g_cancellable_cancel (asking->inner);
}

static void
on_streamed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Asking *asking = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  gboolean streamed = beckon_provider_stream_finish (BECKON_PROVIDER (source), result, NULL, &error);

  if (g_task_return_error_if_cancelled (task))
    return;
  if (!streamed && !asking->is_full)
    {
      g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, "The model gave no answer.");
      return;
    }
  if (asking->is_full)
    g_string_truncate (asking->text, asking->most);
  asking->reply->text = g_utf8_make_valid (asking->text->str, (gssize) asking->text->len);
  asking->reply->is_cut = asking->is_full || !asking->is_whole;
  g_task_return_pointer (task, g_steal_pointer (&asking->reply), (GDestroyNotify) beckon_tool_reply_free);
}

static gboolean
on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  g_cancellable_cancel (user_data);
  return G_SOURCE_REMOVE;
}

/* (nullable): the tour tells its story and nothing else. Borrowed. */
static BeckonProfile *
find_profile (const BeckonRunScope *scope)
{
  g_autofree char *fallback = beckon_settings_dup_default_profile (scope->parts.settings);
  const char *id = beckon_conversation_get_profile_id (scope->conversation);
  BeckonProfile *profile = beckon_profiles_lookup (scope->parts.profiles, id != NULL ? id : fallback);

  return profile != NULL && beckon_profile_get_kind (profile) != BECKON_PROFILE_TOUR ? profile : NULL;
}

static Asking *
asking_new (BeckonProfile *profile, guint max_tokens, GCancellable *cancellable)
{
  Asking *asking = g_new0 (Asking, 1);

  asking->reply = g_new0 (BeckonToolReply, 1);
  asking->reply->model = g_strdup (beckon_profile_get_model (profile));
  asking->text = g_string_new (NULL);
  asking->most = MIN ((gsize) max_tokens * BYTES_PER_TOKEN, MAX_BYTES);
  asking->inner = g_cancellable_new ();
  if (cancellable == NULL)
    return asking;
  asking->cancelled = g_cancellable_source_new (cancellable);
  g_source_set_callback (asking->cancelled, G_SOURCE_FUNC (on_cancelled), g_object_ref (asking->inner), g_object_unref);
  g_source_attach (asking->cancelled, NULL);
  return asking;
}

void
beckon_model_question_async (const BeckonRunScope *scope, const char *system, GPtrArray *messages, guint max_tokens,
                             GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  BeckonProfile *profile = find_profile (scope);
  g_autoptr (BeckonLlmRequest) request = NULL;
  Asking *asking;

  g_task_set_source_tag (task, beckon_model_question_async);
  if (profile == NULL)
    {
      g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, "There is no model to ask.");
      return;
    }
  request = beckon_llm_request_new (profile, system);
  for (guint i = 0; i < messages->len; i++)
    beckon_llm_request_add_message (request, g_ptr_array_index (messages, i));
  asking = asking_new (profile, max_tokens, cancellable);
  g_task_set_task_data (task, asking, asking_free);
  beckon_provider_stream_async (scope->parts.provider, request, on_event, asking, asking->inner, on_streamed,
                                g_object_ref (task));
}
