/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-model-pick.h"
#include "llm/beckon-provider.h"

G_BEGIN_DECLS

/** How long a server may take to list its models, and to answer a test. */
#define BECKON_PROBE_LIST_S 15
#define BECKON_PROBE_TEST_S 30

#define BECKON_TYPE_PROBE (beckon_probe_get_type ())
G_DECLARE_FINAL_TYPE (BeckonProbe, beckon_probe, BECKON, PROBE, GObject)

/**
 * BeckonProbe:
 *
 * Finds out about a server what a person who sets it up wants to know: which models it has, and whether it answers. It has
 * connections of its own, so that a trial disturbs no run. Main thread.
 */
BeckonProbe *beckon_probe_new (BeckonEndpointSource *endpoints, BeckonClock *clock) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_probe_list_async:
 * @probe: the probe
 * @profile: where; its model need not be named
 * @seconds: for all of it; 0 means %BECKON_PROBE_LIST_S
 * @cancellable: (nullable): ends it with %G_IO_ERROR_CANCELLED
 * @callback: called once, later
 * @user_data: for @callback
 *
 * Asks a server for its models. What it answers is read on a thread, as it may be megabytes.
 */
void beckon_probe_list_async (BeckonProbe *probe, BeckonProfile *profile, guint seconds, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer user_data);

/** (element-type BeckonListedModel): what beckon_model_list_parse() makes of it. Caller owns. */
GPtrArray *beckon_probe_list_finish (BeckonProbe *probe, GAsyncResult *result, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_probe_test_async:
 * @probe: the probe
 * @profile: what is tried, as a person entered it
 * @cancellable: (nullable): ends it with %G_IO_ERROR_CANCELLED
 * @callback: called once, later
 * @user_data: for @callback
 *
 * Makes one cheap request: a word is sent, and the reply may have a few tokens. Where the server knows no such address or
 * model its list of models is asked for, to tell which of both it is.
 */
void beckon_probe_test_async (BeckonProbe *probe, BeckonProfile *profile, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer user_data);

/**
 * beckon_probe_test_finish:
 * @probe: the probe
 * @result: the result
 * @milliseconds: (out) (optional): how long the answer took
 * @error: return location; its message says in words what is wrong and what to do
 *
 * Returns: %TRUE if the model answered
 */
gboolean beckon_probe_test_finish (BeckonProbe *probe, GAsyncResult *result, guint *milliseconds, GError **error);

G_END_DECLS
