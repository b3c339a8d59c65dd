/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-style.h"

#include "settings/beckon-settings.h"

#include <adwaita.h>

static void
follow_scheme (GSettings *settings)
{
  static const AdwColorScheme schemes[] = { ADW_COLOR_SCHEME_DEFAULT, ADW_COLOR_SCHEME_FORCE_LIGHT,
                                            ADW_COLOR_SCHEME_FORCE_DARK };
  guint scheme = (guint) g_settings_get_enum (settings, "color-scheme");

  adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                      schemes[MIN (scheme, G_N_ELEMENTS (schemes) - 1)]);
}

/* Relative to what the system says, so that its own setting for large text still counts. */
static void
follow_size (GSettings *settings, const char *key, GtkCssProvider *provider)
{
  guint size = g_settings_get_uint (settings, "text-size");
  g_autofree char *css = size != 100 ? g_strdup_printf (".transcript { font-size: %u%%; }", size) : g_strdup ("");

  gtk_css_provider_load_from_data (provider, css, -1);
}

static gboolean
appearance_has_key (GSettings *settings, const char *key)
{
  g_autoptr (GSettingsSchema) schema = NULL;

  g_object_get (settings, "settings-schema", &schema, NULL);
  return g_settings_schema_has_key (schema, key);
}

void
beckon_appearance_follow (BeckonSettings *settings)
{
  GSettings *gsettings = beckon_settings_get_gsettings (settings);
  g_autoptr (GtkCssProvider) provider = NULL;

  if (gsettings == NULL || !appearance_has_key (gsettings, "color-scheme") || !appearance_has_key (gsettings, "text-size"))
    return;
  provider = gtk_css_provider_new ();
  gtk_style_context_add_provider_for_display (gdk_display_get_default (), GTK_STYLE_PROVIDER (provider),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION + 1);
  g_signal_connect (gsettings, "changed::color-scheme", G_CALLBACK (follow_scheme), NULL);
  g_signal_connect_data (gsettings, "changed::text-size", G_CALLBACK (follow_size), g_object_ref (provider),
                         (GClosureNotify) (void (*) (void)) g_object_unref, 0);
  follow_scheme (gsettings);
  follow_size (gsettings, NULL, provider);
}

#define PRIORITY (GTK_STYLE_PROVIDER_PRIORITY_APPLICATION + 1)

static GtkStyleProvider *
make_provider (const char *name)
{
  g_autofree char *path = g_strconcat (BECKON_RESOURCE_PATH "/", name, NULL);
  GtkCssProvider *provider = gtk_css_provider_new ();

  gtk_css_provider_load_from_resource (provider, path);
  return GTK_STYLE_PROVIDER (provider);
}

static void
style_add (const char *name)
{
  g_autoptr (GtkStyleProvider) provider = make_provider (name);

  gtk_style_context_add_provider_for_display (gdk_display_get_default (), provider, PRIORITY);
}

static void
follow_contrast (AdwStyleManager *manager, GParamSpec *property, GtkStyleProvider *provider)
{
  GdkDisplay *display = gdk_display_get_default ();

  gtk_style_context_remove_provider_for_display (display, provider);
  if (adw_style_manager_get_high_contrast (manager))
    gtk_style_context_add_provider_for_display (display, provider, PRIORITY);
}

static gboolean
has_libadwaita (guint minor)
{
  return adw_get_major_version () > 1 || adw_get_minor_version () >= minor;
}

/* libadwaita would load a file called style-hc.css, and warns of it from 1.10 on. */
void
beckon_style_load (void)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();
  GtkStyleProvider *provider = make_provider ("high-contrast.css");

  if (has_libadwaita (4))
    style_add ("style-sidebar.css");
  if (has_libadwaita (6))
    style_add ("style-accent.css");
  g_signal_connect_data (manager, "notify::high-contrast", G_CALLBACK (follow_contrast), provider,
                         (GClosureNotify) (void (*) (void)) g_object_unref, 0);
  follow_contrast (manager, NULL, provider);
}
