/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-json-reader.h"

G_BEGIN_DECLS

typedef struct _BeckonGeminiArguments BeckonGeminiArguments;

/** The arguments of a call that come as values of places in an object, strings in pieces. */
BeckonGeminiArguments *beckon_gemini_arguments_new (void) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_gemini_arguments_feed:
 * @arguments: the arguments
 * @pieces: raw JSON of a `partialArgs` member, checked
 *
 * Returns: %FALSE when a piece names a place that cannot be, or there is too much; the arguments are no good then
 */
gboolean beckon_gemini_arguments_feed (BeckonGeminiArguments *arguments, const BeckonJsonSlice *pieces);

/** As JSON text. Caller frees. */
char *beckon_gemini_arguments_print (BeckonGeminiArguments *arguments) G_GNUC_WARN_UNUSED_RESULT;

void beckon_gemini_arguments_free (BeckonGeminiArguments *arguments);

G_END_DECLS
