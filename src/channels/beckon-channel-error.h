/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define BECKON_CHANNEL_ERROR (beckon_channel_error_quark ())
GQuark beckon_channel_error_quark (void);

/**
 * BeckonChannelError:
 * @BECKON_CHANNEL_ERROR_NETWORK: the server was not reached, or something broke off; trying again may help
 * @BECKON_CHANNEL_ERROR_LATE: there was no answer in time, so that nobody knows whether it arrived; trying again may help
 * @BECKON_CHANNEL_ERROR_LIMITED: the server wants a pause; beckon_channel_error_get_pause_s() says how long, if it said so
 * @BECKON_CHANNEL_ERROR_SIGN_IN: the account has to be signed in to again
 * @BECKON_CHANNEL_ERROR_GONE: the message to edit, or the file to fetch, is no longer there
 * @BECKON_CHANNEL_ERROR_BLOCKED: the peer no longer wants messages
 * @BECKON_CHANNEL_ERROR_REFUSED: the server refuses this one; trying again doesn't help
 *
 * Why a message was not sent, or a file not fetched. Messages are for people, translated, and have no key and no content.
 */
typedef enum
{
  BECKON_CHANNEL_ERROR_NETWORK,
  BECKON_CHANNEL_ERROR_LATE,
  BECKON_CHANNEL_ERROR_LIMITED,
  BECKON_CHANNEL_ERROR_SIGN_IN,
  BECKON_CHANNEL_ERROR_GONE,
  BECKON_CHANNEL_ERROR_BLOCKED,
  BECKON_CHANNEL_ERROR_REFUSED,
} BeckonChannelError;

/** Makes a %BECKON_CHANNEL_ERROR_LIMITED. @pause_s: 0 where the server did not say. */
GError *beckon_channel_error_new_limited (guint pause_s, const char *message) G_GNUC_WARN_UNUSED_RESULT;

/** The seconds of a %BECKON_CHANNEL_ERROR_LIMITED, 0 of any other error. */
guint beckon_channel_error_get_pause_s (const GError *error);

G_END_DECLS
