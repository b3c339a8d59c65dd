/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command-run.h"

#include "beckon-attach-options.h"
#include "beckon-talk.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <unistd.h>

/* With a terminal at both ends somebody is there to be asked; without one the model is told nobody is. */
static BeckonChatFlags
terminal_flags (gboolean *has_person)
{
  gboolean terminal = isatty (STDIN_FILENO) && isatty (STDERR_FILENO);

  *has_person = terminal;
  return (terminal ? BECKON_CHAT_INTERACTIVE : 0) |
         (isatty (STDERR_FILENO) && g_getenv ("NO_COLOR") == NULL ? BECKON_CHAT_COLOUR : 0);
}

int
beckon_command_run (int argc, char **argv)
{
  g_autofree char *profile = NULL;
  g_auto (BeckonPlaceOptions) place = { 0 };
  g_auto (BeckonAttachOptions) attach = { 0 };
  gboolean detach = FALSE;
  g_auto (GStrv) words = NULL;
  g_autofree char *message = NULL;
  g_autoptr (GOptionContext) context = g_option_context_new (_ ("MESSAGE"));
  g_autoptr (GError) error = NULL;
  const GOptionEntry entries[] = {
    { "profile", 'p', 0, G_OPTION_ARG_STRING, &profile, N_ ("Which model, by name or id"), N_ ("PROFILE") },
    { "detach-on-ask", 0, 0, G_OPTION_ARG_NONE, &detach,
      N_("End with status 10 and the question as JSON when the model asks; “beckonctl answer” goes on"), NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &words, NULL, NULL },
    G_OPTION_ENTRY_NULL,
  };
  BeckonTalk talk = { 0 };

  g_option_context_set_summary (context, _ ("Sends one message, prints the reply, and ends."));
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  beckon_place_options_add_to (&place, context);
  beckon_attach_options_add_to (&attach, context);
  if (!g_option_context_parse (context, &argc, &argv, &error) || !beckon_place_options_check (&place, &error) ||
      !beckon_attach_options_read (&attach, &error))
    {
      fprintf (stderr, "beckonctl run: %s\n", error->message);
      return 2;
    }
  message = words != NULL ? g_strstrip (g_strjoinv (" ", words)) : NULL;
  if (message == NULL || *message == '\0')
    {
      fputs (_ ("beckonctl run: say what to do, for example: beckonctl run \"What time is it?\"\n"), stderr);
      return 2;
    }
  talk.flags = BECKON_CHAT_ONE_TURN | terminal_flags (&talk.has_person);
  if (detach)
    {
      talk.flags = (talk.flags & ~BECKON_CHAT_INTERACTIVE) | BECKON_CHAT_DETACH;
      talk.has_person = TRUE;
    }
  talk.message = message;
  talk.profile = profile;
  talk.place = &place;
  talk.files = attach.files;
  return beckon_talk (&talk);
}
