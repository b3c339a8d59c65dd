/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command-policy.h"

#include "base/beckon-json.h"
#include "beckon-cli-context.h"
#include "beckon-command.h"
#include "domain/beckon-rule-json.h"
#include "policy/beckon-judgement-json.h"
#include "sandbox/beckon-sandbox-view.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_RULES 10000

typedef struct
{
  char *rules_file; /* (owned) (nullable) */
  char *folder;     /* (owned) (nullable): never so once the options are read */
  char *mode_word;  /* (owned) (nullable) */
  gboolean nobody;

  const char *tool;
  const char *arguments;
  BeckonMode mode;
  GPtrArray *rules; /* (owned) (nullable) (element-type BeckonRule) */
} Test;

static void
test_clear (Test *test)
{
  g_free (test->rules_file);
  g_free (test->folder);
  g_free (test->mode_word);
  g_clear_pointer (&test->rules, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Test, test_clear)

/* A tool that is not there is taken for one of which nothing is known but what its arguments name. */
static void
guess_effects (const Test *test, JsonObject *arguments, BeckonEffects *effects)
{
  const char *path = beckon_json_get_string (arguments, "path");
  const char *host = beckon_json_get_string (arguments, "host");

  *effects = (BeckonEffects){ .tool = test->tool, .folder = test->folder, .leaves_folder = TRUE, .uses_network = TRUE };
  beckon_effects_set_arguments (effects, arguments);
  beckon_effects_set_command (effects, beckon_json_get_string (arguments, "command"));
  if (path != NULL)
    beckon_effects_add_path (effects, path);
  if (host != NULL)
    beckon_effects_add_host (effects, host);
}

static void
find_effects (const Test *test, BeckonToolRegistry *tools, JsonObject *arguments, BeckonEffects *effects)
{
  BeckonTool *tool = beckon_tool_registry_lookup (tools, test->tool);
  g_autoptr (BeckonToolCall) call = beckon_tool_call_new (NULL, NULL, test->tool, test->arguments);
  const BeckonToolContext context = {
    .conversation_id = "",
    .message_id = "",
    .call = call,
    .arguments = test->arguments,
    .folder = test->folder,
    .now = g_get_real_time (),
  };

  if (tool == NULL || beckon_tool_needs_person (tool))
    {
      guess_effects (test, arguments, effects);
      return;
    }
  beckon_tool_get_effects (tool, &context, effects);
}

/* Arguments that break the schema go back to the model unjudged. */
static gboolean
check_arguments (const Test *test, BeckonToolRegistry *tools, GError **error)
{
  BeckonTool *tool = beckon_tool_registry_lookup (tools, test->tool);

  if (tool != NULL)
    return beckon_tool_check_arguments (tool, test->arguments, error);
  fprintf (stderr, _("“%s” is not a tool here. Only its arguments are judged.\n"), test->tool);
  return TRUE;
}

static char *
judge (const Test *test, BeckonToolRegistry *tools, GError **error)
{
  g_autoptr (JsonObject) arguments = beckon_json_parse_object (test->arguments, -1, error);
  g_autoptr (BeckonRuleSet) rules = NULL;
  g_autoptr (BeckonJudgement) judgement = NULL;
  g_auto (BeckonEffects) effects = { 0 };

  if (arguments == NULL || !check_arguments (test, tools, error))
    return NULL;
  rules = beckon_rule_set_new (test->rules);
  find_effects (test, tools, arguments, &effects);
  judgement = beckon_policy_judge (&effects, rules, test->mode, !test->nobody, g_get_real_time ());
  return beckon_judgement_to_json (judgement, test->folder);
}

static void
on_view_learned (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonCliContext *cli = user_data;
  const Test *test = cli->data;
  g_autoptr (GError) error = NULL;
  g_autofree char *json = NULL;

  beckon_sandbox_view_learn_finish (result, NULL);
  json = judge (test, beckon_runtime_get_tools (cli->runtime), &error);

  if (json != NULL)
    beckon_cli_context_print_json (json);
  beckon_cli_context_finish (cli, error != NULL ? error->message : NULL);
}

/* The words for commands depend on what they work on. */
static void
command_policy_tell (BeckonCliContext *cli)
{
  const Test *test = cli->data;

  beckon_sandbox_view_learn_async (test->folder, NULL, on_view_learned, cli);
}

static void
command_policy_on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonCliContext *cli = user_data;
  Test *test = cli->data;
  g_autoptr (GError) error = NULL;

  test->rules = beckon_store_list_rules_finish (BECKON_STORE (source), result, &error);
  if (test->rules != NULL)
    command_policy_tell (cli);
  else
    beckon_cli_context_finish (cli, error->message);
}

static void
command_policy_start (BeckonCliContext *cli)
{
  const Test *test = cli->data;

  if (test->rules != NULL)
    command_policy_tell (cli);
  else
    beckon_store_list_rules_async (cli->store, NULL, command_policy_on_listed, cli);
}

/* Each rule has to be one: what asks for all because it cannot be read would be no answer to a test. */
static GPtrArray *
check_rules (GPtrArray *rules, GError **error)
{
  for (guint i = 0; i < rules->len; i++)
    if (!beckon_rule_set_check (g_ptr_array_index (rules, i), error))
      return NULL;

  return g_ptr_array_ref (rules);
}

static GPtrArray *
read_rules (const char *path, GError **error)
{
  g_autofree char *text = NULL;
  g_autoptr (JsonNode) root = NULL;
  g_autoptr (GPtrArray) rules = NULL;
  gsize length;

  if (!g_file_get_contents (path, &text, &length, error))
    return NULL;
  root = beckon_json_parse (text, (gssize) length, error);
  if (root == NULL)
    return NULL;
  rules = beckon_rules_read (JSON_NODE_HOLDS_ARRAY (root) ? json_node_get_array (root) : NULL, MAX_RULES, error);
  return rules != NULL ? check_rules (rules, error) : NULL;
}

/* As a conversation keeps it; one that is not there is taken as it is written. */
static void
resolve_folder (Test *test)
{
  g_autofree char *given = test->folder != NULL ? g_steal_pointer (&test->folder) : g_get_current_dir ();
  char *real = realpath (given, NULL);

  test->folder = real != NULL ? g_strdup (real) : g_canonicalize_filename (given, NULL);
  free (real);
}

static gboolean
read_options (Test *test, GError **error)
{
  test->mode = BECKON_MODE_DEFAULT;
  if (test->mode_word != NULL && !beckon_mode_from_string (test->mode_word, &test->mode))
    {
      g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                           _("Choose the mode “everything”, “changes” or “outside”."));
      return FALSE;
    }
  resolve_folder (test);
  if (test->rules_file != NULL)
    test->rules = read_rules (test->rules_file, error);

  return test->rules_file == NULL || test->rules != NULL;
}

static int
run_test (int argc, char **argv)
{
  g_auto (Test) test = { 0 };
  g_autoptr (GError) error = NULL;
  const GOptionEntry entries[] = {
    { "rules", 0, 0, G_OPTION_ARG_FILENAME, &test.rules_file, N_("Use these rules, a JSON list, instead of yours"),
      N_("FILE") },
    { "folder", 0, 0, G_OPTION_ARG_FILENAME, &test.folder,
      N_("Judge as if working in this folder"), N_("FOLDER") },
    { "mode", 0, 0, G_OPTION_ARG_STRING, &test.mode_word,
      N_("Judge in this mode: everything, changes or outside"), N_("MODE") },
    { "nobody", 0, 0, G_OPTION_ARG_NONE, &test.nobody, N_("Judge as if you can't be asked"), NULL },
    G_OPTION_ENTRY_NULL,
  };

  if (!beckon_cli_context_parse (_("TOOL ARGUMENTS"),
                                 _("Show what the rules say to a tool call"),
                                 entries, &argc, &argv, 2, 2))
    return BECKON_COMMAND_MISUSED;
  if (!read_options (&test, &error))
    {
      beckon_command_complain ("policy test", error->message);
      return BECKON_COMMAND_MISUSED;
    }

  test.tool = argv[1];
  test.arguments = argv[2];
  return beckon_cli_context_run ("policy test", command_policy_start, &test);
}

int
beckon_command_policy (int argc, char **argv)
{
  static const BeckonCommand commands[] = {
    { "test", N_("Show what the rules say to a tool call"), run_test },
    { NULL, NULL, NULL },
  };

  return beckon_command_dispatch ("beckonctl policy", commands, argc, argv);
}
