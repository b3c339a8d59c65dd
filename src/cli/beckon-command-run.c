/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command-run.h"

#include "base/beckon-error.h"
#include "beckon-attach-options.h"
#include "beckon-command.h"
#include "beckon-last-message.h"
#include "beckon-run-input.h"
#include "beckon-talk.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <unistd.h>

/* With a terminal at both ends a person can be asked; without one the model is told that nobody can. */
static BeckonChatFlags
terminal_flags (gboolean *has_person)
{
  gboolean terminal = isatty (STDIN_FILENO) && isatty (STDERR_FILENO);

  *has_person = terminal;
  return (terminal ? BECKON_CHAT_INTERACTIVE : 0) |
         (isatty (STDERR_FILENO) && g_getenv ("NO_COLOR") == NULL ? BECKON_CHAT_COLOUR : 0);
}

typedef struct
{
  char *profile;
  char *conversation_id;
  gboolean last;
  gboolean detach;
  gboolean json;
  gboolean quiet;
  char *last_message_path;
  BeckonPlaceOptions place;
  BeckonAttachOptions attach;
  char **words;
  char *message; /* (owned) (nullable) */
} RunOptions;

static void
run_options_clear (RunOptions *options)
{
  g_free (options->profile);
  g_free (options->conversation_id);
  g_free (options->last_message_path);
  beckon_place_options_clear (&options->place);
  beckon_attach_options_clear (&options->attach);
  g_strfreev (options->words);
  g_free (options->message);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (RunOptions, run_options_clear)

static gboolean
command_run_parse (RunOptions *options, int *argc, char ***argv, GError **error)
{
  g_autoptr (GOptionContext) context = g_option_context_new (_("[MESSAGE|-]"));
  const GOptionEntry entries[] = {
    { "profile", 'p', 0, G_OPTION_ARG_STRING, &options->profile, N_("Use this profile, by name or id"), N_("PROFILE") },
    { "conversation", 'c', 0, G_OPTION_ARG_STRING, &options->conversation_id, N_("Continue this conversation"), N_("ID") },
    { "last", 'l', 0, G_OPTION_ARG_NONE, &options->last, N_("Continue the last conversation"), NULL },
    { "json", 0, 0, G_OPTION_ARG_NONE, &options->json, N_("Print events as JSON, one per line"), NULL },
    { "output-last-message", 'o', 0, G_OPTION_ARG_FILENAME, &options->last_message_path,
      N_("Write the last message of the reply to a file"), N_("FILE") },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &options->quiet, N_("Print only problems on standard error"), NULL },
    { "detach-on-ask", 0, 0, G_OPTION_ARG_NONE, &options->detach, N_("Print a question as JSON and exit with 10"),
      NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->words, NULL, NULL },
    G_OPTION_ENTRY_NULL,
  };

  g_option_context_set_summary (context, _("Send one message and print the reply"));
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  beckon_place_options_add_to (&options->place, context);
  beckon_attach_options_add_to (&options->attach, context);
  if (!beckon_command_parse (context, argc, argv, error))
    return FALSE;
  if (options->last && options->conversation_id != NULL)
    {
      g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                           _("Use only one of --last and --conversation."));
      return FALSE;
    }
  return beckon_place_options_check (&options->place, error)
         && (options->last_message_path == NULL || beckon_last_message_check_file (options->last_message_path, error));
}

/* Standard input is the message, or goes with it as a file. */
static gboolean
command_run_read_input (RunOptions *options, GError **error)
{
  gboolean is_terminal = isatty (STDIN_FILENO) != 0;
  g_autofree char *message = options->words != NULL ? g_strstrip (g_strjoinv (" ", options->words)) : NULL;
  g_autoptr (GBytes) context = NULL;

  if (g_strcmp0 (message, "-") == 0 || (options->words == NULL && !is_terminal))
    {
      options->message = beckon_run_input_read_prompt (options->quiet, error);
      return options->message != NULL && beckon_attach_options_read (&options->attach, NULL, error);
    }
  if (message == NULL || *message == '\0')
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                           _("There is no message. Try: beckonctl run \"What time is it?\""));
      return FALSE;
    }

  options->message = g_steal_pointer (&message);
  if (!is_terminal)
    context = beckon_run_input_read (BECKON_RUN_INPUT_CONTEXT_MAX, options->quiet, error);
  return (is_terminal || context != NULL) && beckon_attach_options_read (&options->attach, context, error);
}

int
beckon_command_run (int argc, char **argv)
{
  g_auto (RunOptions) options = { 0 };
  g_autoptr (GError) error = NULL;
  BeckonTalk talk = { 0 };

  if (!command_run_parse (&options, &argc, &argv, &error) || !command_run_read_input (&options, &error))
    {
      beckon_command_complain ("run", error->message);
      return BECKON_COMMAND_MISUSED;
    }

  talk.flags = BECKON_CHAT_ONE_TURN | terminal_flags (&talk.has_person) | (options.json ? BECKON_CHAT_JSON : 0)
               | (options.quiet ? BECKON_CHAT_QUIET : 0);
  if (options.detach)
    {
      talk.flags = (talk.flags & ~BECKON_CHAT_INTERACTIVE) | BECKON_CHAT_DETACH;
      talk.has_person = TRUE;
    }
  talk.message = options.message;
  talk.profile = options.profile;
  talk.place = &options.place;
  talk.files = options.attach.files;
  talk.last_message_path = options.last_message_path;
  talk.conversation_id = options.conversation_id;
  talk.last = options.last;
  return beckon_talk (&talk);
}
