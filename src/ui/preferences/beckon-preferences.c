/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-preferences.h"

#include "beckon-agent-page.h"
#include "beckon-appearance-page.h"
#include "beckon-channels-page.h"
#include "beckon-credentials-page.h"
#include "beckon-pages.h"
#include "beckon-permissions-page.h"
#include "beckon-servers-page.h"
#include "beckon-tools-page.h"
#include "ui/widgets/beckon-controls.h"

#define PAGE "beckon-page"

struct _BeckonPreferences
{
  BeckonSheet parent_instance;

  AdwLeaflet *leaflet; /* the list of pages, and the pages */
  GtkListBox *pages_list;
  GtkWidget *back_button;
  BeckonPages *pages;
};

G_DEFINE_FINAL_TYPE (BeckonPreferences, beckon_preferences, BECKON_TYPE_SHEET)

void
beckon_preferences_show_row (BeckonPreferences *self, const char *page, const char *title)
{
  GtkWindow *window;
  AdwPreferencesPage *found = beckon_pages_lookup (self->pages, page);

  if (found == NULL)
    return;
  adw_leaflet_set_visible_child (self->leaflet, GTK_WIDGET (self->pages));
  beckon_pages_show_row (self->pages, found, title);
  window = beckon_sheet_get_window (BECKON_SHEET (self));
  if (window != NULL)
    gtk_window_set_focus_visible (window, TRUE);
}

AdwPreferencesPage *
beckon_preferences_get_page (BeckonPreferences *self)
{
  return beckon_pages_get_shown (self->pages);
}

/* The list */

static void
on_page_selected (BeckonPreferences *self, GtkListBoxRow *row)
{
  if (row != NULL)
    beckon_pages_show (self->pages, g_object_get_data (G_OBJECT (row), PAGE));
}

static void
on_page_activated (BeckonPreferences *self)
{
  adw_leaflet_set_visible_child (self->leaflet, GTK_WIDGET (self->pages));
}

static void
preferences_on_back_clicked (BeckonPreferences *self)
{
  adw_leaflet_navigate (self->leaflet, ADW_NAVIGATION_DIRECTION_BACK);
  gtk_widget_child_focus (GTK_WIDGET (self->pages_list), GTK_DIR_TAB_FORWARD);
}

static void
preferences_show_page (BeckonPreferences *self)
{
  AdwPreferencesPage *page = beckon_pages_get_shown (self->pages);
  GtkListBoxRow *row;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (self->pages_list, i)) != NULL; i++)
    if (g_object_get_data (G_OBJECT (row), PAGE) == page)
      gtk_list_box_select_row (self->pages_list, row);
}

static void
add_page (BeckonPreferences *self, AdwPreferencesPage *page)
{
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *title = gtk_label_new (adw_preferences_page_get_title (page));

  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_label_set_wrap (GTK_LABEL (title), TRUE);
  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name (adw_preferences_page_get_icon_name (page)));
  gtk_box_append (GTK_BOX (box), title);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, adw_preferences_page_get_title (page),
                                  -1);
  g_object_set_data (G_OBJECT (row), PAGE, page);
  gtk_list_box_append (self->pages_list, row);
  beckon_pages_add (self->pages, page);
}

static void
beckon_preferences_class_init (BeckonPreferencesClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (BECKON_TYPE_PAGES);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/preferences.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonPreferences, leaflet);
  gtk_widget_class_bind_template_child (widget_class, BeckonPreferences, pages_list);
  gtk_widget_class_bind_template_child (widget_class, BeckonPreferences, back_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonPreferences, pages);
  gtk_widget_class_bind_template_callback (widget_class, on_page_selected);
  gtk_widget_class_bind_template_callback (widget_class, on_page_activated);
  gtk_widget_class_bind_template_callback (widget_class, preferences_on_back_clicked);
  gtk_widget_class_bind_template_callback (widget_class, preferences_show_page);
}

/* Window buttons of the left stand over the list while it is beside the page. */
static void
beckon_preferences_init (BeckonPreferences *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  beckon_pages_add_button (self->pages, self->back_button);
  beckon_pages_capture_keys (self->pages, GTK_WIDGET (self));
  g_object_bind_property (self->leaflet, "folded", beckon_pages_get_header (self->pages), "show-start-title-buttons",
                          G_BINDING_SYNC_CREATE);
  adw_leaflet_set_visible_child (self->leaflet, GTK_WIDGET (self->pages));
  beckon_list_tab_leave (GTK_WIDGET (self->pages_list));
}

GtkWidget *
beckon_preferences_new (BeckonRuntime *runtime, BeckonChannels *channels)
{
  BeckonPreferences *self = g_object_new (BECKON_TYPE_PREFERENCES, NULL);
  BeckonSettings *settings = beckon_runtime_get_settings (runtime);

  add_page (self, beckon_credentials_page_new (runtime));
  add_page (self, beckon_agent_page_new (settings));
  add_page (self, beckon_tools_page_new (runtime));
  add_page (self, beckon_servers_page_new (runtime));
  if (channels != NULL)
    add_page (self, beckon_channels_page_new (runtime, channels));
  add_page (self, beckon_permissions_page_new (runtime));
  add_page (self, beckon_appearance_page_new (settings));
  preferences_show_page (self);
  return GTK_WIDGET (self);
}
