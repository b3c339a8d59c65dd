/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-compat.h"

#include <gtk/gtk.h>

/* A button is labelled by the words on it there, and a switch by the title of its row, which goes before the label that was
 * written for whoever does not see what is around them: “Stop” instead of “Stop the run”. Only test functions tell what
 * is set. */
static gboolean
prefer_label (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer user_data)
{
  GtkAccessible *widget = g_value_get_object (values);

  if (gtk_test_accessible_has_property (widget, GTK_ACCESSIBLE_PROPERTY_LABEL) &&
      gtk_test_accessible_has_relation (widget, GTK_ACCESSIBLE_RELATION_LABELLED_BY))
    gtk_accessible_reset_relation (widget, GTK_ACCESSIBLE_RELATION_LABELLED_BY);
  return G_SOURCE_CONTINUE;
}

void
beckon_compat_init (void)
{
  static gboolean is_done = FALSE;

  if (is_done || gtk_check_version (4, 10, 0) != NULL)
    return;

  is_done = TRUE;
  /* A class that nobody has used yet has no signals. */
  g_type_class_unref (g_type_class_ref (GTK_TYPE_WIDGET));
  g_signal_add_emission_hook (g_signal_lookup ("realize", GTK_TYPE_WIDGET), 0, prefer_label, NULL, NULL);
}
