/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-provider.h"

#include "beckon-http-stream.h"
#include "beckon-llm-address.h"
#include "beckon-text-markup.h"
#include "net/beckon-http-exchange.h"

#include "base/beckon-origin.h"
#include "base/beckon-wipe.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MEGABYTE (1024 * 1024)

/* Every run holds a connection while it streams; libsoup's two per host would make the third wait. */
#define CONNECTIONS_PER_HOST 256

struct _BeckonProvider
{
  GObject parent_instance;

  BeckonEndpointSource *endpoints;
  BeckonClock *clock;
  BeckonProviderLimits limits;
  SoupSession *session;
};

G_DEFINE_FINAL_TYPE (BeckonProvider, beckon_provider, G_TYPE_OBJECT)

/* The state of a call from key look-up to exchange. */
typedef struct
{
  const BeckonCodec *codec;
  BeckonProfile *profile; /* (owned): a copy */
  char *key;              /* (owned) (nullable): the one that was sent last */
  gboolean asked_again;   /* for another key */
  gboolean has_events;
  GError *refusal; /* (owned) (nullable): of the first key */
  char *model;
  char **headers;
  GBytes *body;
  BeckonTextMarkup *markup; /* (owned): through which events go to the caller */
  gint64 retry_after_ms;
} Call;

static void
provider_call_free (Call *call)
{
  g_object_unref (call->profile);
  beckon_wipe (call->key);
  g_clear_error (&call->refusal);
  g_free (call->model);
  g_strfreev (call->headers);
  g_bytes_unref (call->body);
  beckon_text_markup_free (call->markup);
  g_free (call);
}

void
beckon_provider_limits_default (BeckonProviderLimits *limits)
{
  g_return_if_fail (limits != NULL);

  limits->connect_s = 10;
  limits->first_byte_s = 120;
  limits->idle_s = 120;
  limits->local_first_byte_s = 600;
  limits->local_idle_s = 300;
  limits->stream_bytes = 64 * MEGABYTE;
  limits->pace_ms = 10;
}

BeckonProviderLimits
beckon_provider_limits_for_host (const BeckonProviderLimits *limits, const char *host)
{
  BeckonProviderLimits chosen = *limits;

  if (!beckon_host_is_local (host))
    return chosen;

  chosen.first_byte_s = limits->local_first_byte_s;
  chosen.idle_s = limits->local_idle_s;
  return chosen;
}

static void
beckon_provider_dispose (GObject *object)
{
  BeckonProvider *self = BECKON_PROVIDER (object);

  if (self->session != NULL)
    soup_session_abort (self->session);
  g_clear_object (&self->session);
  g_clear_object (&self->endpoints);
  g_clear_object (&self->clock);

  G_OBJECT_CLASS (beckon_provider_parent_class)->dispose (object);
}

static void
beckon_provider_class_init (BeckonProviderClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_provider_dispose;
}

static void
beckon_provider_init (BeckonProvider *self)
{
  beckon_provider_limits_default (&self->limits);
  self->session = beckon_http_exchange_make_session (CONNECTIONS_PER_HOST);
}

BeckonProvider *
beckon_provider_new (BeckonEndpointSource *endpoints, BeckonClock *clock)
{
  BeckonProvider *self;

  g_return_val_if_fail (BECKON_IS_ENDPOINT_SOURCE (endpoints), NULL);
  g_return_val_if_fail (BECKON_IS_CLOCK (clock), NULL);

  self = g_object_new (BECKON_TYPE_PROVIDER, NULL);
  self->endpoints = g_object_ref (endpoints);
  self->clock = g_object_ref (clock);
  return self;
}

void
beckon_provider_set_limits (BeckonProvider *provider, const BeckonProviderLimits *limits)
{
  g_return_if_fail (BECKON_IS_PROVIDER (provider));
  g_return_if_fail (limits != NULL);

  provider->limits = *limits;
}

/* A line break in a key would become a header of its own. */
static gboolean
check_key (const char *key, GError **error)
{
  for (const char *c = key; c != NULL && *c != '\0'; c++)
    if (!g_ascii_isgraph (*c))
      {
        g_set_error_literal (error, BECKON_LLM_ERROR, BECKON_LLM_ERROR_AUTH,
                             _("The key of this profile has a character that no key can have, such as a space or a "
                               "line break. Enter it again in the preferences."));
        return FALSE;
      }
  return TRUE;
}

static void
provider_on_event (const BeckonLlmEvent *event, gpointer user_data)
{
  Call *call = user_data;

  call->has_events = TRUE;
  beckon_text_markup_feed (call->markup, event);
}

static void on_resolved (GObject *source, GAsyncResult *result, gpointer user_data);

/* A key that a program printed may have expired: the program is asked once more, and another key that it prints is sent. */
static gboolean
ask_again (GTask *task, Call *call, GError *error)
{
  BeckonProvider *self = g_task_get_source_object (task);

  if (call->asked_again || call->has_events || !g_error_matches (error, BECKON_LLM_ERROR, BECKON_LLM_ERROR_AUTH)
      || !beckon_endpoint_source_refuse (self->endpoints, call->profile, call->key))
    return FALSE;
  call->asked_again = TRUE;
  call->refusal = error;
  beckon_endpoint_source_resolve_async (self->endpoints, call->profile, g_task_get_cancellable (task), on_resolved,
                                        g_object_ref (task));
  return TRUE;
}

static void
provider_on_streamed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = G_TASK (user_data);
  Call *call = g_task_get_task_data (task);
  GError *error = NULL;
  gboolean ok;

  ok = beckon_http_stream_run_finish (BECKON_HTTP_STREAM (source), result, &call->retry_after_ms, &error);
  beckon_text_markup_release (call->markup);
  if (ok)
    g_task_return_boolean (task, TRUE);
  else if (!ask_again (task, call, error))
    g_task_return_error (task, error);
}

static void
on_resolved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = G_TASK (user_data);
  BeckonProvider *self = g_task_get_source_object (task);
  Call *call = g_task_get_task_data (task);
  g_autofree char *base_url = NULL;
  beckon_autowipe char *key = NULL;
  g_autoptr (GUri) uri = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonHttpStream) stream = NULL;
  BeckonProviderLimits limits;

  if (g_task_return_error_if_cancelled (task))
    return;
  if (!beckon_endpoint_source_resolve_finish (BECKON_ENDPOINT_SOURCE (source), result, &base_url, &key, &error)
      || !check_key (key, &error) || (uri = beckon_llm_address_new (base_url, call->codec, call->model, &error)) == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  if (call->refusal != NULL && g_strcmp0 (key, call->key) == 0)
    {
      g_task_return_error (task, g_steal_pointer (&call->refusal));
      return;
    }
  beckon_wipe (call->key);
  call->key = g_strdup (key);

  limits = beckon_provider_limits_for_host (&self->limits, g_uri_get_host (uri));
  stream = beckon_http_stream_new (self->session, self->clock, &limits, call->codec);
  beckon_http_stream_run_async (stream, uri, key != NULL && *key != '\0' ? key : NULL,
                                (const char *const *) call->headers, call->body, provider_on_event, call,
                                g_task_get_cancellable (task), provider_on_streamed, g_object_ref (task));
}

void
beckon_provider_stream_async (BeckonProvider *provider, const BeckonLlmRequest *request, BeckonLlmEventFunc function,
                              gpointer function_data, GCancellable *cancellable, GAsyncReadyCallback callback,
                              gpointer user_data)
{
  GTask *task;
  Call *call;

  g_return_if_fail (BECKON_IS_PROVIDER (provider));
  g_return_if_fail (request != NULL);
  g_return_if_fail (function != NULL);

  call = g_new0 (Call, 1);
  call->codec = beckon_codec_for_profile (request->profile);
  call->profile = beckon_profile_copy (request->profile);
  call->model = g_strdup (beckon_profile_get_model (request->profile));
  call->headers = g_strdupv ((char **) beckon_profile_get_headers (request->profile));
  call->body = call->codec->encode (request);
  call->markup = beckon_text_markup_new (request->tools, function, function_data);
  call->retry_after_ms = -1;

  task = g_task_new (provider, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_provider_stream_async);
  g_task_set_task_data (task, call, (GDestroyNotify) provider_call_free);
  beckon_endpoint_source_resolve_async (provider->endpoints, request->profile, cancellable, on_resolved, task);
}

gboolean
beckon_provider_stream_finish (BeckonProvider *provider, GAsyncResult *result, gint64 *retry_after_ms, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, provider), FALSE);

  if (retry_after_ms != NULL)
    *retry_after_ms = ((Call *) g_task_get_task_data (G_TASK (result)))->retry_after_ms;
  return g_task_propagate_boolean (G_TASK (result), error);
}
