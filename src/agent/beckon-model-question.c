/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-model-question.h"

#include "base/beckon-error.h"

/* Servers that don't keep to a limit of tokens are stopped there. */
#define MAX_BYTES (256 * 1024)

typedef struct
{
  BeckonRunScope *scope;  /* (owned) */
  BeckonMessage *message; /* (owned) (nullable) */
  BeckonProfile *profile; /* (owned): with the limit of this reply */
  BeckonUsage usage;
  BeckonToolReply *reply;
  GString *text;
  GCancellable *inner;
  GSource *cancelled; /* (nullable) */
  gboolean is_full;
  gboolean is_whole;
} Asking;

static void
asking_free (gpointer data)
{
  Asking *asking = data;

  beckon_run_scope_unref (asking->scope);
  g_clear_object (&asking->message);
  g_object_unref (asking->profile);
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
  else if (event->type == BECKON_LLM_EVENT_USAGE)
    asking->usage = event->usage;
  else if (event->type == BECKON_LLM_EVENT_END)
    asking->is_whole = event->end == BECKON_LLM_END_COMPLETE;
  asking->is_full = asking->text->len > MAX_BYTES;
  if (asking->is_full)
    g_cancellable_cancel (asking->inner);
}

static void
on_counted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!beckon_store_commit_finish (BECKON_STORE (source), result, &error))
    g_message ("what a server's question to the model used was not stored: %s", error->message);
}

/* The usage counts with the message whose call asked, whatever became of the reply. */
static void
count (Asking *asking)
{
  BeckonUsage sum;
  BeckonBatch *batch;

  if (asking->message == NULL || (asking->usage.input < 0 && asking->usage.output < 0))
    return;
  beckon_usage_set_cost (&asking->usage, asking->profile);
  sum = *beckon_message_get_usage (asking->message);
  beckon_usage_add (&sum, &asking->usage);
  beckon_message_set_usage (asking->message, &sum);
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_batch_set_message (batch, asking->message);
  beckon_store_commit_async (asking->scope->parts.store, batch, NULL, on_counted, NULL);
}

static void
on_streamed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Asking *asking = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  gboolean streamed = beckon_provider_stream_finish (BECKON_PROVIDER (source), result, NULL, &error);

  count (asking);
  if (g_task_return_error_if_cancelled (task))
    return;
  if (!streamed && !asking->is_full)
    {
      g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, "The model gave no answer.");
      return;
    }
  if (asking->is_full)
    g_string_truncate (asking->text, MAX_BYTES);
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

static BeckonProfile *
copy_limited (BeckonProfile *profile, guint max_tokens)
{
  BeckonProfile *limited = beckon_profile_copy (profile);
  guint own = beckon_profile_get_output_limit (profile);

  beckon_profile_set_output_limit (limited, own > 0 ? MIN (own, max_tokens) : max_tokens);
  return limited;
}

static Asking *
asking_new (const BeckonRunScope *scope, BeckonMessage *message, BeckonProfile *profile, guint max_tokens,
            GCancellable *cancellable)
{
  Asking *asking = g_new0 (Asking, 1);

  asking->scope = beckon_run_scope_ref (scope);
  asking->message = message != NULL ? g_object_ref (message) : NULL;
  asking->profile = copy_limited (profile, max_tokens);
  asking->usage = (BeckonUsage) BECKON_USAGE_INIT;
  asking->reply = g_new0 (BeckonToolReply, 1);
  asking->reply->model = g_strdup (beckon_profile_get_model (profile));
  asking->text = g_string_new (NULL);
  asking->inner = g_cancellable_new ();
  if (cancellable == NULL)
    return asking;
  asking->cancelled = g_cancellable_source_new (cancellable);
  g_source_set_callback (asking->cancelled, G_SOURCE_FUNC (on_cancelled), g_object_ref (asking->inner), g_object_unref);
  g_source_attach (asking->cancelled, NULL);
  return asking;
}

void
beckon_model_question_async (const BeckonRunScope *scope, BeckonMessage *message, const char *system, GPtrArray *messages,
                             guint max_tokens, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
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
  asking = asking_new (scope, message, profile, max_tokens, cancellable);
  request = beckon_llm_request_new (asking->profile, system);
  for (guint i = 0; i < messages->len; i++)
    beckon_llm_request_add_message (request, g_ptr_array_index (messages, i));
  g_task_set_task_data (task, asking, asking_free);
  beckon_provider_stream_async (scope->parts.provider, request, on_event, asking, asking->inner, on_streamed,
                                g_object_ref (task));
}
