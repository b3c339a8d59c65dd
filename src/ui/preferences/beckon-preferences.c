/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-preferences.h"

#include "beckon-agent-page.h"
#include "beckon-appearance-page.h"
#include "beckon-channels-page.h"
#include "beckon-credentials-page.h"
#include "beckon-permissions-page.h"
#include "beckon-servers-page.h"
#include "beckon-tools-page.h"
#include "ui/widgets/beckon-list-tab.h"
#include "ui/widgets/beckon-named-search.h"

#define PAGE "beckon-page"

struct _BeckonPreferences
{
  AdwPreferencesWindow parent_instance;

  AdwLeaflet *leaflet; /* the list of pages, and what the library makes of the window */
  GtkListBox *pages_list;
  GtkWidget *back_button;
  GtkWidget *pages; /* the library's content; borrowed */
};

G_DEFINE_FINAL_TYPE (BeckonPreferences, beckon_preferences, ADW_TYPE_PREFERENCES_WINDOW)

static GtkWidget *
find_row (GtkWidget *widget, const char *title)
{
  GtkWidget *found = NULL;

  if (ADW_IS_PREFERENCES_ROW (widget) && gtk_widget_get_visible (widget) &&
      g_strcmp0 (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (widget)), title) == 0)
    return widget;
  for (GtkWidget *at = gtk_widget_get_first_child (widget); at != NULL && found == NULL;
       at = gtk_widget_get_next_sibling (at))
    found = find_row (at, title);
  return found;
}

/* A row's control takes the focus before the row. */
static gboolean
focus_within (GtkWidget *widget)
{
  if (!gtk_widget_get_visible (widget) || !gtk_widget_get_child_visible (widget) || !gtk_widget_is_sensitive (widget))
    return FALSE;
  for (GtkWidget *at = gtk_widget_get_first_child (widget); at != NULL; at = gtk_widget_get_next_sibling (at))
    if (focus_within (at))
      return TRUE;
  return gtk_widget_get_focusable (widget) && gtk_widget_grab_focus (widget);
}

void
beckon_preferences_show_row (BeckonPreferences *self, const char *page, const char *title)
{
  GtkWidget *shown, *row;

  g_return_if_fail (BECKON_IS_PREFERENCES (self));

  adw_preferences_window_set_visible_page_name (ADW_PREFERENCES_WINDOW (self), page);
  adw_leaflet_set_visible_child (self->leaflet, self->pages);
  shown = GTK_WIDGET (adw_preferences_window_get_visible_page (ADW_PREFERENCES_WINDOW (self)));
  row = shown != NULL ? find_row (shown, title) : NULL;
  if (row != NULL)
    focus_within (row);
  gtk_window_set_focus_visible (GTK_WINDOW (self), TRUE);
}

static void
beckon_preferences_class_init (BeckonPreferencesClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_w, GDK_CONTROL_MASK, "window.close", NULL);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/preferences.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonPreferences, leaflet);
  gtk_widget_class_bind_template_child (widget_class, BeckonPreferences, pages_list);
  gtk_widget_class_bind_template_child (widget_class, BeckonPreferences, back_button);
}

static GtkWidget *
find_type (GtkWidget *widget, GType type)
{
  GtkWidget *found = G_TYPE_CHECK_INSTANCE_TYPE (widget, type) ? widget : NULL;

  for (GtkWidget *at = gtk_widget_get_first_child (widget); at != NULL && found == NULL; at = gtk_widget_get_next_sibling (at))
    found = find_type (at, type);
  return found;
}

/* Escape closes the window also while a toast is shown, which would take the key: one that nobody looks at, or several of them
 * in turn, make the key seem dead. Whatever is open below, such as the search, comes first. */
static void
close_before_toasts (BeckonPreferences *self)
{
  GtkWidget *toasts = find_type (self->pages, ADW_TYPE_TOAST_OVERLAY);
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys),
                                        gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                                                          gtk_named_action_new ("window.close")));
  gtk_widget_add_controller (toasts != NULL ? gtk_widget_get_first_child (toasts) : GTK_WIDGET (self), keys);
}

/* The list */

static void
on_page_selected (BeckonPreferences *self, GtkListBoxRow *row)
{
  if (row != NULL)
    adw_preferences_window_set_visible_page (ADW_PREFERENCES_WINDOW (self), g_object_get_data (G_OBJECT (row), PAGE));
}

static void
on_page_activated (BeckonPreferences *self)
{
  adw_leaflet_set_visible_child (self->leaflet, self->pages);
}

static void
on_back_clicked (BeckonPreferences *self)
{
  adw_leaflet_navigate (self->leaflet, ADW_NAVIGATION_DIRECTION_BACK);
  gtk_widget_child_focus (GTK_WIDGET (self->pages_list), GTK_DIR_TAB_FORWARD);
}

/* The header of the library's window has the page's title in place of the tabs; what holds it depends on the version. */
static void
title_page (BeckonPreferences *self, const char *title)
{
  GtkWidget *header = find_type (self->pages, ADW_TYPE_HEADER_BAR);
  GtkWidget *switcher = find_type (header, ADW_TYPE_VIEW_SWITCHER_TITLE);
  GtkWidget *words = find_type (header, ADW_TYPE_WINDOW_TITLE);

  if (switcher != NULL)
    adw_view_switcher_title_set_title (ADW_VIEW_SWITCHER_TITLE (switcher), title);
  else if (words != NULL)
    adw_window_title_set_title (ADW_WINDOW_TITLE (words), title);
}

static void
show_page (BeckonPreferences *self)
{
  AdwPreferencesPage *page = adw_preferences_window_get_visible_page (ADW_PREFERENCES_WINDOW (self));
  GtkListBoxRow *row;

  if (page == NULL)
    return;
  title_page (self, adw_preferences_page_get_title (page));
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
  adw_preferences_window_add (ADW_PREFERENCES_WINDOW (self), page);
}

/* The library has a row of tabs, which has no room for seven: they are cut at 360 pixels, and below the pages at 900. */
static void
hide_tabs (BeckonPreferences *self)
{
  GtkWidget *header = find_type (self->pages, ADW_TYPE_HEADER_BAR);
  GtkWidget *title = find_type (header, ADW_TYPE_VIEW_SWITCHER_TITLE);
  GtkWidget *tabs = find_type (header, ADW_TYPE_VIEW_SWITCHER);
  GtkWidget *bar = find_type (self->pages, ADW_TYPE_VIEW_SWITCHER_BAR);

  if (title != NULL)
    adw_view_switcher_title_set_view_switcher_enabled (ADW_VIEW_SWITCHER_TITLE (title), FALSE);
  else if (tabs != NULL)
    gtk_widget_set_visible (tabs, FALSE);
  if (bar != NULL)
    gtk_widget_set_visible (bar, FALSE);
}

/* Window buttons of the left stand over the list while it is beside the page. */
static void
put_beside_list (BeckonPreferences *self)
{
  GtkWidget *header, *start;

  self->pages = adw_window_get_content (ADW_WINDOW (self));
  header = find_type (self->pages, ADW_TYPE_HEADER_BAR);
  g_object_bind_property (self->leaflet, "folded", header, "show-start-title-buttons", G_BINDING_SYNC_CREATE);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), self->back_button);
  /* Newer versions have the search there. */
  start = gtk_widget_get_parent (self->back_button);
  gtk_widget_insert_before (self->back_button, start, gtk_widget_get_first_child (start));
  hide_tabs (self);

  g_object_ref (self->pages);
  adw_window_set_content (ADW_WINDOW (self), NULL);
  adw_leaflet_append (self->leaflet, self->pages);
  g_object_unref (self->pages);
  gtk_widget_set_hexpand (self->pages, TRUE);
  adw_leaflet_set_visible_child (self->leaflet, self->pages);
  adw_window_set_content (ADW_WINDOW (self), GTK_WIDGET (self->leaflet));
}

static void
beckon_preferences_init (BeckonPreferences *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  put_beside_list (self);
  beckon_list_tab_leave (GTK_WIDGET (self->pages_list));
  g_signal_connect_object (self->pages_list, "row-selected", G_CALLBACK (on_page_selected), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->pages_list, "row-activated", G_CALLBACK (on_page_activated), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->back_button, "clicked", G_CALLBACK (on_back_clicked), self, G_CONNECT_SWAPPED);
  g_signal_connect (self, "notify::visible-page-name", G_CALLBACK (show_page), NULL);
  close_before_toasts (self);
  beckon_named_search_apply (GTK_WIDGET (self));
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
  show_page (self);
  return GTK_WIDGET (self);
}
