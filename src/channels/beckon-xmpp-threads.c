/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-xmpp-threads.h"

#define FAREWELL_US G_TIME_SPAN_SECOND

typedef struct
{
  gpointer data;
  void (*close) (gpointer data);
  GThread *thread; /* (owned) */
} Live;

static GMutex mutex;
static GCond cond;
static GList *live;  /* (owned) (element-type Live) */
static GList *ended; /* (owned) (element-type GThread): they have nothing left to do but to end */

static void
join_ended (void)
{
  GList *list;

  g_mutex_lock (&mutex);
  list = g_steal_pointer (&ended);
  g_mutex_unlock (&mutex);
  for (GList *each = list; each != NULL; each = each->next)
    g_thread_join (each->data);
  g_list_free (list);
}

void
beckon_xmpp_threads_start (GThreadFunc run, gpointer data, void (*close) (gpointer data))
{
  Live *self = g_new0 (Live, 1);

  join_ended ();
  self->data = data;
  self->close = close;
  g_mutex_lock (&mutex);
  live = g_list_prepend (live, self);
  /* A thread that ends at once waits for the lock. */
  self->thread = g_thread_new ("beckon-xmpp", run, data);
  g_mutex_unlock (&mutex);
}

static gint
compare_data (gconstpointer self, gconstpointer data)
{
  return ((const Live *) self)->data == data ? 0 : 1;
}

void
beckon_xmpp_threads_note_end (gpointer data)
{
  GList *found;
  Live *self;

  g_mutex_lock (&mutex);
  found = g_list_find_custom (live, data, compare_data);
  self = found->data;
  live = g_list_delete_link (live, found);
  ended = g_list_prepend (ended, self->thread);
  g_free (self);
  g_cond_signal (&cond);
  g_mutex_unlock (&mutex);
}

void
beckon_xmpp_threads_finish (void)
{
  gint64 until = g_get_monotonic_time () + FAREWELL_US;

  g_mutex_lock (&mutex);
  for (GList *each = live; each != NULL; each = each->next)
    ((const Live *) each->data)->close (((const Live *) each->data)->data);
  while (live != NULL && g_cond_wait_until (&cond, &mutex, until))
    continue;
  g_mutex_unlock (&mutex);
  join_ended ();
}
