/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-settings-labels.h"

#include "ui/widgets/beckon-text-row.h"

/* Turns a word into its place. */
static gboolean
word_to_place (GValue *value, GVariant *variant, gpointer user_data)
{
  const char *const *words = user_data;
  const char *word = g_variant_get_string (variant, NULL);

  for (guint i = 0; words[i] != NULL; i++)
    if (g_str_equal (words[i], word))
      g_value_set_uint (value, i);
  return TRUE;
}

static GVariant *
place_to_word (const GValue *value, const GVariantType *type, gpointer user_data)
{
  const char *const *words = user_data;
  guint place = g_value_get_uint (value);

  return place < g_strv_length ((char **) words) ? g_variant_new_string (words[place]) : NULL;
}

void
beckon_settings_bind_words (GSettings *settings, const char *key, AdwComboRow *row, const char *const *words)
{
  g_settings_bind_with_mapping (settings, key, row, "selected", G_SETTINGS_BIND_DEFAULT, word_to_place, place_to_word,
                                (gpointer) words, NULL);
}

void
beckon_settings_bind_named (GSettings *settings, GtkWidget *widget)
{
  const char *key = gtk_widget_get_name (widget);
  const char *property = GTK_IS_SWITCH (widget)        ? "active"
                         : GTK_IS_SPIN_BUTTON (widget) ? "value"
                         : BECKON_IS_TEXT_ROW (widget) ? "text"
                                                       : NULL;
  g_autoptr (GSettingsSchema) schema = NULL;

  g_object_get (settings, "settings-schema", &schema, NULL);
  if (property != NULL && g_settings_schema_has_key (schema, key))
    g_settings_bind (settings, key, widget, property, G_SETTINGS_BIND_DEFAULT);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    beckon_settings_bind_named (settings, child);
}
