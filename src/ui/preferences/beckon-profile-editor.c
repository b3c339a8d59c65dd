/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-profile-editor.h"

#include "base/beckon-error.h"
#include "base/beckon-origin.h"
#include "beckon-fallback-group.h"
#include "beckon-model-chooser.h"
#include "beckon-profile-details.h"
#include "beckon-profile-trial.h"
#include "beckon-sign-in-row.h"
#include "beckon-stored-key.h"
#include "net/beckon-llm-error.h"
#include "settings/beckon-preset.h"
#include "ui/widgets/beckon-controls.h"
#include "ui/widgets/beckon-flow-layout.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _BeckonProfileEditor
{
  BeckonSheet parent_instance;

  BeckonRuntime *runtime;   /* (owned) */
  BeckonProfile *profile;   /* (owned): a copy, or a new one */
  gboolean existing;
  GCancellable *cancellable; /* (owned): ends with the window */
  gboolean busy;
  GCancellable *proposing; /* (owned) (nullable): there while a model is looked for by itself */
  char *proposed_model; /* (owned) (nullable): from the server's list, not typed by anybody */
  void (*after_model) (BeckonProfileEditor *self); /* what waits for a model to be found */
  gboolean showing; /* the fields are being filled */

  GtkWidget *save_button;
  GtkWidget *page;
  GtkWidget *error_group;
  GtkLabel *error_label;
  GtkWidget *session_button;
  GtkWidget *fields_group;
  BeckonPreset *preset; /* (nullable): the provider that was chosen, whatever became of its address */
  AdwComboRow *provider_row;
  GtkEditable *name_row;
  AdwComboRow *kind_row;
  GtkEditable *url_row;
  GtkEditable *model_row;
  GtkEditable *key_row;
  AdwActionRow *stored_row;
  GtkWidget *reveal_button;
  BeckonStoredKey *stored_key; /* (owned) */
  gboolean taking_key;         /* to the server that the address is on now */
  BeckonSignInRow *sign_in_row;
  AdwExpanderRow *program_expander;
  GtkEditable *program_row;
  char *bound_command; /* (owned) (nullable): the program as it is saved, and the server that it was entered for */
  char *bound_origin;  /* (owned) (nullable) */
  BeckonModelChooser *model_chooser;
  AdwPreferencesGroup *model_group;
  AdwActionRow *test_row;
  GtkSpinner *test_spinner;
  GtkImage *test_image;
  GtkButton *test_button;
  BeckonProfileTrial *trial; /* (owned) */
  BeckonFallbackGroup *fallback_group;
  AdwToastOverlay *toasts;
  BeckonProfileDetails *details;
  GtkLabel *rounds_label;
  GtkRange *rounds_scale;
  GtkWidget *remove_group;
};

G_DEFINE_FINAL_TYPE (BeckonProfileEditor, beckon_profile_editor, BECKON_TYPE_SHEET)

static guint saved_signal, remove_signal;

/* (nullable): the part of the page that scrolls. */
static GtkWidget *
find_scroller (GtkWidget *widget)
{
  GtkWidget *found = GTK_IS_SCROLLED_WINDOW (widget) ? widget : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_scroller (child);
  return found;
}

static void
profile_editor_show_error (BeckonProfileEditor *self, const char *message, gboolean offer_session)
{
  if (message != NULL)
    {
      /* An error stands at the top, and Save beyond what scrolls. */
      GtkWidget *scroller = find_scroller (self->page);

      if (scroller != NULL)
        gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller)), 0);
    }
  gtk_widget_set_visible (self->error_group, message != NULL);
  gtk_label_set_text (self->error_label, message != NULL ? message : "");
  gtk_widget_set_visible (self->session_button, offer_session);
}

static void
profile_editor_set_busy (BeckonProfileEditor *self, gboolean busy)
{
  self->busy = busy;
  gtk_widget_set_sensitive (self->save_button, !busy);
  beckon_sheet_set_page_sensitive (BECKON_SHEET (self), self->page, !busy);
}

/* A key is wiped from the entry as soon as it is kept. */
static char *
dup_key (BeckonProfileEditor *self)
{
  g_autofree char *key = beckon_entry_row_dup_text (self->key_row);

  return *key != '\0' ? g_steal_pointer (&key) : NULL;
}

static void
profile_editor_on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonProfileEditor) self = user_data;
  g_autoptr (GError) error = NULL;
  gboolean saved = beckon_profiles_save_finish (BECKON_PROFILES (source), result, &error);
  g_autofree char *key = NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  profile_editor_set_busy (self, FALSE);
  if (saved)
    {
      g_signal_emit (self, saved_signal, 0, beckon_profile_get_id (self->profile));
      beckon_sheet_close (BECKON_SHEET (self));
      return;
    }

  /* A key that was stored for a profile that could not be is of no use to anybody. */
  key = dup_key (self);
  if (!self->existing && key != NULL)
    beckon_secrets_store_async (beckon_runtime_get_secrets (self->runtime), beckon_profile_get_id (self->profile), NULL,
                                NULL, NULL, NULL, NULL, NULL);

  profile_editor_show_error (self, error->message, FALSE);
}

static void
save_profile (BeckonProfileEditor *self)
{
  profile_editor_set_busy (self, TRUE);
  beckon_profiles_save_async (beckon_runtime_get_profiles (self->runtime), self->profile, self->cancellable,
                              profile_editor_on_saved,
                              g_object_ref (self));
}

/* @error: (transfer full) (nullable): why the key is not where it has to be. */
static void
end_key (BeckonProfileEditor *self, GError *error, gboolean offer_session)
{
  g_autoptr (GError) owned = error;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (error == NULL)
    {
      save_profile (self);
      return;
    }
  profile_editor_set_busy (self, FALSE);
  profile_editor_show_error (self, error->message, offer_session
                             && !g_error_matches (error, BECKON_ERROR, BECKON_ERROR_INVALID));
}

static void
on_key_stored (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonProfileEditor) self = user_data;
  GError *error = NULL;

  beckon_secrets_store_finish (BECKON_SECRETS (source), result, &error);
  end_key (self, error, TRUE);
}

static void
on_key_moved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonProfileEditor) self = user_data;
  GError *error = NULL;

  beckon_stored_key_move_finish (result, &error);
  end_key (self, error, FALSE);
}

/* In the order of the list. */
static const BeckonProfileKind kinds[] = {
  BECKON_PROFILE_CHAT, BECKON_PROFILE_RESPONSES, BECKON_PROFILE_ANTHROPIC, BECKON_PROFILE_GEMINI, BECKON_PROFILE_OLLAMA,
};

/* Typed text stays; text from a provider goes with it. */
static void
replace_if_known (GtkEditable *row, const char *text, gboolean is_known)
{
  if (is_known || *gtk_editable_get_text (row) == '\0')
    gtk_editable_set_text (row, text);
}

static gboolean
is_preset (const char *text, const char *(*get) (BeckonPreset *preset))
{
  GPtrArray *presets = beckon_preset_get_all ();

  for (guint i = 0; i < presets->len; i++)
    if (g_str_equal (get (g_ptr_array_index (presets, i)), text))
      return TRUE;
  return FALSE;
}

static void
select_kind (BeckonProfileEditor *self, BeckonProfileKind kind)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (kinds[i] == kind)
      adw_combo_row_set_selected (self->kind_row, i);
}

/* The last of the list is whatever is not known by name. */
static void
on_provider_selected (BeckonProfileEditor *self)
{
  GPtrArray *presets = beckon_preset_get_all ();
  guint selected = adw_combo_row_get_selected (self->provider_row);
  BeckonPreset *preset = selected < presets->len ? g_ptr_array_index (presets, selected) : NULL;

  if (preset == NULL && !self->showing)
    {
      /* A server that is not known by name has its own address, and most of them speak this protocol. */
      self->preset = NULL;
      if (is_preset (gtk_editable_get_text (self->name_row), beckon_preset_get_name))
        gtk_editable_set_text (self->name_row, "");
      if (is_preset (gtk_editable_get_text (self->url_row), beckon_preset_get_base_url))
        gtk_editable_set_text (self->url_row, "");
      select_kind (self, BECKON_PROFILE_CHAT);
    }
  if (preset == NULL || self->showing)
    return;
  self->preset = preset;
  select_kind (self, beckon_preset_get_kind (preset));
  replace_if_known (self->name_row, beckon_preset_get_name (preset),
                    is_preset (gtk_editable_get_text (self->name_row), beckon_preset_get_name));
  gtk_editable_set_text (self->url_row, beckon_preset_get_base_url (preset));
  replace_if_known (self->model_row, beckon_preset_get_model (preset),
                    is_preset (gtk_editable_get_text (self->model_row), beckon_preset_get_model)
                    || g_strcmp0 (gtk_editable_get_text (self->model_row), self->proposed_model) == 0);
  replace_if_known (self->program_row, beckon_preset_get_key_command (preset),
                    is_preset (gtk_editable_get_text (self->program_row), beckon_preset_get_key_command));
  adw_expander_row_set_expanded (self->program_expander, *gtk_editable_get_text (self->program_row) != '\0');
}

/* The server's facts go with the model they are about. */
static void
take_model (BeckonProfileEditor *self, BeckonProfile *profile)
{
  const BeckonModelFacts none = BECKON_MODEL_FACTS_INIT;
  g_autofree char *url = beckon_entry_row_dup_text (self->url_row);
  g_autofree char *name = beckon_entry_row_dup_text (self->model_row);
  gboolean is_same = g_str_equal (name, beckon_profile_get_model (profile))
                     && g_str_equal (url, beckon_profile_get_base_url (profile));
  BeckonListedModel *model;

  beckon_profile_set_kind (profile, kinds[adw_combo_row_get_selected (self->kind_row)]);
  beckon_profile_set_base_url (profile, url);
  beckon_profile_set_model (profile, name);
  model = beckon_profile_tester_find (beckon_runtime_get_tester (self->runtime), profile);
  if (model != NULL)
    beckon_profile_tester_keep_facts (model, profile);
  else if (!is_same)
    beckon_profile_set_facts (profile, &none);
}

/* A program that is left as it was stays with the server that it was entered for. */
static gboolean
take_program (BeckonProfileEditor *self, GError **error)
{
  g_autofree char *command = beckon_entry_row_dup_text (self->program_row);

  if (*command == '\0' || g_strcmp0 (command, self->bound_command) != 0)
    return beckon_profile_set_key_command (self->profile, command, error);
  g_object_set (self->profile, "key-command", command, "key-origin", self->bound_origin, NULL);
  return TRUE;
}

static gboolean
is_program_elsewhere (BeckonProfileEditor *self)
{
  g_autofree char *origin = beckon_uri_dup_origin (beckon_profile_get_base_url (self->profile));

  return *beckon_profile_get_key_command (self->profile) != '\0'
         && g_strcmp0 (origin, beckon_profile_get_key_origin (self->profile)) != 0;
}

/* A key beside a program that prints one would never be used. */
static gboolean
check_one_key (BeckonProfileEditor *self, const char *key, GError **error)
{
  if (key == NULL || *beckon_profile_get_key_command (self->profile) == '\0')
    return TRUE;
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                       _("Enter a key or a program that prints one, not both."));
  return FALSE;
}

static gboolean
take_fields (BeckonProfileEditor *self, GError **error)
{
  g_autofree char *name = beckon_entry_row_dup_text (self->name_row);
  g_autofree char *model = beckon_entry_row_dup_text (self->model_row);
  g_autofree char *key = dup_key (self);

  /* A name is no reason to stop somebody: the model's will do. */
  beckon_profile_set_name (self->profile, *name != '\0' ? name : model);
  take_model (self, self->profile);
  beckon_profile_set_rounds (self->profile, (guint) (gtk_range_get_value (self->rounds_scale) + 0.5));
  beckon_profile_set_fallbacks (self->profile, beckon_fallback_group_get_ids (self->fallback_group));
  return beckon_profile_details_take (self->details, self->profile, error) && take_program (self, error)
         && check_one_key (self, key, error) && beckon_profile_check (self->profile, error)
         && (key == NULL || beckon_secrets_check (key, error));
}

/* The key comes first: a profile whose key could not be kept is not saved, so that Save either does all or nothing. */
static void
profile_editor_save (BeckonProfileEditor *self)
{
  g_autofree char *key = dup_key (self);

  profile_editor_show_error (self, NULL, FALSE);
  profile_editor_set_busy (self, TRUE);
  if (key != NULL)
    beckon_secrets_store_async (beckon_runtime_get_secrets (self->runtime), beckon_profile_get_id (self->profile),
                                beckon_profile_get_base_url (self->profile), beckon_profile_get_name (self->profile),
                                key, self->cancellable, on_key_stored, g_object_ref (self));
  else if (self->taking_key)
    beckon_stored_key_move_async (self->stored_key, self->profile, self->cancellable, on_key_moved, g_object_ref (self));
  else
    save_profile (self);
}

static void
on_key_answered (BeckonStoredKeyAnswer answer, gpointer user_data)
{
  BeckonProfileEditor *self = user_data;

  self->taking_key = answer == BECKON_STORED_KEY_TAKE;
  if (answer != BECKON_STORED_KEY_CANCEL && !self->busy)
    profile_editor_save (self);
}

static void try_to_save (BeckonProfileEditor *self);

static void
on_program_answered (BeckonStoredKeyAnswer answer, gpointer user_data)
{
  BeckonProfileEditor *self = user_data;

  if (answer == BECKON_STORED_KEY_CANCEL || self->busy)
    return;
  if (answer == BECKON_STORED_KEY_LEAVE)
    gtk_editable_set_text (self->program_row, "");
  /* Typed or confirmed, it is for the server that the address is on now. */
  g_clear_pointer (&self->bound_command, g_free);
  try_to_save (self);
}

typedef struct
{
  BeckonProfileEditor *self; /* (owned) */
  BeckonProfile *profile;    /* (owned): as it was entered when the server was asked */
  GCancellable *cancellable; /* (owned) */
} Proposal;

static void
end_proposing (BeckonProfileEditor *self)
{
  if (self->proposing != NULL)
    g_cancellable_cancel (self->proposing);
  g_clear_object (&self->proposing);
}

static void
propose (BeckonProfileEditor *self, const char *model)
{
  g_free (self->proposed_model);
  self->proposed_model = g_strdup (model);
  gtk_editable_set_text (self->model_row, model);
}

static void
on_model_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonProfileEditor) self = user_data;
  g_autoptr (GError) error = NULL;
  gboolean chosen = beckon_profile_tester_choose_finish (BECKON_PROFILE_TESTER (source), result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  profile_editor_set_busy (self, FALSE);
  if (!chosen)
    {
      profile_editor_show_error (self, error->message, FALSE);
      return;
    }
  propose (self, beckon_profile_get_model (self->profile));
  self->after_model (self);
}

/* An address that is not whole may be somebody else's. */
static gboolean
has_blank (BeckonProfileEditor *self)
{
  g_autoptr (BeckonProfile) profile = beckon_profile_new (NULL, BECKON_PROFILE_CHAT);
  g_autofree char *url = beckon_entry_row_dup_text (self->url_row);
  g_autofree char *blank = NULL;

  beckon_profile_set_base_url (profile, url);
  blank = beckon_profile_dup_blank (profile);
  return blank != NULL;
}

/* Without a model's name the server is asked for its newest suitable one; %FALSE if one is named, or no server is. */
static gboolean
find_model (BeckonProfileEditor *self, void (*then) (BeckonProfileEditor *self))
{
  g_autofree char *model = beckon_entry_row_dup_text (self->model_row);
  g_autofree char *key = dup_key (self);

  if (*model != '\0' || has_blank (self))
    return FALSE;
  end_proposing (self);
  take_fields (self, NULL);
  profile_editor_show_error (self, NULL, FALSE);
  profile_editor_set_busy (self, TRUE);
  self->after_model = then;
  beckon_profile_tester_choose_async (beckon_runtime_get_tester (self->runtime), self->profile, self->preset, key,
                                      self->cancellable, on_model_found, g_object_ref (self));
  return TRUE;
}

/* A server that lists nothing is no reason to bother anybody who may know the name; a key that it refuses is. */
static void
on_proposed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Proposal *proposal = user_data;
  g_autoptr (BeckonProfileEditor) self = proposal->self;
  g_autoptr (BeckonProfile) profile = proposal->profile;
  g_autoptr (GCancellable) cancellable = proposal->cancellable;
  g_autoptr (GError) error = NULL;
  gboolean chosen = beckon_profile_tester_choose_finish (BECKON_PROFILE_TESTER (source), result, &error);

  if (g_cancellable_is_cancelled (cancellable))
    return;
  g_clear_object (&self->proposing);
  if (chosen && *gtk_editable_get_text (self->model_row) == '\0')
    propose (self, beckon_profile_get_model (profile));
  else if (!chosen && g_error_matches (error, BECKON_LLM_ERROR, BECKON_LLM_ERROR_AUTH))
    profile_editor_show_error (self, error->message, FALSE);
}

/* With a key the server tells its models: the newest suitable one stands there before anybody asks. */
static void
on_key_left (BeckonProfileEditor *self)
{
  g_autofree char *key = dup_key (self);
  g_autofree char *model = beckon_entry_row_dup_text (self->model_row);
  Proposal *proposal;

  if (key == NULL || *model != '\0' || self->busy || has_blank (self) || !beckon_secrets_check (key, NULL))
    return;
  end_proposing (self);
  take_fields (self, NULL);
  proposal = g_new0 (Proposal, 1);
  self->proposing = g_cancellable_new ();
  proposal->self = g_object_ref (self);
  proposal->profile = beckon_profile_copy (self->profile);
  proposal->cancellable = g_object_ref (self->proposing);
  profile_editor_show_error (self, NULL, FALSE);
  beckon_profile_tester_choose_async (beckon_runtime_get_tester (self->runtime), proposal->profile, self->preset, key,
                                      self->proposing, on_proposed, proposal);
}

/* A key that is kept goes to no other server before somebody says so. */
static void
try_to_save (BeckonProfileEditor *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *key = dup_key (self);

  if (self->busy || find_model (self, try_to_save))
    return;
  self->taking_key = FALSE;
  if (!take_fields (self, &error))
    profile_editor_show_error (self, error->message, FALSE);
  else if (is_program_elsewhere (self))
    beckon_stored_key_ask_between (beckon_profile_get_key_origin (self->profile), beckon_profile_get_base_url (self->profile),
                                   GTK_WIDGET (self), on_program_answered, self);
  else if (key == NULL && *beckon_profile_get_key_command (self->profile) == '\0'
           && beckon_stored_key_is_elsewhere (self->stored_key))
    beckon_stored_key_ask (self->stored_key, GTK_WIDGET (self), on_key_answered, self);
  else
    profile_editor_save (self);
}

static void
profile_editor_on_save_clicked (BeckonProfileEditor *self)
{
  try_to_save (self);
}

static void
on_session_clicked (BeckonProfileEditor *self)
{
  g_autofree char *key = dup_key (self);
  g_autoptr (GError) error = NULL;

  if (self->busy || !take_fields (self, &error))
    {
      if (error != NULL)
        profile_editor_show_error (self, error->message, TRUE);
      return;
    }
  if (key == NULL || beckon_secrets_set_for_session (beckon_runtime_get_secrets (self->runtime),
                                                     beckon_profile_get_id (self->profile),
                                                     beckon_profile_get_base_url (self->profile), key, &error))
    save_profile (self);
  else
    profile_editor_show_error (self, error->message, FALSE);
}

/* As if it had been typed: Save keeps it. */
static void
profile_editor_on_signed_in (BeckonProfileEditor *self, const char *key)
{
  profile_editor_show_error (self, NULL, FALSE);
  gtk_editable_set_text (self->key_row, key);
  adw_toast_overlay_add_toast (self->toasts, adw_toast_new (_("Signed in. Choose Save to store the key.")));
  on_key_left (self);
}

static void
on_sign_in_failed (BeckonProfileEditor *self, const char *words)
{
  profile_editor_show_error (self, words, FALSE);
}

static void
on_key_failed (const char *words, gpointer user_data)
{
  profile_editor_show_error (user_data, words, FALSE);
}

static void
on_forget_clicked (BeckonProfileEditor *self)
{
  beckon_stored_key_forget (self->stored_key, beckon_profile_get_name (self->profile), self->toasts, on_key_failed, self);
}

/* The caller removes the profile, and offers an undo. */
static void
profile_editor_on_remove_clicked (BeckonProfileEditor *self)
{
  g_signal_emit (self, remove_signal, 0, beckon_profile_get_id (self->profile));
  beckon_sheet_close (BECKON_SHEET (self));
}

static void
on_models_wanted (BeckonProfileEditor *self)
{
  g_autofree char *key = dup_key (self);
  g_autoptr (BeckonProfile) profile = NULL;

  take_fields (self, NULL);
  profile = beckon_profile_copy (self->profile);
  if (has_blank (self))
    beckon_profile_set_base_url (profile, "");
  beckon_model_chooser_fetch (self->model_chooser, beckon_runtime_get_tester (self->runtime), profile, self->preset, key);
}

static void
on_model_chosen (BeckonProfileEditor *self, const char *name)
{
  gtk_editable_set_text (self->model_row, name);
}

static void
update_details (BeckonProfileEditor *self)
{
  g_autoptr (BeckonProfile) profile = NULL;

  if (self->profile == NULL || self->showing)
    return;
  profile = beckon_profile_copy (self->profile);
  take_model (self, profile);
  beckon_profile_details_follow (self->details, profile);
}

/* The result is about the tested fields alone. */
static void
on_tested_changed (BeckonProfileEditor *self)
{
  if (self->trial == NULL)
    return;
  beckon_profile_trial_reset (self->trial);
  update_details (self);
}

static void
on_program_changed (BeckonProfileEditor *self)
{
  g_autoptr (BeckonProfile) profile = beckon_profile_new (NULL, BECKON_PROFILE_CHAT);
  g_autofree char *command = beckon_entry_row_dup_text (self->program_row);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) argv = NULL;
  g_autofree char *words = NULL;

  /* There is no shell, so each argument is shown as it will be. */
  beckon_profile_set_base_url (profile, "http://localhost");
  if (*command == '\0')
    words = g_strdup (_("Run a program that prints the key instead of storing one."));
  else if (!beckon_profile_set_key_command (profile, command, &error))
    words = g_strdup (error->message);
  else
    {
      argv = beckon_profile_dup_key_argv (profile);
      words = g_strjoinv (" · ", argv);
    }
  adw_expander_row_set_subtitle (self->program_expander, words);
  on_tested_changed (self);
}

static void
on_test_clicked (BeckonProfileEditor *self)
{
  g_autofree char *key = dup_key (self);
  g_autoptr (GError) error = NULL;

  if (self->busy || find_model (self, on_test_clicked))
    return;
  if (take_fields (self, &error))
    beckon_profile_trial_start (self->trial, beckon_runtime_get_tester (self->runtime), self->profile, key);
  else
    beckon_profile_trial_fail (self->trial, error->message);
}

/* Under the model stands what is known of it: from the server's list, and from the table. */
static void
on_model_changed (BeckonProfileEditor *self)
{
  g_autofree char *name = beckon_entry_row_dup_text (self->model_row);
  g_autofree char *url = beckon_entry_row_dup_text (self->url_row);
  g_autofree char *words = NULL;

  on_tested_changed (self);
  if (self->runtime != NULL && *name != '\0')
    {
      const BeckonModelDetails none = BECKON_MODEL_DETAILS_INIT;
      g_autoptr (BeckonProfile) profile = beckon_profile_copy (self->profile);
      g_autoptr (BeckonListedModel) unlisted = beckon_listed_model_new (name, &none);
      BeckonListedModel *model;
      BeckonModelDetails details;

      beckon_profile_set_kind (profile, kinds[adw_combo_row_get_selected (self->kind_row)]);
      beckon_profile_set_base_url (profile, url);
      beckon_profile_set_model (profile, name);
      model = beckon_profile_tester_find (beckon_runtime_get_tester (self->runtime), profile);
      beckon_profile_tester_describe (model != NULL ? model : unlisted, profile, &details);
      words = beckon_model_labels (&details);
    }
  adw_preferences_group_set_description (self->model_group, words);
}

/* The key is fetched only on request. */
static void
on_reveal_clicked (BeckonProfileEditor *self)
{
  beckon_stored_key_reveal (self->stored_key, self->key_row, on_key_failed, self);
}

static void
on_url_changed (BeckonProfileEditor *self)
{
  g_autofree char *url = beckon_entry_row_dup_text (self->url_row);

  if (self->stored_key != NULL)
    beckon_stored_key_set_url (self->stored_key, url);
  beckon_sign_in_row_set_preset (self->sign_in_row,
                                 beckon_preset_for_url (url, kinds[adw_combo_row_get_selected (self->kind_row)]));
  on_tested_changed (self);
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
  text = beckon_model_labels_describe_rounds (rounds);
  gtk_label_set_text (self->rounds_label, text);
}

static void
beckon_profile_editor_dispose (GObject *object)
{
  BeckonProfileEditor *self = BECKON_PROFILE_EDITOR (object);

  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  end_proposing (self);
  g_clear_pointer (&self->trial, beckon_profile_trial_free);
  g_clear_pointer (&self->stored_key, beckon_stored_key_free);
  g_clear_object (&self->runtime);
  g_clear_object (&self->profile);
  G_OBJECT_CLASS (beckon_profile_editor_parent_class)->dispose (object);
}

static void
beckon_profile_editor_finalize (GObject *object)
{
  g_clear_object (&BECKON_PROFILE_EDITOR (object)->cancellable);
  g_free (BECKON_PROFILE_EDITOR (object)->proposed_model);
  g_free (BECKON_PROFILE_EDITOR (object)->bound_command);
  g_free (BECKON_PROFILE_EDITOR (object)->bound_origin);
  G_OBJECT_CLASS (beckon_profile_editor_parent_class)->finalize (object);
}

static void
beckon_profile_editor_class_init (BeckonProfileEditorClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_profile_editor_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_profile_editor_finalize;
  saved_signal = g_signal_new ("saved", BECKON_TYPE_PROFILE_EDITOR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                               G_TYPE_STRING);
  remove_signal = g_signal_new ("remove", BECKON_TYPE_PROFILE_EDITOR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                G_TYPE_STRING);
  g_type_ensure (BECKON_TYPE_FALLBACK_GROUP);
  g_type_ensure (BECKON_TYPE_MODEL_CHOOSER);
  g_type_ensure (BECKON_TYPE_PROFILE_DETAILS);
  g_type_ensure (BECKON_TYPE_SIGN_IN_ROW);
  g_type_ensure (BECKON_TYPE_WHOLE_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/profile-editor.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileEditor, save_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileEditor, page);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileEditor, error_group);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileEditor, error_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileEditor, session_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileEditor, fields_group);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileEditor, provider_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileEditor, name_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileEditor, kind_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileEditor, url_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileEditor, model_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileEditor, key_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileEditor, sign_in_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileEditor, program_expander);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileEditor, program_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileEditor, stored_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileEditor, reveal_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileEditor, model_chooser);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileEditor, model_group);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileEditor, test_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileEditor, test_spinner);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileEditor, test_image);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileEditor, test_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileEditor, fallback_group);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileEditor, toasts);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileEditor, details);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileEditor, rounds_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileEditor, rounds_scale);
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileEditor, remove_group);
  gtk_widget_class_bind_template_callback (widget_class, profile_editor_on_save_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_session_clicked);
  gtk_widget_class_bind_template_callback (widget_class, profile_editor_on_signed_in);
  gtk_widget_class_bind_template_callback (widget_class, on_sign_in_failed);
  gtk_widget_class_bind_template_callback (widget_class, on_program_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_forget_clicked);
  gtk_widget_class_bind_template_callback (widget_class, profile_editor_on_remove_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_rounds_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_url_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_provider_selected);
  gtk_widget_class_bind_template_callback (widget_class, on_models_wanted);
  gtk_widget_class_bind_template_callback (widget_class, on_model_chosen);
  gtk_widget_class_bind_template_callback (widget_class, on_model_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_key_left);
  gtk_widget_class_bind_template_callback (widget_class, on_test_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_reveal_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_tested_changed);
}

static void
beckon_profile_editor_init (BeckonProfileEditor *self)
{
  GPtrArray *presets = beckon_preset_get_all ();
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  self->cancellable = g_cancellable_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  self->trial = beckon_profile_trial_new (self->test_row, self->test_spinner, self->test_image, self->test_button);
  for (guint i = 0; i < presets->len; i++)
    gtk_string_list_append (names, beckon_preset_get_name (g_ptr_array_index (presets, i)));
  gtk_string_list_append (names, _("Another"));
  adw_combo_row_set_model (self->provider_row, G_LIST_MODEL (names));
  beckon_entry_row_name (self->name_row);
  beckon_entry_row_name (self->url_row);
  beckon_entry_row_name (self->model_row);
  beckon_entry_row_name (self->key_row);
  beckon_entry_row_name (self->program_row);
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (self->program_expander), FALSE);
}

GtkWidget *
beckon_profile_editor_new (BeckonRuntime *runtime, BeckonProfile *profile, const char *preset_id)
{
  BeckonProfileEditor *self = g_object_new (BECKON_TYPE_PROFILE_EDITOR, NULL);
  GPtrArray *presets = beckon_preset_get_all ();
  BeckonPreset *preset;
  guint position = presets->len;

  self->runtime = g_object_ref (runtime);
  self->stored_key = beckon_stored_key_new (self->stored_row, self->reveal_button, beckon_runtime_get_secrets (runtime));
  self->existing = profile != NULL;
  self->profile = profile != NULL ? beckon_profile_copy (profile) : beckon_profile_new (NULL, BECKON_PROFILE_CHAT);
  self->bound_command = g_strdup (beckon_profile_get_key_command (self->profile));
  self->bound_origin = g_strdup (beckon_profile_get_key_origin (self->profile));
  if (profile == NULL)
    {
      self->preset = beckon_preset_lookup (preset_id != NULL ? preset_id : "openai");
      beckon_preset_apply (self->preset, self->profile);
    }

  self->showing = TRUE;
  preset = beckon_preset_for_url (beckon_profile_get_base_url (self->profile), beckon_profile_get_kind (self->profile));
  if (preset != NULL)
    g_ptr_array_find (presets, preset, &position);
  adw_combo_row_set_selected (self->provider_row, position);
  gtk_editable_set_text (self->name_row, beckon_profile_get_name (self->profile));
  select_kind (self, beckon_profile_get_kind (self->profile));
  gtk_editable_set_text (self->url_row, beckon_profile_get_base_url (self->profile));
  gtk_editable_set_text (self->model_row, beckon_profile_get_model (self->profile));
  gtk_editable_set_text (self->program_row, beckon_profile_get_key_command (self->profile));
  adw_expander_row_set_expanded (self->program_expander, *beckon_profile_get_key_command (self->profile) != '\0');
  gtk_range_set_value (self->rounds_scale, beckon_profile_get_effective_rounds (self->profile));
  beckon_fallback_group_set_profiles (self->fallback_group, G_LIST_MODEL (beckon_runtime_get_profiles (self->runtime)),
                                      self->profile);
  beckon_profile_details_show (self->details, self->profile);
  gtk_widget_set_visible (self->remove_group, self->existing);
  self->showing = FALSE;
  update_details (self);
  on_rounds_changed (self);
  if (self->existing)
    beckon_stored_key_find (self->stored_key, self->profile);
  beckon_sheet_set_focus (BECKON_SHEET (self),
                          GTK_WIDGET (gtk_editable_get_delegate (self->existing ? self->name_row : self->key_row)));
  return GTK_WIDGET (self);
}

void
beckon_profile_editor_focus_model (BeckonProfileEditor *self)
{
  gtk_widget_child_focus (GTK_WIDGET (self->model_chooser), GTK_DIR_TAB_FORWARD);
}
