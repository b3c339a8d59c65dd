/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-echo.h"

#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

static struct termios before;
static gboolean is_hidden;

static void
show (void)
{
  if (is_hidden)
    tcsetattr (STDIN_FILENO, TCSANOW, &before);
  is_hidden = FALSE;
}

static void
hide (void)
{
  static gboolean registered;
  struct termios quiet;

  if (tcgetattr (STDIN_FILENO, &before) != 0)
    return;
  if (!registered)
    registered = atexit (show) == 0;

  quiet = before;
  quiet.c_lflag &= (tcflag_t) ~ECHO;
  is_hidden = tcsetattr (STDIN_FILENO, TCSANOW, &quiet) == 0;
}

gboolean
beckon_echo_set_hidden (gboolean hidden)
{
  if (hidden && !is_hidden)
    hide ();
  else if (!hidden)
    show ();
  return is_hidden;
}
