/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-rule-choices.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "policy/beckon-policy.h"
#include "request/beckon-call-request.h"
#include "ui/widgets/beckon-controls.h"

#include <glib/gi18n-lib.h>

struct _BeckonRuleChoices
{
  GtkBox parent_instance;

  BeckonRequest *request; /* (owned) (nullable) */
};

G_DEFINE_FINAL_TYPE (BeckonRuleChoices, beckon_rule_choices, GTK_TYPE_BOX)

static guint chosen_signal;

static void
choices_on_clicked (BeckonRuleChoices *self, GtkWidget *button)
{
  const BeckonApprovalReason *ground = beckon_request_get_ground (self->request);
  guint choice = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "choice"));
  const char *conversation_id = choice % 2 == 0 ? beckon_request_get_conversation_id (self->request) : NULL;
  g_autoptr (GPtrArray) rules = beckon_rule_proposal_copy_rules (g_ptr_array_index (ground->proposals, choice / 2),
                                                                 conversation_id, g_get_real_time ());

  g_signal_emit (self, chosen_signal, 0, rules);
}

static void
add_choice (BeckonRuleChoices *self, guint choice, const char *words, const char *label)
{
  g_autofree char *home = g_strconcat (g_get_home_dir (), G_DIR_SEPARATOR_S, NULL);
  g_autoptr (GString) path = g_string_new (label);
  g_autofree char *shown = NULL;
  g_autofree char *isolated = NULL;
  g_autofree char *sentence = NULL;
  GtkWidget *button = gtk_button_new ();
  GtkWidget *text;

  /* Paths below the home folder are written as they are everywhere else on the card. */
  g_string_replace (path, home, "~/", 0);
  shown = beckon_text_for_display (path->str, -1, BECKON_TEXT_EXACT);
  isolated = beckon_text_isolate (shown, words);
  sentence = beckon_text_fill_in (words, isolated);
  /* A rule's reach is at its end, and is read whole. */
  text = beckon_line_new (sentence, NULL);
  gtk_button_set_child (GTK_BUTTON (button), text);
  gtk_widget_add_css_class (button, "always-choice");
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, sentence, -1);
  g_object_set_data (G_OBJECT (button), "choice", GUINT_TO_POINTER (choice));
  g_signal_connect_object (button, "clicked", G_CALLBACK (choices_on_clicked), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (self), button);
}

void
beckon_rule_choices_set_request (BeckonRuleChoices *self, BeckonRequest *request)
{
  const BeckonApprovalReason *ground;
  guint n;

  self->request = g_object_ref (request);
  ground = beckon_request_get_ground (request);
  n = ground != NULL && ground->proposals != NULL ? ground->proposals->len : 0;
  for (guint i = 0; i < n; i++)
    {
      const BeckonRuleProposal *proposal = g_ptr_array_index (ground->proposals, i);

      /* Translators: %s is what a person allows, such as "git log with any arguments" */
      add_choice (self, 2 * i, _("In this conversation: %s"), proposal->label);
      /* Translators: %s is what a person allows, such as "git log with any arguments" */
      add_choice (self, 2 * i + 1, _("Always: %s"), proposal->label);
    }
}

static gboolean
on_opener_key (BeckonRuleChoices *self, guint keyval, guint keycode, GdkModifierType state)
{
  gboolean is_next = keyval == GDK_KEY_Tab || keyval == GDK_KEY_Down || keyval == GDK_KEY_Up;

  return is_next && (state & gtk_accelerator_get_default_mod_mask ()) == 0 && gtk_widget_get_mapped (GTK_WIDGET (self))
         && gtk_widget_child_focus (GTK_WIDGET (self), GTK_DIR_TAB_FORWARD);
}

void
beckon_rule_choices_set_opener (BeckonRuleChoices *self, GtkWidget *opener)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (on_opener_key), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (opener, keys);
}

gboolean
beckon_rule_choices_is_empty (BeckonRuleChoices *self)
{
  return gtk_widget_get_first_child (GTK_WIDGET (self)) == NULL;
}

static void
beckon_rule_choices_dispose (GObject *object)
{
  g_clear_object (&BECKON_RULE_CHOICES (object)->request);
  G_OBJECT_CLASS (beckon_rule_choices_parent_class)->dispose (object);
}

static void
beckon_rule_choices_class_init (BeckonRuleChoicesClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_rule_choices_dispose;
  chosen_signal = g_signal_new ("chosen", BECKON_TYPE_RULE_CHOICES, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                G_TYPE_PTR_ARRAY);
}

static void
beckon_rule_choices_init (BeckonRuleChoices *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
}
