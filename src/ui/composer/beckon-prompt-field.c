/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-prompt-field.h"

#include "base/beckon-text-printf.h"
#include "ui/widgets/beckon-controls.h"
#include "ui/widgets/beckon-flow-layout.h"

#include <glib/gi18n-lib.h>

/* A server is asked when the person has stopped typing. */
#define PAUSE_MS 150

#define MOST_PROPOSALS 8
#define MOST_PROPOSAL_CHARS 40

struct _BeckonPromptField
{
  AdwBin parent_instance;

  BeckonMcpPrompt *prompt; /* (owned): to which the argument belongs */
  const BeckonMcpPromptArgument *argument;
  GtkWidget *entry;
  GtkWidget *proposals;
  guint pause;
};

G_DEFINE_FINAL_TYPE (BeckonPromptField, beckon_prompt_field, ADW_TYPE_BIN)

typedef enum
{
  SIGNAL_PROPOSALS_WANTED,
  SIGNAL_ACTIVATE,
} BeckonPromptFieldSignal;

static guint signals[SIGNAL_ACTIVATE + 1];

const char *
beckon_prompt_field_get_name (BeckonPromptField *self)
{
  return self->argument->name;
}

const char *
beckon_prompt_field_get_title (BeckonPromptField *self)
{
  return self->argument->title != NULL ? self->argument->title : self->argument->name;
}

const char *
beckon_prompt_field_get_value (BeckonPromptField *self)
{
  return gtk_editable_get_text (GTK_EDITABLE (self->entry));
}

void
beckon_prompt_field_set_value (BeckonPromptField *self, const char *value)
{
  gtk_editable_set_text (GTK_EDITABLE (self->entry), value != NULL ? value : "");
}

void
beckon_prompt_field_focus (BeckonPromptField *self)
{
  gtk_widget_grab_focus (self->entry);
}

static gboolean
on_paused (gpointer user_data)
{
  BeckonPromptField *self = user_data;

  self->pause = 0;
  g_signal_emit (self, signals[SIGNAL_PROPOSALS_WANTED], 0);
  return G_SOURCE_REMOVE;
}

static void
want_proposals (BeckonPromptField *self)
{
  g_clear_handle_id (&self->pause, g_source_remove);
  self->pause = g_timeout_add (PAUSE_MS, on_paused, self);
}

static void
prompt_field_on_changed (BeckonPromptField *self)
{
  if (gtk_widget_get_visible (gtk_widget_get_parent (self->entry)))
    want_proposals (self);
}

static void
on_entry_activated (BeckonPromptField *self)
{
  g_signal_emit (self, signals[SIGNAL_ACTIVATE], 0);
}

static void
on_proposal_clicked (GtkButton *button, gpointer user_data)
{
  BeckonPromptField *self = user_data;

  /* The button goes with the others. */
  g_object_ref (button);
  beckon_prompt_field_set_value (self, g_object_get_data (G_OBJECT (button), "beckon-value"));
  gtk_editable_set_position (GTK_EDITABLE (self->entry), -1);
  beckon_prompt_field_focus (self);
  beckon_prompt_field_propose (self, NULL);
  g_object_unref (button);
}

void
beckon_prompt_field_propose (BeckonPromptField *self, const char *const *values)
{
  GtkWidget *child;
  guint n = 0;

  while ((child = gtk_widget_get_first_child (self->proposals)) != NULL)
    gtk_widget_unparent (child);
  for (guint i = 0; values != NULL && values[i] != NULL && n < MOST_PROPOSALS; i++)
    if (g_strcmp0 (values[i], beckon_prompt_field_get_value (self)) != 0)
      {
        GtkWidget *button = gtk_button_new_with_label (values[i]);
        GtkWidget *label = gtk_button_get_child (GTK_BUTTON (button));

        gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
        gtk_label_set_max_width_chars (GTK_LABEL (label), MOST_PROPOSAL_CHARS);
        gtk_widget_set_tooltip_text (button, values[i]);
        g_object_set_data_full (G_OBJECT (button), "beckon-value", g_strdup (values[i]), g_free);
        g_signal_connect_object (button, "clicked", G_CALLBACK (on_proposal_clicked), self, 0);
        gtk_widget_set_parent (button, self->proposals);

        n++;
      }
  gtk_widget_set_visible (self->proposals, n > 0);
}

static void
beckon_prompt_field_dispose (GObject *object)
{
  BeckonPromptField *self = BECKON_PROMPT_FIELD (object);
  GtkWidget *child;

  g_clear_handle_id (&self->pause, g_source_remove);
  while (self->proposals != NULL && (child = gtk_widget_get_first_child (self->proposals)) != NULL)
    gtk_widget_unparent (child);
  self->proposals = NULL;
  G_OBJECT_CLASS (beckon_prompt_field_parent_class)->dispose (object);
}

static void
beckon_prompt_field_finalize (GObject *object)
{
  g_clear_pointer (&BECKON_PROMPT_FIELD (object)->prompt, beckon_mcp_prompt_unref);
  G_OBJECT_CLASS (beckon_prompt_field_parent_class)->finalize (object);
}

static void
beckon_prompt_field_class_init (BeckonPromptFieldClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_prompt_field_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_prompt_field_finalize;
  signals[SIGNAL_PROPOSALS_WANTED] = g_signal_new ("proposals-wanted", BECKON_TYPE_PROMPT_FIELD, G_SIGNAL_RUN_LAST, 0, NULL,
                                                   NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_ACTIVATE]
      = g_signal_new ("activate", BECKON_TYPE_PROMPT_FIELD, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
beckon_prompt_field_init (BeckonPromptField *self)
{
  GtkEventController *focus = gtk_event_controller_focus_new ();

  self->entry = gtk_entry_new ();
  self->proposals = g_object_new (GTK_TYPE_BOX, "layout-manager", g_object_new (BECKON_TYPE_FLOW_LAYOUT, "spacing", 6, NULL),
                                  "visible", FALSE, NULL);
  g_signal_connect_swapped (self->entry, "changed", G_CALLBACK (prompt_field_on_changed), self);
  g_signal_connect_swapped (self->entry, "activate", G_CALLBACK (on_entry_activated), self);
  g_signal_connect_swapped (focus, "enter", G_CALLBACK (want_proposals), self);
  gtk_widget_add_controller (self->entry, focus);
}

GtkWidget *
beckon_prompt_field_new (BeckonMcpPrompt *prompt, const BeckonMcpPromptArgument *argument)
{
  BeckonPromptField *self;
  GtkWidget *box, *label;
  const char *title;
  g_autofree char *name = NULL;

  self = g_object_new (BECKON_TYPE_PROMPT_FIELD, NULL);
  self->prompt = beckon_mcp_prompt_ref (prompt);
  self->argument = argument;
  title = beckon_prompt_field_get_title (self);
  /* Translators: %s is a value that need not be entered */
  name = argument->is_required ? g_strdup (title) : beckon_text_printf (_("%s (optional)"), title);
  label = beckon_line_new (name, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
  gtk_box_append (GTK_BOX (box), label);
  if (argument->description != NULL)
    gtk_box_append (GTK_BOX (box), beckon_line_new (argument->description, "dim-label"));
  gtk_box_append (GTK_BOX (box), self->entry);
  gtk_box_append (GTK_BOX (box), self->proposals);
  adw_bin_set_child (ADW_BIN (self), box);
  return GTK_WIDGET (self);
}
