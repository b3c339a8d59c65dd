/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonEtcSources:
 *
 * What commands need of /etc, as it is at one moment: which files, folders and links there are, and what they were when they
 * were looked at. The rest of /etc names users, hosts and services, and is not among them. Of what only the network needs there
 * are places alone, where it is shown as it is in the moment of a command. Any thread, one at a time.
 */
typedef struct _BeckonEtcSources BeckonEtcSources;

/**
 * beckon_etc_sources_read:
 * @root: what stands before every path: the empty string; another folder in tests
 * @network: whether there are places for what the network needs
 * @links: (element-type utf8): what programs keep there, see beckon_etc_find_links()
 * @error: return location for an error
 *
 * Looks at all of it. Blocks: worker threads only.
 *
 * Returns: (transfer full): what is there; %NULL with BECKON_ERROR_LIMIT if it is more than an /etc ever has
 */
BeckonEtcSources *beckon_etc_sources_read (const char *root, gboolean network, GPtrArray *links, GError **error)
  G_GNUC_WARN_UNUSED_RESULT;

/** Whether all of it still is what it was: some thirty looks at the file system. */
gboolean beckon_etc_sources_are_current (BeckonEtcSources *sources);

/** A name that is the same for what is the same, and no longer after the next start of the system. Borrowed. */
const char *beckon_etc_sources_get_name (BeckonEtcSources *sources);

/**
 * beckon_etc_sources_copy:
 * @sources: what there is
 * @folder: a descriptor of an empty folder
 * @error: return location for an error
 *
 * Copies all of it. What must not be read by this user is left out. Blocks: worker threads only.
 *
 * Returns: %FALSE if it cannot be written, or is not what it was any more
 */
gboolean beckon_etc_sources_copy (BeckonEtcSources *sources, int folder, GError **error);

void beckon_etc_sources_free (BeckonEtcSources *sources);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonEtcSources, beckon_etc_sources_free)

G_END_DECLS
