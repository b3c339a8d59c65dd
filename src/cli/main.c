/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command.h"
#include "beckon-debug-decode.h"

#include <glib/gi18n-lib.h>
#include <locale.h>

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
    { "debug", N_("Look at what a provider sent"), beckon_debug_run },
    { "version", N_("Show the version"), print_version },
    { NULL, NULL, NULL },
  };

  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, BECKON_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  g_set_prgname ("beckonctl");
  return beckon_command_dispatch ("beckonctl", commands, argc, argv);
}
