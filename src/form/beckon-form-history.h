/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-json-edit.h"

G_BEGIN_DECLS

/**
 * BeckonFormHistory:
 *
 * What was done to a text and can be undone. Knows the changes, not the text. Private to the form.
 */
typedef struct _BeckonFormHistory BeckonFormHistory;

BeckonFormHistory *beckon_form_history_new (void) G_GNUC_WARN_UNUSED_RESULT;
void               beckon_form_history_free (BeckonFormHistory *history);

/**
 * beckon_form_history_add:
 * @history: a history
 * @edit: what was done to @text
 * @text: the text before it
 * @where: (nullable): the place that is typed into; changes of the same place are one, and so are those of the text ("") that
 *   go on where the last one ended. %NULL for a change of its own
 */
void beckon_form_history_add (BeckonFormHistory *history, const BeckonJsonEdit *edit, const char *text, const char *where);

/** Returns the edit that undoes, or does again; %NULL if there is none. (transfer full). */
BeckonJsonEdit *beckon_form_history_undo (BeckonFormHistory *history) G_GNUC_WARN_UNUSED_RESULT;
BeckonJsonEdit *beckon_form_history_redo (BeckonFormHistory *history) G_GNUC_WARN_UNUSED_RESULT;

gboolean beckon_form_history_can_undo (BeckonFormHistory *history);
gboolean beckon_form_history_can_redo (BeckonFormHistory *history);

/** The next change is one of its own, whatever it is. */
void beckon_form_history_break (BeckonFormHistory *history);

G_END_DECLS
