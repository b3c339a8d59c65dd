/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-tool-parameter.h"
#include "store/beckon-followed-list.h"

G_BEGIN_DECLS

#define BECKON_TYPE_SETTLED_PARAMETERS (beckon_settled_parameters_get_type ())
G_DECLARE_FINAL_TYPE (BeckonSettledParameters, beckon_settled_parameters, BECKON, SETTLED_PARAMETERS, BeckonFollowedList)

/**
 * BeckonSettledParameters:
 *
 * What the person settled about arguments of tools, by tool and name; see #BeckonFollowedListClass, whose functions load it and
 * give its snapshot (element-type BeckonToolParameter). Main thread.
 */
BeckonSettledParameters *beckon_settled_parameters_new (BeckonStore *store) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_settled_parameters_collect:
 * @self: (nullable): where none is there, nothing is settled
 * @tool: a tool
 * @server: (nullable): its server
 *
 * Returns: (transfer full): what is settled about that tool; closed while nothing was read
 */
BeckonParameters *beckon_settled_parameters_collect (BeckonSettledParameters *self, const char *tool,
                                                     const char *server) G_GNUC_WARN_UNUSED_RESULT;

/** About one argument; %NULL where nothing is settled, or nothing was read. Borrowed. */
BeckonToolParameter *beckon_settled_parameters_lookup (BeckonSettledParameters *self, const char *tool, const char *server,
                                                       const char *name);

/** Stores what is settled about an argument, in place of what was; it holds at once. What says nothing is taken out. */
void     beckon_settled_parameters_save_async (BeckonSettledParameters *self, BeckonToolParameter *parameter,
                                               GCancellable *cancellable, GAsyncReadyCallback callback,
                                               gpointer user_data);
gboolean beckon_settled_parameters_save_finish (BeckonSettledParameters *self, GAsyncResult *result, GError **error);

G_END_DECLS
