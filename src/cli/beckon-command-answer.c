/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-command-answer.h"

#include "beckon-cli-context.h"
#include "beckon-command.h"
#include "beckon-config.h"
#include "beckon-talk.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* More than anybody answers. */
#define MOST_INPUT 65536

static gboolean
command_answer_parse (BeckonReplyOptions *reply, gboolean *reads_input, int *argc, char ***argv)
{
  const GOptionEntry entries[] = {
    { "secret-stdin", 0, 0, G_OPTION_ARG_NONE, reads_input,
      N_("Read the reply from standard input, for secrets"), NULL },
    { "text", 0, 0, G_OPTION_ARG_STRING_ARRAY, &reply->texts, N_("Send this text, even if it is a number"), N_("TEXT") },
    { "skip", 0, 0, G_OPTION_ARG_NONE, &reply->skips, N_("Skip the question"), NULL },
    { "you-choose", 0, 0, G_OPTION_ARG_NONE, &reply->lets_choose, N_("Let the agent choose"), NULL },
    { "ask-back", 0, 0, G_OPTION_ARG_STRING, &reply->ask_back, N_("Ask the agent something first"), N_("TEXT") },
    { "run", 0, 0, G_OPTION_ARG_NONE, &reply->runs, N_("Run the tool as proposed"), NULL },
    { "deny", 0, 0, G_OPTION_ARG_NONE, &reply->rejects,
      N_("Deny the call or its changes; REPLY is the reason"), NULL },
    { "arguments", 0, 0, G_OPTION_ARG_STRING, &reply->arguments, N_("Run the tool with these changed arguments"),
      N_("JSON") },
    { "keep", 0, 0, G_OPTION_ARG_NONE, &reply->keeps, N_("Save a command's changes, except risky ones"), NULL },
    { "keep-all", 0, 0, G_OPTION_ARG_NONE, &reply->keeps_all, N_("Save all changes of a command"), NULL },
    { "leave-out", 0, 0, G_OPTION_ARG_STRING_ARRAY, &reply->leaves_out,
      N_("Leave out this change, such as 2 or 2.1"), N_("NUMBER") },
    { "json", 0, 0, G_OPTION_ARG_STRING, &reply->json, N_("Give the answer as JSON"), N_("JSON") },
    G_OPTION_ENTRY_NULL,
  };

  return beckon_cli_context_parse (_("ID [REPLY…]"),
                                   _("Answer a question or approve a tool call\n\n"
                                     "REPLY is what you would type at the card. /here 2 runs the call, or saves the changes,\n"
                                     "and allows choice 2 in this conversation; /always 2 allows it from now on.\n"
                                     "The run then goes on. Without a terminal, its next question is printed as JSON, with\n"
                                     "exit status 10."),
                                   entries, argc, argv, 1, G_MAXINT);
}

/* Without the end of its last line. */
static char *
command_answer_read_input (void)
{
  g_autofree char *input = g_malloc (MOST_INPUT + 1);
  gsize length = fread (input, 1, MOST_INPUT + 1, stdin);

  if (length > MOST_INPUT || ferror (stdin) || !g_utf8_validate (input, (gssize) length, NULL))
    {
      explicit_bzero (input, length);
      return NULL;
    }
  if (length > 0 && input[length - 1] == '\n')
    length--;
  input[length] = '\0';
  return g_steal_pointer (&input);
}

int
beckon_command_answer (int argc, char **argv)
{
  BeckonReplyOptions reply = { 0 };
  BeckonTalk talk = { .flags = BECKON_CHAT_ONE_TURN, .has_person = TRUE, .resumes = TRUE };
  gboolean terminal = isatty (STDIN_FILENO) && isatty (STDERR_FILENO);
  gboolean reads_input = FALSE;
  int status = BECKON_COMMAND_MISUSED;

  if (!command_answer_parse (&reply, &reads_input, &argc, &argv))
    return BECKON_COMMAND_MISUSED;

  if (argc > 2 && reply.rejects)
    reply.reason = g_strjoinv (" ", argv + 2);
  else if (argc > 2)
    reply.words = argv + 2;
  /* In a terminal it is asked for there, without echo. */
  if (reads_input && !isatty (STDIN_FILENO))
    reply.lines = command_answer_read_input ();
  talk.request_id = argv[1];
  talk.flags |= terminal ? BECKON_CHAT_INTERACTIVE : BECKON_CHAT_DETACH;
  if (beckon_reply_options_count (&reply) == 1)
    talk.reply = &reply;
  if (reads_input && reply.lines == NULL && !isatty (STDIN_FILENO))
    beckon_command_complain ("answer", _("Standard input isn't text, or is too long."));
  else if (beckon_reply_options_count (&reply) > 1)
    beckon_command_complain ("answer", _("Give one answer, not several."));
  else if (talk.reply == NULL && !terminal)
    beckon_command_complain ("answer", _("The answer is missing. “beckonctl answer --help” shows how to give it."));
  else
    status = beckon_talk (&talk);

  if (reply.lines != NULL)
    explicit_bzero (reply.lines, strlen (reply.lines));
  g_free (reply.lines);
  g_free (reply.ask_back);
  g_free (reply.arguments);
  g_free (reply.json);
  g_free (reply.reason);
  g_strfreev (reply.leaves_out);
  g_strfreev (reply.texts);

  return status;
}

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
