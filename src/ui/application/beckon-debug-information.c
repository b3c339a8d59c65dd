/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-debug-information.h"

#include <adwaita.h>

static void
information_add (GString *text, const char *name, const char *value)
{
  g_string_append_printf (text, "- %s: %s\n", name, value != NULL && *value != '\0' ? value : "none");
}

static void
add_number (GString *text, const char *name, guint number)
{
  g_string_append_printf (text, "- %s: %u\n", name, number);
}

char *
beckon_debug_information_make (BeckonRuntime *runtime)
{
  GString *text = g_string_new (NULL);
  g_autofree char *system = NULL;
  GdkDisplay *display;

  g_string_append (text, "Versions\n");
  information_add (text, "Beckon", BECKON_VERSION);
  information_add (text, "Application", BECKON_APPLICATION_ID);
  g_string_append_printf (text, "- GTK: %u.%u.%u (built with %d.%d.%d)\n", gtk_get_major_version (),
                          gtk_get_minor_version (), gtk_get_micro_version (), GTK_MAJOR_VERSION, GTK_MINOR_VERSION,
                          GTK_MICRO_VERSION);
  g_string_append_printf (text, "- libadwaita: %u.%u.%u\n", adw_get_major_version (), adw_get_minor_version (),
                          adw_get_micro_version ());
  g_string_append_printf (text, "- GLib: %u.%u.%u\n\n", glib_major_version, glib_minor_version, glib_micro_version);
  system = g_get_os_info (G_OS_INFO_KEY_PRETTY_NAME);
  display = gdk_display_get_default ();

  g_string_append (text, "Surroundings\n");
  information_add (text, "System", system);
  information_add (text, "Desktop", g_getenv ("XDG_CURRENT_DESKTOP"));
  information_add (text, "Display", display != NULL ? G_OBJECT_TYPE_NAME (display) : NULL);
  information_add (text, "Language", pango_language_to_string (gtk_get_default_language ()));
  information_add (text, "Text direction",
                   gtk_widget_get_default_direction () == GTK_TEXT_DIR_RTL ? "right to left" : "left to right");
  information_add (text, "High contrast",
                   adw_style_manager_get_high_contrast (adw_style_manager_get_default ()) ? "yes" : "no");
  information_add (text, "Flatpak", g_file_test ("/.flatpak-info", G_FILE_TEST_EXISTS) ? "yes" : "no");
  g_string_append (text, "\n");

  g_string_append (text, "State\n");
  if (runtime == NULL)
    {
      information_add (text, "History", "not open");
      return g_string_free (text, FALSE);
    }
  add_number (text, "Conversations", g_list_model_get_n_items (G_LIST_MODEL (beckon_runtime_get_library (runtime))));
  add_number (text, "Profiles", g_list_model_get_n_items (G_LIST_MODEL (beckon_runtime_get_profiles (runtime))));
  add_number (text, "Waiting requests", g_list_model_get_n_items (G_LIST_MODEL (beckon_runtime_get_inbox (runtime))));
  add_number (text, "Runs", beckon_agent_count_runs (beckon_runtime_get_agent (runtime)));
  information_add (text, "Asks", beckon_settings_get_enable_ask_user (beckon_runtime_get_settings (runtime)) ? "yes" : "no");
  return g_string_free (text, FALSE);
}
