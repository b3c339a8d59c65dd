/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-hook.h"

G_BEGIN_DECLS

#define BECKON_TYPE_HOOKS (beckon_hooks_get_type ())
G_DECLARE_FINAL_TYPE (BeckonHooks, beckon_hooks, BECKON, HOOKS, GObject)

/** The hooks of a program, in the order in which they were added. Main thread. */
BeckonHooks *beckon_hooks_new (void) G_GNUC_WARN_UNUSED_RESULT;
void         beckon_hooks_add (BeckonHooks *hooks, BeckonHook *hook);
/** Whether any of them is to be asked before a call starts. */
gboolean beckon_hooks_intercept (BeckonHooks *hooks);

/**
 * beckon_hooks_check_async:
 * @hooks: the hooks
 * @call: a call that is about to start; copied
 * @cancellable: (nullable): for the hooks; what they say after it is a veto
 * @callback: called later
 * @user_data: for @callback
 *
 * Asks one after another; the first veto is the last word, and of the rest asking is stronger than passing. A hook that fails
 * is a veto, and so is one that says nothing for a minute.
 */
void              beckon_hooks_check_async (BeckonHooks *hooks, const BeckonHookCall *call, GCancellable *cancellable,
                                            GAsyncReadyCallback callback, gpointer user_data);
BeckonHookVerdict beckon_hooks_check_finish (BeckonHooks *hooks, GAsyncResult *result, char **reason);

void beckon_hooks_started (BeckonHooks *hooks, const BeckonHookCall *call);
void beckon_hooks_ended (BeckonHooks *hooks, const BeckonHookCall *call, const char *result, gboolean is_error);

G_END_DECLS
