/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <dirent.h>
#include <gio/gio.h>
#include <sys/stat.h>

G_BEGIN_DECLS

/*
 * Files by descriptors. No function follows a symbolic link, and none leaves the folder that it is given.
 */

/** As deep as folders are looked through. What is deeper is not landed. */
#define BECKON_LANDING_TREE_MAX_DEPTH 200

/** The longest path that is landed, in bytes. */
#define BECKON_LANDING_TREE_MAX_PATH 4000

/** How the names of those attributes begin. */
#define BECKON_LANDING_TREE_OVERLAY "user.overlay."

/** A descriptor that is closed with its scope, which leaves errno as it is; -1 for none. */
typedef int BeckonFd;
void beckon_fd_close (int fd);
G_DEFINE_AUTO_CLEANUP_FREE_FUNC (BeckonFd, beckon_fd_close, -1)

/** The names in a folder, closed with their scope, which leaves errno as it is. */
typedef DIR BeckonEntries;
void beckon_entries_close (BeckonEntries *entries);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonEntries, beckon_entries_close)

/** The names in the folder @name of @folder, which is no link. @is_ours: as beckon_landing_tree_open_ours() opens it. %NULL
 * with errno. */
BeckonEntries *beckon_landing_tree_list (int folder, const char *name, gboolean is_ours);

/** (nullable): the next one, but for . and .. themselves; %NULL behind the last, or if @entries is %NULL. */
const char *beckon_landing_tree_next (BeckonEntries *entries);

/** (transfer full) (nullable): where the link @name leads; %NULL with errno. */
char *beckon_landing_tree_read_link (int folder, const char *name);

/** As many bytes as there are from @offset on, and no more than @length; -1 with errno. */
gssize beckon_landing_tree_read_at (int fd, gpointer bytes, gsize length, goffset offset);

/** (transfer full) (nullable): what the regular file @fd holds, with a zero byte behind it; %NULL if that is more than @most
 * bytes, or can't be read. @length: (out) (optional). */
char *beckon_landing_tree_read (int fd, gsize most, gsize *length);

/** Writes all of it. %FALSE with errno. */
gboolean beckon_landing_tree_write (int fd, const void *data, gsize size);

/** Opens the file @path beneath @root for reading, whose parents are no links, nor itself; -1 with errno. @is_ours: as
 * beckon_landing_tree_open_ours() does. */
int beckon_landing_tree_open_file (int root, const char *path, gboolean is_ours);

/** beckon_landing_tree_look() at a path beneath @root; a whiteout is nothing. */
gboolean beckon_landing_tree_look_at (int root, const char *path, struct stat *info);

/** Opens @path beneath @root, without following any link on the way: -1 with errno. "." is @root itself. */
int beckon_landing_tree_open (int root, const char *path, int flags);

/** The folder that holds @path, for being written in; @name: (out): the last part of @path. -1 with errno. */
int beckon_landing_tree_open_parent (int root, const char *path, const char **name);

/** The same; folders that are not there are made, for their owner alone. */
int beckon_landing_tree_make_parent (int root, const char *path, const char **name);

/** Opens @name in @folder for reading, if need be by giving its owner the permission for that moment. -1 with errno. */
int beckon_landing_tree_open_ours (int folder, const char *name, int flags);

/** fstatat() without following: %FALSE if nothing is there. */
gboolean beckon_landing_tree_look (int folder, const char *name, struct stat *info);

/** ctime and mtime in nanoseconds since the epoch. */
gint64 beckon_landing_tree_get_ctime (const struct stat *info);
gint64 beckon_landing_tree_get_mtime (const struct stat *info);

/** Waits until the clock of ctimes, which goes in steps, is behind @until: what is changed from then on has a later one. */
void beckon_landing_tree_wait_for_tick (gint64 until);

/** When @name was made, in nanoseconds since the epoch; -1 where the file system does not know. */
gint64 beckon_landing_tree_get_birth (int folder, const char *name);

/** Sets the permission bits of what @name in @folder is, which is no link. Restores nothing. */
gboolean beckon_landing_tree_set_mode (int folder, const char *name, mode_t mode);

/** The value of an extended attribute of @name; -1 with errno. */
gssize beckon_landing_tree_get_attribute (int folder, const char *name, const char *attribute, char *value, gsize size);

/** Whether @name in a layer says, in either of an overlay's forms, that something was deleted. @info: of @name. */
gboolean beckon_landing_tree_is_whiteout (int folder, const char *name, const struct stat *info);

/** Sets BECKON_ERROR_UNAVAILABLE: @path cannot be opened, as errno says. Always %FALSE. */
gboolean beckon_landing_tree_refuse (const char *path, GError **error);

/** Removes from @name what an overlay wrote on it for itself. %FALSE with errno. */
gboolean beckon_landing_tree_strip (int folder, const char *name);

/** Removes @name from @folder with all that is in it, however deep it is and whatever its modes are. */
gboolean beckon_landing_tree_remove (int folder, const char *name, GError **error);

G_END_DECLS
