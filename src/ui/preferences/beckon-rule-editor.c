/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-rule-editor.h"

#include "base/beckon-json-writer.h"
#include "base/beckon-text.h"
#include "policy/beckon-rule-labels.h"
#include "policy/beckon-rule-set.h"
#include "ui/widgets/beckon-alert.h"
#include "ui/widgets/beckon-controls.h"

#include <glib/gi18n-lib.h>

struct _BeckonRuleEditor
{
  GtkBox parent_instance;

  BeckonRule *rule;   /* (owned) */
  BeckonRules *rules; /* (owned) */
  GPtrArray *entries; /* (owned) (element-type GtkEditable): each with its "argument"; borrowed from the list */
  GtkLabel *remark;
  GtkWidget *alert; /* (not owned): it owns this */
};

G_DEFINE_FINAL_TYPE (BeckonRuleEditor, beckon_rule_editor, GTK_TYPE_BOX)

enum
{
  SIGNAL_EDITED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static char *
write_arguments (BeckonRuleEditor *self)
{
  GString *text = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  for (guint i = 0; i < self->entries->len; i++)
    {
      GtkEditable *entry = g_ptr_array_index (self->entries, i);

      beckon_json_writer_member_string (&writer, g_object_get_data (G_OBJECT (entry), "argument"),
                                        gtk_editable_get_text (entry));
    }
  beckon_json_writer_end_object (&writer);
  return g_string_free (text, FALSE);
}

static void
on_pattern_changed (BeckonRuleEditor *self)
{
  GPtrArray *all = beckon_rules_get_snapshot (self->rules);
  g_autoptr (BeckonRuleSet) set = all != NULL ? beckon_rule_set_new (all) : NULL;
  BeckonRule *newest = beckon_rules_lookup (self->rules, self->rule->id);
  g_autoptr (BeckonRule) changed = beckon_rule_copy (newest != NULL ? newest : self->rule);
  g_autofree char *covering = NULL;
  g_autoptr (GError) error = NULL;
  gboolean is_fine;

  g_free (changed->arguments);
  changed->arguments = write_arguments (self);
  is_fine = beckon_rule_set_check (changed, &error);
  covering = is_fine ? beckon_rule_dup_covering (changed, set) : NULL;
  gtk_label_set_text (self->remark, !is_fine ? error->message : covering != NULL ? covering : "");
  gtk_widget_remove_css_class (GTK_WIDGET (self->remark), is_fine ? "error" : "warning");
  gtk_widget_add_css_class (GTK_WIDGET (self->remark), is_fine ? "warning" : "error");
  beckon_alert_set_enabled (self->alert, "save", is_fine);
}

static void
on_editor_response (BeckonRuleEditor *self, const char *response)
{
  g_autofree char *arguments = g_str_equal (response, "save") ? write_arguments (self) : NULL;

  if (arguments != NULL)
    g_signal_emit (self, signals[SIGNAL_EDITED], 0, arguments);
}

static void
beckon_rule_editor_finalize (GObject *object)
{
  BeckonRuleEditor *self = BECKON_RULE_EDITOR (object);

  g_clear_pointer (&self->rule, beckon_rule_unref);
  g_clear_object (&self->rules);
  g_ptr_array_unref (self->entries);
  G_OBJECT_CLASS (beckon_rule_editor_parent_class)->finalize (object);
}

static void
beckon_rule_editor_class_init (BeckonRuleEditorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_rule_editor_finalize;
  signals[SIGNAL_EDITED] = g_signal_new ("edited", BECKON_TYPE_RULE_EDITOR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                         G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
beckon_rule_editor_init (BeckonRuleEditor *self)
{
  self->entries = g_ptr_array_new ();
}

GtkWidget *
beckon_rule_editor_new (BeckonRule *rule, BeckonRules *rules)
{
  BeckonRuleEditor *self =
      g_object_new (BECKON_TYPE_RULE_EDITOR, "orientation", GTK_ORIENTATION_VERTICAL, "spacing", 12, NULL);
  GtkWidget *list = gtk_list_box_new ();
  g_auto (GStrv) names = NULL;

  self->rule = beckon_rule_ref (rule);
  self->rules = g_object_ref (rules);
  self->remark = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (self->remark, TRUE);
  gtk_widget_add_css_class (list, "boxed-list");
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Patterns"), -1);
  gtk_box_append (GTK_BOX (self), list);
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->remark));

  names = beckon_rule_dup_names (self->rule);
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *pattern = beckon_rule_dup_pattern (self->rule, names[i]);
      GtkWidget *entry = adw_entry_row_new ();
      g_autofree char *title = beckon_text_for_display (names[i], -1, BECKON_TEXT_EXACT);

      adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (entry), FALSE);
      adw_preferences_row_set_title (ADW_PREFERENCES_ROW (entry), title);
      beckon_entry_row_name (GTK_EDITABLE (entry));
      gtk_editable_set_text (GTK_EDITABLE (entry), pattern);
      g_object_set_data_full (G_OBJECT (entry), "argument", g_strdup (names[i]), g_free);
      g_signal_connect_object (entry, "changed", G_CALLBACK (on_pattern_changed), self, G_CONNECT_SWAPPED);
      gtk_list_box_append (GTK_LIST_BOX (list), entry);
      g_ptr_array_add (self->entries, entry);
    }

  return GTK_WIDGET (self);
}

void
beckon_rule_editor_present (BeckonRuleEditor *self, GtkWidget *parent)
{
  self->alert =
      beckon_alert_new (_("Edit Patterns"), _("The rule holds for calls whose arguments match. * stands for anything."));
  beckon_alert_set_extra_child (self->alert, GTK_WIDGET (self));
  beckon_alert_add_responses (self->alert, "cancel", _("_Cancel"), "save", _("_Save"), NULL);
  beckon_alert_set_appearance (self->alert, "save", ADW_RESPONSE_SUGGESTED);
  beckon_alert_set_defaults (self->alert, "save", "cancel");
  g_signal_connect_object (self->alert, "response", G_CALLBACK (on_editor_response), self, G_CONNECT_SWAPPED);
  on_pattern_changed (self);
  beckon_alert_present (self->alert, parent);
}
