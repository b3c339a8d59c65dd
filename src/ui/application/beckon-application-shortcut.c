/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-application-private.h"

#include <glib/gi18n-lib.h>

/* The key of the whole desktop that opens the small window, while the program runs and as far as the person wants it. */

#define KEY "quick-question-key"

static void
shortcut_on_activated (BeckonApplication *self, const char *token)
{
  self->startup_id = g_strdup (token);
  beckon_application_ask (self, "");
  g_clear_pointer (&self->startup_id, g_free);
}

static GSettings *
get_settings (BeckonApplication *self)
{
  return self->runtime != NULL ? beckon_settings_get_gsettings (beckon_runtime_get_settings (self->runtime)) : NULL;
}

/* A refusal holds at later starts. */
static void
on_refused (BeckonApplication *self)
{
  GSettings *settings = get_settings (self);

  if (settings != NULL)
    g_settings_set_boolean (settings, KEY, FALSE);
}

static void
shortcut_follow (GSettings *settings, const char *key, BeckonGlobalShortcuts *shortcuts)
{
  beckon_global_shortcuts_set_wanted (shortcuts, g_settings_get_boolean (settings, KEY));
}

void
beckon_application_start_shortcut (BeckonApplication *self)
{
  GSettings *settings = get_settings (self);
  g_autoptr (GSettingsSchema) schema = NULL;

  if (settings == NULL || self->shortcuts != NULL)
    return;
  g_object_get (settings, "settings-schema", &schema, NULL);
  if (!g_settings_schema_has_key (schema, KEY))
    return;
  /* Translators: what a key of the desktop does, as its settings show it */
  self->shortcuts = beckon_global_shortcuts_new (_("Ask a quick question"));
  g_signal_connect_object (self->shortcuts, "activated", G_CALLBACK (shortcut_on_activated), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->shortcuts, "refused", G_CALLBACK (on_refused), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (settings, "changed::" KEY, G_CALLBACK (shortcut_follow), self->shortcuts, 0);
  shortcut_follow (settings, KEY, self->shortcuts);
}
