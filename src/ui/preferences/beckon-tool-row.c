/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-tool-row.h"

#include "tools/beckon-ask-user.h"

#define KEY "disabled-tools"
#define KEY_ASK_USER "enable-ask-user"

struct _BeckonToolRow
{
  AdwActionRow parent_instance;

  char *tool;               /* (owned) */
  BeckonSettings *settings; /* (owned) (nullable) */
  GtkSwitch *control;
};

G_DEFINE_FINAL_TYPE (BeckonToolRow, beckon_tool_row, ADW_TYPE_ACTION_ROW)

enum
{
  PROP_TOOL = 1,
  N_PROPERTIES,
};

static GParamSpec *properties[N_PROPERTIES];

/* The others stay as they are, those too that this version does not have. */
static void
on_tool_row_switched (BeckonToolRow *self)
{
  GSettings *gsettings = beckon_settings_get_gsettings (self->settings);
  g_auto (GStrv) names = beckon_settings_dup_disabled_tools (self->settings);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) result = NULL;
  gboolean is_active = gtk_switch_get_active (self->control);

  if (gsettings == NULL || is_active != g_strv_contains ((const char *const *) names, self->tool))
    return;

  for (guint i = 0; names[i] != NULL; i++)
    if (!g_str_equal (names[i], self->tool))
      g_strv_builder_add (builder, names[i]);
  if (!is_active)
    g_strv_builder_add (builder, self->tool);
  result = g_strv_builder_end (builder);
  g_settings_set_strv (gsettings, KEY, (const char *const *) result);
}

static void
tool_row_follow (BeckonToolRow *self)
{
  g_auto (GStrv) names = beckon_settings_dup_disabled_tools (self->settings);

  gtk_switch_set_active (self->control, !g_strv_contains ((const char *const *) names, self->tool));
}

void
beckon_tool_row_follow (BeckonToolRow *self, BeckonSettings *settings)
{
  GSettings *gsettings = beckon_settings_get_gsettings (settings);

  self->settings = g_object_ref (settings);
  /* Without an installed schema the defaults hold. */
  gtk_widget_set_sensitive (GTK_WIDGET (self), gsettings != NULL);
  if (g_str_equal (self->tool, BECKON_ASK_USER_NAME))
    {
      gtk_widget_add_css_class (GTK_WIDGET (self->control), "ask-switch");
      gtk_switch_set_active (self->control, beckon_settings_get_enable_ask_user (settings));
      if (gsettings != NULL)
        g_settings_bind (gsettings, KEY_ASK_USER, self->control, "active", G_SETTINGS_BIND_DEFAULT);
      return;
    }
  g_signal_connect_object (settings, "changed::" KEY, G_CALLBACK (tool_row_follow), self, G_CONNECT_SWAPPED);
  tool_row_follow (self);
  g_signal_connect_object (self->control, "notify::active", G_CALLBACK (on_tool_row_switched), self, G_CONNECT_SWAPPED);
}

static void
beckon_tool_row_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  if (property_id == PROP_TOOL)
    g_value_set_string (value, BECKON_TOOL_ROW (object)->tool);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
}

static void
beckon_tool_row_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  if (property_id == PROP_TOOL)
    BECKON_TOOL_ROW (object)->tool = g_value_dup_string (value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
}

static void
beckon_tool_row_finalize (GObject *object)
{
  BeckonToolRow *self = BECKON_TOOL_ROW (object);

  g_free (self->tool);
  g_clear_object (&self->settings);
  G_OBJECT_CLASS (beckon_tool_row_parent_class)->finalize (object);
}

static void
beckon_tool_row_class_init (BeckonToolRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = beckon_tool_row_get_property;
  object_class->set_property = beckon_tool_row_set_property;
  object_class->finalize = beckon_tool_row_finalize;
  properties[PROP_TOOL] = g_param_spec_string ("tool", NULL, NULL, NULL,
                                               G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
}

static void
beckon_tool_row_init (BeckonToolRow *self)
{
  self->control = GTK_SWITCH (gtk_switch_new ());
  gtk_widget_set_valign (GTK_WIDGET (self->control), GTK_ALIGN_CENTER);
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (self), FALSE);
  adw_action_row_set_title_lines (ADW_ACTION_ROW (self), 0);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (self), 0);
  adw_action_row_add_suffix (ADW_ACTION_ROW (self), GTK_WIDGET (self->control));
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (self), GTK_WIDGET (self->control));
}
