/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_text_printf:
 * @words: a translated sentence, with conversions as of printf ()
 * @...: its arguments
 *
 * Fills in a sentence for people. Where it, or what goes into it, has letters that are written from right to left, each %s
 * keeps a direction of its own, within U+2068 and U+2069: ~/letter.txt would be drawn as letter.txt/~. Names that may hold such
 * marks themselves have been through beckon_text_for_display() before. Any thread.
 *
 * Returns: (transfer full): the sentence
 */
char *beckon_text_printf (const char *words, ...) G_GNUC_PRINTF (1, 2) G_GNUC_WARN_UNUSED_RESULT;

/** The same, at the end of @string. */
void beckon_text_append (GString *string, const char *words, ...) G_GNUC_PRINTF (2, 3);

/** g_set_error() with a sentence for people. @error: (nullable): return location. */
void beckon_text_set_error (GError **error, GQuark domain, int code, const char *words, ...) G_GNUC_PRINTF (4, 5);

/** g_error_new() with a sentence for people. Caller frees. */
GError *beckon_text_error_new (GQuark domain, int code, const char *words, ...) G_GNUC_PRINTF (3, 4) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
