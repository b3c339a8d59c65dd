/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-shortcuts.h"

#include "beckon-shortcut-row.h"
#include "ui/widgets/beckon-named-search.h"

struct _BeckonShortcuts
{
  AdwPreferencesWindow parent_instance;
};

G_DEFINE_FINAL_TYPE (BeckonShortcuts, beckon_shortcuts, ADW_TYPE_PREFERENCES_WINDOW)

static void
beckon_shortcuts_class_init (BeckonShortcutsClass *klass)
{
  g_type_ensure (BECKON_TYPE_SHORTCUT_ROW);
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_w, GDK_CONTROL_MASK, "window.close", NULL);
  gtk_widget_class_set_template_from_resource (GTK_WIDGET_CLASS (klass), BECKON_RESOURCE_PATH "/ui/shortcuts.ui");
}

static void
beckon_shortcuts_init (BeckonShortcuts *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  beckon_named_search_apply (GTK_WIDGET (self));
}

GtkWidget *
beckon_shortcuts_new (void)
{
  return g_object_new (BECKON_TYPE_SHORTCUTS, NULL);
}
