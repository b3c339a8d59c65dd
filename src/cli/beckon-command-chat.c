/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-command-chat.h"

#include "beckon-attach-options.h"
#include "beckon-cli-context.h"
#include "beckon-command.h"
#include "beckon-config.h"
#include "beckon-talk.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <unistd.h>

int
beckon_command_chat (int argc, char **argv)
{
  g_autofree char *profile = NULL;
  g_auto (BeckonPlaceOptions) place = { 0 };
  g_auto (BeckonAttachOptions) attach = { 0 };
  g_autofree char *conversation_id = NULL;
  gboolean last = FALSE;
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;
  const GOptionEntry entries[] = {
    { "profile", 'p', 0, G_OPTION_ARG_STRING, &profile, N_ ("Use this profile, by name or id"), N_ ("PROFILE") },
    { "conversation", 'c', 0, G_OPTION_ARG_STRING, &conversation_id, N_ ("Continue this conversation"), N_ ("ID") },
    { "last", 'l', 0, G_OPTION_ARG_NONE, &last, N_ ("Continue the last conversation"), NULL },
    G_OPTION_ENTRY_NULL,
  };
  BeckonTalk talk = { .has_person = TRUE };

  g_option_context_set_summary (
      context, _ ("Chat in the terminal"));
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  beckon_place_options_add_to (&place, context);
  beckon_attach_options_add_to (&attach, context);
  if (!beckon_command_parse (context, &argc, &argv, &error) || !beckon_place_options_check (&place, &error) ||
      !beckon_attach_options_read (&attach, NULL, &error))
    {
      beckon_command_complain ("chat", error->message);
      return BECKON_COMMAND_MISUSED;
    }
  if (argc > 1)
    {
      g_autofree char *problem = beckon_command_dup_surplus (argv[1]);

      return beckon_command_misused ("beckonctl chat", problem);
    }
  if (last && conversation_id != NULL)
    {
      beckon_command_complain ("chat", _("Use only one of --last and --conversation."));
      return BECKON_COMMAND_MISUSED;
    }
  talk.flags = BECKON_CHAT_INTERACTIVE;
  if (isatty (STDOUT_FILENO) && isatty (STDERR_FILENO) && g_getenv ("NO_COLOR") == NULL)
    talk.flags |= BECKON_CHAT_COLOUR;
  talk.profile = profile;
  talk.place = &place;
  talk.files = attach.files;
  talk.conversation_id = conversation_id;
  talk.last = last;
  return beckon_talk (&talk);
}

int
beckon_command_resume (int argc, char **argv)
{
  gboolean detach = FALSE;
  const GOptionEntry entries[] = {
    { "detach-on-ask", 0, 0, G_OPTION_ARG_NONE, &detach, N_("Print a question as JSON and exit with 10"), NULL },
    G_OPTION_ENTRY_NULL,
  };
  BeckonTalk talk = { .flags = BECKON_CHAT_ONE_TURN, .has_person = TRUE, .resumes = TRUE };

  if (!beckon_cli_context_parse (_("[RUN|CONVERSATION]"),
                                 _("Resume an unfinished run\n\nWithout a terminal, --detach-on-ask is the default."),
                                 entries, &argc, &argv, 0, 1))
    return BECKON_COMMAND_MISUSED;

  talk.run_id = argc > 1 ? argv[1] : NULL;
  talk.flags |= !detach && isatty (STDIN_FILENO) && isatty (STDERR_FILENO) ? BECKON_CHAT_INTERACTIVE : BECKON_CHAT_DETACH;
  return beckon_talk (&talk);
}

int
beckon_command_stop (int argc, char **argv)
{
  const GOptionEntry entries[] = { G_OPTION_ENTRY_NULL };
  BeckonTalk talk = { .flags = BECKON_CHAT_ONE_TURN, .has_person = TRUE, .resumes = TRUE, .stops = TRUE };

  if (!beckon_cli_context_parse (_("[RUN|CONVERSATION]"), _("Stop a run, wherever it runs"), entries, &argc, &argv, 0, 1))
    return BECKON_COMMAND_MISUSED;

  talk.run_id = argc > 1 ? argv[1] : NULL;
  return beckon_talk (&talk);
}
