/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** The replacement for bytes that are no character. */
#define BECKON_TEXT_REPLACEMENT ((gunichar) 0xfffd)

/**
 * BeckonTextFlags:
 * @BECKON_TEXT_PROSE: text to be read: line breaks and tabs stay, other control characters become visible symbols, and
 *   characters that only steer writing direction or joining stay, since many languages and emoji need them
 * @BECKON_TEXT_EXACT: text to be decided on, such as a command or a path: everything that would not be seen, or would
 *   change the order of what is seen, is written out as <U+202E>; line breaks and tabs too
 * @BECKON_TEXT_MARKED: like prose, but what can hide or reorder text is marked, as by beckon_text_mark_hidden(): for
 *   terminals and for results of tools, where nothing else shows it
 */
typedef enum
{
  BECKON_TEXT_PROSE,
  BECKON_TEXT_EXACT,
  BECKON_TEXT_MARKED,
} BeckonTextFlags;

/**
 * beckon_text_for_display:
 * @text: (nullable): untrusted text; %NULL counts as empty
 * @length: its bytes, which may hold NUL and bytes that are no character; -1 if it ends in NUL
 * @flags: how
 *
 * Returns: (transfer full): valid UTF-8 that is fit to show as text; it is not markup
 */
char *beckon_text_for_display (const char *text, gssize length, BeckonTextFlags flags) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_text_json_for_display:
 * @json: strict JSON to be decided on, such as the arguments of a call
 *
 * Like beckon_text_for_display() with %BECKON_TEXT_EXACT, but for line breaks and tabs, which can only stand between the
 * values of strict JSON, where they change nothing.
 *
 * Returns: (transfer full): lines of text
 */
char *beckon_text_json_for_display (const char *json) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_text_command_for_display:
 * @command: (nullable): a command line, which may have several lines; %NULL counts as empty
 *
 * Like beckon_text_for_display() with %BECKON_TEXT_EXACT, but line breaks, which end a command, stay, and blanks that could
 * push something out of sight are counted instead: <4000 spaces>. A line that is very long goes on below, behind ↳.
 *
 * Returns: (transfer full): lines of text
 */
char *beckon_text_command_for_display (const char *command) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_text_make_valid:
 * @text: (nullable): bytes; %NULL counts as empty
 * @length: how many, -1 if they end in NUL
 * @valid_length: (out) (optional): bytes of the result
 *
 * Returns: (transfer full): @text with U+FFFD for each byte that is no part of a character; NUL stays, so use
 *   @valid_length
 */
char *beckon_text_make_valid (const char *text, gssize length, gsize *valid_length) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_text_mark_hidden:
 * @text: (nullable): valid UTF-8; %NULL counts as empty
 * @length: its bytes; -1 if it ends in NUL
 *
 * Writes out as <U+E0041> what can carry hidden words, or show them in another order than they are read: overrides
 * and isolates of the writing direction, characters without width, tags, and runs of joiners and variation selectors. What
 * languages and emoji need (single joiners and selectors, direction marks, the tags of a flag) stays.
 *
 * Returns: (transfer full): the marked text
 */
char *beckon_text_mark_hidden (const char *text, gssize length) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_text_json_escape_hidden:
 * @json: a valid JSON text
 *
 * Returns: (transfer full): the same JSON in which every character that would not be seen, or that a terminal would obey, is
 *   an escape; the values are the same
 */
char *beckon_text_json_escape_hidden (const char *json) G_GNUC_WARN_UNUSED_RESULT;

/** TRUE if beckon_text_for_display() with %BECKON_TEXT_EXACT would write something out. */
gboolean beckon_text_has_hidden (const char *text, gssize length);

/**
 * beckon_text_join_sentences:
 * @first: what is said first, with or without its full stop, as what others wrote may be
 * @second: another sentence
 *
 * Returns: (transfer full): both, with a full stop between them where @first lacks one
 */
char *beckon_text_join_sentences (const char *first, const char *second) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_text_shorten:
 * @text: (nullable): valid UTF-8; %NULL counts as empty
 * @n_chars: the most characters of the result, at least 1
 *
 * Returns: (transfer full): @text, cut at a character's end and closed with … when it is longer
 */
char *beckon_text_shorten (const char *text, guint n_chars) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_text_has_long_line:
 * @text: text
 *
 * Whether it has a line that is not to be wrapped: laying out one paragraph takes a time that grows with the square of its
 * length.
 */
gboolean beckon_text_has_long_line (const char *text);

/**
 * beckon_text_isolate:
 * @name: a path, a host, a command or a name, as it is shown
 * @words: (nullable): the sentence that it goes into
 *
 * Keeps the direction of a name and of the sentence around it apart, where either has letters that are written from right to
 * left: ~/letter.txt would be drawn as letter.txt/~ in such a sentence.
 *
 * Returns: (transfer full): @name, within U+2068 and U+2069 where that is needed
 */
char *beckon_text_isolate (const char *name, const char *words) G_GNUC_WARN_UNUSED_RESULT;

/** @words with @detail, isolated, in the place of its first %s; for words that come from a table. @detail: (nullable). Caller
 *  frees. */
char *beckon_text_fill_in (const char *words, const char *detail) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_text_utf8_length:
 * @text: bytes, at least one
 * @length: how many
 *
 * Returns: bytes of the character that @text begins with; 0 if it begins with none, an overlong form or a surrogate
 */
gsize beckon_text_utf8_length (const char *text, gsize length);

/**
 * BeckonLikeness:
 *
 * A text that others are compared with, by the pairs of letters that they share. Of long texts the first bytes count. On the
 * stack; nothing is to be cleared.
 */
typedef struct
{
  guint8 counts[1024];
  guint n;
} BeckonLikeness;

void beckon_likeness_init (BeckonLikeness *self, const char *text, gsize length);

/** How alike @text is, in percent. */
guint beckon_likeness_compare (const BeckonLikeness *self, const char *text, gsize length) G_GNUC_WARN_UNUSED_RESULT;

/** Whether two names differ in nothing but case, "_" and "-". */
gboolean beckon_likeness_is_same_word (const char *name, const char *other);

G_END_DECLS
