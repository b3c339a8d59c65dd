/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-guard.h"

#include "beckon-sheet.h"

struct _BeckonGuard
{
  GtkWidget *widget;
  BeckonClock *clock; /* (owned) */

  GtkWindow *window; /* (nullable): whose raising is watched, while mapped */
  gint64 closed_until;
  guint timeout_id;
};

static void
guard_set_busy (BeckonGuard *self, gboolean busy)
{
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->widget), GTK_ACCESSIBLE_STATE_BUSY, busy, -1);
}

static gboolean
guard_on_open (gpointer user_data)
{
  BeckonGuard *self = user_data;

  self->timeout_id = 0;
  guard_set_busy (self, FALSE);
  return G_SOURCE_REMOVE;
}

static void
close_for (BeckonGuard *self, guint milliseconds)
{
  gint64 until = beckon_clock_get_monotonic_time (self->clock) + (gint64) milliseconds * 1000;

  if (until <= self->closed_until)
    return;

  self->closed_until = until;
  beckon_clock_remove (self->clock, self->timeout_id);
  self->timeout_id = beckon_clock_add_timeout (self->clock, milliseconds, guard_on_open, self);
  guard_set_busy (self, TRUE);
}

static void
on_active_changed (BeckonGuard *self)
{
  if (gtk_window_is_active (self->window))
    close_for (self, BECKON_GUARD_RAISED_MS);
}

/* A card that a sheet covered is as new as one in a window that was raised. */
static void
on_sheet_changed (BeckonGuard *self)
{
  if (!beckon_sheet_covers (self->window))
    close_for (self, BECKON_GUARD_RAISED_MS);
}

static void
on_map (BeckonGuard *self)
{
  GtkRoot *root = gtk_widget_get_root (self->widget);

  close_for (self, BECKON_GUARD_APPEARED_MS);
  if (!GTK_IS_WINDOW (root))
    return;

  g_set_object (&self->window, GTK_WINDOW (root));
  g_signal_connect_swapped (self->window, "notify::is-active", G_CALLBACK (on_active_changed), self);
  g_signal_connect_swapped (self->window, "notify::visible-dialog", G_CALLBACK (on_sheet_changed), self);
}

static void
stop_watching (BeckonGuard *self)
{
  if (self->window != NULL)
    g_signal_handlers_disconnect_by_data (self->window, self);
  g_clear_object (&self->window);
}

void
beckon_guard_renew (BeckonGuard *self)
{
  close_for (self, BECKON_GUARD_APPEARED_MS);
}

gboolean
beckon_guard_is_open (BeckonGuard *self)
{
  return self->closed_until > 0 && self->timeout_id == 0;
}

void
beckon_guard_set_clock (BeckonGuard *self, BeckonClock *clock)
{
  g_return_if_fail (self->timeout_id == 0);

  g_set_object (&self->clock, clock);
}

BeckonGuard *
beckon_guard_new (GtkWidget *widget)
{
  BeckonGuard *self = g_new0 (BeckonGuard, 1);

  self->widget = widget;
  self->clock = g_object_ref (beckon_clock_get_system ());
  g_signal_connect_swapped (widget, "map", G_CALLBACK (on_map), self);
  g_signal_connect_swapped (widget, "unmap", G_CALLBACK (stop_watching), self);
  guard_set_busy (self, TRUE);
  return self;
}

void
beckon_guard_free (BeckonGuard *self)
{
  stop_watching (self);
  g_signal_handlers_disconnect_by_data (self->widget, self);
  beckon_clock_remove (self->clock, self->timeout_id);
  g_object_unref (self->clock);
  g_free (self);
}
