/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "form/beckon-form.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_FORM_CONTROL (beckon_form_control_get_type ())
G_DECLARE_FINAL_TYPE (BeckonFormControl, beckon_form_control, BECKON, FORM_CONTROL, AdwBin)

/**
 * BeckonFormControl:
 *
 * What one value of a form is edited with: an entry, lines, a switch, a list, or nothing but its words. What is typed goes into
 * the form at once.
 */
GtkWidget *beckon_form_control_new (BeckonForm *form, BeckonFormField *field) G_GNUC_WARN_UNUSED_RESULT;

/** Whether this control can go on for @field, which another change of the form made of the one that it has. */
gboolean beckon_form_control_suits (BeckonFormControl *self, BeckonFormField *field);

/** Shows @field from now on. What is just being typed here is not disturbed. */
void beckon_form_control_update (BeckonFormControl *self, BeckonFormField *field);

/** The focusable widget. */
GtkWidget *beckon_form_control_get_inner (BeckonFormControl *self);

G_END_DECLS
