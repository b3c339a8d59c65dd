/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-request.h"

#include <glib.h>

G_BEGIN_DECLS

/* Requests in a line, where their cards are not shown; plain text, translated. */

/** The words of a notification. Caller frees. */
char *beckon_request_words_dup_notice (BeckonRequest *request) G_GNUC_WARN_UNUSED_RESULT;

/** Its title in a list, and what a screen reader says of it. Caller frees. */
char *beckon_request_words_dup_title (BeckonRequest *request) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_arguments_line:
 * @arguments: JSON text, or anything
 *
 * A tool's arguments as one short line for people: punctuation of JSON left out, the name of a sole argument too. Nothing is
 * decided by it; the whole text is shown where it matters.
 *
 * Returns: (transfer full): the line
 */
char *beckon_arguments_line (const char *arguments) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
