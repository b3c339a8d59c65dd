/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-vault.h"
#include "store/db/beckon-store.h"

G_BEGIN_DECLS

#define BECKON_TYPE_LIBRARY (beckon_library_get_type ())
G_DECLARE_FINAL_TYPE (BeckonLibrary, beckon_library, BECKON, LIBRARY, GObject)

/**
 * BeckonLibrary:
 *
 * The conversations, the one that was written to last first: a #GListModel of #BeckonConversation, one object per
 * conversation, kept up to date when another process writes. Pinned and archived ones are among them, in the same order; a
 * change of either mark is an `items-changed` of the row as well. The signal `gone` names a conversation by its id that was
 * deleted for good, when it cannot be put back here any more. Main thread.
 */
BeckonLibrary *beckon_library_new (BeckonStore *store, BeckonClock *clock) G_GNUC_WARN_UNUSED_RESULT;

void     beckon_library_load_async (BeckonLibrary *library, GCancellable *cancellable, GAsyncReadyCallback callback,
                                    gpointer user_data);
gboolean beckon_library_load_finish (BeckonLibrary *library, GAsyncResult *result, GError **error);

/**
 * beckon_library_load_first_async:
 * @library: the library, not loaded yet
 * @cancellable: (nullable): before it is begun
 * @callback: called later; beckon_library_load_finish() tells
 * @user_data: for @callback
 *
 * Reads the newest, the pinned ones, those in which something waits or goes on, and some that are archived: what a window
 * shows first, in a time that does not depend on how many there are. All of them are there after
 * beckon_library_load_async(), which adds the others; until then beckon_library_lookup() does not find these.
 */
void beckon_library_load_first_async (BeckonLibrary *library, GCancellable *cancellable, GAsyncReadyCallback callback,
                                      gpointer user_data);

/** Whether beckon_library_load_async() has ended well. The signal `loaded` says when, once. */
gboolean beckon_library_is_loaded (BeckonLibrary *library);

/** Sets the mode of conversations made from now on; %BECKON_MODE_DEFAULT at first. */
void beckon_library_set_default_mode (BeckonLibrary *library, BeckonMode mode);

/** A new, loaded, empty conversation at the top of the list. It is stored with its first message or draft. Borrowed. */
BeckonConversation *beckon_library_create (BeckonLibrary *library);

/** Likewise, but nothing of it ever reaches a file: it is gone with the program. It is not found by search. Borrowed. */
BeckonConversation *beckon_library_create_temporary (BeckonLibrary *library);

/** Reads the list again, soon, after it was changed behind the library's back: by an import, or another process. */
void beckon_library_reload (BeckonLibrary *library);

/** %NULL if there is none. Borrowed. */
BeckonConversation *beckon_library_lookup (BeckonLibrary *library, const char *conversation_id);

/** Reads all messages of one of its conversations that were not read yet. */
void     beckon_library_open_async (BeckonLibrary *library, BeckonConversation *conversation, GCancellable *cancellable,
                                    GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_library_open_finish (BeckonLibrary *library, GAsyncResult *result, GError **error);

/**
 * beckon_library_open_end_async:
 * @library: the library
 * @conversation: one of its conversations
 * @message_id: (nullable): a message that is to be among those that are read; one that is not there is as %NULL
 * @cancellable: (nullable): before it is begun
 * @callback: called later; beckon_library_open_finish() tells
 * @user_data: for @callback
 *
 * Reads the end, which is enough for a view: the time it takes does not depend on the length of the conversation. It is
 * `loaded` then, and beckon_conversation_get_has_earlier() says whether there is more, which
 * beckon_library_open_earlier_async() brings a page at a time.
 */
void beckon_library_open_end_async (BeckonLibrary *library, BeckonConversation *conversation, const char *message_id,
                                    GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
void beckon_library_open_earlier_async (BeckonLibrary *library, BeckonConversation *conversation,
                                        GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);

/** No view shows it any more: of a long conversation in which nothing goes on only the end stays in memory. */
void beckon_library_leave (BeckonLibrary *library, BeckonConversation *conversation);

/** The same, but what was read before is brought up to what is stored now. For a program that takes over a run of it. */
void     beckon_library_refresh_async (BeckonLibrary *library, BeckonConversation *conversation,
                                       GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_library_refresh_finish (BeckonLibrary *library, GAsyncResult *result, GError **error);

/** At once in the object, soon in the store. */
void beckon_library_rename (BeckonLibrary *library, BeckonConversation *conversation, const char *title);
void beckon_library_set_profile (BeckonLibrary *library, BeckonConversation *conversation, const char *profile_id);
void beckon_library_set_pinned (BeckonLibrary *library, BeckonConversation *conversation, gboolean pinned);
void beckon_library_set_archived (BeckonLibrary *library, BeckonConversation *conversation, gboolean archived);

/** Likewise. @folder: (nullable): an absolute path; what runs already goes on where it began. */
void beckon_library_set_folder (BeckonLibrary *library, BeckonConversation *conversation, const char *folder);
void beckon_library_set_mode (BeckonLibrary *library, BeckonConversation *conversation, BeckonMode mode);

/** How much the model reasons in it, from its next request on. */
void beckon_library_set_effort (BeckonLibrary *library, BeckonConversation *conversation, BeckonEffort effort);

/** A person looks at it: it is not `unread` any more. */
void beckon_library_mark_read (BeckonLibrary *library, BeckonConversation *conversation);

/** A person sees it in a window at @seen_at, microseconds since the epoch. A conversation without a run has nothing to see. */
void beckon_library_mark_seen (BeckonLibrary *library, BeckonConversation *conversation, gint64 seen_at);

/** A title made without being asked for: it takes the place of the one made from the first message, and of no other. */
void beckon_library_propose_title (BeckonLibrary *library, BeckonConversation *conversation, const char *title);

/**
 * beckon_library_delete:
 * @library: the library
 * @conversation: a conversation; stop its run first
 *
 * Takes a conversation out of the list and out of the search, here and in every other process. What waits in it is cancelled,
 * what goes on in it is stopped. For a minute, and not longer than the program runs, beckon_library_restore() puts it back;
 * then it is erased. One in which nothing was ever written is gone at once.
 */
void beckon_library_delete (BeckonLibrary *library, BeckonConversation *conversation);

/** Sets the vault of masked answers: they go with their conversation. The library keeps a reference. */
void beckon_library_set_vault (BeckonLibrary *library, BeckonVault *vault);

/** Whether beckon_library_restore() would do something. */
gboolean beckon_library_can_restore (BeckonLibrary *library, BeckonConversation *conversation);

/**
 * beckon_library_restore:
 * @library: the library
 * @conversation: what was deleted by this process
 *
 * Puts the same object back to its place, at once. Its messages, marks and draft are what they were; its run is stopped and can
 * be continued; what it asked stays cancelled, because the agent was told so or could have been.
 *
 * Returns: %FALSE if it is too late
 */
gboolean beckon_library_restore (BeckonLibrary *library, BeckonConversation *conversation);

/**
 * beckon_library_duplicate_async:
 * @library: the library
 * @conversation: one with a message or a draft
 * @cancellable: (nullable): before it is begun
 * @callback: called later
 * @user_data: for @callback
 *
 * Makes a second conversation with all the first one has, under “TITLE (copy)”, at the top of the list. What is open in the
 * first is closed in the second; see beckon_store_copy_async().
 */
void beckon_library_duplicate_async (BeckonLibrary *library, BeckonConversation *conversation, GCancellable *cancellable,
                                     GAsyncReadyCallback callback, gpointer user_data);

/** The new conversation, not loaded yet; %BECKON_ERROR_NOT_FOUND if there is nothing to copy. (transfer full) */
BeckonConversation *beckon_library_duplicate_finish (BeckonLibrary *library, GAsyncResult *result, GError **error);

/** The same with the history up to one of its messages, that one included; the new one's origin says where it came from. */
void beckon_library_branch_async (BeckonLibrary *library, BeckonConversation *conversation, const char *message_id,
                                  GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);

/** The new conversation, not loaded yet. (transfer full) */
BeckonConversation *beckon_library_branch_finish (BeckonLibrary *library, GAsyncResult *result, GError **error);

/**
 * beckon_library_show_version_async:
 * @library: the library
 * @conversation: one of its conversations, loaded
 * @message_id: a message of its list
 * @version: from 0; see beckon_message_get_n_versions()
 * @cancellable: (nullable): before it is begun
 * @callback: called later; beckon_library_show_finish() tells
 * @user_data: for @callback
 *
 * Shows another version of a message, with the branch behind it as it was left; what is shown now is kept as well. For this and
 * the next three: %BECKON_ERROR_CONFLICT, with words for the person, while a run is under way in the conversation or a question
 * waits, here or elsewhere.
 */
void     beckon_library_show_version_async (BeckonLibrary *library, BeckonConversation *conversation, const char *message_id,
                                            guint version, GCancellable *cancellable, GAsyncReadyCallback callback,
                                            gpointer user_data);
gboolean beckon_library_show_finish (BeckonLibrary *library, GAsyncResult *result, GError **error);

/** Shows the newest branch that goes on from the last message of the list; see beckon_message_get_n_left(). The same finish
 *  function. */
void beckon_library_show_left_async (BeckonLibrary *library, BeckonConversation *conversation, GCancellable *cancellable,
                                     GAsyncReadyCallback callback, gpointer user_data);

/**
 * beckon_library_remove_messages_async:
 * @library: the library
 * @conversation: one of its conversations, loaded
 * @message_ids: messages of its list, in its order; at least one
 * @cancellable: (nullable): before it is begun
 * @callback: called later; beckon_library_show_finish() tells
 * @user_data: for @callback
 *
 * Takes messages out, here and for the model; those behind them stay. For a minute, and not longer than the program runs,
 * beckon_library_restore_messages_async() with the same ids puts them back; then they are erased.
 */
void beckon_library_remove_messages_async (BeckonLibrary *library, BeckonConversation *conversation,
                                           const char *const *message_ids, GCancellable *cancellable,
                                           GAsyncReadyCallback callback, gpointer user_data);

/** Puts them back to their place and shows them; what came into that place since is kept as another version. Fails with
 *  %BECKON_ERROR_NOT_FOUND when it is too late. The same finish function. */
void beckon_library_restore_messages_async (BeckonLibrary *library, BeckonConversation *conversation,
                                            const char *const *message_ids, GCancellable *cancellable,
                                            GAsyncReadyCallback callback, gpointer user_data);

/** Remembers what stands in the composer: at once in the object, within 500 ms in the store. */
void beckon_library_save_draft (BeckonLibrary *library, BeckonConversation *conversation, const char *draft);

/** Moves a conversation that was written to to its place. The agent calls it. */
void beckon_library_touch (BeckonLibrary *library, BeckonConversation *conversation);

/** For the end of the program: stores drafts that still wait; what was deleted cannot be put back any more. */
void beckon_library_flush (BeckonLibrary *library);

G_END_DECLS
