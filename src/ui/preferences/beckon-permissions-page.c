/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-permissions-page.h"

#include "agent/beckon-rule-simulation.h"
#include "base/beckon-text.h"
#include "beckon-copies-group.h"
#include "beckon-parameter-editor.h"
#include "beckon-rule-editor.h"
#include "beckon-settings-labels.h"
#include "beckon-undo-copies-row.h"
#include "policy/beckon-rule-labels.h"
#include "store/queries/beckon-store-answers.h"
#include "text/beckon-call-labels.h"
#include "ui/widgets/beckon-alert.h"
#include "ui/widgets/beckon-controls.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define BECKON_TYPE_ANSWERS_ROW (beckon_answers_row_get_type ())
G_DECLARE_FINAL_TYPE (BeckonAnswersRow, beckon_answers_row, BECKON, ANSWERS_ROW, AdwActionRow)

struct _BeckonAnswersRow
{
  AdwActionRow parent_instance;

  BeckonRuntime *runtime; /* (owned) */
  GtkWidget *button;
};

G_DEFINE_FINAL_TYPE (BeckonAnswersRow, beckon_answers_row, ADW_TYPE_ACTION_ROW)

static void
answers_row_on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonAnswersRow) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) answers = beckon_store_list_answers_finish (BECKON_STORE (source), result, &error);

  /* The row is gone already. */
  if (self->runtime == NULL)
    return;
  if (answers != NULL)
    {
      g_autofree char *words = g_strdup_printf (
          g_dngettext (GETTEXT_PACKAGE, "%u answer. Shown when the same is asked again in its folder.",
                       "%u answers. Shown when the same is asked again in their folder.", answers->len),
          answers->len);

      adw_action_row_set_subtitle (ADW_ACTION_ROW (self), words);
      gtk_widget_set_sensitive (self->button, answers->len > 0);
    }
  else
    adw_action_row_set_subtitle (ADW_ACTION_ROW (self), error->message);
}

static void
answers_row_list (BeckonAnswersRow *self)
{
  beckon_store_list_answers_async (beckon_runtime_get_store (self->runtime), NULL, NULL, answers_row_on_listed,
                                   g_object_ref (self));
}

static void
answers_row_on_forgotten (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonAnswersRow) self = user_data;
  g_autoptr (GError) error = NULL;
  gboolean is_forgotten = beckon_store_forget_answers_finish (BECKON_STORE (source), result, &error);

  if (self->runtime == NULL)
    return;
  if (is_forgotten)
    answers_row_list (self);
  else
    adw_action_row_set_subtitle (ADW_ACTION_ROW (self), error->message);
}

static void
answers_row_on_response (BeckonAnswersRow *self, const char *response)
{
  if (g_str_equal (response, "forget"))
    beckon_store_forget_answers_async (beckon_runtime_get_store (self->runtime), NULL, NULL, NULL, answers_row_on_forgotten,
                                       g_object_ref (self));
}

static void
answers_row_on_clicked (BeckonAnswersRow *self)
{
  GtkWidget *alert = beckon_alert_new (_("Forget the Answers?"),
                                       _("They are no longer shown when the same is asked again. The conversations "
                                         "that they come from are kept."));

  beckon_alert_add_responses (alert, "cancel", _("_Cancel"), "forget", _("_Forget"), NULL);
  beckon_alert_set_appearance (alert, "forget", ADW_RESPONSE_DESTRUCTIVE);
  beckon_alert_set_defaults (alert, "cancel", "cancel");
  g_signal_connect_object (alert, "response", G_CALLBACK (answers_row_on_response), self, G_CONNECT_SWAPPED);
  beckon_alert_present (alert, GTK_WIDGET (self));
}

static void
beckon_answers_row_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (beckon_answers_row_parent_class)->map (widget);
  answers_row_list (BECKON_ANSWERS_ROW (widget));
}

static void
beckon_answers_row_dispose (GObject *object)
{
  g_clear_object (&BECKON_ANSWERS_ROW (object)->runtime);
  G_OBJECT_CLASS (beckon_answers_row_parent_class)->dispose (object);
}

static void
beckon_answers_row_class_init (BeckonAnswersRowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_answers_row_dispose;
  GTK_WIDGET_CLASS (klass)->map = beckon_answers_row_map;
}

static void
beckon_answers_row_init (BeckonAnswersRow *self)
{
  self->button = gtk_button_new_with_mnemonic (_("_Forget…"));
  gtk_widget_set_valign (self->button, GTK_ALIGN_CENTER);
  gtk_widget_set_sensitive (self->button, FALSE);
  g_signal_connect_object (self->button, "clicked", G_CALLBACK (answers_row_on_clicked), self, G_CONNECT_SWAPPED);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self), _("Your Earlier Answers"));
  adw_action_row_add_suffix (ADW_ACTION_ROW (self), self->button);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (self), self->button);
  beckon_own_name_set (self->button, _("Forget your earlier answers"));
}

/* A row of the preferences: how many answers are shown again when the same is asked, and a button that forgets them. */
static GtkWidget *
answers_row_new (BeckonRuntime *runtime)
{
  BeckonAnswersRow *self = g_object_new (BECKON_TYPE_ANSWERS_ROW, NULL);

  self->runtime = g_object_ref (runtime);
  return GTK_WIDGET (self);
}

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

/* Borrowed. */
static BeckonRule *
rule_row_get_rule (BeckonRuleRow *self)
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

/* A rule in a list of @rules. Signals: `try`, `delete`, `edit`, and `expire` (int: in how many days; 0 for never). Takes a
 *  reference. */
static GtkWidget *
rule_row_new (BeckonRule *rule, BeckonRuleSet *rules)
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

/* An example of a call is a line, not the whole. */
#define MOST_EXAMPLE_CHARS 160

struct _BeckonPermissionsPage
{
  AdwPreferencesPage parent_instance;

  BeckonRuntime *runtime; /* (owned) */
  GCancellable *leaving;  /* (owned) */
  int focus_place;        /* of the rule that is being moved; -1 for none */

  GtkListBox *rules_list;
  GtkWidget *no_rules;
  GtkListBox *parameters_list;
  GtkWidget *no_parameters;
  AdwPreferencesGroup *undo_group;
  AdwPreferencesGroup *log_group;
};

G_DEFINE_FINAL_TYPE (BeckonPermissionsPage, beckon_permissions_page, ADW_TYPE_PREFERENCES_PAGE)

static void
permissions_page_on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonPermissionsPage) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!beckon_rules_save_finish (BECKON_RULES (source), result, &error))
    beckon_toast_show (GTK_WIDGET (self), beckon_toast_new (error->message));
}

static void
permissions_page_save (BeckonPermissionsPage *self, BeckonRule *rule)
{
  beckon_rules_save_async (beckon_runtime_get_rules (self->runtime), rule, NULL, permissions_page_on_saved,
                           g_object_ref (self));
}

static void
permissions_page_on_undo (BeckonPermissionsPage *self, AdwToast *toast)
{
  permissions_page_save (self, g_object_get_data (G_OBJECT (toast), "rule"));
}

static void
permissions_page_on_removed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonPermissionsPage) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!beckon_rules_remove_finish (BECKON_RULES (source), result, &error))
    beckon_toast_show (GTK_WIDGET (self), beckon_toast_new (error->message));
}

static void
on_moved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonPermissionsPage) self = user_data;
  g_autoptr (GError) error = NULL;

  self->focus_place = -1;
  if (!beckon_rules_swap_finish (BECKON_RULES (source), result, &error))
    beckon_toast_show (GTK_WIDGET (self), beckon_toast_new (error->message));
}

/* The rule ends at once; Undo puts it back to its very place in the order. */
static void
on_delete (BeckonPermissionsPage *self, BeckonRuleRow *row)
{
  BeckonRule *rule = rule_row_get_rule (row);
  AdwToast *toast = adw_toast_new (_("Rule deleted"));

  g_object_set_data_full (G_OBJECT (toast), "rule", beckon_rule_ref (rule), (GDestroyNotify) beckon_rule_unref);
  adw_toast_set_button_label (toast, _("_Undo"));
  g_signal_connect_object (toast, "button-clicked", G_CALLBACK (permissions_page_on_undo), self, G_CONNECT_SWAPPED);
  beckon_rules_remove_async (beckon_runtime_get_rules (self->runtime), rule->id, NULL, permissions_page_on_removed,
                             g_object_ref (self));
  beckon_toast_show (GTK_WIDGET (self), toast);
}

/* @days: 0 for never. */
static void
on_expire (BeckonPermissionsPage *self, int days, BeckonRuleRow *row)
{
  g_autoptr (BeckonRule) changed = beckon_rule_copy (rule_row_get_rule (row));

  changed->expires_at = days > 0 ? g_get_real_time () + days * G_TIME_SPAN_DAY : 0;
  permissions_page_save (self, changed);
}

static char *
describe_changes (BeckonVerdict verdict, guint n)
{
  switch (verdict)
    {
    case BECKON_VERDICT_ALLOW:
      return g_strdup_printf (ngettext ("%u past call would now run without asking:",
                                        "%u past calls would now run without asking:", n), n);
    case BECKON_VERDICT_DENY:
      return g_strdup_printf (ngettext ("%u past call would now be denied:", "%u past calls would now be denied:", n), n);
    case BECKON_VERDICT_ASK:
    default:
      return g_strdup_printf (ngettext ("%u past call would now ask first:", "%u past calls would now ask first:", n), n);
    }
}

static char *
describe_simulation (const BeckonRule *rule, const BeckonRuleSimulation *simulation)
{
  guint n_same = simulation->n_matches - simulation->n_changed;
  GString *text = g_string_new (NULL);
  g_autofree char *changes = NULL;

  if (simulation->n_changed > 0)
    {
      changes = describe_changes (rule->verdict, simulation->n_changed);
      g_string_append (text, changes);
      for (guint i = 0; i < simulation->examples->len; i++)
        {
          /* "Edit notes.txt"; where no sentence says what a call was for, its arguments stand behind its name. */
          const BeckonPastCall *call = g_ptr_array_index (simulation->examples, i);
          g_autofree char *sentence
              = beckon_call_labels_describe (call->tool, NULL, call->arguments, BECKON_CALL_PHASE_STEP);
          g_autofree char *arguments = beckon_text_for_display (call->arguments, -1, BECKON_TEXT_EXACT);
          g_autofree char *line = beckon_call_labels_is_known (call->tool)
                                      ? g_strdup (sentence)
                                      : g_strdup_printf ("%s · %s", sentence, arguments);
          g_autofree char *example = beckon_text_shorten (line, MOST_EXAMPLE_CHARS);

          g_string_append_printf (text, "\n%s", example);
        }
      if (simulation->n_changed > simulation->examples->len)
        g_string_append (text, "\n…");
      g_string_append (text, "\n\n");
    }
  if (n_same > 0)
    g_string_append_printf (text, ngettext ("%u past call matches and stays as it was.",
                                            "%u past calls match and stay as they were.", n_same), n_same);
  else if (simulation->n_changed == 0)
    g_string_append_printf (text, ngettext ("None of the last %u call matches this rule.",
                                            "None of the last %u calls match this rule.", simulation->n_calls),
                            simulation->n_calls);
  return g_strchomp (g_string_free (text, FALSE));
}

typedef struct
{
  BeckonPermissionsPage *page; /* (owned) */
  BeckonRule *rule;            /* (owned) */
} Trial;

static void
trial_free (Trial *trial)
{
  g_object_unref (trial->page);
  beckon_rule_unref (trial->rule);
  g_free (trial);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Trial, trial_free)

static void
on_simulated (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Trial) trial = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonRuleSimulation) simulation = beckon_rule_simulate_finish (BECKON_STORE (source), result, &error);
  g_autofree char *text = NULL;
  GtkWidget *alert;

  if (simulation == NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    beckon_toast_show (GTK_WIDGET (trial->page), beckon_toast_new (error->message));
  if (simulation == NULL || gtk_widget_get_root (GTK_WIDGET (trial->page)) == NULL)
    return;
  text = describe_simulation (trial->rule, simulation);
  alert = beckon_alert_new (_("Matching Calls"), text);
  beckon_alert_add_responses (alert, "close", _("_Close"), NULL);
  beckon_alert_present (alert, GTK_WIDGET (trial->page));
}

static void
on_try (BeckonPermissionsPage *self, BeckonRuleRow *row)
{
  Trial *trial = g_new0 (Trial, 1);

  trial->page = g_object_ref (self);
  trial->rule = beckon_rule_ref (rule_row_get_rule (row));
  beckon_rule_simulate_async (beckon_runtime_get_store (self->runtime), beckon_runtime_get_library (self->runtime),
                              beckon_runtime_get_tools (self->runtime), trial->rule, self->leaving, on_simulated, trial);
}

static void
on_verdict (BeckonPermissionsPage *self, const char *verdict, BeckonRuleRow *row)
{
  g_autoptr (BeckonRule) changed = beckon_rule_copy (rule_row_get_rule (row));

  if (beckon_verdict_from_string (verdict, &changed->verdict))
    permissions_page_save (self, changed);
}

static void
on_edited (BeckonPermissionsPage *self, const char *arguments, GtkWidget *editor)
{
  BeckonRule *rule = g_object_get_data (G_OBJECT (editor), "rule");
  BeckonRule *newest = self->runtime != NULL ? beckon_rules_lookup (beckon_runtime_get_rules (self->runtime), rule->id) : NULL;
  g_autoptr (BeckonRule) changed = NULL;

  if (self->runtime == NULL)
    return;
  /* As it is now, or as it was where it was deleted. */
  changed = beckon_rule_copy (newest != NULL ? newest : rule);
  g_free (changed->arguments);
  changed->arguments = g_strdup (arguments);
  permissions_page_save (self, changed);
}

/* Rows are made anew with every change of any rule, so the window holds on to none. */
static void
on_edit (BeckonPermissionsPage *self, BeckonRuleRow *row)
{
  BeckonRule *rule = rule_row_get_rule (row);
  GtkWidget *editor = beckon_rule_editor_new (rule, beckon_runtime_get_rules (self->runtime));

  g_object_set_data_full (G_OBJECT (editor), "rule", beckon_rule_ref (rule), (GDestroyNotify) beckon_rule_unref);
  g_signal_connect_object (editor, "edited", G_CALLBACK (on_edited), self, G_CONNECT_SWAPPED);
  beckon_rule_editor_present (BECKON_RULE_EDITOR (editor), GTK_WIDGET (self));
}

/* The row that has the focus keeps it where it is put. */
static void
on_move (BeckonPermissionsPage *self, int step, BeckonRuleRow *row)
{
  int place = gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (row));
  GtkListBoxRow *other = place + step >= 0 ? gtk_list_box_get_row_at_index (self->rules_list, place + step) : NULL;
  BeckonRule *rule = rule_row_get_rule (row);
  BeckonRule *neighbour = other != NULL ? rule_row_get_rule (BECKON_RULE_ROW (other)) : NULL;

  if (neighbour == NULL || rule->number == 0 || neighbour->number == 0)
    return;
  self->focus_place = place + step;
  beckon_rules_swap_async (beckon_runtime_get_rules (self->runtime), rule, neighbour, NULL, on_moved, g_object_ref (self));
}

/* The last one decides, so it comes first. */
static void
permissions_page_update (BeckonPermissionsPage *self)
{
  GPtrArray *rules = beckon_rules_get_snapshot (beckon_runtime_get_rules (self->runtime));
  g_autoptr (BeckonRuleSet) set = rules != NULL ? beckon_rule_set_new (rules) : NULL;
  guint n = rules != NULL ? rules->len : 0;
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->rules_list))) != NULL)
    gtk_list_box_remove (self->rules_list, child);
  for (guint i = n; i > 0; i--)
    {
      GtkWidget *row = rule_row_new (g_ptr_array_index (rules, i - 1), set);

      g_signal_connect_object (row, "delete", G_CALLBACK (on_delete), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (row, "expire", G_CALLBACK (on_expire), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (row, "try", G_CALLBACK (on_try), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (row, "verdict", G_CALLBACK (on_verdict), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (row, "edit", G_CALLBACK (on_edit), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (row, "step", G_CALLBACK (on_move), self, G_CONNECT_SWAPPED);
      gtk_list_box_append (self->rules_list, row);
    }
  gtk_widget_set_visible (GTK_WIDGET (self->rules_list), n > 0);
  gtk_widget_set_visible (self->no_rules, n == 0);
  if (self->focus_place >= 0 && gtk_list_box_get_row_at_index (self->rules_list, self->focus_place) != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (gtk_list_box_get_row_at_index (self->rules_list, self->focus_place)));
}

/* --- Arguments of tools ------------------------------------------------------------------------------------------- */

static void
on_parameter_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonPermissionsPage) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!beckon_argument_overrides_save_finish (BECKON_ARGUMENT_OVERRIDES (source), result, &error))
    beckon_toast_show (GTK_WIDGET (self), beckon_toast_new (error->message));
}

static void
save_parameter (BeckonPermissionsPage *self, BeckonToolParameter *parameter)
{
  beckon_argument_overrides_save_async (beckon_runtime_get_parameters (self->runtime), parameter, NULL, on_parameter_saved,
                                        g_object_ref (self));
}

static void
on_parameter_undo (BeckonPermissionsPage *self, AdwToast *toast)
{
  save_parameter (self, g_object_get_data (G_OBJECT (toast), "parameter"));
}

static void
on_parameter_delete (BeckonPermissionsPage *self, GtkWidget *button)
{
  BeckonToolParameter *parameter
      = g_object_get_data (G_OBJECT (gtk_widget_get_ancestor (button, ADW_TYPE_ACTION_ROW)), "parameter");
  g_autoptr (BeckonToolParameter) nothing
      = beckon_tool_parameter_new (parameter->tool, parameter->server, parameter->name);
  AdwToast *toast = adw_toast_new (_("Override removed"));

  g_object_set_data_full (G_OBJECT (toast), "parameter", beckon_tool_parameter_ref (parameter),
                          (GDestroyNotify) beckon_tool_parameter_unref);
  adw_toast_set_button_label (toast, _("_Undo"));
  g_signal_connect_object (toast, "button-clicked", G_CALLBACK (on_parameter_undo), self, G_CONNECT_SWAPPED);
  save_parameter (self, nothing);
  beckon_toast_show (GTK_WIDGET (self), toast);
}

/* @parameter: (nullable): %NULL to choose one. */
static void
edit_parameter (BeckonPermissionsPage *self, BeckonToolParameter *parameter)
{
  GtkWidget *editor = beckon_parameter_editor_new (self->runtime, parameter);

  beckon_sheet_present (BECKON_SHEET (editor), GTK_WIDGET (self));
}

static void
on_parameter_activated (BeckonPermissionsPage *self, GtkWidget *row)
{
  edit_parameter (self, g_object_get_data (G_OBJECT (row), "parameter"));
}

static void
on_add_parameter_clicked (BeckonPermissionsPage *self)
{
  edit_parameter (self, NULL);
}

static void
update_parameters (BeckonPermissionsPage *self)
{
  GPtrArray *all = beckon_followed_list_get_snapshot (BECKON_FOLLOWED_LIST (beckon_runtime_get_parameters (self->runtime)));
  guint n = all != NULL ? all->len : 0;
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->parameters_list))) != NULL)
    gtk_list_box_remove (self->parameters_list, child);
  for (guint i = 0; i < n; i++)
    {
      BeckonToolParameter *parameter = g_ptr_array_index (all, i);
      g_autofree char *tool = beckon_text_for_display (parameter->tool, -1, BECKON_TEXT_EXACT);
      g_autofree char *name = beckon_text_for_display (parameter->name, -1, BECKON_TEXT_EXACT);
      g_autofree char *title = g_strdup_printf ("%s · %s", tool, name);
      /* Translators: %s is an argument of a tool, such as "write_file · path" */
      g_autofree char *delete = beckon_text_fill_in (_("Remove override: %s"), title);
      g_autofree char *words = beckon_tool_parameter_dup_words (parameter);
      GtkWidget *row = g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title", title, "subtitle", words, "title-lines",
                                     2, "subtitle-lines", 4, "activatable", TRUE, NULL);
      GtkWidget *button = gtk_button_new_from_icon_name ("user-trash-symbolic");

      g_object_set_data_full (G_OBJECT (row), "parameter", beckon_tool_parameter_ref (parameter),
                              (GDestroyNotify) beckon_tool_parameter_unref);
      gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
      gtk_widget_add_css_class (button, "flat");
      gtk_widget_set_tooltip_text (button, _("Remove Override"));
      gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, delete, -1);
      g_signal_connect_object (button, "clicked", G_CALLBACK (on_parameter_delete), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (row, "activated", G_CALLBACK (on_parameter_activated), self, G_CONNECT_SWAPPED);
      adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
      gtk_list_box_append (self->parameters_list, row);
    }
  gtk_widget_set_visible (GTK_WIDGET (self->parameters_list), n > 0);
  gtk_widget_set_visible (self->no_parameters, n == 0);
}

static void
on_log_activated (BeckonPermissionsPage *self)
{
  GApplication *application = g_application_get_default ();

  /* A window around a sheet belongs to no application, and has no actions of one. */
  if (application != NULL)
    g_action_group_activate_action (G_ACTION_GROUP (application), "audit-log", NULL);
}

static void
beckon_permissions_page_dispose (GObject *object)
{
  BeckonPermissionsPage *self = BECKON_PERMISSIONS_PAGE (object);

  g_cancellable_cancel (self->leaving);
  g_clear_object (&self->leaving);
  g_clear_object (&self->runtime);
  G_OBJECT_CLASS (beckon_permissions_page_parent_class)->dispose (object);
}

static void
beckon_permissions_page_class_init (BeckonPermissionsPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_permissions_page_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/permissions-page.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonPermissionsPage, rules_list);
  gtk_widget_class_bind_template_child (widget_class, BeckonPermissionsPage, no_rules);
  gtk_widget_class_bind_template_child (widget_class, BeckonPermissionsPage, parameters_list);
  gtk_widget_class_bind_template_child (widget_class, BeckonPermissionsPage, no_parameters);
  gtk_widget_class_bind_template_child (widget_class, BeckonPermissionsPage, undo_group);
  gtk_widget_class_bind_template_child (widget_class, BeckonPermissionsPage, log_group);
  gtk_widget_class_bind_template_callback (widget_class, on_log_activated);
  gtk_widget_class_bind_template_callback (widget_class, on_add_parameter_clicked);
}

static void
beckon_permissions_page_init (BeckonPermissionsPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->leaving = g_cancellable_new ();
  self->focus_place = -1;
}

AdwPreferencesPage *
beckon_permissions_page_new (BeckonRuntime *runtime)
{
  BeckonPermissionsPage *self = g_object_new (BECKON_TYPE_PERMISSIONS_PAGE, NULL);
  GSettings *settings = beckon_settings_get_gsettings (beckon_runtime_get_settings (runtime));

  self->runtime = g_object_ref (runtime);
  if (settings != NULL)
    beckon_settings_bind_named (settings, GTK_WIDGET (self));
  g_signal_connect_object (beckon_runtime_get_rules (runtime), "changed", G_CALLBACK (permissions_page_update), self,
                           G_CONNECT_SWAPPED);
  /* How often each was used is counted where it is used. */
  g_signal_connect_object (self, "map", G_CALLBACK (beckon_followed_list_reload), beckon_runtime_get_rules (runtime),
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (beckon_runtime_get_parameters (runtime), "changed", G_CALLBACK (update_parameters), self,
                           G_CONNECT_SWAPPED);
  adw_preferences_group_add (self->undo_group, beckon_undo_copies_row_new (runtime));
  adw_preferences_group_add (self->log_group, answers_row_new (runtime));
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (self), ADW_PREFERENCES_GROUP (beckon_copies_group_new (runtime)));
  permissions_page_update (self);
  update_parameters (self);
  return ADW_PREFERENCES_PAGE (self);
}
