/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-logged-call.h"
#include "runtime/beckon-runtime.h"
#include "ui/widgets/beckon-sheet.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_AUDIT_LOG (beckon_audit_log_get_type ())
G_DECLARE_FINAL_TYPE (BeckonAuditLog, beckon_audit_log, BECKON, AUDIT_LOG, BeckonSheet)

/**
 * BeckonAuditLog:
 *
 * The audit log in a window: a row for each tool call, the latest first, with who decided, how it ended, an undo and the way
 * to its place in the conversation. More is read as it is asked for, and what the filters choose can be written to a file. The
 * way to a place is the signal `place-wanted` (conversation id, message id).
 */
GtkWidget *beckon_audit_log_new (BeckonRuntime *runtime) G_GNUC_WARN_UNUSED_RESULT;

#define BECKON_TYPE_AUDIT_ROW (beckon_audit_row_get_type ())
G_DECLARE_FINAL_TYPE (BeckonAuditRow, beckon_audit_row, BECKON, AUDIT_ROW, AdwActionRow)

G_END_DECLS
