/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-endpoints.h"

#include "base/beckon-error.h"
#include "base/beckon-origin.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-wipe.h"
#include "beckon-config.h"
#include "settings/beckon-key-programs.h"

#include <glib/gi18n-lib.h>

struct _BeckonEndpoints
{
  GObject parent_instance;

  BeckonSecrets *secrets; /* (owned) */
  BeckonTour *tour;       /* (owned) */
  BeckonKeyPrograms *programs; /* (owned) */
  char *bound_url;        /* (owned) (nullable): on the server that the environment's key is for */
};

typedef struct
{
  char *base_url;
  char *key;
  gboolean is_bound;
} Endpoint;

static void
endpoint_free (Endpoint *endpoint)
{
  g_free (endpoint->base_url);
  beckon_wipe (endpoint->key);
  g_free (endpoint);
}

/* Whether it is on this computer or its network. */
static gboolean
is_near (const Endpoint *endpoint)
{
  g_autoptr (GUri) uri = g_uri_parse (endpoint->base_url, G_URI_FLAGS_NONE, NULL);

  return uri != NULL && beckon_host_is_local (g_uri_get_host (uri));
}

static void
on_key (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Endpoint *endpoint = g_task_get_task_data (task);
  GError *error = NULL;

  endpoint->key = beckon_secrets_lookup_finish (BECKON_SECRETS (source), result, &error);
  /* A model on this computer or beside it rarely wants a key, so a missing keyring, or a key for another server, is no reason
   * not to reach it; should it want one, it says so itself. */
  if ((g_error_matches (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE)
       || g_error_matches (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND))
      && is_near (endpoint))
    g_clear_error (&error);
  if (g_error_matches (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE))
    {
      BeckonEndpoints *self = g_task_get_source_object (task);
      g_autofree char *bound = beckon_uri_dup_origin (self->bound_url);
      g_autofree char *wanted = beckon_uri_dup_origin (endpoint->base_url);

      /* A key was set, so "set a key" would be no help. */
      if (!endpoint->is_bound && beckon_secrets_has_environment ())
        {
          g_clear_error (&error);
          beckon_text_set_error (
              &error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
              /* Translators: two environment variables and two addresses of servers */
              _("The key in %1$s goes to %2$s only, and no keyring has one for %3$s. Enter the key of this model "
                 "for this session only, or say with %4$s which server the variable is for."),
              BECKON_SECRETS_VARIABLE, bound, wanted, BECKON_SECRETS_URL_VARIABLE);
        }
    }
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

static void
on_printed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Endpoint *endpoint = g_task_get_task_data (task);
  GError *error = NULL;

  endpoint->key = beckon_key_programs_ask_finish (BECKON_KEY_PROGRAMS (source), result, &error);
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

/* As with a key that is kept: no change of an address carries what the program prints to another server. */
static void
ask_program (BeckonEndpoints *self, BeckonProfile *profile, GTask *task)
{
  Endpoint *endpoint = g_task_get_task_data (task);
  const char *bound = beckon_profile_get_key_origin (profile);
  g_autofree char *wanted = beckon_uri_dup_origin (endpoint->base_url);
  g_auto (GStrv) argv = beckon_profile_dup_key_argv (profile);

  if (argv == NULL)
    g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                             _("The program that prints the key of “%s” cannot be read. Enter it again in the preferences."),
                             beckon_profile_get_name (profile));
  else if (wanted == NULL || g_strcmp0 (bound, wanted) != 0)
    g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                             /* Translators: two addresses of servers */
                             _("The program that prints the key was entered for %1$s, and its key is not sent to %2$s. Enter "
                               "the program again for the new server."),
                             bound, wanted != NULL ? wanted : endpoint->base_url);
  else
    beckon_key_programs_ask_async (self->programs, (const char *const *) argv, g_task_get_cancellable (task), on_printed,
                                   g_object_ref (task));
}

static gboolean
beckon_endpoints_refuse (BeckonEndpointSource *source, BeckonProfile *profile, const char *key)
{
  g_auto (GStrv) argv = beckon_profile_dup_key_argv (profile);

  if (argv == NULL)
    return FALSE;
  beckon_key_programs_refuse (BECKON_ENDPOINTS (source)->programs, (const char *const *) argv, key);
  return TRUE;
}

static char *
beckon_endpoints_dup_failure (BeckonEndpointSource *source, BeckonProfile *profile)
{
  g_auto (GStrv) argv = beckon_profile_dup_key_argv (profile);

  return argv != NULL
           ? beckon_key_programs_dup_failure (BECKON_ENDPOINTS (source)->programs, (const char *const *) argv)
           : NULL;
}

static void
beckon_endpoints_resolve_async (BeckonEndpointSource *source, BeckonProfile *profile, GCancellable *cancellable,
                                GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonEndpoints *self = BECKON_ENDPOINTS (source);
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
  Endpoint *endpoint = g_new0 (Endpoint, 1);

  g_task_set_source_tag (task, beckon_endpoints_resolve_async);
  g_task_set_task_data (task, endpoint, (GDestroyNotify) endpoint_free);
  if (beckon_profile_get_kind (profile) == BECKON_PROFILE_TOUR)
    {
      GError *error = NULL;

      if (!beckon_tour_start (self->tour, &error))
        {
          g_task_return_error (task, error);
          return;
        }
      endpoint->base_url = g_strdup (beckon_tour_get_base_url (self->tour));
      endpoint->key = g_strdup (beckon_tour_get_token (self->tour));
      g_task_return_boolean (task, TRUE);
      return;
    }
  endpoint->base_url = g_strdup (beckon_profile_get_base_url (profile));
  if (*beckon_profile_get_key_command (profile) != '\0')
    {
      ask_program (self, profile, task);
      return;
    }
  if (self->bound_url == NULL)
    self->bound_url = g_strdup (endpoint->base_url);
  endpoint->is_bound = beckon_uri_same_origin (self->bound_url, endpoint->base_url);
  beckon_secrets_lookup_async (self->secrets, beckon_profile_get_id (profile), endpoint->base_url, endpoint->is_bound,
                               cancellable, on_key, g_steal_pointer (&task));
}

static gboolean
beckon_endpoints_resolve_finish (BeckonEndpointSource *source, GAsyncResult *result, char **base_url, char **key,
                                 GError **error)
{
  Endpoint *endpoint;

  if (!g_task_propagate_boolean (G_TASK (result), error))
    return FALSE;
  endpoint = g_task_get_task_data (G_TASK (result));
  *base_url = g_steal_pointer (&endpoint->base_url);
  *key = g_steal_pointer (&endpoint->key);
  return TRUE;
}

static void
beckon_endpoints_source_init (BeckonEndpointSourceInterface *iface)
{
  iface->resolve_async = beckon_endpoints_resolve_async;
  iface->resolve_finish = beckon_endpoints_resolve_finish;
  iface->refuse = beckon_endpoints_refuse;
  iface->dup_failure = beckon_endpoints_dup_failure;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (BeckonEndpoints, beckon_endpoints, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_ENDPOINT_SOURCE, beckon_endpoints_source_init))

static void
beckon_endpoints_dispose (GObject *object)
{
  BeckonEndpoints *self = BECKON_ENDPOINTS (object);

  g_clear_pointer (&self->bound_url, g_free);
  g_clear_object (&self->secrets);
  g_clear_object (&self->tour);
  g_clear_object (&self->programs);
  G_OBJECT_CLASS (beckon_endpoints_parent_class)->dispose (object);
}

static void
beckon_endpoints_class_init (BeckonEndpointsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_endpoints_dispose;
}

static void
beckon_endpoints_init (BeckonEndpoints *self)
{
}

BeckonEndpoints *
beckon_endpoints_new (BeckonSecrets *secrets, BeckonTour *tour)
{
  BeckonEndpoints *self = g_object_new (BECKON_TYPE_ENDPOINTS, NULL);

  self->secrets = g_object_ref (secrets);
  self->tour = g_object_ref (tour);
  self->programs = beckon_key_programs_new (beckon_clock_get_system ());
  return self;
}

void
beckon_endpoints_bind_environment (BeckonEndpoints *self, const char *base_url)
{
  g_return_if_fail (BECKON_IS_ENDPOINTS (self));

  g_free (self->bound_url);
  self->bound_url = g_strdup (base_url);
}

struct _BeckonEnteredEndpoint
{
  GObject parent_instance;

  char *key; /* (owned) (nullable) */
};

static void
resolve_async (BeckonEndpointSource *source, BeckonProfile *profile, GCancellable *cancellable,
               GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (source, cancellable, callback, user_data);

  g_task_set_source_tag (task, resolve_async);
  g_task_return_pointer (task, g_strdup (beckon_profile_get_base_url (profile)), g_free);
}

static gboolean
resolve_finish (BeckonEndpointSource *source, GAsyncResult *result, char **base_url, char **key, GError **error)
{
  *base_url = g_task_propagate_pointer (G_TASK (result), error);
  if (*base_url == NULL)
    return FALSE;
  *key = g_strdup (BECKON_ENTERED_ENDPOINT (source)->key);
  return TRUE;
}

static void
beckon_entered_endpoint_source_init (BeckonEndpointSourceInterface *iface)
{
  iface->resolve_async = resolve_async;
  iface->resolve_finish = resolve_finish;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (BeckonEnteredEndpoint, beckon_entered_endpoint, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_ENDPOINT_SOURCE, beckon_entered_endpoint_source_init))

static void
beckon_entered_endpoint_finalize (GObject *object)
{
  BeckonEnteredEndpoint *self = BECKON_ENTERED_ENDPOINT (object);

  beckon_wipe (self->key);
  G_OBJECT_CLASS (beckon_entered_endpoint_parent_class)->finalize (object);
}

static void
beckon_entered_endpoint_class_init (BeckonEnteredEndpointClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_entered_endpoint_finalize;
}

static void
beckon_entered_endpoint_init (BeckonEnteredEndpoint *self)
{
}

BeckonEnteredEndpoint *
beckon_entered_endpoint_new (const char *key)
{
  BeckonEnteredEndpoint *self = g_object_new (BECKON_TYPE_ENTERED_ENDPOINT, NULL);

  self->key = g_strdup (key);
  return self;
}
