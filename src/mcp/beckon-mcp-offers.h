/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "mcp/beckon-mcp-client.h"

G_BEGIN_DECLS

/**
 * BeckonMcpOffers:
 * @prompts: (nullable) (element-type BeckonMcpPrompt): %NULL where they could not be listed
 * @resources: (nullable) (element-type BeckonMcpResource): likewise; templates stand last
 *
 * Lists of a server beside its tools. Not shared between threads.
 */
typedef struct
{
  GPtrArray *prompts;
  GPtrArray *resources;
} BeckonMcpOffers;

/** (transfer full): two empty lists. */
BeckonMcpOffers *beckon_mcp_offers_new (void) G_GNUC_WARN_UNUSED_RESULT;
void             beckon_mcp_offers_free (BeckonMcpOffers *offers);

/** Takes the lists that @newer has out of it. Whether any of them is another one. */
gboolean beckon_mcp_offers_take (BeckonMcpOffers *offers, BeckonMcpOffers *newer);

/** Reads all of them from a server that is open. @name: the server's, for the log. Lists that can't be read are %NULL. */
void beckon_mcp_offers_list_async (BeckonMcpClient *client, const char *name, GCancellable *cancellable,
                                   GAsyncReadyCallback callback, gpointer user_data);

/** (transfer full) */
BeckonMcpOffers *beckon_mcp_offers_list_finish (GAsyncResult *result) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonMcpOffers, beckon_mcp_offers_free)

G_END_DECLS
