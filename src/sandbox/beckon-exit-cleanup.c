/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-exit-cleanup.h"

#include <glib-unix.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

/* How long the end of this program waits. */
#define EXIT_MS 1000

typedef struct
{
  int process;
  GDestroyNotify function;
  gpointer data;
  guint source;
} Aftermath;

static GPtrArray *pending;

static void
end (gpointer data)
{
  Aftermath *self = data;

  self->function (self->data);
  g_source_remove (self->source);
  if (self->process >= 0)
    close (self->process);
  g_free (self);
}

static gboolean
on_idle (gpointer user_data)
{
  g_ptr_array_remove_fast (pending, user_data);
  return G_SOURCE_CONTINUE;
}

static gboolean
on_gone (int fd, GIOCondition condition, gpointer user_data)
{
  return on_idle (user_data);
}

static gboolean
is_gone (int process, int wait_ms)
{
  struct pollfd fd = { .fd = process, .events = POLLIN };

  return process < 0 || poll (&fd, 1, wait_ms) != 0;
}

/* There is no main loop any more; more may begin at the end of the program, and ends after this. */
static void
end_all (void)
{
  for (guint i = 0; i < pending->len; i++)
    is_gone (((Aftermath *) g_ptr_array_index (pending, i))->process, EXIT_MS);
  g_clear_pointer (&pending, g_ptr_array_unref);
}

void
beckon_exit_cleanup_begin (int process, GDestroyNotify function, gpointer data)
{
  Aftermath *self;

  g_return_if_fail (function != NULL);

  if (pending == NULL)
    {
      pending = g_ptr_array_new_with_free_func (end);
      atexit (end_all);
    }
  self = g_new (Aftermath, 1);
  *self = (Aftermath) { process, function, data, 0 };
  if (is_gone (process, 0))
    self->source = g_idle_add_full (G_PRIORITY_HIGH, on_idle, self, NULL);
  else
    self->source = g_unix_fd_add (process, G_IO_IN, on_gone, self);
  g_ptr_array_add (pending, self);
}
