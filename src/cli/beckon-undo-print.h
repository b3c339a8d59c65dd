/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "store/queries/beckon-change-query.h"
#include "tools/beckon-rewind.h"

G_BEGIN_DECLS

/** A line of a list: the id, when, what was changed and in which conversation. */
void beckon_undo_print_change (const BeckonChange *change);

/** A JSON document: @member with @changes (element-type BeckonChange). */
void beckon_undo_print_json (const char *member, GPtrArray *changes);

/**
 * beckon_undo_print_rewind:
 * @rewind: what was done, or would be
 * @is_preview: whether it would be
 * @json: as one JSON document
 *
 * Prints what becomes of each file, and the reason for what is left.
 */
void beckon_undo_print_rewind (const BeckonRewind *rewind, gboolean is_preview, gboolean json);

/** Prints a line that says what was undone, or made again. */
void beckon_undo_print_done (const BeckonChange *change, gboolean is_redo);

/** Prints on standard error which changes of a command were left as they are, and why. %TRUE if none was. */
gboolean beckon_undo_print_refused (BeckonToolCall *call);

G_END_DECLS
