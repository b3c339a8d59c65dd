/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-application-private.h"

/* Files that are opened with the program: the window that was used last takes them. */

void
beckon_application_open_file (BeckonApplication *self, GFile *file)
{
  g_application_activate (G_APPLICATION (self));
  if (beckon_application_get_window (self) != NULL)
    beckon_window_take_file (beckon_application_get_window (self), file);
}
