/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonLease:
 *
 * The proof that a process lives: a file in the store's `leases` folder that it keeps locked. The kernel lets go of the lock
 * when the process ends, however it ends. A run that is driven names the lease of its driver.
 */
typedef struct _BeckonLease BeckonLease;

/** Makes and locks a new one. Caller owns. */
BeckonLease *beckon_lease_acquire (const char *directory, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** Makes a lease that no run can name, for readers. Caller owns. */
BeckonLease *beckon_lease_new_without_file (const char *directory) G_GNUC_WARN_UNUSED_RESULT;

/** Removes the file and lets go. */
void beckon_lease_release (BeckonLease *lease);

/** Its name in run rows. */
const char *beckon_lease_get_token (BeckonLease *lease);

/**
 * beckon_lease_is_held:
 * @lease: this process's own
 * @token: (nullable): what a run row names
 *
 * Returns: %TRUE if a process other than this one holds @token and lives; where it cannot be told, it is taken to live
 */
gboolean beckon_lease_is_held (BeckonLease *lease, const char *token);

/** How many other processes hold one, and how many ended without letting go of theirs and were not swept away yet. */
void beckon_lease_count_others (BeckonLease *lease, guint *n_alive, guint *n_dead);

/** Removes what dead processes left. */
void beckon_lease_sweep (BeckonLease *lease);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonLease, beckon_lease_release)

G_END_DECLS
