/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-application.h"

#include <glib/gi18n-lib.h>
#include <locale.h>

int
main (int argc, char *argv[])
{
  g_autoptr (BeckonApplication) application = NULL;

  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, BECKON_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);

  g_set_application_name (_("Beckon"));
  application = beckon_application_new ();
  return g_application_run (G_APPLICATION (application), argc, argv);
}
