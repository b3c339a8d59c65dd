/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-profile-editor.h"

#include "base/beckon-error.h"

#include <glib/gi18n-lib.h>

struct _BeckonProfileEditor
{
  AdwWindow parent_instance;

  BeckonRuntime *runtime;   /* (owned) */
  BeckonProfile *profile;   /* (owned): a copy, or a new one */
  gboolean existing;
  GCancellable *cancellable; /* (owned): ends with the window */
  gboolean busy;

  GtkWidget *save_button;
  GtkWidget *error_group;
  GtkLabel *error_label;
  GtkWidget *session_button;
  GtkWidget *fields_group;
  GtkEditable *name_row;
  AdwComboRow *kind_row;
  GtkEditable *url_row;
  GtkEditable *model_row;
  GtkEditable *key_row;
  GtkWidget *stored_row;
  GtkLabel *rounds_label;
  GtkRange *rounds_scale;
  GtkWidget *remove_group;
};

G_DEFINE_FINAL_TYPE (BeckonProfileEditor, beckon_profile_editor, ADW_TYPE_WINDOW)

static guint saved_signal;

static void
show_error (BeckonProfileEditor *self, const char *message, gboolean offer_session)
{
  gtk_widget_set_visible (self->error_group, message != NULL);
  gtk_label_set_text (self->error_label, message != NULL ? message : "");
  gtk_widget_set_visible (self->session_button, offer_session);
}

static void
set_busy (BeckonProfileEditor *self, gboolean busy)
{
  self->busy = busy;
  gtk_widget_set_sensitive (self->save_button, !busy);
}

static void
done (BeckonProfileEditor *self)
{
  g_signal_emit (self, saved_signal, 0, beckon_profile_get_id (self->profile));
  gtk_window_destroy (GTK_WINDOW (self));
}

static char *
dup_field (GtkEditable *field)
{
  return g_strstrip (g_strdup (gtk_editable_get_text (field)));
}

/* A key is wiped from the entry as soon as it is kept. */
static char *
dup_key (BeckonProfileEditor *self)
{
  g_autofree char *key = dup_field (self->key_row);

  return *key != '\0' ? g_steal_pointer (&key) : NULL;
}

static void
on_key_stored (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonProfileEditor) self = user_data;
  g_autoptr (GError) error = NULL;
  gboolean stored = beckon_secrets_store_finish (BECKON_SECRETS (source), result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  set_busy (self, FALSE);
  if (stored)
    done (self);
  else
    show_error (self, error->message, !g_error_matches (error, BECKON_ERROR, BECKON_ERROR_INVALID));
}

static void
on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonProfileEditor) self = user_data;
  g_autofree char *key = NULL;
  g_autoptr (GError) error = NULL;
  gboolean saved = beckon_profiles_save_finish (BECKON_PROFILES (source), result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (!saved)
    {
      set_busy (self, FALSE);
      show_error (self, error->message, FALSE);
      return;
    }
  key = dup_key (self);
  if (key == NULL)
    done (self);
  else
    beckon_secrets_store_async (beckon_runtime_get_secrets (self->runtime), beckon_profile_get_id (self->profile),
                                beckon_profile_get_name (self->profile), key, self->cancellable, on_key_stored,
                                g_object_ref (self));
}

/* In the order of the list. */
static const BeckonProfileKind kinds[] = {
  BECKON_PROFILE_CHAT, BECKON_PROFILE_RESPONSES, BECKON_PROFILE_ANTHROPIC, BECKON_PROFILE_GEMINI, BECKON_PROFILE_OLLAMA,
};

/* Where each of them is to be had, to begin with. */
static const char *const places[] = {
  "", "https://api.openai.com/v1", "https://api.anthropic.com/v1", "https://generativelanguage.googleapis.com/v1beta",
  "http://localhost:11434",
};

static gboolean
is_place (const char *url)
{
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    if (g_str_equal (url, places[i]))
      return TRUE;
  return FALSE;
}

/* What somebody typed stays. */
static void
on_kind_selected (BeckonProfileEditor *self)
{
  guint selected = adw_combo_row_get_selected (self->kind_row);

  if (selected < G_N_ELEMENTS (places) && is_place (gtk_editable_get_text (self->url_row)))
    gtk_editable_set_text (self->url_row, places[selected]);
}

static void
show_kind (BeckonProfileEditor *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (kinds[i] == beckon_profile_get_kind (self->profile))
      adw_combo_row_set_selected (self->kind_row, i);
}

static gboolean
take_fields (BeckonProfileEditor *self, GError **error)
{
  g_autofree char *name = dup_field (self->name_row);
  g_autofree char *url = dup_field (self->url_row);
  g_autofree char *model = dup_field (self->model_row);
  g_autofree char *key = dup_key (self);

  /* A name is no reason to stop somebody: the model's will do. */
  beckon_profile_set_name (self->profile, *name != '\0' ? name : model);
  beckon_profile_set_kind (self->profile, kinds[adw_combo_row_get_selected (self->kind_row)]);
  beckon_profile_set_base_url (self->profile, url);
  beckon_profile_set_model (self->profile, model);
  beckon_profile_set_rounds (self->profile, (guint) (gtk_range_get_value (self->rounds_scale) + 0.5));
  return beckon_profile_check (self->profile, error) && (key == NULL || beckon_secrets_check (key, error));
}

static void
save (BeckonProfileEditor *self)
{
  g_autoptr (GError) error = NULL;

  if (self->busy)
    return;
  if (!take_fields (self, &error))
    {
      show_error (self, error->message, FALSE);
      return;
    }
  show_error (self, NULL, FALSE);
  set_busy (self, TRUE);
  beckon_profiles_save_async (beckon_runtime_get_profiles (self->runtime), self->profile, self->cancellable, on_saved,
                              g_object_ref (self));
}

static void
on_save_clicked (BeckonProfileEditor *self)
{
  save (self);
}

static void
on_session_clicked (BeckonProfileEditor *self)
{
  g_autofree char *key = dup_key (self);
  g_autoptr (GError) error = NULL;

  if (key == NULL || beckon_secrets_set_for_session (beckon_runtime_get_secrets (self->runtime),
                                                     beckon_profile_get_id (self->profile), key, &error))
    done (self);
  else
    show_error (self, error->message, FALSE);
}

static void
on_forgotten (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonProfileEditor) self = user_data;
  g_autoptr (GError) error = NULL;
  gboolean forgotten = beckon_secrets_store_finish (BECKON_SECRETS (source), result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  gtk_widget_set_visible (self->stored_row, !forgotten);
  if (!forgotten)
    show_error (self, error->message, FALSE);
}

static void
on_forget_clicked (BeckonProfileEditor *self)
{
  beckon_secrets_store_async (beckon_runtime_get_secrets (self->runtime), beckon_profile_get_id (self->profile),
                              beckon_profile_get_name (self->profile), NULL, self->cancellable, on_forgotten,
                              g_object_ref (self));
}

/* What new conversations use must be there. */
static void
choose_another (BeckonProfileEditor *self)
{
  BeckonSettings *settings = beckon_runtime_get_settings (self->runtime);
  g_autofree char *chosen = beckon_settings_dup_default_profile (settings);

  if (g_strcmp0 (chosen, beckon_profile_get_id (self->profile)) == 0)
    beckon_settings_set_default_profile (settings, BECKON_PROFILE_TOUR_ID);
}

static void
on_removed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonProfileEditor) self = user_data;
  g_autoptr (GError) error = NULL;
  gboolean removed = beckon_profiles_remove_finish (BECKON_PROFILES (source), result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (removed)
    {
      choose_another (self);
      gtk_window_destroy (GTK_WINDOW (self));
    }
  else
    show_error (self, error->message, FALSE);
}

/* The key goes with its profile; where no keyring answers there is none to forget. */
static void
on_remove_clicked (BeckonProfileEditor *self)
{
  const char *id = beckon_profile_get_id (self->profile);

  beckon_secrets_store_async (beckon_runtime_get_secrets (self->runtime), id, beckon_profile_get_name (self->profile), NULL,
                              NULL, NULL, NULL);
  beckon_profiles_remove_async (beckon_runtime_get_profiles (self->runtime), id, self->cancellable, on_removed,
                                g_object_ref (self));
}

static void
on_rounds_changed (BeckonProfileEditor *self)
{
  guint rounds = (guint) (gtk_range_get_value (self->rounds_scale) + 0.5);
  guint stepped = (rounds + 5) / 10 * 10;
  g_autofree char *text = NULL;

  if (stepped != rounds)
    {
      gtk_range_set_value (self->rounds_scale, stepped);
      return;
    }
  text = rounds == 0 ? g_strdup_printf ("0 = %u", BECKON_PROFILE_ROUNDS_DEFAULT) : g_strdup_printf ("%u", rounds);
  gtk_label_set_text (self->rounds_label, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->rounds_scale), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text, -1);
}

static void
on_key_looked_up (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonProfileEditor) self = user_data;
  g_autofree char *key = beckon_secrets_lookup_finish (BECKON_SECRETS (source), result, NULL);

  if (key != NULL && !g_cancellable_is_cancelled (self->cancellable))
    gtk_widget_set_visible (self->stored_row, TRUE);
}

static void
show_profile (BeckonProfileEditor *self)
{
  gtk_editable_set_text (self->name_row, beckon_profile_get_name (self->profile));
  show_kind (self);
  gtk_editable_set_text (self->url_row, beckon_profile_get_base_url (self->profile));
  gtk_editable_set_text (self->model_row, beckon_profile_get_model (self->profile));
  gtk_range_set_value (self->rounds_scale, beckon_profile_get_rounds (self->profile));
  gtk_widget_set_visible (self->remove_group, self->existing);
  on_rounds_changed (self);
  if (self->existing)
    beckon_secrets_lookup_async (beckon_runtime_get_secrets (self->runtime), beckon_profile_get_id (self->profile),
                                 FALSE, self->cancellable, on_key_looked_up, g_object_ref (self));
}

static void
beckon_profile_editor_dispose (GObject *object)
{
  BeckonProfileEditor *self = BECKON_PROFILE_EDITOR (object);

  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->runtime);
  g_clear_object (&self->profile);
  G_OBJECT_CLASS (beckon_profile_editor_parent_class)->dispose (object);
}

static void
beckon_profile_editor_finalize (GObject *object)
{
  g_clear_object (&BECKON_PROFILE_EDITOR (object)->cancellable);
  G_OBJECT_CLASS (beckon_profile_editor_parent_class)->finalize (object);
}

static void
bind_template (GtkWidgetClass *widget_class)
{
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/profile-editor.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileEditor, save_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileEditor, error_group);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileEditor, error_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileEditor, session_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileEditor, fields_group);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileEditor, name_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileEditor, kind_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileEditor, url_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileEditor, model_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileEditor, key_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileEditor, stored_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileEditor, rounds_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileEditor, rounds_scale);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileEditor, remove_group);
  gtk_widget_class_bind_template_callback (widget_class, on_save_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_session_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_forget_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_remove_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_rounds_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_kind_selected);
}

static void
beckon_profile_editor_class_init (BeckonProfileEditorClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_profile_editor_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_profile_editor_finalize;
  saved_signal = g_signal_new ("saved", BECKON_TYPE_PROFILE_EDITOR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                               G_TYPE_STRING);
  bind_template (widget_class);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

/* The row's title is not the name of the entry in it by itself. */
static void
name_entry (GtkEditable *row)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (gtk_editable_get_delegate (row)), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)), -1);
}

static void
beckon_profile_editor_init (BeckonProfileEditor *self)
{
  self->cancellable = g_cancellable_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  name_entry (self->name_row);
  name_entry (self->url_row);
  name_entry (self->model_row);
  name_entry (self->key_row);
  gtk_window_set_default_widget (GTK_WINDOW (self), self->save_button);
}

GtkWidget *
beckon_profile_editor_new (BeckonRuntime *runtime, BeckonProfile *profile, const char *base_url)
{
  BeckonProfileEditor *self = g_object_new (BECKON_TYPE_PROFILE_EDITOR, NULL);

  self->runtime = g_object_ref (runtime);
  self->existing = profile != NULL;
  self->profile = profile != NULL ? beckon_profile_copy (profile) : beckon_profile_new (NULL, BECKON_PROFILE_CHAT);
  if (profile == NULL && base_url != NULL)
    beckon_profile_set_base_url (self->profile, base_url);
  show_profile (self);
  gtk_widget_grab_focus (GTK_WIDGET (base_url == NULL ? self->name_row : self->model_row));
  return GTK_WIDGET (self);
}
