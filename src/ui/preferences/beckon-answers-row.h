/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "runtime/beckon-runtime.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_ANSWERS_ROW (beckon_answers_row_get_type ())
G_DECLARE_FINAL_TYPE (BeckonAnswersRow, beckon_answers_row, BECKON, ANSWERS_ROW, AdwActionRow)

/** A row of the preferences: how many answers are shown again when the same is asked, and a button that forgets them. */
GtkWidget *beckon_answers_row_new (BeckonRuntime *runtime) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
