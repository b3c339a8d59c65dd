/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "mcp/beckon-mcp-service.h"
#include "runtime/beckon-runtime.h"
#include "ui/widgets/beckon-sheet.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_SERVER_WINDOW (beckon_server_window_get_type ())
G_DECLARE_FINAL_TYPE (BeckonServerWindow, beckon_server_window, BECKON, SERVER_WINDOW, BeckonSheet)

/**
 * BeckonServerWindow:
 *
 * A server in a window: its state, its last error, its tools with a switch each, its log, and what can be done with it. Signal
 * `removed` (name): it is gone, and the window is about to go.
 */
GtkWidget *beckon_server_window_new (BeckonRuntime *runtime, BeckonMcpService *service) G_GNUC_WARN_UNUSED_RESULT;

/** Starts the server, as its button does. */
void beckon_server_window_test (BeckonServerWindow *window);

G_END_DECLS
