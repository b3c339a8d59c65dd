/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-oauth-challenge.h"
#include "beckon-oauth-discovery.h"
#include "beckon-oauth-redirect.h"
#include "beckon-oauth-token.h"
#include "beckon-oauth.h"

#include <libsoup/soup.h>

G_BEGIN_DECLS

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

/* The job is over: the caller gets @error, (transfer full), or the token that there is. */
void beckon_oauth_job_end (BeckonOauthJob *job, GError *error);

/* Likewise. @words: a sentence with one %s, the server's name. */
void beckon_oauth_job_fail (BeckonOauthJob *job, BeckonOauthError code, const char *words);

/* Ends it with the word that the person has to sign in, and keeps the challenge for that. */
void beckon_oauth_job_fail_needed (BeckonOauthJob *job);

/* Stores what there is, then ends it. */
void beckon_oauth_job_save (BeckonOauthJob *job);

/* Asks the token endpoint of the grant in the making. @form: (transfer full). */
void beckon_oauth_job_ask (BeckonOauthJob *job, GString *form, GAsyncReadyCallback callback);

/* Ends it with what the authorization server says; %FALSE if it says yes. */
gboolean beckon_oauth_job_is_refused (BeckonOauthJob *job, const BeckonOauthAnswer *answer);

/* Takes the tokens of an answer into the grant in the making. */
gboolean beckon_oauth_job_take_tokens (BeckonOauthJob *job, const BeckonOauthAnswer *answer, GError **error);

/* Has the person sign in. */
void beckon_oauth_job_sign_in (BeckonOauthJob *job);

/* Revokes the tokens where that is possible, forgets the sign-in, and ends the job. */
void beckon_oauth_job_sign_out (BeckonOauthJob *job);

/* @grant: (transfer full) (nullable) */
void beckon_oauth_set_grant (BeckonOauth *self, BeckonOauthGrant *grant);

/* (nullable): as it was registered by hand. */
const char *beckon_oauth_get_own_client (BeckonOauth *self);
const char *beckon_oauth_get_own_issuer (BeckonOauth *self);

G_END_DECLS
