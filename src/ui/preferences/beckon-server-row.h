/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-switched-row.h"
#include "runtime/beckon-runtime.h"

G_BEGIN_DECLS

#define BECKON_TYPE_SERVER_ROW (beckon_server_row_get_type ())
G_DECLARE_FINAL_TYPE (BeckonServerRow, beckon_server_row, BECKON, SERVER_ROW, BeckonSwitchedRow)

/**
 * BeckonServerRow:
 *
 * A server with its state, the number of its tools and a switch. It follows the service.
 */
GtkWidget *beckon_server_row_new (BeckonRuntime *runtime, BeckonMcpService *service) G_GNUC_WARN_UNUSED_RESULT;

/** Borrowed. */
BeckonMcpService *beckon_server_row_get_service (BeckonServerRow *row);

G_END_DECLS
