/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonLineEnds:
 * @BECKON_LINE_ENDS_LF: lines end with LF, or there is one line
 * @BECKON_LINE_ENDS_CRLF: all lines end with CR LF
 * @BECKON_LINE_ENDS_CR: all lines end with CR
 * @BECKON_LINE_ENDS_MIXED: some lines end with CR LF and others with LF
 */
typedef enum
{
  BECKON_LINE_ENDS_LF,
  BECKON_LINE_ENDS_CRLF,
  BECKON_LINE_ENDS_CR,
  BECKON_LINE_ENDS_MIXED,
} BeckonLineEnds;

/**
 * BeckonFileText:
 * @text: UTF-8 without a byte order mark, with lines that end with LF
 * @length: its bytes
 * @encoding: the file's encoding, by the name that iconv knows; static
 * @has_mark: whether the file begins with a byte order mark
 * @has_strays: whether the file is UTF-8 with some bytes that are not. In @text each stands as the character
 *   U+10FF00 + the byte, which beckon_file_text_show() and beckon_text_for_display() write as <0xE9>
 * @has_hidden: whether @text has characters that can't be seen, so that beckon_file_text_show() writes them out
 * @ends: how its lines end
 *
 * A text file: what it says, apart from how its bytes say it. beckon_file_text_encode() writes a changed text in the file's
 * own encoding, line ends and mark; the unchanged text gives the same bytes. Never changed once made. Any thread.
 */
typedef struct
{
  char *text;
  gsize length;
  const char *encoding;
  gboolean has_mark;
  gboolean has_strays;
  gboolean has_hidden;
  BeckonLineEnds ends;

  /*< private >*/
  char *mixed; /* (nullable): @text with the line ends of a file that mixes them */
} BeckonFileText;

/**
 * beckon_file_text_new:
 * @bytes: a whole file
 *
 * Reads UTF-8, UTF-16 with or without a byte order mark, GB 18030, and everything else without NUL and with few control
 * characters as Windows-1252 or ISO-8859-1.
 *
 * Returns: (transfer full) (nullable): the text; %NULL for what is no text
 */
BeckonFileText *beckon_file_text_new (GBytes *bytes) G_GNUC_WARN_UNUSED_RESULT;
void            beckon_file_text_free (BeckonFileText *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonFileText, beckon_file_text_free)

/**
 * beckon_file_text_encode:
 * @file: (nullable): the file as it was; %NULL for a new one
 * @text: what it is to say, as UTF-8
 * @missing: (out): a character of @text that the file's encoding doesn't have
 *
 * A line that stays keeps its line end, others take that of the line in whose place they are.
 *
 * Returns: (transfer full) (nullable): the bytes; %NULL with @missing
 */
GBytes *beckon_file_text_encode (const BeckonFileText *file, const char *text, gunichar *missing) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_file_text_show:
 * @file: the file that @text is of
 * @text: a part of its text, or of what it becomes
 * @length: its bytes; -1 if it ends in NUL
 *
 * Writes a text for a model, which beckon_file_text_take() takes back: in a file that has characters that can't be seen, each
 * of these becomes <U+200B>, and the < of text that looks so becomes <U+003C>.
 *
 * Returns: (transfer full): UTF-8
 */
char *beckon_file_text_show (const BeckonFileText *file, const char *text, gssize length) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_file_text_take:
 * @file: (nullable): the file that @shown is for; %NULL for a new one
 * @shown: what a model wrote
 * @unclear: (out) (transfer full) (nullable): the first <U+200B> of which it is not known whether that character is meant,
 *   because @file has neither the character nor such letters
 *
 * Returns: (transfer full) (nullable): the text that is meant; %NULL with @unclear
 */
char *beckon_file_text_take (const BeckonFileText *file, const char *shown, char **unclear) G_GNUC_WARN_UNUSED_RESULT;

/** (transfer full): the name of a file that a model gives back as it was shown one, with <U+000A> for a line break. */
char *beckon_file_text_take_name (const char *shown) G_GNUC_WARN_UNUSED_RESULT;

/** Whether beckon_file_text_show() would write out some of @text if the file had such characters. */
gboolean beckon_file_text_hides (const char *text);

/** (transfer full): @text with everything written out that can't be seen, as beckon_file_text_show() does. */
char *beckon_file_text_write_out (const char *text, gssize length) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_file_text_describe:
 * @file: a file
 * @size: its bytes
 *
 * Returns: (transfer full) (nullable): a line in square brackets for a model, English, that says in what the file differs from
 *   what is shown of it; %NULL for UTF-8 with LF
 */
char *beckon_file_text_describe (const BeckonFileText *file, guint64 size) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
