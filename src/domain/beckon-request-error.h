/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define BECKON_REQUEST_ERROR (beckon_request_error_quark ())
GQuark beckon_request_error_quark (void);

/**
 * BeckonRequestError:
 * @BECKON_REQUEST_ERROR_UNKNOWN: there is no such request
 * @BECKON_REQUEST_ERROR_ALREADY_SETTLED: somebody was first; the message says who, where and when
 * @BECKON_REQUEST_ERROR_INVALID: the answer does not fit; the message names the field
 * @BECKON_REQUEST_ERROR_DECLINED: the person declined
 * @BECKON_REQUEST_ERROR_CANCELLED: its ground is gone
 * @BECKON_REQUEST_ERROR_TIMED_OUT: the time the person had set is over
 * @BECKON_REQUEST_ERROR_UNAVAILABLE: nobody can answer
 *
 * Every message is translated and fit to show.
 */
typedef enum
{
  BECKON_REQUEST_ERROR_UNKNOWN,
  BECKON_REQUEST_ERROR_ALREADY_SETTLED,
  BECKON_REQUEST_ERROR_INVALID,
  BECKON_REQUEST_ERROR_DECLINED,
  BECKON_REQUEST_ERROR_CANCELLED,
  BECKON_REQUEST_ERROR_TIMED_OUT,
  BECKON_REQUEST_ERROR_UNAVAILABLE,
} BeckonRequestError;

/**
 * beckon_request_error_set_settled:
 * @error: return location
 * @ended: %TRUE if nobody answered: its ground or its process was gone, or the time was over
 * @front_end: (nullable): where it was settled, such as "window"
 * @actor: (nullable): by whom
 * @at: when, microseconds since the epoch
 *
 * Sets %BECKON_REQUEST_ERROR_ALREADY_SETTLED with the same words wherever it is found out.
 */
void beckon_request_error_set_settled (GError **error, gboolean ended, const char *front_end, const char *actor,
                                       gint64 at);

/** The front end of an answer that no person gave: a rule of theirs that is newer than the request decided. */
#define BECKON_FRONT_END_RULE "rule"

/** Describes a front end, such as "in the window", or for "telegram: Phone" a channel; translated, static. */
const char *beckon_request_front_end_to_words (const char *front_end);

G_END_DECLS
