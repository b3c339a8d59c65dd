/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-unfolding.h"

void
beckon_unfolding_tell (GtkWidget *toggle)
{
  for (GtkWidget *at = gtk_widget_get_parent (toggle); at != NULL; at = gtk_widget_get_parent (at))
    if (g_signal_lookup (BECKON_UNFOLDING_SIGNAL, G_OBJECT_TYPE (at)) != 0)
      {
        g_signal_emit_by_name (at, BECKON_UNFOLDING_SIGNAL, toggle);
        return;
      }
}
