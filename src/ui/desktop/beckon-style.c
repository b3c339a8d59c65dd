/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-style.h"

#include <adwaita.h>

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
