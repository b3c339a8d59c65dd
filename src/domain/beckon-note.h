/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-message.h"

G_BEGIN_DECLS

/** The origin of the parts in which notes are kept: no protocol has this name, so no model ever sees one as it is. */
#define BECKON_NOTE_ORIGIN "beckon"

/**
 * BeckonNoteKind:
 * @BECKON_NOTE_NONE: no note
 * @BECKON_NOTE_FAILOVER: another profile took over
 * @BECKON_NOTE_SUMMARY: from here on the model is told a summary in place of earlier messages
 * @BECKON_NOTE_SIGHT: the model turned out not to see pictures
 * @BECKON_NOTE_THINKING: the server refused the model's earlier thinking, which is no longer sent
 * @BECKON_NOTE_FILES: the model reads no PDFs, or its server refused one, so that their text is sent
 * @BECKON_NOTE_PREFIX: requests begin differently, so that the model reads all of the conversation again
 * @BECKON_NOTE_SERVER: a server of tools that the folder brings could not be started or reached
 * @BECKON_NOTE_REFUSED: the model's server refused a request, which goes on without its pictures or without a tool
 */
typedef enum
{
  BECKON_NOTE_NONE,
  BECKON_NOTE_FAILOVER,
  BECKON_NOTE_SUMMARY,
  BECKON_NOTE_SIGHT,
  BECKON_NOTE_THINKING,
  BECKON_NOTE_FILES,
  BECKON_NOTE_PREFIX,
  BECKON_NOTE_SERVER,
  BECKON_NOTE_REFUSED,
} BeckonNoteKind;

/**
 * BeckonNote:
 * @from: of a failover, the name of the profile that did not answer; of sight, thinking, files and a refusal, the model; of a
 *   server, its name
 * @to: of a failover, the name of the one that is asked instead; of a refusal, the tool that was left out, "" for pictures
 * @reason: of a failover, a server and a refusal, why; translated when it happened. Of a prefix, one of the reasons in
 *   beckon-prefix.h
 * @through: of a summary, the place in the conversation of the last message that it stands for
 * @summary: of a summary, what the model wrote
 * @kept: of a summary, decisions and answers of the person, word for word
 *
 * Something that Beckon itself says within a conversation. It is the only part of a message of its own, so that it has
 * its place in the history and goes wherever messages go. Texts are never %NULL; all of them are untrusted.
 */
typedef struct
{
  BeckonNoteKind kind;
  char *from;
  char *to;
  char *reason;
  gint64 through;
  char *summary;
  char *kept;
} BeckonNote;

/** Message with nothing but the note, complete. @now: microseconds since the epoch. Caller owns. */
BeckonMessage *beckon_note_new_failover (const char *from, const char *to, const char *reason,
                                         gint64 now) G_GNUC_WARN_UNUSED_RESULT;
BeckonMessage *beckon_note_new_sight (const char *model, gint64 now) G_GNUC_WARN_UNUSED_RESULT;
BeckonMessage *beckon_note_new_thinking (const char *model, gint64 now) G_GNUC_WARN_UNUSED_RESULT;
BeckonMessage *beckon_note_new_files (const char *model, gint64 now) G_GNUC_WARN_UNUSED_RESULT;
BeckonMessage *beckon_note_new_prefix (const char *reason, gint64 now) G_GNUC_WARN_UNUSED_RESULT;
BeckonMessage *beckon_note_new_server (const char *server, const char *reason, gint64 now) G_GNUC_WARN_UNUSED_RESULT;
BeckonMessage *beckon_note_new_refused (const char *model, const char *tool, const char *reason,
                                        gint64 now) G_GNUC_WARN_UNUSED_RESULT;
BeckonMessage *beckon_note_new_summary (gint64 through, const char *summary, const char *kept,
                                        gint64 now) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_note_read:
 * @part: a part of any kind
 * @note: (out): what it says; cleared with beckon_note_clear() in any case
 *
 * Returns: %TRUE if it is a note of a kind that is known
 */
gboolean beckon_note_read (BeckonPart *part, BeckonNote *note);
void     beckon_note_clear (BeckonNote *note);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (BeckonNote, beckon_note_clear)

/** Whether a note says something of this reason of a prefix. */
gboolean beckon_note_has_words_for (const char *reason);

/** Returns a message's kind of note; %BECKON_NOTE_NONE for people's and models' own. */
BeckonNoteKind beckon_note_get_kind (BeckonMessage *message);

/** The note in one translated sentence, still to be made safe; %NULL for a part that is none. Caller frees. */
char *beckon_note_dup_sentence (BeckonPart *part);

G_END_DECLS
