/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define BECKON_TYPE_SPOOL (beckon_spool_get_type ())
G_DECLARE_FINAL_TYPE (BeckonSpool, beckon_spool, BECKON, SPOOL, GObject)

/** The most that is kept of one output, and of how many. */
#define BECKON_SPOOL_MAX_BYTES (G_GUINT64_CONSTANT (128) * 1024 * 1024)
#define BECKON_SPOOL_MAX_FILES 16

/**
 * BeckonSpool:
 *
 * Where outputs that are too long for a result are kept whole, for the model to page through. They are files without a
 * name in the user's cache, which go with the program however it ends, so that deleting a conversation leaves nothing of
 * them. The oldest goes when there are too many. Any thread.
 */
BeckonSpool *beckon_spool_new (void) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_spool_add:
 * @spool: the spool
 * @conversation_id: who may read it
 * @name: (out): what a model calls it by, such as "output:7"; caller frees
 *
 * Returns: a descriptor to write to, which the caller closes; -1 if there is no room for it
 */
int beckon_spool_add (BeckonSpool *spool, const char *conversation_id, char **name) G_GNUC_WARN_UNUSED_RESULT;

/** Whether @path is such a name, rather than a file's. */
gboolean beckon_spool_is_name (const char *path);

/**
 * beckon_spool_open:
 * @spool: the spool
 * @conversation_id: who wants to read
 * @name: its name
 * @error: return location; English
 *
 * Returns: a descriptor of its own to read with pread(), which the caller closes; -1 with BECKON_ERROR_NOT_FOUND
 */
int beckon_spool_open (BeckonSpool *spool, const char *conversation_id, const char *name, GError **error)
  G_GNUC_WARN_UNUSED_RESULT;

/** Forgets what belongs to @conversation_id. */
void beckon_spool_remove (BeckonSpool *spool, const char *conversation_id);

G_END_DECLS
