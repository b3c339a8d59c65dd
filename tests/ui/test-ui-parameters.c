/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Overrides for arguments of tools: on the page of permissions, in its window, and on the card. */

#include "beckon-ui-fixture.h"
#include "beckon-ui-home.h"

#include "base/beckon-json.h"
#include "form/beckon-plan-parameters.h"
#include "request/beckon-approval-request.h"
#include "request/beckon-plan-request.h"
#include "ui/cards/beckon-approval-card.h"
#include "ui/cards/beckon-plan-card.h"
#include "ui/cards/beckon-plan-row.h"
#include "ui/cards/beckon-plan-step-editor.h"
#include "ui/cards/beckon-request-card.h"
#include "ui/forms/beckon-form-control.h"
#include "ui/forms/beckon-form-row.h"
#include "ui/forms/beckon-json-view.h"
#include "ui/preferences/beckon-parameter-editor.h"
#include "ui/preferences/beckon-preferences.h"
#include "ui/widgets/beckon-guard.h"

#include <string.h>

#define SECRET "tulip"
#define SETTLED                                                                                                            \
  "{\"path\":{\"access\":\"editable\",\"pinned\":\"/srv\"},\"token\":{\"access\":\"masked\"},\"trace\":{\"access\":\"hidden\"}," \
  "\"mode\":{\"access\":\"editable\",\"allowed\":[\"r\",\"a\"]}}"

static void
on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(gboolean *) user_data = beckon_argument_overrides_save_finish (BECKON_ARGUMENT_OVERRIDES (source), result, NULL);
}

static void
save (UiHome *home, const char *name, const char *pinned, BeckonFormAccess access)
{
  g_autoptr (BeckonToolParameter) parameter = beckon_tool_parameter_new ("write_file", NULL, name);
  gboolean saved = FALSE;

  parameter->pinned = g_strdup (pinned);
  parameter->access = access;
  beckon_argument_overrides_save_async (beckon_runtime_get_parameters (home->runtime), parameter, NULL, on_saved, &saved);
  ui_wait_until (saved);
}

static BeckonToolParameter *
look_up (UiHome *home, const char *name)
{
  return beckon_argument_overrides_lookup (beckon_runtime_get_parameters (home->runtime), "write_file", NULL, name);
}

/* Seen with what is settled, never with what is masked; deleted it does not hold any more, and comes back. */
static void
test_page (UiFixture *fixture, gconstpointer data)
{
  UiHome home;
  GtkWidget *preferences;
  GtkWidget *undo;

  ui_home_open (&home);
  preferences = beckon_preferences_new (home.runtime, NULL);
  ui_present (preferences);
  beckon_preferences_show_row (BECKON_PREFERENCES (preferences), "permissions", NULL);
  ui_wait_until (ui_find_text (preferences, "No overrides. The model chooses every argument.") != NULL);
  save (&home, "path", "\"/srv\"", BECKON_FORM_EDITABLE);
  save (&home, "content", "\"" SECRET "\"", BECKON_FORM_MASKED);
  ui_wait_until (ui_find_text (preferences, "write_file · path") != NULL);
  g_assert_nonnull (ui_find_text (preferences, "Always: \"/srv\""));
  g_assert_nonnull (ui_find_text (preferences, "Always the same value; Masked"));
  g_signal_emit_by_name (ui_find_named (preferences, "Remove override: write_file · path"), "clicked");
  ui_wait_until (look_up (&home, "path") == NULL);
  ui_wait_until ((undo = ui_find_named (preferences, "Undo")) != NULL);
  g_signal_emit_by_name (gtk_widget_get_ancestor (undo, GTK_TYPE_BUTTON), "clicked");
  ui_wait_until (look_up (&home, "path") != NULL);
  g_assert_cmpstr (look_up (&home, "path")->pinned, ==, "\"/srv\"");
  ui_destroy (preferences);
  ui_home_close (&home);
}

static GtkWidget *
find_control (GtkWidget *root, const char *title)
{
  GtkWidget *row = ui_find_named (root, title);

  g_assert_nonnull (row);
  return beckon_form_control_get_inner (BECKON_FORM_CONTROL (ui_find_type (row, BECKON_TYPE_FORM_CONTROL)));
}

static GtkWidget *
open_editor (UiHome *home, BeckonToolParameter *parameter)
{
  GtkWidget *editor = beckon_parameter_editor_new (home->runtime, parameter);

  return ui_present (editor);
}

static void
set_allowed (GtkWidget *editor, const char *lines)
{
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (ui_find_named (editor, "Allowed values"))), lines, -1);
}

/* Typed as what it is, not as JSON; what contradicts itself is not saved. */
static void
test_editor (UiFixture *fixture, gconstpointer data)
{
  UiHome home;
  g_autoptr (BeckonToolParameter) proposed = beckon_tool_parameter_new ("write_file", NULL, "path");
  GtkWidget *editor;
  gpointer alive;

  ui_home_open (&home);
  proposed->pinned = g_strdup ("\"a.txt\"");
  alive = editor = open_editor (&home, proposed);
  g_object_add_weak_pointer (G_OBJECT (editor), &alive);
  gtk_editable_set_text (GTK_EDITABLE (find_control (ui_find_type (editor, BECKON_TYPE_FORM_ROW), "path")), "b.txt");
  set_allowed (editor, "c.txt\n\n d.txt ");
  ui_click (editor, "Save the override");
  ui_wait_until (ui_find_text (editor, "The value that it always has is not among those that are allowed.") != NULL);
  g_assert_null (look_up (&home, "path"));
  set_allowed (editor, "b.txt\nc.txt");
  ui_click (editor, "Save the override");
  ui_wait_until (alive == NULL);
  g_assert_cmpstr (look_up (&home, "path")->pinned, ==, "\"b.txt\"");
  g_assert_cmpstr (look_up (&home, "path")->allowed, ==, "[\"b.txt\",\"c.txt\"]");
  ui_home_close (&home);
}

/* Which tool and which argument, where none was given. */
static void
test_choosing (UiFixture *fixture, gconstpointer data)
{
  UiHome home;
  GtkWidget *editor;

  ui_home_open (&home);
  editor = open_editor (&home, NULL);
  g_assert_nonnull (ui_find_text (editor, "Tool"));
  g_assert_nonnull (ui_find_text (editor, "Argument"));
  ui_destroy (editor);
  ui_home_close (&home);
}

static GtkWidget *
show_card (UiFixture *fixture, BeckonRequest *request)
{
  GtkWidget *card;

  test_ledger_add (fixture->ledger, request);
  beckon_inbox_add (fixture->inbox, request);
  card = beckon_request_card_new_alone (fixture->inbox, request, NULL);
  beckon_request_card_set_clock (card, fixture->clock);
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 700, 900);
  ui_show (fixture, card);
  beckon_clock_advance (fixture->clock, BECKON_GUARD_APPEARED_MS);
  g_assert_true (beckon_request_card_edit (card));
  return card;
}

static BeckonRequest *
make_request (void)
{
  BeckonRequest *request = beckon_approval_request_new (
    NULL, "conversation", "message", "call", "send",
    "{\"path\":\"/srv\",\"token\":\"" SECRET "\",\"trace\":\"" SECRET "2\",\"mode\":\"r\",\"n\":1}", NULL, UI_NOW);
  BeckonApprovalDetails *details = beckon_approval_details_new ();
  g_autofree char *redacted = NULL;

  details->parameters = beckon_parameters_from_json (SETTLED, NULL);
  redacted = beckon_parameters_dup_redacted (details->parameters);
  beckon_request_take_details (request, details);
  beckon_request_set_redacted (request, redacted);
  return request;
}

static void
assert_shows_nothing (GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget) && strstr (gtk_label_get_text (GTK_LABEL (widget)), SECRET) != NULL)
    g_error ("“%s” shows what is masked", gtk_label_get_text (GTK_LABEL (widget)));
  if (GTK_IS_EDITABLE (widget) && strstr (gtk_editable_get_text (GTK_EDITABLE (widget)), SECRET) != NULL)
    g_error ("an entry shows what is masked");
  if (GTK_IS_TEXT_VIEW (widget))
    {
      g_autofree char *text = NULL;

      g_object_get (gtk_text_view_get_buffer (GTK_TEXT_VIEW (widget)), "text", &text, NULL);
      if (strstr (text, SECRET) != NULL)
        g_error ("“%s” shows what is masked", text);
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    assert_shows_nothing (child);
}

/* In no view of the card; what runs has it. */
static void
test_card (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonRequest) request = make_request ();
  GtkWidget *card = show_card (fixture, request);
  GtkStack *stack = GTK_STACK (ui_find_type (card, GTK_TYPE_STACK));
  GtkWidget *json;

  g_assert_true (GTK_IS_LABEL (find_control (card, "path")));
  g_assert_true (GTK_IS_LABEL (find_control (card, "token")));
  g_assert_true (GTK_IS_DROP_DOWN (find_control (card, "mode")));
  g_assert_null (ui_find_named (card, "trace"));
  g_assert_nonnull (ui_find_named (card, "Always this value: n"));
  g_assert_null (ui_find_named (card, "Always this value: path"));
  assert_shows_nothing (card);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (find_control (card, "mode")), 1);
  gtk_stack_set_visible_child_name (stack, "json");
  json = ui_find_type (ui_find_type (card, BECKON_TYPE_JSON_VIEW), GTK_TYPE_TEXT_VIEW);
  g_assert_false (gtk_text_view_get_editable (GTK_TEXT_VIEW (json)));
  assert_shows_nothing (card);
  gtk_stack_set_visible_child_name (stack, "changes");
  assert_shows_nothing (card);
  ui_click (card, "Run edited");
  ui_wait_until (beckon_request_get_state (request) != BECKON_REQUEST_PENDING);
  g_assert_nonnull (strstr (ui_get_answer (fixture, request), "\\\"token\\\":\\\"" SECRET));
  g_assert_nonnull (strstr (ui_get_answer (fixture, request), "\\\"mode\\\":\\\"a\\\""));
}

#define PLAN                                                                                                            \
  "{\"title\":\"Send\",\"steps\":[{\"id\":\"a\",\"tool\":\"send\",\"arguments\":{\"token\":\"" SECRET "\",\"n\":1}}," \
  "{\"id\":\"b\",\"tool\":\"send\",\"arguments\":{\"token\":\"" SECRET "2\",\"trace\":\"" SECRET "3\"}}]}"

static GtkWidget *
find_row (GtkWidget *card, guint number)
{
  g_autofree char *name = g_strdup_printf ("Delete step %u", number);
  GtkWidget *button = ui_find_named (card, name);

  return gtk_widget_get_ancestor (button, BECKON_TYPE_PLAN_ROW);
}

/* In no row of a plan and not where a step is edited; the plan that runs has it, wherever the step was moved to. */
static void
test_plan (UiFixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonPlan) plan = beckon_plan_parse (PLAN, BECKON_PLAN_FROM_MODEL, NULL);
  g_autoptr (BeckonRequest) request = beckon_plan_request_new (NULL, "conversation", "message", "call", plan, UI_NOW);
  g_autoptr (BeckonPlanParameters) redacted = beckon_plan_parameters_new ();
  g_autoptr (BeckonParameters) parameters = beckon_parameters_from_json (SETTLED, NULL);
  g_autofree char *text = NULL;
  const char *answer;
  GtkWidget *card;

  beckon_plan_parameters_add (redacted, "send", parameters);
  text = beckon_plan_parameters_to_text (redacted);
  beckon_request_set_redacted (request, text);
  test_ledger_add (fixture->ledger, request);
  beckon_inbox_add (fixture->inbox, request);
  card = beckon_plan_card_new (fixture->inbox, request, NULL);
  ui_show (fixture, card);
  g_assert_nonnull (ui_find_text (card, BECKON_PARAMETERS_MASK));
  assert_shows_nothing (card);
  g_assert_true (gtk_widget_activate_action (find_row (card, 2), "step.edit", NULL));
  g_assert_nonnull (ui_find_type (card, BECKON_TYPE_PLAN_STEP_EDITOR));
  assert_shows_nothing (card);
  g_assert_true (gtk_widget_activate_action (find_row (card, 1), "step.down", NULL));
  g_assert_null (strstr (beckon_request_get_draft (request), SECRET));
  ui_wait_until (!ui_is_busy (card));
  ui_click (card, "Accept and run the plan");
  ui_wait_until (beckon_request_get_state (request) != BECKON_REQUEST_PENDING);
  answer = ui_get_answer (fixture, request);
  g_assert_nonnull (strstr (answer, "\\\"n\\\":1"));
  g_assert_null (strstr (answer, BECKON_PARAMETERS_MASK));
  g_assert_true (strstr (answer, SECRET "3") < strstr (answer, "\\\"n\\\":1"));
  assert_shows_nothing (card);
}

/* Each is said in the person's language: what is known is another string of the same words. Who asks shows other words. */
static void
check_descriptions (BeckonTool *tool)
{
  const BeckonToolDefinition *definition = beckon_tool_get_definition (tool);
  g_autoptr (JsonObject) schema = beckon_json_parse_object (definition->schema, -1, NULL);
  JsonObject *properties = beckon_json_get_object (schema, "properties");
  g_autoptr (GList) names = properties != NULL ? json_object_get_members (properties) : NULL;

  for (GList *at = names; at != NULL; at = at->next)
    {
      const char *description = beckon_json_get_string (beckon_json_get_object (properties, at->data), "description");

      if (description != NULL && beckon_argument_names_translate (description) == description)
        g_error ("beckon-form-row.c does not know “%s” of %s", description, definition->name);
    }
}

static void
test_descriptions (UiFixture *fixture, gconstpointer data)
{
  UiHome home;
  GPtrArray *tools;

  g_assert_null (beckon_argument_names_translate (NULL));
  g_assert_cmpstr (beckon_argument_names_translate (""), ==, "");
  ui_home_open (&home);
  tools = beckon_tool_registry_list_all (beckon_runtime_get_tools (home.runtime));
  g_assert_cmpuint (tools->len, >, 5);
  for (guint i = 0; i < tools->len; i++)
    {
      BeckonTool *tool = g_ptr_array_index (tools, i);
      const char *name = beckon_tool_get_definition (tool)->name;

      if (!g_str_equal (name, "ask_user") && !g_str_equal (name, "propose_plan"))
        check_descriptions (tool);
    }
  ui_home_close (&home);
}

int
main (int argc, char *argv[])
{
  if (!ui_test_init (&argc, &argv))
    return 0;

  ui_test_add ("/ui/parameters/page", test_page);
  ui_test_add ("/ui/parameters/editor", test_editor);
  ui_test_add ("/ui/parameters/choosing", test_choosing);
  ui_test_add ("/ui/parameters/card", test_card);
  ui_test_add ("/ui/parameters/plan", test_plan);
  ui_test_add ("/ui/parameters/descriptions", test_descriptions);
  return g_test_run ();
}
