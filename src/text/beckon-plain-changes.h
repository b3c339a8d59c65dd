/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-plain-text.h"
#include "domain/beckon-change-choice.h"

G_BEGIN_DECLS

/*
 * Requests about what a command changed, as plain text. Private to this room, but for tests.
 */

/* As #BeckonPlainClass says; below the sentence: the command, the numbered changes with what is kept at first, and how to
 * reply, with @code by command lines. "k", "n", "d N" and "x N" are read as beckon_plain_text_parse() describes them. */
void beckon_plain_changes_append_heading (GString *text, BeckonRequest *request, guint item);
void beckon_plain_changes_append (GString *text, BeckonRequest *request, guint item, const char *code);
BeckonPlainResult beckon_plain_changes_parse (BeckonRequest *request, guint item, const char *line, BeckonAnswer *answer,
                                              BeckonAnswer **whole, char **message);

/**
 * beckon_plain_changes_names_folder:
 * @request: a request
 * @line: what the person wrote, valid UTF-8
 * @change: (out): with %TRUE an index into the changes
 *
 * Returns: whether @line asks for a change that stands for all in a folder ("d 2"): its files are listed then
 */
gboolean beckon_plain_changes_names_folder (BeckonRequest *request, const char *line, guint *change);

/**
 * beckon_plain_changes_leave_out:
 * @request: a request about changes
 * @numbers: changes and hunks, as the list numbers them: "2, 3.1"
 * @choice: it is changed: what is named is left out
 * @problem: (out) (transfer full) (nullable): why not, translated; @choice may have been changed in part
 */
gboolean beckon_plain_changes_leave_out (BeckonRequest *request, const char *numbers, BeckonChangeChoice *choice,
                                         char **problem);

G_END_DECLS
