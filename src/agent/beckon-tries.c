/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-tries.h"

#include "base/beckon-error.h"
#include "net/beckon-llm-error.h"

#define MAX_FAILURES 3
#define MAX_RETRY_AFTER_MS (60 * 1000)
#define FIRST_RETRY_MS 1000

/* A large model takes minutes to be read from a disk; the first request of all waits as long for its first byte. */
#define LOADING_RETRY_MS (2 * 1000)
#define MAX_LOADING_MS (600 * 1000)

/* A person who named a fallback would rather have it than wait for longer than this. */
#define MAX_WAIT_BESIDE_FALLBACK_MS (5 * 1000)

struct _BeckonTries
{
  BeckonProfiles *profiles; /* (owned) */
  BeckonSettings *settings; /* (owned) */
  char *profile_id;
  guint n_failures;         /* of this request, with one profile */
  gint64 loading_since;     /* when its server said first that the model is loading; 0 while it did not */
  guint n_fallbacks;        /* how many of the profile's fallbacks were looked at */
  char *fallback_id;        /* (nullable): the one that took over */
};

BeckonTries *
beckon_tries_new (BeckonProfiles *profiles, BeckonSettings *settings, const char *profile_id)
{
  BeckonTries *tries = g_new0 (BeckonTries, 1);

  tries->profiles = g_object_ref (profiles);
  tries->settings = g_object_ref (settings);
  tries->profile_id = g_strdup (profile_id);
  return tries;
}

void
beckon_tries_free (BeckonTries *tries)
{
  g_object_unref (tries->profiles);
  g_object_unref (tries->settings);
  g_free (tries->profile_id);
  g_free (tries->fallback_id);
  g_free (tries);
}

/* (nullable): the profile that the run began with, or the one in use when that is gone. */
static BeckonProfile *
get_own_profile (BeckonTries *tries)
{
  g_autofree char *in_use = beckon_settings_dup_default_profile (tries->settings);
  BeckonProfile *profile = beckon_profiles_lookup (tries->profiles, tries->profile_id);

  if (profile == NULL)
    profile = beckon_profiles_lookup (tries->profiles, in_use);
  return profile;
}

BeckonProfile *
beckon_tries_get_profile (BeckonTries *tries)
{
  BeckonProfile *fallback = tries->fallback_id != NULL ? beckon_profiles_lookup (tries->profiles, tries->fallback_id) : NULL;

  return fallback != NULL ? fallback : get_own_profile (tries);
}

void
beckon_tries_begin (BeckonTries *tries)
{
  tries->n_failures = 0;
  tries->loading_since = 0;
}

static gboolean
tries_is_one_of (const GError *error, const BeckonLlmError *codes, guint n_codes)
{
  for (guint i = 0; i < n_codes; i++)
    if (g_error_matches (error, BECKON_LLM_ERROR, (int) codes[i]))
      return TRUE;
  return FALSE;
}

static gboolean
is_worth_a_try (const GError *error)
{
  static const BeckonLlmError codes[] = { BECKON_LLM_ERROR_RATE, BECKON_LLM_ERROR_SERVER, BECKON_LLM_ERROR_LOADING };

  return tries_is_one_of (error, codes, G_N_ELEMENTS (codes));
}

/* Another server may well do what this one can't. What this one says of the request itself, another would say too. */
static gboolean
is_worth_another (const GError *error)
{
  static const BeckonLlmError codes[] = {
    BECKON_LLM_ERROR_CONNECT,   BECKON_LLM_ERROR_TLS,   BECKON_LLM_ERROR_TIMEOUT,  BECKON_LLM_ERROR_AUTH,
    BECKON_LLM_ERROR_NOT_FOUND, BECKON_LLM_ERROR_RATE,  BECKON_LLM_ERROR_QUOTA,    BECKON_LLM_ERROR_SERVER,
    BECKON_LLM_ERROR_REDIRECT,  BECKON_LLM_ERROR_PROTOCOL, BECKON_LLM_ERROR_MODEL, BECKON_LLM_ERROR_LOADING,
  };

  return tries_is_one_of (error, codes, G_N_ELEMENTS (codes));
}

BeckonRunCause
beckon_tries_get_cause (const GError *error)
{
  static const BeckonLlmError network[] = { BECKON_LLM_ERROR_CONNECT, BECKON_LLM_ERROR_TLS, BECKON_LLM_ERROR_TIMEOUT,
                                            BECKON_LLM_ERROR_SERVER, BECKON_LLM_ERROR_LOADING };
  static const BeckonLlmError limits[] = { BECKON_LLM_ERROR_RATE, BECKON_LLM_ERROR_QUOTA, BECKON_LLM_ERROR_CONTEXT,
                                           BECKON_LLM_ERROR_TOO_LARGE };

  if (g_error_matches (error, BECKON_LLM_ERROR, BECKON_LLM_ERROR_MODEL))
    return BECKON_RUN_CAUSE_MODEL;
  if (tries_is_one_of (error, network, G_N_ELEMENTS (network)))
    return BECKON_RUN_CAUSE_NETWORK;
  if (tries_is_one_of (error, limits, G_N_ELEMENTS (limits)))
    return BECKON_RUN_CAUSE_LIMIT;
  /* The look-up of the key is all that fails before the exchange. */
  if (g_error_matches (error, BECKON_LLM_ERROR, BECKON_LLM_ERROR_AUTH) || error->domain == BECKON_ERROR)
    return BECKON_RUN_CAUSE_KEY;
  return BECKON_RUN_CAUSE_OTHER;
}

/* (nullable): the next profile that the person named and that is there; borrowed. */
static BeckonProfile *
find_fallback (BeckonTries *tries, guint *index)
{
  BeckonProfile *own = get_own_profile (tries);
  const char *const *ids = own != NULL ? beckon_profile_get_fallbacks (own) : NULL;
  guint n = ids != NULL ? g_strv_length ((GStrv) ids) : 0;

  for (*index = tries->n_fallbacks; *index < n; (*index)++)
    {
      BeckonProfile *profile = beckon_profiles_lookup (tries->profiles, ids[*index]);

      if (profile != NULL && profile != own)
        return profile;
    }
  return NULL;
}

static gboolean
has_fallback (BeckonTries *tries)
{
  guint index;

  return find_fallback (tries, &index) != NULL;
}

/* -1: it is a failure like others. */
static gint64
loading_delay (BeckonTries *tries, const GError *error, gint64 now)
{
  if (!g_error_matches (error, BECKON_LLM_ERROR, BECKON_LLM_ERROR_LOADING) || has_fallback (tries))
    return -1;
  if (tries->loading_since == 0)
    tries->loading_since = now;
  return now - tries->loading_since < (gint64) MAX_LOADING_MS * 1000 ? LOADING_RETRY_MS : -1;
}

/* -1: the same profile is not tried again. */
static gint64
retry_delay (BeckonTries *tries, const GError *error, gint64 retry_after_ms)
{
  gint64 backoff = (gint64) FIRST_RETRY_MS << (tries->n_failures - 1);
  gint64 delay = retry_after_ms >= 0 ? retry_after_ms : backoff + g_random_int_range (0, (gint32) (backoff / 4));

  if (tries->n_failures >= MAX_FAILURES || delay > MAX_RETRY_AFTER_MS || !is_worth_a_try (error))
    return -1;
  return delay > MAX_WAIT_BESIDE_FALLBACK_MS && has_fallback (tries) ? -1 : delay;
}

static gboolean
fail_over (BeckonTries *tries)
{
  guint index;
  BeckonProfile *fallback = find_fallback (tries, &index);

  if (fallback == NULL)
    return FALSE;
  tries->n_fallbacks = index + 1;
  tries->n_failures = 0;
  g_free (tries->fallback_id);
  tries->fallback_id = g_strdup (beckon_profile_get_id (fallback));
  return TRUE;
}

BeckonNextTry
beckon_tries_fail (BeckonTries *tries, const GError *error, gint64 retry_after_ms, gint64 now, gint64 *delay_ms)
{
  *delay_ms = loading_delay (tries, error, now);
  if (*delay_ms >= 0)
    return BECKON_NEXT_TRY_LATER;
  tries->n_failures++;
  *delay_ms = retry_delay (tries, error, retry_after_ms);
  if (*delay_ms >= 0)
    return BECKON_NEXT_TRY_LATER;
  return is_worth_another (error) && fail_over (tries) ? BECKON_NEXT_TRY_FALLBACK : BECKON_NEXT_TRY_NONE;
}
