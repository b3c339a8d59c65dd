/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command-resume.h"

#include "beckon-command.h"
#include "beckon-cli-context.h"
#include "beckon-talk.h"

#include <glib/gi18n-lib.h>
#include <unistd.h>

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
