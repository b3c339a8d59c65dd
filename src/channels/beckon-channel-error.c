/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-channel-error.h"

typedef struct
{
  guint pause_s;
} BeckonChannelErrorPrivate;

static void
beckon_channel_error_private_init (BeckonChannelErrorPrivate *private)
{
  private->pause_s = 0;
}

static void
beckon_channel_error_private_copy (const BeckonChannelErrorPrivate *from, BeckonChannelErrorPrivate *to)
{
  *to = *from;
}

static void
beckon_channel_error_private_clear (BeckonChannelErrorPrivate *private)
{
}

G_DEFINE_EXTENDED_ERROR (BeckonChannelError, beckon_channel_error)

GError *
beckon_channel_error_new_limited (guint pause_s, const char *message)
{
  GError *error = g_error_new_literal (BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_LIMITED, message);

  beckon_channel_error_get_private (error)->pause_s = pause_s;
  return error;
}

guint
beckon_channel_error_get_pause_s (const GError *error)
{
  return error != NULL && error->domain == BECKON_CHANNEL_ERROR ? beckon_channel_error_get_private (error)->pause_s : 0;
}
