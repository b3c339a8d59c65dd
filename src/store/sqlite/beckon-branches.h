/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-database.h"

G_BEGIN_DECLS

/* The branches of a conversation, on the store's thread and within a transaction of the caller's.
 *
 * Messages are a tree; what a person and a model see is one way through it, from the first message to a last one. At each
 * message it goes on to the one that is chosen among those that follow, so that whoever comes back to a branch finds it as it
 * was left, with the branches within it. `active` says of each message whether it is on that way; it is nothing but what
 * follows from what is chosen, kept because everything else reads by it. A place (`seq`) grows along each way through the tree.
 *
 * None of this is done while something goes on or waits in the conversation: that belongs to the way that is shown.
 */

/** %FALSE with %BECKON_ERROR_CONFLICT, in words, while a run is open or a request pending. */
gboolean beckon_branches_check_free (BeckonDatabase *database, const char *conversation_id, GError **error);

/** The same, but a question that its model does not wait for is not in the way. */
gboolean beckon_branches_check_idle (BeckonDatabase *database, const char *conversation_id, GError **error);

/** The same as the first, unless messages are on the way that is shown, and the last of them is the last one on it. */
gboolean beckon_branches_check_shown (BeckonDatabase *database, const char *conversation_id, const char *const *message_ids,
                                      GError **error);

/** Whether a message is on the way that is shown. */
gboolean beckon_branches_is_shown (BeckonDatabase *database, const char *conversation_id, const char *message_id);

/** A message that is shown and all behind it are left: what is added next follows the one before it. */
gboolean beckon_branches_leave (BeckonDatabase *database, const char *conversation_id, const char *message_id,
                                GError **error);

/** The way that is shown leads through the message, and on from it as it did last. Nothing changes if it does already. */
gboolean beckon_branches_show (BeckonDatabase *database, const char *conversation_id, const char *message_id,
                               GError **error);

/** The id of one of the versions that a message has, from 0, in their order; %NULL if there is none. Caller frees. */
char *beckon_branches_find_version (BeckonDatabase *database, const char *conversation_id, const char *message_id,
                                    guint version, GError **error);

/** The id of the newest of those that follow the last message that is shown without being shown; likewise. */
char *beckon_branches_find_left (BeckonDatabase *database, const char *conversation_id, GError **error);

/** The id of the last message of one branch, from 1, in the order of those; %NULL if there are not so many. Caller frees. */
char *beckon_branches_find_last (BeckonDatabase *database, const char *conversation_id, guint branch, GError **error);

/** Takes a message that is shown out; what follows it follows the one before it. @at: microseconds since the epoch. */
gboolean beckon_branches_hide (BeckonDatabase *database, const char *conversation_id, const char *message_id, gint64 at,
                               GError **error);

/** Puts a message that was taken out back to its place. */
gboolean beckon_branches_restore (BeckonDatabase *database, const char *conversation_id, const char *message_id,
                                  GError **error);

/** After any of the three above: works out what is active, and counts the change. */
gboolean beckon_branches_settle (BeckonDatabase *database, const char *conversation_id, GError **error);

/** After rows came from elsewhere, none of them active: sees to it that no more than one is chosen, and settles. */
gboolean beckon_branches_adopt (BeckonDatabase *database, const char *conversation_id, GError **error);

/** Makes a tree of rows of which some may be missing or from an older version. */
gboolean beckon_branches_mend (BeckonDatabase *database, GError **error);

G_END_DECLS
