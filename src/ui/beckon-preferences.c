/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-preferences.h"

#include "beckon-agent-page.h"
#include "beckon-appearance-page.h"
#include "beckon-credentials-page.h"
#include "beckon-permissions-page.h"
#include "beckon-tools-page.h"

struct _BeckonPreferences
{
  AdwPreferencesWindow parent_instance;
};

G_DEFINE_FINAL_TYPE (BeckonPreferences, beckon_preferences, ADW_TYPE_PREFERENCES_WINDOW)

static void
beckon_preferences_class_init (BeckonPreferencesClass *klass)
{
  gtk_widget_class_set_template_from_resource (GTK_WIDGET_CLASS (klass), BECKON_RESOURCE_PATH "/ui/preferences.ui");
}

static void
beckon_preferences_init (BeckonPreferences *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
beckon_preferences_new (BeckonRuntime *runtime)
{
  BeckonPreferences *self = g_object_new (BECKON_TYPE_PREFERENCES, NULL);
  AdwPreferencesWindow *window = ADW_PREFERENCES_WINDOW (self);
  BeckonSettings *settings = beckon_runtime_get_settings (runtime);

  adw_preferences_window_add (window, beckon_credentials_page_new (runtime));
  adw_preferences_window_add (window, beckon_agent_page_new (settings));
  adw_preferences_window_add (window, beckon_tools_page_new (runtime));
  adw_preferences_window_add (window, beckon_permissions_page_new (runtime));
  adw_preferences_window_add (window, beckon_appearance_page_new (settings));
  return GTK_WIDGET (self);
}
