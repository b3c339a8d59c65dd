/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The approval card: what it shows of a call, the form and the text of its arguments, drafts, and what may run when. */

#include "beckon-ui-fixture.h"

#include "request/beckon-approval-request.h"
#include "ui/cards/beckon-approval-card.h"
#include "ui/cards/beckon-request-card.h"
#include "ui/forms/beckon-form-control.h"
#include "ui/forms/beckon-form-row.h"
#include "ui/forms/beckon-json-view.h"
#include "ui/widgets/beckon-guard.h"
#include "ui/widgets/beckon-max-height-box.h"

#include <string.h>

#define SCHEMA                                                                                                             \
  "{\"type\":\"object\",\"required\":[\"text\"],\"properties\":{\"text\":{\"type\":\"string\",\"description\":\"The words\"},"  \
  "\"tone\":{\"enum\":[\"plain\",\"warm\"]},\"words\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":90},"                    \
  "\"urgent\":{\"type\":\"boolean\"},\"to\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"                              \
  "\"note\":{\"type\":\"string\"}}}"
#define ARGUMENTS "{\"text\": \"Dear all\", \"tone\": \"plain\", \"words\": 50, \"urgent\": false, \"to\": [\"a\", \"b\"]}"

static BeckonRequest *
ask (UiFixture *fixture, const char *arguments, BeckonApprovalDetails *details)
{
  BeckonRequest *request = beckon_approval_request_new (NULL, "conversation", "message", "call", "send_mail", arguments,
                                                        "It changes something.", UI_NOW);

  beckon_request_take_details (request, details);
  test_ledger_add (fixture->ledger, request);
  beckon_inbox_add (fixture->inbox, request);
  return request;
}

static BeckonRequest *
ask_mail (UiFixture *fixture)
{
  BeckonApprovalDetails *details = beckon_approval_details_new ();

  details->schema = g_strdup (SCHEMA);
  details->server = g_strdup ("Post\u202eoffice");
  details->hosts = g_strsplit ("mail.example.org,other.example.org", ",", -1);
  return ask (fixture, ARGUMENTS, details);
}

static GtkWidget *
show_card (UiFixture *fixture, BeckonRequest *request)
{
  GtkWidget *card = beckon_request_card_new_alone (fixture->inbox, request, NULL);

  beckon_request_card_set_clock (card, fixture->clock);
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 700, 900);
  ui_show (fixture, card);
  beckon_clock_advance (fixture->clock, BECKON_GUARD_APPEARED_MS);
  return card;
}

/* Its arguments are behind one button. */
static GtkWidget *
show_edited_card (UiFixture *fixture, BeckonRequest *request)
{
  GtkWidget *card = show_card (fixture, request);

  g_assert_null (ui_find_type (card, BECKON_TYPE_FORM_ROW));
  g_assert_true (beckon_request_card_edit (card));
  return card;
}

static GtkWidget *
find_control (GtkWidget *card, const char *title)
{
  GtkWidget *row = ui_find_named (card, title);

  g_assert_nonnull (row);
  return beckon_form_control_get_inner (BECKON_FORM_CONTROL (ui_find_type (row, BECKON_TYPE_FORM_CONTROL)));
}

static void
expect (UiFixture *fixture, BeckonRequest *request, const char *answer)
{
  ui_wait_until (beckon_request_get_state (request) != BECKON_REQUEST_PENDING);
  g_assert_cmpstr (ui_get_answer (fixture, request), ==, answer);
}

static void
test_shown (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask_mail (fixture);
  GtkWidget *card = show_card (fixture, request);

  g_assert_nonnull (ui_find_text (card, "send_mail on Post<U+202E>office server"));
  g_assert_nonnull (ui_find_text (card, "It changes something."));
  g_assert_nonnull (ui_find_text (card, "Connects to mail.example.org, other.example.org"));
  g_assert_nonnull (ui_find_text (card, "text: Dear all\ntone: plain\nwords: 50"));
  g_assert_null (ui_find_named (card, "Stop the run"));
  g_assert_null (ui_find_named (card, "Always"));
  g_assert_true (beckon_request_card_edit (card));
  g_assert_nonnull (ui_find_text (card, "The words"));
  g_assert_true (GTK_IS_ENTRY (find_control (card, "text")));
  g_assert_true (GTK_IS_DROP_DOWN (find_control (card, "tone")));
  g_assert_true (GTK_IS_SWITCH (find_control (card, "urgent")));
  g_assert_cmpuint (ui_count_type (card, BECKON_TYPE_FORM_ROW), ==, 7);
  g_assert_null (ui_find_named (card, "Run edited"));
  ui_click (card, "Run");
  expect (fixture, request, "{\"kind\":\"approved\"}");
}

static BeckonRequest *
ask_tool (UiFixture *fixture, const char *tool, const char *arguments, const char *command)
{
  BeckonApprovalDetails *details = beckon_approval_details_new ();
  BeckonRequest *request = beckon_approval_request_new (NULL, "conversation", "message", "call", tool, arguments,
                                                        "It can change something.", UI_NOW);

  details->schema = g_strdup ("{}");
  details->folder = g_strdup ("/w");
  details->command = g_strdup (command);
  if (command != NULL || strstr (arguments, "\"path\"") != NULL)
    details->paths = g_strsplit ("/w/notes.txt", ",", -1);
  beckon_request_take_details (request, details);
  test_ledger_add (fixture->ledger, request);
  beckon_inbox_add (fixture->inbox, request);
  return request;
}

/* decision.md: the sentence names what happens, and what the sentence names is shown whole. */
static void
test_sentences (UiFixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *tool;
    const char *arguments;
    const char *command;
    const char *title;
    const char *block;
  } cases[] = {
    { "run_command", "{\"command\":\"wc -l notes.txt\"}", "wc -l notes.txt", "Run this command?", "wc -l notes.txt" },
    { "fetch_url", "{\"url\":\"https://example.org/a?b=c\"}", NULL, "Fetch example.org", "https://example.org/a?b=c" },
    { "edit_file", "{\"path\":\"notes.txt\",\"old_text\":\"a\",\"new_text\":\"b\"}", NULL, "Edit notes.txt", "new_text: b" },
    { "write_file", "{\"path\":\"a/out.txt\",\"content\":\"x\"}", NULL, "Write a/out.txt", "content: x" },
    { "odd_tool", "{\"a\":{\"b\":1}}", NULL, "odd_tool", "a: {\"b\":1}" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BeckonRequest) request = ask_tool (fixture, cases[i].tool, cases[i].arguments, cases[i].command);
      GtkWidget *card = show_card (fixture, request);

      g_assert_nonnull (ui_find_text (card, cases[i].title));
      g_assert_nonnull (ui_find_text (card, cases[i].block));
      /* A page is not fetched in a folder. */
      g_assert_true ((ui_find_text (card, "in /w") != NULL) == (strcmp (cases[i].tool, "fetch_url") != 0));
      g_assert_null (ui_find_text (card, "Touches /w"));
      g_assert_null (ui_find_text (card, "It can change something."));
      g_assert_null (ui_find_text (card, "May the agent"));
    }
}

static int
measure_height (GtkWidget *card, int width)
{
  int height;

  gtk_widget_measure (card, GTK_ORIENTATION_VERTICAL, width, NULL, &height, NULL, NULL);
  return height;
}

/* decision.md: at most 140 px for `date`; four mixed calls within 1000 × 720; and no wider than a narrow window. */
static void
test_size (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) date = ask_tool (fixture, "run_command", "{\"command\":\"date\"}", "date");
  g_autoptr (BeckonRequest) fetch = ask_tool (fixture, "fetch_url", "{\"url\":\"https://example.org/a\"}", NULL);
  g_autoptr (BeckonRequest) edit
      = ask_tool (fixture, "edit_file", "{\"path\":\"notes.txt\",\"old_text\":\"a\",\"new_text\":\"b\"}", NULL);
  g_autoptr (BeckonRequest) mail = ask_tool (fixture, "send_mail", "{\"to\":\"ada@example.org\",\"text\":\"Hello\"}", NULL);
  BeckonRequest *const all[] = { date, fetch, edit, mail };
  int sum = 0;

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    {
      GtkWidget *card = show_card (fixture, all[i]);
      int least;

      if (i == 0)
        g_assert_cmpint (measure_height (card, 720), <=, 140);
      sum += measure_height (card, 1000);
      gtk_widget_measure (card, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
      g_assert_cmpint (least, <=, 336);
    }
  g_test_message ("four cards: %d px", sum);
  g_assert_cmpint (sum, <=, 720);
}

/* The rules that would be remembered, as sentences, each of which runs the call. */
static void
test_always (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask_tool (fixture, "run_command", "{\"command\":\"git log\"}", "git log");
  BeckonApprovalReason *ground = beckon_approval_reason_new ();
  GPtrArray *rules = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_rule_unref);
  BeckonRule *rule = beckon_rule_new ();
  GtkWidget *card;

  rule->id = g_strdup ("rule");
  rule->tool = g_strdup ("run_command");
  rule->verdict = BECKON_VERDICT_ALLOW;
  g_ptr_array_add (rules, rule);
  if (ground->proposals == NULL)
    ground->proposals = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_rule_proposal_free);
  g_ptr_array_add (ground->proposals, beckon_rule_proposal_new ("git log · with the internet", rules));
  beckon_request_set_ground (request, ground);
  card = show_card (fixture, request);
  g_assert_null (ui_find_text (card, "with the internet"));
  ui_click (card, "Always");
  g_assert_nonnull (ui_find_named (card, "In this conversation: git log · with the internet"));
  ui_click (card, "Always: git log · with the internet");
  ui_wait_until (beckon_request_get_state (request) != BECKON_REQUEST_PENDING);
  g_assert_nonnull (strstr (ui_get_answer (fixture, request), "\"remember\":[{"));
}

/* Two clicks or Ctrl+D and Enter; a reason is not needed, and Escape goes back. */
static void
test_deny (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask_mail (fixture);
  GtkWidget *card = show_card (fixture, request);

  g_assert_true (ui_press (card, GDK_KEY_d, GDK_CONTROL_MASK));
  g_assert_null (ui_find_named (card, "Run"));
  g_assert_false (beckon_request_card_submit (card));
  g_assert_true (ui_press (card, GDK_KEY_Escape, 0));
  g_assert_nonnull (ui_find_named (card, "Run"));
  ui_click (card, "Deny");
  g_assert_true (gtk_widget_has_focus (gtk_window_get_focus (GTK_WINDOW (fixture->window))));
  ui_click (card, "Deny this call");
  expect (fixture, request, "{\"kind\":\"declined\"}");
}

/* A command's card says what it may reach: the internet, or some hosts, and this computer with its network. */
static void
test_network (UiFixture *fixture, gconstpointer data)
{
  static const struct
  {
    gboolean network;
    gboolean local;
    const char *host;
    const char *shown;
    const char *not_shown;
  } cases[] = {
    { FALSE, FALSE, NULL, "in /w", "Uses the network" },
    { TRUE, FALSE, NULL, "Uses the network", "Reaches" },
    { TRUE, FALSE, "a.example", "Connects to a.example", "Uses the network" },
    { TRUE, TRUE, NULL, "Uses the network · Reaches this computer’s services and your local network · Other computers can reach "
      "what it serves", "Connects" },
    { FALSE, TRUE, NULL, "Reaches this computer’s services and your local network", "the network · " },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      BeckonApprovalDetails *details = beckon_approval_details_new ();
      g_autoptr (BeckonRequest) request = NULL;
      GtkWidget *card;

      details->schema = g_strdup (SCHEMA);
      details->command = g_strdup ("make");
      details->folder = g_strdup ("/w");
      details->uses_network = cases[i].network;
      details->local_network = cases[i].local;
      details->hosts = cases[i].host != NULL ? g_strsplit (cases[i].host, ",", -1) : NULL;
      request = ask (fixture, ARGUMENTS, details);
      card = show_card (fixture, request);
      g_assert_nonnull (ui_find_text (card, cases[i].shown));
      g_assert_null (ui_find_text (card, cases[i].not_shown));
    }
}

/* human.md: per field back to the proposal; what runs is what is shown, byte for byte. */
static void
test_edited (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask_mail (fixture);
  GtkWidget *card = show_edited_card (fixture, request);

  gtk_editable_set_text (GTK_EDITABLE (find_control (card, "text")), "Dear friends");
  gtk_drop_down_set_selected (GTK_DROP_DOWN (find_control (card, "tone")), 1);
  ui_click (card, "Less: words");
  gtk_switch_set_active (GTK_SWITCH (find_control (card, "urgent")), TRUE);
  g_assert_nonnull (ui_find_text (card, "Changed: text from Dear all; tone from plain; words from 50; urgent from false"));
  ui_click (card, "Back to the proposal: urgent");
  g_assert_false (gtk_switch_get_active (GTK_SWITCH (find_control (card, "urgent"))));
  ui_click (card, "Remove: to");
  g_assert_null (ui_find_named (card, "Run"));
  ui_click (card, "Run edited");
  expect (fixture, request,
          "{\"kind\":\"approved-edited\",\"text\":\"{\\\"text\\\": \\\"Dear friends\\\", \\\"tone\\\": \\\"warm\\\", "
          "\\\"words\\\": 49, \\\"urgent\\\": false}\"}");
}

/* A line's end is no strange character: it is said to be one in words that go in one line. */
static void
test_several_lines (UiFixture *fixture, gconstpointer data)
{
  BeckonApprovalDetails *details = beckon_approval_details_new ();
  g_autoptr (BeckonRequest) request = NULL;
  GtkWidget *card;

  details->schema = g_strdup (SCHEMA);
  request = ask (fixture, "{\"text\":\"Dear\\n\u202eall\"}", details);
  card = show_edited_card (fixture, request);
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (find_control (card, "text"))), "Dear\nfriends", -1);
  g_assert_nonnull (ui_find_text (card, "Changed: text from Dear⏎<U+202E>all"));
}

static void
test_undo (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask_mail (fixture);
  GtkWidget *card = show_edited_card (fixture, request);
  GtkStack *stack = GTK_STACK (ui_find_type (card, GTK_TYPE_STACK));
  GtkTextBuffer *buffer;
  g_autofree char *text = NULL;

  gtk_editable_set_text (GTK_EDITABLE (find_control (card, "text")), "x");
  gtk_stack_set_visible_child_name (stack, "json");
  buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (ui_find_type (ui_find_type (card, BECKON_TYPE_JSON_VIEW),
                                                                  GTK_TYPE_TEXT_VIEW)));
  gtk_text_buffer_set_text (buffer, "{\"text\": \"y\"}", -1);
  g_assert_true (gtk_widget_activate_action (card, "form.undo", NULL));
  g_assert_true (gtk_widget_activate_action (card, "form.undo", NULL));
  g_object_get (buffer, "text", &text, NULL);
  if (strcmp (text, ARGUMENTS) != 0)
    g_assert_true (gtk_widget_activate_action (card, "form.undo", NULL));
  g_clear_pointer (&text, g_free);
  g_object_get (buffer, "text", &text, NULL);
  g_assert_cmpstr (text, ==, ARGUMENTS);
  gtk_stack_set_visible_child_name (stack, "form");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (find_control (card, "text"))), ==, "Dear all");
  g_assert_null (ui_find_named (card, "Run edited"));
}

/* Arguments that do not fit or parse are marked in place and cannot be run. */
static void
test_faults (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask_mail (fixture);
  GtkWidget *card = show_edited_card (fixture, request);
  GtkTextBuffer *buffer;

  gtk_editable_set_text (GTK_EDITABLE (find_control (card, "words")), "91");
  g_assert_nonnull (ui_find_text (ui_find_named (card, "words"), "This has to be at most 90."));
  g_assert_false (ui_is_usable (ui_find_named (card, "Run edited")));
  gtk_editable_set_text (GTK_EDITABLE (find_control (card, "words")), "9");
  g_assert_true (ui_is_usable (ui_find_named (card, "Run edited")));
  gtk_stack_set_visible_child_name (GTK_STACK (ui_find_type (card, GTK_TYPE_STACK)), "json");
  buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (ui_find_named (card, "Arguments as JSON")));
  gtk_text_buffer_set_text (buffer, "{\"text\": ", -1);
  g_assert_nonnull (ui_find_text (card, "This is not JSON: the text ends too early"));
  g_assert_false (ui_is_usable (ui_find_named (card, "Run edited")));
  ui_click (card, "Back to the whole proposal");
  g_assert_null (ui_find_named (card, "Run edited"));
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);
}

static void
test_draft (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask_mail (fixture);
  const char *id = beckon_request_get_id (request);
  GtkWidget *card = show_edited_card (fixture, request);

  gtk_editable_set_text (GTK_EDITABLE (find_control (card, "text")), "Half a th");
  beckon_clock_advance (fixture->clock, 500);
  ui_wait_until (test_ledger_get_draft (fixture->ledger, id) != NULL);
  adw_window_set_content (ADW_WINDOW (fixture->window), NULL);
  beckon_request_set_draft (request, test_ledger_get_draft (fixture->ledger, id));
  card = show_card (fixture, request);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (find_control (card, "text"))), ==, "Half a th");
  g_assert_nonnull (ui_find_named (card, "Run edited"));
  ui_click (card, "Back to the whole proposal");
  beckon_clock_advance (fixture->clock, 500);
  ui_wait_until (test_ledger_get_draft (fixture->ledger, id) == NULL);
}

/* faults.md 92: escaped, and the whole of it seen before it can be run. */
static void
test_command (UiFixture *fixture, gconstpointer data)
{
  BeckonApprovalDetails *details = beckon_approval_details_new ();
  g_autofree char *blanks = g_strnfill (4000, ' ');
  g_autofree char *letters = g_strnfill (20000, 'a');
  g_autofree char *command = g_strconcat ("ls", blanks, letters, " \u202e; rm -rf x", NULL);
  g_autofree char *arguments = g_strdup_printf ("{\"command\":\"%s\"}", command);
  g_autoptr (BeckonRequest) request = NULL;
  GtkWidget *card, *label;
  GtkAdjustment *adjustment;
  const char *shown;

  details->command = g_strdup (command);
  request = ask (fixture, arguments, details);
  card = show_card (fixture, request);
  label = ui_find_type (ui_find_type (card, BECKON_TYPE_MAX_HEIGHT_BOX), GTK_TYPE_LABEL);
  shown = gtk_label_get_text (GTK_LABEL (label));
  g_assert_true (g_str_has_prefix (shown, "ls<4000 spaces>aaa"));
  g_assert_nonnull (strstr (shown, "aaa\n↳ aaa"));
  g_assert_true (g_str_has_suffix (shown, "a <U+202E>; rm -rf x"));
  g_assert_false (ui_is_usable (ui_find_named (card, "Run")));
  adjustment = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (gtk_widget_get_parent (label)));
  ui_wait_until (gtk_adjustment_get_upper (adjustment) > 2 * gtk_adjustment_get_page_size (adjustment));
  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment) / 2);
  g_assert_false (ui_is_usable (ui_find_named (card, "Run")));
  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment));
  g_assert_true (ui_is_usable (ui_find_named (card, "Run")));
  g_assert_true (beckon_request_card_edit (card));
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (find_control (card, "command"))), "ls -l", -1);
  ui_wait_until (ui_is_usable (ui_find_named (card, "Run edited")));
}

/* Overrides are enforced by the core, whatever a front end sends. */
static void
test_settled (UiFixture *fixture, gconstpointer data)
{
  BeckonApprovalDetails *details = beckon_approval_details_new ();
  g_autoptr (BeckonRequest) request = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonAnswer) answer =
      beckon_answer_new (BECKON_ANSWER_APPROVED_EDITED, "{\"text\":\"x\",\"tone\":\"plain\",\"words\":51}");
  GtkWidget *card;

  details->schema = g_strdup (SCHEMA);
  details->parameters = beckon_parameters_from_json ("{\"words\":{\"access\":\"read-only\"},\"text\":{\"access\":\"masked\"},"
                                                     "\"tone\":{\"access\":\"hidden\"}}", NULL);
  request = ask (fixture, "{\"text\":\"x\",\"tone\":\"plain\",\"words\":50}", details);
  card = show_edited_card (fixture, request);
  g_assert_true (GTK_IS_LABEL (find_control (card, "words")));
  g_assert_null (ui_find_named (card, "tone"));
  g_assert_nonnull (ui_find_text (ui_find_named (card, "text"), "••••••"));
  g_assert_false (beckon_request_check_answer (request, answer, &error));
  g_assert_cmpstr (error->message, ==, "You settled that “words” is not changed.");
}

static void
test_rows (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask_mail (fixture);
  GtkWidget *card = show_edited_card (fixture, request);

  ui_click (ui_find_named (card, "to"), "Move down: 1");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (find_control (ui_find_named (card, "to"), "1"))), ==, "b");
  ui_click (ui_find_named (card, "to"), "Remove: 2");
  ui_click (ui_find_named (card, "to"), "Remove: 1");
  g_assert_null (ui_find_named (card, "1"));
  g_assert_true (gtk_widget_activate_action (card, "form.undo", NULL));
  g_assert_true (gtk_widget_activate_action (ui_find_type (card, BECKON_TYPE_FORM_ROW), "group.add", "s", "note"));
  g_assert_true (GTK_IS_ENTRY (find_control (card, "note")));
  g_assert_nonnull (gtk_window_get_focus (GTK_WINDOW (fixture->window)));
  ui_click (card, "Run edited");
  expect (fixture, request,
          "{\"kind\":\"approved-edited\",\"text\":\"{\\\"text\\\": \\\"Dear all\\\", \\\"tone\\\": \\\"plain\\\", "
          "\\\"words\\\": 50, \\\"urgent\\\": false, \\\"to\\\": [\\\"b\\\"], \\\"note\\\": \\\"\\\"}\"}");
}

static void
test_keys (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = ask_mail (fixture);
  GtkWidget *card = show_edited_card (fixture, request);
  GtkWidget *entry = find_control (card, "text");

  g_assert_true (ui_press (card, GDK_KEY_Escape, 0));
  ui_wait_until (!gtk_widget_get_mapped (entry));
  g_assert_false (ui_press (card, GDK_KEY_Escape, 0));
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);
  g_assert_true (ui_press (card, GDK_KEY_e, GDK_CONTROL_MASK));
  ui_wait_until (gtk_widget_get_mapped (entry));
  g_assert_true (ui_press (card, GDK_KEY_Return, GDK_CONTROL_MASK));
  expect (fixture, request, "{\"kind\":\"approved\"}");
}

int
main (int argc, char *argv[])
{
  if (!ui_test_init (&argc, &argv))
    return 0;

  ui_test_add ("/ui/approval/shown", test_shown);
  ui_test_add ("/ui/approval/sentences", test_sentences);
  ui_test_add ("/ui/approval/size", test_size);
  ui_test_add ("/ui/approval/always", test_always);
  ui_test_add ("/ui/approval/deny", test_deny);
  ui_test_add ("/ui/approval/network", test_network);
  ui_test_add ("/ui/approval/edited", test_edited);
  ui_test_add ("/ui/approval/several-lines", test_several_lines);
  ui_test_add ("/ui/approval/undo", test_undo);
  ui_test_add ("/ui/approval/faults", test_faults);
  ui_test_add ("/ui/approval/draft", test_draft);
  ui_test_add ("/faults/92-the-whole-command-is-seen", test_command);
  ui_test_add ("/ui/approval/settled", test_settled);
  ui_test_add ("/ui/approval/rows", test_rows);
  ui_test_add ("/ui/approval/keys", test_keys);
  return g_test_run ();
}
