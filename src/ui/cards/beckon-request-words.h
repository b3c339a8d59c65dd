/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-request.h"

G_BEGIN_DECLS

/* Requests in a line, where their cards are not shown; plain text, translated. */

/** The words of a notification. Caller frees. */
char *beckon_request_words_dup_notice (BeckonRequest *request) G_GNUC_WARN_UNUSED_RESULT;

/** Its title in a list, and what a screen reader says of it. Caller frees. */
char *beckon_request_words_dup_title (BeckonRequest *request) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
