/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-shortcuts.h"

#include "beckon-pages.h"
#include "beckon-shortcut-row.h"

struct _BeckonShortcuts
{
  BeckonSheet parent_instance;

  BeckonPages *pages;
  AdwPreferencesPage *page;
};

G_DEFINE_FINAL_TYPE (BeckonShortcuts, beckon_shortcuts, BECKON_TYPE_SHEET)

static void
beckon_shortcuts_class_init (BeckonShortcutsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (BECKON_TYPE_PAGES);
  g_type_ensure (BECKON_TYPE_SHORTCUT_ROW);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/shortcuts.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonShortcuts, pages);
  gtk_widget_class_bind_template_child (widget_class, BeckonShortcuts, page);
}

static void
beckon_shortcuts_init (BeckonShortcuts *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  beckon_pages_add (self->pages, self->page);
  beckon_pages_capture_keys (self->pages, GTK_WIDGET (self));
}

GtkWidget *
beckon_shortcuts_new (void)
{
  return g_object_new (BECKON_TYPE_SHORTCUTS, NULL);
}
