/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-named-search.h"

#include <glib/gi18n-lib.h>

static gboolean
is_of_search (GtkWidget *widget)
{
  return GTK_IS_SEARCH_ENTRY (widget)
         || (GTK_IS_TOGGLE_BUTTON (widget)
             && g_strcmp0 (gtk_button_get_icon_name (GTK_BUTTON (widget)), "edit-find-symbolic") == 0);
}

void
beckon_named_search_apply (GtkWidget *window)
{
  g_return_if_fail (GTK_IS_WIDGET (window));

  if (is_of_search (window))
    gtk_accessible_update_property (GTK_ACCESSIBLE (window), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Search"), -1);
  for (GtkWidget *at = gtk_widget_get_first_child (window); at != NULL; at = gtk_widget_get_next_sibling (at))
    beckon_named_search_apply (at);
}
