/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_command_delete_all:
 * @yes: without asking
 * @json: prints the ids of the conversations that were deleted, as JSON
 *
 * Says what is going to be deleted, asks, and deletes all of it, the profiles' keys in the keyring too.
 *
 * Returns: the exit status
 */
int beckon_command_delete_all (gboolean yes, gboolean json);

G_END_DECLS
