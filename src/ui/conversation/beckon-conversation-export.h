/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "runtime/beckon-runtime.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/** To read, or complete. */
typedef enum
{
  BECKON_EXPORT_MARKDOWN,
  BECKON_EXPORT_JSON,
} BeckonExportKind;

/**
 * beckon_conversation_export_async:
 * @runtime: an open runtime
 * @conversation: one of its library's
 * @kind: what kind of document
 * @parent: the window that asks where to
 * @callback: called later
 * @user_data: for @callback
 *
 * Asks where to, and writes the conversation there.
 */
void beckon_conversation_export_async (BeckonRuntime *runtime, BeckonConversation *conversation, BeckonExportKind kind,
                                       GtkWindow *parent, GAsyncReadyCallback callback, gpointer user_data);

/** The file's name as it is shown, caller frees; %NULL with %G_IO_ERROR_CANCELLED if the person did not choose one. */
char *beckon_conversation_export_finish (GAsyncResult *result, GError **error);

/** Names a conversation's file: a name that any file system takes. Caller frees. */
char *beckon_conversation_export_make_name (BeckonConversation *conversation, const char *suffix);

G_END_DECLS
