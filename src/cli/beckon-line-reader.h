/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdio.h>

G_BEGIN_DECLS

/**
 * BeckonLineReader:
 *
 * Reads what the person types. Each line is for the card whose prompt was on the screen when the first key of the line came,
 * or for none.
 *
 * On a terminal keys are read all the time. The prompt of a card appears half a second after the card, and whatever was typed
 * until then belongs to no card. A paste is part of a line, whatever line breaks it has. What the program prints goes above
 * what is being typed.
 *
 * From a pipe, lines are read one by one, each only when it is wanted: nobody types there, and a script's lines answer in
 * order.
 *
 * Main thread; one at a time.
 */
typedef struct _BeckonLineReader BeckonLineReader;

/**
 * BeckonTypedLine:
 * @text: (nullable): UTF-8; %NULL is the end of the input
 * @card: what it is for: the @card of beckon_line_reader_want(), 0 for a message
 * @is_pasted: whether some of it was pasted in a terminal
 * @is_hidden: it was not shown while it was typed
 * @is_early: with @is_hidden, it came before its card could be answered
 */
typedef struct
{
  const char *text;
  guint card;
  gboolean is_pasted;
  gboolean is_hidden;
  gboolean is_early;
} BeckonTypedLine;

/**
 * BeckonLineReaderClient:
 * @take: called with each line; not from within another function of the reader
 * @clear_screen_line: called before the prompt is put up: ends a line of output that was begun
 * @escape: called when Escape was pressed by itself while no line was begun
 * @can_prompt: whether an empty prompt may be put up again after output, because no line of output is unfinished
 * @up: called when Up was pressed on an empty line; %TRUE if it does not ask for the line before
 */
typedef struct
{
  void (*take) (const BeckonTypedLine *line, gpointer user_data);
  void (*clear_screen_line) (gpointer user_data);
  gboolean (*can_prompt) (gpointer user_data);
  void (*escape) (gpointer user_data);
  gboolean (*up) (gpointer user_data);
} BeckonLineReaderClient;

/** @screen: where the prompt goes if it is a terminal; otherwise it goes to the terminal that is the input. @client:
 *  borrowed. */
BeckonLineReader *beckon_line_reader_new (FILE *screen, const BeckonLineReaderClient *client,
                                          gpointer user_data) G_GNUC_WARN_UNUSED_RESULT;

/** Stops reading and gives the terminal back as it was. */
void beckon_line_reader_free (BeckonLineReader *reader);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonLineReader, beckon_line_reader_free)

gboolean beckon_line_reader_is_terminal (BeckonLineReader *reader);

/** Begins to read a terminal, without a prompt. */
void beckon_line_reader_listen (BeckonLineReader *reader);

/** Asks for one line. @card: not 0 for an answer to what has just been printed, another number for each text. @hidden: what is
 *  typed is not shown, and kept nowhere. */
void beckon_line_reader_want (BeckonLineReader *reader, guint card, gboolean hidden);

/** Takes the wish back; the last prompt stands until there is another. */
void beckon_line_reader_rest (BeckonLineReader *reader);

/** Call before printing. */
void beckon_line_reader_make_room (BeckonLineReader *reader);

/** Whether a line has been begun, so that output comes in whole lines. */
gboolean beckon_line_reader_is_typing (BeckonLineReader *reader);

/** Whether what has just been printed asks for an answer. */
gboolean beckon_line_reader_has_card (BeckonLineReader *reader);

/** Begins a message, for no card. %FALSE if a line has been begun. */
gboolean beckon_line_reader_begin (BeckonLineReader *reader, const char *text);

/** Ctrl+C: drops what was begun. %FALSE if nothing was. */
gboolean beckon_line_reader_drop_line (BeckonLineReader *reader);

/** @line: what Up brings back, in a terminal. */
void beckon_line_reader_remember (BeckonLineReader *reader, const char *line);

/**
 * beckon_echo_set_hidden:
 * @hidden: whether what is typed is to be kept off the screen
 *
 * Does nothing where the input is no terminal. The echo comes back when the program ends.
 *
 * Returns: whether it is hidden now
 */
gboolean beckon_echo_set_hidden (gboolean hidden);

/** The most bytes of a secret's line. */
#define BECKON_SECRET_LINE_MAX 8192

/**
 * beckon_secret_line_read:
 * @name: what it is the value of
 * @error: return location
 *
 * Reads a line of standard input, which a terminal does not show and is asked for; never an argument, which other users of the
 * computer may read. Blocks; no main loop runs yet.
 *
 * Returns: (transfer full): without the white space around it, to be wiped by the caller; %NULL with %BECKON_ERROR_INVALID, in
 *   words to be shown
 */
char *beckon_secret_line_read (const char *name, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
