/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Every template is built once with fatal warnings: the compiler's check of what is too new does not see them. */

#include "beckon-ui-home.h"

#include <string.h>

#include "beckon-config.h"
#include "template-types.h"
#include "ui/application/beckon-application.h"
#include "ui/application/beckon-debug-information.h"
#include "ui/blocks/beckon-foldings.h"
#include "ui/conversation/beckon-welcome.h"
#include "ui/preferences/beckon-audit-log.h"
#include "ui/preferences/beckon-preferences.h"
#include "ui/preferences/beckon-rule-editor.h"
#include "ui/preferences/beckon-permissions-page.h"
#include "ui/preferences/beckon-shortcuts.h"

/* All there are, by themselves, before anybody told them what to show; they are shown where they are used. */
static void
test_widgets (UiFixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (template_types); i++)
    {
      GtkWidget *widget = g_object_new (template_types[i](), NULL);

      g_test_message ("%s", G_OBJECT_TYPE_NAME (widget));
      g_object_add_weak_pointer (G_OBJECT (widget), (gpointer *) &widget);
      if (GTK_IS_WINDOW (widget))
        ui_close (widget);
      else
        g_object_unref (g_object_ref_sink (widget));
      ui_settle ();
      ui_wait_until (widget == NULL);
    }
}

static void
test_reasoning (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_REASONING, "It may be *this*.");
  GtkWidget *reasoning = beckon_reasoning_new (part);

  ui_show (fixture, reasoning);
  g_assert_null (ui_find_text (reasoning, "It may be this."));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (ui_find_named (reasoning, "Reasoning")), TRUE);
  g_assert_nonnull (ui_find_text (reasoning, "It may be this."));
  beckon_part_append (part, " Or that.", 9);
  ui_wait_frames (fixture, 2);
  g_assert_nonnull (ui_find_text (reasoning, "It may be this. Or that."));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (ui_find_named (reasoning, "Reasoning")), FALSE);
  g_assert_null (ui_find_text (reasoning, "It may be this."));
}

static BeckonShortcutRow *
find_shortcut (GtkWidget *widget, const char *title)
{
  BeckonShortcutRow *found = NULL;

  if (BECKON_IS_SHORTCUT_ROW (widget) && g_str_equal (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (widget)), title))
    return BECKON_SHORTCUT_ROW (widget);
  for (GtkWidget *at = gtk_widget_get_first_child (widget); at != NULL && found == NULL; at = gtk_widget_get_next_sibling (at))
    found = find_shortcut (at, title);
  return found;
}

static void
test_shortcuts (UiFixture *fixture, gconstpointer data)
{
  GtkWidget *shortcuts = beckon_shortcuts_new ();

  ui_present (shortcuts);
  g_assert_cmpstr (beckon_shortcut_row_get_words (find_shortcut (shortcuts, "Choose by number")), ==, "1–9");
  g_assert_cmpstr (beckon_shortcut_row_get_words (find_shortcut (shortcuts, "Menu of the conversation or message")), ==,
                   "Shift+F10");
  g_assert_cmpstr (beckon_shortcut_row_get_words (find_shortcut (shortcuts, "Next or previous message")), ==, "↑ / ↓");
  ui_destroy (shortcuts);
}

static void
on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(gboolean *) user_data = beckon_rules_save_finish (BECKON_RULES (source), result, NULL);
}

static BeckonRule *
save_rule (UiHome *home)
{
  BeckonRule *rule = beckon_rule_new ();
  gboolean saved = FALSE;

  rule->id = g_strdup ("one");
  rule->tool = g_strdup ("run_command");
  rule->arguments = g_strdup ("{\"command\":\"git log *\"}");
  rule->verdict = BECKON_VERDICT_ALLOW;
  rule->created_at = 1;
  beckon_rules_save_async (beckon_runtime_get_rules (home->runtime), rule, NULL, on_saved, &saved);
  ui_wait_until (saved);
  return rule;
}

static guint
count_cut_labels (GtkWidget *widget)
{
  guint n = 0;

  if (!gtk_widget_get_mapped (widget))
    return 0;
  if (GTK_IS_LABEL (widget) && pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (widget))))
    {
      g_test_message ("cut: %s", gtk_label_get_text (GTK_LABEL (widget)));
      n++;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    n += count_cut_labels (child);
  return n;
}

static GtkWidget *
present_preferences (UiHome *home, int width)
{
  GtkWidget *preferences = beckon_preferences_new (home->runtime, NULL);

  if (width > 0)
    g_object_set (preferences, "default-width", width, "default-height", 640, NULL);
  ui_present (preferences);
  ui_wait_frames_of (preferences, 2);
  return preferences;
}

static gboolean
is_page (GtkWidget *preferences, const char *name)
{
  return g_strcmp0 (adw_preferences_page_get_name (beckon_preferences_get_page (BECKON_PREFERENCES (preferences))), name) == 0;
}

/* The pages are a list beside the page, and a page of its own where there is no room for both; no title is cut. */
static void
test_pages (UiFixture *fixture, gconstpointer data)
{
  UiHome home;
  GtkWidget *preferences, *list, *back;

  ui_home_open (&home);
  preferences = present_preferences (&home, 0);
  list = ui_find_named (preferences, "Pages");
  g_assert_true (GTK_IS_LIST_BOX (list));
  g_assert_cmpuint (count_cut_labels (preferences), ==, 0);
  gtk_list_box_select_row (GTK_LIST_BOX (list), gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), 2));
  g_assert_true (is_page (preferences, "tools"));
  beckon_preferences_show_row (BECKON_PREFERENCES (preferences), "appearance", NULL);
  g_assert_true (gtk_widget_is_ancestor (ui_find_text (list, "Appearance"),
                                         GTK_WIDGET (gtk_list_box_get_selected_row (GTK_LIST_BOX (list)))));
  ui_destroy (preferences);

  preferences = present_preferences (&home, 360);
  g_assert_cmpint (gtk_widget_get_width (preferences), <=, 360);
  g_assert_cmpuint (count_cut_labels (preferences), ==, 0);
  back = ui_find_button (preferences, "Pages");
  g_assert_nonnull (back);
  g_signal_emit_by_name (back, "clicked");
  ui_wait_until (!gtk_widget_get_mapped (back));
  g_assert_cmpuint (count_cut_labels (preferences), ==, 0);
  list = ui_find_named (preferences, "Pages");
  g_signal_emit_by_name (list, "row-activated", gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), 1));
  gtk_list_box_select_row (GTK_LIST_BOX (list), gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), 1));
  ui_wait_until (gtk_widget_get_mapped (back) && is_page (preferences, "agent"));
  ui_destroy (preferences);
  ui_home_close (&home);
}

/* The switch shows what holds, which nobody can change there. */
static void
look_without_schema (void)
{
  static const char *const pages[] = { "credentials", "tools" };
  UiHome home;
  GtkWidget *preferences;

  ui_home_open (&home);
  if (beckon_settings_get_gsettings (beckon_runtime_get_settings (home.runtime)) != NULL)
    {
      g_test_skip ("The schema is installed on this computer");
      ui_home_close (&home);
      return;
    }
  preferences = beckon_preferences_new (home.runtime, NULL);
  ui_present (preferences);
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      GtkWidget *page, *control;

      beckon_preferences_show_row (BECKON_PREFERENCES (preferences), pages[i], NULL);
      page = GTK_WIDGET (beckon_preferences_get_page (BECKON_PREFERENCES (preferences)));
      ui_wait_until ((control = ui_find_named (page, "Decide Together With the Agent")) != NULL);
      g_assert_true (gtk_switch_get_active (GTK_SWITCH (control)));
      g_assert_false (gtk_widget_is_sensitive (control));
    }
  ui_destroy (preferences);
  ui_home_close (&home);
}

static void
test_without_schema (UiFixture *fixture, gconstpointer data)
{
  g_autofree char *schemas = g_strdup (g_getenv ("GSETTINGS_SCHEMA_DIR"));

  if (g_test_subprocess ())
    {
      look_without_schema ();
      return;
    }
  g_setenv ("GSETTINGS_SCHEMA_DIR", "/nonexistent", TRUE);
  g_test_trap_subprocess (NULL, 60 * G_USEC_PER_SEC, G_TEST_SUBPROCESS_DEFAULT);
  g_setenv ("GSETTINGS_SCHEMA_DIR", schemas != NULL ? schemas : "", TRUE);
  g_test_trap_assert_passed ();
}

/* A rule is seen with what it is about and how often it was used; deleted it does not hold any more, and comes back. */
static void
test_permissions (UiFixture *fixture, gconstpointer data)
{
  UiHome home;
  GtkWidget *preferences;
  BeckonRules *rules;
  GtkWidget *undo;
  g_autoptr (BeckonRule) rule = NULL;

  ui_home_open (&home);
  rules = beckon_runtime_get_rules (home.runtime);
  preferences = beckon_preferences_new (home.runtime, NULL);
  ui_present (preferences);
  rule = save_rule (&home);
  beckon_preferences_show_row (BECKON_PREFERENCES (preferences), "permissions", NULL);
  ui_wait_until (ui_find_text (preferences, "Run git log *") != NULL);
  g_assert_nonnull (ui_find_text (preferences, "Runs without a question · everywhere · not used yet"));
  g_signal_emit_by_name (ui_find_named (preferences, "Delete rule"), "clicked");
  ui_wait_until (beckon_rules_lookup (rules, "one") == NULL);
  ui_wait_until ((undo = ui_find_named (preferences, "Undo")) != NULL);
  g_signal_emit_by_name (gtk_widget_get_ancestor (undo, GTK_TYPE_BUTTON), "clicked");
  ui_wait_until (beckon_rules_lookup (rules, "one") != NULL);
  ui_destroy (preferences);
  ui_home_close (&home);
}

static BeckonRuleRow *
find_rule_row (GtkWidget *preferences, const char *title)
{
  GtkWidget *label = ui_find_text (preferences, title);

  return label != NULL ? BECKON_RULE_ROW (gtk_widget_get_ancestor (label, BECKON_TYPE_RULE_ROW)) : NULL;
}

static void
save_second_rule (UiHome *home)
{
  g_autoptr (BeckonRule) rule = beckon_rule_new ();
  gboolean saved = FALSE;

  rule->id = g_strdup ("two");
  rule->tool = g_strdup ("write_file");
  rule->verdict = BECKON_VERDICT_ALLOW;
  rule->created_at = 2;
  beckon_rules_save_async (beckon_runtime_get_rules (home->runtime), rule, NULL, on_saved, &saved);
  ui_wait_until (saved);
}

static gboolean
is_first (UiHome *home, const char *id)
{
  GPtrArray *rules = beckon_rules_get_snapshot (beckon_runtime_get_rules (home->runtime));

  return rules->len == 2 && g_str_equal (((BeckonRule *) g_ptr_array_index (rules, 1))->id, id);
}

/* The first matching rule wins: a rule is moved before another, and what it says and matches is changed. */
static void
test_rule_order (UiFixture *fixture, gconstpointer data)
{
  UiHome home;
  GtkWidget *preferences, *editor, *entry;
  BeckonRules *rules;
  g_autoptr (BeckonRule) rule = NULL;

  ui_home_open (&home);
  rules = beckon_runtime_get_rules (home.runtime);
  rule = save_rule (&home);
  save_second_rule (&home);
  preferences = beckon_preferences_new (home.runtime, NULL);
  ui_present (preferences);
  beckon_preferences_show_row (BECKON_PREFERENCES (preferences), "permissions", NULL);
  ui_wait_until (ui_find_text (preferences, "Run git log *") != NULL && is_first (&home, "two")
                 && beckon_rules_lookup (rules, "one")->number > 0 && beckon_rules_lookup (rules, "two")->number > 0);
  gtk_widget_activate_action (GTK_WIDGET (find_rule_row (preferences, "Run git log *")), "rule.step", "i", -1);
  ui_wait_until (is_first (&home, "one"));
  ui_settle ();
  g_assert_cmpint (gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (find_rule_row (preferences, "Run git log *"))), ==, 0);
  gtk_widget_activate_action (GTK_WIDGET (find_rule_row (preferences, "Run git log *")), "rule.verdict", "s", "deny");
  ui_wait_until (beckon_rules_lookup (rules, "one")->verdict == BECKON_VERDICT_DENY);

  gtk_widget_activate_action (GTK_WIDGET (find_rule_row (preferences, "Run git log *")), "rule.edit", NULL);
  ui_wait_until ((editor = ui_find_alert ("Edit Patterns")) != NULL);
  entry = gtk_widget_get_ancestor (ui_find_field (editor, "command"), ADW_TYPE_ENTRY_ROW);
  gtk_editable_set_text (GTK_EDITABLE (entry), "git show *");
  ui_respond (editor, "save");
  ui_wait_until (ui_find_text (preferences, "Run git show *") != NULL);
  g_assert_true (is_first (&home, "one"));
  ui_destroy (preferences);
  ui_home_close (&home);
}

static void
test_log (UiFixture *fixture, gconstpointer data)
{
  UiHome home;
  GtkWidget *window;

  ui_home_open (&home);
  window = ui_present (beckon_audit_log_new (home.runtime));
  ui_wait_until (ui_find_text (window, "No matching calls") != NULL);
  ui_destroy (window);
  ui_home_close (&home);
}

static void
test_preferences (UiFixture *fixture, gconstpointer data)
{
  UiHome home;
  GtkWidget *preferences;
  GtkCheckButton *chosen;

  ui_home_open (&home);
  preferences = beckon_preferences_new (home.runtime, NULL);
  ui_present (preferences);
  g_assert_nonnull (ui_find_named (preferences, "Decide Together With the Agent"));
  g_assert_nonnull (ui_find_named (preferences, "Offline tour"));

  /* The choice follows the setting, also where that names a profile that is gone. */
  chosen = GTK_CHECK_BUTTON (ui_find_type (preferences, GTK_TYPE_CHECK_BUTTON));
  g_assert_true (gtk_check_button_get_active (chosen));
  beckon_settings_set_default_profile (beckon_runtime_get_settings (home.runtime), "gone");
  g_assert_false (gtk_check_button_get_active (chosen));
  beckon_settings_set_default_profile (beckon_runtime_get_settings (home.runtime), BECKON_PROFILE_TOUR_ID);
  g_assert_true (gtk_check_button_get_active (chosen));
  ui_destroy (preferences);
  ui_home_close (&home);
}

static void
test_window (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonSettings) settings = beckon_settings_new ();
  UiHome home;
  GtkWidget *window = beckon_window_new (NULL, settings);

  gtk_window_present (GTK_WINDOW (window));
  ui_wait_until (gtk_widget_get_mapped (window));
  ui_home_open (&home);
  beckon_window_set_runtime (BECKON_WINDOW (window), home.runtime);
  g_assert_nonnull (ui_find_type (window, BECKON_TYPE_WELCOME));
  beckon_window_new_conversation (BECKON_WINDOW (window));
  g_assert_null (ui_find_type (window, BECKON_TYPE_WELCOME));
  g_assert_nonnull (ui_find_named (window, "Message"));
  g_assert_nonnull (ui_find_text (window, "New conversation"));
  beckon_window_new_conversation (BECKON_WINDOW (window));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (beckon_runtime_get_library (home.runtime))), ==, 1);
  ui_destroy (window);
  ui_home_close (&home);
}

/* Versions and numbers; nothing that anybody wrote, and nothing of where. */
static void
test_debug_information (UiFixture *fixture, gconstpointer data)
{
  UiHome home;
  g_autofree char *before = beckon_debug_information_make (NULL);
  g_autofree char *text = NULL;

  ui_home_open (&home);
  ui_home_add (&home, "Heron conversation", 1, 1, "Where is the weir?", "Below the mill.");
  text = beckon_debug_information_make (home.runtime);
  g_assert_nonnull (strstr (before, "History: not open"));
  g_assert_nonnull (strstr (text, "Beckon: " BECKON_VERSION));
  g_assert_nonnull (strstr (text, "Conversations: 1"));
  g_assert_null (strstr (text, "Heron"));
  g_assert_null (strstr (text, "weir"));
  g_assert_null (strstr (text, home.folder));
  ui_home_close (&home);
}

static void
test_failure (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonSettings) settings = beckon_settings_new ();
  g_autoptr (GError) error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_FAILED, "The disk is <gone> & lost.");
  g_autoptr (BeckonStore) store = beckon_store_new (g_get_user_runtime_dir (), beckon_clock_get_system ());
  GtkWidget *window = beckon_window_new (NULL, settings);

  gtk_window_present (GTK_WINDOW (window));
  beckon_window_show_failure (BECKON_WINDOW (window), store, error);
  ui_wait_until (gtk_widget_get_mapped (window));
  g_assert_nonnull (ui_find_text (window, "The disk is <gone> & lost."));
  ui_destroy (window);
}

int
main (int argc, char *argv[])
{
  if (!ui_test_init (&argc, &argv))
    return 0;

  ui_test_add ("/ui/templates/widgets", test_widgets);
  ui_test_add ("/ui/templates/reasoning", test_reasoning);
  ui_test_add ("/ui/templates/shortcuts", test_shortcuts);
  ui_test_add ("/ui/templates/preferences", test_preferences);
  ui_test_add ("/ui/templates/pages", test_pages);
  ui_test_add ("/ui/templates/without-schema", test_without_schema);
  ui_test_add ("/ui/templates/permissions", test_permissions);
  ui_test_add ("/ui/templates/rule-order", test_rule_order);
  ui_test_add ("/ui/templates/log", test_log);
  ui_test_add ("/ui/templates/window", test_window);
  ui_test_add ("/ui/templates/debug-information", test_debug_information);
  ui_test_add ("/ui/templates/failure", test_failure);
  return g_test_run ();
}
