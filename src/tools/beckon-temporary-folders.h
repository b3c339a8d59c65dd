/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonTemporaryFolders:
 *
 * What commands of a conversation find at /tmp, their home in it included: a folder for each in the user's cache, which goes
 * with the conversation and with the program, or when the program runs again after it was killed. Any thread.
 */
typedef struct _BeckonTemporaryFolders BeckonTemporaryFolders;

BeckonTemporaryFolders *beckon_temporary_folders_new (void) G_GNUC_WARN_UNUSED_RESULT;

/** Takes them all away. Blocks. */
void beckon_temporary_folders_free (BeckonTemporaryFolders *self);

/** (transfer full) (nullable): the folder of @conversation_id, made if it is not there; %NULL if none can be had. Blocks. */
char *beckon_temporary_folders_get (BeckonTemporaryFolders *self, const char *conversation_id) G_GNUC_WARN_UNUSED_RESULT;

/** Takes the folder of @conversation_id away, later and on another thread. */
void beckon_temporary_folders_remove (BeckonTemporaryFolders *self, const char *conversation_id);

G_END_DECLS
