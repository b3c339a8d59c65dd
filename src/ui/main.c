/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "base/beckon-path.h"
#include "ui/application/beckon-application.h"

#include <glib/gi18n-lib.h>
#include <locale.h>
#include <sys/resource.h>

int
main (int argc, char *argv[])
{
  /* A core file would hold keys and conversations. Tracing stays allowed: portals look into /proc for who calls them. */
  const struct rlimit no_core = { 0, 0 };
  g_autoptr (BeckonApplication) application = NULL;

  setrlimit (RLIMIT_CORE, &no_core);
  beckon_base_directories_check ();
  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, BECKON_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);

  g_set_application_name (_("Beckon"));
  application = beckon_application_new ();
  return g_application_run (G_APPLICATION (application), argc, argv);
}
