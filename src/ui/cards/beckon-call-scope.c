/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-call-scope.h"

#include "base/beckon-text.h"
#include "text/beckon-call-risks.h"
#include "ui/widgets/beckon-max-height-box.h"

/* In the first it is laid out. */
#define FRAMES 3

struct _BeckonCallScope
{
  AdwBin parent_instance;

  char *command;   /* (nullable) */
  gboolean is_seen;
  guint n_frames;  /* until what is scrolled is this command */
  guint tick_id;

  BeckonMaxHeightBox *command_bounded;
  GtkLabel *command_label;
  GtkWidget *unseen_label;
  GtkLabel *touches_label;
};

G_DEFINE_FINAL_TYPE (BeckonCallScope, beckon_call_scope, ADW_TYPE_BIN)

static guint seen_changed_signal;

static void
set_seen (BeckonCallScope *self, gboolean seen)
{
  gtk_widget_set_visible (self->unseen_label, !seen);
  if (self->is_seen == seen)
    return;
  self->is_seen = seen;
  g_signal_emit (self, seen_changed_signal, 0);
}

/* Once seen it stays so, until it is another command. */
static void
on_scrolled (BeckonCallScope *self)
{
  GtkAdjustment *adjustment = beckon_max_height_box_get_adjustment (self->command_bounded);
  double page = gtk_adjustment_get_page_size (adjustment);

  if (self->is_seen || self->n_frames > 0 || page <= 1)
    return;
  set_seen (self, gtk_adjustment_get_value (adjustment) + page >= gtk_adjustment_get_upper (adjustment) - 2);
}

/* Until it was laid out the numbers are those of the command before. */
static gboolean
on_frame (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  BeckonCallScope *self = BECKON_CALL_SCOPE (widget);

  if (--self->n_frames > 0)
    return G_SOURCE_CONTINUE;
  self->tick_id = 0;
  on_scrolled (self);
  return G_SOURCE_REMOVE;
}

void
beckon_call_scope_set_command (BeckonCallScope *self, const char *command)
{
  g_autofree char *shown = NULL;

  g_return_if_fail (BECKON_IS_CALL_SCOPE (self));

  if (g_strcmp0 (self->command, command) == 0)
    return;
  g_free (self->command);
  self->command = g_strdup (command);
  gtk_widget_set_visible (GTK_WIDGET (self->command_bounded), command != NULL);
  shown = beckon_text_command_for_display (command);
  gtk_label_set_text (self->command_label, shown);
  set_seen (self, command == NULL);
  self->n_frames = FRAMES;
  if (self->tick_id == 0)
    self->tick_id = gtk_widget_add_tick_callback (GTK_WIDGET (self), on_frame, NULL, NULL);
}

gboolean
beckon_call_scope_get_seen (BeckonCallScope *self)
{
  g_return_val_if_fail (BECKON_IS_CALL_SCOPE (self), FALSE);

  return self->is_seen;
}

void
beckon_call_scope_set_details (BeckonCallScope *self, const char *tool, const BeckonApprovalDetails *details)
{
  g_autofree char *risks = NULL;

  g_return_if_fail (BECKON_IS_CALL_SCOPE (self));
  g_return_if_fail (tool != NULL);

  risks = beckon_call_risks_describe (tool, details);
  gtk_label_set_text (self->touches_label, risks);
  gtk_widget_set_visible (GTK_WIDGET (self->touches_label), *risks != '\0');
}

static void
beckon_call_scope_finalize (GObject *object)
{
  g_free (BECKON_CALL_SCOPE (object)->command);
  G_OBJECT_CLASS (beckon_call_scope_parent_class)->finalize (object);
}

static void
beckon_call_scope_class_init (BeckonCallScopeClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = beckon_call_scope_finalize;
  seen_changed_signal = g_signal_new ("seen-changed", BECKON_TYPE_CALL_SCOPE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                      G_TYPE_NONE, 0);
  g_type_ensure (BECKON_TYPE_MAX_HEIGHT_BOX);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/call-scope.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonCallScope, command_bounded);
  gtk_widget_class_bind_template_child (widget_class, BeckonCallScope, command_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonCallScope, unseen_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonCallScope, touches_label);
}

/* A hyphen at the end of a line would be read as part of the command. */
static void
forbid_hyphens (GtkLabel *label)
{
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();

  pango_attr_list_insert (attributes, pango_attr_insert_hyphens_new (FALSE));
  gtk_label_set_attributes (label, attributes);
}

static void
beckon_call_scope_init (BeckonCallScope *self)
{
  GtkAdjustment *adjustment;

  gtk_widget_init_template (GTK_WIDGET (self));
  forbid_hyphens (self->command_label);
  forbid_hyphens (self->touches_label);
  self->is_seen = TRUE;
  adjustment = beckon_max_height_box_get_adjustment (self->command_bounded);
  g_signal_connect_object (adjustment, "value-changed", G_CALLBACK (on_scrolled), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (adjustment, "changed", G_CALLBACK (on_scrolled), self, G_CONNECT_SWAPPED);
}
