/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-conversation.h"
#include "domain/beckon-file-copies.h"
#include "domain/beckon-landing.h"

G_BEGIN_DECLS

/*
 * The folder as it was when a message was sent: everything that calls changed since, by file tools and commands, is undone, the
 * newest call first. A file changed otherwise since is left, and told. All functions: main thread; files are looked at and
 * touched on another one. As for beckon_undo_async(), @copies has to implement #BeckonLandings too.
 */

/**
 * BeckonRewindFate:
 * @BECKON_REWIND_RESTORED: it holds again what it held then
 * @BECKON_REWIND_DELETED: it is gone: it was not there then
 * @BECKON_REWIND_AS_IT_WAS: nothing has to be done, it is as it was then
 * @BECKON_REWIND_REFUSED: it is left: it was changed since, or what it was is not kept
 *
 * What becomes of a path; of a rewind that is undone, @BECKON_REWIND_RESTORED and @BECKON_REWIND_DELETED say what it became
 * again.
 */
typedef enum
{
  BECKON_REWIND_RESTORED,
  BECKON_REWIND_DELETED,
  BECKON_REWIND_AS_IT_WAS,
  BECKON_REWIND_REFUSED,
} BeckonRewindFate;

/**
 * BeckonRewindFile:
 * @folder: (owned): the absolute path of the working folder it is in
 * @path: (owned): relative to that, in the bytes of the file system
 * @from: (owned) (nullable): likewise, where it is until it is moved back: for %BECKON_REWIND_RESTORED alone
 * @fate: what becomes of it
 * @type: what it is
 * @n_files: of a folder that stands for all in it, how many files those are; 0 for everything else
 * @git: (owned) (nullable): of a repository, what was done to it, which the files of its Git directory are told by; see
 *   #BeckonFileChange
 * @why: (owned) (nullable): why it is refused, translated
 */
typedef struct
{
  char *folder;
  char *path;
  char *from;
  BeckonRewindFate fate;
  BeckonFileType type;
  guint n_files;
  char *git;
  char *why;
} BeckonRewindFile;

/**
 * BeckonRewind:
 * @files: (owned) (element-type BeckonRewindFile): every path that any of the calls changed, sorted; one for both of a move
 * @calls: (owned) (element-type BeckonToolCall): the calls that were undone, or would be, in that order: to be given to
 *   beckon_rewind_redo_async()
 * @is_redo: it makes changes again that were undone
 *
 * What a rewind does, or has done.
 */
typedef struct
{
  GPtrArray *files;
  GPtrArray *calls;
  gboolean is_redo;
} BeckonRewind;

void beckon_rewind_free (BeckonRewind *rewind);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonRewind, beckon_rewind_free)

/** How many files have this fate, or @is_git: repositories; a folder that stands for all in it counts as those. */
guint beckon_rewind_count (const BeckonRewind *rewind, BeckonRewindFate fate, gboolean is_git);

/** Whether anything was left alone. */
gboolean beckon_rewind_has_refused (const BeckonRewind *rewind);

/** Its path as text to be shown: valid UTF-8, one line; a folder ends in a slash, and what is moved has an arrow. Caller
 *  frees. */
char *beckon_rewind_file_dup_shown_path (const BeckonRewindFile *file);

/** The outcome in one translated line, such as "3 files restored, 2 files deleted, 1 file left alone". Caller frees. */
char *beckon_rewind_dup_summary (const BeckonRewind *rewind);

/**
 * beckon_rewind_list_calls:
 * @conversation: a conversation; its messages from @message_id on are loaded
 * @message_id: a message on the branch that is shown
 *
 * Returns: (transfer full) (element-type BeckonToolCall): the calls of that message and all later ones whose changes are not
 *   undone, the newest first; empty if there is nothing to rewind
 */
GPtrArray *beckon_rewind_list_calls (BeckonConversation *conversation, const char *message_id) G_GNUC_WARN_UNUSED_RESULT;

/** The same of those whose changes are undone, to be given to beckon_rewind_redo_async(). */
GPtrArray *beckon_rewind_list_undone (BeckonConversation *conversation, const char *message_id) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_rewind_preview_async:
 * @copies: where what files were is kept
 * @calls: (element-type BeckonToolCall): from beckon_rewind_list_calls(); not changed
 * @cancellable: (nullable): honoured at any time
 * @callback: called later
 * @user_data: for @callback
 *
 * Finds out what a rewind would do now, without changing anything.
 */
void          beckon_rewind_preview_async (BeckonFileCopies *copies, GPtrArray *calls, GCancellable *cancellable,
                                           GAsyncReadyCallback callback, gpointer user_data);
BeckonRewind *beckon_rewind_preview_finish (BeckonFileCopies *copies, GAsyncResult *result,
                                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_rewind_async:
 * @copies: where what files were is kept
 * @conversation_id: the conversation of the calls
 * @calls: (element-type BeckonToolCall): as above
 * @front_end: who does it: "window", "terminal"
 * @cancellable: (nullable): between two calls; what is done stays done
 * @callback: called later
 * @user_data: for @callback
 *
 * Rewinds. What is refused is left as it is, and is no error.
 */
void          beckon_rewind_async (BeckonFileCopies *copies, const char *conversation_id, GPtrArray *calls,
                                   const char *front_end, GCancellable *cancellable, GAsyncReadyCallback callback,
                                   gpointer user_data);
BeckonRewind *beckon_rewind_finish (BeckonFileCopies *copies, GAsyncResult *result,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** Undoes a rewind: @calls as a #BeckonRewind has them, the one that was undone last is made again first. */
void          beckon_rewind_redo_async (BeckonFileCopies *copies, const char *conversation_id, GPtrArray *calls,
                                        const char *front_end, GCancellable *cancellable, GAsyncReadyCallback callback,
                                        gpointer user_data);
BeckonRewind *beckon_rewind_redo_finish (BeckonFileCopies *copies, GAsyncResult *result,
                                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
