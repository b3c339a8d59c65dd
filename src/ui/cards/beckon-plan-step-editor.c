/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-plan-step-editor.h"

#include "base/beckon-text.h"
#include "ui/widgets/beckon-controls.h"

struct _BeckonPlanStepEditor
{
  AdwBin parent_instance;

  GtkEditable *tool_entry;
  GtkMenuButton *tool_button;
  GtkTextView *arguments_view;
  GtkLabel *fault_label;
  char *first_tool;      /* (owned) */
  char *first_arguments; /* (owned) */
};

G_DEFINE_FINAL_TYPE (BeckonPlanStepEditor, beckon_plan_step_editor, ADW_TYPE_BIN)

enum
{
  SIGNAL_CHANGED,
  SIGNAL_APPLY,
  SIGNAL_CANCEL,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
step_editor_on_changed (BeckonPlanStepEditor *self)
{
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

static void
on_apply (BeckonPlanStepEditor *self)
{
  g_signal_emit (self, signals[SIGNAL_APPLY], 0);
}

static void
on_cancel (BeckonPlanStepEditor *self)
{
  g_signal_emit (self, signals[SIGNAL_CANCEL], 0);
}

char *
beckon_plan_step_editor_dup_tool (BeckonPlanStepEditor *self)
{
  return g_strstrip (g_strdup (gtk_editable_get_text (self->tool_entry)));
}

char *
beckon_plan_step_editor_dup_arguments (BeckonPlanStepEditor *self)
{
  GtkTextBuffer *buffer;
  GtkTextIter start, end;

  buffer = gtk_text_view_get_buffer (self->arguments_view);
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  return gtk_text_buffer_get_text (buffer, &start, &end, FALSE);
}

gboolean
beckon_plan_step_editor_is_changed (BeckonPlanStepEditor *self)
{
  g_autofree char *tool = NULL;
  g_autofree char *arguments = NULL;

  tool = beckon_plan_step_editor_dup_tool (self);
  arguments = beckon_plan_step_editor_dup_arguments (self);
  return !g_str_equal (tool, self->first_tool) || !g_str_equal (arguments, self->first_arguments);
}

void
beckon_plan_step_editor_set_fault (BeckonPlanStepEditor *self, const char *words)
{
  beckon_label_say (self->fault_label, words);
}

void
beckon_plan_step_editor_focus (BeckonPlanStepEditor *self)
{
  if (*gtk_editable_get_text (self->tool_entry) == '\0')
    gtk_widget_grab_focus (GTK_WIDGET (self->tool_entry));
  else
    gtk_widget_grab_focus (GTK_WIDGET (self->arguments_view));
}

/* The arguments are written next. */
static void
choose_tool (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonPlanStepEditor *self = BECKON_PLAN_STEP_EDITOR (widget);

  gtk_editable_set_text (self->tool_entry, g_variant_get_string (parameter, NULL));
  gtk_widget_grab_focus (GTK_WIDGET (self->arguments_view));
}

void
beckon_plan_step_editor_set_tools (BeckonPlanStepEditor *self, const char *const *names)
{
  g_autoptr (GMenu) menu = g_menu_new ();

  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    {
      g_autofree char *label = beckon_text_for_display (names[i], -1, BECKON_TEXT_EXACT);
      g_autoptr (GMenuItem) item = NULL;
      g_auto (GStrv) parts = g_strsplit (label, "_", -1);
      g_autofree char *escaped = g_strjoinv ("__", parts);

      item = g_menu_item_new (escaped, NULL);
      g_menu_item_set_action_and_target (item, "editor.choose-tool", "s", names[i]);
      g_menu_append_item (menu, item);
    }
  gtk_menu_button_set_menu_model (self->tool_button, G_MENU_MODEL (menu));
  gtk_widget_set_visible (GTK_WIDGET (self->tool_button), names != NULL && names[0] != NULL);
}

static void
beckon_plan_step_editor_finalize (GObject *object)
{
  BeckonPlanStepEditor *self = BECKON_PLAN_STEP_EDITOR (object);

  g_free (self->first_tool);
  g_free (self->first_arguments);
  G_OBJECT_CLASS (beckon_plan_step_editor_parent_class)->finalize (object);
}

static void
beckon_plan_step_editor_class_init (BeckonPlanStepEditorClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = beckon_plan_step_editor_finalize;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/plan-step-editor.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonPlanStepEditor, tool_entry);
  gtk_widget_class_bind_template_child (widget_class, BeckonPlanStepEditor, tool_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonPlanStepEditor, arguments_view);
  gtk_widget_class_bind_template_child (widget_class, BeckonPlanStepEditor, fault_label);
  gtk_widget_class_install_action (widget_class, "editor.choose-tool", "s", choose_tool);
  gtk_widget_class_bind_template_callback (widget_class, on_apply);
  gtk_widget_class_bind_template_callback (widget_class, on_cancel);
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", BECKON_TYPE_PLAN_STEP_EDITOR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                          G_TYPE_NONE, 0);
  signals[SIGNAL_APPLY] = g_signal_new ("apply", BECKON_TYPE_PLAN_STEP_EDITOR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                        G_TYPE_NONE, 0);
  signals[SIGNAL_CANCEL] = g_signal_new ("cancel", BECKON_TYPE_PLAN_STEP_EDITOR, G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION, 0, NULL,
                                         NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_add_binding_signal (widget_class, GDK_KEY_Escape, 0, "cancel", NULL);
}

static void
beckon_plan_step_editor_init (BeckonPlanStepEditor *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
beckon_plan_step_editor_new (const char *tool, const char *arguments)
{
  BeckonPlanStepEditor *self = g_object_new (BECKON_TYPE_PLAN_STEP_EDITOR, NULL);

  gtk_editable_set_text (self->tool_entry, tool);
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (self->arguments_view), arguments, -1);
  self->first_tool = beckon_plan_step_editor_dup_tool (self);
  self->first_arguments = beckon_plan_step_editor_dup_arguments (self);
  g_signal_connect_object (self->tool_entry, "changed", G_CALLBACK (step_editor_on_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_text_view_get_buffer (self->arguments_view), "changed", G_CALLBACK (step_editor_on_changed),
                           self,
                           G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
