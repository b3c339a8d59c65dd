/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "text/beckon-plain-text.h"

G_BEGIN_DECLS

/* Forms of servers as plain text: field by field, then all of it again before it is sent. For #BeckonPlainClass. */

/** How many lines it takes: one for each field, and one for the look at all of them. */
guint beckon_plain_form_n_items (BeckonRequest *request);

/** Whether what is typed for @item is not to be seen. Any request. */
gboolean beckon_plain_form_is_secret (BeckonRequest *request, guint item);

/**
 * beckon_plain_form_find_secret:
 * @request: any request
 * @item: what is asked now
 * @line: what was typed
 *
 * Returns: the item of the secret field that @line, such as "password=", is about, where @item is the look at all fields; -1
 *   otherwise
 */
int beckon_plain_form_find_secret (BeckonRequest *request, guint item, const char *line);

/** (nullable): all fields of a form, and what @answer has in them, without secrets. Caller frees. */
char *beckon_plain_form_dup_review (BeckonRequest *request, const BeckonAnswer *answer) G_GNUC_WARN_UNUSED_RESULT;

/** An answer to go on from: the defaults. Caller owns. */
BeckonAnswer *beckon_plain_form_begin (BeckonRequest *request) G_GNUC_WARN_UNUSED_RESULT;

void              beckon_plain_form_append_heading (GString *text, BeckonRequest *request, guint item);
void              beckon_plain_form_append (GString *text, BeckonRequest *request, guint item, const char *code);
BeckonPlainResult beckon_plain_form_parse (BeckonRequest *request, guint item, const char *line, BeckonAnswer *answer,
                                           BeckonAnswer **whole, char **message);

/**
 * beckon_plain_form_read_words:
 * @request: a form
 * @words: "field=value" for each, or a single reply to all of it
 * @stops: (out): the reply was that the run is to be stopped
 * @problem: (out) (transfer full) (nullable): why it is no answer, translated
 *
 * Returns: (transfer full) (nullable): the answer that was given on a command line
 */
BeckonAnswer *beckon_plain_form_read_words (BeckonRequest *request, const char *const *words, gboolean *stops,
                                            char **problem) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
