/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-call-scope.h"

#include "base/beckon-text.h"
#include "text/beckon-call-risks.h"
#include "ui/widgets/beckon-end-watch.h"
#include "ui/widgets/beckon-max-height-box.h"

struct _BeckonCallScope
{
  AdwBin parent_instance;

  char *command;         /* (nullable) */
  BeckonEndWatch *watch; /* (owned) */

  BeckonMaxHeightBox *command_bounded;
  GtkLabel *command_label;
  GtkWidget *unseen_label;
  GtkLabel *touches_label;
};

G_DEFINE_FINAL_TYPE (BeckonCallScope, beckon_call_scope, ADW_TYPE_BIN)

static guint seen_changed_signal;

gboolean
beckon_call_scope_get_seen (BeckonCallScope *self)
{
  g_return_val_if_fail (BECKON_IS_CALL_SCOPE (self), FALSE);

  return self->command == NULL || beckon_end_watch_get_seen (self->watch);
}

gboolean
beckon_call_scope_is_laid_out (BeckonCallScope *self)
{
  g_return_val_if_fail (BECKON_IS_CALL_SCOPE (self), FALSE);

  return self->command == NULL || beckon_end_watch_is_laid_out (self->watch);
}

void
beckon_call_scope_show_end (BeckonCallScope *self, GtkWidget *with)
{
  g_return_if_fail (BECKON_IS_CALL_SCOPE (self));

  beckon_end_watch_show_end (self->watch, with);
}

static void
show_seen (BeckonCallScope *self)
{
  gtk_widget_set_visible (self->unseen_label, !beckon_call_scope_get_seen (self));
  g_signal_emit (self, seen_changed_signal, 0);
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
  beckon_end_watch_reset (self->watch);
  show_seen (self);
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
beckon_call_scope_dispose (GObject *object)
{
  g_clear_pointer (&BECKON_CALL_SCOPE (object)->watch, beckon_end_watch_free);
  G_OBJECT_CLASS (beckon_call_scope_parent_class)->dispose (object);
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

  G_OBJECT_CLASS (klass)->dispose = beckon_call_scope_dispose;
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
  gtk_widget_init_template (GTK_WIDGET (self));
  forbid_hyphens (self->command_label);
  forbid_hyphens (self->touches_label);
  self->watch = beckon_end_watch_new (GTK_WIDGET (self->command_label));
  g_signal_connect_object (self->watch, "changed", G_CALLBACK (show_seen), self, G_CONNECT_SWAPPED);
}
