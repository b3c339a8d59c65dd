/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "store/beckon-store.h"

G_BEGIN_DECLS

#define BECKON_TYPE_LIBRARY (beckon_library_get_type ())
G_DECLARE_FINAL_TYPE (BeckonLibrary, beckon_library, BECKON, LIBRARY, GObject)

/**
 * BeckonLibrary:
 *
 * The conversations, newest first: a #GListModel of #BeckonConversation, one object per conversation, kept up to date when
 * another process writes. Main thread.
 */
BeckonLibrary *beckon_library_new (BeckonStore *store, BeckonClock *clock) G_GNUC_WARN_UNUSED_RESULT;

void     beckon_library_load_async (BeckonLibrary *library, GCancellable *cancellable, GAsyncReadyCallback callback,
                                    gpointer user_data);
gboolean beckon_library_load_finish (BeckonLibrary *library, GAsyncResult *result, GError **error);

/** A new, loaded, empty conversation at the top of the list. It is stored with its first message or draft. Borrowed. */
BeckonConversation *beckon_library_create (BeckonLibrary *library);

/** %NULL if there is none. Borrowed. */
BeckonConversation *beckon_library_lookup (BeckonLibrary *library, const char *conversation_id);

/** Reads the messages of one of its conversations, if they were not read yet. */
void     beckon_library_open_async (BeckonLibrary *library, BeckonConversation *conversation, GCancellable *cancellable,
                                    GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_library_open_finish (BeckonLibrary *library, GAsyncResult *result, GError **error);

/** The same, but what was read before is brought up to what is stored now. For whoever takes over a run of it. */
void     beckon_library_refresh_async (BeckonLibrary *library, BeckonConversation *conversation,
                                       GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_library_refresh_finish (BeckonLibrary *library, GAsyncResult *result, GError **error);

/** At once in the object, soon in the store. */
void beckon_library_rename (BeckonLibrary *library, BeckonConversation *conversation, const char *title);
void beckon_library_set_profile (BeckonLibrary *library, BeckonConversation *conversation, const char *profile_id);
void beckon_library_delete (BeckonLibrary *library, BeckonConversation *conversation);

/** Remembers what stands in the composer: at once in the object, within 500 ms in the store. */
void beckon_library_save_draft (BeckonLibrary *library, BeckonConversation *conversation, const char *draft);

/** Moves a conversation that was written to to its place. The agent calls it. */
void beckon_library_touch (BeckonLibrary *library, BeckonConversation *conversation);

/** Writes drafts that are still waiting to be stored; for the end of the program. */
void beckon_library_flush (BeckonLibrary *library);

G_END_DECLS
