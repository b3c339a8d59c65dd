/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "runtime/beckon-runtime.h"
#include "ui/widgets/beckon-sheet.h"

G_BEGIN_DECLS

#define BECKON_TYPE_SERVER_IMPORT (beckon_server_import_get_type ())
G_DECLARE_FINAL_TYPE (BeckonServerImport, beckon_server_import, BECKON, SERVER_IMPORT, BeckonSheet)

/**
 * BeckonServerImport:
 *
 * The servers that other programs on this computer have, in a window. Each is looked at before it is added; nothing is started.
 */
GtkWidget *beckon_server_import_new (BeckonRuntime *runtime) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
