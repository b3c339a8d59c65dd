/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Jobs wait in a queue, and one at a time is done. Each step of a job ends in the next step or in end_job(), once. A caller
 * that cancels gets its answer at once; the job ends with it, but where a token is used up that its successor has to
 * replace. */

#include "beckon-config.h"

#include "beckon-oauth.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "base/beckon-wipe.h"
#include "beckon-oauth-challenge.h"
#include "beckon-oauth-discovery.h"
#include "beckon-oauth-grant.h"
#include "beckon-oauth-net.h"
#include "beckon-oauth-redirect.h"
#include "beckon-oauth-url.h"

#include <glib/gi18n-lib.h>
#include <libsoup/soup.h>
#include <string.h>

/* A token is renewed before it ends. */
#define EARLY_US (30 * G_USEC_PER_SEC)

/* A token that is refused so soon after its renewal is not renewed again. */
#define FRESH_US (60 * G_USEC_PER_SEC)

/* RFC 6585, 4 */
#define TOO_MANY_REQUESTS 429

#define FORM "application/x-www-form-urlencoded"

struct _BeckonOauth
{
  GObject parent_instance;

  char *server;            /* (owned) */
  char *id;                /* (owned) */
  BeckonOauthStore *store; /* (owned) (nullable) */
  BeckonClock *clock;      /* (owned) */
  BeckonOauthNet *net;     /* (owned) */
  char *client_id;         /* (owned) (nullable): registered by hand, as the next two */
  char *client_secret;
  char *client_issuer;
  char *document;          /* (owned) (nullable) */
  BeckonOauthBrowser browser;
  gpointer browser_data;

  BeckonOauthGrant *grant;         /* (owned) (nullable) */
  gboolean is_stored;              /* as it is here */
  BeckonOauthChallenge *challenge; /* (owned) (nullable): the last one that only a sign-in helps against */
  gint64 renewed_at;               /* monotonic; 0 for never */
  GQueue jobs;                     /* (element-type Job): the first one is being done */
};

typedef enum
{
  JOB_TOKEN,
  JOB_REFUSED,
  JOB_SIGN_IN,
  JOB_SIGN_OUT,
} JobKind;

typedef struct
{
  JobKind kind;
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
  BeckonOauthRedirect *redirect;   /* (owned) (nullable) */
  char *verifier;                  /* (owned) (nullable) */
} Job;

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
  g_free (self->client_id);
  beckon_wipe (self->client_secret);
  g_free (self->client_issuer);
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
beckon_oauth_set_client (BeckonOauth *self, const char *id, const char *secret, const char *issuer)
{
  g_return_if_fail (BECKON_IS_OAUTH (self));
  g_return_if_fail (id != NULL);

  g_free (self->client_id);
  beckon_wipe (self->client_secret);
  g_free (self->client_issuer);
  self->client_id = g_strdup (id);
  self->client_secret = g_strdup (secret);
  self->client_issuer = g_strdup (issuer);
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

/* --- Jobs --------------------------------------------------------------------------------------------------------- */

static void
job_free (Job *job)
{
  g_clear_object (&job->redirect);
  g_object_unref (job->io);
  beckon_wipe (job->token);
  beckon_wipe (job->verifier);
  beckon_oauth_challenge_free (job->challenge);
  beckon_oauth_plan_free (job->plan);
  beckon_oauth_grant_free (job->grant);
  g_object_unref (job->self);
  g_free (job);
}

/* (transfer full) (nullable): the right to answer the caller. */
static GTask *
take_task (Job *job)
{
  if (job->cancelled != NULL)
    g_source_destroy (job->cancelled);
  g_clear_pointer (&job->cancelled, g_source_unref);
  return g_steal_pointer (&job->task);
}

/* The job is over: the caller gets @error, (transfer full), or the token that there is. */
static void
end_job (Job *job, GError *error)
{
  g_autoptr (BeckonOauth) self = g_object_ref (job->self);
  g_autoptr (GTask) task = take_task (job);
  char *token = error == NULL && self->grant != NULL ? g_strdup (self->grant->access_token) : NULL;

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

static void
fail_job (Job *job, BeckonOauthError code, const char *words)
{
  g_autofree char *host = beckon_oauth_url_dup_host (job->plan != NULL && job->plan->issuer != NULL ? job->plan->issuer->issuer
                                                                                                    : job->self->server);
  g_autofree char *sentence = beckon_text_fill_in (words, host);

  end_job (job, g_error_new_literal (BECKON_OAUTH_ERROR, (int) code, sentence));
}

static gboolean
on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  Job *job = user_data;
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
on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonOauthStore *store = BECKON_OAUTH_STORE (source);
  Job *job = user_data;
  g_autoptr (GError) error = NULL;

  /* The sign-in lasts until the program ends, at least. */
  job->self->is_stored = BECKON_OAUTH_STORE_GET_IFACE (store)->save_finish (store, result, &error);
  if (!job->self->is_stored)
    g_info ("A sign-in is not kept: %s", error->message);
  end_job (job, NULL);
}

static void
save (Job *job)
{
  BeckonOauth *self = job->self;
  beckon_autowipe char *text = self->grant != NULL ? beckon_oauth_grant_print (self->grant) : NULL;

  if (self->store == NULL)
    end_job (job, NULL);
  else
    BECKON_OAUTH_STORE_GET_IFACE (self->store)
      ->save_async (self->store, self->id, self->server, text, NULL, on_saved, job);
}

/* (nullable): what was kept; a sign-in to another part of the same server is not used for this one. */
static BeckonOauthGrant *
read_grant (BeckonOauth *self, const char *text)
{
  g_autoptr (BeckonOauthGrant) grant = text != NULL ? beckon_oauth_grant_parse (text) : NULL;

  if (grant == NULL || grant->issuer == NULL || grant->token_url == NULL || grant->resource == NULL
      || !beckon_oauth_url_covers (grant->resource, self->server))
    return NULL;
  return g_steal_pointer (&grant);
}

/* @grant: (transfer full) (nullable) */
static void
set_grant (BeckonOauth *self, BeckonOauthGrant *grant)
{
  beckon_oauth_grant_free (self->grant);
  self->grant = grant;
}

/* --- The token endpoint ------------------------------------------------------------------------------------------- */

static void
ask_for_token (Job *job, GString *form, GAsyncReadyCallback callback)
{
  beckon_autowipe char *authorization = NULL;
  beckon_autowipe char *body = NULL;
  BeckonOauthAsk request = { .url = job->grant->token_url, .type = FORM };

  beckon_oauth_form_add (form, "resource", job->grant->resource);
  authorization = beckon_oauth_grant_sign (job->grant, form);
  body = g_string_free (form, FALSE);
  request.body = body;
  request.authorization = authorization;
  job->is_kept = TRUE;
  beckon_oauth_net_ask_async (job->self->net, &request, job->io, callback, job);
}

/* Fails with what the authorization server says; %FALSE if it says yes. */
static gboolean
is_refused (Job *job, const BeckonOauthAnswer *answer)
{
  g_autofree char *code = NULL;
  g_autofree char *host = NULL;

  if (answer->status == SOUP_STATUS_OK)
    return FALSE;
  code = beckon_oauth_dup_error_code (answer->body, answer->length);
  if (code == NULL)
    code = g_strdup_printf ("%u", answer->status);
  host = beckon_oauth_url_dup_host (job->grant->issuer);
  end_job (job, beckon_text_error_new (BECKON_OAUTH_ERROR,
                                       answer->status >= 500 ? BECKON_OAUTH_ERROR_FAILED : BECKON_OAUTH_ERROR_REFUSED,
                                       /* Translators: a server's name, and a short code such as invalid_request */
                                       _("%1$s refused the sign-in (%2$s)."), host, code));
  return TRUE;
}

static gboolean
take_tokens (Job *job, const BeckonOauthAnswer *answer, GError **error)
{
  return beckon_oauth_grant_take_tokens (job->grant, answer->body, answer->length,
                                         beckon_clock_get_real_time (job->self->clock), error);
}

/* --- Signing in --------------------------------------------------------------------------------------------------- */

static void
on_exchanged (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Job *job = user_data;
  GError *error = NULL;
  g_autoptr (BeckonOauthAnswer) answer = beckon_oauth_net_ask_finish (BECKON_OAUTH_NET (source), result, &error);

  if (answer == NULL)
    end_job (job, error);
  else if (is_refused (job, answer))
    return;
  else if (!take_tokens (job, answer, &error))
    end_job (job, error);
  else
    {
      set_grant (job->self, g_steal_pointer (&job->grant));
      g_clear_pointer (&job->self->challenge, beckon_oauth_challenge_free);
      save (job);
    }
}

static void
exchange (Job *job, const char *code)
{
  GString *form = g_string_new (NULL);

  beckon_oauth_form_add (form, "grant_type", "authorization_code");
  beckon_oauth_form_add (form, "code", code);
  beckon_oauth_form_add (form, "redirect_uri", job->grant->redirect_uri);
  beckon_oauth_form_add (form, "code_verifier", job->verifier);
  ask_for_token (job, form, on_exchanged);
}

/* RFC 9207, 2.4: to the letter, before anything else of the answer is looked at. */
static gboolean
is_from_issuer (Job *job, const char *name)
{
  return name == NULL ? !job->plan->issuer->names_itself : strcmp (name, job->plan->issuer->issuer) == 0;
}

static void
fail_in_browser (Job *job, const char *code)
{
  g_autofree char *host = beckon_oauth_url_dup_host (job->plan->issuer->issuer);

  end_job (job, beckon_text_error_new (BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_REFUSED,
                                       /* Translators: a server's name, and a short code such as access_denied */
                                       _("%1$s refused the sign-in (%2$s)."), host,
                                       beckon_oauth_is_error_code (code) ? code : "error"));
}

static void
on_brought (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Job *job = user_data;
  GError *error = NULL;
  g_autoptr (GHashTable) brought = beckon_oauth_redirect_wait_finish (BECKON_OAUTH_REDIRECT (source), result, &error);
  const char *code = brought != NULL ? g_hash_table_lookup (brought, "code") : NULL;
  const char *refusal = brought != NULL ? g_hash_table_lookup (brought, "error") : NULL;

  if (brought == NULL)
    end_job (job, error);
  else if (!is_from_issuer (job, g_hash_table_lookup (brought, "iss")))
    /* Translators: a server's name */
    fail_job (job, BECKON_OAUTH_ERROR_UNSAFE,
              _("The browser came back from another place than %s. The sign-in was stopped."));
  else if (refusal != NULL)
    fail_in_browser (job, refusal);
  else if (code == NULL || *code == '\0')
    /* Translators: a server's name */
    fail_job (job, BECKON_OAUTH_ERROR_PROTOCOL, _("%s ended the sign-in without a result."));
  else
    exchange (job, code);
}

/* The scopes so far, and those that are missing. */
static char *
dup_scope (Job *job)
{
  BeckonOauthGrant *before = job->self->grant;
  gboolean is_same = before != NULL && g_strcmp0 (before->issuer, job->plan->issuer->issuer) == 0;
  const char *wanted = job->challenge != NULL && job->challenge->scope != NULL ? job->challenge->scope : job->plan->scopes;
  g_autofree char *scope = beckon_oauth_scope_join (is_same ? before->scope : NULL, wanted);

  if (scope != NULL && beckon_oauth_scope_has (job->plan->issuer->scopes, "offline_access"))
    return beckon_oauth_scope_join (scope, "offline_access");
  return g_steal_pointer (&scope);
}

static char *
make_page (Job *job)
{
  const char *url = job->plan->issuer->authorize_url;
  g_autofree char *challenge = beckon_oauth_make_challenge (job->verifier);
  g_autoptr (GString) query = g_string_new (NULL);

  beckon_oauth_form_add (query, "response_type", "code");
  beckon_oauth_form_add (query, "client_id", job->grant->client_id);
  beckon_oauth_form_add (query, "redirect_uri", job->grant->redirect_uri);
  beckon_oauth_form_add (query, "scope", job->grant->scope);
  beckon_oauth_form_add (query, "state", beckon_oauth_redirect_get_state (job->redirect));
  beckon_oauth_form_add (query, "code_challenge", challenge);
  beckon_oauth_form_add (query, "code_challenge_method", "S256");
  beckon_oauth_form_add (query, "resource", job->grant->resource);
  if (job->grant->scope != NULL && beckon_oauth_scope_has (job->grant->scope, "offline_access"))
    beckon_oauth_form_add (query, "prompt", "consent");
  return g_strconcat (url, strchr (url, '?') != NULL ? "&" : "?", query->str, NULL);
}

static void
authorize (Job *job)
{
  g_autofree char *page = NULL;
  GError *error = NULL;

  if (!beckon_oauth_net_allows (job->self->net, job->plan->issuer->authorize_url, &error))
    {
      end_job (job, error);
      return;
    }
  job->verifier = beckon_oauth_make_secret ();
  page = make_page (job);
  beckon_oauth_redirect_wait_async (job->redirect, job->self->clock, job->io, on_brought, job);
  job->browser (page, job->browser_data);
}

/* --- Who this program is ------------------------------------------------------------------------------------------ */

static void
on_registered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Job *job = user_data;
  GError *error = NULL;
  g_autoptr (BeckonOauthAnswer) answer = beckon_oauth_net_ask_finish (BECKON_OAUTH_NET (source), result, &error);

  if (answer == NULL)
    end_job (job, error);
  else if (SOUP_STATUS_IS_SUCCESSFUL (answer->status)
           && beckon_oauth_grant_take_registration (job->grant, job->plan->issuer->methods, answer->body, answer->length))
    authorize (job);
  else if (SOUP_STATUS_IS_SUCCESSFUL (answer->status))
    /* Translators: a server's name */
    fail_job (job, BECKON_OAUTH_ERROR_PROTOCOL,
              _("%s answered Beckon’s registration in a way that Beckon doesn’t understand."));
  else if (!is_refused (job, answer))
    g_assert_not_reached ();
}

static void
enroll (Job *job)
{
  g_autofree char *body = beckon_oauth_grant_print_registration (job->grant, job->plan->issuer->methods);
  const BeckonOauthAsk request = { .url = job->plan->issuer->register_url, .type = "application/json", .body = body };

  beckon_oauth_net_ask_async (job->self->net, &request, job->io, on_registered, job);
}

/* A registration is good for its own address. A person may sign in again because the server has forgotten it. */
static gboolean
is_registered (BeckonOauthGrant *before, Job *job)
{
  return job->kind != JOB_SIGN_IN && before != NULL && before->client_id != NULL
         && g_strcmp0 (before->issuer, job->plan->issuer->issuer) == 0
         && g_strcmp0 (before->redirect_uri, job->grant->redirect_uri) == 0;
}

static void
use_client (Job *job, const char *id, const char *secret, const char *method)
{
  job->grant->client_id = g_strdup (id);
  job->grant->client_secret = g_strdup (secret);
  job->grant->method = g_strdup (method);
  authorize (job);
}

static void
identify (Job *job)
{
  BeckonOauth *self = job->self;
  BeckonOauthIssuer *issuer = job->plan->issuer;

  if (self->client_id != NULL && self->client_issuer != NULL && strcmp (self->client_issuer, issuer->issuer) != 0)
    /* Translators: a server's name */
    fail_job (job, BECKON_OAUTH_ERROR_UNSAFE,
              _("The sign-in is now at %s, where Beckon isn’t registered. Register it there."));
  else if (self->client_id != NULL)
    use_client (job, self->client_id, self->client_secret,
                beckon_oauth_grant_choose_method (issuer->methods, NULL, self->client_secret != NULL));
  else if (self->document != NULL && issuer->reads_documents)
    use_client (job, self->document, NULL, "none");
  else if (is_registered (self->grant, job))
    use_client (job, self->grant->client_id, self->grant->client_secret, self->grant->method);
  else if (issuer->register_url != NULL)
    enroll (job);
  else
    /* Translators: a server's name */
    fail_job (job, BECKON_OAUTH_ERROR_REFUSED,
              _("%s lets no program sign in that it hasn’t registered before, so Beckon can’t."));
}

static void
prepare_client (Job *job)
{
  BeckonOauthIssuer *issuer = job->plan->issuer;
  GError *error = NULL;

  job->redirect = beckon_oauth_redirect_new (job->self->grant != NULL ? job->self->grant->redirect_uri : NULL, &error);
  if (job->redirect == NULL)
    {
      end_job (job, error);
      return;
    }
  job->grant = beckon_oauth_grant_new ();
  job->grant->issuer = g_strdup (issuer->issuer);
  job->grant->resource = g_strdup (job->plan->resource);
  job->grant->token_url = g_strdup (issuer->token_url);
  job->grant->redirect_uri = g_strdup (beckon_oauth_redirect_get_uri (job->redirect));
  job->grant->scope = dup_scope (job);
  identify (job);
}

/* --- Renewal ------------------------------------------------------------------------------------------------------ */

/* Whether the refresh token itself was refused; a server that is not well may take it later. */
static gboolean
is_used_up (const BeckonOauthAnswer *answer)
{
  g_autofree char *code = beckon_oauth_dup_error_code (answer->body, answer->length);

  return answer->status < 500 && answer->status != TOO_MANY_REQUESTS && code != NULL;
}

static void
fail_needed (Job *job)
{
  BeckonOauth *self = job->self;

  g_clear_pointer (&self->challenge, beckon_oauth_challenge_free);
  self->challenge = g_steal_pointer (&job->challenge);
  g_clear_pointer (&job->plan, beckon_oauth_plan_free);
  /* Translators: a server's name */
  fail_job (job, BECKON_OAUTH_ERROR_NEEDED, _("%s needs you to sign in."));
}

/* Only the person helps. */
static void
need_person (Job *job)
{
  job->is_kept = FALSE;
  if (job->browser == NULL || job->plan == NULL || job->task == NULL)
    fail_needed (job);
  else
    prepare_client (job);
}

static void
on_renewed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Job *job = user_data;
  BeckonOauth *self = job->self;
  GError *error = NULL;
  g_autoptr (BeckonOauthAnswer) answer = beckon_oauth_net_ask_finish (BECKON_OAUTH_NET (source), result, &error);

  if (answer != NULL && answer->status == SOUP_STATUS_OK && take_tokens (job, answer, &error))
    {
      self->renewed_at = beckon_clock_get_monotonic_time (self->clock);
      set_grant (self, g_steal_pointer (&job->grant));
      save (job);
    }
  else if (answer != NULL && is_used_up (answer))
    {
      g_clear_pointer (&job->grant, beckon_oauth_grant_free);
      beckon_oauth_grant_drop_tokens (self->grant);
      if (job->kind == JOB_TOKEN)
        save (job);
      else
        need_person (job);
    }
  else if (job->kind == JOB_TOKEN && beckon_clock_get_real_time (self->clock) < self->grant->expires_at)
    {
      g_clear_error (&error);
      end_job (job, NULL);
    }
  else if (answer == NULL || error != NULL)
    end_job (job, error);
  else if (!is_refused (job, answer))
    g_assert_not_reached ();
}

static void
renew (Job *job)
{
  GString *form = g_string_new (NULL);

  job->grant = beckon_oauth_grant_copy (job->self->grant);
  beckon_oauth_form_add (form, "grant_type", "refresh_token");
  beckon_oauth_form_add (form, "refresh_token", job->grant->refresh_token);
  ask_for_token (job, form, on_renewed);
}

/* --- What a job begins with --------------------------------------------------------------------------------------- */

static gboolean
may_renew (Job *job)
{
  BeckonOauth *self = job->self;
  gboolean is_fresh = self->renewed_at != 0
                      && beckon_clock_get_monotonic_time (self->clock) - self->renewed_at < FRESH_US;

  return job->kind == JOB_REFUSED && job->status == SOUP_STATUS_UNAUTHORIZED && !is_fresh && self->grant != NULL
         && self->grant->refresh_token != NULL && strcmp (self->grant->issuer, job->plan->issuer->issuer) == 0
         && strcmp (self->grant->token_url, job->plan->issuer->token_url) == 0
         && strcmp (self->grant->resource, job->plan->resource) == 0;
}

static void
on_discovered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Job *job = user_data;
  GError *error = NULL;

  job->plan = beckon_oauth_discover_finish (BECKON_OAUTH_NET (source), result, &error);
  if (job->plan == NULL)
    end_job (job, error);
  else if (may_renew (job))
    renew (job);
  else
    need_person (job);
}

static void
discover (Job *job)
{
  BeckonOauth *self = job->self;

  beckon_oauth_discover_async (self->net, self->server, job->challenge->resource_metadata,
                               self->client_issuer != NULL ? self->client_issuer
                               : self->grant != NULL       ? self->grant->issuer
                                                           : NULL,
                               job->io, on_discovered, job);
}

static void
on_probed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Job *job = user_data;
  GError *error = NULL;
  g_autoptr (BeckonOauthAnswer) answer = beckon_oauth_net_ask_finish (BECKON_OAUTH_NET (source), result, &error);

  if (answer == NULL)
    {
      end_job (job, error);
      return;
    }
  job->challenge = beckon_oauth_challenge_parse (answer->status == SOUP_STATUS_UNAUTHORIZED ? answer->challenge : NULL);
  discover (job);
}

/* The server is asked for something, so that it says how it wants to be signed in to. */
static void
probe (Job *job)
{
  const BeckonOauthAsk request
      = { .url = job->self->server, .type = "application/json", .body = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}" };

  job->challenge = g_steal_pointer (&job->self->challenge);
  if (job->challenge != NULL)
    discover (job);
  else
    beckon_oauth_net_ask_async (job->self->net, &request, job->io, on_probed, job);
}

/* Without a browser only a renewal helps, and nothing is asked of anybody for less. */
static gboolean
is_hopeless (Job *job)
{
  BeckonOauthGrant *grant = job->self->grant;

  return job->browser == NULL
         && (job->status != SOUP_STATUS_UNAUTHORIZED || grant == NULL || grant->refresh_token == NULL);
}

static void
do_refused (Job *job)
{
  BeckonOauthGrant *grant = job->self->grant;
  gboolean is_scope = g_strcmp0 (job->challenge->error, "insufficient_scope") == 0;

  if (grant != NULL && grant->access_token != NULL && g_strcmp0 (grant->access_token, job->token) != 0)
    end_job (job, NULL);
  else if (job->status != SOUP_STATUS_UNAUTHORIZED && !is_scope)
    /* Translators: a server's name */
    fail_job (job, BECKON_OAUTH_ERROR_REFUSED, _("%s doesn’t allow this to the account that you signed in with."));
  else if (is_scope && grant != NULL && beckon_oauth_scope_has (grant->scope, job->challenge->scope))
    /* Translators: a server's name */
    fail_job (job, BECKON_OAUTH_ERROR_REFUSED, _("%s asks for permissions that the sign-in has already asked for."));
  else if (is_hopeless (job))
    fail_needed (job);
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
do_token (Job *job)
{
  if (is_ending (job->self))
    renew (job);
  else
    end_job (job, NULL);
}

static void
do_job (Job *job)
{
  switch (job->kind)
    {
    case JOB_TOKEN:
      do_token (job);
      break;
    case JOB_REFUSED:
      do_refused (job);
      break;
    case JOB_SIGN_IN:
      probe (job);
      break;
    case JOB_SIGN_OUT:
      set_grant (job->self, NULL);
      save (job);
      break;
    default:
      g_assert_not_reached ();
    }
}

static void
on_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonOauthStore *store = BECKON_OAUTH_STORE (source);
  Job *job = user_data;
  g_autoptr (GError) error = NULL;
  beckon_autowipe char *text = BECKON_OAUTH_STORE_GET_IFACE (store)->load_finish (store, result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      end_job (job, g_steal_pointer (&error));
      return;
    }
  /* Without a keyring the person signs in for this session. */
  if (error != NULL)
    g_info ("A sign-in is not looked up: %s", error->message);
  else if (text != NULL || job->self->is_stored)
    {
      set_grant (job->self, read_grant (job->self, text));
      job->self->is_stored = TRUE;
    }
  do_job (job);
}

/* The keyring is asked where a token is wanted that isn't here: not for servers that nobody signs in to, which would have it
 * unlocked for nothing. Another process may have signed in, or renewed what is here, meanwhile. */
static gboolean
has_to_load (Job *job)
{
  return job->self->store != NULL && job->kind != JOB_SIGN_OUT && (job->kind != JOB_TOKEN || is_ending (job->self));
}

static void
begin_next (BeckonOauth *self)
{
  Job *job = g_queue_peek_head (&self->jobs);

  if (job == NULL || job->is_begun)
    return;
  job->is_begun = TRUE;
  if (!has_to_load (job))
    do_job (job);
  else
    BECKON_OAUTH_STORE_GET_IFACE (self->store)->load_async (self->store, self->id, self->server, job->io, on_loaded, job);
}

static Job *
job_new (BeckonOauth *self, JobKind kind, gpointer tag, GCancellable *cancellable, GAsyncReadyCallback callback,
         gpointer user_data)
{
  Job *job = g_new0 (Job, 1);

  job->kind = kind;
  job->self = g_object_ref (self);
  job->io = g_cancellable_new ();
  job->browser = self->browser;
  job->browser_data = self->browser_data;
  job->task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (job->task, tag);
  g_task_set_check_cancellable (job->task, FALSE);
  if (cancellable != NULL)
    {
      job->cancelled = g_cancellable_source_new (cancellable);
      g_source_set_callback (job->cancelled, G_SOURCE_FUNC (on_cancelled), job, NULL);
      g_source_attach (job->cancelled, g_main_context_get_thread_default ());
    }
  return job;
}

static void
add_job (BeckonOauth *self, Job *job)
{
  g_queue_push_tail (&self->jobs, job);
  begin_next (self);
}

/* --- What it is asked --------------------------------------------------------------------------------------------- */

void
beckon_oauth_get_token_async (BeckonOauth *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_OAUTH (self));

  add_job (self, job_new (self, JOB_TOKEN, beckon_oauth_get_token_async, cancellable, callback, user_data));
}

char *
beckon_oauth_get_token_finish (BeckonOauth *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_oauth_get_token_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

void
beckon_oauth_refused_async (BeckonOauth *self, guint status, const char *challenge, const char *token,
                            GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  Job *job;

  g_return_if_fail (BECKON_IS_OAUTH (self));

  job = job_new (self, JOB_REFUSED, beckon_oauth_refused_async, cancellable, callback, user_data);
  job->status = status;
  job->challenge = beckon_oauth_challenge_parse (challenge);
  job->token = g_strdup (token);
  add_job (self, job);
}

char *
beckon_oauth_refused_finish (BeckonOauth *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_oauth_refused_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

void
beckon_oauth_sign_in_async (BeckonOauth *self, BeckonOauthBrowser browser, gpointer browser_data, GCancellable *cancellable,
                            GAsyncReadyCallback callback, gpointer user_data)
{
  Job *job;

  g_return_if_fail (BECKON_IS_OAUTH (self));
  g_return_if_fail (browser != NULL);

  job = job_new (self, JOB_SIGN_IN, beckon_oauth_sign_in_async, cancellable, callback, user_data);
  job->browser = browser;
  job->browser_data = browser_data;
  add_job (self, job);
}

static gboolean
finish_plainly (BeckonOauth *self, GAsyncResult *result, gpointer tag, GError **error)
{
  g_autoptr (GError) failure = NULL;
  beckon_autowipe char *token = NULL;

  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, tag), FALSE);

  token = g_task_propagate_pointer (G_TASK (result), &failure);
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

gboolean
beckon_oauth_sign_in_finish (BeckonOauth *self, GAsyncResult *result, GError **error)
{
  return finish_plainly (self, result, beckon_oauth_sign_in_async, error);
}

void
beckon_oauth_sign_out_async (BeckonOauth *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_OAUTH (self));

  add_job (self, job_new (self, JOB_SIGN_OUT, beckon_oauth_sign_out_async, cancellable, callback, user_data));
}

gboolean
beckon_oauth_sign_out_finish (BeckonOauth *self, GAsyncResult *result, GError **error)
{
  return finish_plainly (self, result, beckon_oauth_sign_out_async, error);
}
