/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-channel-editor.h"

#include "base/beckon-text-printf.h"
#include "channels/beckon-channel-kind.h"
#include "ui/composer/beckon-mode-button.h"
#include "ui/widgets/beckon-controls.h"
#include "ui/widgets/beckon-files.h"
#include "ui/widgets/beckon-flow-layout.h"

#include <glib/gi18n-lib.h>

/* Quiet hours are chosen in steps of so many minutes. */
#define STEP 30
#define DAY (24 * 60)

struct _BeckonChannelEditor
{
  BeckonSheet parent_instance;

  BeckonRuntime *runtime;   /* (owned) */
  BeckonChannels *channels; /* (owned) */
  BeckonChannel *channel;   /* (owned) (nullable) */
  GPtrArray *field_rows;    /* (owned) (element-type GtkWidget): of the kind's fields; borrowed from the group */
  GPtrArray *profile_ids;   /* (owned) (element-type utf8) (nullable elements): by the profile row's items */
  char *folder;             /* (owned) (nullable) */
  char *proposed_name;      /* (owned) (nullable): not typed by a person */
  gboolean is_gone;

  GtkWidget *save_button;
  GtkWidget *page;
  GtkWidget *error_group;
  GtkLabel *error_label;
  AdwComboRow *kind_row;
  GtkLabel *note_label;
  AdwPreferencesGroup *fields_group;
  GtkEditable *name_row;
  GtkEditable *secret_row;
  GtkWidget *permissions_group;
  GtkWidget *conversations_group;
  GtkSwitch *approves_switch;
  AdwExpanderRow *quiet_row;
  AdwComboRow *from_row;
  AdwComboRow *to_row;
  AdwComboRow *profile_row;
  AdwActionRow *folder_row;
  GtkWidget *clear_folder_button;
  AdwComboRow *mode_row;
};

G_DEFINE_FINAL_TYPE (BeckonChannelEditor, beckon_channel_editor, BECKON_TYPE_SHEET)

static guint saved_signal;

static void
channel_editor_show_error (BeckonChannelEditor *self, const char *words)
{
  gtk_label_set_text (self->error_label, words != NULL ? words : "");
  gtk_widget_set_visible (self->error_group, words != NULL);
}

static BeckonChannelAccount *
channel_editor_get_account (BeckonChannelEditor *self)
{
  return self->channel != NULL ? beckon_channel_get_account (self->channel) : NULL;
}

/* (nullable): an account of a kind that this build does not have is left as it is. */
static const BeckonChannelKind *
get_kind (BeckonChannelEditor *self)
{
  guint selected = adw_combo_row_get_selected (self->kind_row);
  guint n;

  const BeckonChannelKind *const *kinds = beckon_channel_kind_list (&n);

  if (self->channel != NULL)
    return beckon_channel_kind_find (channel_editor_get_account (self)->kind);
  return selected < n ? kinds[selected] : NULL;
}

/* --- The fields of a kind ----------------------------------------------------------------------------------------- */

static GtkWidget *
make_entry (const BeckonChannelField *field, const char *value)
{
  GtkWidget *row = adw_entry_row_new ();
  /* An example, or what an empty field means, belongs to its title. */
  /* Translators: a setting, and an example of it or what it is when it is empty */
  g_autofree char *title = field->hint != NULL
                               ? beckon_text_printf (_("%1$s (%2$s)"), _(field->title), _(field->hint))
                               : g_strdup (_(field->title));

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  gtk_editable_set_text (GTK_EDITABLE (row), value != NULL ? value : "");
  beckon_entry_row_name (GTK_EDITABLE (row));
  return row;
}

static GtkWidget *
make_switch (const BeckonChannelField *field, const char *value)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *toggle = gtk_switch_new ();

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _(field->title));
  gtk_widget_set_valign (toggle, GTK_ALIGN_CENTER);
  gtk_switch_set_active (GTK_SWITCH (toggle), g_strcmp0 (value, "on") == 0);
  beckon_own_name_set (toggle, _(field->title));
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), toggle);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), toggle);
  g_object_set_data (G_OBJECT (row), "switch", toggle);
  return row;
}

static void
add_fields (BeckonChannelEditor *self, const BeckonChannelKind *kind, gboolean are_required)
{
  for (const BeckonChannelField *field = kind->fields; field->key != NULL; field++)
    if (!field->is_found && field->is_required == are_required)
      {
        const char *config = self->channel != NULL ? channel_editor_get_account (self)->config : NULL;
        g_autofree char *value = beckon_channel_config_dup_value (config, field->key);
        GtkWidget *row = field->is_switch ? make_switch (field, value) : make_entry (field, value);

        g_object_set_data (G_OBJECT (row), "key", (gpointer) field->key);
        adw_preferences_group_add (self->fields_group, row);
        g_ptr_array_add (self->field_rows, row);
      }
}

static void
show_kind (BeckonChannelEditor *self)
{
  const BeckonChannelKind *kind = get_kind (self);
  g_autoptr (GtkWidget) secret = NULL;

  gtk_widget_set_sensitive (self->save_button, kind != NULL);
  if (kind == NULL)
    return;
  gtk_label_set_text (self->note_label, kind->note != NULL ? _(kind->note) : "");
  gtk_widget_set_visible (GTK_WIDGET (self->note_label), kind->note != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->secret_row), kind->secret != NULL);
  if (kind->secret != NULL)
    adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->secret_row), _(kind->secret));
  beckon_entry_row_name (self->secret_row);
  gtk_widget_set_visible (self->permissions_group, !kind->is_one_way);
  gtk_widget_set_visible (self->conversations_group, !kind->is_one_way);

  /* An address stands before its password, and what may be left empty behind it. */
  secret = g_object_ref (GTK_WIDGET (self->secret_row));
  for (guint i = 0; i < self->field_rows->len; i++)
    adw_preferences_group_remove (self->fields_group, g_ptr_array_index (self->field_rows, i));
  g_ptr_array_set_size (self->field_rows, 0);
  adw_preferences_group_remove (self->fields_group, secret);
  add_fields (self, kind, TRUE);
  adw_preferences_group_add (self->fields_group, secret);
  add_fields (self, kind, FALSE);

  if (self->channel == NULL)
    {
      g_autofree char *typed = beckon_entry_row_dup_text (self->name_row);

      if (*typed == '\0' || g_strcmp0 (typed, self->proposed_name) == 0)
        gtk_editable_set_text (self->name_row, _(kind->title));
      g_free (self->proposed_name);
      self->proposed_name = g_strdup (_(kind->title));
    }
}

static void
on_kind_changed (BeckonChannelEditor *self)
{
  channel_editor_show_error (self, NULL);
  show_kind (self);
}

/* --- Where it works ----------------------------------------------------------------------------------------------- */

static void
show_folder (BeckonChannelEditor *self)
{
  g_autofree char *shown = self->folder != NULL ? beckon_folder_name_shorten (self->folder) : g_strdup (_("None"));

  adw_action_row_set_subtitle (self->folder_row, shown);
  gtk_widget_set_visible (self->clear_folder_button, self->folder != NULL);
}

static void
on_folder_chosen (GtkWidget *owner, const char *path)
{
  BeckonChannelEditor *self = BECKON_CHANNEL_EDITOR (owner);

  g_free (self->folder);
  self->folder = g_strdup (path);
  show_folder (self);
}

static void
on_choose_folder (BeckonChannelEditor *self)
{
  beckon_folder_choose (GTK_WIDGET (self), on_folder_chosen);
}

static void
on_clear_folder (BeckonChannelEditor *self)
{
  g_clear_pointer (&self->folder, g_free);
  show_folder (self);
}

/* --- Quiet hours -------------------------------------------------------------------------------------------------- */

/* A minute between the steps, which was set elsewhere, is the last of the list. */
static void
list_times (AdwComboRow *row, guint minute)
{
  g_autoptr (GtkStringList) times = gtk_string_list_new (NULL);

  for (guint i = 0; i < DAY; i += STEP)
    {
      g_autofree char *time = g_strdup_printf ("%02u:%02u", i / 60, i % 60);

      gtk_string_list_append (times, time);
    }
  if (minute % STEP != 0)
    {
      g_autofree char *time = g_strdup_printf ("%02u:%02u", minute / 60, minute % 60);

      gtk_string_list_append (times, time);
    }
  adw_combo_row_set_model (row, G_LIST_MODEL (times));
  adw_combo_row_set_selected (row, minute % STEP != 0 ? DAY / STEP : minute / STEP);
}

static guint
get_time (AdwComboRow *row, guint before)
{
  guint selected = adw_combo_row_get_selected (row);

  return selected < DAY / STEP ? selected * STEP : before;
}

/* --- Saving ------------------------------------------------------------------------------------------------------- */

/* Settings that nobody enters stay as they are. */
static char *
make_config (BeckonChannelEditor *self)
{
  char *config = g_strdup (self->channel != NULL ? channel_editor_get_account (self)->config : "{}");

  for (guint i = 0; i < self->field_rows->len; i++)
    {
      GtkWidget *row = g_ptr_array_index (self->field_rows, i);
      g_autofree char *before = config;
      GtkSwitch *toggle = g_object_get_data (G_OBJECT (row), "switch");
      g_autofree char *value = toggle == NULL ? beckon_entry_row_dup_text (GTK_EDITABLE (row))
                                              : g_strdup (gtk_switch_get_active (toggle) ? "on" : NULL);

      config = beckon_channel_config_set_value (before, g_object_get_data (G_OBJECT (row), "key"), value);
    }
  return config;
}

static void
channel_editor_replace (char **place, char *text)
{
  g_free (*place);
  *place = text;
}

static BeckonChannelAccount *
make_account (BeckonChannelEditor *self, const BeckonChannelKind *kind)
{
  BeckonChannelAccount *account = self->channel != NULL ? beckon_channel_account_copy (channel_editor_get_account (self))
                                                        : beckon_channel_account_new (kind->name, "");
  guint profile = adw_combo_row_get_selected (self->profile_row);
  gboolean is_quiet;

  channel_editor_replace (&account->name, beckon_entry_row_dup_text (self->name_row));
  channel_editor_replace (&account->config, make_config (self));
  if (profile < self->profile_ids->len)
    channel_editor_replace (&account->profile_id, g_strdup (g_ptr_array_index (self->profile_ids, profile)));
  channel_editor_replace (&account->folder, g_strdup (self->folder));
  account->mode = (BeckonMode) adw_combo_row_get_selected (self->mode_row);
  account->approves = gtk_switch_get_active (self->approves_switch);
  is_quiet = adw_expander_row_get_enable_expansion (self->quiet_row);
  account->quiet_from = is_quiet ? get_time (self->from_row, account->quiet_from) : 0;
  account->quiet_to = is_quiet ? get_time (self->to_row, account->quiet_to) : 0;
  return account;
}

static void
channel_editor_set_busy (BeckonChannelEditor *self, gboolean is_busy)
{
  gtk_widget_set_sensitive (self->save_button, !is_busy);
  beckon_sheet_set_page_sensitive (BECKON_SHEET (self), self->page, !is_busy);
}

static void
channel_editor_on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonChannelEditor) self = user_data;
  g_autoptr (GError) error = NULL;
  BeckonChannel *channel = beckon_channels_save_finish (BECKON_CHANNELS (source), result, &error);

  if (self->is_gone)
    return;
  channel_editor_set_busy (self, FALSE);
  if (channel == NULL)
    {
      channel_editor_show_error (self, error->message);
      return;
    }
  g_signal_emit (self, saved_signal, 0, channel);
  beckon_sheet_close (BECKON_SHEET (self));
}

static void
channel_editor_on_save_clicked (BeckonChannelEditor *self)
{
  const BeckonChannelKind *kind = get_kind (self);
  g_autoptr (BeckonChannelAccount) account = kind != NULL ? make_account (self, kind) : NULL;
  const char *secret = gtk_editable_get_text (self->secret_row);
  g_autoptr (GError) error = NULL;

  if (account == NULL)
    return;
  if (!beckon_channel_config_check (kind, account->config, &error) || !beckon_channel_account_check (account, &error))
    {
      channel_editor_show_error (self, error->message);
      return;
    }
  channel_editor_show_error (self, NULL);
  channel_editor_set_busy (self, TRUE);
  beckon_channels_save_async (self->channels, account, *secret != '\0' ? secret : NULL, NULL, channel_editor_on_saved,
                              g_object_ref (self));
}

static void
save_by_key (GtkWidget *widget, const char *name, GVariant *parameter)
{
  gtk_widget_activate (BECKON_CHANNEL_EDITOR (widget)->save_button);
}

/* --- The class ---------------------------------------------------------------------------------------------------- */

static void
beckon_channel_editor_dispose (GObject *object)
{
  BeckonChannelEditor *self = BECKON_CHANNEL_EDITOR (object);

  self->is_gone = TRUE;
  g_clear_object (&self->runtime);
  g_clear_object (&self->channels);
  G_OBJECT_CLASS (beckon_channel_editor_parent_class)->dispose (object);
}

static void
beckon_channel_editor_finalize (GObject *object)
{
  BeckonChannelEditor *self = BECKON_CHANNEL_EDITOR (object);

  g_clear_object (&self->channel);
  g_ptr_array_unref (self->field_rows);
  g_ptr_array_unref (self->profile_ids);
  g_free (self->folder);
  g_free (self->proposed_name);
  G_OBJECT_CLASS (beckon_channel_editor_parent_class)->finalize (object);
}

static void
beckon_channel_editor_class_init (BeckonChannelEditorClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_channel_editor_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_channel_editor_finalize;
  g_type_ensure (BECKON_TYPE_WHOLE_LAYOUT);
  saved_signal = g_signal_new ("saved", BECKON_TYPE_CHANNEL_EDITOR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                               BECKON_TYPE_CHANNEL);
  gtk_widget_class_install_action (widget_class, "editor.save", NULL, save_by_key);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/channel-editor.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonChannelEditor, save_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonChannelEditor, page);
  gtk_widget_class_bind_template_child (widget_class, BeckonChannelEditor, error_group);
  gtk_widget_class_bind_template_child (widget_class, BeckonChannelEditor, error_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonChannelEditor, kind_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonChannelEditor, note_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonChannelEditor, fields_group);
  gtk_widget_class_bind_template_child (widget_class, BeckonChannelEditor, name_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonChannelEditor, secret_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonChannelEditor, permissions_group);
  gtk_widget_class_bind_template_child (widget_class, BeckonChannelEditor, conversations_group);
  gtk_widget_class_bind_template_child (widget_class, BeckonChannelEditor, approves_switch);
  gtk_widget_class_bind_template_child (widget_class, BeckonChannelEditor, quiet_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonChannelEditor, from_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonChannelEditor, to_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonChannelEditor, profile_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonChannelEditor, folder_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonChannelEditor, clear_folder_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonChannelEditor, mode_row);
  gtk_widget_class_bind_template_callback (widget_class, channel_editor_on_save_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_kind_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_choose_folder);
  gtk_widget_class_bind_template_callback (widget_class, on_clear_folder);
}

static void
beckon_channel_editor_init (BeckonChannelEditor *self)
{
  self->field_rows = g_ptr_array_new ();
  self->profile_ids = g_ptr_array_new_with_free_func (g_free);
  gtk_widget_init_template (GTK_WIDGET (self));
  beckon_entry_row_name (self->name_row);
}

static void
show_account (BeckonChannelEditor *self, BeckonChannelAccount *account)
{
  const guint from = account != NULL ? account->quiet_from : 0;
  const guint to = account != NULL ? account->quiet_to : 0;
  const gboolean is_quiet = from != to;
  GListModel *profiles = G_LIST_MODEL (beckon_runtime_get_profiles (self->runtime));
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  g_autoptr (GtkStringList) modes = gtk_string_list_new (NULL);
  guint selected = 0;

  beckon_sheet_set_title (BECKON_SHEET (self), account != NULL ? _("Channel") : _("Add a Channel"));
  gtk_widget_set_visible (GTK_WIDGET (self->kind_row), account == NULL);
  if (account != NULL)
    gtk_editable_set_text (self->name_row, account->name);
  self->folder = g_strdup (account != NULL ? account->folder : NULL);
  gtk_switch_set_active (self->approves_switch, account != NULL && account->approves);
  list_times (self->from_row, is_quiet ? from : 22 * 60);
  list_times (self->to_row, is_quiet ? to : 7 * 60);
  adw_expander_row_set_enable_expansion (self->quiet_row, is_quiet);
  adw_expander_row_set_expanded (self->quiet_row, is_quiet);

  gtk_string_list_append (names, _("The Default One"));
  g_ptr_array_add (self->profile_ids, NULL);
  for (guint i = 0; i < g_list_model_get_n_items (profiles); i++)
    {
      g_autoptr (BeckonProfile) profile = g_list_model_get_item (profiles, i);

      if (beckon_profile_get_kind (profile) == BECKON_PROFILE_TOUR)
        continue;
      gtk_string_list_append (names, beckon_profile_get_name (profile));
      g_ptr_array_add (self->profile_ids, g_strdup (beckon_profile_get_id (profile)));
      if (g_strcmp0 (beckon_profile_get_id (profile), account != NULL ? account->profile_id : NULL) == 0)
        selected = self->profile_ids->len - 1;
    }
  adw_combo_row_set_model (self->profile_row, G_LIST_MODEL (names));
  adw_combo_row_set_selected (self->profile_row, selected);

  for (guint i = 0; i < BECKON_MODE_N_MODES; i++)
    gtk_string_list_append (modes, beckon_mode_button_get_name ((BeckonMode) i));
  adw_combo_row_set_model (self->mode_row, G_LIST_MODEL (modes));
  adw_combo_row_set_selected (self->mode_row, account != NULL ? account->mode : BECKON_MODE_DEFAULT);

  show_folder (self);
}

GtkWidget *
beckon_channel_editor_new (BeckonRuntime *runtime, BeckonChannels *channels, BeckonChannel *channel)
{
  BeckonChannelEditor *self = g_object_new (BECKON_TYPE_CHANNEL_EDITOR, NULL);
  g_autoptr (GtkStringList) names = NULL;
  guint n;

  const BeckonChannelKind *const *kinds;

  self->runtime = g_object_ref (runtime);
  self->channels = g_object_ref (channels);
  self->channel = channel != NULL ? g_object_ref (channel) : NULL;
  show_account (self, channel_editor_get_account (self));

  names = gtk_string_list_new (NULL);
  kinds = beckon_channel_kind_list (&n);
  for (guint i = 0; i < n; i++)
    gtk_string_list_append (names, _(kinds[i]->title));
  adw_combo_row_set_model (self->kind_row, G_LIST_MODEL (names));

  show_kind (self);
  if (channel == NULL)
    {
      gtk_button_set_label (GTK_BUTTON (self->save_button), _("Add"));
      beckon_own_name_set (self->save_button, _("Add the channel"));
    }
  beckon_sheet_set_focus (BECKON_SHEET (self), channel == NULL ? GTK_WIDGET (self->kind_row)
                          : GTK_WIDGET (gtk_editable_get_delegate (self->name_row)));
  return GTK_WIDGET (self);
}
