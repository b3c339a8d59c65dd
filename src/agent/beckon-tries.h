/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "library/beckon-profiles.h"
#include "settings/beckon-settings.h"

G_BEGIN_DECLS

/**
 * BeckonTries:
 *
 * Which profile a run asks, and what is tried when a request failed or its reply broke off. A server that is
 * busy is tried again after a while; when that is no use, the profile's fallbacks are asked in their order. A run that has
 * failed over stays with the fallback. Sends nothing itself. Main thread.
 */
typedef struct _BeckonTries BeckonTries;

/**
 * BeckonNextTry:
 * @BECKON_NEXT_TRY_NONE: nothing helps
 * @BECKON_NEXT_TRY_LATER: the same profile, after a while
 * @BECKON_NEXT_TRY_FALLBACK: another profile, at once; beckon_tries_get_profile() has it from now on
 */
typedef enum
{
  BECKON_NEXT_TRY_NONE,
  BECKON_NEXT_TRY_LATER,
  BECKON_NEXT_TRY_FALLBACK,
} BeckonNextTry;

/**
 * beckon_tries_new:
 * @profiles: all there are
 * @settings: where the one in use is
 * @profile_id: the profile that the run began with
 *
 * Returns: (transfer full): the tries of one run
 */
BeckonTries *beckon_tries_new (BeckonProfiles *profiles, BeckonSettings *settings,
                               const char *profile_id) G_GNUC_WARN_UNUSED_RESULT;
void         beckon_tries_free (BeckonTries *tries);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonTries, beckon_tries_free)

/** The profile that is asked now; %NULL where none is set up. Borrowed. */
BeckonProfile *beckon_tries_get_profile (BeckonTries *tries);

/** Failures count anew, because another request than the one that failed is sent now. */
void beckon_tries_begin (BeckonTries *tries);

/**
 * beckon_tries_fail:
 * @tries: the tries
 * @error: why the request failed
 * @retry_after_ms: how long the server said to wait; negative if it did not
 * @now: microseconds since the epoch
 * @delay_ms: (out): with %BECKON_NEXT_TRY_LATER, how long to wait
 *
 * Returns: what to do next
 */
BeckonNextTry beckon_tries_fail (BeckonTries *tries, const GError *error, gint64 retry_after_ms, gint64 now, gint64 *delay_ms);

/** The cause to store for a run that fails with @error. */
BeckonRunCause beckon_tries_get_cause (const GError *error);

G_END_DECLS
