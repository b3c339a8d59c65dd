/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "library/beckon-followed-list.h"
#include "request/beckon-tool-parameter.h"

G_BEGIN_DECLS

#define BECKON_TYPE_ARGUMENT_OVERRIDES (beckon_argument_overrides_get_type ())
G_DECLARE_FINAL_TYPE (BeckonArgumentOverrides, beckon_argument_overrides, BECKON, ARGUMENT_OVERRIDES, BeckonFollowedList)

/**
 * BeckonArgumentOverrides:
 *
 * What the person settled about arguments of tools, by tool and name; see #BeckonFollowedListClass, whose functions load it and
 * give its snapshot (element-type BeckonToolParameter). Main thread.
 */
BeckonArgumentOverrides *beckon_argument_overrides_new (BeckonStore *store) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_argument_overrides_collect:
 * @self: (nullable): where none is there, nothing is settled
 * @tool: a tool
 * @server: (nullable): its server
 *
 * Returns: (transfer full): what is settled about that tool; closed while nothing was read
 */
BeckonParameters *beckon_argument_overrides_collect (BeckonArgumentOverrides *self, const char *tool,
                                                     const char *server) G_GNUC_WARN_UNUSED_RESULT;

/** About one argument; %NULL where nothing is settled, or nothing was read. Borrowed. */
BeckonToolParameter *beckon_argument_overrides_lookup (BeckonArgumentOverrides *self, const char *tool, const char *server,
                                                       const char *name);

/** Stores what is settled about an argument, in place of what was; it holds at once. What says nothing is taken out. */
void     beckon_argument_overrides_save_async (BeckonArgumentOverrides *self, BeckonToolParameter *parameter,
                                               GCancellable *cancellable, GAsyncReadyCallback callback,
                                               gpointer user_data);
gboolean beckon_argument_overrides_save_finish (BeckonArgumentOverrides *self, GAsyncResult *result, GError **error);

G_END_DECLS
