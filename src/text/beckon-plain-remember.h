/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-request.h"

G_BEGIN_DECLS

/* Choices to remember with an approval, or with changes that are kept: those of the card in the window. */

/** (nullable) (transfer none) (element-type BeckonRuleProposal): the choices; %NULL where there are none. */
GPtrArray *beckon_plain_remember_get_choices (BeckonRequest *request);

/**
 * beckon_plain_remember_choose:
 * @request: an approval, or changes
 * @index: which of its choices
 * @is_here: in this conversation only
 * @left_out: (nullable): of changes, what is not kept, as beckon_change_choice_to_json() writes it
 *
 * Returns: (transfer full): that it runs, or is kept, with what is remembered
 */
BeckonAnswer *beckon_plain_remember_choose (BeckonRequest *request, guint index, gboolean is_here,
                                            const char *left_out) G_GNUC_WARN_UNUSED_RESULT;

/** Appends the choices below @words, which say how to take one; nothing where there are none. */
void beckon_plain_remember_append (GString *text, BeckonRequest *request, const char *words);

/**
 * beckon_plain_remember_parse:
 * @request: an approval, or changes
 * @line: a trimmed reply
 * @left_out: (nullable): as for beckon_plain_remember_choose()
 * @hint: what can be replied instead
 * @whole: (out): that it runs, or is kept, with what is remembered
 * @message: (out): what is wrong with a number that is none of the choices, or that there are none
 *
 * Returns: whether @line is about that at all; then one of the two is set
 */
gboolean beckon_plain_remember_parse (BeckonRequest *request, const char *line, const char *left_out, const char *hint,
                                      BeckonAnswer **whole, char **message);

G_END_DECLS
