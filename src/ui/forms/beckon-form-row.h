/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "form/beckon-form.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_FORM_ROW (beckon_form_row_get_type ())
G_DECLARE_FINAL_TYPE (BeckonFormRow, beckon_form_row, BECKON, FORM_ROW, AdwBin)

/**
 * BeckonFormRow:
 *
 * One place of a form: its name, what it is edited with, what is wrong with it, and the ways back to the proposal, out of the
 * arguments, and up and down in a list; below it what is inside.
 */
GtkWidget *beckon_form_row_new (BeckonForm *form, BeckonFormField *field) G_GNUC_WARN_UNUSED_RESULT;

/** Shows @field, which another change of the form made of the one that is shown. */
void beckon_form_row_update (BeckonFormRow *self, BeckonFormField *field);

/** The place, as a JSON pointer. */
const char *beckon_form_row_get_pointer (BeckonFormRow *self);

/** Offers to settle it for all calls, by the action `card.settle` (its name and its value as JSON). */
void beckon_form_row_set_can_settle (BeckonFormRow *self, gboolean can_settle);

/** Values that were used there before, as JSON: (element-type utf8) (nullable). */
void beckon_form_row_set_earlier (BeckonFormRow *self, GPtrArray *values);

void beckon_form_row_focus (BeckonFormRow *self);

/**
 * beckon_argument_names_translate:
 * @description: (nullable): of an argument, as its schema has it
 *
 * What a person reads beside an argument of a built-in tool, whose schema was written for a model.
 *
 * Returns: (nullable): a translated sentence; %NULL where there is nothing to say; @description itself if it is not known.
 *   Borrowed
 */
const char *beckon_argument_names_translate (const char *description);

G_END_DECLS
