/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define BECKON_TYPE_OUTPUT_STORE (beckon_output_store_get_type ())
G_DECLARE_FINAL_TYPE (BeckonOutputStore, beckon_output_store, BECKON, OUTPUT_STORE, GObject)

/** The most that is kept of one output, and of how many. */
#define BECKON_OUTPUT_STORE_MAX_BYTES (G_GUINT64_CONSTANT (64) * 1024 * 1024)
#define BECKON_OUTPUT_STORE_MAX_FILES 32

/**
 * BeckonOutputStore:
 *
 * What commands leave to those that come after. Outputs that are too long for a result are kept whole, for the model to page
 * through: they are files without a name in the user's cache, which go with the program however it ends, so that deleting a
 * conversation leaves nothing of them. The oldest goes when there are too many. And the folder that a conversation's commands
 * find at /tmp. Any thread.
 */
BeckonOutputStore *beckon_output_store_new (void) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_output_store_add:
 * @outputs: the spool
 * @conversation_id: who may read it
 * @after: what beckon_output_store_find_last() found in that conversation
 * @name: (out): what a model calls it by, such as "output:7", which no other of the conversation is; caller frees
 *
 * Returns: a descriptor to write to, which the caller closes; -1 if there is no room for it
 */
int beckon_output_store_add (BeckonOutputStore *outputs, const char *conversation_id, guint after,
                             char **name) G_GNUC_WARN_UNUSED_RESULT;

/** The highest number of a name in @text; 0 for none. A conversation tells of outputs that are older than the program. */
guint beckon_output_store_find_last (const char *text);

/** @end: (nullable): how what made it ended, in a line for whoever reads it; %NULL while it grows, when it does not go though
 *  there are too many. Does nothing if there is none with @name. */
void beckon_output_store_set_end (BeckonOutputStore *outputs, const char *name, const char *end);

/** (transfer full) (nullable): that line, or one that says that it still grows; %NULL if neither was set. */
char *beckon_output_store_dup_end (BeckonOutputStore *outputs, const char *conversation_id,
                                   const char *name) G_GNUC_WARN_UNUSED_RESULT;

/** Whether @path is such a name, rather than a file's. */
gboolean beckon_output_store_is_name (const char *path);

/**
 * beckon_output_store_open:
 * @outputs: the spool
 * @conversation_id: who wants to read
 * @name: its name
 * @error: return location; English
 *
 * Returns: a descriptor of its own to read with pread(), which the caller closes; -1 with BECKON_ERROR_NOT_FOUND
 */
int beckon_output_store_open (BeckonOutputStore *outputs, const char *conversation_id, const char *name, GError **error)
  G_GNUC_WARN_UNUSED_RESULT;

/** (transfer full) (nullable): the folder that is /tmp, with the home in it, of commands of @conversation_id; %NULL if none can
 *  be had. Blocks. */
char *beckon_output_store_get_temporary (BeckonOutputStore *outputs, const char *conversation_id) G_GNUC_WARN_UNUSED_RESULT;

/** Forgets what belongs to @conversation_id. */
void beckon_output_store_remove (BeckonOutputStore *outputs, const char *conversation_id);

/** Begins the line that names a kept output of which nothing is left out. */
#define BECKON_OUTPUT_STORE_WHOLE "[Kept as "

G_END_DECLS
