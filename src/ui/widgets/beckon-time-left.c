/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-time-left.h"

#include <glib/gi18n-lib.h>

#define SECOND_MS G_GINT64_CONSTANT (1000)
#define MINUTE_MS (60 * SECOND_MS)
#define HOUR_MS (60 * MINUTE_MS)

struct _BeckonTimeLeft
{
  GtkLabel *label;
  BeckonRequest *request; /* (owned) */
  BeckonClock *clock;     /* (owned) */
  guint timeout_id;
};

static void time_left_update (BeckonTimeLeft *self);

/* The full minutes or hours that are left, rounded up, so that none of them is said to be over too early. */
static char *
time_left_describe (gint64 left_ms)
{
  guint minutes = (guint) ((left_ms + MINUTE_MS - 1) / MINUTE_MS);
  guint hours = (guint) ((left_ms + HOUR_MS - 1) / HOUR_MS);

  if (left_ms > 2 * HOUR_MS)
    /* Translators: of a question that waits for an answer. */
    return g_strdup_printf (ngettext ("Times out in %u hour", "Times out in %u hours", hours), hours);
  if (left_ms > MINUTE_MS)
    return g_strdup_printf (ngettext ("Times out in %u minute", "Times out in %u minutes", minutes), minutes);
  return g_strdup (_("Times out in less than a minute"));
}

static gboolean
on_changing (gpointer user_data)
{
  BeckonTimeLeft *self = user_data;

  self->timeout_id = 0;
  time_left_update (self);
  return G_SOURCE_REMOVE;
}

static void
time_left_stop (BeckonTimeLeft *self)
{
  beckon_clock_remove (self->clock, self->timeout_id);
  self->timeout_id = 0;
}

static void
time_left_update (BeckonTimeLeft *self)
{
  gint64 due_at = beckon_request_get_due_at (self->request);
  gint64 left = MAX ((due_at - beckon_clock_get_real_time (self->clock)) / 1000, 1);
  gint64 step = left > 2 * HOUR_MS ? HOUR_MS : MINUTE_MS;
  g_autofree char *words = due_at != 0 ? time_left_describe (left) : NULL;

  time_left_stop (self);
  gtk_widget_set_visible (GTK_WIDGET (self->label), words != NULL);
  gtk_label_set_text (self->label, words != NULL ? words : "");
  /* Until the words change. */
  if (words != NULL && left > MINUTE_MS)
    self->timeout_id = beckon_clock_add_timeout (self->clock, (guint) ((left - 1) % step + 1), on_changing, self);
}

void
beckon_time_left_set_clock (BeckonTimeLeft *self, BeckonClock *clock)
{
  time_left_stop (self);
  g_set_object (&self->clock, clock);
  time_left_update (self);
}

BeckonTimeLeft *
beckon_time_left_new (GtkLabel *label, BeckonRequest *request)
{
  BeckonTimeLeft *self = g_new0 (BeckonTimeLeft, 1);

  self->label = label;
  self->request = g_object_ref (request);
  self->clock = g_object_ref (beckon_clock_get_system ());
  g_signal_connect_swapped (request, "notify::due-at", G_CALLBACK (time_left_update), self);
  time_left_update (self);
  return self;
}

void
beckon_time_left_free (BeckonTimeLeft *self)
{
  time_left_stop (self);
  g_signal_handlers_disconnect_by_data (self->request, self);
  g_object_unref (self->request);
  g_object_unref (self->clock);
  g_free (self);
}
