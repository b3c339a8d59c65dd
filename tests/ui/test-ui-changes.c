/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A command's changes: the card that asks which of them are kept, and what is seen of them later. */

#include "beckon-ui-fixture.h"

#include "request/beckon-changes-request.h"
#include "ui/blocks/beckon-code-block.h"
#include "ui/cards/beckon-change-labels.h"
#include "ui/cards/beckon-change-list.h"
#include "ui/cards/beckon-change-row.h"
#include "ui/cards/beckon-changes-card.h"
#include "ui/cards/beckon-request-card.h"
#include "ui/cards/beckon-tool-card.h"
#include "ui/widgets/beckon-guard.h"

#include <string.h>

#define HUNKS "@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n--- c\n+++ d\n@@ -20 +20 @@\n-e\n+f\n"

#define NOT_KEPT "1 change was not kept: the file was changed in the folder meanwhile"

static BeckonFileChange *
add (BeckonChangeSet *set, const char *path, BeckonFileChangeKind kind, BeckonFileType type)
{
  BeckonFileChange *change = beckon_file_change_new (path, kind, type);

  beckon_change_set_take (set, change);
  return change;
}

static BeckonFileChange *
add_text (BeckonChangeSet *set, const char *path)
{
  BeckonFileChange *change = add (set, path, BECKON_FILE_CHANGED, BECKON_FILE_REGULAR);

  change->is_text = TRUE;
  change->diff = g_strdup (HUNKS);
  change->n_hunks = change->n_added = change->n_removed = 3;
  change->mode_before = change->mode_after = 0644;
  return change;
}

static BeckonFileChange *
add_trigger (BeckonChangeSet *set)
{
  BeckonFileChange *change = add (set, ".envrc", BECKON_FILE_CREATED, BECKON_FILE_REGULAR);

  change->is_text = TRUE;
  change->size = 12;
  change->n_added = change->n_hunks = 1;
  change->diff = g_strdup ("@@ -0,0 +1 @@\n+export A=\342\200\256b\n");
  change->mode_after = 0644;
  change->concern = BECKON_FILE_CONCERN_TRIGGER;
  return change;
}

static BeckonChangeSet *
make_set (void)
{
  BeckonChangeSet *set = beckon_change_set_new ();
  BeckonFileChange *change;

  add_text (set, "src/gen.c")->mode_after = 0755;
  change = add (set, "build", BECKON_FILE_CREATED, BECKON_FILE_FOLDER);
  change->n_files = 120;
  change->size = 2100000;
  add_trigger (set);
  change = add (set, "theirs.txt", BECKON_FILE_CHANGED, BECKON_FILE_REGULAR);
  change->fate = BECKON_FILE_CONFLICT;
  change->is_text = TRUE;
  change->diff = g_strdup ("@@ -1 +1 @@\n-x\n+command\n");
  change->theirs = g_strdup ("@@ -1 +1 @@\n-x\n+person\n");
  change->n_hunks = change->n_added = change->n_removed = 1;
  change = add (set, "way", BECKON_FILE_CREATED, BECKON_FILE_LINK);
  change->target = g_strdup ("src/gen.c");
  beckon_change_set_sort (set);
  return set;
}

static guint
find_index (const BeckonChangeSet *set, const char *path)
{
  for (guint i = 0; i < beckon_change_set_get_n_changes (set); i++)
    if (g_str_equal (beckon_change_set_get (set, i)->path, path))
      return i;
  g_error ("There is no %s", path);
}

static BeckonRequest *
ask (UiFixture *fixture, const BeckonChangeSet *set)
{
  BeckonRequest *request = beckon_changes_request_new (NULL, "conversation", "message", "call", "run_command",
                                                       "{\"command\":\"make gen\\ntouch way\",\"timeout\":5}", set, UI_NOW);

  test_ledger_add (fixture->ledger, request);
  beckon_inbox_add (fixture->inbox, request);
  return request;
}

static GtkWidget *
show_early (UiFixture *fixture, BeckonRequest *request)
{
  GtkWidget *card = beckon_request_card_new (fixture->inbox, request, NULL);

  g_assert_true (BECKON_IS_CHANGES_CARD (card));
  beckon_request_card_set_clock (card, fixture->clock);
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 700, 900);
  ui_show (fixture, card);
  return card;
}

static GtkWidget *
show_card (UiFixture *fixture, BeckonRequest *request)
{
  GtkWidget *card = show_early (fixture, request);

  beckon_clock_advance (fixture->clock, BECKON_GUARD_APPEARED_MS);
  return card;
}

static void
expect (UiFixture *fixture, BeckonRequest *request, const char *answer)
{
  ui_wait_until (beckon_request_get_state (request) != BECKON_REQUEST_PENDING);
  g_assert_cmpstr (ui_get_answer (fixture, request), ==, answer);
}

static void
check (GtkWidget *card, const char *name, gboolean is_checked)
{
  GtkWidget *found = ui_find_named (card, name);

  g_assert_true (found != NULL && GTK_IS_CHECK_BUTTON (found) && ui_is_usable (found));
  gtk_check_button_set_active (GTK_CHECK_BUTTON (found), is_checked);
}

static gboolean
is_checked (GtkWidget *card, const char *name)
{
  GtkWidget *found = ui_find_named (card, name);

  g_assert_true (found != NULL && GTK_IS_CHECK_BUTTON (found));
  return gtk_check_button_get_active (GTK_CHECK_BUTTON (found));
}

static GtkWidget *
find_row (GtkWidget *card, guint index)
{
  GtkWidget *row = ui_find_type (card, BECKON_TYPE_CHANGE_ROW);

  while (index-- > 0)
    row = gtk_widget_get_next_sibling (row);
  return row;
}

/* The sentence, the command, and what is unusual first, opened. */
static void
test_shown (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonChangeSet) set = make_set ();
  g_autoptr (BeckonRequest) request = ask (fixture, set);
  g_autofree char *sentence = beckon_change_set_dup_sentence (set);
  GtkWidget *card = show_card (fixture, request);

  g_assert_nonnull (ui_find_text (card, sentence));
  g_assert_nonnull (ui_find_text (card, "make gen\ntouch way"));
  g_assert_null (ui_find_text (card, "timeout"));
  g_assert_nonnull (ui_find_text (find_row (card, 0), ".envrc"));
  g_assert_nonnull (ui_find_text (find_row (card, 0), beckon_file_concern_to_words (BECKON_FILE_CONCERN_TRIGGER)));
  g_assert_nonnull (ui_find_type (find_row (card, 0), BECKON_TYPE_CODE_BLOCK));
  g_assert_nonnull (ui_find_text (find_row (card, 1), "theirs.txt"));
  g_assert_nonnull (ui_find_text (find_row (card, 1), "changed in the folder meanwhile"));
  g_assert_null (ui_find_named (card, "Keep theirs.txt"));
  g_assert_nonnull (ui_find_text (card, "new folder, 120 files, 2.1"));
  g_assert_nonnull (ui_find_text (card, "+3 −3"));
  g_assert_nonnull (ui_find_text (card, "Became executable"));
  g_assert_nonnull (ui_find_text (card, "Leads to src/gen.c"));
  g_assert_cmpuint (ui_count_type (card, BECKON_TYPE_CODE_BLOCK), ==, 1);
  g_assert_null (gtk_window_get_default_widget (GTK_WINDOW (fixture->window)));
}

/* Names for those who hear the window, and what would not be seen is. */
static void
test_spoken (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonChangeSet) set = make_set ();
  g_autoptr (BeckonRequest) request = NULL;
  GtkWidget *card, *view;
  g_autofree char *text = NULL;
  GtkTextIter start, end;

  add (set, "a\342\200\256b", BECKON_FILE_DELETED, BECKON_FILE_REGULAR);
  beckon_change_set_sort (set);
  request = ask (fixture, set);
  card = show_card (fixture, request);
  g_assert_nonnull (ui_find_named (card, "src/gen.c, 3 lines added, 3 removed"));
  g_assert_nonnull (ui_find_named (card, "Keep src/gen.c"));
  g_assert_nonnull (ui_find_text (card, "a<U+202E>b"));
  view = ui_find_type (find_row (card, 0), GTK_TYPE_TEXT_VIEW);
  gtk_text_buffer_get_bounds (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), &start, &end);
  text = gtk_text_iter_get_text (&start, &end);
  g_assert_nonnull (strstr (text, "<U+202E>"));
}

/* All of it in one click, and not before the card can have been seen. */
static void
test_keep_all (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonChangeSet) set = beckon_change_set_new ();
  g_autoptr (BeckonRequest) request = NULL;
  GtkWidget *card;

  add_text (set, "a.txt");
  request = ask (fixture, set);
  card = show_early (fixture, request);
  /* A single file needs no click. */
  g_assert_cmpuint (ui_count_type (card, BECKON_TYPE_CODE_BLOCK), ==, 3);
  ui_click (card, "Keep All");
  ui_settle ();
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);
  beckon_clock_advance (fixture->clock, BECKON_GUARD_APPEARED_MS);
  ui_click (card, "Keep All");
  expect (fixture, request, "{\"kind\":\"kept\",\"text\":\"{\\\"leave_out\\\":[]}\"}");
}

/* A concern does not come along with the rest, nor where it is all there is. */
static void
test_concern (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonChangeSet) set = make_set ();
  g_autoptr (BeckonChangeSet) alone = beckon_change_set_new ();
  g_autoptr (BeckonRequest) request = ask (fixture, set);
  g_autoptr (BeckonRequest) sole = NULL;
  /* Nor does what can't be shown. */
  g_autofree char *expected = g_strdup_printf ("{\"leave_out\":[{\"change\":%u},{\"change\":%u}]}",
                                               find_index (set, ".envrc") + 1, find_index (set, "build") + 1);
  GtkWidget *card = show_card (fixture, request);

  g_assert_false (is_checked (card, "Keep .envrc"));
  g_assert_false (is_checked (card, "Keep build/"));
  ui_click (card, "Keep 2 of 4");
  ui_wait_until (beckon_request_get_state (request) != BECKON_REQUEST_PENDING);
  g_assert_cmpstr (beckon_request_get_answer (request)->text, ==, expected);

  add_trigger (alone);
  sole = ask (fixture, alone);
  card = show_card (fixture, sole);
  g_assert_false (is_checked (card, "Keep .envrc"));
  g_assert_false (gtk_widget_get_sensitive (ui_find_button (card, "Keep Checked")));
  ui_press (card, GDK_KEY_Return, GDK_CONTROL_MASK);
  ui_settle ();
  g_assert_cmpint (beckon_request_get_state (sole), ==, BECKON_REQUEST_PENDING);
  check (card, "Keep .envrc", TRUE);
  ui_click (card, "Keep All");
  expect (fixture, sole, "{\"kind\":\"kept\",\"text\":\"{\\\"leave_out\\\":[]}\"}");
}

/* The mode has decided about ordinary files: they have no check box, and are not in the folder yet. */
static void
test_mode (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonChangeSet) set = beckon_change_set_new ();
  g_autoptr (BeckonRequest) request = NULL;
  GtkWidget *card;

  add_text (set, "a.txt")->fate = BECKON_FILE_KEPT;
  add_trigger (set);
  beckon_change_set_sort (set);
  request = ask (fixture, set);
  card = show_card (fixture, request);
  g_assert_nonnull (ui_find_named (card, "a.txt, 3 lines added, 3 removed, Will be kept"));
  g_assert_null (ui_find_named (card, "Keep a.txt"));
  g_assert_false (is_checked (card, "Keep .envrc"));
  g_assert_null (ui_find_button (card, "Leave All Out…"));
  g_assert_cmpstr (gtk_widget_get_tooltip_text (ui_find_button (card, "Leave .envrc Out…")), ==,
                   "The Other Change Is Saved (Ctrl+D)");
  ui_press (card, GDK_KEY_Return, GDK_CONTROL_MASK);
  expect (fixture, request, "{\"kind\":\"kept\",\"text\":\"{\\\"leave_out\\\":[{\\\"change\\\":1}]}\"}");
}

/* With two of them none is named, a path that is long is not, and the reason is told. */
static void
test_mode_reason (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonChangeSet) set = beckon_change_set_new ();
  g_autoptr (BeckonChangeSet) other = beckon_change_set_new ();
  g_autoptr (BeckonRequest) request = NULL;
  g_autoptr (BeckonRequest) sole = NULL;
  GtkWidget *card;

  for (guint i = 0; i < 6; i++)
    {
      g_autofree char *path = g_strdup_printf ("%u.txt", i);

      add_text (set, path)->fate = BECKON_FILE_KEPT;
    }
  add_trigger (set);
  add (set, ".npmrc", BECKON_FILE_DELETED, BECKON_FILE_REGULAR)->concern = BECKON_FILE_CONCERN_TRIGGER;
  beckon_change_set_sort (set);
  request = ask (fixture, set);
  card = show_card (fixture, request);
  g_assert_true (gtk_widget_get_sensitive (ui_find_button (card, "Save the Other 6")));
  g_assert_cmpstr (gtk_widget_get_tooltip_text (ui_find_button (card, "Leave These Out…")), ==,
                   "The Other 6 Changes Are Saved (Ctrl+D)");
  check (card, "Keep .envrc", TRUE);
  g_assert_nonnull (ui_find_button (card, "Keep 1 of 2"));
  ui_press (card, GDK_KEY_d, GDK_CONTROL_MASK);
  gtk_editable_set_text (GTK_EDITABLE (ui_find_type (card, GTK_TYPE_ENTRY)), "not these");
  ui_click (card, "Leave These Out");
  expect (fixture, request, "{\"kind\":\"declined\",\"text\":\"not these\"}");

  add_text (other, "a.txt")->fate = BECKON_FILE_KEPT;
  add (other, "packages/application/frontend/.npmrc", BECKON_FILE_DELETED, BECKON_FILE_REGULAR)->concern
    = BECKON_FILE_CONCERN_TRIGGER;
  beckon_change_set_sort (other);
  sole = ask (fixture, other);
  card = show_card (fixture, sole);
  g_assert_nonnull (ui_find_button (card, "Leave It Out…"));
}

/* Files and hunks can be left out, one by one. */
static void
test_parts (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonChangeSet) set = make_set ();
  g_autoptr (BeckonRequest) request = ask (fixture, set);
  g_autofree char *expected = g_strdup_printf ("{\"leave_out\":[{\"change\":%u},{\"change\":%u,\"hunks\":[1,3]}]}",
                                               find_index (set, "build") + 1, find_index (set, "src/gen.c") + 1);
  GtkWidget *card = show_card (fixture, request);
  GtkWidget *row;

  check (card, "Keep .envrc", TRUE);
  check (card, "Keep build/", TRUE);
  g_assert_nonnull (ui_find_button (card, "Keep All"));
  check (card, "Keep build/", FALSE);
  g_assert_nonnull (ui_find_button (card, "Keep 3 of 4"));
  row = gtk_widget_get_ancestor (ui_find_named (card, "Keep src/gen.c"), BECKON_TYPE_CHANGE_ROW);
  beckon_change_row_unfold (BECKON_CHANGE_ROW (row));
  check (row, "Keep src/gen.c", FALSE);
  g_assert_nonnull (ui_find_button (card, "Keep 2 of 4"));
  g_assert_false (is_checked (row, "Keep part 3"));
  check (row, "Keep part 2", TRUE);
  g_assert_true (is_checked (row, "Keep src/gen.c"));
  g_assert_true (gtk_check_button_get_inconsistent (GTK_CHECK_BUTTON (ui_find_named (row, "Keep src/gen.c"))));
  ui_click (card, "Keep 3 of 4, 1 in Part");
  ui_wait_until (beckon_request_get_state (request) != BECKON_REQUEST_PENDING);
  g_assert_cmpstr (beckon_request_get_answer (request)->text, ==, expected);
}

static void
test_all_hunks (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonChangeSet) set = beckon_change_set_new ();
  g_autoptr (BeckonRequest) request = NULL;
  GtkWidget *card;

  add_text (set, "a.txt");
  request = ask (fixture, set);
  card = show_card (fixture, request);
  check (card, "Keep part 1", FALSE);
  g_assert_nonnull (ui_find_button (card, "Keep 1 of 1, 1 in Part"));
  check (card, "Keep part 2", FALSE);
  check (card, "Keep part 3", FALSE);
  g_assert_false (is_checked (card, "Keep a.txt"));
  g_assert_false (gtk_widget_get_sensitive (ui_find_button (card, "Keep Checked")));
  check (card, "Keep a.txt", TRUE);
  g_assert_true (is_checked (card, "Keep part 2"));
  g_assert_nonnull (ui_find_button (card, "Keep All"));
}

static GtkTextTag *
get_tag (GtkWidget *view, const char *name, int line)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
  GtkTextTag *tag = gtk_text_tag_table_lookup (gtk_text_buffer_get_tag_table (buffer), name);
  GtkTextIter at;

  gtk_text_buffer_get_iter_at_line (buffer, &at, line);
  return gtk_text_iter_has_tag (&at, tag) ? tag : NULL;
}

/* In a hunk there are no names of files: such lines are changes, and are seen as such. */
static void
test_colours (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonChangeSet) set = beckon_change_set_new ();
  g_autoptr (BeckonRequest) request = NULL;
  GtkWidget *card, *hunk;

  add_text (set, "a.txt");
  request = ask (fixture, set);
  card = show_card (fixture, request);
  hunk = gtk_widget_get_parent (ui_find_named (card, "Keep part 2"));
  g_assert_nonnull (get_tag (ui_find_type (hunk, GTK_TYPE_TEXT_VIEW), "diff-removed", 1));
  g_assert_nonnull (get_tag (ui_find_type (hunk, GTK_TYPE_TEXT_VIEW), "diff-added", 2));
  g_assert_null (get_tag (ui_find_type (hunk, GTK_TYPE_TEXT_VIEW), "diff-added", 0));
}

/* Checked changes are kept, and the like of it is allowed from then on. */
static void
test_always (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonChangeSet) set = make_set ();
  g_autoptr (BeckonRequest) request = ask (fixture, set);
  BeckonApprovalReason *ground = beckon_approval_reason_new ();
  GPtrArray *rules = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_rule_unref);
  BeckonRule *rule = beckon_rule_new ();
  GtkWidget *card;

  rule->id = g_strdup ("rule");
  rule->tool = g_strdup ("write_file");
  rule->arguments = g_strdup ("{\"path\":\"/w/src/**\"}");
  rule->verdict = BECKON_VERDICT_ALLOW;
  g_ptr_array_add (rules, rule);
  g_ptr_array_add (ground->proposals, beckon_rule_proposal_new ("Change or move files · everything in /w/src", rules));
  beckon_request_set_ground (request, ground);
  card = show_card (fixture, request);
  ui_click (card, "Always");
  g_assert_nonnull (ui_find_named (card, "Always: Change or move files · everything in /w/src"));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (ui_find_named (card, "Leave all out")), TRUE);
  g_assert_null (ui_find_named (card, "Always: Change or move files · everything in /w/src"));
  ui_click (card, "Always");
  ui_click (card, "In this conversation: Change or move files · everything in /w/src");
  ui_wait_until (beckon_request_get_state (request) != BECKON_REQUEST_PENDING);
  g_assert_cmpint (beckon_request_get_answer (request)->kind, ==, BECKON_ANSWER_KEPT);
  g_assert_cmpuint (beckon_request_get_answer (request)->remember->len, ==, 1);
  g_assert_nonnull (strstr (beckon_request_get_answer (request)->text, "\"leave_out\":[{"));
}

static void
test_leave_out (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonChangeSet) set = make_set ();
  g_autoptr (BeckonRequest) request = ask (fixture, set);
  GtkWidget *card = show_card (fixture, request);

  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (ui_find_named (card, "Leave all out")), TRUE);
  gtk_editable_set_text (GTK_EDITABLE (ui_find_named (card, "Why it is left out")), "Not in this folder");
  ui_click (card, "Leave All Out");
  expect (fixture, request, "{\"kind\":\"declined\",\"text\":\"Not in this folder\"}");
}

/* Unchecked files are so again with the card; a draft of another kind is none. */
static void
test_draft (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonChangeSet) set = make_set ();
  g_autoptr (BeckonRequest) request = ask (fixture, set);
  GtkWidget *card = show_card (fixture, request);
  g_autofree char *draft = NULL;

  check (card, "Keep way", FALSE);
  check (card, "Keep .envrc", TRUE);
  draft = g_strdup (beckon_request_get_draft (request));
  g_assert_nonnull (draft);
  card = show_card (fixture, request);
  g_assert_false (is_checked (card, "Keep way"));
  g_assert_true (is_checked (card, "Keep .envrc"));
  g_assert_nonnull (ui_find_button (card, "Keep 2 of 4"));
  beckon_request_set_draft (request, "{\"draft\":\"changes\",\"choice\":\"{\\\"leave_out\\\":[{\\\"change\\\":99}]}\"}");
  g_assert_true (is_checked (card, "Keep way"));
  g_assert_false (is_checked (card, "Keep .envrc"));
  /* The same request may have a card elsewhere. */
  beckon_request_set_draft (request, draft);
  g_assert_false (is_checked (card, "Keep way"));
}

/* From the first file to the answer without a mouse. */
static void
test_keys (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonChangeSet) set = beckon_change_set_new ();
  g_autoptr (BeckonRequest) request = NULL, other = NULL;
  GtkWidget *card, *focus;

  add_text (set, "a.txt");
  add_text (set, "b.txt");
  request = ask (fixture, set);
  card = show_early (fixture, request);
  ui_wait_frames (fixture, 2);
  beckon_request_card_focus (card);
  focus = gtk_window_get_focus (GTK_WINDOW (fixture->window));
  g_assert_true (focus == ui_find_named (card, "Keep a.txt"));
  gtk_widget_activate (focus);
  ui_wait_until (!is_checked (card, "Keep a.txt"));
  gtk_widget_child_focus (card, GTK_DIR_TAB_FORWARD);
  focus = gtk_window_get_focus (GTK_WINDOW (fixture->window));
  g_assert_true (GTK_IS_TOGGLE_BUTTON (focus));
  gtk_widget_activate (focus);
  ui_wait_until (ui_find_type (card, BECKON_TYPE_CODE_BLOCK) != NULL);
  ui_press (card, GDK_KEY_Return, GDK_CONTROL_MASK);
  ui_settle ();
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);
  beckon_clock_advance (fixture->clock, BECKON_GUARD_APPEARED_MS);
  g_assert_false (ui_press (card, GDK_KEY_Escape, 0));
  g_assert_true (ui_press (card, GDK_KEY_Return, GDK_CONTROL_MASK));
  expect (fixture, request, "{\"kind\":\"kept\",\"text\":\"{\\\"leave_out\\\":[{\\\"change\\\":1}]}\"}");

  other = ask (fixture, set);
  card = show_card (fixture, other);
  g_assert_true (ui_press (card, GDK_KEY_d, GDK_CONTROL_MASK));
  g_assert_true (gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (fixture->window)),
                                         ui_find_named (card, "Why it is left out")));
  g_signal_emit_by_name (ui_find_named (card, "Why it is left out"), "activate");
  expect (fixture, other, "{\"kind\":\"declined\"}");
}

/* A thousand files are there at once, a page at a time, and none of their texts. */
static void
test_many (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonChangeSet) set = beckon_change_set_new ();
  g_autoptr (BeckonRequest) request = NULL;
  gint64 began;
  GtkWidget *card;

  for (guint i = 0; i < BECKON_CHANGE_SET_MAX_LISTED; i++)
    {
      g_autofree char *path = g_strdup_printf ("file-%04u", i);

      add_text (set, path);
    }
  beckon_change_set_sort (set);
  request = ask (fixture, set);
  began = g_get_monotonic_time ();
  card = show_card (fixture, request);
  g_test_message ("%u files: %.1f ms", BECKON_CHANGE_SET_MAX_LISTED,
                  (double) (g_get_monotonic_time () - began) / G_TIME_SPAN_MILLISECOND);
  g_assert_cmpuint (ui_count_type (card, BECKON_TYPE_CHANGE_ROW), ==, BECKON_CHANGE_LIST_STEP);
  g_assert_cmpuint (ui_count_type (card, BECKON_TYPE_CODE_BLOCK), ==, 0);
  gtk_widget_activate (gtk_widget_get_ancestor (ui_find_text (card, "Show 950 More"), GTK_TYPE_BUTTON));
  ui_wait_until (ui_count_type (card, BECKON_TYPE_CHANGE_ROW) == 2 * BECKON_CHANGE_LIST_STEP);
  g_assert_nonnull (ui_find_text (card, "Show 900 More"));
  check (card, "Keep file-0050", FALSE);
  g_assert_nonnull (ui_find_button (card, "Keep 999 of 1000"));
}

static BeckonLanding *
make_landing (BeckonLandingState state)
{
  g_autoptr (BeckonChangeSet) set = make_set ();
  BeckonLanding *landing = beckon_landing_new ("call", "/folder", "/place", 7, set);

  for (guint i = 0; state != BECKON_LANDING_WAITING && i < beckon_change_set_get_n_changes (landing->changes); i++)
    {
      BeckonFileChange *change = beckon_change_set_get (landing->changes, i);

      if (change->fate == BECKON_FILE_OPEN)
        change->fate = change->concern != BECKON_FILE_CONCERN_NONE ? BECKON_FILE_LEFT_OUT : BECKON_FILE_KEPT;
    }
  landing->state = state;
  return landing;
}

/* While it lands, when it has, and when that was undone. */
static void
test_history (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonToolCall) call = beckon_tool_call_new (NULL, NULL, "run_command", "{\"command\":\"make gen\"}");
  GtkWidget *card = beckon_tool_card_new (call);

  ui_show (fixture, card);
  beckon_tool_call_set_state (call, BECKON_CALL_STARTED);
  g_assert_nonnull (ui_find_text (card, "running"));
  beckon_tool_call_take_landing (call, make_landing (BECKON_LANDING_WAITING));
  g_assert_nonnull (ui_find_text (card, "waiting for you"));
  beckon_tool_call_take_landing (call, make_landing (BECKON_LANDING_DECIDED));
  g_assert_nonnull (ui_find_text (card, "saving its changes"));
  g_assert_nonnull (ui_find_text (card, "not yet in the folder"));
  beckon_tool_call_take_landing (call, make_landing (BECKON_LANDING_LANDED));
  beckon_tool_call_set_result (call, "done", FALSE);
  beckon_tool_call_set_state (call, BECKON_CALL_DONE);
  g_assert_nonnull (ui_find_text (card, "Changed 1 file, made 1 file, made 120 files in build/; left out 1 change; " NOT_KEPT));
  g_assert_nonnull (ui_find_button (card, "Undo These Changes"));

  g_assert_null (ui_find_type (card, BECKON_TYPE_CHANGE_LIST));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (ui_find_named (card, "Changed 1 file, made 1 file, made 120 files in build/; "
                                                                        "left out 1 change; " NOT_KEPT)), TRUE);
  g_assert_nonnull (ui_find_named (card, ".envrc, new, 1 line, Left out"));
  g_assert_nonnull (ui_find_named (card, "src/gen.c, 3 lines added, 3 removed, Kept"));
  g_assert_null (ui_find_type (card, GTK_TYPE_CHECK_BUTTON));

  beckon_tool_call_take_landing (call, make_landing (BECKON_LANDING_UNDONE));
  g_assert_nonnull (ui_find_text (card, NOT_KEPT ", undone"));
  g_assert_null (ui_find_button (card, "Undo These Changes"));
  g_assert_nonnull (ui_find_button (card, "Redo These Changes"));
  g_assert_nonnull (ui_find_type (card, BECKON_TYPE_CHANGE_LIST));
}

/* The way to land while it runs is there while there is one, and the card says what landed. */
static void
test_land_now (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonToolCall) call = beckon_tool_call_new (NULL, NULL, "run_command", "{\"command\":\"make gen\"}");
  GtkWidget *card = beckon_tool_card_new (call);
  BeckonLanding *landing = make_landing (BECKON_LANDING_LANDED);
  GtkWidget *button;

  ui_show (fixture, card);
  beckon_tool_call_set_state (call, BECKON_CALL_STARTED);
  g_assert_null (ui_find_button (card, "Land Now"));
  beckon_tool_call_set_can_land (call, TRUE);
  button = ui_find_button (card, "Land Now");
  g_assert_nonnull (button);
  g_assert_true (gtk_widget_get_focusable (button));
  g_assert_nonnull (gtk_widget_get_tooltip_text (button));

  beckon_landing_set_id (landing, "call-1");
  beckon_tool_call_take_landing (call, landing);
  g_assert_nonnull (ui_find_text (card, "Changed 1 file, made 1 file, made 120 files in build/ while it ran"));
  g_assert_nonnull (ui_find_text (card, "running"));
  g_assert_null (ui_find_button (card, "Undo This Change"));
  beckon_tool_call_set_can_land (call, FALSE);
  g_assert_null (ui_find_button (card, "Land Now"));
  beckon_tool_call_set_result (call, "stopped", TRUE);
  beckon_tool_call_set_state (call, BECKON_CALL_CANCELLED);
  g_assert_nonnull (ui_find_button (card, "Undo This Change"));
}

/* A command in the background has a clock, and can be stopped, until it has ended. */
static void
test_background (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonToolCall) call = beckon_tool_call_new (NULL, NULL, "run_command", "{\"command\":\"npm start\"}");
  GtkWidget *card = beckon_tool_card_new (call);
  gint64 now = g_get_real_time ();

  ui_show (fixture, card);
  beckon_tool_call_set_times (call, now - 65 * G_USEC_PER_SEC, 0);
  beckon_tool_call_set_state (call, BECKON_CALL_STARTED);
  g_assert_null (ui_find_button (card, "Stop Command"));
  beckon_tool_call_set_background (call, "[It goes on]");
  g_assert_nonnull (ui_find_text (card, "running in the background, 1:0"));
  g_assert_nonnull (ui_find_button (card, "Stop Command"));
  ui_wait_until (ui_find_text (card, "running in the background, 1:07") != NULL
                 || ui_find_text (card, "running in the background, 1:08") != NULL);
  g_assert_null (ui_find_button (card, "Land Now"));
  beckon_tool_call_set_can_land (call, TRUE);
  g_assert_nonnull (ui_find_button (card, "Land Now"));
  beckon_tool_call_set_can_land (call, FALSE);
  ui_click (card, "Keep Running");
  g_assert_true (beckon_tool_call_get_is_kept (call));
  g_assert_null (ui_find_button (card, "Keep Running"));
  g_assert_nonnull (ui_find_button (card, "Stop Command"));
  beckon_tool_call_set_result (call, "over", FALSE);
  beckon_tool_call_set_state (call, BECKON_CALL_DONE);
  g_assert_null (ui_find_button (card, "Stop Command"));
}

static int
get_x (GtkLabel *label, const char *sign)
{
  const char *text = gtk_label_get_text (label);
  PangoRectangle place;

  g_assert_nonnull (strstr (text, sign));
  pango_layout_index_to_pos (gtk_label_get_layout (label), (int) (strstr (text, sign) - text), &place);
  return MIN (place.x, place.x + place.width);
}

/* A sign stands before its number, whichever way the window is read. */
static void
test_signs (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonChangeSet) set = make_set ();
  g_autoptr (BeckonRequest) request = ask (fixture, set);
  GtkWidget *card;
  GtkLabel *label;

  gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  card = show_card (fixture, request);
  label = GTK_LABEL (ui_find_text (card, "+3 −3"));
  g_assert_nonnull (label);
  g_assert_cmpint (gtk_widget_get_direction (GTK_WIDGET (label)), ==, GTK_TEXT_DIR_RTL);
  g_assert_cmpint (get_x (label, "+"), <, get_x (label, "3"));
  g_assert_cmpint (get_x (label, "3"), <, get_x (label, "−"));
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
}

static const char *
describe (BeckonChangeSet *set)
{
  static char *words;
  g_autoptr (BeckonLanding) landing = beckon_landing_new ("call", "/folder", "/place", 7, set);

  landing->state = BECKON_LANDING_LANDED;
  g_free (words);
  words = beckon_change_labels_describe_landing (landing);
  return words;
}

/* Parts that were left out are counted, and a person is not said to have left out what they did not. */
static void
test_words (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonChangeSet) set = beckon_change_set_new ();
  BeckonFileChange *change = add_text (set, "a.txt");
  guint kept = 1;

  change->fate = BECKON_FILE_CONFLICT;
  g_assert_cmpstr (describe (set), ==, NOT_KEPT);
  change->fate = BECKON_FILE_LEFT_OUT;
  g_assert_cmpstr (describe (set), ==, "Left out 1 change");
  add_text (set, "b.txt")->fate = BECKON_FILE_CONFLICT;
  g_assert_cmpstr (describe (set), ==, "Left out 1 change; " NOT_KEPT);
  change->fate = BECKON_FILE_KEPT;
  change->kept_hunks = g_array_new (FALSE, FALSE, sizeof (guint));
  g_array_append_val (change->kept_hunks, kept);
  g_assert_cmpstr (describe (set), ==, "Changed 1 file; 1 of them in part; " NOT_KEPT);
}

/* A group of many files says what they are, and stands below each file that is deleted or changed by itself. */
static void
test_group (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonChangeSet) set = beckon_change_set_new ();
  BeckonFileChange *group = add (set, ".", BECKON_FILE_CHANGED, BECKON_FILE_FOLDER);
  GtkWidget *list, *row;

  group->n_files = 3502;
  group->n_made = 3000;
  group->n_gone = 90;
  for (guint i = 0; i < 2 * BECKON_CHANGE_LIST_STEP; i++)
    {
      g_autofree char *path = g_strdup_printf ("f%03u", i);

      add (set, path, BECKON_FILE_CREATED, BECKON_FILE_REGULAR);
      if (i < BECKON_CHANGE_LIST_STEP)
        {
          g_autofree char *changed = g_strdup_printf ("g%03u", i);

          add_text (set, changed);
        }
    }
  add (set, "thesis", BECKON_FILE_DELETED, BECKON_FILE_REGULAR);
  beckon_change_set_sort (set);
  list = beckon_change_list_new (set, TRUE);
  ui_show (fixture, list);
  row = ui_find_type (list, BECKON_TYPE_CHANGE_ROW);
  g_assert_nonnull (ui_find_text (row, "thesis"));
  for (guint i = 0; i < BECKON_CHANGE_LIST_STEP; i++)
    {
      g_autofree char *changed = g_strdup_printf ("g%03u", i);

      row = gtk_widget_get_next_sibling (row);
      g_assert_nonnull (ui_find_text (row, changed));
    }
  while (ui_find_text (list, "3000 new, 412 changed, 90 deleted") == NULL)
    {
      g_autofree char *more = g_strdup (gtk_button_get_label (GTK_BUTTON (gtk_widget_get_last_child (adw_bin_get_child (ADW_BIN (list))))));

      ui_click (list, more);
    }
}

int
main (int argc, char *argv[])
{
  if (!ui_test_init (&argc, &argv))
    return 0;

  ui_test_add ("/ui/changes-card/shown", test_shown);
  ui_test_add ("/ui/changes-card/spoken", test_spoken);
  ui_test_add ("/ui/changes-card/keep-all", test_keep_all);
  ui_test_add ("/ui/changes-card/always", test_always);
  ui_test_add ("/ui/changes-card/concern", test_concern);
  ui_test_add ("/ui/changes-card/mode", test_mode);
  ui_test_add ("/ui/changes-card/mode-reason", test_mode_reason);
  ui_test_add ("/ui/changes-card/signs", test_signs);
  ui_test_add ("/ui/changes-card/words", test_words);
  ui_test_add ("/ui/changes-card/parts", test_parts);
  ui_test_add ("/ui/changes-card/all-hunks", test_all_hunks);
  ui_test_add ("/ui/changes-card/colours", test_colours);
  ui_test_add ("/ui/changes-card/leave-out", test_leave_out);
  ui_test_add ("/ui/changes-card/draft", test_draft);
  ui_test_add ("/ui/changes-card/keys", test_keys);
  ui_test_add ("/ui/changes-card/many", test_many);
  ui_test_add ("/ui/changes-card/group", test_group);
  ui_test_add ("/ui/tool-card/landing", test_history);
  ui_test_add ("/ui/tool-card/land-now", test_land_now);
  ui_test_add ("/ui/tool-card/background", test_background);
  return g_test_run ();
}
