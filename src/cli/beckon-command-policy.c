/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command-policy.h"

#include "base/beckon-json-writer.h"
#include "base/beckon-json.h"
#include "base/beckon-text-printf.h"
#include "beckon-cli-context.h"
#include "beckon-command.h"
#include "domain/beckon-rule-json.h"
#include "policy/beckon-judgement.h"
#include "policy/beckon-rule-labels.h"
#include "sandbox/beckon-sandbox-view.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* The rules there are */

typedef struct
{
  gboolean json;
  char **ids;     /* (nullable): those to be removed, or their beginnings */
  GString *names; /* (owned) (nullable): what they said */
} Listed;

static void
command_policy_print_json (GPtrArray *rules)
{
  g_autoptr (GString) document = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, document);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_name (&writer, "rules");
  beckon_json_writer_begin_array (&writer);
  for (guint i = 0; i < rules->len; i++)
    {
      const BeckonRule *rule = g_ptr_array_index (rules, i);
      g_autofree char *title = beckon_rule_dup_title (rule);

      beckon_json_writer_begin_object (&writer);
      beckon_json_writer_member_string (&writer, "id", rule->id);
      beckon_json_writer_member_string (&writer, "title", title);
      beckon_json_writer_member_string (&writer, "verdict", beckon_verdict_to_string (rule->verdict));
      if (rule->conversation_id != NULL)
        beckon_json_writer_member_string (&writer, "conversation", rule->conversation_id);
      if (rule->folder != NULL)
        beckon_json_writer_member_string (&writer, "folder", rule->folder);
      beckon_json_writer_member_int (&writer, "created_at", rule->created_at);
      if (rule->expires_at > 0)
        beckon_json_writer_member_int (&writer, "expires_at", rule->expires_at);
      beckon_json_writer_member_int (&writer, "uses", rule->uses);
      if (rule->used_at > 0)
        beckon_json_writer_member_int (&writer, "used_at", rule->used_at);
      beckon_json_writer_end_object (&writer);
    }
  beckon_json_writer_end_array (&writer);
  beckon_json_writer_end_object (&writer);
  beckon_cli_context_print_json (document->str);
}

static void
command_policy_print (const BeckonRule *rule)
{
  g_autofree char *title = beckon_rule_dup_title (rule);
  g_autofree char *details = beckon_rule_dup_details (rule, g_get_real_time ());
  g_autofree char *time = beckon_cli_context_format_time (rule->created_at);
  /* Translators: of a rule; %s is a time */
  g_autofree char *since = beckon_text_printf (_("since %s"), time);
  g_autofree char *safe_title = beckon_cli_context_make_safe (title);
  g_autofree char *safe_details = beckon_cli_context_make_safe (details);

  printf ("%s  %s\n    %s · %s\n", rule->id, safe_title, safe_details, since);
}

static void
command_policy_on_all_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonCliContext *cli = user_data;
  const Listed *listed = cli->data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) rules = beckon_store_list_rules_finish (BECKON_STORE (source), result, &error);

  if (rules != NULL && listed->json)
    command_policy_print_json (rules);
  for (guint i = 0; rules != NULL && !listed->json && i < rules->len; i++)
    command_policy_print (g_ptr_array_index (rules, i));
  if (rules != NULL && !listed->json && rules->len == 0)
    fprintf (stderr, "%s\n", _("There are no rules."));
  beckon_cli_context_finish (cli, error != NULL ? error->message : NULL);
}

static void
command_policy_start_list (BeckonCliContext *cli)
{
  beckon_store_list_rules_async (cli->store, NULL, command_policy_on_all_listed, cli);
}

static int
command_policy_run_list (int argc, char **argv)
{
  Listed listed = { 0 };
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &listed.json, N_("Print JSON"), NULL },
    G_OPTION_ENTRY_NULL,
  };

  if (!beckon_cli_context_parse ("", _("List the rules; the last one that fits decides"), entries, &argc, &argv, 0, 0))
    return BECKON_COMMAND_MISUSED;
  return beckon_cli_context_run ("policy list", command_policy_start_list, &listed);
}

static void
command_policy_on_removed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonCliContext *cli = user_data;
  const Listed *listed = cli->data;
  g_autoptr (GError) error = NULL;

  if (beckon_store_commit_finish (BECKON_STORE (source), result, &error))
    fputs (listed->names->str, stderr);
  beckon_cli_context_finish (cli, error != NULL ? error->message : NULL);
}

/* (nullable): the one rule whose id begins with @id. */
static const BeckonRule *
command_policy_find (GPtrArray *rules, const char *id, const char **problem)
{
  const BeckonRule *found = NULL;

  for (guint i = 0; i < rules->len; i++)
    {
      const BeckonRule *rule = g_ptr_array_index (rules, i);

      if (g_ascii_strncasecmp (rule->id, id, strlen (id)) != 0)
        continue;
      if (found != NULL)
        {
          *problem = _("More than one rule begins with this id. Give more of it.");
          return NULL;
        }
      found = rule;
    }
  if (found == NULL)
    *problem = _("Rule not found. “beckonctl policy list” shows all of them.");
  return found;
}

static void
command_policy_remove (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonCliContext *cli = user_data;
  const Listed *listed = cli->data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) rules = beckon_store_list_rules_finish (BECKON_STORE (source), result, &error);
  g_autoptr (BeckonBatch) batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  const char *problem = error != NULL ? error->message : NULL;

  for (guint i = 0; problem == NULL && listed->ids[i] != NULL; i++)
    {
      const BeckonRule *rule = command_policy_find (rules, listed->ids[i], &problem);
      g_autofree char *title = rule != NULL ? beckon_rule_dup_title (rule) : NULL;
      g_autofree char *safe = title != NULL ? beckon_cli_context_make_safe (title) : NULL;

      if (rule == NULL)
        break;
      beckon_batch_delete_rule (batch, rule->id);
      /* Translators: %s is a rule, such as “Run git push *” */
      beckon_text_append (listed->names, _("Removed: %s"), safe);
      g_string_append_c (listed->names, '\n');
    }
  if (problem != NULL)
    beckon_cli_context_finish (cli, problem);
  else
    beckon_store_commit_async (cli->store, g_steal_pointer (&batch), NULL, command_policy_on_removed, cli);
}

static void
command_policy_start_remove (BeckonCliContext *cli)
{
  beckon_store_list_rules_async (cli->store, NULL, command_policy_remove, cli);
}

static int
command_policy_run_remove (int argc, char **argv)
{
  g_autoptr (GString) names = g_string_new (NULL);
  Listed listed = { .names = names };
  const GOptionEntry entries[] = { G_OPTION_ENTRY_NULL };

  if (!beckon_cli_context_parse (_("ID…"), _("Remove rules, so that their calls are asked about again"), entries, &argc,
                                 &argv, 1, G_MAXINT))
    return BECKON_COMMAND_MISUSED;
  listed.ids = argv + 1;
  return beckon_cli_context_run ("policy remove", command_policy_start_remove, &listed);
}

char *
beckon_command_policy_describe (GPtrArray *rules)
{
  g_autoptr (GString) titles = g_string_new (NULL);
  g_autoptr (GString) ids = g_string_new (NULL);

  for (guint i = 0; rules != NULL && i < rules->len; i++)
    {
      const BeckonRule *rule = g_ptr_array_index (rules, i);
      g_autofree char *title = beckon_rule_dup_title (rule);
      g_autofree char *safe = beckon_cli_context_make_safe (title);

      if (rule->verdict != BECKON_VERDICT_ALLOW)
        return NULL;
      g_string_append_printf (titles, "%s%s", i > 0 ? ", " : "", safe);
      g_string_append_printf (ids, "%s%s", i > 0 ? " " : "", rule->id);
    }
  if (titles->len == 0)
    return NULL;
  if (((const BeckonRule *) g_ptr_array_index (rules, 0))->conversation_id != NULL)
    /* Translators: %s is what is allowed, such as “Change notes.txt” */
    return beckon_text_printf (_("Allowed in this conversation: %s"), titles->str);
  /* Translators: what is allowed, such as “Change notes.txt”, and ids; the command stays as it is */
  return beckon_text_printf (_("From now on: %s, until you take it back: beckonctl policy remove %s"), titles->str,
                             ids->str);
}

int
beckon_command_policy (int argc, char **argv)
{
  static const BeckonCommand commands[] = {
    { "list", N_("List the rules; the last one that fits decides"), command_policy_run_list },
    { "remove", N_("Remove rules, so that their calls are asked about again"), command_policy_run_remove },
    { "test", N_("Show what the rules say to a tool call"), run_test },
    { NULL, NULL, NULL },
  };

  return beckon_command_dispatch ("beckonctl policy", commands, argc, argv);
}
