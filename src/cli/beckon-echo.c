/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-echo.h"

#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

static struct termios before;
static gboolean is_hidden;

static void
echo_show (void)
{
  if (is_hidden)
    tcsetattr (STDIN_FILENO, TCSANOW, &before);
  is_hidden = FALSE;
}

static void
echo_hide (void)
{
  static gboolean registered;
  struct termios quiet;

  if (tcgetattr (STDIN_FILENO, &before) != 0)
    return;
  if (!registered)
    registered = atexit (echo_show) == 0;

  quiet = before;
  quiet.c_lflag &= (tcflag_t) ~ECHO;
  is_hidden = tcsetattr (STDIN_FILENO, TCSANOW, &quiet) == 0;
}

gboolean
beckon_echo_set_hidden (gboolean hidden)
{
  if (hidden && !is_hidden)
    echo_hide ();
  else if (!hidden)
    echo_show ();
  return is_hidden;
}
