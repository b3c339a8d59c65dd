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
#include "ui/widgets/beckon-named-search.h"

struct _BeckonPreferences
{
  AdwPreferencesWindow parent_instance;
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
  shown = GTK_WIDGET (adw_preferences_window_get_visible_page (ADW_PREFERENCES_WINDOW (self)));
  row = shown != NULL ? find_row (shown, title) : NULL;
  if (row != NULL)
    focus_within (row);
  gtk_window_set_focus_visible (GTK_WINDOW (self), TRUE);
}

static void
beckon_preferences_class_init (BeckonPreferencesClass *klass)
{
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_w, GDK_CONTROL_MASK, "window.close", NULL);
  gtk_widget_class_set_template_from_resource (GTK_WIDGET_CLASS (klass), BECKON_RESOURCE_PATH "/ui/preferences.ui");
}

static GtkWidget *
find_toasts (GtkWidget *widget)
{
  GtkWidget *found = ADW_IS_TOAST_OVERLAY (widget) ? widget : NULL;

  for (GtkWidget *at = gtk_widget_get_first_child (widget); at != NULL && found == NULL; at = gtk_widget_get_next_sibling (at))
    found = find_toasts (at);
  return found;
}

/* Escape closes the window also while a toast is shown, which would take the key: one that nobody looks at, or several of them
 * in turn, make the key seem dead. Whatever is open below, such as the search, comes first. */
static void
close_before_toasts (BeckonPreferences *self)
{
  GtkWidget *toasts = find_toasts (GTK_WIDGET (self));
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys),
                                        gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                                                          gtk_named_action_new ("window.close")));
  gtk_widget_add_controller (toasts != NULL ? gtk_widget_get_first_child (toasts) : GTK_WIDGET (self), keys);
}

static void
beckon_preferences_init (BeckonPreferences *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  close_before_toasts (self);
  beckon_named_search_apply (GTK_WIDGET (self));
}

GtkWidget *
beckon_preferences_new (BeckonRuntime *runtime, BeckonChannels *channels)
{
  BeckonPreferences *self = g_object_new (BECKON_TYPE_PREFERENCES, NULL);
  AdwPreferencesWindow *window = ADW_PREFERENCES_WINDOW (self);
  BeckonSettings *settings = beckon_runtime_get_settings (runtime);

  adw_preferences_window_add (window, beckon_credentials_page_new (runtime));
  adw_preferences_window_add (window, beckon_agent_page_new (settings));
  adw_preferences_window_add (window, beckon_tools_page_new (runtime));
  adw_preferences_window_add (window, beckon_servers_page_new (runtime));
  if (channels != NULL)
    adw_preferences_window_add (window, beckon_channels_page_new (runtime, channels));
  adw_preferences_window_add (window, beckon_permissions_page_new (runtime));
  adw_preferences_window_add (window, beckon_appearance_page_new (settings));
  return GTK_WIDGET (self);
}
