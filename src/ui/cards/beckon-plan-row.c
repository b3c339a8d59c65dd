/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-plan-row.h"

#include "base/beckon-text.h"
#include "beckon-request-words.h"
#include "domain/beckon-plan-reference.h"
#include "text/beckon-call-labels.h"
#include "ui/widgets/beckon-controls.h"

#include <glib/gi18n-lib.h>

struct _BeckonPlanRow
{
  AdwBin parent_instance;

  char *step_id;

  GtkWidget *handle;
  GtkImage *status_icon;
  GtkLabel *title_label;
  GtkLabel *call_label;
  GtkLabel *status_label;
  GtkImage *pause_icon;
  GtkWidget *actions_box;
  GtkButton *skip_button;
  GtkButton *delete_button;
  GtkMenuButton *more_button;
  AdwBin *below_bin;
};

G_DEFINE_FINAL_TYPE (BeckonPlanRow, beckon_plan_row, ADW_TYPE_BIN)

enum
{
  SIGNAL_ACT,
  SIGNAL_DROPPED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static const struct
{
  const char *name;
  BeckonPlanAct act;
} actions[] = {
  { "step.edit", BECKON_PLAN_ACT_EDIT },     { "step.insert", BECKON_PLAN_ACT_INSERT },
  { "step.skip", BECKON_PLAN_ACT_SKIP },     { "step.delete", BECKON_PLAN_ACT_DELETE },
  { "step.pause", BECKON_PLAN_ACT_PAUSE },   { "step.up", BECKON_PLAN_ACT_UP },
  { "step.down", BECKON_PLAN_ACT_DOWN },
};

/* The icon and the words for the status of a step. */
static const struct
{
  const char *icon, *words;
} statuses[] = {
  [BECKON_STEP_PENDING] = { "media-record-symbolic", NULL },
  [BECKON_STEP_EXECUTING] = { "media-playback-start-symbolic", N_("Running") },
  /* Translators: of a step of a plan */
  [BECKON_STEP_COMPLETED] = { "object-select-symbolic", N_("Done") },
  [BECKON_STEP_FAILED] = { "dialog-error-symbolic", N_("Failed") },
  [BECKON_STEP_SKIPPED] = { "media-seek-forward-symbolic", N_("Skipped") },
  /* Translators: of a step of a plan: it ran, and nothing that it changed is in the folder */
  [BECKON_STEP_NOT_SAVED] = { "edit-undo-symbolic", N_("Ran, changes not saved") },
};

static void
on_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    if (g_str_equal (name, actions[i].name))
      g_signal_emit (widget, signals[SIGNAL_ACT], 0, (int) actions[i].act);
}

/* For the row alone: what is in it has its own use for the key. */
static gboolean
on_return (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  return gtk_widget_is_focus (widget) && gtk_widget_activate_action (widget, "step.edit", NULL);
}

static GdkContentProvider *
on_drag_prepare (GtkDragSource *source, double x, double y, BeckonPlanRow *self)
{
  g_autoptr (GdkPaintable) picture = gtk_widget_paintable_new (GTK_WIDGET (self));

  gtk_drag_source_set_icon (source, picture, 12, 12);
  return gdk_content_provider_new_typed (G_TYPE_STRING, self->step_id);
}

static gboolean
on_drop (GtkDropTarget *target, const GValue *value, double x, double y, BeckonPlanRow *self)
{
  g_signal_emit (self, signals[SIGNAL_DROPPED], 0, g_value_get_string (value));
  return TRUE;
}

static void
name_button (GtkWidget *button, const char *name)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_widget_set_tooltip_text (button, name);
}

static void
plan_row_show_text (GtkLabel *label, const char *text, gboolean exact)
{
  g_autofree char *safe = text != NULL ? beckon_text_for_display (text, -1, exact ? BECKON_TEXT_EXACT : BECKON_TEXT_PROSE)
                                       : NULL;

  beckon_label_say (label, safe);
}

/* The model's own sentence about the step, or what its tool does. Caller frees. */
static char *
dup_sentence (const BeckonPlan *plan, const BeckonPlanStep *step)
{
  g_autofree char *readable = NULL;

  if (step->expect != NULL && *step->expect != '\0')
    return beckon_text_for_display (step->expect, -1, BECKON_TEXT_PROSE);
  readable = beckon_plan_make_readable (plan, step->arguments);
  return beckon_call_labels_describe (step->tool, NULL, readable, BECKON_CALL_PHASE_STEP);
}

static void
show_step (BeckonPlanRow *self, const BeckonPlan *plan, guint index, const char *contents, gboolean waits)
{
  const BeckonPlanStep *step = beckon_plan_get_step (plan, index);
  /* To accept the plan is to accept what is shown whole. */
  gboolean is_whole = beckon_call_labels_is_whole (step->tool, step->arguments);
  g_autofree char *skip = NULL;
  g_autofree char *delete = NULL;
  g_autofree char *more = NULL;
  g_autofree char *line
      = is_whole ? beckon_call_labels_list_arguments (step->arguments, TRUE) : beckon_arguments_line (step->arguments);
  g_autofree char *readable = beckon_plan_make_readable (plan, line);
  g_autofree char *sentence = dup_sentence (plan, step);
  gboolean is_named = step->expect == NULL && !beckon_call_labels_is_known (step->tool);
  g_autofree char *call = g_strstrip (g_strdup_printf ("%s %s%s%s", is_named ? "" : step->tool, readable,
                                                       contents != NULL ? "\n" : "", contents != NULL ? contents : ""));
  g_autofree char *title = g_strdup_printf ("%u. %s", index + 1, sentence);
  gboolean asks = waits && step->status == BECKON_STEP_PENDING;
  const char *words = asks                                   ? _("Waiting for you")
                      : statuses[step->status].words != NULL ? _(statuses[step->status].words)
                                                             : "";
  gboolean pauses = step->breakpoint && beckon_plan_step_is_free (step);
  g_autofree char *spoken = NULL;
  g_autofree char *name = NULL;

  plan_row_show_text (self->title_label, title, FALSE);
  plan_row_show_text (self->call_label, call, !is_whole);
  if (is_whole)
    {
      gtk_label_set_lines (self->call_label, -1);
      gtk_label_set_ellipsize (self->call_label, PANGO_ELLIPSIZE_NONE);
      g_strdelimit (call, "\n", ' ');
    }
  gtk_image_set_from_icon_name (self->status_icon, asks ? "dialog-question-symbolic" : statuses[step->status].icon);
  gtk_widget_add_css_class (GTK_WIDGET (self->status_icon), waits ? "waiting" : beckon_step_status_to_string (step->status));
  gtk_label_set_text (self->status_label, words);
  gtk_widget_set_visible (GTK_WIDGET (self->status_label), *words != '\0');
  gtk_widget_set_visible (GTK_WIDGET (self->pause_icon), pauses);
  spoken = g_strjoin (" ", title, call, pauses && *words == '\0' ? _("The plan pauses before this step") : words, NULL);
  name = beckon_text_for_display (g_strstrip (spoken), -1, BECKON_TEXT_EXACT);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);

  /* Translators: the step of a plan is named by its number */
  skip = g_strdup_printf (step->status == BECKON_STEP_SKIPPED ? _("Do not skip step %u") : _("Skip step %u"), index + 1);
  delete = g_strdup_printf (_("Delete step %u"), index + 1);
  more = g_strdup_printf (_("More for step %u"), index + 1);

  name_button (GTK_WIDGET (self->skip_button), skip);
  name_button (GTK_WIDGET (self->delete_button), delete);
  name_button (GTK_WIDGET (self->more_button), more);
}

const char *
beckon_plan_row_get_step_id (BeckonPlanRow *self)
{
  return self->step_id;
}

void
beckon_plan_row_set_below (BeckonPlanRow *self, GtkWidget *widget)
{
  adw_bin_set_child (self->below_bin, widget);
  gtk_widget_set_visible (GTK_WIDGET (self->below_bin), widget != NULL);
}

static void
beckon_plan_row_finalize (GObject *object)
{
  g_free (BECKON_PLAN_ROW (object)->step_id);
  G_OBJECT_CLASS (beckon_plan_row_parent_class)->finalize (object);
}

static void
beckon_plan_row_class_init (BeckonPlanRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = beckon_plan_row_finalize;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/plan-row.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonPlanRow, handle);
  gtk_widget_class_bind_template_child (widget_class, BeckonPlanRow, status_icon);
  gtk_widget_class_bind_template_child (widget_class, BeckonPlanRow, title_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonPlanRow, call_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonPlanRow, status_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonPlanRow, pause_icon);
  gtk_widget_class_bind_template_child (widget_class, BeckonPlanRow, actions_box);
  gtk_widget_class_bind_template_child (widget_class, BeckonPlanRow, skip_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonPlanRow, delete_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonPlanRow, more_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonPlanRow, below_bin);
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    gtk_widget_class_install_action (widget_class, actions[i].name, NULL, on_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Up, GDK_ALT_MASK, "step.up", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Down, GDK_ALT_MASK, "step.down", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Delete, 0, "step.delete", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Insert, 0, "step.insert", NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Return, 0, on_return, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_KP_Enter, 0, on_return, NULL);

  signals[SIGNAL_ACT] = g_signal_new ("act", BECKON_TYPE_PLAN_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                      G_TYPE_INT);
  signals[SIGNAL_DROPPED] = g_signal_new ("dropped", BECKON_TYPE_PLAN_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                          G_TYPE_NONE, 1, G_TYPE_STRING);
}

/* The keys work on the row that has the focus, so a click gives it: else they would move the row that had it before. What is
 * below the row, such as the card of its step, looks after itself. */
static void
plan_row_on_pressed (BeckonPlanRow *self, int n_press, double x, double y)
{
  GtkWidget *picked = gtk_widget_pick (GTK_WIDGET (self), x, y, GTK_PICK_DEFAULT);

  if (picked == NULL || picked == GTK_WIDGET (self->below_bin)
      || gtk_widget_is_ancestor (picked, GTK_WIDGET (self->below_bin)))
    return;
  gtk_widget_grab_focus (GTK_WIDGET (self));
}

static void
beckon_plan_row_init (BeckonPlanRow *self)
{
  GtkGesture *click = gtk_gesture_click_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (plan_row_on_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
}

GtkWidget *
beckon_plan_row_new (const BeckonPlan *plan, guint index, const char *contents, gboolean waits, gboolean editable)
{
  BeckonPlanRow *self = g_object_new (BECKON_TYPE_PLAN_ROW, NULL);
  gboolean free = editable && beckon_plan_step_is_free (beckon_plan_get_step (plan, index));

  self->step_id = g_strdup (beckon_plan_get_step (plan, index)->id);
  show_step (self, plan, index, contents, waits);
  gtk_widget_set_visible (self->actions_box, free);
  gtk_widget_set_visible (self->handle, free);
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    gtk_widget_action_set_enabled (GTK_WIDGET (self), actions[i].name, free);
  if (free)
    {
      GtkDragSource *source = gtk_drag_source_new ();
      GtkDropTarget *target = gtk_drop_target_new (G_TYPE_STRING, GDK_ACTION_MOVE);

      gtk_drag_source_set_actions (source, GDK_ACTION_MOVE);
      g_signal_connect (source, "prepare", G_CALLBACK (on_drag_prepare), self);
      gtk_widget_add_controller (self->handle, GTK_EVENT_CONTROLLER (source));
      g_signal_connect (target, "drop", G_CALLBACK (on_drop), self);
      gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
    }
  return GTK_WIDGET (self);
}
