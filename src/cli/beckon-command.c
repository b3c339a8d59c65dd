/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "text/beckon-plain-text.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>

static void
print_help (FILE *stream, const char *name, const BeckonCommand *commands)
{
  g_autofree char *usage = g_strdup_printf (_("Usage: %s COMMAND …"), name);

  int width = 0;

  for (const BeckonCommand *command = commands; command->name != NULL; command++)
    width = MAX (width, (int) strlen (command->name));
  fprintf (stream, "%s\n\n", usage);
  for (; commands->name != NULL; commands++)
    fprintf (stream, "  %-*s  %s\n", width, commands->name, _(commands->summary));
}

int
beckon_command_dispatch (const char *name, const BeckonCommand *commands, int argc, char **argv)
{
  if (argc < 2)
    {
      print_help (stderr, name, commands);
      return BECKON_COMMAND_MISUSED;
    }
  /* "help run" is "run --help". */
  if (argc == 3 && strcmp (argv[1], "help") == 0)
    {
      char *turned[] = { argv[0], argv[2], (char *) "--help", NULL };

      return beckon_command_dispatch (name, commands, 3, turned);
    }
  for (const BeckonCommand *command = commands; command->name != NULL; command++)
    {
      if (strcmp (command->name, argv[1]) == 0)
        {
          g_autofree char *whole = g_strdup_printf ("%s %s", name, command->name);

          /* The help of the command begins with it. */
          g_set_prgname (whole);
          return command->run (argc - 1, argv + 1);
        }
    }
  if (strcmp (argv[1], "--help") == 0 || strcmp (argv[1], "-h") == 0 || strcmp (argv[1], "help") == 0)
    {
      print_help (stdout, name, commands);
      return 0;
    }
  {
    g_autofree char *shown = beckon_text_for_display (argv[1], -1, BECKON_TEXT_EXACT);

    fprintf (stderr, _("%s: “%s” is not a command. “%s --help” lists all of them."), name, shown, name);
    fputc ('\n', stderr);
  }
  return BECKON_COMMAND_MISUSED;
}

void
beckon_command_complain (const char *command, const char *problem)
{
  g_autofree char *safe = beckon_plain_text_for_terminal (problem, -1);

  fprintf (stderr, "beckonctl%s%s: %s\n", command != NULL ? " " : "", command != NULL ? command : "", safe);
}

gboolean
beckon_command_parse (GOptionContext *context, int *argc, char ***argv, GError **error)
{
  g_autoptr (GError) refused = NULL;
  const char *charset = NULL;

  if (g_option_context_parse (context, argc, argv, &refused))
    return TRUE;

  if (refused->domain == G_CONVERT_ERROR)
    {
      g_get_charset (&charset);
      /* Translators: “%s” is a character encoding, such as UTF-8 */
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                   _("An argument isn't text in “%s”, the encoding of your locale."), charset);
    }
  else
    g_propagate_error (error, g_steal_pointer (&refused));
  return FALSE;
}

int
beckon_command_misused (const char *command, const char *problem)
{
  /* Translators: %s is a command, such as “beckonctl mcp”, which stays as it is with its --help */
  g_autofree char *help = g_strdup_printf (_("“%s --help” shows how it is used."), command);
  g_autofree char *line = beckon_text_join_sentences (problem, help);

  g_autofree char *safe = beckon_plain_text_for_terminal (line, -1);

  fprintf (stderr, "%s: %s\n", command, safe);
  return BECKON_COMMAND_MISUSED;
}

char *
beckon_command_dup_surplus (const char *argument)
{
  g_autofree char *shown = beckon_text_for_display (argument, -1, BECKON_TEXT_EXACT);

  return beckon_text_printf (_("“%s” is one argument too many."), shown);
}

char *
beckon_command_dup_unknown (const char *word)
{
  g_autofree char *shown = beckon_text_for_display (word, -1, BECKON_TEXT_EXACT);

  return beckon_text_printf (_("“%s” is none of its commands."), shown);
}
