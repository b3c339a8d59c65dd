/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command-mcp.h"

#include "base/beckon-json-writer.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-command-mcp-import.h"
#include "beckon-cli-context.h"
#include "beckon-command.h"
#include "beckon-mcp-options.h"
#include "runtime/beckon-runtime.h"
#include "text/beckon-plain-text.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct
{
  GMainLoop *loop;
  BeckonRuntime *runtime;
  const char *verb;
  const char *name;
  char **words; /* (nullable): of a prompt: its name and arguments; of a resource: its address */
  BeckonMcpOptions options;
  gboolean no_test;
  gboolean json;
  BeckonMcpServer *server; /* (nullable): what is added or changed */
  gboolean lists_again;    /* what is changed may have other tools now */
  BeckonMcpService *service; /* (owned) (nullable) */
  int status;
} Work;

static void
command_mcp_on_closed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Work *work = user_data;

  beckon_runtime_close_finish (BECKON_RUNTIME (source), result, NULL);
  g_main_loop_quit (work->loop);
}

static void
command_mcp_finish (Work *work, const char *problem)
{
  if (problem != NULL)
    {
      beckon_command_complain ("mcp", problem);
      work->status = 1;
    }
  beckon_runtime_close_async (work->runtime, command_mcp_on_closed, work);
}

static BeckonMcpServers *
get_servers (Work *work)
{
  return beckon_runtime_get_servers (work->runtime);
}

/* --- Printing ----------------------------------------------------------------------------------------------------- */

static const char *const states[] = { "off", "idle", "starting", "running", "failed" };

static void
command_mcp_print_json (GListModel *servers)
{
  g_autoptr (GString) text = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_array (&writer);
  for (guint i = 0; i < g_list_model_get_n_items (servers); i++)
    {
      g_autoptr (BeckonMcpService) service = g_list_model_get_item (servers, i);
      const BeckonMcpServer *server = beckon_mcp_service_get_server (service);
      GPtrArray *infos = beckon_mcp_service_get_infos (service);
      const char *left_out = beckon_mcp_service_get_left_out (service);
      g_auto (GStrv) lines = g_strsplit (left_out != NULL ? left_out : "", "\n", -1);
      g_autofree char *config = beckon_mcp_server_print_config (server);

      beckon_json_writer_begin_object (&writer);
      beckon_json_writer_member_string (&writer, "id", server->id);
      beckon_json_writer_member_string (&writer, "name", server->name);
      beckon_json_writer_member_string (&writer, "state", states[beckon_mcp_service_get_state (service)]);
      beckon_json_writer_member_string (&writer, "error", beckon_mcp_service_get_error (service));
      beckon_json_writer_name (&writer, "config");
      beckon_json_writer_raw (&writer, config, -1);
      beckon_json_writer_name (&writer, "tools");
      beckon_json_writer_begin_array (&writer);
      for (guint j = 0; j < infos->len; j++)
        beckon_json_writer_string (&writer, ((BeckonMcpToolInfo *) g_ptr_array_index (infos, j))->name, -1);
      beckon_json_writer_end_array (&writer);
      beckon_json_writer_name (&writer, "left-out");
      beckon_json_writer_begin_array (&writer);
      for (guint j = 0; lines[j] != NULL; j++)
        beckon_json_writer_string (&writer, lines[j], -1);
      beckon_json_writer_end_array (&writer);
      beckon_json_writer_end_object (&writer);
    }
  beckon_json_writer_end_array (&writer);
  beckon_cli_context_print_json (text->str);
}

/* Standard error: lines of standard output are servers or tools. */
static void
say_left_out (BeckonMcpService *service)
{
  const char *left_out = beckon_mcp_service_get_left_out (service);
  g_autofree char *shown = left_out != NULL ? beckon_plain_text_for_terminal (left_out, -1) : NULL;
  g_autofree char *name = beckon_cli_context_make_safe (beckon_mcp_service_get_server (service)->name);

  if (shown != NULL)
    fprintf (stderr, _("Tools of %s that can't be used:\n%s\n"), name, shown);
}

static void
command_mcp_list (Work *work)
{
  GListModel *servers = G_LIST_MODEL (get_servers (work));

  if (work->json)
    command_mcp_print_json (servers);
  for (guint i = 0; !work->json && i < g_list_model_get_n_items (servers); i++)
    {
      g_autoptr (BeckonMcpService) service = g_list_model_get_item (servers, i);
      const BeckonMcpServer *server = beckon_mcp_service_get_server (service);
      guint n = beckon_mcp_service_get_infos (service)->len;
      g_autofree char *words = beckon_mcp_service_dup_state_words (service);
      g_autofree char *summary = beckon_mcp_server_dup_summary (server);
      g_autofree char *shown = beckon_text_for_display (summary, -1, BECKON_TEXT_EXACT);
      g_autofree char *name = beckon_cli_context_make_safe (server->name);
      g_autofree char *tools = g_strdup_printf (ngettext ("%u tool", "%u tools", n), n);

      printf ("%s\t%s\t%s\t%s\n", name, words, tools, shown);
      say_left_out (service);
    }
  command_mcp_finish (work, NULL);
}

static void
print_tools (BeckonMcpService *service)
{
  GPtrArray *infos = beckon_mcp_service_get_infos (service);

  for (guint i = 0; i < infos->len; i++)
    {
      const BeckonMcpToolInfo *info = g_ptr_array_index (infos, i);
      g_autofree char *name = beckon_mcp_service_dup_tool_name (service, info);
      g_autofree char *line = g_strdup (info->title != NULL ? info->title : info->description);
      g_autofree char *shown = NULL;

      line[strcspn (line, "\n")] = '\0';
      shown = beckon_text_shorten (line, 80);
      printf ("%s\t%s\n", name, shown);
    }
}

static void
print_log (Work *work)
{
  g_autofree char *log = beckon_mcp_service_dup_log (work->service);

  fputs (log, stdout);
  command_mcp_finish (work, beckon_mcp_service_get_error (work->service));
}

/* --- Prompts ------------------------------------------------------------------------------------------------------ */

static void
print_prompts (Work *work)
{
  GPtrArray *prompts = beckon_mcp_service_get_prompts (work->service);

  for (guint i = 0; i < prompts->len; i++)
    {
      const BeckonMcpPrompt *prompt = g_ptr_array_index (prompts, i);
      const char *words = prompt->title != NULL ? prompt->title : prompt->description;

      printf ("%s\t%s\t", prompt->name, words != NULL ? words : "");
      for (guint j = 0; j < prompt->arguments->len; j++)
        {
          const BeckonMcpPromptArgument *argument = g_ptr_array_index (prompt->arguments, j);

          printf (argument->is_required ? "%s%s=…" : "%s[%s=…]", j > 0 ? " " : "", argument->name);
        }
      printf ("\n");
    }
  command_mcp_finish (work, NULL);
}

static void
command_mcp_on_prompt (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = beckon_mcp_service_get_prompt_finish (BECKON_MCP_SERVICE (source), result, &error);

  if (text != NULL)
    printf ("%s\n", text);
  command_mcp_finish (user_data, error != NULL ? error->message : NULL);
}

static void
print_prompt (Work *work)
{
  const BeckonMcpPrompt *prompt = beckon_mcp_prompts_find (beckon_mcp_service_get_prompts (work->service), work->words[0]);
  g_autoptr (GHashTable) values = NULL;
  g_autoptr (GError) error = NULL;

  if (prompt == NULL)
    {
      command_mcp_finish (work, _("The server has no such prompt. “beckonctl mcp prompts” shows all of them."));
      return;
    }
  values = beckon_mcp_prompt_read_values (prompt, (const char *const *) work->words + 1, &error);
  if (values == NULL)
    command_mcp_finish (work, error->message);
  else
    beckon_mcp_service_get_prompt_async (work->service, prompt->name, values, NULL, command_mcp_on_prompt, work);
}

/* --- Resources ---------------------------------------------------------------------------------------------------- */

static void
print_resources (Work *work)
{
  GPtrArray *resources = beckon_mcp_service_get_resources (work->service);

  for (guint i = 0; i < resources->len; i++)
    {
      const BeckonMcpResource *resource = g_ptr_array_index (resources, i);
      const char *words = resource->description != NULL ? resource->description : resource->title;

      printf ("%s\t%s\n", resource->uri, words);
    }
  command_mcp_finish (work, NULL);
}

/* Bytes as they are, for a file; a terminal gets text alone. */
static char *
print_contents (GPtrArray *contents)
{
  for (guint i = 0; i < contents->len; i++)
    {
      const BeckonMcpContent *content = g_ptr_array_index (contents, i);
      gsize length;
      const char *bytes = g_bytes_get_data (content->bytes, &length);
      g_autofree char *shown = NULL;

      if (isatty (STDOUT_FILENO) && !g_utf8_validate (bytes, (gssize) length, NULL))
        return g_strdup (_("This is not text. Send it to a file: … >FILE"));
      if (isatty (STDOUT_FILENO))
        shown = beckon_plain_text_for_terminal (bytes, (gssize) length);
      fwrite (shown != NULL ? shown : bytes, 1, shown != NULL ? strlen (shown) : length, stdout);
      if (shown != NULL)
        fputc ('\n', stdout);
    }
  return NULL;
}

static void
command_mcp_on_resource (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) contents = beckon_mcp_service_read_resource_finish (BECKON_MCP_SERVICE (source), result, &error);
  g_autofree char *problem = contents != NULL ? print_contents (contents) : g_strdup (error->message);

  command_mcp_finish (user_data, problem);
}

static void
read_resource (Work *work)
{
  const BeckonMcpResource *resource
      = beckon_mcp_resources_find (beckon_mcp_service_get_resources (work->service), work->words[0]);

  if (resource != NULL && resource->is_template)
    command_mcp_finish (work, _("This is a pattern of addresses. Put values in place of its braces."));
  else if (beckon_mcp_resource_is_uri (work->words[0]))
    beckon_mcp_service_read_resource_async (work->service, work->words[0], NULL, command_mcp_on_resource, work);
  else
    command_mcp_finish (work, _("This isn’t the address of a resource. “beckonctl mcp resources” lists those of a server."));
}

/* --- Changing ----------------------------------------------------------------------------------------------------- */

/* A second “add” would say that it is there already. */
static void
say_added (Work *work)
{
  g_autofree char *name = beckon_cli_context_make_safe (work->name);
  g_autofree char *quoted = g_shell_quote (name);

  /* Translators: “%s” is a server's name, and in quotes in the commands, which stay as they are */
  fprintf (stderr,
           _("“%s” was added all the same. Test it again: beckonctl mcp test %s. Remove it: beckonctl mcp remove %s.\n"),
           name, quoted, quoted);
}

static void
say_changed (Work *work)
{
  g_autofree char *name = beckon_cli_context_make_safe (work->name);
  g_autofree char *quoted = g_shell_quote (name);

  /* Translators: “%s” is a server's name, and in quotes in the command, which stays as it is */
  fprintf (stderr, _("“%s” was changed all the same. Test it again: beckonctl mcp test %s.\n"), name, quoted);
}

static void
command_mcp_on_tested (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Work *work = user_data;
  g_autoptr (GError) error = NULL;
  const BeckonMcpHello *hello;

  if (!beckon_mcp_service_open_finish (BECKON_MCP_SERVICE (source), result, &error))
    {
      g_autofree char *problem = NULL;
      g_autofree char *quoted = g_shell_quote (work->name);
      g_autofree char *hint = beckon_text_printf (beckon_mcp_service_needs_sign_in (work->service)
                                                  ? _("Sign in: beckonctl mcp sign-in %s")
                                                  : _("Its log: beckonctl mcp log %s"),
                                                  quoted);

      problem = beckon_text_join_sentences (error->message, hint);
      command_mcp_finish (work, problem);
      if (strcmp (work->verb, "add") == 0)
        say_added (work);
      else if (work->lists_again)
        say_changed (work);
      return;
    }
  hello = beckon_mcp_service_get_hello (work->service);
  if (hello != NULL)
    {
      g_autofree char *name = beckon_cli_context_make_safe (hello->title != NULL ? hello->title : work->name);

      fprintf (stderr, _("It works: %s, MCP %s.\n"), name, hello->revision);
    }
  print_tools (work->service);
  say_left_out (work->service);
  command_mcp_finish (work, NULL);
}

static void
test (Work *work)
{
  beckon_mcp_service_open_async (work->service, TRUE, NULL, command_mcp_on_tested, work);
}

/* --- Signing in --------------------------------------------------------------------------------------------------- */

static void
command_mcp_on_signed_in (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Work *work = user_data;
  g_autoptr (GError) error = NULL;

  if (beckon_oauth_sign_in_finish (BECKON_OAUTH (source), result, &error))
    test (work);
  else
    command_mcp_finish (work, error->message);
}

/* In a terminal without a desktop the address is opened elsewhere. */
static void
command_mcp_show_page (const char *url, gpointer user_data)
{
  fprintf (stderr, "%s\n%s\n", _("Open this address in a browser on this computer, and sign in:"), url);
  if (g_getenv ("DISPLAY") != NULL || g_getenv ("WAYLAND_DISPLAY") != NULL)
    g_app_info_launch_default_for_uri_async (url, NULL, NULL, NULL, NULL);
}

/* This program ends with the sign-in: one that can't be kept is no use. */
static void
command_mcp_on_looked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Work *work = user_data;
  BeckonOauth *oauth = BECKON_OAUTH (source);
  g_autoptr (GError) error = NULL;

  beckon_oauth_look_finish (oauth, result, &error);
  if (error == NULL)
    beckon_oauth_sign_in_async (oauth, command_mcp_show_page, NULL, NULL, command_mcp_on_signed_in, work);
  else
    command_mcp_finish (work, error->message);
}

static void
on_signed_out (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree char *notice = NULL;
  g_autoptr (GError) error = NULL;

  beckon_oauth_sign_out_finish (BECKON_OAUTH (source), result, &notice, &error);
  if (notice != NULL)
    beckon_command_complain ("mcp", notice);
  command_mcp_finish (user_data, error != NULL ? error->message : NULL);
}

/* In or out. */
static void
sign (Work *work)
{
  BeckonOauth *oauth = beckon_mcp_service_get_oauth (work->service);

  if (oauth == NULL)
    command_mcp_finish (work, _("This server is a program on this computer, which has no sign-in."));
  else if (strcmp (work->verb, "sign-in") == 0)
    beckon_oauth_look_async (oauth, TRUE, NULL, command_mcp_on_looked, work);
  else
    beckon_oauth_sign_out_async (oauth, NULL, on_signed_out, work);
}

/* --- Saving ------------------------------------------------------------------------------------------------------- */

static void
command_mcp_on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Work *work = user_data;
  g_autoptr (GError) error = NULL;

  work->service = beckon_mcp_servers_save_finish (BECKON_MCP_SERVERS (source), result, &error);
  if (work->service == NULL)
    command_mcp_finish (work, error->message);
  else if ((strcmp (work->verb, "add") != 0 && !work->lists_again) || work->no_test)
    command_mcp_finish (work, NULL);
  else
    test (work);
}

static void
command_mcp_save (Work *work)
{
  beckon_mcp_servers_save_async (get_servers (work), work->server, NULL, command_mcp_on_saved, work);
}

static void
command_mcp_add (Work *work)
{
  g_autoptr (GError) error = NULL;
  const BeckonMcpOptions *options = &work->options;

  if (options->url != NULL && options->command != NULL && options->command[0] != NULL)
    {
      command_mcp_finish (work, _("Give either a command or an address."));
      return;
    }
  if (beckon_mcp_servers_find (get_servers (work), work->name) != NULL)
    {
      g_autofree char *problem = beckon_text_printf (_("There is already a server “%s”. Choose another name."), work->name);

      command_mcp_finish (work, problem);
      return;
    }
  work->server = beckon_mcp_server_new (work->name, options->url != NULL ? BECKON_MCP_KIND_HTTP : BECKON_MCP_KIND_STDIO);
  if (beckon_mcp_options_apply (options, work->server, &error))
    command_mcp_save (work);
  else
    command_mcp_finish (work, error->message);
}

/* A server that starts otherwise may have other tools: one that was listed before is asked, as one that is added is. */
static void
command_mcp_change (Work *work)
{
  g_autoptr (BeckonMcpServer) before = beckon_mcp_server_ref (beckon_mcp_service_get_server (work->service));
  g_autoptr (GError) error = NULL;

  work->server = beckon_mcp_server_copy (before);
  g_clear_object (&work->service);
  if (!beckon_mcp_options_apply (&work->options, work->server, &error))
    {
      command_mcp_finish (work, error->message);
      return;
    }
  work->lists_again = before->listed_at > 0 && beckon_mcp_server_is_used (work->server)
                      && !beckon_mcp_server_starts_alike (before, work->server);
  command_mcp_save (work);
}

static void
set_on (Work *work, gboolean is_on)
{
  work->server = beckon_mcp_server_copy (beckon_mcp_service_get_server (work->service));
  work->server->is_on = is_on;
  g_clear_object (&work->service);
  command_mcp_save (work);
}

static void
command_mcp_on_removed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  beckon_mcp_servers_remove_finish (BECKON_MCP_SERVERS (source), result, &error);
  command_mcp_finish (user_data, error != NULL ? error->message : NULL);
}

/* --- The command -------------------------------------------------------------------------------------------------- */

static void
command_mcp_carry_out (Work *work)
{
  BeckonMcpService *found = beckon_mcp_servers_find (get_servers (work), work->name);

  if (strcmp (work->verb, "list") == 0)
    {
      command_mcp_list (work);
      return;
    }
  if (strcmp (work->verb, "add") == 0)
    {
      command_mcp_add (work);
      return;
    }
  if (found == NULL)
    {
      command_mcp_finish (work, _("Server not found. “beckonctl mcp list” shows all of them."));
      return;
    }
  work->service = g_object_ref (found);
  if (strcmp (work->verb, "test") == 0)
    test (work);
  else if (strcmp (work->verb, "set") == 0)
    command_mcp_change (work);
  else if (strcmp (work->verb, "prompts") == 0)
    print_prompts (work);
  else if (strcmp (work->verb, "prompt") == 0)
    print_prompt (work);
  else if (strcmp (work->verb, "resources") == 0)
    print_resources (work);
  else if (strcmp (work->verb, "read") == 0)
    read_resource (work);
  else if (strcmp (work->verb, "log") == 0)
    print_log (work);
  else if (g_str_has_prefix (work->verb, "sign-"))
    sign (work);
  else if (strcmp (work->verb, "remove") == 0)
    beckon_mcp_servers_remove_async (get_servers (work), found, NULL, command_mcp_on_removed, work);
  else
    set_on (work, strcmp (work->verb, "on") == 0);
}

static void
command_mcp_on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Work *work = user_data;
  g_autoptr (GError) error = NULL;

  if (beckon_runtime_open_finish (BECKON_RUNTIME (source), result, &error))
    command_mcp_carry_out (work);
  else
    command_mcp_finish (work, error->message);
}

static void
clear_work (Work *work)
{
  g_strfreev (work->words);
  beckon_mcp_options_clear (&work->options);
  beckon_mcp_server_unref (work->server);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, clear_work)

/* The rest behind -- is the server's command, options and all. */
static void
split_command (int *argc, char **argv, Work *work)
{
  for (int i = 1; i < *argc; i++)
    if (strcmp (argv[i], "--") == 0)
      {
        work->options.command = g_strdupv (argv + i + 1);
        argv[i] = NULL;
        *argc = i;
        return;
      }
}

/* (nullable): what is wrong with the words, of which the first is one of the command's. */
static char *
check_words (Work *work, int argc, char **argv)
{
  gboolean takes_command = strcmp (argv[1], "add") == 0 || strcmp (argv[1], "set") == 0;
  int most = strcmp (argv[1], "list") == 0 ? 2 : 3;

  if (work->json && strcmp (argv[1], "list") != 0)
    return g_strdup (_("Only “list” prints JSON."));
  if (argc < most)
    return g_strdup (_("The server's name is missing."));
  if (work->options.command != NULL && !takes_command)
    return beckon_command_dup_surplus ("--");
  if (strcmp (argv[1], "add") == 0)
    {
      if (argc > 3 && work->options.command == NULL)
        work->options.command = g_strdupv (argv + 3);
      else if (argc > 3)
        return beckon_command_dup_surplus (argv[3]);
      if (work->options.url == NULL && (work->options.command == NULL || work->options.command[0] == NULL))
        return g_strdup (_("Give the server's command behind “--”, or its address with --url."));
      return NULL;
    }
  if (strcmp (argv[1], "prompt") == 0)
    {
      work->words = argc > 3 ? g_strdupv (argv + 3) : NULL;
      return argc > 3 ? NULL : g_strdup (_("The prompt's name is missing."));
    }
  if (strcmp (argv[1], "read") == 0)
    {
      work->words = argc == 4 ? g_strdupv (argv + 3) : NULL;
      if (argc < 4)
        return g_strdup (_("The resource's address is missing."));
      return argc > 4 ? beckon_command_dup_surplus (argv[4]) : NULL;
    }
  return argc > most ? beckon_command_dup_surplus (argv[most]) : NULL;
}

static char *
command_mcp_check (Work *work, int argc, char **argv)
{
  static const char *const verbs[] = { "list", "add", "set", "test", "log", "on", "off", "remove", "sign-in", "sign-out",
                                       "prompts", "prompt", "resources", "read", NULL };

  if (argc < 2)
    return g_strdup (_("An argument is missing."));
  return g_strv_contains (verbs, argv[1]) ? check_words (work, argc, argv) : beckon_command_dup_unknown (argv[1]);
}

int
beckon_command_mcp (int argc, char **argv)
{
  g_auto (Work) work = { 0 };
  g_autoptr (GOptionContext) context
      = g_option_context_new (_("list | add NAME (-- COMMAND… | --url ADDRESS) | import | "
                                "set NAME (OPTION…) [-- COMMAND…] | "
                                "(test|log|on|off|sign-in|sign-out|remove|prompts|resources) NAME | "
                                "prompt NAME PROMPT [ARGUMENT=VALUE…] | read NAME ADDRESS"));
  g_autofree char *problem = NULL;
  g_autoptr (GError) error = NULL;
  const GOptionEntry entries[] = {
    { "no-test", 0, 0, G_OPTION_ARG_NONE, &work.no_test, N_("Don't start the server to list its tools"), NULL },
    { "json", 0, 0, G_OPTION_ARG_NONE, &work.json, N_("Print JSON"), NULL },
    G_OPTION_ENTRY_NULL,
  };

  if (argc > 1 && strcmp (argv[1], "import") == 0)
    return beckon_command_mcp_import (argc - 1, argv + 1);
  split_command (&argc, argv, &work);
  g_option_context_set_summary (context, _("Manage servers of tools (MCP)"));
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  beckon_mcp_options_add_to (&work.options, context);
  if (!beckon_command_parse (context, &argc, &argv, &error))
    {
      beckon_command_complain ("mcp", error->message);
      return BECKON_COMMAND_MISUSED;
    }
  problem = command_mcp_check (&work, argc, argv);
  if (problem != NULL)
    return beckon_command_misused ("beckonctl mcp", problem);
  work.verb = argv[1];
  work.name = argc > 2 ? argv[2] : NULL;

  work.loop = g_main_loop_new (NULL, FALSE);
  work.runtime = beckon_runtime_new (NULL);
  beckon_health_line_follow (work.runtime);
  beckon_runtime_set_light (work.runtime, TRUE);
  beckon_runtime_open_async (work.runtime, NULL, command_mcp_on_opened, &work);
  g_main_loop_run (work.loop);
  g_clear_object (&work.service);
  g_clear_object (&work.runtime);
  g_main_loop_unref (work.loop);

  return work.status;
}
