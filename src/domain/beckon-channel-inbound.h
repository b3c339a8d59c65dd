/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonChannelInbound:
 * @message_id: of the account's server
 * @address: from whom
 * @body: (nullable): what came, as JSON, until it was handled; %NULL for what only has to be known again
 * @target_id: the id of the conversation's message that this becomes, if it becomes one
 * @at: microseconds since the epoch
 *
 * A message that came, as it is stored with the cursor.
 */
typedef struct
{
  char *message_id;
  char *address;
  char *body;
  char *target_id;
  gint64 at;
} BeckonChannelInbound;

BeckonChannelInbound *beckon_channel_inbound_new (const char *message_id, const char *address, const char *body,
                                                  gint64 at) G_GNUC_WARN_UNUSED_RESULT;
BeckonChannelInbound *beckon_channel_inbound_copy (const BeckonChannelInbound *inbound) G_GNUC_WARN_UNUSED_RESULT;
void                  beckon_channel_inbound_free (BeckonChannelInbound *inbound);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonChannelInbound, beckon_channel_inbound_free)

G_END_DECLS
