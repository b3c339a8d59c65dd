/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-error.h"
#include "base/beckon-id.h"
#include "base/beckon-json.h"
#include "test-changing-tool.h"
#include "request/beckon-question-request.h"
#include "tools/beckon-ask-user.h"
#include "tools/beckon-current-time.h"
#include "tools/beckon-tool-registry.h"

#include <glib/gstdio.h>
#include <string.h>

/* 2025-11-20 12:00:00 UTC */
#define NOW (G_GINT64_CONSTANT (1763640000) * G_USEC_PER_SEC)

typedef struct
{
  BeckonToolCall *call;
  BeckonToolContext context;
} Call;

static void
call_init (Call *call, const char *name, const char *arguments)
{
  call->call = beckon_tool_call_new (NULL, "provider-id", name, arguments);
  call->context = (BeckonToolContext){
    .conversation_id = "conversation", .message_id = "message", .call = call->call,
    .arguments = arguments, .now = NOW
  };
}

static void
call_clear (Call *call)
{
  g_clear_object (&call->call);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Call, call_clear)

static void
on_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GAsyncResult **slot = user_data;

  *slot = g_object_ref (result);
}

static char *
run (BeckonTool *tool, const char *arguments, GCancellable *cancellable, GError **error)
{
  g_auto (Call) call = { 0 };
  g_autoptr (GAsyncResult) result = NULL;
  gint64 deadline = g_get_monotonic_time () + 10 * G_USEC_PER_SEC;

  call_init (&call, beckon_tool_get_name (tool), arguments);
  beckon_tool_run_async (tool, &call.context, cancellable, on_result, &result);
  g_assert_null (result);
  while (result == NULL && g_get_monotonic_time () < deadline)
    g_main_context_iteration (NULL, TRUE);
  g_assert_nonnull (result);
  return beckon_tool_run_finish (tool, result, error);
}

static char *
join_names (GPtrArray *definitions)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < definitions->len; i++)
    {
      BeckonToolDefinition *definition = g_ptr_array_index (definitions, i);

      g_string_append_printf (names, "%s%s", i > 0 ? " " : "", definition->name);
    }

  return g_string_free (names, FALSE);
}

static void
assert_list (BeckonToolRegistry *registry, gboolean ask_user, gboolean has_person, const char *expected)
{
  g_autoptr (GPtrArray) definitions = beckon_tool_registry_list (registry, ask_user, has_person, NULL);
  g_autofree char *names = join_names (definitions);

  g_assert_cmpstr (names, ==, expected);
}

/* Off, or with nobody there, it is gone from the definitions and stays in the registry for the call that comes all the
 * same. */
static void
test_registry (void)
{
  g_autoptr (BeckonToolRegistry) registry = beckon_tool_registry_new ();
  g_autoptr (BeckonTool) tool = test_changing_tool_new ("/nowhere");

  assert_list (registry, TRUE, TRUE, "");
  beckon_tool_registry_add_builtin (registry);
  beckon_tool_registry_add (registry, tool);
  assert_list (registry, TRUE, TRUE, "ask_user get_current_time propose_plan update_plan append_line");
  assert_list (registry, FALSE, TRUE, "get_current_time propose_plan update_plan append_line");
  assert_list (registry, FALSE, FALSE, "get_current_time update_plan append_line");

  g_assert_true (beckon_tool_registry_lookup (registry, "append_line") == tool);
  g_assert_true (BECKON_IS_ASK_USER (beckon_tool_registry_lookup (registry, "ask_user")));
  g_assert_true (beckon_tool_needs_person (beckon_tool_registry_lookup (registry, "ask_user")));
  g_assert_false (beckon_tool_needs_person (tool));
}

static void
test_registry_aliases (void)
{
  g_autoptr (BeckonToolRegistry) registry = beckon_tool_registry_new ();

  beckon_tool_registry_add_builtin (registry);
  g_assert_true (BECKON_IS_ASK_USER (beckon_tool_registry_lookup (registry, "question")));
  g_assert_true (BECKON_IS_ASK_USER (beckon_tool_registry_lookup (registry, "clarify")));
}

/* A name that only looks like one is none. */
static void
test_registry_unknown (void)
{
  static const char *const names[] = {
    "Ask_User", "ASK_USER", "ask_user ", " ask_user", "ask\xe2\x80\x8b_user", "\xd0\xb0sk_user", "ask-user", "",
    "multi_tool_use.parallel",
  };
  g_autoptr (BeckonToolRegistry) registry = beckon_tool_registry_new ();

  beckon_tool_registry_add_builtin (registry);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_null (beckon_tool_registry_lookup (registry, names[i]));
}

static void
test_check_arguments (void)
{
  g_autoptr (BeckonTool) tool = beckon_current_time_new ();
  g_autoptr (GError) error = NULL;

  g_assert_true (beckon_tool_check_arguments (tool, "{}", NULL));
  g_assert_true (beckon_tool_check_arguments (tool, "{\"timezone\":\"UTC\"}", NULL));
  g_assert_false (beckon_tool_check_arguments (tool, "{\"timezone\":1}", &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "/timezone: This has to be of the type string."));
  g_clear_error (&error);
  g_assert_false (beckon_tool_check_arguments (tool, "{\"timezone\":", &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
}

static void
test_definitions (void)
{
  g_autoptr (BeckonToolRegistry) registry = beckon_tool_registry_new ();
  g_autoptr (GPtrArray) definitions = NULL;

  beckon_tool_registry_add_builtin (registry);
  definitions = beckon_tool_registry_list (registry, TRUE, TRUE, NULL);
  for (guint i = 0; i < definitions->len; i++)
    {
      BeckonToolDefinition *definition = g_ptr_array_index (definitions, i);
      g_autoptr (GError) error = NULL;
      g_autoptr (JsonObject) schema = beckon_json_parse_object (definition->schema, -1, &error);

      g_assert_no_error (error);
      g_assert_cmpstr (beckon_json_get_string (schema, "type"), ==, "object");
      g_assert_true (g_str_is_ascii (definition->description));
      g_assert_cmpuint (strlen (definition->description), >, 40);
    }
}

/* Both forms are there, and neither is required by itself. */
static void
test_ask_user_schema (void)
{
  g_autoptr (BeckonTool) tool = beckon_ask_user_new ();
  g_autoptr (JsonObject) schema
      = beckon_json_parse_object (beckon_tool_get_definition (tool)->schema, -1, NULL);
  JsonObject *properties = beckon_json_get_object (schema, "properties");
  JsonObject *questions = beckon_json_get_object (properties, "questions");
  JsonObject *item = beckon_json_get_object (beckon_json_get_object (questions, "items"), "properties");

  g_assert_false (json_object_has_member (schema, "required"));
  g_assert_true (json_object_has_member (properties, "question"));
  g_assert_true (json_object_has_member (properties, "choices"));
  g_assert_true (json_object_has_member (properties, "allow_freeform"));
  g_assert_cmpstr (beckon_json_get_string (beckon_json_get_object (properties, "wait"), "type"), ==, "boolean");
  g_assert_cmpint (beckon_json_get_int (questions, "maxItems", 0), ==, 8);
  g_assert_true (json_object_has_member (item, "header"));
  g_assert_true (json_object_has_member (item, "options"));
  g_assert_true (json_object_has_member (item, "multiple"));
}

/* The description is the only teacher there is; what it has to teach, lesson by lesson. */
static const struct
{
  const char *name;
  const char *words;
} lessons[] = {
  { "use-it-for-preferences", "a preference only they can have" },
  { "use-it-for-ambiguity", "understood in more than one way" },
  { "use-it-for-decisions-on-the-way", "a decision on the way" },
  { "use-it-to-offer-directions", "to offer directions" },
  { "not-for-simple-confirmation", "Do not use it for a simple confirmation" },
  { "labels-of-one-to-five-words", "labels of one to five words" },
  { "a-sentence-for-each", "each with a description of one sentence" },
  { "several-in-one-call", "Ask several things in one call with `questions`, not one after another" },
  { "the-recommended-one-first", "Put the choice you recommend first" },
  { "no-other", "Do not add \"Other\"" },
  { "nothing-after-the-call", "Write nothing after the call" },
  { "secrets-come-as-handles", "what they type is masked and kept from you" },
  { "both-forms", "With both, `questions` counts." },
  { "what-comes-back", "{status, answers: [{question, selected, text, skipped}]}" },
  { "asked-back", "answer that, then ask again" },
};

static void
test_ask_user_teaches (gconstpointer data)
{
  g_autoptr (BeckonTool) tool = beckon_ask_user_new ();

  g_assert_nonnull (strstr (beckon_tool_get_definition (tool)->description, data));
}

static void
test_ask_user_asks (void)
{
  g_autoptr (BeckonTool) tool = beckon_ask_user_new ();
  g_auto (Call) call = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonRequest) request = NULL;

  call_init (&call, "ask_user", "{\"question\":\"Q?\",\"choices\":[\"A\"]}");
  request = beckon_tool_ask (tool, &call.context, &error);
  g_assert_no_error (error);
  g_assert_true (BECKON_IS_QUESTION_REQUEST (request));
  g_assert_true (beckon_id_is_valid (beckon_request_get_id (request)));
  g_assert_cmpstr (beckon_request_get_conversation_id (request), ==, "conversation");
  g_assert_cmpstr (beckon_request_get_message_id (request), ==, "message");
  g_assert_cmpstr (beckon_request_get_call_id (request), ==, beckon_tool_call_get_id (call.call));
  g_assert_cmpint (beckon_request_get_asked_at (request), ==, NOW);
  g_assert_cmpstr (beckon_question_get_item (beckon_request_get_question (request), 0)->question, ==, "Q?");
}

static void
test_ask_user_refuses (void)
{
  static const struct
  {
    const char *arguments;
    const char *says;
  } cases[] = {
    { "{}", "The question is missing. Nothing was asked." },
    { "{\"questions\":[{\"header\":\"H\"}]}", "questions[0] has no question. Nothing was asked." },
    { "{\"question\":", "" },
  };
  g_autoptr (BeckonTool) tool = beckon_ask_user_new ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Call) call = { 0 };
      g_autoptr (GError) error = NULL;

      call_init (&call, "ask_user", cases[i].arguments);
      g_assert_null (beckon_tool_ask (tool, &call.context, &error));
      g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
      g_assert_true (g_str_has_prefix (error->message, cases[i].says));
    }
}

static void
test_ask_user_never_runs (void)
{
  g_autoptr (BeckonTool) tool = beckon_ask_user_new ();
  g_autoptr (GError) error = NULL;

  g_assert_null (run (tool, "{\"question\":\"Q?\"}", NULL, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
}

static void
test_effects (void)
{
  g_autoptr (BeckonTool) reads = beckon_current_time_new ();
  g_autoptr (BeckonTool) changes = test_changing_tool_new ("/nowhere");
  g_auto (Call) call = { 0 };
  g_auto (BeckonEffects) of_reading = { 0 };
  g_auto (BeckonEffects) of_changing = { 0 };

  call_init (&call, "get_current_time", "{}");
  beckon_tool_get_effects (reads, &call.context, &of_reading);
  g_assert_cmpstr (of_reading.tool, ==, "get_current_time");
  g_assert_true (of_reading.read_only);
  g_assert_false (of_reading.leaves_folder);
  g_assert_false (of_reading.uses_network);

  beckon_tool_get_effects (changes, &call.context, &of_changing);
  g_assert_cmpstr (of_changing.tool, ==, "append_line");
  g_assert_false (of_changing.read_only);
}

static void
test_current_time (void)
{
  static const struct
  {
    const char *arguments;
    const char *expected;
  } cases[] = {
    { "{}", "2025-11-20T12:00:00Z, Thursday (UTC)" },
    { "{\"timezone\":\"\"}", "2025-11-20T12:00:00Z, Thursday (UTC)" },
    { "{\"timezone\":null}", "2025-11-20T12:00:00Z, Thursday (UTC)" },
    { "{\"timezone\":\"UTC\"}", "2025-11-20T12:00:00Z, Thursday (UTC)" },
    { "{\"timezone\":\"+02:00\"}", "2025-11-20T14:00:00+02, Thursday (+02:00)" },
  };
  g_autoptr (BeckonTool) tool = beckon_current_time_new ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *text = run (tool, cases[i].arguments, NULL, &error);

      g_assert_no_error (error);
      g_assert_cmpstr (text, ==, cases[i].expected);
    }
}

static void
test_current_time_elsewhere (void)
{
  g_autoptr (BeckonTool) tool = beckon_current_time_new ();
  g_autofree char *shanghai = NULL;
  g_autofree char *kiritimati = NULL;

  if (!g_file_test ("/usr/share/zoneinfo/Asia/Shanghai", G_FILE_TEST_EXISTS))
    {
      g_test_skip ("the time zones are not installed");
      return;
    }

  shanghai = run (tool, "{\"timezone\":\"Asia/Shanghai\"}", NULL, NULL);
  g_assert_cmpstr (shanghai, ==, "2025-11-20T20:00:00+08, Thursday (Asia/Shanghai)");
  kiritimati = run (tool, "{\"timezone\":\"Pacific/Kiritimati\"}", NULL, NULL);
  g_assert_cmpstr (kiritimati, ==, "2025-11-21T02:00:00+14, Friday (Pacific/Kiritimati)");
}

static void
test_current_time_refuses (void)
{
  static const char *const cases[] = {
    "{\"timezone\":\"Mars/Olympus\"}",
    "{\"timezone\":\"../../../etc/passwd\"}",
    "{\"timezone\":\"/etc/passwd\"}",
    "{\"timezone\":\"a\\nb\"}",
    "{\"timezone\":\"Europe\"}",
  };
  g_autoptr (BeckonTool) tool = beckon_current_time_new ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (run (tool, cases[i], NULL, &error));
      g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
      g_assert_nonnull (strstr (error->message, "Europe/Berlin"));
    }
}

static void
test_current_time_cancelled (void)
{
  g_autoptr (BeckonTool) tool = beckon_current_time_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (run (tool, "{}", cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_changing_tool (void)
{
  g_autofree char *folder = g_dir_make_tmp ("beckon-tools-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "lines", NULL);
  g_autoptr (BeckonTool) tool = test_changing_tool_new (path);
  g_autoptr (GError) error = NULL;
  g_autofree char *first = run (tool, "{\"text\":\"one\"}", NULL, &error);
  g_autofree char *second = run (tool, "{\"text\":\"two\"}", NULL, &error);
  g_autofree char *contents = NULL;

  g_assert_no_error (error);
  g_assert_cmpstr (first, ==, "The line was added.");
  g_assert_true (g_file_get_contents (path, &contents, NULL, NULL));
  g_assert_cmpstr (contents, ==, "one\ntwo\n");

  g_assert_null (run (tool, "{}", NULL, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
  g_unlink (path);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/tools/registry/list", test_registry);
  g_test_add_func ("/tools/registry/aliases", test_registry_aliases);
  g_test_add_func ("/faults/C/49-names-that-look-alike", test_registry_unknown);
  g_test_add_func ("/tools/check-arguments", test_check_arguments);
  g_test_add_func ("/tools/definitions", test_definitions);
  g_test_add_func ("/tools/ask-user/schema", test_ask_user_schema);
  for (guint i = 0; i < G_N_ELEMENTS (lessons); i++)
    {
      g_autofree char *path = g_strconcat ("/tools/ask-user/teaches/", lessons[i].name, NULL);

      g_test_add_data_func (path, lessons[i].words, test_ask_user_teaches);
    }
  g_test_add_func ("/tools/ask-user/asks", test_ask_user_asks);
  g_test_add_func ("/tools/ask-user/refuses", test_ask_user_refuses);
  g_test_add_func ("/tools/ask-user/never-runs", test_ask_user_never_runs);
  g_test_add_func ("/tools/effects", test_effects);
  g_test_add_func ("/tools/current-time", test_current_time);
  g_test_add_func ("/tools/current-time/elsewhere", test_current_time_elsewhere);
  g_test_add_func ("/tools/current-time/refuses", test_current_time_refuses);
  g_test_add_func ("/tools/current-time/cancelled", test_current_time_cancelled);
  g_test_add_func ("/tools/changing-tool", test_changing_tool);

  return g_test_run ();
}
