/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-tools-page.h"

#include "base/beckon-worker.h"
#include "beckon-settings-labels.h"
#include "domain/beckon-memory.h"
#include "sandbox/beckon-sandbox.h"
#include "sandbox/beckon-tool-chains.h"
#include "tools/beckon-ask-user.h"
#include "ui/widgets/beckon-alert.h"
#include "ui/widgets/beckon-controls.h"

#include <glib/gi18n-lib.h>

#define KEY_TOOL_CHAINS "tool-chains"

#define BECKON_TYPE_TOOL_CHAIN_GROUP (beckon_tool_chain_group_get_type ())
G_DECLARE_FINAL_TYPE (BeckonToolChainGroup, beckon_tool_chain_group, BECKON, TOOL_CHAIN_GROUP, AdwPreferencesGroup)

struct _BeckonToolChainGroup
{
  AdwPreferencesGroup parent_instance;

  BeckonSettings *settings;  /* (owned) */
  GCancellable *cancellable; /* (owned) */
  GPtrArray *switches;       /* (owned) (element-type GtkSwitch): each with its "name" */
};

G_DEFINE_FINAL_TYPE (BeckonToolChainGroup, beckon_tool_chain_group, ADW_TYPE_PREFERENCES_GROUP)

static const char *
chain_group_get_name (GtkSwitch *control)
{
  return g_object_get_data (G_OBJECT (control), "name");
}

/* The others stay as they are, those too that are not here now. */
static void
chain_group_on_switched (GtkSwitch *control, GParamSpec *property, gpointer user_data)
{
  BeckonToolChainGroup *self = user_data;
  GSettings *gsettings = beckon_settings_get_gsettings (self->settings);
  g_auto (GStrv) names = beckon_settings_dup_tool_chains (self->settings);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) result = NULL;
  gboolean is_active = gtk_switch_get_active (control);

  if (gsettings == NULL || is_active == g_strv_contains ((const char *const *) names, chain_group_get_name (control)))
    return;

  for (guint i = 0; names[i] != NULL; i++)
    if (!g_str_equal (names[i], chain_group_get_name (control)))
      g_strv_builder_add (builder, names[i]);
  if (is_active)
    g_strv_builder_add (builder, chain_group_get_name (control));
  result = g_strv_builder_end (builder);
  g_settings_set_strv (gsettings, KEY_TOOL_CHAINS, (const char *const *) result);
}

static void
chain_group_follow (BeckonToolChainGroup *self)
{
  g_auto (GStrv) names = beckon_settings_dup_tool_chains (self->settings);

  for (guint i = 0; i < self->switches->len; i++)
    {
      GtkSwitch *control = g_ptr_array_index (self->switches, i);

      gtk_switch_set_active (control, g_strv_contains ((const char *const *) names, chain_group_get_name (control)));
    }
}

static void
chain_group_on_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonToolChainGroup) self = user_data;
  g_autoptr (GPtrArray) found = g_task_propagate_pointer (G_TASK (result), NULL);

  if (found == NULL)
    return;

  for (guint i = 0; i < found->len; i++)
    {
      const BeckonToolChain *chain = g_ptr_array_index (found, i);
      GtkWidget *row = adw_action_row_new ();
      GtkWidget *control = gtk_switch_new ();

      adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
      adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), chain->title);
      if (!g_str_equal (chain->title, chain->folder))
        adw_action_row_set_subtitle (ADW_ACTION_ROW (row), chain->folder);
      gtk_widget_set_valign (control, GTK_ALIGN_CENTER);
      g_object_set_data (G_OBJECT (control), "name", (gpointer) chain->name);
      adw_action_row_add_suffix (ADW_ACTION_ROW (row), control);
      adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), control);
      adw_preferences_group_add (ADW_PREFERENCES_GROUP (self), row);
      g_ptr_array_add (self->switches, g_object_ref (control));
    }
  chain_group_follow (self);
  for (guint i = 0; i < self->switches->len; i++)
    g_signal_connect_object (g_ptr_array_index (self->switches, i), "notify::active", G_CALLBACK (chain_group_on_switched),
                             self, 0);
  gtk_widget_set_visible (GTK_WIDGET (self), found->len > 0);
}

static void
chain_group_find (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  g_task_return_pointer (task, beckon_tool_chains_find (g_get_home_dir ()), (GDestroyNotify) g_ptr_array_unref);
}

static void
beckon_tool_chain_group_dispose (GObject *object)
{
  BeckonToolChainGroup *self = BECKON_TOOL_CHAIN_GROUP (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->settings);
  g_ptr_array_set_size (self->switches, 0);
  G_OBJECT_CLASS (beckon_tool_chain_group_parent_class)->dispose (object);
}

static void
beckon_tool_chain_group_finalize (GObject *object)
{
  BeckonToolChainGroup *self = BECKON_TOOL_CHAIN_GROUP (object);

  g_object_unref (self->cancellable);
  g_ptr_array_unref (self->switches);
  G_OBJECT_CLASS (beckon_tool_chain_group_parent_class)->finalize (object);
}

static void
beckon_tool_chain_group_class_init (BeckonToolChainGroupClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_tool_chain_group_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_tool_chain_group_finalize;
}

static void
beckon_tool_chain_group_init (BeckonToolChainGroup *self)
{
  self->cancellable = g_cancellable_new ();
  self->switches = g_ptr_array_new_with_free_func (g_object_unref);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (self), _("Tool Chains in Your Home"));
  adw_preferences_group_set_description (ADW_PREFERENCES_GROUP (self),
                                         _("Commands can run these but not change them. Credentials are never shown."));
}

/**
 * BeckonToolChainGroup:
 *
 * The tool chains that were found in the person's home, each with a switch that lets commands use it. It is not visible where
 * there are none.
 */
static GtkWidget *
tool_chain_group_new (BeckonSettings *settings)
{
  BeckonToolChainGroup *self = g_object_new (BECKON_TYPE_TOOL_CHAIN_GROUP, NULL);
  g_autoptr (GTask) task = g_task_new (NULL, self->cancellable, chain_group_on_found, g_object_ref (self));

  self->settings = g_object_ref (settings);
  g_signal_connect_object (settings, "changed::" KEY_TOOL_CHAINS, G_CALLBACK (chain_group_follow), self, G_CONNECT_SWAPPED);
  g_task_set_source_tag (task, tool_chain_group_new);
  beckon_worker_run_for_person (task, chain_group_find);
  return GTK_WIDGET (self);
}

#define KEY_DISABLED_TOOLS "disabled-tools"
#define KEY_ASK_USER "enable-ask-user"

#define BECKON_TYPE_TOOL_ROW (beckon_tool_row_get_type ())
G_DECLARE_FINAL_TYPE (BeckonToolRow, beckon_tool_row, BECKON, TOOL_ROW, AdwActionRow)

/*
 * The switch of a tool, whose name is the property `tool`: whether models are offered it.
 */
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
  g_settings_set_strv (gsettings, KEY_DISABLED_TOOLS, (const char *const *) result);
}

static void
tool_row_follow (BeckonToolRow *self)
{
  g_auto (GStrv) names = beckon_settings_dup_disabled_tools (self->settings);

  gtk_switch_set_active (self->control, !g_strv_contains ((const char *const *) names, self->tool));
}

/* Shows the setting from now on, and changes it. Called once. */
static void
tool_row_bind (BeckonToolRow *self, BeckonSettings *settings)
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
  g_signal_connect_object (settings, "changed::" KEY_DISABLED_TOOLS, G_CALLBACK (tool_row_follow), self, G_CONNECT_SWAPPED);
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

struct _BeckonToolsPage
{
  AdwPreferencesPage parent_instance;

  BeckonMemory *memory;      /* (owned) */
  BeckonSettings *settings;  /* (owned) */
  GCancellable *cancellable; /* (owned) */
  gboolean is_loading;
  gboolean load_again;

  AdwPreferencesGroup *tools_group;
  AdwPreferencesGroup *web_group;
  AdwPreferencesGroup *notes_group;
  AdwActionRow *commands_row;
  AdwEntryRow *search_row;
  GtkListBox *notes;
  GtkWidget *add_button;
};

G_DEFINE_FINAL_TYPE (BeckonToolsPage, beckon_tools_page, ADW_TYPE_PREFERENCES_PAGE)

static void load_notes (BeckonToolsPage *self);

static void
tools_page_tell (BeckonToolsPage *self, const GError *error)
{
  beckon_toast_show (GTK_WIDGET (self), beckon_toast_new (error->message));
}

static void
on_put (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonToolsPage) self = user_data;
  g_autoptr (GError) error = NULL;

  if (beckon_memory_put_finish (BECKON_MEMORY (source), result, &error) || g_cancellable_is_cancelled (self->cancellable))
    return;
  tools_page_tell (self, error);
  load_notes (self);
}

static void
tools_page_on_removed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonToolsPage) self = user_data;
  g_autoptr (GError) error = NULL;

  if (beckon_memory_remove_finish (BECKON_MEMORY (source), result, &error) || g_cancellable_is_cancelled (self->cancellable))
    return;
  tools_page_tell (self, error);
  load_notes (self);
}

static void
tools_page_on_undo (BeckonToolsPage *self, AdwToast *toast)
{
  beckon_memory_put_async (self->memory, g_object_get_data (G_OBJECT (toast), "note"), on_put, g_object_ref (self));
}

/* (nullable): none of a row that is new. */
static const BeckonMemo *
get_note (GtkWidget *row)
{
  return g_object_get_data (G_OBJECT (row), "note");
}

/* @note: (nullable) */
static void
set_note (GtkWidget *row, const BeckonMemo *note)
{
  BeckonMemo *kept = note != NULL ? beckon_memo_copy (note) : NULL;

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), note == NULL        ? _("New Note")
                                                            : note->is_from_run ? _("Note From a Run")
                                                                                : C_("what is remembered", "Note"));
  beckon_entry_row_name (GTK_EDITABLE (row));
  g_object_set_data_full (G_OBJECT (row), "note", kept, (GDestroyNotify) beckon_memo_free);
}

/* A person types there. */
static gboolean
is_edited (GtkWidget *row)
{
  const BeckonMemo *note = get_note (row);

  return note == NULL || !g_str_equal (gtk_editable_get_text (GTK_EDITABLE (row)), note->text);
}

static gboolean
on_dropped (gpointer row)
{
  GtkWidget *list = gtk_widget_get_parent (GTK_WIDGET (row));

  if (list != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (list), GTK_WIDGET (row));
  return G_SOURCE_REMOVE;
}

/* Not from within a signal of its own. */
static void
drop_row (GtkWidget *row)
{
  g_idle_add_full (G_PRIORITY_HIGH, on_dropped, g_object_ref (row), g_object_unref);
}

static void
delete_note (BeckonToolsPage *self, const BeckonMemo *note)
{
  AdwToast *toast = adw_toast_new (_("Note deleted"));

  g_object_set_data_full (G_OBJECT (toast), "note", beckon_memo_copy (note), (GDestroyNotify) beckon_memo_free);
  adw_toast_set_button_label (toast, _("_Undo"));
  g_signal_connect_object (toast, "button-clicked", G_CALLBACK (tools_page_on_undo), self, G_CONNECT_SWAPPED);
  beckon_memory_remove_async (self->memory, note->id, tools_page_on_removed, g_object_ref (self));
  beckon_toast_show (GTK_WIDGET (self), toast);
}

/* An empty note is one that is taken away. */
static void
on_note_applied (BeckonToolsPage *self, GtkWidget *row)
{
  const BeckonMemo *old = get_note (row);
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (row))));
  g_autoptr (BeckonMemo) note = NULL;

  if (*text == '\0')
    {
      if (old != NULL)
        delete_note (self, old);
      drop_row (row);
      return;
    }

  note = beckon_memo_new (old != NULL ? old->id : NULL, text, g_get_real_time ());
  if (old != NULL)
    note->created_at = old->created_at;
  set_note (row, note);
  gtk_editable_set_text (GTK_EDITABLE (row), text);
  beckon_memory_put_async (self->memory, note, on_put, g_object_ref (self));
}

static void
on_delete (BeckonToolsPage *self, GtkWidget *button)
{
  GtkWidget *row = gtk_widget_get_ancestor (button, ADW_TYPE_ENTRY_ROW);
  const BeckonMemo *note = row != NULL ? get_note (row) : NULL;

  if (row == NULL)
    return;
  if (note != NULL)
    delete_note (self, note);
  drop_row (row);
}

static GtkWidget *
tools_page_make_row (BeckonToolsPage *self, const BeckonMemo *note)
{
  GtkWidget *row = adw_entry_row_new ();
  GtkWidget *button = gtk_button_new_from_icon_name ("user-trash-symbolic");

  set_note (row, note);
  adw_entry_row_set_show_apply_button (ADW_ENTRY_ROW (row), TRUE);
  if (note != NULL)
    gtk_editable_set_text (GTK_EDITABLE (row), note->text);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, _("Delete Note"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Delete Note"), -1);
  adw_entry_row_add_suffix (ADW_ENTRY_ROW (row), button);
  g_signal_connect_object (button, "clicked", G_CALLBACK (on_delete), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (row, "apply", G_CALLBACK (on_note_applied), self, G_CONNECT_SWAPPED);
  return row;
}

static GtkWidget *
get_row (BeckonToolsPage *self, int index)
{
  return GTK_WIDGET (gtk_list_box_get_row_at_index (self->notes, index));
}

/* (nullable) */
static GtkWidget *
find_row (BeckonToolsPage *self, const char *id)
{
  GtkWidget *row;

  for (int i = 0; (row = get_row (self, i)) != NULL; i++)
    if (get_note (row) != NULL && g_str_equal (get_note (row)->id, id))
      return row;

  return NULL;
}

static gboolean
tools_page_is_listed (GPtrArray *notes, const char *id)
{
  for (guint i = 0; i < notes->len; i++)
    if (g_str_equal (((const BeckonMemo *) g_ptr_array_index (notes, i))->id, id))
      return TRUE;

  return FALSE;
}

/* Unsaved text is not lost with the note that it was. */
static void
remove_gone (BeckonToolsPage *self, GPtrArray *notes)
{
  GtkWidget *row;

  for (int i = 0; (row = get_row (self, i)) != NULL; i++)
    if (get_note (row) == NULL || tools_page_is_listed (notes, get_note (row)->id))
      continue;
    else if (is_edited (row))
      set_note (row, NULL);
    else
      {
        gtk_list_box_remove (self->notes, row);
        i--;
      }
}

static void
tools_page_on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonToolsPage) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) notes = beckon_memory_list_finish (BECKON_MEMORY (source), result, &error);
  int next = 0;

  self->is_loading = FALSE;
  if (g_cancellable_is_cancelled (self->cancellable))
    return;
  if (notes == NULL)
    {
      tools_page_tell (self, error);
      return;
    }

  /* A row that is there stays where it is: somebody may be in it. */
  remove_gone (self, notes);
  while (get_row (self, next) != NULL && get_note (get_row (self, next)) == NULL)
    next++;
  for (guint i = 0; i < notes->len; i++)
    {
      const BeckonMemo *note = g_ptr_array_index (notes, i);
      GtkWidget *row = find_row (self, note->id);

      if (row == NULL)
        gtk_list_box_insert (self->notes, row = tools_page_make_row (self, note), next);
      else if (!is_edited (row))
        {
          set_note (row, note);
          gtk_editable_set_text (GTK_EDITABLE (row), note->text);
        }
      next = gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (row)) + 1;
    }
  gtk_widget_set_sensitive (self->add_button, notes->len < BECKON_MEMORY_MAX_NOTES);
  if (self->load_again)
    load_notes (self);
}

static void
load_notes (BeckonToolsPage *self)
{
  self->load_again = self->is_loading;
  if (self->is_loading)
    return;

  self->is_loading = TRUE;
  beckon_memory_list_async (self->memory, self->cancellable, tools_page_on_listed, g_object_ref (self));
}

static void
on_add (BeckonToolsPage *self)
{
  GtkWidget *row = tools_page_make_row (self, NULL);

  gtk_list_box_prepend (self->notes, row);
  gtk_widget_grab_focus (row);
}

static void
on_search_applied (BeckonToolsPage *self)
{
  GSettings *settings = beckon_settings_get_gsettings (self->settings);
  g_autofree char *address = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->search_row))));

  if (settings != NULL)
    g_settings_set_string (settings, "search-address", address);
}

static void
tools_page_on_probed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonToolsPage) self = user_data;
  g_autoptr (GError) error = NULL;

  if (beckon_sandbox_probe_finish (result, &error))
    adw_action_row_set_subtitle (self->commands_row,
                                 _("In a sandbox, without the network unless you allow it, and without your files outside "
                                   "the conversation’s folder"));
  else if (!g_cancellable_is_cancelled (self->cancellable))
    adw_action_row_set_subtitle (self->commands_row, error->message);
}

static void
beckon_tools_page_dispose (GObject *object)
{
  BeckonToolsPage *self = BECKON_TOOLS_PAGE (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->memory);
  g_clear_object (&self->settings);
  G_OBJECT_CLASS (beckon_tools_page_parent_class)->dispose (object);
}

static void
beckon_tools_page_finalize (GObject *object)
{
  g_object_unref (BECKON_TOOLS_PAGE (object)->cancellable);
  G_OBJECT_CLASS (beckon_tools_page_parent_class)->finalize (object);
}

static void
beckon_tools_page_class_init (BeckonToolsPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_tools_page_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_tools_page_finalize;
  g_type_ensure (BECKON_TYPE_TOOL_ROW);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/tools-page.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonToolsPage, tools_group);
  gtk_widget_class_bind_template_child (widget_class, BeckonToolsPage, web_group);
  gtk_widget_class_bind_template_child (widget_class, BeckonToolsPage, notes_group);
  gtk_widget_class_bind_template_child (widget_class, BeckonToolsPage, commands_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonToolsPage, search_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonToolsPage, notes);
  gtk_widget_class_bind_template_child (widget_class, BeckonToolsPage, add_button);
  gtk_widget_class_bind_template_callback (widget_class, on_add);
  gtk_widget_class_bind_template_callback (widget_class, on_search_applied);
}

static void
beckon_tools_page_init (BeckonToolsPage *self)
{
  self->cancellable = g_cancellable_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  beckon_entry_row_name (GTK_EDITABLE (self->search_row));
}

static void
move_to_end (BeckonToolsPage *self, AdwPreferencesGroup *group)
{
  AdwPreferencesPage *page = ADW_PREFERENCES_PAGE (self);

  g_object_ref (group);
  adw_preferences_page_remove (page, group);
  adw_preferences_page_add (page, group);
  g_object_unref (group);
}

static void
follow_tools (BeckonToolsPage *self, GtkWidget *widget)
{
  if (BECKON_IS_TOOL_ROW (widget))
    tool_row_bind (BECKON_TOOL_ROW (widget), self->settings);
  else
    for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
      follow_tools (self, child);
}

AdwPreferencesPage *
beckon_tools_page_new (BeckonRuntime *runtime)
{
  BeckonToolsPage *self = g_object_new (BECKON_TYPE_TOOLS_PAGE, NULL);
  GSettings *settings;
  g_autofree char *address = NULL;

  self->settings = g_object_ref (beckon_runtime_get_settings (runtime));
  self->memory = g_object_ref (BECKON_MEMORY (beckon_runtime_get_store (runtime)));
  follow_tools (self, GTK_WIDGET (self->tools_group));

  /* Below the commands, which use them. */
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (self),
                            ADW_PREFERENCES_GROUP (tool_chain_group_new (self->settings)));
  move_to_end (self, self->web_group);
  move_to_end (self, self->notes_group);

  settings = beckon_settings_get_gsettings (self->settings);
  address = beckon_settings_dup_search_address (self->settings);
  gtk_editable_set_text (GTK_EDITABLE (self->search_row), address);
  if (settings != NULL)
    beckon_settings_bind_named (settings, GTK_WIDGET (self));
  beckon_sandbox_probe_async (self->cancellable, tools_page_on_probed, g_object_ref (self));
  g_signal_connect_object (self->memory, "notes-changed", G_CALLBACK (load_notes), self, G_CONNECT_SWAPPED);
  load_notes (self);
  return ADW_PREFERENCES_PAGE (self);
}
