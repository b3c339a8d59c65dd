/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-oauth-discovery.h"

#include "base/beckon-finish.h"
#include "base/beckon-text-printf.h"
#include "beckon-oauth.h"
#include "beckon-oauth-url.h"

#include <glib/gi18n-lib.h>
#include <libsoup/soup.h>
#include <string.h>

typedef struct
{
  char *server;
  char *preferred;  /* (nullable) */
  char **places;    /* where the metadata may be that is looked for */
  guint at;
  gboolean is_named; /* the refusal named the place */
  gboolean is_old;   /* the server has no metadata */
  char *issuer;     /* (nullable) */
  BeckonOauthPlan *plan;
} Discovery;

static void ask_for_resource (GTask *task);
static void ask_for_issuer (GTask *task);

void
beckon_oauth_plan_free (BeckonOauthPlan *plan)
{
  if (plan == NULL)
    return;

  g_free (plan->resource);
  g_free (plan->scopes);
  beckon_oauth_issuer_free (plan->issuer);
  g_free (plan);
}

static void
discovery_free (Discovery *discovery)
{
  g_free (discovery->server);
  g_free (discovery->preferred);
  g_strfreev (discovery->places);
  g_free (discovery->issuer);
  beckon_oauth_plan_free (discovery->plan);
  g_free (discovery);
}

static void
discovery_ask (GTask *task, GAsyncReadyCallback callback)
{
  Discovery *discovery = g_task_get_task_data (task);
  const BeckonOauthAsk request = { .url = discovery->places[discovery->at++] };

  beckon_oauth_net_ask_async (g_task_get_source_object (task), &request, g_task_get_cancellable (task), callback,
                              g_object_ref (task));
}

/* A status says that nothing is at one place, and so does a page; a server that can't be reached, or leads astray, ends the
 * search. */
static gboolean
is_missing (const BeckonOauthAnswer *answer)
{
  return (answer->status >= 300 && answer->status < 500)
         || (answer->status < 300 && answer->body[strspn (answer->body, " \t\r\n")] != '{');
}

static void
fail_status (GTask *task, const char *url, guint status)
{
  g_autofree char *host = beckon_oauth_url_dup_host (url);

  g_task_return_error (task, beckon_text_error_new (BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_FAILED,
                                                    /* Translators: a server's name, and a status of HTTP */
                                                    _("%1$s doesn’t say how to sign in (status %2$u)."), host, status));
}

static void
discovery_finish (GTask *task, BeckonOauthIssuer *issuer)
{
  Discovery *discovery = g_task_get_task_data (task);

  discovery->plan->issuer = issuer;
  g_task_return_pointer (task, g_steal_pointer (&discovery->plan), (GDestroyNotify) beckon_oauth_plan_free);
}

/* --- The authorization server ------------------------------------------------------------------------------------- */

static void
on_issuer (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Discovery *discovery = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (BeckonOauthAnswer) answer = beckon_oauth_net_ask_finish (BECKON_OAUTH_NET (source), result, &error);
  BeckonOauthIssuer *issuer;

  if (answer == NULL)
    g_task_return_error (task, error);
  else if (is_missing (answer) && discovery->places[discovery->at] != NULL)
    ask_for_issuer (task);
  else if (is_missing (answer) && discovery->is_old)
    discovery_finish (task, beckon_oauth_issuer_guess (discovery->server));
  else if (!SOUP_STATUS_IS_SUCCESSFUL (answer->status))
    fail_status (task, discovery->issuer, answer->status);
  else if ((issuer = beckon_oauth_issuer_parse (answer->body, answer->length, discovery->issuer, &error)) == NULL)
    g_task_return_error (task, error);
  else
    discovery_finish (task, issuer);
}

static void
ask_for_issuer (GTask *task)
{
  discovery_ask (task, on_issuer);
}

/* @issuer: (transfer full) */
static void
look_for_issuer (GTask *task, char *issuer)
{
  Discovery *discovery = g_task_get_task_data (task);

  discovery->issuer = issuer;
  g_strfreev (discovery->places);
  discovery->places = beckon_oauth_url_list_server_metadata (issuer);
  discovery->at = 0;
  ask_for_issuer (task);
}

/* --- The server --------------------------------------------------------------------------------------------------- */

static void
discovery_on_resource (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Discovery *discovery = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (BeckonOauthAnswer) answer = beckon_oauth_net_ask_finish (BECKON_OAUTH_NET (source), result, &error);
  g_autoptr (BeckonOauthResource) resource = NULL;

  if (answer == NULL)
    g_task_return_error (task, error);
  else if (is_missing (answer) && discovery->places[discovery->at] != NULL)
    ask_for_resource (task);
  else if (is_missing (answer) && !discovery->is_named)
    {
      discovery->is_old = TRUE;
      discovery->plan->resource = beckon_oauth_url_dup_resource (discovery->server);
      look_for_issuer (task, beckon_oauth_url_at_root (discovery->server, ""));
    }
  else if (!SOUP_STATUS_IS_SUCCESSFUL (answer->status))
    fail_status (task, discovery->server, answer->status);
  else if ((resource = beckon_oauth_resource_parse (answer->body, answer->length, discovery->server, &error)) == NULL)
    g_task_return_error (task, error);
  else
    {
      const char *issuer = resource->issuers[0];

      for (guint i = 0; resource->issuers[i] != NULL; i++)
        if (beckon_oauth_url_is_issuer (resource->issuers[i], discovery->preferred))
          issuer = resource->issuers[i];
      discovery->plan->resource = g_steal_pointer (&resource->resource);
      discovery->plan->scopes = g_steal_pointer (&resource->scopes);
      look_for_issuer (task, g_strdup (issuer));
    }
}

static void
ask_for_resource (GTask *task)
{
  discovery_ask (task, discovery_on_resource);
}

void
beckon_oauth_discover_async (BeckonOauthNet *net, const char *server, const char *resource_metadata, const char *preferred,
                             GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (net, cancellable, callback, user_data);
  Discovery *discovery = g_new0 (Discovery, 1);
  GError *error = NULL;

  g_task_set_source_tag (task, beckon_oauth_discover_async);
  g_task_set_task_data (task, discovery, (GDestroyNotify) discovery_free);
  discovery->server = g_strdup (server);
  discovery->preferred = g_strdup (preferred);
  discovery->plan = g_new0 (BeckonOauthPlan, 1);
  discovery->is_named = resource_metadata != NULL;
  if (!beckon_oauth_url_check (server, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  discovery->places = resource_metadata != NULL ? g_strdupv ((char *[]){ (char *) resource_metadata, NULL })
                                                : beckon_oauth_url_list_resource_metadata (server);
  ask_for_resource (task);
}

BECKON_FINISH_POINTER (BeckonOauthPlan *, beckon_oauth_discover, BeckonOauthNet)
