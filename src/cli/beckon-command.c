/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command.h"

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
  g_printerr (_("%s: “%s” is not a command. “%s --help” lists all of them."), name, argv[1], name);
  g_printerr ("\n");
  return BECKON_COMMAND_MISUSED;
}
