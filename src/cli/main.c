/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command-answer.h"
#include "beckon-command-chat.h"
#include "beckon-command-copy.h"
#include "beckon-command-delete.h"
#include "beckon-command-export.h"
#include "beckon-command-import.h"
#include "beckon-command-list.h"
#include "beckon-command-mark.h"
#include "beckon-command-policy.h"
#include "beckon-command-profile.h"
#include "beckon-command-provenance.h"
#include "beckon-command-questions.h"
#include "beckon-command-reject.h"
#include "beckon-command-resume.h"
#include "beckon-command-run.h"
#include "beckon-command-search.h"
#include "beckon-command-show.h"
#include "beckon-command-undo.h"
#include "beckon-command.h"
#include "beckon-debug-decode.h"
#include "text/beckon-plain-text.h"

#include <glib/gi18n-lib.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

/* Messages of the libraries are for a person, so they come without the name of the library and without what a server may have
 * put into them to steer the terminal. With G_MESSAGES_DEBUG a developer gets all of it. */
static void
on_log (const char *domain, GLogLevelFlags level, const char *message, gpointer user_data)
{
  if ((level & G_LOG_LEVEL_MASK) == G_LOG_LEVEL_MESSAGE && domain != NULL && g_str_has_prefix (domain, "beckon-")
      && g_getenv ("G_MESSAGES_DEBUG") == NULL)
    {
      g_autofree char *safe = beckon_plain_text_for_terminal (message, -1);

      fprintf (stderr, "beckonctl: %s\n", safe);
    }
  else
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
    { "chat", N_("Talk in the terminal"), beckon_command_chat },
    { "run", N_("Send one message and print the reply"), beckon_command_run },
    { "questions", N_("Show what the agents want to know"), beckon_command_questions },
    { "answer", N_("Answer a question"), beckon_command_answer },
    { "reject", N_("Dismiss a question or deny a tool call"), beckon_command_reject },
    { "resume", N_("Resume a run that was left open"), beckon_command_resume },
    { "list", N_("List the conversations"), beckon_command_list },
    { "show", N_("Print a conversation"), beckon_command_show },
    { "search", N_("Look for words in titles and messages"), beckon_command_search },
    { "export", N_("Write a conversation to a file"), beckon_command_export },
    { "import", N_("Read conversations from an export"), beckon_command_import },
    { "pin", N_("Keep a conversation above the others"), beckon_command_pin },
    { "unpin", N_("Put a pinned conversation back"), beckon_command_unpin },
    { "archive", N_("Take a conversation out of the way"), beckon_command_archive },
    { "unarchive", N_("Bring an archived conversation back"), beckon_command_unarchive },
    { "rename", N_("Give a conversation a title"), beckon_command_rename },
    { "duplicate", N_("Copy a conversation"), beckon_command_duplicate },
    { "branch", N_("Copy a conversation up to a message"), beckon_command_branch },
    { "delete", N_("Remove a conversation, or everything, for good"), beckon_command_delete },
    { "undo", N_("Undo what tool calls changed in folders"), beckon_command_undo },
    { "profile", N_("List, add, choose and remove models"), beckon_command_profile },
    { "policy", N_("See what would be asked for"), beckon_command_policy },
    { "provenance", N_("Print what was asked, decided and run"), beckon_command_provenance },
    { "debug", N_("Look at what a provider sent"), beckon_debug_run },
    { "version", N_("Show the version"), print_version },
    { NULL, NULL, NULL },
  };

  /* A core file would hold keys and conversations. */
  const struct rlimit no_core = { 0, 0 };

  setrlimit (RLIMIT_CORE, &no_core);
  g_log_set_default_handler (on_log, NULL);
  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, BECKON_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  if (argc == 2 && strcmp (argv[1], "--version") == 0)
    return print_version (argc, argv);
  return beckon_command_dispatch ("beckonctl", commands, argc, argv);
}
