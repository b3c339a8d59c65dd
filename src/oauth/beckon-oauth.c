/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Jobs wait in a queue, and one at a time is done. A caller that cancels gets its answer at once; the job ends with it, but
 * where a token is used up that its successor has to replace. */
#include "beckon-oauth.h"

#include "base/beckon-base64url.h"
#include "base/beckon-finish.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "base/beckon-wipe.h"
#include "beckon-config.h"
#include "beckon-oauth-challenge.h"
#include "beckon-oauth-discovery.h"
#include "beckon-oauth-redirect.h"
#include "beckon-oauth-token.h"
#include "beckon-oauth-url.h"

#include <glib/gi18n-lib.h>
#include <libsoup/soup.h>
#include <string.h>

struct _BeckonOauth
{
  GObject parent_instance;

  char *server;            /* (owned) */
  char *id;                /* (owned) */
  BeckonOauthStore *store; /* (owned) (nullable) */
  BeckonClock *clock;      /* (owned) */
  BeckonOauthNet *net;     /* (owned) */
  BeckonLogin *login;      /* (owned) (nullable) */
  BeckonOauthWallet *wallet; /* (owned) (nullable): for @login */
  char *document;          /* (owned) (nullable) */
  BeckonOauthBrowser browser;
  gpointer browser_data;

  BeckonOauthGrant *grant;         /* (owned) (nullable) */
  gboolean is_stored;              /* as it is here */
  BeckonOauthChallenge *challenge; /* (owned) (nullable): the last one that only a sign-in helps against */
  gint64 renewed_at;               /* monotonic; 0 for never */
  GQueue jobs;                     /* (element-type BeckonOauthJob): the first one is being done */
};

typedef enum
{
  BECKON_OAUTH_JOB_LOOK,
  BECKON_OAUTH_JOB_TOKEN,
  BECKON_OAUTH_JOB_REFUSED,
  BECKON_OAUTH_JOB_SIGN_IN,
  BECKON_OAUTH_JOB_SIGN_OUT,
} BeckonOauthJobKind;

/* A thing that was asked of it. Each step ends in the next one or in beckon_oauth_job_end(), once. */
typedef struct
{
  BeckonOauthJobKind kind;
  BeckonOauth *self;               /* (owned) */
  GTask *task;                     /* (owned) (nullable): until it is answered */
  GSource *cancelled;              /* (owned) (nullable) */
  GCancellable *io;                /* (owned) */
  gboolean is_begun;
  gboolean is_kept;                /* a cancelled caller does not end it */
  guint status;
  char *token;                     /* (owned) (nullable): that was refused */
  BeckonOauthChallenge *challenge; /* (owned) (nullable) */
  BeckonOauthBrowser browser;      /* (nullable) */
  gpointer browser_data;
  BeckonOauthPlan *plan;           /* (owned) (nullable) */
  BeckonOauthGrant *grant;         /* (owned) (nullable): in the making */
  char *refusal;                   /* (owned) (nullable): why it was not renewed */
  guint n_looks;                   /* for what another process got instead */
  BeckonOauthRedirect *redirect;   /* (owned) (nullable) */
  char *verifier;                  /* (owned) (nullable) */
  gboolean may_ask;                /* the person may be asked to unlock the store */
  GError *locked;                  /* (owned) (nullable): why the store could not be read */
  guint late;                      /* ends the wait for a revocation; 0 for none */
  gboolean has_revoked;
  char *notice;                    /* (owned) (nullable): for the person who signs out */
} BeckonOauthJob;

static void oauth_job_end (BeckonOauthJob *job, GError *error);
static void oauth_job_ask (BeckonOauthJob *job, GString *form, GAsyncReadyCallback callback);
static gboolean oauth_job_is_refused (BeckonOauthJob *job, const BeckonOauthAnswer *answer);
static gboolean oauth_job_take_tokens (BeckonOauthJob *job, const BeckonOauthAnswer *answer,
                                       GError **error);
static void oauth_job_sign_in (BeckonOauthJob *job);

/* The way of a sign-out: the authorization server is told (RFC 7009) while what proves who asks is there still. Its answer
 * keeps nothing from being forgotten. */

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
      oauth_job_end (job, error);
      return;
    }
  g_info ("A sign-in can't be looked for: %s", error->message);
  g_error_free (error);
  oauth_job_end (job, NULL);
}

/* The person who did not unlock the keyring just now is not asked again. */
static void
oauth_sign_out_forget (BeckonOauthJob *job)
{
  BeckonOauth *self = job->self;

  beckon_clock_remove (self->clock, job->late);
  job->late = 0;
  if (job->locked != NULL || self->store == NULL)
    oauth_job_end (job, g_steal_pointer (&job->locked));
  else
    BECKON_OAUTH_STORE_GET_IFACE (self->store)
      ->save_async (self->store, self->id, self->server, NULL, NULL, oauth_sign_out_on_forgotten, job);
}

/* --- Revoking ----------------------------------------------------------------------------------------------------- */

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
    {
      g_autofree char *host = beckon_oauth_url_dup_host (job->grant->issuer);

      /* Translators: a server's name */
      job->notice = beckon_text_printf (
          _("You are signed out here, but %s did not confirm it. The sign-in may stay valid there until it "
             "expires, or until you end it in your account’s settings there."),
          host);
    }
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
  oauth_job_ask (job, form, on_revoked);
}

static gboolean
oauth_sign_out_on_late (gpointer user_data)
{
  BeckonOauthJob *job = user_data;

  job->late = 0;
  g_cancellable_cancel (job->io);
  return G_SOURCE_REMOVE;
}

/* A token is renewed before it ends. */
#define EARLY_US (30 * G_USEC_PER_SEC)

/* A token that is refused so soon after its renewal is not renewed again. */
#define FRESH_US (60 * G_USEC_PER_SEC)

/* How long another process may take to store what it got. */
#define STORING_MS 1000

/* RFC 6585, 4 */
#define TOO_MANY_REQUESTS 429

static void begin_next (BeckonOauth *self);

G_DEFINE_FINAL_TYPE (BeckonOauth, beckon_oauth, G_TYPE_OBJECT)

static void
beckon_oauth_finalize (GObject *object)
{
  BeckonOauth *self = BECKON_OAUTH (object);

  g_assert (g_queue_is_empty (&self->jobs));
  g_free (self->server);
  g_free (self->id);
  g_clear_object (&self->store);
  g_object_unref (self->clock);
  g_object_unref (self->net);
  beckon_login_free (self->login);
  g_clear_object (&self->wallet);
  g_free (self->document);
  beckon_oauth_grant_free (self->grant);
  beckon_oauth_challenge_free (self->challenge);

  G_OBJECT_CLASS (beckon_oauth_parent_class)->finalize (object);
}

static void
beckon_oauth_class_init (BeckonOauthClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_oauth_finalize;
}

static void
beckon_oauth_init (BeckonOauth *self)
{
  g_queue_init (&self->jobs);
}

BeckonOauth *
beckon_oauth_new (const char *server, BeckonOauthStore *store, const char *id, BeckonClock *clock)
{
  BeckonOauth *self;

  g_return_val_if_fail (server != NULL && id != NULL, NULL);
  g_return_val_if_fail (store == NULL || BECKON_IS_OAUTH_STORE (store), NULL);
  g_return_val_if_fail (BECKON_IS_CLOCK (clock), NULL);

  self = g_object_new (BECKON_TYPE_OAUTH, NULL);
  self->server = g_strdup (server);
  self->id = g_strdup (id);
  g_set_object (&self->store, store);
  self->clock = g_object_ref (clock);
  self->net = beckon_oauth_net_new (server, clock);
  return self;
}

void
beckon_oauth_set_login (BeckonOauth *self, const BeckonLogin *login, BeckonOauthWallet *wallet)
{
  g_return_if_fail (BECKON_IS_OAUTH (self));
  g_return_if_fail (login == NULL || BECKON_IS_OAUTH_WALLET (wallet));
  g_return_if_fail (g_queue_is_empty (&self->jobs));

  beckon_login_free (self->login);
  self->login = beckon_login_copy (login);
  g_set_object (&self->wallet, wallet);
}

void
beckon_oauth_set_document (BeckonOauth *self, const char *url)
{
  g_return_if_fail (BECKON_IS_OAUTH (self));

  g_free (self->document);
  self->document = g_strdup (url);
}

void
beckon_oauth_set_browser (BeckonOauth *self, BeckonOauthBrowser browser, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_OAUTH (self));

  self->browser = browser;
  self->browser_data = user_data;
}

/* (nullable): as it was registered by hand. */
static const char *
oauth_get_own_client (BeckonOauth *self)
{
  return self->login != NULL ? self->login->client_id : NULL;
}

static const char *
oauth_get_own_issuer (BeckonOauth *self)
{
  return self->login != NULL ? self->login->issuer : NULL;
}

/* --- Jobs --------------------------------------------------------------------------------------------------------- */

static void
job_free (BeckonOauthJob *job)
{
  g_clear_object (&job->redirect);
  g_object_unref (job->io);
  beckon_wipe (job->token);
  beckon_wipe (job->verifier);
  g_free (job->refusal);
  beckon_oauth_challenge_free (job->challenge);
  beckon_oauth_plan_free (job->plan);
  beckon_oauth_grant_free (job->grant);
  g_clear_error (&job->locked);
  g_free (job->notice);
  g_object_unref (job->self);
  g_free (job);
}

/* (transfer full) (nullable): the right to answer the caller. */
static GTask *
take_task (BeckonOauthJob *job)
{
  if (job->cancelled != NULL)
    g_source_destroy (job->cancelled);
  g_clear_pointer (&job->cancelled, g_source_unref);
  return g_steal_pointer (&job->task);
}

/* (transfer full) (nullable): what the caller gets. */
static char *
oauth_take_result (BeckonOauthJob *job)
{
  if (job->kind == BECKON_OAUTH_JOB_SIGN_OUT)
    return g_steal_pointer (&job->notice);
  return job->self->grant != NULL ? g_strdup (job->self->grant->access_token) : NULL;
}

/* The job is over: the caller gets @error, (transfer full), or the token that there is. */
static void
oauth_job_end (BeckonOauthJob *job, GError *error)
{
  g_autoptr (BeckonOauth) self = g_object_ref (job->self);
  g_autoptr (GTask) task = take_task (job);
  char *token = error == NULL ? oauth_take_result (job) : NULL;

  g_queue_remove (&self->jobs, job);
  job_free (job);
  begin_next (self);
  if (task == NULL || error != NULL)
    beckon_wipe (token);
  if (task == NULL)
    g_clear_error (&error);
  else if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, token, (GDestroyNotify) beckon_wipe);
}

/* Likewise. @words: a sentence with one %s, the server's name. */
static void
oauth_job_fail (BeckonOauthJob *job, BeckonOauthError code, const char *words)
{
  g_autofree char *host = beckon_oauth_url_dup_host (job->plan != NULL && job->plan->issuer != NULL ? job->plan->issuer->issuer
                                                     : job->self->server);
  g_autofree char *sentence = beckon_text_fill_in (words, host);

  oauth_job_end (job, g_error_new_literal (BECKON_OAUTH_ERROR, (int) code, sentence));
}

static gboolean
oauth_on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  BeckonOauthJob *job = user_data;
  g_autoptr (GTask) task = take_task (job);

  if (!job->is_begun)
    {
      g_queue_remove (&job->self->jobs, job);
      job_free (job);
    }
  else if (!job->is_kept)
    g_cancellable_cancel (job->io);
  g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, _("The sign-in was stopped."));
  return G_SOURCE_REMOVE;
}

/* --- Keeping ------------------------------------------------------------------------------------------------------ */

static void
oauth_on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonOauthStore *store = BECKON_OAUTH_STORE (source);
  BeckonOauthJob *job = user_data;
  g_autoptr (GError) error = NULL;

  /* The sign-in lasts until the program ends, at least. */
  job->self->is_stored = BECKON_OAUTH_STORE_GET_IFACE (store)->save_finish (store, result, &error);
  if (!job->self->is_stored)
    g_info ("A sign-in is not kept: %s", error->message);
  oauth_job_end (job, NULL);
}

/* Stores what there is, then ends it. */
static void
oauth_job_save (BeckonOauthJob *job)
{
  BeckonOauth *self = job->self;
  beckon_autowipe char *text = self->grant != NULL ? beckon_oauth_grant_print (self->grant) : NULL;

  if (self->store == NULL)
    oauth_job_end (job, NULL);
  else
    BECKON_OAUTH_STORE_GET_IFACE (self->store)
      ->save_async (self->store, self->id, self->server, text, NULL, oauth_on_saved, job);
}

/* Whether a sign-in is one that the settings would lead to: its client's secret goes to no other authorization server. */
static gboolean
fits_login (const BeckonLogin *login, const BeckonOauthGrant *grant)
{
  return login == NULL
         || ((login->client_id == NULL || g_strcmp0 (grant->client_id, login->client_id) == 0)
             && (login->issuer == NULL || beckon_oauth_url_is_issuer (grant->issuer, login->issuer)));
}

/* (nullable): what was kept; a sign-in to another part of the same server, or by other settings, is not used for this one. */
static BeckonOauthGrant *
read_grant (BeckonOauth *self, const char *text)
{
  g_autoptr (BeckonOauthGrant) grant = text != NULL ? beckon_oauth_grant_parse (text) : NULL;

  if (grant == NULL || grant->issuer == NULL || grant->token_url == NULL || grant->resource == NULL
      || !beckon_oauth_url_covers (grant->resource, self->server) || !fits_login (self->login, grant))
    return NULL;
  return g_steal_pointer (&grant);
}

/* @grant: (transfer full) (nullable) */
static void
oauth_set_grant (BeckonOauth *self, BeckonOauthGrant *grant)
{
  beckon_oauth_grant_free (self->grant);
  self->grant = grant;
}

/* --- Renewal ------------------------------------------------------------------------------------------------------ */

/* (nullable): why the refresh token itself, or this program, was refused; a server that is not well may take it later. */
static char *
dup_refusal (const BeckonOauthAnswer *answer)
{
  static const char *const passing[] = { "temporarily_unavailable", "server_error", "slow_down", NULL };
  g_autofree char *code = beckon_oauth_dup_error_code (answer->body, answer->length);

  if (answer->status >= 500 || answer->status == TOO_MANY_REQUESTS || code == NULL || g_strv_contains (passing, code))
    return NULL;
  return g_steal_pointer (&code);
}

/* Ends it with the word that the person has to sign in, and keeps the challenge for that. */
static void
oauth_job_fail_needed (BeckonOauthJob *job)
{
  BeckonOauth *self = job->self;

  g_clear_pointer (&self->challenge, beckon_oauth_challenge_free);
  self->challenge = g_steal_pointer (&job->challenge);
  g_clear_pointer (&job->plan, beckon_oauth_plan_free);
  /* Translators: a server's name */
  oauth_job_fail (job, BECKON_OAUTH_ERROR_NEEDED, _("%s needs you to sign in."));
}

static void look_again (BeckonOauthJob *job);

static void
drop_refused (BeckonOauthJob *job)
{
  BeckonOauth *self = job->self;

  if (strcmp (job->refusal, "invalid_client") == 0)
    beckon_oauth_grant_drop_client (self->grant);
  else
    beckon_oauth_grant_drop_tokens (self->grant);
  g_clear_pointer (&job->grant, beckon_oauth_grant_free);
  if (job->kind == BECKON_OAUTH_JOB_TOKEN)
    oauth_job_save (job);
  else
    oauth_job_sign_in (job);
}

static gboolean
oauth_on_pause_over (gpointer user_data)
{
  look_again (user_data);
  return G_SOURCE_REMOVE;
}

/* Another process that was faster has the tokens that the refused one was renewed for, or is just storing them. */
static void
on_looked_again (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonOauthStore *store = BECKON_OAUTH_STORE (source);
  BeckonOauthJob *job = user_data;
  g_autoptr (GError) error = NULL;
  beckon_autowipe char *text = BECKON_OAUTH_STORE_GET_IFACE (store)->load_finish (store, result, &error);
  g_autoptr (BeckonOauthGrant) kept = read_grant (job->self, text);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      oauth_job_end (job, g_steal_pointer (&error));
      return;
    }
  if (kept == NULL || kept->access_token == NULL || g_strcmp0 (kept->refresh_token, job->grant->refresh_token) == 0)
    {
      if (kept != NULL && job->n_looks++ == 0)
        beckon_clock_add_timeout (job->self->clock, STORING_MS, oauth_on_pause_over, job);
      else
        drop_refused (job);
      return;
    }
  oauth_set_grant (job->self, g_steal_pointer (&kept));
  g_clear_pointer (&job->grant, beckon_oauth_grant_free);
  oauth_job_end (job, NULL);
}

static void
look_again (BeckonOauthJob *job)
{
  BeckonOauth *self = job->self;

  BECKON_OAUTH_STORE_GET_IFACE (self->store)
    ->load_async (self->store, self->id, self->server, FALSE, job->io, on_looked_again, job);
}

static void
on_renewed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonOauthJob *job = user_data;
  BeckonOauth *self = job->self;
  g_autofree char *refusal = NULL;
  GError *error = NULL;
  g_autoptr (BeckonOauthAnswer) answer = beckon_oauth_token_ask_finish (result, &error);

  if (answer != NULL && answer->status == SOUP_STATUS_OK && oauth_job_take_tokens (job, answer, &error))
    {
      self->renewed_at = beckon_clock_get_monotonic_time (self->clock);
      oauth_set_grant (self, g_steal_pointer (&job->grant));
      oauth_job_save (job);
    }
  else if (answer != NULL && (refusal = dup_refusal (answer)) != NULL)
    {
      char *taken;

      g_clear_error (&error);
      taken = g_steal_pointer (&refusal);
      g_free (job->refusal);
      job->refusal = taken;
      if (job->self->store == NULL)
        drop_refused (job);
      else
        look_again (job);
    }
  else if (job->kind == BECKON_OAUTH_JOB_TOKEN && beckon_clock_get_real_time (self->clock) < self->grant->expires_at)
    {
      g_clear_error (&error);
      oauth_job_end (job, NULL);
    }
  else if (answer == NULL || error != NULL)
    oauth_job_end (job, error);
  else if (!oauth_job_is_refused (job, answer))
    g_assert_not_reached ();
}

static void
renew (BeckonOauthJob *job)
{
  GString *form = g_string_new (NULL);

  job->grant = beckon_oauth_grant_copy (job->self->grant);
  beckon_oauth_form_add (form, "grant_type", "refresh_token");
  beckon_oauth_form_add (form, "refresh_token", job->grant->refresh_token);
  oauth_job_ask (job, form, on_renewed);
}

/* --- What a job begins with --------------------------------------------------------------------------------------- */

static gboolean
may_renew (BeckonOauthJob *job)
{
  BeckonOauth *self = job->self;
  gboolean is_fresh = self->renewed_at != 0
                      && beckon_clock_get_monotonic_time (self->clock) - self->renewed_at < FRESH_US;

  return job->kind == BECKON_OAUTH_JOB_REFUSED && job->status == SOUP_STATUS_UNAUTHORIZED && !is_fresh && self->grant != NULL
         && self->grant->refresh_token != NULL && beckon_oauth_url_is_issuer (self->grant->issuer, job->plan->issuer->issuer)
         && strcmp (self->grant->token_url, job->plan->issuer->token_url) == 0
         && strcmp (self->grant->resource, job->plan->resource) == 0;
}

static void
on_discovered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonOauthJob *job = user_data;
  GError *error = NULL;

  job->plan = beckon_oauth_discover_finish (BECKON_OAUTH_NET (source), result, &error);
  if (job->plan == NULL)
    oauth_job_end (job, error);
  else if (may_renew (job))
    renew (job);
  else
    oauth_job_sign_in (job);
}

static void
discover (BeckonOauthJob *job)
{
  BeckonOauth *self = job->self;

  beckon_oauth_discover_async (self->net, self->server, job->challenge->resource_metadata,
                               oauth_get_own_issuer (self) != NULL ? oauth_get_own_issuer (self)
                               : self->grant != NULL         ? self->grant->issuer
                               : NULL,
                               job->io, on_discovered, job);
}

static void
oauth_on_probed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonOauthJob *job = user_data;
  GError *error = NULL;
  g_autoptr (BeckonOauthAnswer) answer = beckon_oauth_net_ask_finish (BECKON_OAUTH_NET (source), result, &error);

  if (answer == NULL)
    {
      oauth_job_end (job, error);
      return;
    }
  job->challenge = beckon_oauth_challenge_parse (answer->status == SOUP_STATUS_UNAUTHORIZED ? answer->challenge : NULL);
  discover (job);
}

/* The server is asked for something, so that it says how it wants to be signed in to. */
static void
probe (BeckonOauthJob *job)
{
  const BeckonOauthAsk request
      = { .url = job->self->server, .type = "application/json", .body = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}" };

  job->challenge = g_steal_pointer (&job->self->challenge);
  if (job->challenge != NULL)
    discover (job);
  else
    beckon_oauth_net_ask_async (job->self->net, &request, job->io, oauth_on_probed, job);
}

/* Without a browser only a renewal helps, and nothing is asked of anybody for less. */
static gboolean
is_hopeless (BeckonOauthJob *job)
{
  BeckonOauthGrant *grant = job->self->grant;

  return job->browser == NULL
         && (job->status != SOUP_STATUS_UNAUTHORIZED || grant == NULL || grant->refresh_token == NULL);
}

static void
do_refused (BeckonOauthJob *job)
{
  BeckonOauthGrant *grant = job->self->grant;
  gboolean is_scope = g_strcmp0 (job->challenge->error, "insufficient_scope") == 0;

  if (grant != NULL && grant->access_token != NULL && g_strcmp0 (grant->access_token, job->token) != 0)
    oauth_job_end (job, NULL);
  else if (job->status != SOUP_STATUS_UNAUTHORIZED && !is_scope)
    /* Translators: a server's name */
    oauth_job_fail (job, BECKON_OAUTH_ERROR_REFUSED, _("%s doesn’t allow this to the account that you signed in with."));
  else if (is_scope && grant != NULL && beckon_oauth_scope_has (grant->scope, job->challenge->scope))
    /* Translators: a server's name */
    oauth_job_fail (job, BECKON_OAUTH_ERROR_REFUSED,
                    _("%s asks for permissions that the sign-in has already asked for."));
  else if (is_hopeless (job))
    oauth_job_fail_needed (job);
  else
    discover (job);
}

static gboolean
is_ending (BeckonOauth *self)
{
  return self->grant != NULL && self->grant->refresh_token != NULL && self->grant->expires_at != 0
         && beckon_clock_get_real_time (self->clock) > self->grant->expires_at - EARLY_US;
}

static void
do_job (BeckonOauthJob *job)
{
  switch (job->kind)
    {
    case BECKON_OAUTH_JOB_LOOK:
      oauth_job_end (job, NULL);
      break;
    case BECKON_OAUTH_JOB_TOKEN:
      if (is_ending (job->self))
        renew (job);
      else
        oauth_job_end (job, NULL);
      break;
    case BECKON_OAUTH_JOB_REFUSED:
      do_refused (job);
      break;
    case BECKON_OAUTH_JOB_SIGN_IN:
      probe (job);
      break;
    case BECKON_OAUTH_JOB_SIGN_OUT:
      /* Revokes the tokens where that is possible, forgets the sign-in, and ends the job. */
      {
        BeckonOauth *self = job->self;
        BeckonOauthGrant *grant;

        job->grant = g_steal_pointer (&self->grant);
        if (job->grant != NULL && job->grant->expires_at != 0
            && job->grant->expires_at < beckon_clock_get_real_time (self->clock))
          beckon_wipe (g_steal_pointer (&job->grant->access_token));
        if (job->grant == NULL || job->grant->revoke_url == NULL
            || (job->grant->refresh_token == NULL && job->grant->access_token == NULL))
          oauth_sign_out_forget (job);
        else
          {
            /* The endpoint is asked as the one for tokens is, but for what belongs to a token that is to be made. */
            grant = job->grant;
            beckon_wipe (grant->token_url);
            grant->token_url = g_steal_pointer (&grant->revoke_url);
            beckon_wipe (g_steal_pointer (&grant->resource));
            job->late = beckon_clock_add_timeout (self->clock, BECKON_OAUTH_REVOKE_MS, oauth_sign_out_on_late, job);
            revoke_next (job);
          }
      }
      break;
    default:
      g_assert_not_reached ();
    }
}

/* Whether only what is in a locked keyring helps: a sign-in would be one too many. */
static gboolean
needs_key (BeckonOauthJob *job)
{
  return job->kind == BECKON_OAUTH_JOB_REFUSED && job->self->grant == NULL && job->browser == NULL;
}

static void
oauth_on_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonOauthStore *store = BECKON_OAUTH_STORE (source);
  BeckonOauthJob *job = user_data;
  g_autoptr (GError) error = NULL;
  beckon_autowipe char *text = BECKON_OAUTH_STORE_GET_IFACE (store)->load_finish (store, result, &error);

  gboolean is_locked = g_error_matches (error, BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_LOCKED);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) || (is_locked && needs_key (job))
      || (error != NULL && job->kind == BECKON_OAUTH_JOB_LOOK))
    {
      oauth_job_end (job, g_steal_pointer (&error));
      return;
    }
  /* Without a keyring the person signs in for this session. */
  if (error != NULL)
    g_info ("A sign-in is not looked up: %s", error->message);
  else if (text != NULL || job->self->is_stored)
    {
      oauth_set_grant (job->self, read_grant (job->self, text));
      job->self->is_stored = TRUE;
    }
  if (is_locked)
    job->locked = g_steal_pointer (&error);
  do_job (job);
}

/* The keyring is asked where a token is wanted that isn't here: not for servers that nobody signs in to, which would have it
 * unlocked for nothing. Another process may have signed in, or renewed what is here, meanwhile. */
static gboolean
has_to_load (BeckonOauthJob *job)
{
  if (job->self->store == NULL)
    return FALSE;
  switch (job->kind)
    {
    case BECKON_OAUTH_JOB_LOOK:
      return job->self->grant == NULL;
    case BECKON_OAUTH_JOB_TOKEN:
      return is_ending (job->self);
    case BECKON_OAUTH_JOB_REFUSED:
    case BECKON_OAUTH_JOB_SIGN_IN:
    case BECKON_OAUTH_JOB_SIGN_OUT:
    default:
      return TRUE;
    }
}

static void
begin_next (BeckonOauth *self)
{
  BeckonOauthJob *job = g_queue_peek_head (&self->jobs);

  if (job == NULL || job->is_begun)
    return;
  job->is_begun = TRUE;
  if (!has_to_load (job))
    do_job (job);
  else
    BECKON_OAUTH_STORE_GET_IFACE (self->store)
      ->load_async (self->store, self->id, self->server, !job->may_ask, job->io, oauth_on_loaded, job);
}

static BeckonOauthJob *
job_new (BeckonOauth *self, BeckonOauthJobKind kind, gpointer tag, GCancellable *cancellable, GAsyncReadyCallback callback,
         gpointer user_data)
{
  BeckonOauthJob *job = g_new0 (BeckonOauthJob, 1);

  job->kind = kind;
  job->self = g_object_ref (self);
  job->io = g_cancellable_new ();
  job->may_ask = TRUE;
  job->browser = self->browser;
  job->browser_data = self->browser_data;
  job->task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (job->task, tag);
  g_task_set_check_cancellable (job->task, FALSE);
  if (cancellable != NULL)
    {
      job->cancelled = g_cancellable_source_new (cancellable);
      g_source_set_callback (job->cancelled, G_SOURCE_FUNC (oauth_on_cancelled), job, NULL);
      g_source_attach (job->cancelled, g_main_context_get_thread_default ());
    }
  return job;
}

static void
add_job (BeckonOauth *self, BeckonOauthJob *job)
{
  g_queue_push_tail (&self->jobs, job);
  begin_next (self);
}

/* --- What it is asked --------------------------------------------------------------------------------------------- */

void
beckon_oauth_get_token_async (BeckonOauth *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_OAUTH (self));

  add_job (self, job_new (self, BECKON_OAUTH_JOB_TOKEN, beckon_oauth_get_token_async, cancellable, callback, user_data));
}

BECKON_FINISH_POINTER (char *, beckon_oauth_get_token, BeckonOauth)

void
beckon_oauth_look_async (BeckonOauth *self, gboolean may_ask, GCancellable *cancellable, GAsyncReadyCallback callback,
                         gpointer user_data)
{
  BeckonOauthJob *job;

  g_return_if_fail (BECKON_IS_OAUTH (self));

  job = job_new (self, BECKON_OAUTH_JOB_LOOK, beckon_oauth_look_async, cancellable, callback, user_data);
  job->may_ask = may_ask;
  add_job (self, job);
}

gboolean
beckon_oauth_look_finish (BeckonOauth *self, GAsyncResult *result, GError **error)
{
  beckon_autowipe char *token = NULL;

  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_oauth_look_async), FALSE);

  token = g_task_propagate_pointer (G_TASK (result), error);
  return token != NULL;
}

void
beckon_oauth_refused_async (BeckonOauth *self, guint status, const char *challenge, const char *token,
                            GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonOauthJob *job;

  g_return_if_fail (BECKON_IS_OAUTH (self));

  job = job_new (self, BECKON_OAUTH_JOB_REFUSED, beckon_oauth_refused_async, cancellable, callback, user_data);
  job->status = status;
  job->challenge = beckon_oauth_challenge_parse (challenge);
  job->token = g_strdup (token);
  add_job (self, job);
}

BECKON_FINISH_POINTER (char *, beckon_oauth_refused, BeckonOauth)

void
beckon_oauth_sign_in_async (BeckonOauth *self, BeckonOauthBrowser browser, gpointer browser_data, GCancellable *cancellable,
                            GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonOauthJob *job;

  g_return_if_fail (BECKON_IS_OAUTH (self));
  g_return_if_fail (browser != NULL);

  job = job_new (self, BECKON_OAUTH_JOB_SIGN_IN, beckon_oauth_sign_in_async, cancellable, callback, user_data);
  job->browser = browser;
  job->browser_data = browser_data;
  add_job (self, job);
}

/* @text: (out) (nullable): what came with it. Whether there is no error. */
static gboolean
oauth_finish (BeckonOauth *self, GAsyncResult *result, gpointer tag, char **text, GError **error)
{
  g_autoptr (GError) failure = NULL;

  *text = g_task_propagate_pointer (G_TASK (result), &failure);
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

gboolean
beckon_oauth_is_kept (BeckonOauth *self)
{
  g_return_val_if_fail (BECKON_IS_OAUTH (self), FALSE);

  return self->is_stored;
}

gboolean
beckon_oauth_sign_in_finish (BeckonOauth *self, GAsyncResult *result, GError **error)
{
  beckon_autowipe char *token = NULL;

  return oauth_finish (self, result, beckon_oauth_sign_in_async, &token, error);
}

void
beckon_oauth_sign_out_async (BeckonOauth *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonOauthJob *job;

  g_return_if_fail (BECKON_IS_OAUTH (self));

  /* A person who signs out does not come back from the browser; where a token is used up, its successor is waited for. */
  for (GList *at = self->jobs.head; at != NULL; at = at->next)
    {
      BeckonOauthJob *other = at->data;

      if (other->kind != BECKON_OAUTH_JOB_SIGN_OUT && !other->is_kept)
        g_cancellable_cancel (other->io);
    }
  job = job_new (self, BECKON_OAUTH_JOB_SIGN_OUT, beckon_oauth_sign_out_async, cancellable, callback, user_data);
  job->is_kept = TRUE;
  add_job (self, job);
}

gboolean
beckon_oauth_sign_out_finish (BeckonOauth *self, GAsyncResult *result, char **notice, GError **error)
{
  g_autofree char *text = NULL;
  gboolean is_out = oauth_finish (self, result, beckon_oauth_sign_out_async, &text, error);

  if (notice != NULL)
    *notice = g_steal_pointer (&text);
  return is_out;
}

/* The way of a sign-in, from what discovery found to the tokens. */

/* --- The token endpoint ------------------------------------------------------------------------------------------- */

static void
oauth_job_ask (BeckonOauthJob *job, GString *form, GAsyncReadyCallback callback)
{
  BeckonOauth *self = job->self;
  const BeckonOauthParts parts = { self->net, self->login, self->wallet };

  job->is_kept = TRUE;
  beckon_oauth_token_ask_async (&parts, job->grant, form, job->io, callback, job);
}

/* Fails with what the authorization server says; %FALSE if it says yes. */
static gboolean
oauth_job_is_refused (BeckonOauthJob *job, const BeckonOauthAnswer *answer)
{
  GError *error = beckon_oauth_token_make_error (job->grant->issuer, answer);

  if (error != NULL)
    oauth_job_end (job, error);
  return error != NULL;
}

/* Takes the tokens of an answer into the grant in the making. */
static gboolean
oauth_job_take_tokens (BeckonOauthJob *job, const BeckonOauthAnswer *answer, GError **error)
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
    oauth_job_end (job, error);
  else if (oauth_job_is_refused (job, answer))
    return;
  else if (!oauth_job_take_tokens (job, answer, &error))
    oauth_job_end (job, error);
  else
    {
      oauth_set_grant (job->self, g_steal_pointer (&job->grant));
      g_clear_pointer (&job->self->challenge, beckon_oauth_challenge_free);
      oauth_job_save (job);
    }
}

/* RFC 9207, 2.4: to the letter, before anything else of the answer is looked at. */
static gboolean
is_from_issuer (BeckonOauthJob *job, const char *name)
{
  return name == NULL ? !job->plan->issuer->names_itself : strcmp (name, job->plan->issuer->issuer) == 0;
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
    oauth_job_end (job, error);
  else if (!is_from_issuer (job, g_hash_table_lookup (brought, "iss")))
    /* Translators: a server's name */
    oauth_job_fail (job, BECKON_OAUTH_ERROR_UNSAFE,
       _("The browser came back from another place than %s. The sign-in was stopped."));
  else if (refusal != NULL)
    {
      g_autofree char *host = beckon_oauth_url_dup_host (job->plan->issuer->issuer);

      oauth_job_end (job, beckon_text_error_new (BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_REFUSED,
                                                 /* Translators: a server's name, and a short code such as access_denied */
                                                 _("%1$s refused the sign-in (%2$s)."), host,
                                                 beckon_oauth_is_error_code (refusal) ? refusal : "error"));
    }
  else if (code == NULL || *code == '\0')
    /* Translators: a server's name */
    oauth_job_fail (job, BECKON_OAUTH_ERROR_PROTOCOL, _("%s ended the sign-in without a result."));
  else
    {
      GString *form = g_string_new (NULL);

      beckon_oauth_form_add (form, "grant_type", "authorization_code");
      beckon_oauth_form_add (form, "code", code);
      beckon_oauth_form_add (form, "redirect_uri", job->grant->redirect_uri);
      beckon_oauth_form_add (form, "code_verifier", job->verifier);
      oauth_job_ask (job, form, on_exchanged);
    }
}

static void
authorize (BeckonOauthJob *job)
{
  g_autofree char *challenge = NULL;
  g_autofree char *page = NULL;
  GError *error = NULL;

  if (!beckon_oauth_net_allows (job->self->net, job->plan->issuer->authorize_url, &error))
    {
      oauth_job_end (job, error);
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
    oauth_job_end (job, error);
  else if (SOUP_STATUS_IS_SUCCESSFUL (answer->status)
           && beckon_oauth_grant_take_registration (job->grant, job->plan->issuer->methods, answer->body, answer->length))
    authorize (job);
  else if (SOUP_STATUS_IS_SUCCESSFUL (answer->status))
    /* Translators: a server's name */
    oauth_job_fail (job, BECKON_OAUTH_ERROR_PROTOCOL,
       _("%s answered Beckon’s registration in a way that Beckon doesn’t understand."));
  else if (!oauth_job_is_refused (job, answer))
    g_assert_not_reached ();
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
    oauth_job_end (job, error);
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

/* Secrets are for the authorization server that the person named. */
static gboolean
is_elsewhere (BeckonOauthJob *job)
{
  const char *own = oauth_get_own_issuer (job->self);

  return own != NULL && !beckon_oauth_url_is_issuer (own, job->plan->issuer->issuer);
}

static void
identify (BeckonOauthJob *job)
{
  BeckonOauth *self = job->self;
  BeckonOauthIssuer *issuer = job->plan->issuer;

  if (is_elsewhere (job))
    /* Translators: a server's name */
    oauth_job_fail (job, BECKON_OAUTH_ERROR_UNSAFE,
                    _("The sign-in is now at %s, where Beckon isn’t registered. Register it there."));
  else if (oauth_get_own_client (self) != NULL)
    use_client (job, oauth_get_own_client (self), NULL,
                beckon_oauth_grant_choose_method (issuer->methods, NULL, self->login->has_secret));
  else if (self->document != NULL && issuer->reads_documents)
    use_client (job, self->document, NULL, "none");
  else if (is_registered (self->grant, job))
    {
      beckon_autowipe char *text = NULL;

      /* A server that has forgotten a registration says so on a page, to nobody but the person. The next sign-in after one that
       * did not end registers anew, in whichever process. */
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
  else if (issuer->register_url != NULL)
    {
      g_autofree char *body = beckon_oauth_grant_print_registration (job->grant, job->plan->issuer->methods);
      const BeckonOauthAsk request = { .url = job->plan->issuer->register_url, .type = "application/json", .body = body };

      beckon_oauth_net_ask_async (job->self->net, &request, job->io, on_registered, job);
    }
  else
    /* Translators: a server's name */
    oauth_job_fail (job, BECKON_OAUTH_ERROR_REFUSED,
       _("%s lets no program sign in that it hasn’t registered before, so Beckon can’t."));
}

/* Only a new sign-in helps. */
static void
oauth_job_sign_in (BeckonOauthJob *job)
{
  job->is_kept = FALSE;
  if (job->plan == NULL || job->task == NULL || job->browser == NULL)
    oauth_job_fail_needed (job);
  else
    {
      BeckonOauthIssuer *issuer = job->plan->issuer;
      GError *error = NULL;
      BeckonOauthGrant *before;
      gboolean is_same;
      const char *wanted;
      g_autofree char *known = NULL;
      g_autofree char *scope = NULL;

      job->redirect = beckon_oauth_redirect_new (job->self->grant != NULL ? job->self->grant->redirect_uri : NULL, &error);
      if (job->redirect == NULL)
        {
          oauth_job_end (job, error);
          return;
        }
      job->grant = beckon_oauth_grant_new ();
      job->grant->issuer = g_strdup (issuer->issuer);
      job->grant->resource = g_strdup (job->plan->resource);
      job->grant->token_url = g_strdup (issuer->token_url);
      job->grant->revoke_url = g_strdup (issuer->revoke_url);
      /* The scopes so far, and those that are missing. */
      before = job->self->grant;
      is_same = before != NULL && beckon_oauth_url_is_issuer (before->issuer, job->plan->issuer->issuer);
      wanted = job->challenge != NULL && job->challenge->scope != NULL ? job->challenge->scope : job->plan->scopes;
      known = beckon_oauth_scope_join (is_same ? before->scope : NULL, wanted);
      scope = beckon_oauth_scope_join (known, job->self->login != NULL ? job->self->login->scope : NULL);
      if (scope != NULL && beckon_oauth_scope_has (job->plan->issuer->scopes, "offline_access"))
        job->grant->scope = beckon_oauth_scope_join (scope, "offline_access");
      else
        job->grant->scope = g_steal_pointer (&scope);
      job->grant->redirect_uri = g_strdup (beckon_oauth_redirect_get_uri (job->redirect));
      identify (job);
    }
}

G_DEFINE_INTERFACE (BeckonOauthStore, beckon_oauth_store, G_TYPE_OBJECT)

static void
beckon_oauth_store_default_init (BeckonOauthStoreInterface *iface)
{
}

G_DEFINE_QUARK (beckon-oauth-error-quark, beckon_oauth_error)
