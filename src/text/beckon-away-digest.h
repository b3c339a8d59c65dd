/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-conversation.h"
#include "request/beckon-request.h"

G_BEGIN_DECLS

/**
 * BeckonAwayFile:
 * @path: (owned): fit to be shown; a folder ends in a slash
 * @extent: (owned): how much: "+1 −2", "new, 3 lines", "deleted"; may be empty
 * @is_counted: @n_added and @n_removed are its lines
 * @n_added: lines
 * @n_removed: lines
 *
 * A file that was changed.
 */
typedef struct
{
  char *path;
  char *extent;
  gboolean is_counted;
  guint n_added;
  guint n_removed;
} BeckonAwayFile;

/**
 * BeckonAwayChange:
 * @title: (owned) (nullable): the sentence of the command that changed several files; %NULL for a single file
 * @files: (owned) (element-type BeckonAwayFile): one, or those of the command
 * @calls: (owned) (element-type BeckonToolCall): the calls that made the change, the newest first
 *
 * Changes that are undone together: those of one file, or those of one command.
 */
typedef struct
{
  char *title;
  GPtrArray *files;
  GPtrArray *calls;
} BeckonAwayChange;

/**
 * BeckonAwayDigest:
 * @calls: (owned) (element-type BeckonToolCall): the calls that ran, the oldest first
 * @requests: (owned) (element-type BeckonRequest): what was asked, the oldest first
 * @changes: (owned) (element-type BeckonAwayChange): what was changed, in the order of the first change
 *
 * What a conversation did since its person last saw it.
 */
typedef struct
{
  GPtrArray *calls;
  GPtrArray *requests;
  GPtrArray *changes;
} BeckonAwayDigest;

/**
 * beckon_away_digest_new:
 * @conversation: a conversation; its messages since @since are loaded
 * @since: when the person last saw it, microseconds since the epoch
 *
 * Returns: (transfer full) (nullable): %NULL if no call ended and nothing was asked since
 */
BeckonAwayDigest *beckon_away_digest_new (BeckonConversation *conversation, gint64 since) G_GNUC_WARN_UNUSED_RESULT;
void              beckon_away_digest_free (BeckonAwayDigest *digest);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonAwayDigest, beckon_away_digest_free)

/** "While you were away: 4 tool calls, 2 files changed, 1 question", translated. Caller frees. */
char *beckon_away_digest_dup_sentence (const BeckonAwayDigest *digest) G_GNUC_WARN_UNUSED_RESULT;

/** (nullable): how much a call changed a file, "+5 −832" or "new, 3 lines"; %NULL where it changed none. Caller frees. */
char *beckon_away_digest_dup_extent (BeckonToolCall *call) G_GNUC_WARN_UNUSED_RESULT;

/** Every call with a change that can be undone, the newest first. (transfer container) (element-type BeckonToolCall) */
GPtrArray *beckon_away_digest_list_undoable (const BeckonAwayDigest *digest) G_GNUC_WARN_UNUSED_RESULT;

/** Whether any of its calls can be undone; else whether they were. */
gboolean beckon_away_change_can_undo (const BeckonAwayChange *change);
gboolean beckon_away_change_is_undone (const BeckonAwayChange *change);

G_END_DECLS
