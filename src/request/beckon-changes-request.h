/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-change-choice.h"
#include "request/beckon-call-request.h"
#include "request/beckon-request.h"
#include <gio/gio.h>

G_BEGIN_DECLS

#define BECKON_TYPE_KEEP_CHECK (beckon_keep_check_get_type ())
G_DECLARE_INTERFACE (BeckonKeepCheck, beckon_keep_check, BECKON, KEEP_CHECK, GObject)

/**
 * BeckonKeepCheck:
 * @check_async: looks whether the changes of a request can land now
 * @check_finish: %FALSE if their folder cannot be reached or written; the error is for a person
 *
 * That a folder is away is no outcome: a *keep* that could not be carried out is not settled, and can be given again. For a
 * room that knows no folders. Main thread.
 */
struct _BeckonKeepCheckInterface
{
  GTypeInterface parent_iface;

  void (*check_async) (BeckonKeepCheck *self, BeckonRequest *request, GCancellable *cancellable, GAsyncReadyCallback callback,
                       gpointer user_data);
  gboolean (*check_finish) (BeckonKeepCheck *self, GAsyncResult *result, GError **error);
};

/** See #BeckonKeepCheck. @cancellable: (nullable). */
void     beckon_keep_check_async (BeckonKeepCheck *self, BeckonRequest *request, GCancellable *cancellable,
                                  GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_keep_check_finish (BeckonKeepCheck *self, GAsyncResult *result, GError **error);

#define BECKON_TYPE_CHANGES_REQUEST (beckon_changes_request_get_type ())
G_DECLARE_FINAL_TYPE (BeckonChangesRequest, beckon_changes_request, BECKON, CHANGES_REQUEST, BeckonCallRequest)

/**
 * BeckonChangesRequest:
 *
 * A command has changed something that is not in the folder yet: the person keeps it, whole or in part, or leaves it out. With
 * what is kept, they may permit the like of it from now on, as the proposals of beckon_request_get_ground() say.
 */

/**
 * beckon_changes_request_new:
 * @id: (nullable): %NULL makes one
 * @conversation_id: whose run it is
 * @message_id: (nullable): the message that holds the call
 * @call_id: (nullable): our id of the call
 * @tool: what made the changes
 * @arguments: the JSON text that ran
 * @changes: what it changed, with what is to be decided open; it is copied
 * @asked_at: microseconds since the epoch
 *
 * Returns: (transfer full): a pending request
 */
BeckonRequest *beckon_changes_request_new (const char *id, const char *conversation_id, const char *message_id,
                                           const char *call_id, const char *tool, const char *arguments,
                                           const BeckonChangeSet *changes, gint64 asked_at) G_GNUC_WARN_UNUSED_RESULT;

/** The command has ended: @exit_status, and the last lines of @output (nullable), of which only @length bytes are its own.
 *  Before the request is shown to anybody. */
void beckon_changes_request_set_outcome (BeckonRequest *request, int exit_status, const char *output, gsize length);

/** (nullable): the last lines of what a request's command put out, any text; borrowed. @exit_status: (out) (optional): -1 while
 *  it runs, or if it isn't known. */
const char *beckon_changes_request_get_outcome (BeckonRequest *request, int *exit_status);

/** (transfer full) (nullable): how a command ended, translated, and its last lines, to be shown; %NULL while it runs. */
char *beckon_changes_request_dup_outcome (BeckonRequest *request) G_GNUC_WARN_UNUSED_RESULT;

/** (transfer full): what a command changed, which is not in the folder while the request waits, or what a tool that only moves
 *  or deletes is to do; translated. */
char *beckon_changes_request_dup_sentence (BeckonRequest *request) G_GNUC_WARN_UNUSED_RESULT;

/** (transfer full) (nullable): the second of these; %NULL where a command ran. */
char *beckon_changes_request_dup_wish (BeckonRequest *request) G_GNUC_WARN_UNUSED_RESULT;

/** A command's changes, as they were when asked; %NULL unless it is about changes. Borrowed. */
const BeckonChangeSet *beckon_request_get_changes (BeckonRequest *request);

G_END_DECLS
