/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The way of a sign-in, from what discovery found to the tokens. */

#include "beckon-config.h"

#include "base/beckon-base64url.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-wipe.h"
#include "beckon-oauth-private.h"
#include "beckon-oauth-url.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* --- The token endpoint ------------------------------------------------------------------------------------------- */

void
beckon_oauth_job_ask (BeckonOauthJob *job, GString *form, GAsyncReadyCallback callback)
{
  BeckonOauth *self = job->self;
  const BeckonOauthParts parts = { self->net, self->login, self->wallet };

  job->is_kept = TRUE;
  beckon_oauth_token_ask_async (&parts, job->grant, form, job->io, callback, job);
}

/* Fails with what the authorization server says; %FALSE if it says yes. */
gboolean
beckon_oauth_job_is_refused (BeckonOauthJob *job, const BeckonOauthAnswer *answer)
{
  GError *error = beckon_oauth_token_make_error (job->grant->issuer, answer);

  if (error != NULL)
    beckon_oauth_job_end (job, error);
  return error != NULL;
}

gboolean
beckon_oauth_job_take_tokens (BeckonOauthJob *job, const BeckonOauthAnswer *answer, GError **error)
{
  return beckon_oauth_grant_take_tokens (job->grant, answer->body, answer->length,
                                         beckon_clock_get_real_time (job->self->clock), error);
}

/* --- Signing in --------------------------------------------------------------------------------------------------- */

static void
on_exchanged (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonOauthJob *job = user_data;
  GError *error = NULL;
  g_autoptr (BeckonOauthAnswer) answer = beckon_oauth_token_ask_finish (result, &error);

  if (answer == NULL)
    beckon_oauth_job_end (job, error);
  else if (beckon_oauth_job_is_refused (job, answer))
    return;
  else if (!beckon_oauth_job_take_tokens (job, answer, &error))
    beckon_oauth_job_end (job, error);
  else
    {
      beckon_oauth_set_grant (job->self, g_steal_pointer (&job->grant));
      g_clear_pointer (&job->self->challenge, beckon_oauth_challenge_free);
      beckon_oauth_job_save (job);
    }
}

static void
exchange (BeckonOauthJob *job, const char *code)
{
  GString *form = g_string_new (NULL);

  beckon_oauth_form_add (form, "grant_type", "authorization_code");
  beckon_oauth_form_add (form, "code", code);
  beckon_oauth_form_add (form, "redirect_uri", job->grant->redirect_uri);
  beckon_oauth_form_add (form, "code_verifier", job->verifier);
  beckon_oauth_job_ask (job, form, on_exchanged);
}

/* RFC 9207, 2.4: to the letter, before anything else of the answer is looked at. */
static gboolean
is_from_issuer (BeckonOauthJob *job, const char *name)
{
  return name == NULL ? !job->plan->issuer->names_itself : strcmp (name, job->plan->issuer->issuer) == 0;
}

static void
fail_in_browser (BeckonOauthJob *job, const char *code)
{
  g_autofree char *host = beckon_oauth_url_dup_host (job->plan->issuer->issuer);

  beckon_oauth_job_end (job, beckon_text_error_new (BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_REFUSED,
                                       /* Translators: a server's name, and a short code such as access_denied */
                                       _("%1$s refused the sign-in (%2$s)."), host,
                                       beckon_oauth_is_error_code (code) ? code : "error"));
}

static void
on_brought (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonOauthJob *job = user_data;
  GError *error = NULL;
  g_autoptr (GHashTable) brought = beckon_oauth_redirect_wait_finish (BECKON_OAUTH_REDIRECT (source), result, &error);
  const char *code = brought != NULL ? g_hash_table_lookup (brought, "code") : NULL;
  const char *refusal = brought != NULL ? g_hash_table_lookup (brought, "error") : NULL;

  if (brought == NULL)
    beckon_oauth_job_end (job, error);
  else if (!is_from_issuer (job, g_hash_table_lookup (brought, "iss")))
    /* Translators: a server's name */
    beckon_oauth_job_fail (job, BECKON_OAUTH_ERROR_UNSAFE,
              _("The browser came back from another place than %s. The sign-in was stopped."));
  else if (refusal != NULL)
    fail_in_browser (job, refusal);
  else if (code == NULL || *code == '\0')
    /* Translators: a server's name */
    beckon_oauth_job_fail (job, BECKON_OAUTH_ERROR_PROTOCOL, _("%s ended the sign-in without a result."));
  else
    exchange (job, code);
}

/* The scopes so far, and those that are missing. */
static char *
dup_scope (BeckonOauthJob *job)
{
  BeckonOauthGrant *before = job->self->grant;
  gboolean is_same = before != NULL && beckon_oauth_url_is_issuer (before->issuer, job->plan->issuer->issuer);
  const char *wanted = job->challenge != NULL && job->challenge->scope != NULL ? job->challenge->scope : job->plan->scopes;
  g_autofree char *known = beckon_oauth_scope_join (is_same ? before->scope : NULL, wanted);
  g_autofree char *scope = beckon_oauth_scope_join (known, job->self->login != NULL ? job->self->login->scope : NULL);

  if (scope != NULL && beckon_oauth_scope_has (job->plan->issuer->scopes, "offline_access"))
    return beckon_oauth_scope_join (scope, "offline_access");
  return g_steal_pointer (&scope);
}

static void
authorize (BeckonOauthJob *job)
{
  g_autofree char *challenge = NULL;
  g_autofree char *page = NULL;
  GError *error = NULL;

  if (!beckon_oauth_net_allows (job->self->net, job->plan->issuer->authorize_url, &error))
    {
      beckon_oauth_job_end (job, error);
      return;
    }
  job->verifier = beckon_base64url_random ();
  challenge = beckon_base64url_digest (job->verifier);
  page = beckon_oauth_grant_make_page (job->grant, job->plan->issuer->authorize_url,
                                       beckon_oauth_redirect_get_state (job->redirect), challenge);
  beckon_oauth_redirect_wait_async (job->redirect, job->self->clock, job->io, on_brought, job);
  job->browser (page, job->browser_data);
}

/* --- Who this program is ------------------------------------------------------------------------------------------ */

static void
on_registered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonOauthJob *job = user_data;
  GError *error = NULL;
  g_autoptr (BeckonOauthAnswer) answer = beckon_oauth_net_ask_finish (BECKON_OAUTH_NET (source), result, &error);

  if (answer == NULL)
    beckon_oauth_job_end (job, error);
  else if (SOUP_STATUS_IS_SUCCESSFUL (answer->status)
           && beckon_oauth_grant_take_registration (job->grant, job->plan->issuer->methods, answer->body, answer->length))
    authorize (job);
  else if (SOUP_STATUS_IS_SUCCESSFUL (answer->status))
    /* Translators: a server's name */
    beckon_oauth_job_fail (job, BECKON_OAUTH_ERROR_PROTOCOL,
              _("%s answered Beckon’s registration in a way that Beckon doesn’t understand."));
  else if (!beckon_oauth_job_is_refused (job, answer))
    g_assert_not_reached ();
}

static void
enroll (BeckonOauthJob *job)
{
  g_autofree char *body = beckon_oauth_grant_print_registration (job->grant, job->plan->issuer->methods);
  const BeckonOauthAsk request = { .url = job->plan->issuer->register_url, .type = "application/json", .body = body };

  beckon_oauth_net_ask_async (job->self->net, &request, job->io, on_registered, job);
}

/* A registration is good for its own address. */
static gboolean
is_registered (BeckonOauthGrant *before, BeckonOauthJob *job)
{
  return before != NULL && before->client_id != NULL && !before->is_doubted
         && beckon_oauth_url_is_issuer (before->issuer, job->plan->issuer->issuer)
         && g_strcmp0 (before->redirect_uri, job->grant->redirect_uri) == 0;
}

static void
use_client (BeckonOauthJob *job, const char *id, const char *secret, const char *method)
{
  job->grant->client_id = g_strdup (id);
  job->grant->client_secret = g_strdup (secret);
  job->grant->method = g_strdup (method);
  authorize (job);
}

static void
reuse (BeckonOauthJob *job)
{
  const BeckonOauthGrant *before = job->self->grant;
  GError *error = NULL;

  if (g_cancellable_set_error_if_cancelled (job->io, &error))
    beckon_oauth_job_end (job, error);
  else
    use_client (job, before->client_id, before->client_secret, before->method);
}

static void
on_doubt_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonOauthStore *store = BECKON_OAUTH_STORE (source);
  BeckonOauthJob *job = user_data;
  g_autoptr (GError) error = NULL;

  if (!BECKON_OAUTH_STORE_GET_IFACE (store)->save_finish (store, result, &error))
    g_info ("A sign-in is not kept: %s", error->message);
  reuse (job);
}

/* A server that has forgotten a registration says so on a page, to nobody but the person. The next sign-in after one that did
 * not end registers anew, in whichever process. */
static void
doubt (BeckonOauthJob *job)
{
  BeckonOauth *self = job->self;
  beckon_autowipe char *text = NULL;

  self->grant->is_doubted = TRUE;
  if (self->store == NULL)
    {
      reuse (job);
      return;
    }
  text = beckon_oauth_grant_print (self->grant);
  BECKON_OAUTH_STORE_GET_IFACE (self->store)
    ->save_async (self->store, self->id, self->server, text, NULL, on_doubt_saved, job);
}

/* Secrets are for the authorization server that the person named. */
static gboolean
is_elsewhere (BeckonOauthJob *job)
{
  const char *own = beckon_oauth_get_own_issuer (job->self);

  return own != NULL && !beckon_oauth_url_is_issuer (own, job->plan->issuer->issuer);
}

static void
identify (BeckonOauthJob *job)
{
  BeckonOauth *self = job->self;
  BeckonOauthIssuer *issuer = job->plan->issuer;

  if (is_elsewhere (job))
    /* Translators: a server's name */
    beckon_oauth_job_fail (job, BECKON_OAUTH_ERROR_UNSAFE,
                           _("The sign-in is now at %s, where Beckon isn’t registered. Register it there."));
  else if (beckon_oauth_get_own_client (self) != NULL)
    use_client (job, beckon_oauth_get_own_client (self), NULL,
                beckon_oauth_grant_choose_method (issuer->methods, NULL, self->login->has_secret));
  else if (self->document != NULL && issuer->reads_documents)
    use_client (job, self->document, NULL, "none");
  else if (is_registered (self->grant, job))
    doubt (job);
  else if (issuer->register_url != NULL)
    enroll (job);
  else
    /* Translators: a server's name */
    beckon_oauth_job_fail (job, BECKON_OAUTH_ERROR_REFUSED,
              _("%s lets no program sign in that it hasn’t registered before, so Beckon can’t."));
}

static void
prepare_client (BeckonOauthJob *job)
{
  BeckonOauthIssuer *issuer = job->plan->issuer;
  GError *error = NULL;

  job->redirect = beckon_oauth_redirect_new (job->self->grant != NULL ? job->self->grant->redirect_uri : NULL, &error);
  if (job->redirect == NULL)
    {
      beckon_oauth_job_end (job, error);
      return;
    }
  job->grant = beckon_oauth_grant_new ();
  job->grant->issuer = g_strdup (issuer->issuer);
  job->grant->resource = g_strdup (job->plan->resource);
  job->grant->token_url = g_strdup (issuer->token_url);
  job->grant->revoke_url = g_strdup (issuer->revoke_url);
  job->grant->scope = dup_scope (job);
  job->grant->redirect_uri = g_strdup (beckon_oauth_redirect_get_uri (job->redirect));
  identify (job);
}

/* Only a new sign-in helps. */
void
beckon_oauth_job_sign_in (BeckonOauthJob *job)
{
  job->is_kept = FALSE;
  if (job->plan == NULL || job->task == NULL || job->browser == NULL)
    beckon_oauth_job_fail_needed (job);
  else
    prepare_client (job);
}
