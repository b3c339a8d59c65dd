/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-probe.h"

#include "base/beckon-finish.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-wipe.h"
#include "base/beckon-worker.h"
#include "beckon-http-fetch.h"
#include "beckon-http-stream.h"
#include "beckon-llm-address.h"
#include "beckon-model-list.h"
#include "net/beckon-http-exchange.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Some models refuse fewer. */
#define TEST_TOKENS 16

struct _BeckonProbe
{
  GObject parent_instance;

  BeckonEndpointSource *endpoints;
  BeckonClock *clock;
  BeckonProvider *provider;
  SoupSession *session;
};

G_DEFINE_FINAL_TYPE (BeckonProbe, beckon_probe, G_TYPE_OBJECT)

static void
beckon_probe_dispose (GObject *object)
{
  BeckonProbe *self = BECKON_PROBE (object);

  if (self->session != NULL)
    soup_session_abort (self->session);
  g_clear_object (&self->session);
  g_clear_object (&self->provider);
  g_clear_object (&self->endpoints);
  g_clear_object (&self->clock);
  G_OBJECT_CLASS (beckon_probe_parent_class)->dispose (object);
}

static void
beckon_probe_class_init (BeckonProbeClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_probe_dispose;
}

static void
beckon_probe_init (BeckonProbe *self)
{

  self->session = beckon_http_exchange_make_session (0);
}

BeckonProbe *
beckon_probe_new (BeckonEndpointSource *endpoints, BeckonClock *clock)
{
  BeckonProviderLimits limits;
  BeckonProbe *self;

  g_return_val_if_fail (BECKON_IS_ENDPOINT_SOURCE (endpoints), NULL);
  g_return_val_if_fail (BECKON_IS_CLOCK (clock), NULL);

  self = g_object_new (BECKON_TYPE_PROBE, NULL);
  self->endpoints = g_object_ref (endpoints);
  self->clock = g_object_ref (clock);
  self->provider = beckon_provider_new (endpoints, clock);
  beckon_provider_limits_default (&limits);
  limits.first_byte_s = BECKON_PROBE_TEST_S;
  limits.idle_s = BECKON_PROBE_TEST_S;
  limits.local_first_byte_s = BECKON_PROBE_TEST_S;
  limits.local_idle_s = BECKON_PROBE_TEST_S;
  beckon_provider_set_limits (self->provider, &limits);
  return self;
}

/* --- Which models there are --------------------------------------------------------------------------------------- */

typedef struct
{
  BeckonProfile *profile; /* (owned): a copy */
  guint seconds;
  char *key;       /* (owned) (nullable): the one that was sent last */
  GError *refusal; /* (owned) (nullable): of the first key */
} Listing;

static void
probe_listing_free (Listing *listing)
{
  g_object_unref (listing->profile);
  beckon_wipe (listing->key);
  g_clear_error (&listing->refusal);
  g_free (listing);
}

/* Requests the list of models. */
static BeckonCodec
make_list_codec (const BeckonCodec *codec, BeckonProfileKind kind)
{
  BeckonCodec list = *codec;

  list.path = kind == BECKON_PROFILE_OLLAMA ? "/api/tags" : "/models";
  list.query = NULL;
  if (kind == BECKON_PROFILE_GEMINI)
    list.query = "pageSize=1000";
  else if (kind == BECKON_PROFILE_ANTHROPIC)
    list.query = "limit=1000";
  list.accept = "application/json";
  return list;
}

/* A base URL may be the whole address of a request. */
static char *
dup_list_base (const char *base_url, const BeckonCodec *codec)
{
  g_autofree char *base = g_strdup (base_url);
  gsize length = strlen (base);

  while (length > 0 && base[length - 1] == '/')
    base[--length] = '\0';
  if (g_str_has_suffix (base, codec->path))
    base[length - strlen (codec->path)] = '\0';
  return g_steal_pointer (&base);
}

static void
probe_read_list (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Listing *listing = task_data;
  GBytes *body = g_object_get_data (G_OBJECT (task), "body");
  GError *error = NULL;
  GPtrArray *models = beckon_model_list_parse (beckon_profile_get_kind (listing->profile), g_bytes_get_data (body, NULL),
                                               g_bytes_get_size (body), &error);

  if (models != NULL)
    g_task_return_pointer (task, models, (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_error (task, error);
}

static void on_list_resolved (GObject *source, GAsyncResult *result, gpointer user_data);

/* As with any request: see beckon-provider.c. */
static gboolean
ask_again (GTask *task, GError *error)
{
  BeckonProbe *self = g_task_get_source_object (task);
  Listing *listing = g_task_get_task_data (task);

  if (listing->refusal != NULL || !g_error_matches (error, BECKON_LLM_ERROR, BECKON_LLM_ERROR_AUTH)
      || !beckon_endpoint_source_refuse (self->endpoints, listing->profile, listing->key))
    return FALSE;
  listing->refusal = error;
  beckon_endpoint_source_resolve_async (self->endpoints, listing->profile, g_task_get_cancellable (task), on_list_resolved,
                                        g_object_ref (task));
  return TRUE;
}

static void
on_fetched (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  GBytes *body = beckon_http_fetch_finish (SOUP_SESSION (source), result, &error);

  if (body == NULL)
    {
      if (!ask_again (task, error))
        g_task_return_error (task, error);
      return;
    }
  g_object_set_data_full (G_OBJECT (task), "body", body, (GDestroyNotify) g_bytes_unref);
  beckon_worker_run_for_person (task, probe_read_list);
}

static void
on_list_resolved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonProbe *self = g_task_get_source_object (task);
  Listing *listing = g_task_get_task_data (task);
  const BeckonCodec *codec = beckon_codec_for_profile (listing->profile);
  const BeckonCodec list = make_list_codec (codec, beckon_profile_get_kind (listing->profile));
  g_autofree char *base_url = NULL;
  beckon_autowipe char *key = NULL;
  g_autofree char *list_base = NULL;
  g_autoptr (SoupMessage) message = NULL;
  g_autoptr (GUri) uri = NULL;
  GError *error = NULL;

  if (beckon_endpoint_source_resolve_finish (BECKON_ENDPOINT_SOURCE (source), result, &base_url, &key, &error))
    {
      list_base = dup_list_base (base_url, codec);
      uri = beckon_llm_address_new (list_base, &list, "", &error);
    }
  if (uri == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  if (key != NULL && *key == '\0')
    g_clear_pointer (&key, beckon_wipe);
  if (listing->refusal != NULL && g_strcmp0 (key, listing->key) == 0)
    {
      g_task_return_error (task, g_steal_pointer (&listing->refusal));
      return;
    }
  beckon_wipe (listing->key);
  listing->key = g_strdup (key);
  message = beckon_http_message_new_get (uri, &list, key, beckon_profile_get_headers (listing->profile));
  beckon_http_fetch_async (self->session, self->clock, message, key, listing->seconds, g_task_get_cancellable (task),
                           on_fetched, g_object_ref (task));
}

void
beckon_probe_list_async (BeckonProbe *self, BeckonProfile *profile, guint seconds, GCancellable *cancellable,
                         GAsyncReadyCallback callback, gpointer user_data)
{
  Listing *listing;
  GTask *task;

  g_return_if_fail (BECKON_IS_PROBE (self));
  g_return_if_fail (BECKON_IS_PROFILE (profile));

  listing = g_new0 (Listing, 1);
  listing->profile = beckon_profile_copy (profile);
  listing->seconds = seconds != 0 ? seconds : BECKON_PROBE_LIST_S;
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_probe_list_async);
  g_task_set_task_data (task, listing, (GDestroyNotify) probe_listing_free);
  beckon_endpoint_source_resolve_async (self->endpoints, listing->profile, cancellable, on_list_resolved, task);
}

BECKON_FINISH_POINTER (GPtrArray *, beckon_probe_list, BeckonProbe)

/* --- Whether it answers ------------------------------------------------------------------------------------------- */

typedef struct
{
  BeckonProfile *profile; /* (owned): a copy */
  gint64 began;
  BeckonLlmEnd end;
  char *complaint; /* (nullable): what the provider said within its reply */
  GError *error;   /* (nullable): what came before the list of models was asked for */
} Trial;

static void
trial_free (Trial *trial)
{
  g_object_unref (trial->profile);
  g_free (trial->complaint);
  g_clear_error (&trial->error);
  g_free (trial);
}

static void
probe_on_event (const BeckonLlmEvent *event, gpointer user_data)
{
  Trial *trial = user_data;

  if (event->type == BECKON_LLM_EVENT_END)
    trial->end = event->end;
  else if (event->type == BECKON_LLM_EVENT_ERROR && trial->complaint == NULL)
    trial->complaint = g_strndup (event->text, event->length);
}

static gboolean
has_name (GPtrArray *models, const char *name)
{
  return beckon_listed_model_find (models, name + (g_str_has_prefix (name, "models/") ? strlen ("models/") : 0)) != NULL;
}

/* A list that has the model, or none at all, leaves what the server itself said. */
static GError *
tell_apart (Trial *trial, GPtrArray *models, const GError *error)
{
  const char *model = beckon_profile_get_model (trial->profile);

  if (models != NULL && !has_name (models, model))
    return beckon_text_error_new (BECKON_LLM_ERROR, BECKON_LLM_ERROR_NOT_FOUND,
                                  _("The server answers, but it has no model “%s”. Choose one of its models."), model);
  /* A server that says it of the model itself is believed, whatever became of the list. */
  if (g_error_matches (trial->error, BECKON_LLM_ERROR, BECKON_LLM_ERROR_MODEL))
    return g_steal_pointer (&trial->error);
  if (g_error_matches (error, BECKON_LLM_ERROR, BECKON_LLM_ERROR_NOT_FOUND)
      || g_error_matches (error, BECKON_LLM_ERROR, BECKON_LLM_ERROR_PROTOCOL))
    return g_error_new (BECKON_LLM_ERROR, BECKON_LLM_ERROR_NOT_FOUND,
                        _("A server answers, but not at this address. Check the base URL; many end with /v1."));
  return g_steal_pointer (&trial->error);
}

static void
probe_on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) models = beckon_probe_list_finish (BECKON_PROBE (source), result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_error (task, tell_apart (g_task_get_task_data (task), models, error));
}

static void
return_end (GTask *task, Trial *trial)
{
  BeckonProbe *self = g_task_get_source_object (task);
  const gint64 elapsed = beckon_clock_get_monotonic_time (self->clock) - trial->began;

  if (trial->end != BECKON_LLM_END_FAILED && trial->end != BECKON_LLM_END_CUT_OFF)
    g_task_return_int (task, elapsed / 1000);
  else if (trial->complaint != NULL)
    g_task_return_new_error (task, BECKON_LLM_ERROR, BECKON_LLM_ERROR_REJECTED, "%s", trial->complaint);
  else
    g_task_return_new_error (task, BECKON_LLM_ERROR, BECKON_LLM_ERROR_PROTOCOL,
                             _("The server began to answer and broke off."));
}

static void
probe_on_streamed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonProbe *self = g_task_get_source_object (task);
  Trial *trial = g_task_get_task_data (task);
  GError *error = NULL;

  if (beckon_provider_stream_finish (BECKON_PROVIDER (source), result, NULL, &error))
    return_end (task, trial);
  else if (g_error_matches (error, BECKON_LLM_ERROR, BECKON_LLM_ERROR_NOT_FOUND)
           || g_error_matches (error, BECKON_LLM_ERROR, BECKON_LLM_ERROR_MODEL)
           || g_error_matches (error, BECKON_LLM_ERROR, BECKON_LLM_ERROR_PROTOCOL))
    {
      trial->error = error;
      beckon_probe_list_async (self, trial->profile, 0, g_task_get_cancellable (task), probe_on_listed, g_object_ref (task));
    }
  else
    g_task_return_error (task, error);
}

static BeckonLlmRequest *
probe_make_request (BeckonProfile *profile)
{
  BeckonLlmRequest *request = beckon_llm_request_new (profile, NULL);
  g_autoptr (BeckonMessage) message = beckon_message_new (NULL, BECKON_ROLE_USER, 0);
  g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_TEXT, "Say OK.");

  beckon_message_add_part (message, part);
  beckon_llm_request_add_message (request, message);
  return request;
}

void
beckon_probe_test_async (BeckonProbe *self, BeckonProfile *profile, GCancellable *cancellable,
                         GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (BeckonLlmRequest) request = NULL;
  GError *error = NULL;
  Trial *trial;
  GTask *task;

  g_return_if_fail (BECKON_IS_PROBE (self));
  g_return_if_fail (BECKON_IS_PROFILE (profile));

  trial = g_new0 (Trial, 1);
  trial->profile = beckon_profile_copy (profile);
  trial->began = beckon_clock_get_monotonic_time (self->clock);
  trial->end = BECKON_LLM_END_CUT_OFF;
  beckon_profile_set_output_limit (trial->profile, TEST_TOKENS);
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_probe_test_async);
  g_task_set_task_data (task, trial, (GDestroyNotify) trial_free);
  if (!beckon_profile_check (trial->profile, &error))
    {
      g_task_return_error (task, error);
      g_object_unref (task);
      return;
    }
  request = probe_make_request (trial->profile);
  beckon_provider_stream_async (self->provider, request, probe_on_event, trial, cancellable, probe_on_streamed, task);
}

gboolean
beckon_probe_test_finish (BeckonProbe *self, GAsyncResult *result, guint *milliseconds, GError **error)
{
  gssize elapsed;

  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_probe_test_async), FALSE);

  elapsed = g_task_propagate_int (G_TASK (result), error);
  if (milliseconds != NULL)
    *milliseconds = (guint) MAX (elapsed, 0);
  return elapsed >= 0;
}
