/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command-answer.h"
#include "beckon-command-answers.h"
#include "beckon-command-channel.h"
#include "beckon-command-chat.h"
#include "beckon-command-copies.h"
#include "beckon-command-copy.h"
#include "beckon-command-delete.h"
#include "beckon-command-export.h"
#include "beckon-command-import.h"
#include "beckon-command-list.h"
#include "beckon-command-mark.h"
#include "beckon-command-policy.h"
#include "beckon-command-mcp.h"
#include "beckon-command-profile.h"
#include "beckon-command-provenance.h"
#include "beckon-command-questions.h"
#include "beckon-command-run.h"
#include "beckon-command-search.h"
#include "beckon-command-show.h"
#include "beckon-command-undo.h"
#include "beckon-command.h"
#include "beckon-debug-decode.h"
#include "base/beckon-path.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Messages of the libraries are for a person, so they come without the name of the library and without what a server may have
 * put into them to steer the terminal. With G_MESSAGES_DEBUG a developer gets all of it. */

static void
on_log (const char *domain, GLogLevelFlags level, const char *message, gpointer user_data)
{
  if ((level & G_LOG_LEVEL_MASK) == G_LOG_LEVEL_MESSAGE && domain != NULL && g_str_has_prefix (domain, "beckon-")
      && g_getenv ("G_MESSAGES_DEBUG") == NULL)
    beckon_command_complain (NULL, message);
  /* Settings are read where their folder can't be made, and what changes one says so. */
  else if (g_strcmp0 (domain, "GLib-GIO") != 0 || !g_str_has_prefix (message, "Failed to create ")
           || g_getenv ("G_MESSAGES_DEBUG") != NULL)
    g_log_default_handler (domain, level, message, user_data);
}

static int
print_version (int argc, char **argv)
{
  g_print ("beckonctl %s\n", BECKON_VERSION);
  return 0;
}

int
main (int argc, char **argv)
{
  static const BeckonCommand commands[] = {
    { "chat", N_("Chat in the terminal"), beckon_command_chat },
    { "run", N_("Send one message and print the reply"), beckon_command_run },
    { "questions", N_("List questions and approvals that are waiting"), beckon_command_questions },
    { "answer", N_("Answer a question or approve a tool call"), beckon_command_answer },
    { "reject", N_("Dismiss a question or deny a tool call"), beckon_command_reject },
    { "resume", N_("Resume an unfinished run"), beckon_command_resume },
    { "stop", N_("Stop a run, wherever it runs"), beckon_command_stop },
    { "list", N_("List conversations"), beckon_command_list },
    { "show", N_("Print a conversation"), beckon_command_show },
    { "search", N_("Search titles and messages"), beckon_command_search },
    { "export", N_("Export a conversation"), beckon_command_export },
    { "import", N_("Import conversations"), beckon_command_import },
    { "pin", N_("Pin a conversation"), beckon_command_pin },
    { "unpin", N_("Unpin a conversation"), beckon_command_unpin },
    { "archive", N_("Archive a conversation"), beckon_command_archive },
    { "unarchive", N_("Unarchive a conversation"), beckon_command_unarchive },
    { "rename", N_("Rename a conversation"), beckon_command_rename },
    { "duplicate", N_("Duplicate a conversation"), beckon_command_duplicate },
    { "branch", N_("Copy a conversation up to a message"), beckon_command_branch },
    { "delete", N_("Delete a conversation or everything"), beckon_command_delete },
    { "copies", N_("List the daily copies of the history, or open one"), beckon_command_copies },
    { "undo", N_("Undo what tool calls changed"), beckon_command_undo },
    { "channel", N_("Manage text channels, which carry questions to your phone"), beckon_command_channel },
    { "mcp", N_("Manage servers of tools (MCP)"), beckon_command_mcp },
    { "profile", N_("Manage profiles, the saved connections to models"), beckon_command_profile },
    { "answers", N_("Manage remembered answers"), beckon_command_answers },
    { "policy", N_("List, remove and test the rules"), beckon_command_policy },
    { "provenance", N_("Print the audit log"), beckon_command_provenance },
    { "debug", N_("Inspect recorded replies"), beckon_debug_run },
    { "version", N_("Print the version"), print_version },
    { NULL, NULL, NULL },
  };

  /* A core file would hold keys and conversations. */
  const struct rlimit no_core = { 0, 0 };

  setrlimit (RLIMIT_CORE, &no_core);
  beckon_base_directories_check ();

  /* Without standard streams the next file that is opened would be taken for one of them. */
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    if (fcntl (fd, F_GETFD) == -1 && errno == EBADF)
      (void) !open ("/dev/null", O_RDWR);

  g_log_set_default_handler (on_log, NULL);

  /* Without a locale, as in cron and in containers, arguments and output are UTF-8 all the same. */
  setlocale (LC_ALL, "");
  if (g_strcmp0 (setlocale (LC_CTYPE, NULL), "C") == 0)
    setlocale (LC_CTYPE, "C.UTF-8");

  bindtextdomain (GETTEXT_PACKAGE, BECKON_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  if (argc == 2 && strcmp (argv[1], "--version") == 0)
    return print_version (argc, argv);
  return beckon_command_dispatch ("beckonctl", commands, argc, argv);
}
