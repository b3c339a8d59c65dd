/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-terminal-modes.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

/* readline/readline.h needs it first. */
#include <stdio.h>

#include <readline/readline.h>

/* Read by signal handlers, which may run on any thread; written while @is_entered is 0. */
static struct termios modes_before;
static struct termios modes_within;
static volatile sig_atomic_t is_entered;
static volatile sig_atomic_t brackets_pastes;
static volatile sig_atomic_t is_resumed;

static const char paste_on[] = "\033[?2004h";
static const char paste_off[] = "\033[?2004l\r";

static void
modes_write (const char *bytes)
{
  /* There is nobody to tell. */
  (void) !write (STDIN_FILENO, bytes, strlen (bytes));
}

/* Safe in a signal handler. */
static void
modes_restore (void)
{
  if (!is_entered)
    return;
  tcsetattr (STDIN_FILENO, TCSANOW, &modes_before);
  if (brackets_pastes)
    modes_write (paste_off);
}

/* In the background the terminal is the shell's. */
static void
modes_resume (void)
{
  if (!is_entered || tcgetpgrp (STDIN_FILENO) != getpgrp ())
    return;
  tcsetattr (STDIN_FILENO, TCSANOW, &modes_within);
  if (brackets_pastes)
    modes_write (paste_on);
  is_resumed = TRUE;
  kill (getpid (), SIGWINCH);
}

static void
modes_set_handler (int number, void (*handler) (int), int flags)
{
  struct sigaction action = { .sa_handler = handler, .sa_flags = flags };

  sigemptyset (&action.sa_mask);
  sigaction (number, &action, NULL);
}

static void
modes_on_crash (int number)
{
  modes_restore ();
  /* The handler is reset: this is the signal's own end. */
  raise (number);
}

static void
modes_on_stop (int number)
{
  int kept = errno;
  sigset_t set;

  modes_restore ();
  modes_set_handler (SIGTSTP, SIG_DFL, 0);
  raise (SIGTSTP);
  sigemptyset (&set);
  sigaddset (&set, SIGTSTP);
  /* The process stops here, and goes on with the next line. */
  pthread_sigmask (SIG_UNBLOCK, &set, NULL);
  modes_set_handler (SIGTSTP, modes_on_stop, SA_RESTART);
  modes_resume ();
  errno = kept;
}

static void
modes_on_continue (int number)
{
  int kept = errno;

  modes_resume ();
  errno = kept;
}

void
beckon_terminal_modes_enter (gboolean pastes)
{
  static const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGQUIT };
  static gboolean is_prepared;
  struct sigaction action;

  if (is_entered || tcgetattr (STDIN_FILENO, &modes_before) != 0)
    return;
  rl_prep_terminal (1);
  if (tcgetattr (STDIN_FILENO, &modes_within) != 0)
    return;
  brackets_pastes = pastes;
  is_entered = TRUE;
  if (is_prepared)
    return;
  is_prepared = atexit (beckon_terminal_modes_leave) == 0;
  for (gsize i = 0; i < G_N_ELEMENTS (crashes); i++)
    modes_set_handler (crashes[i], modes_on_crash, (int) SA_RESETHAND);
  /* A shell without job control ignores it. */
  if (sigaction (SIGTSTP, NULL, &action) != 0 || action.sa_handler != SIG_IGN)
    modes_set_handler (SIGTSTP, modes_on_stop, SA_RESTART);
  modes_set_handler (SIGCONT, modes_on_continue, SA_RESTART);
}

gboolean
beckon_terminal_modes_take_resumed (void)
{
  gboolean resumed = is_resumed;

  is_resumed = FALSE;
  return resumed;
}

void
beckon_terminal_modes_leave (void)
{
  if (!is_entered)
    return;
  is_entered = FALSE;
  rl_deprep_terminal ();
}
