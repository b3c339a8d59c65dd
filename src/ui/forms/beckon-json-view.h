/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "form/beckon-form.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_JSON_VIEW (beckon_json_view_get_type ())
G_DECLARE_FINAL_TYPE (BeckonJsonView, beckon_json_view, BECKON, JSON_VIEW, AdwBin)

/** A form's text as JSON to be edited, with what is wrong marked where it is. */
GtkWidget *beckon_json_view_new (BeckonForm *form) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
