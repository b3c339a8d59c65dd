/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "mcp/beckon-mcp-draft.h"
#include "runtime/beckon-runtime.h"
#include "ui/widgets/beckon-sheet.h"

G_BEGIN_DECLS

#define BECKON_TYPE_SERVER_EDITOR (beckon_server_editor_get_type ())
G_DECLARE_FINAL_TYPE (BeckonServerEditor, beckon_server_editor, BECKON, SERVER_EDITOR, BeckonSheet)

/**
 * beckon_server_editor_new:
 * @runtime: the pieces of the program
 * @service: (nullable): a server to change; %NULL to add one with what a person pastes
 *
 * A server's settings in a window. Signal `saved` (service): it is stored, and the window is about to go.
 */
GtkWidget *beckon_server_editor_new (BeckonRuntime *runtime, BeckonMcpService *service) G_GNUC_WARN_UNUSED_RESULT;

/** To add a server that another program has. @draft: (transfer full) */
GtkWidget *beckon_server_editor_new_for_draft (BeckonRuntime *runtime, BeckonMcpDraft *draft) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
