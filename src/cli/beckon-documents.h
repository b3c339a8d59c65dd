/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-run-events.h"
#include "runtime/beckon-runtime.h"

G_BEGIN_DECLS

/**
 * beckon_documents_print_async:
 * @runtime: opened
 * @requests: (element-type BeckonRequest): what to print
 * @is_whole: as one document, {"questions":[…]}; otherwise a document a line
 * @callback: called later
 * @user_data: for @callback
 *
 * Prints requests on the standard output as other programs get them on the bus.
 */
void     beckon_documents_print_async (BeckonRuntime *runtime, GPtrArray *requests, gboolean is_whole,
                                       GAsyncReadyCallback callback, gpointer user_data);

/** The same, where each is an event of @events. */
void beckon_documents_add_to_events_async (BeckonRuntime *runtime, GPtrArray *requests, BeckonRunEvents *events,
                                           GAsyncReadyCallback callback, gpointer user_data);

/** Ends both. */
gboolean beckon_documents_print_finish (BeckonRuntime *runtime, GAsyncResult *result, GError **error);

/**
 * beckon_documents_find:
 * @requests: a list of #BeckonRequest
 * @id: a request's id, its beginning or its end, such as the code that is printed with it
 * @several: (out): whether more than one would do
 *
 * Returns: (transfer full) (nullable): the only one that is meant
 */
BeckonRequest *beckon_documents_find (GListModel *requests, const char *id, gboolean *several);

G_END_DECLS
