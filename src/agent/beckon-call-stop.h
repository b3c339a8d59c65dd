/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-call-batch.h"
#include "store/db/beckon-batch.h"

G_BEGIN_DECLS

/**
 * BeckonCallStop:
 *
 * The end of the open calls of a message with the run that the person stops. Nothing of it shows before it is stored.
 */
typedef struct _BeckonCallStop BeckonCallStop;

/**
 * Looks what commands that another process had started worked on, which only the place of their changes tells. The run steps
 * again then. %FALSE if there is nothing to look at.
 */
gboolean beckon_call_stop_look (BeckonCallBatch *calls);

/** Adds the results of the open calls, and the ends of their requests, to @batch. For beckon_call_stop_async(). */
BeckonCallStop *beckon_call_stop_new (BeckonCallBatch *calls, BeckonBatch *batch) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_call_stop_async:
 * @stop: (transfer full): the end of the calls
 * @batch: (transfer full): with it, and behind it what the run itself writes of its end
 * @callback: called later
 * @user_data: for @callback
 *
 * Stores it. Fails with %G_IO_ERROR_PENDING where somebody else settled a request just before, whose answer is shown then: the
 * stop is tried again.
 */
void     beckon_call_stop_async (BeckonCallStop *stop, BeckonBatch *batch, GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_call_stop_finish (GAsyncResult *result, GError **error);

/** (transfer full): what the model is told of a call that ran when its run was stopped. */
char *beckon_call_stop_describe (BeckonCallBatch *calls, BeckonToolCall *call) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
