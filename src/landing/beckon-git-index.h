/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** No index that is larger is read. */
#define BECKON_GIT_INDEX_MAX_SIZE (64 * 1024 * 1024)

/** Bytes of an object's name in a repository that was made without more ado, and with SHA-256. */
#define BECKON_GIT_INDEX_SHA1 20
#define BECKON_GIT_INDEX_SHA256 32

/**
 * beckon_git_index_is_everyday:
 * @bytes: what the file holds
 * @length: of @bytes
 * @hash_length: of the names of objects in this repository, in bytes
 * @shared: (out) (optional) (nullable): the name of the file beside it that holds the other entries, of a split index. %NULL as
 *   an argument: a split index is refused
 *
 * Git writes files under the names that are in its index, and checks them only when it adds them: who writes the index
 * itself can have `git restore` write Git's own configuration. Reads an index of version 2, 3 or 4 strictly, and each name as
 * Git's verify_path () does.
 *
 * Returns: whether it can be read, in one way alone, and no name in it is one that Git would have refused. Any thread; does
 *   not block
 */
gboolean beckon_git_index_is_everyday (const guchar *bytes, gsize length, guint hash_length, char **shared);

/** (transfer full) (nullable) (element-type filename guint): the names in an index, each with its mode as Git has it, and the
 *  folders that they are in; %NULL of one that is not everyday, or is split. The rest as above. */
GHashTable *beckon_git_index_list (const guchar *bytes, gsize length, guint hash_length) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
