/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * watch-window PROGRAM [ARGUMENT…]: starts a program and prints how many µs passed until its first window had a picture,
 * seen from outside, so that it means the same for every program. A window has a picture when it is mapped, was drawn on, and
 * its upper edge, where the header bar is, is no longer of one colour (the server may paint a plain ground of its own).
 *
 * Then waits until the program has been idle, prints `idle PID`, and ends it when its own input ends.
 */

#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/Xdamage.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define EDGE_HEIGHT 40
#define SMALLEST_WIDTH 200
#define DEADLINE_MS 20000
#define IDLE_MS 600

extern char **environ;

static int64_t
now_us (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (int64_t) now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* A window may be gone by the time it is asked about. */
static int
ignore_error (Display *display, XErrorEvent *error)
{
  return 0;
}

static int
has_picture (Display *display, Window window)
{
  XWindowAttributes attributes;
  XImage *image;
  int varied = 0;

  if (!XGetWindowAttributes (display, window, &attributes) || attributes.map_state != IsViewable ||
      attributes.width < SMALLEST_WIDTH || attributes.height < EDGE_HEIGHT)
    return 0;
  image = XGetImage (display, window, 0, 0, (unsigned) attributes.width, EDGE_HEIGHT, AllPlanes, ZPixmap);
  if (image == NULL)
    return 0;

  /* The corners are round: the middle of the edge is compared with its own first pixel. */
  for (int x = attributes.width / 4; x < attributes.width && !varied; x++)
    for (int y = 8; y < EDGE_HEIGHT && !varied; y++)
      varied = XGetPixel (image, x, y) != XGetPixel (image, attributes.width / 4, 8);

  XDestroyImage (image);
  return varied;
}

static int
wait_for_event (Display *display, int64_t deadline)
{
  struct pollfd fd = { .fd = ConnectionNumber (display), .events = POLLIN };

  while (XPending (display) == 0)
    {
      int64_t left = (deadline - now_us ()) / 1000;

      if (left <= 0)
        return 0;
      poll (&fd, 1, (int) left);
    }
  return 1;
}

/* Returns when the first picture came, or 0. */
static int64_t
watch (Display *display, int damage_event)
{
  int64_t deadline = now_us () + DEADLINE_MS * 1000;
  XEvent event;

  while (wait_for_event (display, deadline))
    {
      XNextEvent (display, &event);
      if (event.type == CreateNotify && !event.xcreatewindow.override_redirect)
        XDamageCreate (display, event.xcreatewindow.window, XDamageReportRawRectangles);
      else if (event.type == damage_event + XDamageNotify)
        {
          int64_t when = now_us ();

          if (has_picture (display, ((XDamageNotifyEvent *) &event)->drawable))
            return when;
        }
    }
  return 0;
}

/* All CPU time of a process in clock ticks; -1 when it is gone. */
static long
cpu_ticks (pid_t pid)
{
  char path[64], text[1024];
  unsigned long user = 0, kernel = 0;
  FILE *file;
  size_t size;
  char *after_name;

  snprintf (path, sizeof path, "/proc/%d/stat", (int) pid);
  file = fopen (path, "r");
  if (file == NULL)
    return -1;
  size = fread (text, 1, sizeof text - 1, file);
  fclose (file);
  text[size] = '\0';
  after_name = strrchr (text, ')');
  if (after_name == NULL || sscanf (after_name + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &kernel) != 2)
    return -1;
  return (long) (user + kernel);
}

static void
wait_until_idle (pid_t pid)
{
  int64_t deadline = now_us () + DEADLINE_MS * 1000, quiet_since = now_us ();
  long last = cpu_ticks (pid);

  while (now_us () < deadline && now_us () - quiet_since < IDLE_MS * 1000)
    {
      long ticks;

      poll (NULL, 0, 20);
      ticks = cpu_ticks (pid);
      /* A tick in that time is a timer, not work. */
      if (ticks > last + 1)
        {
          quiet_since = now_us ();
          last = ticks;
        }
    }
}

int
main (int argc, char **argv)
{
  Display *display = XOpenDisplay (NULL);
  int damage_event, damage_error, status;
  int64_t begin, end;
  pid_t pid;
  char byte;

  if (argc < 2 || display == NULL || !XDamageQueryExtension (display, &damage_event, &damage_error))
    {
      fprintf (stderr, "watch-window: needs a program, and a display with the damage extension\n");
      return 2;
    }
  XSetErrorHandler (ignore_error);
  XSelectInput (display, DefaultRootWindow (display), SubstructureNotifyMask);
  XSync (display, False);

  begin = now_us ();
  if (posix_spawnp (&pid, argv[1], NULL, NULL, argv + 1, environ) != 0)
    {
      perror (argv[1]);
      return 2;
    }
  end = watch (display, damage_event);
  if (end != 0)
    {
      printf ("frame %lld\n", (long long) (end - begin));
      wait_until_idle (pid);
      printf ("idle %d\n", (int) pid);
      fflush (stdout);
      while (read (STDIN_FILENO, &byte, 1) > 0)
        continue;
    }

  kill (pid, SIGTERM);
  waitpid (pid, &status, 0);
  XCloseDisplay (display);
  return end != 0 ? 0 : 1;
}
