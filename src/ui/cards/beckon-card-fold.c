/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-card-fold.h"

void
beckon_card_fold_update (GtkToggleButton *button, GtkRevealer *rest)
{
  gboolean is_shown;

  g_return_if_fail (GTK_IS_TOGGLE_BUTTON (button) && GTK_IS_REVEALER (rest));

  is_shown = gtk_toggle_button_get_active (button);
  gtk_button_set_icon_name (GTK_BUTTON (button), is_shown ? "pan-up-symbolic" : "pan-down-symbolic");
  gtk_accessible_update_state (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_STATE_EXPANDED, is_shown, -1);
  gtk_revealer_set_reveal_child (rest, is_shown);
}

gboolean
beckon_card_fold_close (GtkToggleButton *button)
{
  g_return_val_if_fail (GTK_IS_TOGGLE_BUTTON (button), FALSE);

  if (!gtk_toggle_button_get_active (button))
    return FALSE;
  gtk_widget_grab_focus (GTK_WIDGET (button));
  gtk_toggle_button_set_active (button, FALSE);
  return TRUE;
}
