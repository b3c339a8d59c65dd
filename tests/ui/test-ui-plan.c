/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The card of a plan with its files, what it shows of steps that are over, and the list that a model keeps for itself. */
#include "beckon-ui-fixture.h"
#include "domain/beckon-tool-call.h"
#include "form/beckon-plan-parameters.h"
#include "request/beckon-plan-request.h"
#include "ui/cards/beckon-call-view.h"
#include "ui/cards/beckon-plan-card.h"
#include "ui/cards/beckon-plan-row.h"
#include "ui/cards/beckon-tool-card.h"
#include "ui/widgets/beckon-max-height-box.h"

#include <glib/gstdio.h>
#include <string.h>

#define SECRET "tulip-9f3"
#define PLAN                                                                                                               \
  "{\"title\":\"Send\",\"steps\":[{\"id\":\"a\",\"tool\":\"send\",\"arguments\":{\"token\":\"" SECRET "\",\"n\":1}},"     \
  "{\"id\":\"b\",\"tool\":\"look\",\"arguments\":{\"path\":\"b\"}}]}"

static BeckonRequest *
make_request (UiFixture *fixture, const char *call_id)
{
  g_autoptr (BeckonPlan) plan = beckon_plan_parse (PLAN, BECKON_PLAN_FROM_MODEL, NULL);
  g_autoptr (BeckonParameters) parameters = beckon_parameters_from_json ("{\"token\":{\"access\":\"masked\"}}", NULL);
  g_autoptr (BeckonPlanParameters) settled = beckon_plan_parameters_new ();
  g_autofree char *text = NULL;
  BeckonRequest *request = beckon_plan_request_new (NULL, "conversation", "message", call_id, plan, UI_NOW);

  beckon_plan_parameters_add (settled, "send", parameters);
  text = beckon_plan_parameters_to_text (settled);
  beckon_request_set_redacted (request, text);
  test_ledger_add (fixture->ledger, request);
  beckon_inbox_add (fixture->inbox, request);
  return request;
}

static GtkWidget *
show_card (UiFixture *fixture, BeckonRequest *request)
{
  GtkWidget *card = beckon_plan_card_new (fixture->inbox, request, NULL);

  ui_show (fixture, card);
  ui_wait_until (!ui_is_busy (card));
  return card;
}

/* --- Files -------------------------------------------------------------------------------------------------------- */

static void
choose (GtkWidget *card, const char *action, GFile *file)
{
  g_assert_true (gtk_widget_activate_action (card, action, NULL));
  if (g_str_equal (action, "plan.import"))
    ui_open_file (file);
  else
    ui_save_as (file);
}

/* Returns it once it is there, and whole. */
static char *
wait_for_text (GFile *file)
{
  g_autofree char *text = NULL;

  for (guint waker = ui_wake_up_often ();; g_main_context_iteration (NULL, TRUE))
    {
      g_clear_pointer (&text, g_free);
      if (g_file_load_contents (file, NULL, &text, NULL, NULL, NULL) && g_str_has_suffix (text, "}"))
        {
          g_source_remove (waker);
          return g_steal_pointer (&text);
        }
    }
}

/* A plan goes through a file and comes back as it was changed there; what is masked is in no file, and runs all the same. */
static void
test_files (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = make_request (fixture, "call");
  g_autofree char *folder = g_dir_make_tmp ("beckon-plan-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "plan.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  GtkWidget *card = beckon_plan_card_new (fixture->inbox, request, NULL);
  g_autofree char *text = NULL;
  g_autoptr (GString) edited = NULL;
  const char *answer;

  ui_show (fixture, card);
  choose (card, "plan.export", file);
  text = wait_for_text (file);
  g_assert_null (strstr (text, SECRET));
  edited = g_string_new (text);
  g_assert_cmpuint (g_string_replace (edited, "\"path\":\"b\"", "\"path\":\"elsewhere\"", 0), ==, 1);
  g_assert_true (g_file_set_contents (path, edited->str, -1, NULL));
  choose (card, "plan.import", file);
  ui_wait_until (ui_find_text (card, "elsewhere") != NULL);
  ui_wait_until (!ui_is_busy (card));
  ui_wait_frames (fixture, 3);
  ui_click (card, "Accept and run the plan");
  ui_wait_until (beckon_request_get_state (request) != BECKON_REQUEST_PENDING);
  answer = ui_get_answer (fixture, request);
  g_assert_nonnull (strstr (answer, SECRET));
  g_assert_nonnull (strstr (answer, "elsewhere"));
  g_unlink (path);
  g_rmdir (folder);
}

/* --- Changed ------------------------------------------------------------------------------------------------------ */

static void
change_step (GtkWidget *card, guint index)
{
  GtkWidget *row = ui_find_type (card, BECKON_TYPE_PLAN_ROW);

  for (guint i = 0; i < index; i++)
    row = gtk_widget_get_next_sibling (row);
  g_assert_true (gtk_widget_activate_action (row, "step.edit", NULL));
}

static void
write_arguments (GtkWidget *card, const char *text)
{
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (ui_find_named (card, "Arguments of the step"))), text, -1);
}

/* Masked arguments are not changed, and the editor says so while they are typed. */
static void
test_masked_in_place (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = make_request (fixture, "call");
  GtkWidget *card = show_card (fixture, request);

  change_step (card, 0);
  write_arguments (card, "{\"token\":\"mine\",\"n\":1}");
  g_assert_nonnull (ui_find_text (card, "You settled that “token” is not changed."));
  ui_click (card, "Apply to the step");
  g_assert_nonnull (ui_find_named (card, "Arguments of the step"));
  g_assert_nonnull (ui_find_text (card, "You settled that “token” is not changed."));
  write_arguments (card, "{\"token\":\"mine\",");
  g_assert_null (ui_find_text (card, "You settled that “token” is not changed."));
  write_arguments (card, "{\"token\":\"" BECKON_PARAMETERS_MASK "\",\"n\":2}");
  ui_click (card, "Apply to the step");
  g_assert_null (ui_find_named (card, "Arguments of the step"));
  ui_click (card, "Accept and run the plan");
  ui_wait_until (beckon_request_get_state (request) != BECKON_REQUEST_PENDING);
  g_assert_nonnull (strstr (ui_get_answer (fixture, request), "\\\"n\\\":2"));
  g_assert_nonnull (strstr (ui_get_answer (fixture, request), SECRET));
}

static char *
dup_arguments (GtkWidget *card)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (ui_find_named (card, "Arguments of the step")));
  char *text;

  g_object_get (buffer, "text", &text, NULL);
  return text;
}

/* Text typed into a step is not lost when another is changed, and running the plan includes it, too. */
static void
test_typed (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = make_request (fixture, "call");
  GtkWidget *card = show_card (fixture, request);
  g_autofree char *typed = NULL;

  change_step (card, 1);
  write_arguments (card, "{\"path\":");
  ui_click (card, "Skip step 1");
  g_assert_nonnull (ui_find_named (card, "Do not skip step 1"));
  typed = dup_arguments (card);
  g_assert_cmpstr (typed, ==, "{\"path\":");
  ui_click (card, "Accept and run the plan");
  g_assert_nonnull (ui_find_named (card, "Arguments of the step"));
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);
  write_arguments (card, "{\"path\":\"elsewhere\"}");
  ui_click (card, "Accept and run the plan");
  ui_wait_until (beckon_request_get_state (request) != BECKON_REQUEST_PENDING);
  g_assert_nonnull (strstr (ui_get_answer (fixture, request), "elsewhere"));
}

static void
note (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
}

/* A card that takes no more input does not leave the focus nowhere. */
static void
test_focus_goes_on (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = make_request (fixture, "call");
  GtkWidget *card = beckon_plan_card_new (fixture->inbox, request, NULL);
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  gboolean passed = FALSE;
  const GActionEntry entry = { "focus-composer", note, NULL, NULL, NULL };

  g_action_map_add_action_entries (G_ACTION_MAP (group), &entry, 1, &passed);
  gtk_widget_insert_action_group (fixture->window, "conversation", G_ACTION_GROUP (group));
  ui_show (fixture, card);
  ui_wait_until (!ui_is_busy (card));
  gtk_widget_grab_focus (ui_find_button (card, "Accept and run the plan"));
  ui_click (card, "Accept and run the plan");
  g_assert_true (passed);
  ui_wait_until (beckon_request_get_state (request) != BECKON_REQUEST_PENDING);
}

/* An editor that was opened and left as it was adds nothing. */
static void
test_untouched (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = make_request (fixture, "call");
  GtkWidget *card = show_card (fixture, request);

  ui_click (card, "Add a step");
  ui_click (card, "Accept and run the plan");
  ui_wait_until (beckon_request_get_state (request) != BECKON_REQUEST_PENDING);
  g_assert_cmpstr (ui_get_answer (fixture, request), ==, "{\"kind\":\"approved\"}");
}

/* Text typed into another step is applied, and the new one comes last. */
static void
test_added (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = make_request (fixture, "call");
  GtkWidget *card = show_card (fixture, request);
  const char *elsewhere;

  change_step (card, 1);
  write_arguments (card, "{\"path\":\"elsewhere\"}");
  ui_click (card, "Add a step");
  /* The tool of another step is not taken over in silence, and what is written into has room for it. */
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (ui_find_named (card, "Tool of the step"))), ==, "");
  g_assert_true (gtk_widget_is_ancestor (gtk_root_get_focus (gtk_widget_get_root (card)),
                                         ui_find_named (card, "Tool of the step")));
  ui_wait_until (gtk_widget_get_height (ui_find_named (card, "Arguments of the step")) >= 60);
  gtk_editable_set_text (GTK_EDITABLE (ui_find_named (card, "Tool of the step")), "look_there");
  ui_click (card, "Accept and run the plan");
  ui_wait_until (beckon_request_get_state (request) != BECKON_REQUEST_PENDING);
  elsewhere = strstr (ui_get_answer (fixture, request), "elsewhere");
  g_assert_nonnull (elsewhere);
  g_assert_nonnull (strstr (elsewhere, "look_there"));
}

/* A plan whose steps were all deleted gets another one. */
static void
test_emptied (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = make_request (fixture, "call");
  GtkWidget *card = show_card (fixture, request);

  ui_click (card, "Delete step 2");
  ui_click (card, "Delete step 1");
  ui_click (card, "Add a step");
  gtk_editable_set_text (GTK_EDITABLE (ui_find_named (card, "Tool of the step")), "look_there");
  ui_click (card, "Accept and run the plan");
  ui_wait_until (beckon_request_get_state (request) != BECKON_REQUEST_PENDING);
  g_assert_nonnull (strstr (ui_get_answer (fixture, request), "look_there"));
}

/* Changes that were taken back are not there again after the next start. */
static void
test_reverted (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = make_request (fixture, "call");
  GtkWidget *card = show_card (fixture, request);

  ui_click (card, "Skip step 1");
  g_assert_nonnull (beckon_request_get_draft (request));
  ui_click (card, "Revert the changes of the plan");
  g_assert_null (beckon_request_get_draft (request));
}

/* Edits not applicable in whole are not applied in part. */
static void
test_cancelled (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = make_request (fixture, "call");
  GtkWidget *card = show_card (fixture, request);

  change_step (card, 1);
  write_arguments (card, "{\"path\":\"elsewhere\"}");
  gtk_editable_set_text (GTK_EDITABLE (ui_find_named (card, "Tool of the step")), "");
  ui_click (card, "Apply to the step");
  g_assert_nonnull (ui_find_named (card, "Arguments of the step"));
  ui_click (card, "Leave the step as it is");
  ui_click (card, "Accept and run the plan");
  ui_wait_until (beckon_request_get_state (request) != BECKON_REQUEST_PENDING);
  g_assert_null (strstr (ui_get_answer (fixture, request), "elsewhere"));
}

/* --- Acceptance --------------------------------------------------------------------------------------------------- */

/* The files that a plan deletes are read whole before it is accepted: they are not asked about again. */
static void
test_whole (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new ("{\"title\":\"Tidy\",\"steps\":[{\"id\":\"a\",\"tool\":\"delete_files\",\"arguments\":"
                                           "{\"paths\":[");
  g_autoptr (BeckonPlan) plan = NULL;
  g_autoptr (BeckonRequest) request = NULL;
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkWidget *card;

  for (guint i = 0; i < 100; i++)
    g_string_append_printf (text, "\"draft-%u.txt\",", i);
  g_string_append (text, "\"the last.txt\"]}}]}");
  plan = beckon_plan_parse (text->str, BECKON_PLAN_FROM_MODEL, NULL);
  request = beckon_plan_request_new (NULL, "conversation", "message", "call", plan, UI_NOW);
  test_ledger_add (fixture->ledger, request);
  beckon_inbox_add (fixture->inbox, request);
  card = beckon_plan_card_new (fixture->inbox, request, NULL);
  gtk_widget_set_size_request (scroller, 400, 300);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), card);
  ui_show (fixture, scroller);
  ui_wait_until (!ui_is_busy (card));
  g_assert_nonnull (ui_find_text (card, "\"the last.txt\""));
  ui_click (card, "Accept and run the plan");
  g_assert_nonnull (ui_find_text (card, "Press again to accept the plan."));
  ui_wait_until (!ui_is_busy (card));
  g_assert_cmpint (beckon_request_get_state (request), ==, BECKON_REQUEST_PENDING);
  ui_click (card, "Accept and run the plan");
  ui_wait_until (beckon_request_get_state (request) != BECKON_REQUEST_PENDING);
}

/* --- Rows --------------------------------------------------------------------------------------------------------- */

static void
assert_row (GtkWidget *row, const char *name)
{
  g_autofree char *other = gtk_test_accessible_check_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, name);
  GtkWidget *label = ui_find_type (row, GTK_TYPE_LABEL);
  g_autofree char *attributes = pango_attr_list_to_string (gtk_label_get_attributes (GTK_LABEL (label)));

  g_assert_cmpstr (other, ==, NULL);
  /* An inserted hyphen would be read as part of the tool's name. */
  g_assert_nonnull (strstr (attributes, "insert-hyphens false"));
}

/* A row is called by its number, tool and arguments, with how it stands, and with nothing that turns the line round. */
static void
test_rows (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = make_request (fixture, "call");
  GtkWidget *card = show_card (fixture, request);
  GtkWidget *row;

  row = ui_find_type (card, BECKON_TYPE_PLAN_ROW);
  assert_row (row, "1. send token: " BECKON_PARAMETERS_MASK ", n: 1");
  row = gtk_widget_get_next_sibling (row);
  assert_row (row, "2. look b");
  g_assert_true (gtk_widget_activate_action (row, "step.pause", NULL));
  row = gtk_widget_get_next_sibling (ui_find_type (card, BECKON_TYPE_PLAN_ROW));
  assert_row (row, "2. look b The plan pauses before this step");
  ui_click (card, "Skip step 2");
  row = ui_find_type (card, BECKON_TYPE_PLAN_ROW);
  assert_row (gtk_widget_get_next_sibling (row), "2. look b Skipped");
  change_step (card, 1);
  gtk_editable_set_text (GTK_EDITABLE (ui_find_named (card, "Tool of the step")), "lo\u202eok");
  ui_click (card, "Apply to the step");
  row = ui_find_type (card, BECKON_TYPE_PLAN_ROW);
  assert_row (gtk_widget_get_next_sibling (row), "2. lo<U+202E>ok b Skipped");
}

/* --- Steps -------------------------------------------------------------------------------------------------------- */

static BeckonToolCall *
make_step (BeckonToolCall *planned, const char *id, const char *tool, gint64 started_at, const char *result, gboolean is_error)
{
  BeckonToolCall *step = beckon_tool_call_new_step (NULL, planned, id, tool, "{\"token\":\"" SECRET "\",\"n\":1}");

  beckon_tool_call_set_redacted (step, "{\"token\":{\"access\":\"masked\"}}");
  beckon_tool_call_set_times (step, started_at, started_at);
  beckon_tool_call_set_result (step, result, is_error);
  beckon_tool_call_set_state (step, BECKON_CALL_DONE);
  return step;
}

/* Each step that is over says what it ran with and what came of it, also one that never ran; a file goes back by its card. */
static void
test_steps (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonToolCall) planned = beckon_tool_call_new ("call", NULL, "propose_plan", PLAN);
  g_autoptr (BeckonRequest) request = make_request (fixture, "call");
  g_autoptr (BeckonToolCall) sent = make_step (planned, "a", "send", UI_NOW, "It is sent.", FALSE);
  g_autoptr (BeckonToolCall) denied = make_step (planned, "b", "look", 0, "The user denied this call.", TRUE);
  GtkWidget *card;
  GtkWidget *step;

  beckon_tool_call_set_plan (planned, beckon_request_get_plan (request));
  beckon_tool_call_set_redacted (planned, "[{\"tool\":\"send\",\"parameters\":\"{\\\"token\\\":{\\\"access\\\":\\\"masked\\\"}}\"}]");
  beckon_tool_call_set_change (sent, BECKON_CALL_CHANGE_KEPT);
  card = beckon_plan_card_new (fixture->inbox, request, planned);
  ui_show (fixture, card);
  g_assert_null (ui_find_type (card, BECKON_TYPE_TOOL_CARD));
  beckon_tool_call_add_step (planned, sent);
  beckon_tool_call_add_step (planned, denied);
  g_assert_cmpuint (ui_count_type (card, BECKON_TYPE_TOOL_CARD), ==, 2);
  step = ui_find_type (card, BECKON_TYPE_TOOL_CARD);
  g_assert_nonnull (ui_find_button (step, "Undo This Change"));
  beckon_tool_card_expand (BECKON_TOOL_CARD (step));
  g_assert_nonnull (ui_find_text (step, "Result"));
  g_assert_null (ui_find_text (card, SECRET));
  /* The card is the same when the plan resumes, as you left it. */
  beckon_tool_call_set_plan (planned, beckon_tool_call_get_plan (planned));
  g_assert_true (ui_find_type (card, BECKON_TYPE_TOOL_CARD) == step);
  g_assert_nonnull (ui_find_text (step, "Result"));
}

/* --- A plan that is over ------------------------------------------------------------------------------------------ */

static BeckonPlan *
make_long_plan (guint n_steps)
{
  g_autoptr (GString) text = g_string_new ("{\"title\":\"Long\",\"steps\":[");

  for (guint i = 0; i < n_steps; i++)
    g_string_append_printf (text, "%s{\"id\":\"s%u\",\"tool\":\"look\",\"arguments\":{\"path\":\"p%u\"}}", i > 0 ? "," : "", i, i);
  g_string_append (text, "]}");
  return beckon_plan_parse (text->str, BECKON_PLAN_FROM_MODEL, NULL);
}

/* A card in the conversation, in a window that is far too low for it, as it is laid out there. */
static GtkWidget *
show_over (UiFixture *fixture, guint n_steps)
{
  g_autoptr (BeckonPlan) plan = make_long_plan (n_steps);
  g_autoptr (BeckonRequest) request = beckon_plan_request_new (NULL, "conversation", "message", "call", plan, UI_NOW);
  g_autoptr (BeckonToolCall) planned = beckon_tool_call_new ("call", NULL, "propose_plan", PLAN);
  g_autoptr (BeckonAnswer) answer = beckon_answer_new (BECKON_ANSWER_APPROVED, NULL);
  g_autoptr (BeckonToolCall) step = beckon_tool_call_new_step (NULL, planned, "s0", "look", "{\"path\":\"p0\"}");
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkWidget *card;

  beckon_request_settle (request, BECKON_REQUEST_ANSWERED, answer, "window", NULL, UI_NOW);
  beckon_tool_call_set_plan (planned, plan);
  beckon_tool_call_set_times (step, UI_NOW, UI_NOW + G_USEC_PER_SEC);
  beckon_tool_call_set_result (step, "Seen", FALSE);
  beckon_tool_call_set_state (step, BECKON_CALL_DONE);
  beckon_tool_call_add_step (planned, step);
  beckon_tool_call_set_state (planned, BECKON_CALL_DONE);
  card = beckon_plan_card_new (fixture->inbox, request, planned);
  gtk_widget_set_valign (card, GTK_ALIGN_START);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), card);
  ui_show (fixture, scroller);
  ui_settle ();
  return card;
}

static guint
count_shown_rows (GtkWidget *card)
{
  guint n = 0;

  for (GtkWidget *row = ui_find_type (card, BECKON_TYPE_PLAN_ROW); row != NULL; row = gtk_widget_get_next_sibling (row))
    n += gtk_widget_get_visible (row) ? 1 : 0;
  return n;
}

static gboolean
scrolls (GtkWidget *card)
{
  BeckonMaxHeightBox *box = BECKON_MAX_HEIGHT_BOX (ui_find_type (card, BECKON_TYPE_MAX_HEIGHT_BOX));
  GtkAdjustment *adjustment = beckon_max_height_box_get_adjustment (box);

  return gtk_adjustment_get_upper (adjustment) > gtk_adjustment_get_page_size (adjustment) + 1;
}

/* All its steps are there, and nothing scrolls in it; the line of a call has its sentence. */
static void
test_over (UiFixture *fixture, gconstpointer data)
{
  GtkWidget *card = show_over (fixture, 6);
  GtkWidget *step = ui_find_type (card, BECKON_TYPE_TOOL_CARD);

  g_assert_cmpuint (count_shown_rows (card), ==, 6);
  ui_wait_until (!scrolls (card));
  g_assert_nonnull (ui_find_text (step, "look"));
  g_assert_null (ui_find_button (card, "Show all steps"));
}

/* A long one shows ten, and the others when they are wanted. */
static void
test_over_long (UiFixture *fixture, gconstpointer data)
{
  GtkWidget *card = show_over (fixture, 14);

  g_assert_cmpuint (count_shown_rows (card), ==, 10);
  ui_click (card, "Show all steps");
  g_assert_cmpuint (count_shown_rows (card), ==, 14);
  g_assert_null (ui_find_button (card, "Show all steps"));
  ui_wait_until (!scrolls (card));
}

/* --- The model's own list ----------------------------------------------------------------------------------------- */

static void
test_progress (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonToolCall) call
      = beckon_tool_call_new (NULL, NULL, "update_plan",
                              "{\"steps\":[{\"title\":\"Look\",\"status\":\"completed\"},"
                              "{\"title\":\"Write\",\"status\":\"executing\"},{\"title\":\"Tell\",\"status\":\"pending\"}]}");
  g_autoptr (BeckonToolCall) broken = beckon_tool_call_new (NULL, NULL, "update_plan", "{\"steps\":7}");
  GtkWidget *card = beckon_progress_card_new (call);

  ui_show (fixture, card);
  g_assert_nonnull (ui_find_text (card, "1/3"));
  g_assert_nonnull (ui_find_text (card, "Write"));
  g_assert_null (beckon_progress_card_new (broken));
}

int
main (int argc, char *argv[])
{
  if (!ui_test_init (&argc, &argv))
    return 0;

  ui_test_add ("/ui/plan-card/files", test_files);
  ui_test_add ("/ui/plan-card/masked-in-place", test_masked_in_place);
  ui_test_add ("/ui/plan-card/cancelled", test_cancelled);
  ui_test_add ("/ui/plan-card/typed", test_typed);
  ui_test_add ("/ui/plan-card/untouched", test_untouched);
  ui_test_add ("/ui/plan-card/added", test_added);
  ui_test_add ("/ui/plan-card/emptied", test_emptied);
  ui_test_add ("/ui/plan-card/focus-goes-on", test_focus_goes_on);
  ui_test_add ("/ui/plan-card/reverted", test_reverted);
  ui_test_add ("/ui/plan-card/whole", test_whole);
  ui_test_add ("/ui/plan-card/rows", test_rows);
  ui_test_add ("/ui/plan-card/steps", test_steps);
  ui_test_add ("/ui/plan-card/over", test_over);
  ui_test_add ("/ui/plan-card/over/long", test_over_long);
  ui_test_add ("/ui/plan-card/progress", test_progress);
  return g_test_run ();
}
