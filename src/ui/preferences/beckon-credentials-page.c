/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-credentials-page.h"

#include "base/beckon-origin.h"
#include "base/beckon-text-printf.h"
#include "beckon-model-chooser.h"
#include "beckon-profile-editor.h"
#include "runtime/beckon-environment-import.h"
#include "runtime/beckon-local-models.h"
#include "runtime/beckon-runtime.h"
#include "ui/widgets/beckon-controls.h"
#include "ui/widgets/beckon-alert.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

typedef struct
{
  BeckonRuntime *runtime; /* (owned) */
  BeckonProfile *profile; /* (owned): as it was */
  gboolean was_chosen;
  gboolean is_back;
} Removal;

/* With the notice the way back is gone, however it went: it was closed, its time was over, or the window is. */
static void
removal_end (gpointer data)
{
  Removal *removal = data;

  if (!removal->is_back)
    beckon_secrets_store_async (beckon_runtime_get_secrets (removal->runtime), beckon_profile_get_id (removal->profile), NULL,
                                NULL, NULL, NULL, NULL, NULL);
  g_object_unref (removal->runtime);
  g_object_unref (removal->profile);
  g_free (removal);
}

static void
credentials_page_on_undo (AdwToast *toast, gpointer user_data)
{
  Removal *removal = user_data;

  removal->is_back = TRUE;
  beckon_profiles_save_async (beckon_runtime_get_profiles (removal->runtime), removal->profile, NULL, NULL, NULL);
  if (removal->was_chosen)
    beckon_settings_set_default_profile (beckon_runtime_get_settings (removal->runtime),
                                         beckon_profile_get_id (removal->profile));
}

static void
credentials_page_on_removed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GtkWidget) place = user_data;
  g_autoptr (GError) error = NULL;

  if (!beckon_profiles_remove_finish (BECKON_PROFILES (source), result, &error))
    beckon_toast_show (place, beckon_toast_new (error->message));
}

/* How many profiles are shown before the person asks for all. */
#define PROFILES_SHOWN 5

struct _BeckonCredentialsPage
{
  AdwPreferencesPage parent_instance;

  BeckonRuntime *runtime;    /* (owned) */
  GtkCheckButton *nobody;    /* (owned): leads the rows' buttons; on while what is chosen is not there */
  GPtrArray *rows;           /* (owned) (element-type GtkWidget): of the profiles; borrowed from the group */
  GPtrArray *found_rows;     /* (owned) (element-type GtkWidget): of what runs here; borrowed from the group */
  GPtrArray *found;          /* (owned) (nullable) (element-type BeckonProfile): what runs here */
  GCancellable *cancellable; /* (owned): ends with the page */
  gboolean unfolded;
  gboolean showing;

  AdwPreferencesGroup *profiles_group;
  AdwPreferencesGroup *found_group;
  AdwActionRow *import_row;
  GtkWidget *import_button;
  GtkWidget *more_row;
  GtkWidget *rounds_row;
  GtkLabel *rounds_label;
  GtkLabel *rounds_hint;
  GtkRange *rounds_scale;
  GtkSwitch *ask_switch;
};

G_DEFINE_FINAL_TYPE (BeckonCredentialsPage, beckon_credentials_page, ADW_TYPE_PREFERENCES_PAGE)

static BeckonSettings *
get_settings (BeckonCredentialsPage *self)
{
  return beckon_runtime_get_settings (self->runtime);
}

static void show_rounds (BeckonCredentialsPage *self);

/* --- Profiles ----------------------------------------------------------------------------------------------------- */

static void
on_remove (BeckonCredentialsPage *self, const char *profile_id)
{
  BeckonProfiles *profiles = beckon_runtime_get_profiles (self->runtime);
  BeckonProfile *profile = beckon_profiles_lookup (profiles, profile_id);
  g_autofree char *chosen = NULL;
  g_autofree char *escaped = NULL;
  g_autofree char *title = NULL;
  Removal *removal;
  AdwToast *toast;

  if (profile == NULL)
    return;
  /* Its key is forgotten only once there is no way back any more. */
  removal = g_new0 (Removal, 1);
  removal->runtime = g_object_ref (self->runtime);
  removal->profile = beckon_profile_copy (profile);
  chosen = beckon_settings_dup_default_profile (get_settings (self));
  removal->was_chosen = g_strcmp0 (chosen, profile_id) == 0;
  /* The default profile must exist. */
  if (removal->was_chosen)
    beckon_settings_set_default_profile (get_settings (self), BECKON_PROFILE_TOUR_ID);
  escaped = g_markup_escape_text (beckon_profile_get_name (profile), -1);
  /* Translators: a profile, which is named, was removed */
  title = beckon_text_printf (_("%s removed"), escaped);
  toast = adw_toast_new (title);
  adw_toast_set_button_label (toast, _("_Undo"));
  g_object_set_data_full (G_OBJECT (toast), "removal", removal, removal_end);
  g_signal_connect (toast, "button-clicked", G_CALLBACK (credentials_page_on_undo), removal);
  beckon_toast_show (GTK_WIDGET (self), toast);
  beckon_profiles_remove_async (profiles, beckon_profile_get_id (removal->profile), NULL, credentials_page_on_removed,
                                g_object_ref (self));
}

/* A profile that a person entered becomes the default, unless they had chosen before. */
static void
credentials_page_on_saved (BeckonCredentialsPage *self, const char *profile_id)
{
  g_autofree char *chosen = beckon_settings_dup_default_profile (get_settings (self));

  if (g_strcmp0 (chosen, BECKON_PROFILE_TOUR_ID) == 0)
    beckon_settings_set_default_profile (get_settings (self), profile_id);
  show_rounds (self);
}

static void
present_editor (BeckonCredentialsPage *self, BeckonProfile *profile)
{
  GtkWidget *editor = beckon_profile_editor_new (self->runtime, profile, NULL);

  g_signal_connect_object (editor, "saved", G_CALLBACK (credentials_page_on_saved), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (editor, "remove", G_CALLBACK (on_remove), self, G_CONNECT_SWAPPED);
  beckon_sheet_present (BECKON_SHEET (editor), GTK_WIDGET (self));
}

static void
credentials_page_on_add_clicked (BeckonCredentialsPage *self)
{
  present_editor (self, NULL);
}

static BeckonProfile *
get_profile (gpointer widget)
{
  return g_object_get_data (G_OBJECT (widget), "profile");
}

static void
set_profile (gpointer widget, BeckonProfile *profile)
{
  g_object_set_data_full (G_OBJECT (widget), "profile", g_object_ref (profile), g_object_unref);
}

static void
on_edit_clicked (BeckonCredentialsPage *self, GtkButton *button)
{
  present_editor (self, get_profile (button));
}

static void
on_default_toggled (BeckonCredentialsPage *self, GtkCheckButton *button)
{
  if (gtk_check_button_get_active (button))
    beckon_settings_set_default_profile (get_settings (self), beckon_profile_get_id (get_profile (button)));
}

/* The window's search shows titles as markup, whatever their own rows say. */
static GtkWidget *
make_plain_row (const char *title, const char *subtitle)
{
  g_autofree char *escaped_title = g_markup_escape_text (title, -1);
  g_autofree char *escaped_subtitle = g_markup_escape_text (subtitle, -1);

  return g_object_new (ADW_TYPE_ACTION_ROW, "title", escaped_title, "subtitle", escaped_subtitle, "title-lines", 2,
                       "subtitle-lines", 2, NULL);
}

static void
on_profile_changed (BeckonProfile *profile, GParamSpec *pspec, GtkWidget *row)
{
  g_autofree char *title = g_markup_escape_text (beckon_profile_get_name (profile), -1);
  g_autofree char *subtitle = g_markup_escape_text (beckon_profile_get_model (profile), -1);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
}

static GtkWidget *
credentials_page_make_row (BeckonCredentialsPage *self, BeckonProfile *profile)
{
  gboolean tour = beckon_profile_get_kind (profile) == BECKON_PROFILE_TOUR;
  const char *name = tour ? _("Offline tour") : beckon_profile_get_name (profile);
  const char *subtitle = tour ? _("Built in; needs no key and no network") : beckon_profile_get_model (profile);
  GtkWidget *row = make_plain_row (name, subtitle);
  GtkWidget *check = gtk_check_button_new ();

  set_profile (check, profile);
  gtk_widget_set_valign (check, GTK_ALIGN_CENTER);
  gtk_check_button_set_group (GTK_CHECK_BUTTON (check), self->nobody);
  g_signal_connect_object (check, "toggled", G_CALLBACK (on_default_toggled), self, G_CONNECT_SWAPPED);

  adw_action_row_add_prefix (ADW_ACTION_ROW (row), check);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), check);
  if (!tour)
    {
      GtkWidget *button = gtk_button_new_from_icon_name ("document-edit-symbolic");
      /* Translators: the button that edits a profile, which is named */
      g_autofree char *spoken = beckon_text_printf (_("Edit %s"), name);

      set_profile (button, profile);
      gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
      gtk_widget_add_css_class (button, "flat");
      gtk_widget_set_tooltip_text (button, spoken);
      gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
      g_signal_connect_object (button, "clicked", G_CALLBACK (on_edit_clicked), self, G_CONNECT_SWAPPED);
      adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);

      g_signal_connect_object (profile, "notify::name", G_CALLBACK (on_profile_changed), row, 0);
      g_signal_connect_object (profile, "notify::model", G_CALLBACK (on_profile_changed), row, 0);
    }
  return row;
}

/* --- Rounds ------------------------------------------------------------------------------------------------------- */

static BeckonProfile *
get_chosen (BeckonCredentialsPage *self)
{
  g_autofree char *chosen = beckon_settings_dup_default_profile (get_settings (self));
  BeckonProfile *profile = beckon_profiles_lookup (beckon_runtime_get_profiles (self->runtime), chosen);

  return profile != NULL && beckon_profile_get_kind (profile) != BECKON_PROFILE_TOUR ? profile : NULL;
}

static void
on_rounds_changed (BeckonCredentialsPage *self)
{
  guint rounds = (guint) (gtk_range_get_value (self->rounds_scale) + 0.5);
  guint stepped = (rounds + 5) / 10 * 10;
  BeckonProfile *chosen = get_chosen (self);
  g_autoptr (BeckonProfile) changed = NULL;
  g_autofree char *title = NULL;

  if (stepped != rounds && !self->showing)
    {
      gtk_range_set_value (self->rounds_scale, stepped);
      return;
    }
  title = beckon_model_labels_describe_rounds (rounds);
  gtk_label_set_text (self->rounds_label, title);
  if (self->showing || chosen == NULL || beckon_profile_get_effective_rounds (chosen) == rounds)
    return;
  changed = beckon_profile_copy (chosen);
  beckon_profile_set_rounds (changed, rounds);
  beckon_profiles_save_async (beckon_runtime_get_profiles (self->runtime), changed, NULL, NULL, NULL);
}

static void
show_rounds (BeckonCredentialsPage *self)
{
  BeckonProfile *chosen = get_chosen (self);
  g_autofree char *hint = NULL;

  self->showing = TRUE;
  gtk_range_set_value (self->rounds_scale,
                       chosen != NULL ? beckon_profile_get_effective_rounds (chosen) : BECKON_PROFILE_ROUNDS_DEFAULT);
  on_rounds_changed (self);
  self->showing = FALSE;
  gtk_widget_set_sensitive (self->rounds_row, chosen != NULL);
  /* Translators: after how many model calls the agent pauses is a setting of a profile, which is named */
  hint = chosen != NULL ? beckon_text_printf (_("With %s. You can continue after each pause."),
                                              beckon_profile_get_name (chosen))
                        : g_strdup (_("The tour ends by itself."));
  gtk_label_set_text (self->rounds_hint, hint);
}

/* Below the profiles are settings that many profiles would push out of sight. */
static void
fold_profiles (BeckonCredentialsPage *self)
{
  g_autofree char *all = NULL;
  guint hidden = 0;

  for (guint i = 0; i < self->rows->len; i++)
    {
      GtkWidget *row = g_ptr_array_index (self->rows, i);
      GtkCheckButton *check = GTK_CHECK_BUTTON (adw_action_row_get_activatable_widget (ADW_ACTION_ROW (row)));
      gboolean shown = self->unfolded || i < PROFILES_SHOWN || gtk_check_button_get_active (check);

      gtk_widget_set_visible (row, shown);
      hidden += shown ? 0 : 1;
    }
  all = g_strdup_printf (ngettext ("Show All %u Profile", "Show All %u Profiles", self->rows->len), self->rows->len);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->more_row), all);
  gtk_widget_set_visible (self->more_row, hidden > 0);
}

static void
on_more_activated (BeckonCredentialsPage *self)
{
  self->unfolded = TRUE;
  fold_profiles (self);
  gtk_widget_child_focus (GTK_WIDGET (self->profiles_group), GTK_DIR_TAB_FORWARD);
}

static void
show_chosen (BeckonCredentialsPage *self)
{
  g_autofree char *chosen = beckon_settings_dup_default_profile (get_settings (self));
  GtkCheckButton *active = self->nobody;

  for (guint i = 0; i < self->rows->len; i++)
    {
      GtkWidget *check = adw_action_row_get_activatable_widget (g_ptr_array_index (self->rows, i));

      if (g_strcmp0 (beckon_profile_get_id (get_profile (check)), chosen) == 0)
        active = GTK_CHECK_BUTTON (check);
    }
  gtk_check_button_set_active (active, TRUE);
  fold_profiles (self);
  show_rounds (self);
}

/* --- What could be added ------------------------------------------------------------------------------------------ */

static void
clear_rows (AdwPreferencesGroup *group, GPtrArray *rows)
{
  for (guint i = 0; i < rows->len; i++)
    adw_preferences_group_remove (group, g_ptr_array_index (rows, i));
  g_ptr_array_set_size (rows, 0);
}

static gboolean
is_known (BeckonCredentialsPage *self, BeckonProfile *found)
{
  GListModel *profiles = G_LIST_MODEL (beckon_runtime_get_profiles (self->runtime));

  for (guint i = 0; i < g_list_model_get_n_items (profiles); i++)
    {
      g_autoptr (BeckonProfile) profile = g_list_model_get_item (profiles, i);

      if (beckon_uri_same_origin (beckon_profile_get_base_url (profile), beckon_profile_get_base_url (found)))
        return TRUE;
    }
  return FALSE;
}

static void
on_found_clicked (BeckonCredentialsPage *self, GtkButton *button)
{
  g_autoptr (BeckonProfile) profile = g_object_ref (get_profile (button));

  credentials_page_on_saved (self, beckon_profile_get_id (profile));
  beckon_profiles_save_async (beckon_runtime_get_profiles (self->runtime), profile, NULL, NULL, NULL);
}

static GtkWidget *
make_found_row (BeckonCredentialsPage *self, BeckonProfile *profile)
{
  const char *name = beckon_profile_get_name (profile);
  /* Translators: a model server that runs here was found; the model that it has */
  g_autofree char *subtitle = beckon_text_printf (_("On this computer, with %s"), beckon_profile_get_model (profile));
  g_autofree char *spoken = beckon_text_printf (_("Add %s"), name);
  GtkWidget *row = make_plain_row (name, subtitle);
  GtkWidget *button = gtk_button_new_with_label (_("Add"));

  set_profile (button, profile);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  g_signal_connect_object (button, "clicked", G_CALLBACK (on_found_clicked), self, G_CONNECT_SWAPPED);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), button);
  beckon_own_name_set (button, spoken);
  return row;
}

static void
show_found (BeckonCredentialsPage *self)
{
  g_autoptr (GPtrArray) presets = NULL;
  g_autoptr (GString) variables = g_string_new (NULL);

  clear_rows (self->found_group, self->found_rows);
  for (guint i = 0; self->found != NULL && i < self->found->len; i++)
    {
      BeckonProfile *profile = g_ptr_array_index (self->found, i);
      GtkWidget *row = is_known (self, profile) ? NULL : make_found_row (self, profile);

      if (row == NULL)
        continue;
      g_ptr_array_add (self->found_rows, row);
      adw_preferences_group_add (self->found_group, row);
    }
  presets = beckon_environment_import_list (beckon_runtime_get_profiles (self->runtime));
  for (guint i = 0; i < presets->len; i++)
    g_string_append_printf (variables, "%s%s", i > 0 ? ", " : "", beckon_preset_find_variable (g_ptr_array_index (presets, i)));
  adw_action_row_set_subtitle (self->import_row, variables->str);
  gtk_widget_set_visible (GTK_WIDGET (self->import_row), presets->len > 0);
  gtk_widget_set_visible (GTK_WIDGET (self->found_group),
                          self->found_rows->len > 0 || gtk_widget_get_visible (GTK_WIDGET (self->import_row)));
}

static void
credentials_page_on_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonCredentialsPage) self = user_data;
  g_autoptr (GPtrArray) found = beckon_local_models_find_finish (result, NULL);

  if (found == NULL || self->runtime == NULL)
    return;
  self->found = g_steal_pointer (&found);
  show_found (self);
}

static void
credentials_page_on_imported (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonCredentialsPage) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *said = NULL;
  g_autofree char *problems = NULL;
  gboolean for_session;
  int n = beckon_environment_import_finish (BECKON_PROFILES (source), result, &for_session, &problems, &error);

  if (self->runtime == NULL)
    return;
  gtk_widget_set_sensitive (self->import_button, TRUE);
  if (n < 0)
    said = g_strdup (error->message);
  else if (*problems != '\0')
    said = g_steal_pointer (&problems);
  else if (for_session)
    said = g_strdup (_("Imported. Without a keyring, the keys are kept only until you quit."));
  else
    said = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%d profile imported", "%d profiles imported", (gulong) n), n);
  beckon_toast_show (GTK_WIDGET (self), beckon_toast_new (said));
}

static void
on_import_clicked (BeckonCredentialsPage *self)
{
  gtk_widget_set_sensitive (self->import_button, FALSE);
  beckon_environment_import_async (beckon_runtime_get_profiles (self->runtime), beckon_runtime_get_secrets (self->runtime),
                                   beckon_runtime_get_tester (self->runtime), self->cancellable, credentials_page_on_imported,
                                   g_object_ref (self));
}

static void
on_profiles_changed (BeckonCredentialsPage *self)
{
  GListModel *profiles = G_LIST_MODEL (beckon_runtime_get_profiles (self->runtime));

  clear_rows (self->profiles_group, self->rows);
  for (guint i = 0; i < g_list_model_get_n_items (profiles); i++)
    {
      g_autoptr (BeckonProfile) profile = g_list_model_get_item (profiles, i);
      GtkWidget *row = credentials_page_make_row (self, profile);

      g_ptr_array_add (self->rows, row);
      adw_preferences_group_add (self->profiles_group, row);
    }
  g_object_ref (self->more_row);
  adw_preferences_group_remove (self->profiles_group, self->more_row);
  adw_preferences_group_add (self->profiles_group, self->more_row);
  g_object_unref (self->more_row);
  show_chosen (self);
  show_found (self);
}

/* --- The page ----------------------------------------------------------------------------------------------------- */

static void
beckon_credentials_page_dispose (GObject *object)
{
  BeckonCredentialsPage *self = BECKON_CREDENTIALS_PAGE (object);

  g_cancellable_cancel (self->cancellable);
  if (self->runtime != NULL)
    g_signal_handlers_disconnect_by_data (beckon_runtime_get_profiles (self->runtime), self);
  g_clear_object (&self->runtime);
  g_clear_object (&self->nobody);
  g_clear_pointer (&self->found, g_ptr_array_unref);
  G_OBJECT_CLASS (beckon_credentials_page_parent_class)->dispose (object);
}

static void
beckon_credentials_page_finalize (GObject *object)
{
  BeckonCredentialsPage *self = BECKON_CREDENTIALS_PAGE (object);

  g_object_unref (self->cancellable);
  g_ptr_array_unref (self->rows);
  g_ptr_array_unref (self->found_rows);
  G_OBJECT_CLASS (beckon_credentials_page_parent_class)->finalize (object);
}

static void
beckon_credentials_page_class_init (BeckonCredentialsPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_credentials_page_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_credentials_page_finalize;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/credentials-page.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonCredentialsPage, profiles_group);
  gtk_widget_class_bind_template_child (widget_class, BeckonCredentialsPage, found_group);
  gtk_widget_class_bind_template_child (widget_class, BeckonCredentialsPage, import_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonCredentialsPage, import_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonCredentialsPage, more_row);
  gtk_widget_class_bind_template_callback (widget_class, on_more_activated);
  gtk_widget_class_bind_template_child (widget_class, BeckonCredentialsPage, rounds_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonCredentialsPage, rounds_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonCredentialsPage, rounds_hint);
  gtk_widget_class_bind_template_child (widget_class, BeckonCredentialsPage, rounds_scale);
  gtk_widget_class_bind_template_child (widget_class, BeckonCredentialsPage, ask_switch);
  gtk_widget_class_bind_template_callback (widget_class, credentials_page_on_add_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_import_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_rounds_changed);
}

static void
beckon_credentials_page_init (BeckonCredentialsPage *self)
{
  self->cancellable = g_cancellable_new ();
  self->rows = g_ptr_array_new ();
  self->found_rows = g_ptr_array_new ();
  self->showing = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  self->nobody = GTK_CHECK_BUTTON (g_object_ref_sink (gtk_check_button_new ()));
}

AdwPreferencesPage *
beckon_credentials_page_new (BeckonRuntime *runtime)
{
  BeckonCredentialsPage *self = g_object_new (BECKON_TYPE_CREDENTIALS_PAGE, NULL);
  GSettings *settings = beckon_settings_get_gsettings (beckon_runtime_get_settings (runtime));

  self->runtime = g_object_ref (runtime);
  /* Without an installed schema the default holds. */
  gtk_switch_set_active (self->ask_switch, beckon_settings_get_enable_ask_user (get_settings (self)));
  gtk_widget_set_sensitive (gtk_widget_get_ancestor (GTK_WIDGET (self->ask_switch), ADW_TYPE_PREFERENCES_ROW),
                            settings != NULL);
  if (settings != NULL)
    g_settings_bind (settings, "enable-ask-user", self->ask_switch, "active", G_SETTINGS_BIND_DEFAULT);
  g_signal_connect_object (get_settings (self), "changed", G_CALLBACK (show_chosen), self, G_CONNECT_SWAPPED);
  g_signal_connect_swapped (beckon_runtime_get_profiles (runtime), "items-changed", G_CALLBACK (on_profiles_changed), self);
  on_profiles_changed (self);
  beckon_local_models_find_async (NULL, self->cancellable, credentials_page_on_found, g_object_ref (self));
  return ADW_PREFERENCES_PAGE (self);
}
