/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-appearance-page.h"

#include "beckon-settings-labels.h"
#include "ui/desktop/beckon-global-shortcuts.h"

struct _BeckonAppearancePage
{
  AdwPreferencesPage parent_instance;

  BeckonSettings *settings;         /* (owned) */
  BeckonGlobalShortcuts *shortcuts; /* (owned) (nullable): tells whether the desktop can have a key for everywhere */

  AdwComboRow *scheme_row;
  GtkSwitch *usage_switch;
  GtkSwitch *send_switch;
  GtkWidget *key_row;
};

G_DEFINE_FINAL_TYPE (BeckonAppearancePage, beckon_appearance_page, ADW_TYPE_PREFERENCES_PAGE)

static gboolean
send_with_to_active (GValue *value, GVariant *variant, gpointer user_data)
{
  g_value_set_boolean (value, g_strcmp0 (g_variant_get_string (variant, NULL), "ctrl-enter") == 0);
  return TRUE;
}

static GVariant *
active_to_send_with (const GValue *value, const GVariantType *type, gpointer user_data)
{
  return g_variant_new_string (g_value_get_boolean (value) ? "ctrl-enter" : "enter");
}

static gboolean
appearance_page_has_key (GSettings *settings, const char *key)
{
  g_autoptr (GSettingsSchema) schema = NULL;

  g_object_get (settings, "settings-schema", &schema, NULL);
  return g_settings_schema_has_key (schema, key);
}

static void
on_shortcuts_changed (BeckonAppearancePage *self)
{
  gtk_widget_set_visible (self->key_row, beckon_global_shortcuts_is_available (self->shortcuts));
}

static void
beckon_appearance_page_dispose (GObject *object)
{
  BeckonAppearancePage *self = BECKON_APPEARANCE_PAGE (object);

  g_clear_object (&self->shortcuts);
  g_clear_object (&self->settings);
  G_OBJECT_CLASS (beckon_appearance_page_parent_class)->dispose (object);
}

static void
beckon_appearance_page_class_init (BeckonAppearancePageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_appearance_page_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/appearance-page.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonAppearancePage, scheme_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonAppearancePage, usage_switch);
  gtk_widget_class_bind_template_child (widget_class, BeckonAppearancePage, send_switch);
  gtk_widget_class_bind_template_child (widget_class, BeckonAppearancePage, key_row);
}

static void
beckon_appearance_page_init (BeckonAppearancePage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

AdwPreferencesPage *
beckon_appearance_page_new (BeckonSettings *settings)
{
  static const char *const schemes[] = { "default", "light", "dark", NULL };
  BeckonAppearancePage *self = g_object_new (BECKON_TYPE_APPEARANCE_PAGE, NULL);
  GSettings *gsettings = beckon_settings_get_gsettings (settings);

  self->settings = g_object_ref (settings);
  if (gsettings == NULL)
    return ADW_PREFERENCES_PAGE (self);
  beckon_settings_bind_words (gsettings, "color-scheme", self->scheme_row, schemes);
  beckon_settings_bind_named (gsettings, GTK_WIDGET (self));
  /* A schema that is older than this program has no such key. */
  gtk_widget_set_sensitive (GTK_WIDGET (self->usage_switch), appearance_page_has_key (gsettings, "show-usage"));
  if (appearance_page_has_key (gsettings, "quick-question-key"))
    {
      self->shortcuts = beckon_global_shortcuts_new (NULL);
      g_signal_connect_object (self->shortcuts, "changed", G_CALLBACK (on_shortcuts_changed), self, G_CONNECT_SWAPPED);
    }

  g_settings_bind_with_mapping (gsettings, "send-with", self->send_switch, "active", G_SETTINGS_BIND_DEFAULT,
                                send_with_to_active, active_to_send_with, NULL, NULL);
  return ADW_PREFERENCES_PAGE (self);
}
