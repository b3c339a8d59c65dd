/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define BECKON_ETC_GIT "/etc/gitconfig"
#define BECKON_ETC_PEOPLE "/etc/passwd"
#define BECKON_ETC_HOSTS "/etc/hosts"

/** The hosts without the network: the system's own file names others. */
#define BECKON_ETC_OWN_HOSTS "127.0.0.1 localhost sandbox\n::1 localhost ip6-localhost ip6-loopback\n"

#define BECKON_ETC_LIBRARIES "/etc/ld.so.conf"
#define BECKON_ETC_LIBRARIES_FOLDER "/etc/ld.so.conf.d"

/* The parts of /etc that commands are shown: the rest names users, hosts and services. Any thread. */

/** (array zero-terminated=1): folders that are shown whole. */
const char *const *beckon_etc_list_folders (void);

/** (array zero-terminated=1): files. */
const char *const *beckon_etc_list_files (void);

/** (array zero-terminated=1): files and folders that only the network needs. */
const char *const *beckon_etc_list_for_network (void);

/** Whether @folder, one of those, is shown: most systems keep nothing for terminals there but a note that says so. */
gboolean beckon_etc_shows_folder (const char *folder);

/** (nullable) (transfer full): @target, to which the link @path leads, if that is below /usr, and so in the sandbox, too. */
char *beckon_etc_resolve_link (const char *path, const char *target) G_GNUC_WARN_UNUSED_RESULT;

/** (transfer full): where linkers look, as one text: that of BECKON_ETC_LIBRARIES and of its folder below @root. Blocks. */
char *beckon_etc_read_libraries (const char *root) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_etc_read_people:
 * @root: what stands before every path
 *
 * Returns: (transfer full): the users, of whom this one has the sandbox's home: some programs (Java) look there rather than at
 *   HOME. Blocks
 */
char *beckon_etc_read_people (const char *root) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
