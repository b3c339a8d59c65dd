/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "form/beckon-form.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_FORM_CHANGES_VIEW (beckon_form_changes_view_get_type ())
G_DECLARE_FINAL_TYPE (BeckonFormChangesView, beckon_form_changes_view, BECKON, FORM_CHANGES_VIEW, AdwBin)

/** Shows a person's changes, line by line beside the proposal. */
GtkWidget *beckon_form_changes_view_new (BeckonForm *form) G_GNUC_WARN_UNUSED_RESULT;

/** The same in one sentence, such as "Changed: limit from 1000". Caller frees. */
char *beckon_form_changes_view_describe (BeckonForm *form) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
