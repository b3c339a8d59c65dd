/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-suggestion.h"

G_BEGIN_DECLS

#define BECKON_TYPE_SUGGESTION_ROW (beckon_suggestion_row_get_type ())
G_DECLARE_FINAL_TYPE (BeckonSuggestionRow, beckon_suggestion_row, BECKON, SUGGESTION_ROW, GtkListBoxRow)

/** Shows what can be completed to: its word, and what it does. */
GtkWidget *beckon_suggestion_row_new (const BeckonSuggestion *suggestion) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
