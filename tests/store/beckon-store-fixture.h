/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "library/beckon-library.h"
#include "library/beckon-profiles.h"
#include "store/db/beckon-store.h"
#include "store/queries/beckon-search.h"

G_BEGIN_DECLS

/* The store's calls as calls that wait, and rows to put into it. A function that takes no error expects success. */

/** A new folder for a store that is not there yet. Caller frees; beckon_store_fixture_clear() removes it. */
char *beckon_store_fixture_make_folder (void) G_GNUC_WARN_UNUSED_RESULT;
void  beckon_store_fixture_clear (char *directory);

/** Iterates the default main context until @condition holds; fails the test after a minute. */
#define beckon_await(condition)                                                                                        \
  G_STMT_START                                                                                                         \
  {                                                                                                                    \
    gint64 await_until = g_get_monotonic_time () + 60 * G_TIME_SPAN_SECOND;                                            \
    while (!(condition))                                                                                               \
      {                                                                                                                \
        if (g_get_monotonic_time () > await_until)                                                                     \
          g_error ("%s:%d: waited in vain for %s", __FILE__, __LINE__, #condition);                                    \
        beckon_store_fixture_iterate ();                                                                               \
      }                                                                                                                \
  }                                                                                                                    \
  G_STMT_END

/** Iterates once, which waits for at most 50 ms. */
void beckon_store_fixture_iterate (void);

BeckonStore *beckon_store_fixture_open (const char *directory) G_GNUC_WARN_UNUSED_RESULT;
gboolean     beckon_store_fixture_try_open (BeckonStore *store, GError **error);
void         beckon_store_fixture_close (BeckonStore *store);

void     beckon_store_fixture_commit (BeckonStore *store, BeckonBatch *batch);
gboolean beckon_store_fixture_try_commit (BeckonStore *store, BeckonBatch *batch, GError **error);

GPtrArray       *beckon_store_fixture_list (BeckonStore *store) G_GNUC_WARN_UNUSED_RESULT;
GPtrArray       *beckon_store_fixture_load (BeckonStore *store, const char *conversation_id) G_GNUC_WARN_UNUSED_RESULT;
GPtrArray       *beckon_store_fixture_runs (BeckonStore *store) G_GNUC_WARN_UNUSED_RESULT;
GPtrArray       *beckon_store_fixture_profiles (BeckonStore *store) G_GNUC_WARN_UNUSED_RESULT;
GPtrArray       *beckon_store_fixture_pending (BeckonStore *store) G_GNUC_WARN_UNUSED_RESULT;
BeckonRunRecord *beckon_store_fixture_claim (BeckonStore *store, const char *run_id, GError **error)
  G_GNUC_WARN_UNUSED_RESULT;
BeckonRequest *beckon_store_fixture_lookup (BeckonStore *store, const char *request_id, GError **error)
  G_GNUC_WARN_UNUSED_RESULT;
gboolean beckon_store_fixture_settle (BeckonStore *store, const BeckonSettlement *settlement, GError **error);
void     beckon_store_fixture_save_draft (BeckonStore *store, const char *request_id, const char *draft);

GPtrArray *beckon_store_fixture_search (BeckonStore *store, const char *words, guint limit, gboolean *is_complete)
  G_GNUC_WARN_UNUSED_RESULT;

/** Returns when everything that @store was given is written: something later was read. */
void beckon_store_fixture_settle_down (BeckonStore *store);

/** Lets the clock go on, and returns when nothing is under way between two stores and the libraries on them. */
void beckon_store_fixture_come_to_rest (BeckonClock *clock, BeckonStore *store, BeckonStore *other);

/** Loads and opens. */
BeckonLibrary *beckon_store_fixture_library (BeckonStore *store, BeckonClock *clock) G_GNUC_WARN_UNUSED_RESULT;
void           beckon_store_fixture_open_conversation (BeckonLibrary *library, BeckonConversation *conversation);

/** Runs SQL on the file beside the store and gives the first column of the first row; %NULL if there is none. Caller frees. */
char *beckon_store_fixture_sql (const char *directory, const char *sql);

/**
 * beckon_store_fixture_spawn:
 * @role: what the child does; its main() finds it as `--child ROLE DIRECTORY ARGUMENT`
 * @directory: the store's folder
 * @argument: (nullable): whatever the role needs
 *
 * Starts this program again as a child, with pipes to its standard input and output. Caller owns.
 */
GSubprocess *beckon_store_fixture_spawn (const char *role, const char *directory, const char *argument)
  G_GNUC_WARN_UNUSED_RESULT;

/** Waits for one line of the child's, without its end. Caller frees. */
char *beckon_store_fixture_read_line (GSubprocess *child);

/** In a child: says a line, waits until the parent closes the pipe (or kills the child). */
void beckon_store_fixture_say (const char *line);
void beckon_store_fixture_wait_for_parent (void);

/** Kills with SIGKILL and waits. */
void beckon_store_fixture_kill (GSubprocess *child);

/** Lets the child go on, and waits for a good end. */
void beckon_store_fixture_release (GSubprocess *child);

/**
 * BeckonTurn:
 *
 * A conversation with a run, a message of the person and one of the model with a call that waits for @request.
 */
typedef struct
{
  BeckonConversation *conversation;
  BeckonRunRecord *run;
  BeckonMessage *question;
  BeckonMessage *reply;
  BeckonToolCall *call;
  BeckonRequest *request;
} BeckonTurn;

/** Makes one; nothing is stored. @question: what is asked. */
BeckonTurn *beckon_turn_new (const char *question) G_GNUC_WARN_UNUSED_RESULT;
void        beckon_turn_free (BeckonTurn *turn);

/** All of it in one batch, the run waiting. */
BeckonBatch *beckon_turn_to_batch (BeckonTurn *turn) G_GNUC_WARN_UNUSED_RESULT;

/** An answer in words by @actor. Caller owns. */
BeckonSettlement *beckon_turn_answer (BeckonTurn *turn, const char *text, const char *actor) G_GNUC_WARN_UNUSED_RESULT;

/** The settlement that a stop makes. Caller owns. */
BeckonSettlement *beckon_turn_cancel (BeckonTurn *turn) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonTurn, beckon_turn_free)

/** A complete message of one text part, with its place. Caller owns. */
BeckonMessage *beckon_message_new_text (BeckonRole role, gint64 seq, const char *text) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
