/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command-answer.h"

#include "beckon-command.h"
#include "beckon-errand.h"
#include "beckon-talk.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <unistd.h>

static gboolean
parse (BeckonReplyOptions *reply, int *argc, char ***argv)
{
  const GOptionEntry entries[] = {
    { "skip", 0, 0, G_OPTION_ARG_NONE, &reply->skips, N_("Skip it; skip one of several with “/skip” in its place"), NULL },
    { "you-choose", 0, 0, G_OPTION_ARG_NONE, &reply->lets_choose, N_("Leave the choice to the model"), NULL },
    { "ask-back", 0, 0, G_OPTION_ARG_STRING, &reply->ask_back, N_("Ask the model something back"), N_("TEXT") },
    { "run", 0, 0, G_OPTION_ARG_NONE, &reply->runs, N_("Run the tool as it is proposed"), NULL },
    { "deny", 0, 0, G_OPTION_ARG_NONE, &reply->rejects, N_("Deny it"), NULL },
    { "arguments", 0, 0, G_OPTION_ARG_STRING, &reply->arguments, N_("Run the tool with these changes, a JSON object"),
      N_("JSON") },
    { "json", 0, 0, G_OPTION_ARG_STRING, &reply->json, N_("The answer as one JSON document"), N_("JSON") },
    G_OPTION_ENTRY_NULL,
  };

  return beckon_errand_parse (_("ID [REPLY…]"),
                              _("Answers a question: by the number of a choice (1, or 1,3), its text, or your own words; "
                                "several questions with one reply each. The agent goes on, here if it is nowhere else."),
                              entries, argc, argv, 1, G_MAXINT);
}

int
beckon_command_answer (int argc, char **argv)
{
  BeckonReplyOptions reply = { 0 };
  BeckonTalk talk = { .flags = BECKON_CHAT_ONE_TURN, .has_person = TRUE, .takes_up = TRUE };
  gboolean terminal = isatty (STDIN_FILENO) && isatty (STDERR_FILENO);
  int status = BECKON_COMMAND_MISUSED;

  if (!parse (&reply, &argc, &argv))
    return BECKON_COMMAND_MISUSED;

  if (argc > 2)
    reply.words = argv + 2;
  talk.request_id = argv[1];
  talk.flags |= terminal ? BECKON_CHAT_INTERACTIVE : BECKON_CHAT_DETACH;
  if (beckon_reply_options_count (&reply) == 1)
    talk.reply = &reply;
  if (beckon_reply_options_count (&reply) > 1)
    fprintf (stderr, "beckonctl answer: %s\n", _("Give one answer, not several."));
  else if (talk.reply == NULL && !terminal)
    fprintf (stderr, "beckonctl answer: %s\n", _("Say what the answer is. “beckonctl answer --help” shows how."));
  else
    status = beckon_talk (&talk);

  g_free (reply.ask_back);
  g_free (reply.arguments);
  g_free (reply.json);
  return status;
}
