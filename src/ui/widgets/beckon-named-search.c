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

/* The entry that fades out keeps the focus until it is gone, where nothing else in its place takes it, and an Escape that comes
 * by then would be its own: not that of the window, which it closes. */
static void
on_search_stopped (GtkWidget *entry)
{
  GtkRoot *root = gtk_widget_get_root (entry);
  GtkWidget *focus = gtk_root_get_focus (root);

  if (focus != NULL && gtk_widget_is_ancestor (focus, entry))
    gtk_root_set_focus (root, NULL);
}

void
beckon_named_search_apply (GtkWidget *window)
{
  g_return_if_fail (GTK_IS_WIDGET (window));

  if (GTK_IS_SEARCH_ENTRY (window))
    g_signal_connect_after (window, "stop-search", G_CALLBACK (on_search_stopped), NULL);

  if (is_of_search (window))
    gtk_accessible_update_property (GTK_ACCESSIBLE (window), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Search"), -1);
  for (GtkWidget *at = gtk_widget_get_first_child (window); at != NULL; at = gtk_widget_get_next_sibling (at))
    beckon_named_search_apply (at);
}
