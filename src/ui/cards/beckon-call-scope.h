/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-approval-details.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_CALL_SCOPE (beckon_call_scope_get_type ())
G_DECLARE_FINAL_TYPE (BeckonCallScope, beckon_call_scope, BECKON, CALL_SCOPE, AdwBin)

/**
 * BeckonCallScope:
 *
 * What a call would do: its command, address or long arguments whole, with everything written out that would not be seen; and
 * its risks.
 * Made in templates. Signal `seen-changed`: see beckon_call_scope_get_seen().
 */

/** @tool: the tool; @details: (nullable): of the approval. */
void beckon_call_scope_set_details (BeckonCallScope *self, const char *tool, const BeckonApprovalDetails *details);

/** @command: (nullable): the command line as it would run now; of some tools the argument that their sentence is about. */
void beckon_call_scope_set_command (BeckonCallScope *self, const char *command);

/**
 * beckon_call_scope_take_arguments:
 * @self: the scope
 * @lines: (nullable): the arguments of the call, as beckon_call_labels_list_unsaid() writes them
 *
 * Shows arguments that are too long to be lines of a card, unless there is a command.
 *
 * Returns: whether it shows them
 */
gboolean beckon_call_scope_take_arguments (BeckonCallScope *self, const char *lines);

/** Whether the end of the command, or of long arguments, has been on the screen, or there are none. */
gboolean beckon_call_scope_get_seen (BeckonCallScope *self);

/** Whether arguments are too long to be shown, so that their end is never seen. */
gboolean beckon_call_scope_get_is_cut (BeckonCallScope *self);

/** Whether it has its place by now, so that beckon_call_scope_get_seen() tells the truth. */
gboolean beckon_call_scope_is_laid_out (BeckonCallScope *self);

/** Scrolls to the end of the command, or of long arguments. @with: (nullable): see beckon_end_watch_show_end(). */
void beckon_call_scope_show_end (BeckonCallScope *self, GtkWidget *with);

G_END_DECLS
