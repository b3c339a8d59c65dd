/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-preferences.h"

#include "beckon-profile-editor.h"

#include <glib/gi18n-lib.h>

struct _BeckonPreferences
{
  AdwPreferencesWindow parent_instance;

  BeckonRuntime *runtime; /* (owned) */
  GtkCheckButton *nobody; /* (owned): leads the rows' buttons; on while what is chosen is not there */

  GtkListBox *profiles_list;
  GtkSwitch *ask_switch;
  GtkSwitch *name_switch;
  AdwComboRow *dismiss_row;
  AdwComboRow *flow_row;
  GtkSpinButton *timeout_spin;
  GtkSwitch *details_switch;
  GtkSpinButton *notify_spin;
  GtkSwitch *dbus_questions_switch;
  GtkSwitch *dbus_approvals_switch;
  GtkWidget *send_row;
  GtkSwitch *send_switch;
  GtkTextView *instructions_view;
};

G_DEFINE_FINAL_TYPE (BeckonPreferences, beckon_preferences, ADW_TYPE_PREFERENCES_WINDOW)

static void
present_editor (BeckonPreferences *self, BeckonProfile *profile)
{
  GtkWidget *editor = beckon_profile_editor_new (self->runtime, profile, NULL);

  gtk_window_set_transient_for (GTK_WINDOW (editor), GTK_WINDOW (self));
  gtk_window_present (GTK_WINDOW (editor));
}

static void
on_add_clicked (BeckonPreferences *self)
{
  present_editor (self, NULL);
}

static BeckonProfile *
get_profile (gpointer widget)
{
  return g_object_get_data (G_OBJECT (widget), "profile");
}

static void
on_edit_clicked (BeckonPreferences *self, GtkButton *button)
{
  present_editor (self, get_profile (button));
}

static void
on_default_toggled (BeckonPreferences *self, GtkCheckButton *button)
{
  if (gtk_check_button_get_active (button))
    beckon_settings_set_default_profile (beckon_runtime_get_settings (self->runtime),
                                         beckon_profile_get_id (get_profile (button)));
}

static GtkWidget *
make_check (BeckonPreferences *self, BeckonProfile *profile, const char *name)
{
  GtkWidget *check = gtk_check_button_new ();

  g_object_set_data_full (G_OBJECT (check), "profile", g_object_ref (profile), g_object_unref);
  gtk_widget_set_valign (check, GTK_ALIGN_CENTER);
  gtk_check_button_set_group (GTK_CHECK_BUTTON (check), self->nobody);
  gtk_accessible_update_property (GTK_ACCESSIBLE (check), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_signal_connect_object (check, "toggled", G_CALLBACK (on_default_toggled), self, G_CONNECT_SWAPPED);
  return check;
}

static GtkWidget *
make_edit_button (BeckonPreferences *self, BeckonProfile *profile, const char *name)
{
  GtkWidget *button = gtk_button_new_from_icon_name ("document-edit-symbolic");
  /* Translators: the button that edits a profile, which is named */
  g_autofree char *spoken = g_strdup_printf (_("Edit %s"), name);

  g_object_set_data_full (G_OBJECT (button), "profile", g_object_ref (profile), g_object_unref);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, spoken);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
  g_signal_connect_object (button, "clicked", G_CALLBACK (on_edit_clicked), self, G_CONNECT_SWAPPED);
  return button;
}

static GtkWidget *
make_row (BeckonPreferences *self, BeckonProfile *profile)
{
  gboolean tour = beckon_profile_get_kind (profile) == BECKON_PROFILE_TOUR;
  const char *name = tour ? _("Offline tour") : beckon_profile_get_name (profile);
  const char *subtitle = tour ? _("Built in; needs no key and no network") : beckon_profile_get_model (profile);
  GtkWidget *row = g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title", name, "subtitle", subtitle, NULL);
  GtkWidget *check = make_check (self, profile, name);

  adw_action_row_add_prefix (ADW_ACTION_ROW (row), check);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), check);
  if (!tour)
    adw_action_row_add_suffix (ADW_ACTION_ROW (row), make_edit_button (self, profile, name));
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  return row;
}

static void
show_chosen (BeckonPreferences *self)
{
  g_autofree char *chosen = beckon_settings_dup_default_profile (beckon_runtime_get_settings (self->runtime));
  GtkCheckButton *active = self->nobody;
  GtkListBoxRow *row;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (self->profiles_list, i)) != NULL; i++)
    {
      GtkWidget *check = adw_action_row_get_activatable_widget (ADW_ACTION_ROW (row));

      if (g_strcmp0 (beckon_profile_get_id (get_profile (check)), chosen) == 0)
        active = GTK_CHECK_BUTTON (check);
    }
  gtk_check_button_set_active (active, TRUE);
}

static void
on_profiles_changed (BeckonPreferences *self)
{
  GListModel *profiles = G_LIST_MODEL (beckon_runtime_get_profiles (self->runtime));
  guint n = g_list_model_get_n_items (profiles);
  GtkListBoxRow *row;

  while ((row = gtk_list_box_get_row_at_index (self->profiles_list, 0)) != NULL)
    gtk_list_box_remove (self->profiles_list, GTK_WIDGET (row));
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (BeckonProfile) profile = g_list_model_get_item (profiles, i);

      gtk_list_box_append (self->profiles_list, make_row (self, profile));
    }
  show_chosen (self);
}

static gboolean
enum_to_position (GValue *value, GVariant *variant, gpointer user_data)
{
  g_value_set_uint (value, g_strcmp0 (g_variant_get_string (variant, NULL), "continues") == 0 ? 1 : 0);
  return TRUE;
}

static GVariant *
position_to_enum (const GValue *value, const GVariantType *type, gpointer user_data)
{
  return g_variant_new_string (g_value_get_uint (value) == 1 ? "continues" : "stops");
}

static gboolean
flow_to_position (GValue *value, GVariant *variant, gpointer user_data)
{
  g_value_set_uint (value, g_strcmp0 (g_variant_get_string (variant, NULL), "end-turn") == 0 ? 1 : 0);
  return TRUE;
}

static GVariant *
position_to_flow (const GValue *value, const GVariantType *type, gpointer user_data)
{
  return g_variant_new_string (g_value_get_uint (value) == 1 ? "end-turn" : "suspend");
}

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

static void
bind_settings (BeckonPreferences *self, GSettings *settings)
{
  GtkTextBuffer *instructions = gtk_text_view_get_buffer (self->instructions_view);

  g_settings_bind (settings, "enable-ask-user", self->ask_switch, "active", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (settings, "name-conversations", self->name_switch, "active", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (settings, "instructions", instructions, "text", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind_with_mapping (settings, "dismiss", self->dismiss_row, "selected", G_SETTINGS_BIND_DEFAULT,
                                enum_to_position, position_to_enum, NULL, NULL);
  g_settings_bind_with_mapping (settings, "ask-user-flow", self->flow_row, "selected", G_SETTINGS_BIND_DEFAULT,
                                flow_to_position, position_to_flow, NULL, NULL);
  g_settings_bind (settings, "request-timeout", self->timeout_spin, "value", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (settings, "notify-after", self->notify_spin, "value", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (settings, "dbus-answer-questions", self->dbus_questions_switch, "active", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (settings, "dbus-answer-approvals", self->dbus_approvals_switch, "active", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (settings, "notification-details", self->details_switch, "active", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind_with_mapping (settings, "send-with", self->send_switch, "active", G_SETTINGS_BIND_DEFAULT,
                                send_with_to_active, active_to_send_with, NULL, NULL);
}

static void
beckon_preferences_dispose (GObject *object)
{
  BeckonPreferences *self = BECKON_PREFERENCES (object);

  if (self->runtime != NULL)
    g_signal_handlers_disconnect_by_data (beckon_runtime_get_profiles (self->runtime), self);
  g_clear_object (&self->runtime);
  g_clear_object (&self->nobody);
  G_OBJECT_CLASS (beckon_preferences_parent_class)->dispose (object);
}

static void
beckon_preferences_class_init (BeckonPreferencesClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_preferences_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/preferences.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonPreferences, profiles_list);
  gtk_widget_class_bind_template_child (widget_class, BeckonPreferences, ask_switch);
  gtk_widget_class_bind_template_child (widget_class, BeckonPreferences, name_switch);
  gtk_widget_class_bind_template_child (widget_class, BeckonPreferences, dismiss_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonPreferences, flow_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonPreferences, timeout_spin);
  gtk_widget_class_bind_template_child (widget_class, BeckonPreferences, details_switch);
  gtk_widget_class_bind_template_child (widget_class, BeckonPreferences, notify_spin);
  gtk_widget_class_bind_template_child (widget_class, BeckonPreferences, dbus_questions_switch);
  gtk_widget_class_bind_template_child (widget_class, BeckonPreferences, dbus_approvals_switch);
  gtk_widget_class_bind_template_child (widget_class, BeckonPreferences, send_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonPreferences, send_switch);
  gtk_widget_class_bind_template_child (widget_class, BeckonPreferences, instructions_view);
  gtk_widget_class_bind_template_callback (widget_class, on_add_clicked);
}

static void
beckon_preferences_init (BeckonPreferences *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->nobody = GTK_CHECK_BUTTON (g_object_ref_sink (gtk_check_button_new ()));
}

GtkWidget *
beckon_preferences_new (BeckonRuntime *runtime)
{
  BeckonPreferences *self = g_object_new (BECKON_TYPE_PREFERENCES, NULL);
  GSettings *settings = beckon_settings_get_gsettings (beckon_runtime_get_settings (runtime));

  self->runtime = g_object_ref (runtime);
  if (settings != NULL)
    bind_settings (self, settings);
  g_signal_connect_object (beckon_runtime_get_settings (runtime), "changed", G_CALLBACK (show_chosen), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_swapped (beckon_runtime_get_profiles (runtime), "items-changed", G_CALLBACK (on_profiles_changed), self);
  on_profiles_changed (self);
  return GTK_WIDGET (self);
}
