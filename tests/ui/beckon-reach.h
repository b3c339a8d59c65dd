/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-ui-fixture.h"

G_BEGIN_DECLS

/**
 * Goes through everything within a mapped @window with Tab and back: nothing keeps the focus, nothing is passed over on the way
 * back, what has it is named, and is not a group only. Fails with all that is wrong.
 */
void reach_check_focus (GtkWidget *window);

/** Goes through @window with Tab and fails unless each of @names, a %NULL-terminated array, is a part of what some stop is called. */
void reach_check_stops (GtkWidget *window, const char *const *names);

/** Lists controls within @root that take the focus and have no name, also hidden ones with @hidden_too. Caller owns. */
GPtrArray *reach_list_nameless (GtkWidget *root, gboolean hidden_too);

/** How narrow @widget can be, with text as many times as large; says what makes it wider than @most. */
int reach_measure (GtkWidget *widget, double text_scale, int most);

G_END_DECLS
