/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-agent.h"
#include "mcp/beckon-mcp-servers.h"
#include "runtime/beckon-profile-tester.h"
#include "settings/beckon-secrets.h"
#include "tour/beckon-tour-texts.h"

G_BEGIN_DECLS

#define BECKON_TYPE_RUNTIME (beckon_runtime_get_type ())
G_DECLARE_FINAL_TYPE (BeckonRuntime, beckon_runtime, BECKON, RUNTIME, GObject)

/**
 * BeckonRuntime:
 *
 * Builds the pieces of a program once and hands them out; it has no logic of its own. Main thread.
 */

/** @directory: (nullable): where data lies; %NULL is $XDG_DATA_HOME/beckon. */
BeckonRuntime *beckon_runtime_new (const char *directory) G_GNUC_WARN_UNUSED_RESULT;

/** Before opening: reads only the profiles and the rules, for a program that begins one new conversation and shows no other. */
void beckon_runtime_set_light (BeckonRuntime *runtime, gboolean light);

/** The offline tour is read at @place: in the window, unless this says otherwise. */
void beckon_runtime_set_tour_place (BeckonRuntime *runtime, BeckonTourPlace place);

/**
 * beckon_runtime_set_gradual:
 * @runtime: a runtime that is not open yet
 * @gradual: whether opening has two steps
 *
 * For a window: what it shows first is read before all the rest, and the signal `usable` says that it is there. What leads to
 * any conversation waits until it is open.
 */
void beckon_runtime_set_gradual (BeckonRuntime *runtime, gboolean gradual);

/** Opens the store and reads conversations, profiles, rules and the inbox. */
void     beckon_runtime_open_async (BeckonRuntime *runtime, GCancellable *cancellable, GAsyncReadyCallback callback,
                                    gpointer user_data);
gboolean beckon_runtime_open_finish (BeckonRuntime *runtime, GAsyncResult *result, GError **error);

/** Stores drafts, ends what runs without declining anything, and closes the store. */
void     beckon_runtime_close_async (BeckonRuntime *runtime, GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_runtime_close_finish (BeckonRuntime *runtime, GAsyncResult *result, GError **error);

/** All borrowed, there from the beginning, filled once opened. */
BeckonAgent        *beckon_runtime_get_agent (BeckonRuntime *runtime);
BeckonProfileTester        *beckon_runtime_get_tester (BeckonRuntime *runtime);
BeckonInbox        *beckon_runtime_get_inbox (BeckonRuntime *runtime);
BeckonLibrary      *beckon_runtime_get_library (BeckonRuntime *runtime);
BeckonProfiles     *beckon_runtime_get_profiles (BeckonRuntime *runtime);
BeckonRules        *beckon_runtime_get_rules (BeckonRuntime *runtime);
BeckonArgumentOverrides *beckon_runtime_get_parameters (BeckonRuntime *runtime);
BeckonSecrets      *beckon_runtime_get_secrets (BeckonRuntime *runtime);
BeckonMcpServers   *beckon_runtime_get_servers (BeckonRuntime *runtime);
BeckonSettings     *beckon_runtime_get_settings (BeckonRuntime *runtime);
BeckonStore        *beckon_runtime_get_store (BeckonRuntime *runtime);
BeckonToolRegistry *beckon_runtime_get_tools (BeckonRuntime *runtime);

G_END_DECLS
