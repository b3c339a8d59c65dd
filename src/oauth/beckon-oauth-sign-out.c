/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The way of a sign-out: the authorization server is told (RFC 7009) while what proves who asks is there still. Its answer
 * keeps nothing from being forgotten. */

#include "beckon-config.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-wipe.h"
#include "beckon-oauth-private.h"
#include "beckon-oauth-url.h"

#include <glib/gi18n-lib.h>

static void revoke_next (BeckonOauthJob *job);

/* --- Forgetting --------------------------------------------------------------------------------------------------- */

/* A sign-in that never got into the keyring is gone all the same. */
static void
oauth_sign_out_on_forgotten (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonOauthStore *store = BECKON_OAUTH_STORE (source);
  BeckonOauthJob *job = user_data;
  GError *error = NULL;
  gboolean is_gone = BECKON_OAUTH_STORE_GET_IFACE (store)->save_finish (store, result, &error);

  if (is_gone)
    job->self->is_stored = TRUE;
  if (is_gone || job->self->is_stored || g_error_matches (error, BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_LOCKED))
    {
      beckon_oauth_job_end (job, error);
      return;
    }
  g_info ("A sign-in can't be looked for: %s", error->message);
  g_error_free (error);
  beckon_oauth_job_end (job, NULL);
}

/* The person who did not unlock the keyring just now is not asked again. */
static void
oauth_sign_out_forget (BeckonOauthJob *job)
{
  BeckonOauth *self = job->self;

  beckon_clock_remove (self->clock, job->late);
  job->late = 0;
  if (job->locked != NULL || self->store == NULL)
    beckon_oauth_job_end (job, g_steal_pointer (&job->locked));
  else
    BECKON_OAUTH_STORE_GET_IFACE (self->store)
      ->save_async (self->store, self->id, self->server, NULL, NULL, oauth_sign_out_on_forgotten, job);
}

/* --- Revoking ----------------------------------------------------------------------------------------------------- */

static char *
make_notice (BeckonOauthJob *job)
{
  g_autofree char *host = beckon_oauth_url_dup_host (job->grant->issuer);

  /* Translators: a server's name */
  return beckon_text_printf (_("You are signed out here, but %s did not confirm it. The sign-in may stay valid there until it "
                               "expires, or until you end it in your account’s settings there."),
                             host);
}

/* The first token that is revoked takes the others with it, where a server does as it should; not all can revoke those. */
static void
on_revoked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonOauthJob *job = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonOauthAnswer) answer = beckon_oauth_token_ask_finish (result, &error);

  if (answer != NULL && SOUP_STATUS_IS_SUCCESSFUL (answer->status))
    job->has_revoked = TRUE;
  else if (answer != NULL)
    g_info ("A token is not revoked: %u", answer->status);
  else
    g_info ("A token is not revoked: %s", error->message);
  if (!job->has_revoked && job->notice == NULL)
    job->notice = make_notice (job);
  if (job->grant->access_token != NULL && !g_cancellable_is_cancelled (job->io))
    revoke_next (job);
  else
    oauth_sign_out_forget (job);
}

static void
revoke_next (BeckonOauthJob *job)
{
  gboolean is_refresh = job->grant->refresh_token != NULL;
  char **place = is_refresh ? &job->grant->refresh_token : &job->grant->access_token;
  beckon_autowipe char *token = g_steal_pointer (place);
  GString *form = g_string_new (NULL);

  beckon_oauth_form_add (form, "token", token);
  beckon_oauth_form_add (form, "token_type_hint", is_refresh ? "refresh_token" : "access_token");
  beckon_oauth_job_ask (job, form, on_revoked);
}

static gboolean
oauth_sign_out_on_late (gpointer user_data)
{
  BeckonOauthJob *job = user_data;

  job->late = 0;
  g_cancellable_cancel (job->io);
  return G_SOURCE_REMOVE;
}

/* The endpoint is asked as the one for tokens is, but for what belongs to a token that is to be made. */
static void
address_revocation (BeckonOauthGrant *grant)
{
  beckon_wipe (grant->token_url);
  grant->token_url = g_steal_pointer (&grant->revoke_url);
  beckon_wipe (g_steal_pointer (&grant->resource));
}

static void
drop_expired (BeckonOauthGrant *grant, gint64 now)
{
  if (grant->expires_at != 0 && grant->expires_at < now)
    beckon_wipe (g_steal_pointer (&grant->access_token));
}

void
beckon_oauth_job_sign_out (BeckonOauthJob *job)
{
  BeckonOauth *self = job->self;

  job->grant = g_steal_pointer (&self->grant);
  if (job->grant != NULL)
    drop_expired (job->grant, beckon_clock_get_real_time (self->clock));
  if (job->grant == NULL || job->grant->revoke_url == NULL
      || (job->grant->refresh_token == NULL && job->grant->access_token == NULL))
    {
      oauth_sign_out_forget (job);
      return;
    }
  address_revocation (job->grant);
  job->late = beckon_clock_add_timeout (self->clock, BECKON_OAUTH_REVOKE_MS, oauth_sign_out_on_late, job);
  revoke_next (job);
}
