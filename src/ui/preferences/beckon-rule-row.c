/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-rule-row.h"

#include "policy/beckon-rule-labels.h"

#include <string.h>

struct _BeckonRuleRow
{
  AdwActionRow parent_instance;

  BeckonRule *rule; /* (owned) */
};

G_DEFINE_FINAL_TYPE (BeckonRuleRow, beckon_rule_row, ADW_TYPE_ACTION_ROW)

enum
{
  SIGNAL_TRY,
  SIGNAL_DELETE,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
on_try_clicked (BeckonRuleRow *self)
{
  g_signal_emit (self, signals[SIGNAL_TRY], 0);
}

static void
on_delete_clicked (BeckonRuleRow *self)
{
  g_signal_emit (self, signals[SIGNAL_DELETE], 0);
}

/* An action emits the signal of its name, with its parameter. */
static void
rule_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  const char *signal = name + strlen ("rule.");

  if (parameter == NULL)
    g_signal_emit_by_name (widget, signal);
  else if (g_variant_is_of_type (parameter, G_VARIANT_TYPE_STRING))
    g_signal_emit_by_name (widget, signal, g_variant_get_string (parameter, NULL));
  else
    g_signal_emit_by_name (widget, signal, g_variant_get_int32 (parameter));
}

BeckonRule *
beckon_rule_row_get_rule (BeckonRuleRow *self)
{
  return self->rule;
}

static void
beckon_rule_row_finalize (GObject *object)
{
  g_clear_pointer (&BECKON_RULE_ROW (object)->rule, beckon_rule_unref);
  G_OBJECT_CLASS (beckon_rule_row_parent_class)->finalize (object);
}

static void
beckon_rule_row_class_init (BeckonRuleRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = beckon_rule_row_finalize;
  signals[SIGNAL_TRY]
      = g_signal_new ("try", BECKON_TYPE_RULE_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_DELETE]
      = g_signal_new ("delete", BECKON_TYPE_RULE_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new ("expire", BECKON_TYPE_RULE_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT);
  g_signal_new ("verdict", BECKON_TYPE_RULE_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  g_signal_new ("edit", BECKON_TYPE_RULE_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new ("step", BECKON_TYPE_RULE_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT);
  gtk_widget_class_install_action (widget_class, "rule.expire", "i", rule_action);
  gtk_widget_class_install_action (widget_class, "rule.verdict", "s", rule_action);
  gtk_widget_class_install_action (widget_class, "rule.step", "i", rule_action);
  gtk_widget_class_install_action (widget_class, "rule.edit", NULL, rule_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Up, GDK_ALT_MASK, "rule.step", "i", -1);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Down, GDK_ALT_MASK, "rule.step", "i", 1);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/rule-row.ui");
  gtk_widget_class_bind_template_callback (widget_class, on_try_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_delete_clicked);
}

static void
beckon_rule_row_init (BeckonRuleRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
beckon_rule_row_new (BeckonRule *rule, BeckonRuleSet *rules)
{
  BeckonRuleRow *self = g_object_new (BECKON_TYPE_RULE_ROW, NULL);
  g_autofree char *title = beckon_rule_dup_title (rule);
  g_autofree char *details = beckon_rule_dup_details (rule, g_get_real_time ());
  g_autofree char *covering = beckon_rule_dup_covering (rule, rules);
  g_autofree char *subtitle = g_strjoin ("\n", details, covering, NULL);

  self->rule = beckon_rule_ref (rule);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self), subtitle);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "rule.edit", rule->arguments != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "rule.step", rule->number > 0);
  return GTK_WIDGET (self);
}
