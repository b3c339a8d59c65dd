/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonServerReach:
 * @name: the server's name in the files of the folder that it comes with
 * @directory: (nullable): the folder that its sandbox shows; %NULL for a server at an address
 * @has_network: it can use the internet from there
 * @can_write: it can change the folder
 * @loses_permissions: the person allowed it more before, and that ends with the acceptance, because something else is started
 *   or reached now
 *
 * What a server (MCP) that comes with a folder may do once it is accepted.
 */
typedef struct
{
  char *name;
  char *directory;
  gboolean has_network;
  gboolean can_write;
  gboolean loses_permissions;
} BeckonServerReach;

/** Without any permission. Both are copied; @directory: (nullable). Caller owns. */
BeckonServerReach *beckon_server_reach_new (const char *name, const char *directory) G_GNUC_WARN_UNUSED_RESULT;
BeckonServerReach *beckon_server_reach_copy (const BeckonServerReach *reach) G_GNUC_WARN_UNUSED_RESULT;
gboolean           beckon_server_reach_equal (const BeckonServerReach *one, const BeckonServerReach *other);
void               beckon_server_reach_free (BeckonServerReach *reach);

/** In translated words, safe to be shown. Caller frees. */
char *beckon_server_reach_describe (const BeckonServerReach *reach) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonServerReach, beckon_server_reach_free)

G_END_DECLS
