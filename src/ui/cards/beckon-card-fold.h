/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Cards that fold: a button in the head, which stays, and a revealer with the rest. */

/** Shows or hides @rest, as @button is. */
void beckon_card_fold_update (GtkToggleButton *button, GtkRevealer *rest);

/** Folds the card and gives the focus to @button. Returns: %FALSE if it was folded already */
gboolean beckon_card_fold_close (GtkToggleButton *button);

G_END_DECLS
