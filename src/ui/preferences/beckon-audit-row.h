/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-logged-call.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_AUDIT_ROW (beckon_audit_row_get_type ())
G_DECLARE_FINAL_TYPE (BeckonAuditRow, beckon_audit_row, BECKON, AUDIT_ROW, AdwActionRow)

/**
 * BeckonAuditRow:
 *
 * A call of the audit log. Activating it asks for its place; the signal `undo` is for its changes.
 */
GtkWidget *beckon_audit_row_new (BeckonLoggedCall *call) G_GNUC_WARN_UNUSED_RESULT;

/** Borrowed. */
BeckonLoggedCall *beckon_audit_row_get_call (BeckonAuditRow *self);

/** Says that the changes of the call were undone. */
void beckon_audit_row_set_undone (BeckonAuditRow *self);

G_END_DECLS
