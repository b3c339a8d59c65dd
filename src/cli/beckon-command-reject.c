/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command-reject.h"

#include "beckon-command.h"
#include "beckon-cli-context.h"
#include "beckon-talk.h"

#include <glib/gi18n-lib.h>
#include <unistd.h>

int
beckon_command_reject (int argc, char **argv)
{
  const GOptionEntry entries[] = { G_OPTION_ENTRY_NULL };
  BeckonReplyOptions reply = { .rejects = TRUE };
  BeckonTalk talk = { .flags = BECKON_CHAT_ONE_TURN, .has_person = TRUE, .resumes = TRUE, .reply = &reply };
  int status;

  if (!beckon_cli_context_parse (_("ID [REASON…]"), _("Dismiss a question or deny a tool call"),
                                 entries, &argc, &argv, 1, G_MAXINT))
    return BECKON_COMMAND_MISUSED;

  reply.reason = argc > 2 ? g_strjoinv (" ", argv + 2) : NULL;
  talk.request_id = argv[1];
  talk.flags |= isatty (STDIN_FILENO) && isatty (STDERR_FILENO) ? BECKON_CHAT_INTERACTIVE : BECKON_CHAT_DETACH;
  status = beckon_talk (&talk);
  g_free (reply.reason);
  return status;
}
