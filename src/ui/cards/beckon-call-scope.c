/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-call-scope.h"

#include "base/beckon-text.h"
#include "text/beckon-call-risks.h"
#include "ui/widgets/beckon-end-watch.h"
#include "ui/widgets/beckon-max-height-box.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Arguments that are more are no lines of a card. */
#define MOST_LINES 12
#define MOST_BYTES 1200

/* The longest command has as much; twice that takes seconds to lay out. */
#define MOST_SHOWN (32 * 1024)

struct _BeckonCallScope
{
  AdwBin parent_instance;

  char *tool;            /* (nullable) */
  char *command;         /* (nullable): or the arguments */
  gboolean is_arguments;
  gboolean is_cut;
  BeckonEndWatch *watch; /* (owned) */

  BeckonMaxHeightBox *command_bounded;
  GtkLabel *command_label;
  GtkLabel *unseen_label;
  GtkLabel *touches_label;
};

G_DEFINE_FINAL_TYPE (BeckonCallScope, beckon_call_scope, ADW_TYPE_BIN)

static guint seen_changed_signal;

gboolean
beckon_call_scope_get_seen (BeckonCallScope *self)
{
  return self->command == NULL || (!self->is_cut && beckon_end_watch_get_seen (self->watch));
}

gboolean
beckon_call_scope_get_is_cut (BeckonCallScope *self)
{
  return self->is_cut;
}

gboolean
beckon_call_scope_is_laid_out (BeckonCallScope *self)
{
  return self->command == NULL || beckon_end_watch_is_laid_out (self->watch);
}

void
beckon_call_scope_show_end (BeckonCallScope *self, GtkWidget *with)
{
  beckon_end_watch_show_end (self->watch, with);
}

/* The block is called by the name of what it shows. */
static const char *
get_unseen_words (BeckonCallScope *self)
{
  if (self->is_cut)
    return _("The arguments are too long to be shown here, so the call can’t be run here. Look at them with “beckonctl answer” "
             "in a terminal, or deny the call.");
  if (self->is_arguments)
    return _("Scroll to the end of the arguments, then the call can be run.");
  if (g_strcmp0 (self->tool, "fetch_url") == 0)
    return _("Scroll to the end of the address, then the call can be run.");
  if (g_strcmp0 (self->tool, "web_search") == 0)
    return _("Scroll to the end of what is searched for, then the call can be run.");
  if (g_strcmp0 (self->tool, "remember") == 0)
    return _("Scroll to the end of the note, then the call can be run.");
  return _("Scroll to the end of the command, then it can be run.");
}

static void
show_seen (BeckonCallScope *self)
{
  gtk_label_set_text (self->unseen_label, get_unseen_words (self));
  gtk_widget_set_visible (GTK_WIDGET (self->unseen_label), !beckon_call_scope_get_seen (self));
  g_signal_emit (self, seen_changed_signal, 0);
}

/* @text: (nullable) */
static void
set_block (BeckonCallScope *self, const char *text, gboolean is_arguments)
{
  g_autofree char *shown = NULL;

  if (g_strcmp0 (self->command, text) == 0 && self->is_arguments == is_arguments)
    return;
  g_free (self->command);
  self->command = g_strdup (text);
  self->is_arguments = is_arguments;
  gtk_widget_set_visible (GTK_WIDGET (self->command_bounded), text != NULL);
  /* Arguments are set out already. */
  shown = is_arguments ? g_strdup (text) : beckon_text_command_for_display (text);
  self->is_cut = is_arguments && strlen (shown) > MOST_SHOWN;
  if (self->is_cut)
    *g_utf8_find_prev_char (shown, shown + MOST_SHOWN) = '\0';
  gtk_label_set_text (self->command_label, shown);
  beckon_end_watch_reset (self->watch);
  show_seen (self);
}

void
beckon_call_scope_set_command (BeckonCallScope *self, const char *command)
{
  set_block (self, command, FALSE);
}

static gboolean
are_long (const char *lines)
{
  guint n = 1;

  for (const char *at = lines; (at = strchr (at, '\n')) != NULL; at++)
    n++;
  return n > MOST_LINES || strlen (lines) > MOST_BYTES;
}

gboolean
beckon_call_scope_take_arguments (BeckonCallScope *self, const char *lines)
{
  gboolean takes;

  if (self->command != NULL && !self->is_arguments)
    return FALSE;
  takes = lines != NULL && are_long (lines);
  set_block (self, takes ? lines : NULL, takes);
  return takes;
}

void
beckon_call_scope_set_details (BeckonCallScope *self, const char *tool, const BeckonApprovalDetails *details)
{
  g_autofree char *risks = NULL;

  g_free (self->tool);
  self->tool = g_strdup (tool);
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
  g_free (BECKON_CALL_SCOPE (object)->tool);
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
