/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-parameter-editor.h"

#include "base/beckon-text.h"
#include "form/beckon-form-member.h"
#include "ui/forms/beckon-form-group.h"
#include "ui/widgets/beckon-controls.h"
#include "ui/widgets/beckon-flow-layout.h"
#include "ui/widgets/beckon-scrolled.h"

#include <glib/gi18n-lib.h>

struct _BeckonParameterEditor
{
  BeckonSheet parent_instance;

  BeckonRuntime *runtime;         /* (owned) */
  BeckonToolParameter *parameter; /* (owned): as it was when it was opened, or chosen */
  BeckonForm *form;               /* (owned) (nullable): of the value that it always has */
  gboolean chooses;

  GtkWidget *save_button;
  GtkWidget *error_group;
  GtkLabel *error_label;
  AdwPreferencesGroup *what_group;
  AdwActionRow *fixed_row;
  AdwComboRow *tool_row;
  AdwComboRow *name_row;
  GtkSwitch *pinned_switch;
  GtkWidget *pinned_box;
  AdwBin *form_slot;
  GtkTextView *allowed_view;
  AdwComboRow *access_row;
};

G_DEFINE_FINAL_TYPE (BeckonParameterEditor, beckon_parameter_editor, BECKON_TYPE_SHEET)

/* --- Showing ------------------------------------------------------------------------------------------------------ */

static gboolean
are_texts (BeckonParameterEditor *self)
{
  BeckonFormField *field = beckon_form_get_member (self->form);

  return field != NULL && (field->kind == BECKON_FORM_TEXT || (field->json != NULL && field->json[0] == '"'));
}

static void
show_pinned (BeckonParameterEditor *self)
{
  gtk_widget_set_visible (self->pinned_box, gtk_switch_get_active (self->pinned_switch));
}

static void
on_form_changed (BeckonParameterEditor *self)
{
  beckon_form_group_update (BECKON_FORM_GROUP (adw_bin_get_child (self->form_slot)), beckon_form_get_root (self->form));
}

static void
drop_form (BeckonParameterEditor *self)
{
  if (self->form != NULL)
    g_signal_handlers_disconnect_by_data (self->form, self);
  g_clear_object (&self->form);
}

static void
show_values (BeckonParameterEditor *self)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->allowed_view);
  g_autofree char *lines = NULL;
  BeckonTool *tool;

  drop_form (self);
  tool = beckon_tool_registry_lookup (beckon_runtime_get_tools (self->runtime), self->parameter->tool);
  self->form = beckon_form_new_member (tool != NULL ? beckon_tool_get_definition (tool)->schema : NULL,
                                       self->parameter->name, self->parameter->pinned);
  g_signal_connect_swapped (self->form, "changed", G_CALLBACK (on_form_changed), self);
  adw_bin_set_child (self->form_slot, beckon_form_group_new (self->form, beckon_form_get_root (self->form)));
  gtk_switch_set_active (self->pinned_switch, self->parameter->pinned != NULL);
  lines = beckon_form_split_values (self->parameter->allowed, are_texts (self));
  gtk_text_buffer_set_text (buffer, lines, -1);
  adw_combo_row_set_selected (self->access_row, self->parameter->access);
  show_pinned (self);
}

/* --- Choosing ----------------------------------------------------------------------------------------------------- */

static const char *
get_chosen (AdwComboRow *row)
{
  GtkStringObject *chosen = adw_combo_row_get_selected_item (row);

  return chosen != NULL ? gtk_string_object_get_string (chosen) : NULL;
}

/* An existing override is what is edited. */
static void
on_name_chosen (BeckonParameterEditor *self)
{
  const char *tool = get_chosen (self->tool_row);
  const char *name = get_chosen (self->name_row);
  BeckonToolParameter *known;

  if (tool == NULL || name == NULL)
    return;
  known = beckon_argument_overrides_lookup (beckon_runtime_get_parameters (self->runtime), tool, NULL, name);
  g_clear_pointer (&self->parameter, beckon_tool_parameter_unref);
  self->parameter = known != NULL ? beckon_tool_parameter_copy (known) : beckon_tool_parameter_new (tool, NULL, name);
  show_values (self);
}

static void
on_tool_chosen (BeckonParameterEditor *self)
{
  const char *name = get_chosen (self->tool_row);
  BeckonTool *tool = name != NULL ? beckon_tool_registry_lookup (beckon_runtime_get_tools (self->runtime), name) : NULL;
  g_auto (GStrv) names = beckon_form_list_members (tool != NULL ? beckon_tool_get_definition (tool)->schema : NULL);
  g_autoptr (GtkStringList) list = gtk_string_list_new ((const char *const *) names);

  adw_combo_row_set_model (self->name_row, G_LIST_MODEL (list));
  on_name_chosen (self);
}

/* --- Saving ------------------------------------------------------------------------------------------------------- */

static void
parameter_editor_show_error (BeckonParameterEditor *self, const char *message)
{
  gtk_label_set_text (self->error_label, message != NULL ? message : "");
  gtk_widget_set_visible (self->error_group, message != NULL);
}

static void
parameter_editor_on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonParameterEditor) self = user_data;
  g_autoptr (GError) error = NULL;
  gboolean saved = beckon_argument_overrides_save_finish (BECKON_ARGUMENT_OVERRIDES (source), result, &error);

  if (self->runtime == NULL)
    return;
  gtk_widget_set_sensitive (self->save_button, TRUE);
  if (saved)
    beckon_sheet_close (BECKON_SHEET (self));
  else
    parameter_editor_show_error (self, error->message);
}

static void
parameter_editor_on_save_clicked (BeckonParameterEditor *self)
{
  g_autoptr (BeckonToolParameter) made
      = beckon_tool_parameter_new (self->parameter->tool, self->parameter->server, self->parameter->name);
  BeckonFormField *field = beckon_form_get_member (self->form);
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->allowed_view);
  GtkTextIter start, end;
  g_autofree char *lines = NULL;
  g_autoptr (GError) error = NULL;

  made->access = (BeckonFormAccess) adw_combo_row_get_selected (self->access_row);
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  lines = gtk_text_buffer_get_text (buffer, &start, &end, FALSE);
  made->allowed = beckon_form_join_values (lines, are_texts (self));
  if (gtk_switch_get_active (self->pinned_switch))
    made->pinned = g_strdup (field != NULL && field->json != NULL ? field->json : "");
  made->changed_at = g_get_real_time ();

  if (made->pinned != NULL && !beckon_form_is_valid (self->form))
    {
      parameter_editor_show_error (self, _("The tool does not take this value."));
      return;
    }
  if (!beckon_tool_parameter_check (made, &error))
    {
      parameter_editor_show_error (self, error->message);
      return;
    }
  parameter_editor_show_error (self, NULL);
  gtk_widget_set_sensitive (self->save_button, FALSE);
  beckon_argument_overrides_save_async (beckon_runtime_get_parameters (self->runtime), made, NULL, parameter_editor_on_saved,
                                        g_object_ref (self));
}

static void
beckon_parameter_editor_dispose (GObject *object)
{
  BeckonParameterEditor *self = BECKON_PARAMETER_EDITOR (object);

  drop_form (self);
  g_clear_pointer (&self->parameter, beckon_tool_parameter_unref);
  g_clear_object (&self->runtime);
  G_OBJECT_CLASS (beckon_parameter_editor_parent_class)->dispose (object);
}

static void
beckon_parameter_editor_class_init (BeckonParameterEditorClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_parameter_editor_dispose;
  g_type_ensure (BECKON_TYPE_WHOLE_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/parameter-editor.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonParameterEditor, save_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonParameterEditor, error_group);
  gtk_widget_class_bind_template_child (widget_class, BeckonParameterEditor, error_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonParameterEditor, what_group);
  gtk_widget_class_bind_template_child (widget_class, BeckonParameterEditor, fixed_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonParameterEditor, tool_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonParameterEditor, name_row);
  gtk_widget_class_bind_template_child (widget_class, BeckonParameterEditor, pinned_switch);
  gtk_widget_class_bind_template_child (widget_class, BeckonParameterEditor, pinned_box);
  gtk_widget_class_bind_template_child (widget_class, BeckonParameterEditor, form_slot);
  gtk_widget_class_bind_template_child (widget_class, BeckonParameterEditor, allowed_view);
  gtk_widget_class_bind_template_child (widget_class, BeckonParameterEditor, access_row);
  gtk_widget_class_bind_template_callback (widget_class, parameter_editor_on_save_clicked);
  gtk_widget_class_bind_template_callback (widget_class, show_pinned);
}

static void
beckon_parameter_editor_init (BeckonParameterEditor *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  beckon_scroll_past (GTK_WIDGET (self->allowed_view));
}

GtkWidget *
beckon_parameter_editor_new (BeckonRuntime *runtime, const BeckonToolParameter *parameter)
{
  BeckonParameterEditor *self = g_object_new (BECKON_TYPE_PARAMETER_EDITOR, NULL);

  self->runtime = g_object_ref (runtime);
  self->chooses = parameter == NULL;
  if (parameter != NULL)
    self->parameter = beckon_tool_parameter_copy (parameter);
  gtk_widget_set_visible (GTK_WIDGET (self->fixed_row), !self->chooses);
  gtk_widget_set_visible (GTK_WIDGET (self->tool_row), self->chooses);
  gtk_widget_set_visible (GTK_WIDGET (self->name_row), self->chooses);
  if (self->chooses)
    {
      GPtrArray *tools = beckon_tool_registry_list_all (beckon_runtime_get_tools (self->runtime));
      g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);

      for (guint i = 0; i < tools->len; i++)
        {
          BeckonTool *tool = g_ptr_array_index (tools, i);
          g_auto (GStrv) names = beckon_form_list_members (beckon_tool_get_definition (tool)->schema);

          if (names[0] != NULL && !beckon_tool_needs_person (tool))
            gtk_string_list_append (list, beckon_tool_get_name (tool));
        }
      adw_combo_row_set_model (self->tool_row, G_LIST_MODEL (list));

      on_tool_chosen (self);
      g_signal_connect_swapped (self->tool_row, "notify::selected", G_CALLBACK (on_tool_chosen), self);
      g_signal_connect_swapped (self->name_row, "notify::selected", G_CALLBACK (on_name_chosen), self);
    }
  else
    {
      adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->fixed_row), self->parameter->name);
      adw_action_row_set_subtitle (self->fixed_row, self->parameter->tool);
      show_values (self);
    }
  return GTK_WIDGET (self);
}

void
beckon_parameter_editor_show_for (GtkWidget *parent, BeckonRuntime *runtime, const char *tool, const char *server,
                                  const char *name, const char *json)
{
  BeckonToolParameter *known
      = beckon_argument_overrides_lookup (beckon_runtime_get_parameters (runtime), tool, server, name);
  g_autoptr (BeckonToolParameter) proposed
      = known != NULL ? beckon_tool_parameter_copy (known) : beckon_tool_parameter_new (tool, server, name);
  GtkWidget *editor;

  g_free (proposed->pinned);
  proposed->pinned = g_strdup (json);
  editor = beckon_parameter_editor_new (runtime, proposed);
  beckon_sheet_present (BECKON_SHEET (editor), parent);
}
