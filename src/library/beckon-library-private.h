/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-library.h"
#include "store/queries/beckon-listing.h"

G_BEGIN_DECLS

/** How many messages are read at a time: more than any screen holds. */
#define BECKON_LIBRARY_PAGE 100

/** Messages that were taken out of a conversation and can be put back. */
typedef struct _BeckonLibraryRemoval BeckonLibraryRemoval;

struct _BeckonLibrary
{
  GObject parent_instance;

  BeckonStore *store;
  BeckonVault *vault; /* (owned) (nullable) */ /* (owned) */
  BeckonClock *clock; /* (owned) */

  GPtrArray *conversations; /* (element-type BeckonConversation): newest first; owned by the entries */
  GHashTable *entries;      /* (owned) (element-type utf8 BeckonLibraryEntry): by id */
  GHashTable *hidden;       /* (owned) (element-type utf8 BeckonLibraryEntry): deleted here, and can be put back */
  GPtrArray *fresh;         /* (owned) (element-type BeckonConversation): entries that the list does not show yet */
  BeckonListing *listing;   /* (owned): what the store was when it was last read */
  GHashTable *doubted;      /* (owned) (element-type utf8): ids of what changed here since */
  BeckonMode default_mode;
  gint64 last_sequence;     /* the largest of any conversation that was seen */

  /* in progress */
  gboolean is_loaded;
  gboolean is_reloading;
  gboolean reload_again;
  guint reload_timeout; /* until it has passed nothing is read again */
  GHashTable *dirty; /* (owned) (element-type utf8): ids of conversations whose draft is not stored yet */
  guint draft_timeout;
  guint count_source;
  guint undo_timeout;     /* until the first of the hidden cannot be put back any more */
  GPtrArray *removals;    /* (owned) (element-type BeckonLibraryRemoval): messages that can be put back; oldest first */
  guint removal_timeout;  /* until the first of them cannot */
  guint leftover_timeout; /* until what was deleted before this program began cannot be put back any more */
};

/** A row of the list. */
typedef struct
{
  BeckonConversation *conversation; /* (owned) */
  gboolean is_stored;
  gboolean is_listed; /* the store told of it */
  gboolean is_ours;   /* when it did, this process drove a run of it */
  gboolean is_on_other_path; /* what was read of its messages may not be of the branch that is shown */
  char *stored_draft; /* (owned) (nullable): what the store has or is about to get; %NULL until it matters */
  GPtrArray *stored_files; /* (owned) (nullable) (element-type BeckonPart): likewise, of what is attached */
  gint64 hidden_until; /* of a hidden one: monotonic */
  gint64 logged;       /* how far the log of what was undone is followed */
  gboolean is_following; /* it is being read */
  gboolean follow_again;
} BeckonLibraryEntry;

void beckon_library_entry_free (BeckonLibraryEntry *entry);

/** %NULL when the conversation is not in the list. Borrowed. */
BeckonLibraryEntry *beckon_library_find_entry (BeckonLibrary *library, BeckonConversation *conversation);

/** The list shows it after the next beckon_library_sort(). Borrowed. */
BeckonLibraryEntry *beckon_library_add_entry (BeckonLibrary *library, BeckonConversation *conversation, gboolean is_stored);
void                beckon_library_remove_entry (BeckonLibrary *library, BeckonConversation *conversation);

/** Puts the rows in order and says what changed. */
void beckon_library_sort (BeckonLibrary *library);

/** Gives the store the drafts that still wait. */
void beckon_library_flush_drafts (BeckonLibrary *library);

/** Reads what is attached to the draft of @conversation and its queue, unless that was done, then ends @task (transfer full)
 *  well. */
void beckon_library_read_files (BeckonLibrary *library, BeckonConversation *conversation, GTask *task);

/** Reads the queue of @conversation, which may have changed elsewhere. */
void beckon_library_read_queue (BeckonLibrary *library, BeckonConversation *conversation);

/** From now on the store gets what the draft becomes, in whichever program it changes. */
void beckon_library_follow_draft (BeckonLibrary *library, BeckonLibraryEntry *entry);

/** Says that a row changed in a way that a filter or an order may ask for. */
void beckon_library_say_changed (BeckonLibrary *library, BeckonConversation *conversation);

/** Sees to it that what was deleted before this program began is erased once it can no longer be undone. */
void beckon_library_watch_leftovers (BeckonLibrary *library);

/** Makes all deletions final; for the end of the program. */
void beckon_library_doom_hidden (BeckonLibrary *library);
void beckon_library_stop_watching_deletions (BeckonLibrary *library);

/** Reads the headers, or the first of them, for @task (transfer full), which it returns. */
void beckon_library_read (BeckonLibrary *library, GTask *task);
void beckon_library_read_first (BeckonLibrary *library, GTask *task);

/** All headers are there for the first time. */
void beckon_library_say_loaded (BeckonLibrary *library);

/** Reports a conversation as gone for good: what others keep of it goes too. */
void beckon_library_say_gone (BeckonLibrary *library, const char *conversation_id);

/** The next reading tells what the store has of a conversation even if it has not changed; for callers that change it here. */
void beckon_library_doubt (BeckonLibrary *library, const char *conversation_id);

/** Counts the pending requests when there is nothing else to do. */
void beckon_library_count_soon (BeckonLibrary *library);

/** The place of the first message that may still change, or of the next one if none can. */
gint64 beckon_library_find_open_seq (BeckonConversation *conversation);

/** Brings the end of a conversation up to what was read: (element-type BeckonMessage). What only grows is added to, what
 *  is already so stays untouched, so that views keep their rows. %FALSE if it belongs to another branch. */
gboolean beckon_library_merge_messages (BeckonConversation *conversation, GPtrArray *messages);

/** Takes over what another process undid of the conversation's calls, or made again: (element-type utf8 BeckonToolCall); of one
 *  whose run this process drives, too. */
void beckon_library_merge_moved (BeckonConversation *conversation, GHashTable *moved);

/**
 * beckon_library_take_path:
 * @conversation: a loaded conversation, whose branch may have changed
 * @messages: (element-type BeckonMessage): what was read of the one that is shown, to its end
 * @first_seq: the place from which it was read; -1: its last messages, however many
 *
 * Makes its list what was read. Messages that were there stay the same objects.
 */
void beckon_library_take_path (BeckonConversation *conversation, GPtrArray *messages, gint64 first_seq);

/** Makes removals of messages final; for the end of the program. */
void beckon_library_doom_removed (BeckonLibrary *library);

G_END_DECLS
