/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "form/beckon-form.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_FORM_GROUP (beckon_form_group_get_type ())
G_DECLARE_FINAL_TYPE (BeckonFormGroup, beckon_form_group, BECKON, FORM_GROUP, AdwBin)

/** The members of an object, the elements of a list or what was chosen, a row for each, and what adds more. */
GtkWidget *beckon_form_group_new (BeckonForm *form, BeckonFormField *field) G_GNUC_WARN_UNUSED_RESULT;

/** Shows @field, which another change of the form made of the one that is shown. */
void beckon_form_group_update (BeckonFormGroup *self, BeckonFormField *field);

/** Offers to settle each member for all calls; see beckon_form_row_set_can_settle(). */
void beckon_form_group_set_can_settle (BeckonFormGroup *self, gboolean can_settle);

/** Values that were used before: (element-type utf8 GPtrArray(utf8)): by the name of the member; JSON. */
void beckon_form_group_set_earlier (BeckonFormGroup *self, GHashTable *values);

G_END_DECLS
