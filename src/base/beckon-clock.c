/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-clock.h"

/* Arbitrary, but not 0: "not yet" is often written as 0 by those who keep a time. */
#define MANUAL_MONOTONIC_START (1000 * G_TIME_SPAN_SECOND)

typedef struct
{
  guint id;
  gint64 due;
  gint64 interval;
  GSourceFunc function;
  gpointer user_data;
} ManualTimeout;

struct _BeckonClock
{
  GObject parent_instance;

  gboolean manual;

  /* Only of a manual clock; the lock is for readers in other threads. */
  GMutex lock;
  gint64 real_time;
  gint64 monotonic_time;
  GPtrArray *timeouts; /* (owned) (element-type ManualTimeout) in the order they were added */
  guint last_id;
  gboolean advancing;
};

G_DEFINE_FINAL_TYPE (BeckonClock, beckon_clock, G_TYPE_OBJECT)

static void
beckon_clock_finalize (GObject *object)
{
  BeckonClock *self = BECKON_CLOCK (object);

  g_ptr_array_unref (self->timeouts);
  g_mutex_clear (&self->lock);

  G_OBJECT_CLASS (beckon_clock_parent_class)->finalize (object);
}

static void
beckon_clock_class_init (BeckonClockClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_clock_finalize;
}

static void
beckon_clock_init (BeckonClock *self)
{
  g_mutex_init (&self->lock);
  self->timeouts = g_ptr_array_new_with_free_func (g_free);
}

BeckonClock *
beckon_clock_get_system (void)
{
  static gsize system_clock = 0;

  if (g_once_init_enter (&system_clock))
    g_once_init_leave (&system_clock, (gsize) g_object_new (BECKON_TYPE_CLOCK, NULL));
  return (BeckonClock *) system_clock;
}

BeckonClock *
beckon_clock_new_manual (gint64 real_time)
{
  BeckonClock *self = g_object_new (BECKON_TYPE_CLOCK, NULL);

  self->manual = TRUE;
  self->real_time = real_time;
  self->monotonic_time = MANUAL_MONOTONIC_START;
  return self;
}

static gint64
read_locked (BeckonClock *self, const gint64 *time)
{
  gint64 value;

  g_mutex_lock (&self->lock);
  value = *time;
  g_mutex_unlock (&self->lock);
  return value;
}

gint64
beckon_clock_get_real_time (BeckonClock *clock)
{
  g_return_val_if_fail (BECKON_IS_CLOCK (clock), 0);

  return clock->manual ? read_locked (clock, &clock->real_time) : g_get_real_time ();
}

gint64
beckon_clock_get_monotonic_time (BeckonClock *clock)
{
  g_return_val_if_fail (BECKON_IS_CLOCK (clock), 0);

  return clock->manual ? read_locked (clock, &clock->monotonic_time) : g_get_monotonic_time ();
}

guint
beckon_clock_add_timeout (BeckonClock *clock, guint interval_ms, GSourceFunc function, gpointer user_data)
{
  ManualTimeout *timeout;

  g_return_val_if_fail (BECKON_IS_CLOCK (clock), 0);
  g_return_val_if_fail (function != NULL, 0);

  if (!clock->manual)
    return g_timeout_add (interval_ms, function, user_data);

  timeout = g_new0 (ManualTimeout, 1);
  timeout->id = ++clock->last_id;
  timeout->interval = (gint64) interval_ms * 1000;
  timeout->due = clock->monotonic_time + timeout->interval;
  timeout->function = function;
  timeout->user_data = user_data;
  g_ptr_array_add (clock->timeouts, timeout);
  return timeout->id;
}

static ManualTimeout *
find_timeout (BeckonClock *self, guint id, guint *place)
{
  for (guint i = 0; i < self->timeouts->len; i++)
    {
      ManualTimeout *timeout = g_ptr_array_index (self->timeouts, i);

      if (timeout->id == id)
        {
          *place = i;
          return timeout;
        }
    }
  return NULL;
}

void
beckon_clock_remove (BeckonClock *clock, guint id)
{
  guint place;

  g_return_if_fail (BECKON_IS_CLOCK (clock));

  if (id == 0)
    return;
  if (!clock->manual)
    g_source_remove (id);
  else if (find_timeout (clock, id, &place) != NULL)
    g_ptr_array_remove_index (clock->timeouts, place);
  else
    g_critical ("No timeout %u to remove", id);
}

static ManualTimeout *
find_earliest (BeckonClock *self)
{
  ManualTimeout *earliest = NULL;

  for (guint i = 0; i < self->timeouts->len; i++)
    {
      ManualTimeout *timeout = g_ptr_array_index (self->timeouts, i);

      if (earliest == NULL || timeout->due < earliest->due)
        earliest = timeout;
    }
  return earliest;
}

static void
move_to (BeckonClock *self, gint64 monotonic_time)
{
  g_mutex_lock (&self->lock);
  self->real_time += monotonic_time - self->monotonic_time;
  self->monotonic_time = monotonic_time;
  g_mutex_unlock (&self->lock);
}

static void
fire (BeckonClock *self, ManualTimeout *timeout)
{
  guint id = timeout->id;
  GSourceFunc function = timeout->function;
  gpointer user_data = timeout->user_data;
  gboolean again = function (user_data);
  guint place;

  /* The timeout may be gone, or others added, which moved the array. */
  timeout = find_timeout (self, id, &place);
  if (timeout == NULL)
    return;
  g_ptr_array_steal_index (self->timeouts, place);
  if (!again)
    {
      g_free (timeout);
      return;
    }
  /* At the end, so that two of one interval keep taking turns; 0 would never let advance() return. */
  timeout->due += MAX (timeout->interval, 1000);
  g_ptr_array_add (self->timeouts, timeout);
}

void
beckon_clock_advance (BeckonClock *clock, gint64 milliseconds)
{
  g_autoptr (BeckonClock) self = NULL;
  gint64 target;
  ManualTimeout *timeout;

  g_return_if_fail (BECKON_IS_CLOCK (clock));
  g_return_if_fail (clock->manual);
  g_return_if_fail (!clock->advancing);
  g_return_if_fail (milliseconds >= 0);

  self = g_object_ref (clock);
  self->advancing = TRUE;
  target = self->monotonic_time + milliseconds * 1000;
  while ((timeout = find_earliest (self)) != NULL && timeout->due <= target)
    {
      move_to (self, MAX (timeout->due, self->monotonic_time));
      fire (self, timeout);
    }
  move_to (self, target);
  self->advancing = FALSE;
}
