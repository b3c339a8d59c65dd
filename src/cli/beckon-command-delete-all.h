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

/** Prints which conversations were deleted, as JSON. @ids: (array zero-terminated=1). */
void beckon_command_print_deleted (const char *const *ids);

G_END_DECLS
