/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/** The kept beginning and end, in bytes each. */
#define BECKON_OUTPUT_KEPT (16 * 1024)

#define BECKON_TYPE_OUTPUT (beckon_output_get_type ())
G_DECLARE_FINAL_TYPE (BeckonOutput, beckon_output, BECKON, OUTPUT, GObject)

/**
 * BeckonOutput:
 *
 * What a tool puts out, however much it is, in bounded memory: the beginning and the end. Any bytes; shown and told to
 * models as text, without the escape sequences that steer terminals. Any thread, one at a time.
 */
BeckonOutput *beckon_output_new (void) G_GNUC_WARN_UNUSED_RESULT;

/** Appends @length bytes. */
void beckon_output_append (BeckonOutput *output, const char *bytes, gsize length);

/** All bytes that ever were appended. */
guint64 beckon_output_get_length (BeckonOutput *output);

/** The bytes between what is kept of the beginning and of the end. */
guint64 beckon_output_get_left_out (BeckonOutput *output);

/**
 * beckon_output_get_text:
 * @output: the output
 *
 * Returns: (transfer full): valid UTF-8: the beginning, a line that says how much is left out, the end; an empty string if
 *   nothing came
 */
char *beckon_output_get_text (BeckonOutput *output) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_output_get_tail:
 * @output: the output
 * @n_lines: how many lines, at least one
 *
 * Returns: (transfer full): its last lines, at most 4 KiB, as valid UTF-8, to show what goes on
 */
char *beckon_output_get_tail (BeckonOutput *output, guint n_lines) G_GNUC_WARN_UNUSED_RESULT;

/** (transfer full): all bytes, while nothing is left out of them. */
GBytes *beckon_output_dup_all (BeckonOutput *output) G_GNUC_WARN_UNUSED_RESULT;

/** (transfer full): any bytes as valid UTF-8 text, without the escape sequences that steer terminals. */
char *beckon_output_dup_plain (const char *bytes, gsize length) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
