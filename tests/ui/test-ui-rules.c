/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rules that another process changes while they are seen, edited and moved here: nothing of either is lost. */

#include "beckon-ui-home.h"

#include "ui/preferences/beckon-preferences.h"
#include "ui/preferences/beckon-rule-editor.h"
#include "ui/preferences/beckon-permissions-page.h"

#include <string.h>

/* Another runtime on the same history stands for the other process. */
typedef struct
{
  UiHome home;
  BeckonRuntime *other;
  GtkWidget *preferences;
} Fixture;

static void
on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  *(gboolean *) user_data = beckon_runtime_open_finish (BECKON_RUNTIME (source), result, &error);
  g_assert_no_error (error);
}

static void
on_closed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(gboolean *) user_data = beckon_runtime_close_finish (BECKON_RUNTIME (source), result, NULL);
}

static void
on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  *(gboolean *) user_data = beckon_rules_save_finish (BECKON_RULES (source), result, &error);
  g_assert_no_error (error);
}

static void
on_swapped (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  *(gboolean *) user_data = beckon_rules_swap_finish (BECKON_RULES (source), result, &error);
  g_assert_no_error (error);
}

static void
on_removed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(gboolean *) user_data = beckon_rules_remove_finish (BECKON_RULES (source), result, NULL);
}

static BeckonRules *
ours (Fixture *fixture)
{
  return beckon_runtime_get_rules (fixture->home.runtime);
}

static BeckonRules *
theirs (Fixture *fixture)
{
  return beckon_runtime_get_rules (fixture->other);
}

static void
save (BeckonRules *rules, BeckonRule *rule)
{
  gboolean saved = FALSE;

  beckon_rules_save_async (rules, rule, NULL, on_saved, &saved);
  ui_wait_until (saved);
}

static void
add_rule (Fixture *fixture, const char *id, const char *command, gint64 at)
{
  g_autoptr (BeckonRule) rule = beckon_rule_new ();

  rule->id = g_strdup (id);
  rule->tool = g_strdup ("run_command");
  rule->arguments = g_strdup_printf ("{\"command\":\"%s\"}", command);
  rule->verdict = BECKON_VERDICT_ALLOW;
  rule->created_at = at;
  save (ours (fixture), rule);
  ui_wait_until (beckon_rules_lookup (theirs (fixture), id) != NULL && beckon_rules_lookup (theirs (fixture), id)->number > 0
                 && beckon_rules_lookup (ours (fixture), id)->number > 0);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  gboolean is_open = FALSE;

  ui_home_open (&fixture->home);
  fixture->other = beckon_runtime_new (fixture->home.folder);
  beckon_runtime_open_async (fixture->other, NULL, on_opened, &is_open);
  ui_wait_until (is_open);
  add_rule (fixture, "one", "git log *", 1);
  add_rule (fixture, "two", "make *", 2);
  fixture->preferences = beckon_preferences_new (fixture->home.runtime, NULL);
  ui_present (fixture->preferences);
  beckon_preferences_show_row (BECKON_PREFERENCES (fixture->preferences), "permissions", NULL);
  ui_wait_until (ui_find_text (fixture->preferences, "Run git log *") != NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  gboolean closed = FALSE;

  ui_destroy (fixture->preferences);
  beckon_runtime_close_async (fixture->other, on_closed, &closed);
  ui_wait_until (closed);
  g_object_unref (fixture->other);
  ui_home_close (&fixture->home);
}

static GtkWidget *
find_row (Fixture *fixture, const char *title)
{
  GtkWidget *label = ui_find_text (fixture->preferences, title);

  return label != NULL ? gtk_widget_get_ancestor (label, BECKON_TYPE_RULE_ROW) : NULL;
}

static GtkWidget *
edit (Fixture *fixture, const char *title, const char *command)
{
  GtkWidget *editor, *entry;

  gtk_widget_activate_action (find_row (fixture, title), "rule.edit", NULL);
  ui_wait_until ((editor = ui_find_alert ("Edit Patterns")) != NULL);
  entry = gtk_widget_get_ancestor (ui_find_field (editor, "command"), ADW_TYPE_ENTRY_ROW);
  gtk_editable_set_text (GTK_EDITABLE (entry), command);
  return editor;
}

static void
accept (GtkWidget *editor)
{
  ui_respond (editor, "save");
}

static gboolean
has (BeckonRules *rules, const char *id, const char *command, BeckonVerdict verdict)
{
  BeckonRule *rule = beckon_rules_lookup (rules, id);

  return rule != NULL && strstr (rule->arguments, command) != NULL && rule->verdict == verdict;
}

/* The words are edited here, and meanwhile the other process denies what the rule allowed. */
static void
test_edited (Fixture *fixture, gconstpointer data)
{
  GtkWidget *editor = edit (fixture, "Run git log *", "git show *");
  g_autoptr (BeckonRule) denied = beckon_rule_copy (beckon_rules_lookup (theirs (fixture), "one"));

  denied->verdict = BECKON_VERDICT_DENY;
  save (theirs (fixture), denied);
  ui_wait_until (has (ours (fixture), "one", "git log", BECKON_VERDICT_DENY));
  accept (editor);
  ui_wait_until (has (theirs (fixture), "one", "git show *", BECKON_VERDICT_DENY));
  g_assert_true (has (ours (fixture), "one", "git show *", BECKON_VERDICT_DENY));
  g_assert_true (has (theirs (fixture), "two", "make *", BECKON_VERDICT_ALLOW));
  ui_wait_until (find_row (fixture, "Run git show *") != NULL);
}

/* A row that was edited elsewhere since it was shown is another row: what is chosen there is about the newest words. */
static void
test_verdict_after_words (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRule) changed = beckon_rule_copy (beckon_rules_lookup (theirs (fixture), "two"));

  g_free (changed->arguments);
  changed->arguments = g_strdup ("{\"command\":\"make check\"}");
  save (theirs (fixture), changed);
  ui_wait_until (find_row (fixture, "Run make check") != NULL);
  g_assert_null (find_row (fixture, "Run make *"));
  gtk_widget_activate_action (find_row (fixture, "Run make check"), "rule.verdict", "s", "ask");
  ui_wait_until (has (theirs (fixture), "two", "make check", BECKON_VERDICT_ASK));
}

static gboolean
is_first (BeckonRules *rules, const char *id)
{
  GPtrArray *all = beckon_rules_get_snapshot (rules);

  return all != NULL && all->len > 0 && g_str_equal (((BeckonRule *) g_ptr_array_index (all, all->len - 1))->id, id);
}

/* Both move the same rule: it is one step up in the end, not two, or back. */
static void
test_moved (Fixture *fixture, gconstpointer data)
{
  gboolean swapped = FALSE;

  g_assert_true (is_first (ours (fixture), "two"));
  beckon_rules_swap_async (theirs (fixture), beckon_rules_lookup (theirs (fixture), "one"),
                           beckon_rules_lookup (theirs (fixture), "two"), NULL, on_swapped, &swapped);
  ui_wait_until (swapped);
  ui_wait_until (is_first (ours (fixture), "one"));
  ui_wait_until (gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (find_row (fixture, "Run git log *"))) == 0);
  gtk_widget_activate_action (find_row (fixture, "Run git log *"), "rule.step", "i", 1);
  ui_wait_until (is_first (theirs (fixture), "two"));
  g_assert_true (is_first (ours (fixture), "two"));
}

/* Saving what was deleted elsewhere meanwhile brings it back as it was, with the new words. */
static void
test_deleted (Fixture *fixture, gconstpointer data)
{
  GtkWidget *editor = edit (fixture, "Run git log *", "git show *");
  gboolean deleted = FALSE;

  beckon_rules_remove_async (theirs (fixture), "one", NULL, on_removed, &deleted);
  ui_wait_until (deleted);
  ui_wait_until (beckon_rules_lookup (ours (fixture), "one") == NULL);
  ui_wait_until (find_row (fixture, "Run git log *") == NULL);
  accept (editor);
  ui_wait_until (has (theirs (fixture), "one", "git show *", BECKON_VERDICT_ALLOW));
}

/* A rule that allows more than before says which older one it overrides: while it is edited, and where it is listed, also after
 * it was moved there. One below that denies says nothing. */
static void
test_overriding (Fixture *fixture, gconstpointer data)
{
  static const char words[] = "overrides your rule denying “Run git log *”";
  g_autoptr (BeckonRule) denied = beckon_rule_copy (beckon_rules_lookup (ours (fixture), "one"));
  GtkWidget *editor;
  GtkEditable *entry;

  denied->verdict = BECKON_VERDICT_DENY;
  save (ours (fixture), denied);
  ui_wait_until (has (ours (fixture), "one", "git log", BECKON_VERDICT_DENY));
  editor = edit (fixture, "Run make *", "git *");
  g_assert_nonnull (ui_find_text (editor, words));
  entry = GTK_EDITABLE (gtk_widget_get_ancestor (ui_find_field (editor, "command"), ADW_TYPE_ENTRY_ROW));
  gtk_editable_set_text (entry, "git show *");
  g_assert_null (ui_find_text (editor, words));
  gtk_editable_set_text (entry, "git *");
  g_assert_nonnull (ui_find_text (editor, words));
  g_assert_null (ui_find_text (find_row (fixture, "Run make *"), words));
  accept (editor);
  ui_wait_until (find_row (fixture, "Run git *") != NULL && ui_find_text (find_row (fixture, "Run git *"), words) != NULL);
  gtk_widget_activate_action (find_row (fixture, "Run git *"), "rule.step", "i", 1);
  ui_wait_until (is_first (ours (fixture), "one") && ui_find_text (fixture->preferences, words) == NULL);
}

int
main (int argc, char *argv[])
{
  if (!ui_test_init (&argc, &argv))
    return 0;

#define add(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)
  add ("/ui/rules/edited", test_edited);
  add ("/ui/rules/verdict-after-words", test_verdict_after_words);
  add ("/ui/rules/moved", test_moved);
  add ("/ui/rules/deleted", test_deleted);
  add ("/ui/rules/overriding", test_overriding);
  return g_test_run ();
}
