/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-tool-call.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * BeckonHookCall:
 * @conversation_id: whose run it is
 * @call: the call
 * @arguments: what runs, byte for byte; a secret of the person's stands in it as its handle
 * @folder: (nullable): the conversation's working folder
 * @decision_id: (nullable): the decision by which it runs
 *
 * What a hook is told of a call. Borrowed for the time of the vfunc.
 */
typedef struct
{
  const char *conversation_id;
  BeckonToolCall *call;
  const char *arguments;
  const char *folder;
  const char *decision_id;
} BeckonHookCall;

/**
 * BeckonHookVerdict:
 * @BECKON_HOOK_PASS: nothing against it
 * @BECKON_HOOK_ASK: somebody has to see it, whatever a rule says
 * @BECKON_HOOK_VETO: it does not run
 */
typedef enum
{
  BECKON_HOOK_PASS,
  BECKON_HOOK_ASK,
  BECKON_HOOK_VETO,
} BeckonHookVerdict;

#define BECKON_TYPE_HOOK (beckon_hook_get_type ())
G_DECLARE_INTERFACE (BeckonHook, beckon_hook, BECKON, HOOK, GObject)

/**
 * BeckonHook:
 * @check_async: (nullable): is asked before a call that was decided starts; nothing runs until it has said something
 * @check_finish: what it says, with a reason in words to be shown (transfer full, nullable) unless it passes; an error,
 *   whatever it is, is a veto
 * @started: (nullable): sees a call whose start is stored, in the moment before it begins
 * @ended: (nullable): sees what came of it; @result is masked where it holds secrets
 *
 * Stands between a decision and its tool: an observer, which sees what really runs, or an interception, which can stop it or
 * have it asked for. Main thread.
 */
struct _BeckonHookInterface
{
  GTypeInterface parent_iface;

  void (*check_async) (BeckonHook *self, const BeckonHookCall *call, GCancellable *cancellable,
                       GAsyncReadyCallback callback, gpointer user_data);
  BeckonHookVerdict (*check_finish) (BeckonHook *self, GAsyncResult *result, char **reason, GError **error);
  void (*started) (BeckonHook *self, const BeckonHookCall *call);
  void (*ended) (BeckonHook *self, const BeckonHookCall *call, const char *result, gboolean is_error);
};

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
