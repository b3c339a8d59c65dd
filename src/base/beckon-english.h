/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <locale.h>

G_BEGIN_DECLS

/**
 * beckon_english_begin:
 *
 * Makes this thread's messages English, those of the libraries too, because a model reads them: for work that people are told
 * nothing by. The exception is g_strerror(), which keeps what any thread asked it for first: see beckon_errno_describe().
 *
 * Returns: what beckon_english_end() wants
 */
locale_t beckon_english_begin (void) G_GNUC_WARN_UNUSED_RESULT;

/** The thread's messages are as they were. */
void beckon_english_end (locale_t before);

/** @text as a person reads it: a sentence of ours that has a translation, or the system's words for an `errno`. Borrowed. */
const char *beckon_english_translate (const char *text);

G_END_DECLS
