/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-application-private.h"

/* Text channels are served while the program runs, by it or by another process that was there before. A person who looks at a
 * conversation is asked there, not on the phone. */

static void
update_watched (BeckonApplication *self)
{
  BeckonWindow *window = beckon_application_get_window (self);

  if (self->channels != NULL)
    beckon_channels_set_watched (self->channels, window != NULL ? beckon_window_get_looked_at (window) : NULL);
}

/* No other window of the program need be active when one ceases to be. */
static void
follow_window (BeckonApplication *self, GtkWindow *window)
{
  if (!BECKON_IS_WINDOW (window))
    return;
  g_signal_connect_object (window, "notify::is-active", G_CALLBACK (update_watched), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (window, "notify::visible-dialog", G_CALLBACK (update_watched), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (window, "looking-changed", G_CALLBACK (update_watched), self, G_CONNECT_SWAPPED);
}

static void
application_channels_on_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonApplication) self = user_data;
  g_autoptr (GError) error = NULL;
  BeckonChannels *channels = BECKON_CHANNELS (source);

  if (!beckon_channels_load_finish (channels, result, &error))
    g_message ("Channels were not read: %s", error->message);
  else if (self->channels == channels)
    beckon_channels_set_serving (channels, TRUE);
}

static void
on_failing (BeckonChannelWatch *watch, BeckonChannel *channel, BeckonApplication *self)
{
  if (self->notifier != NULL)
    beckon_notifier_tell_channel (self->notifier, channel);
}

static void
on_recovered (BeckonChannelWatch *watch, const char *id, BeckonApplication *self)
{
  if (self->notifier != NULL)
    beckon_notifier_withdraw_channel (self->notifier, id);
}

void
beckon_application_start_channels (BeckonApplication *self)
{
  const BeckonChannelParts parts = {
    .store = beckon_runtime_get_store (self->runtime),
    .inbox = beckon_runtime_get_inbox (self->runtime),
    .library = beckon_runtime_get_library (self->runtime),
    .profiles = beckon_runtime_get_profiles (self->runtime),
    .agent = beckon_runtime_get_agent (self->runtime),
    .secrets = beckon_runtime_get_secrets (self->runtime),
    .clock = beckon_clock_get_system (),
  };

  /* The channels hear of a request when it is known what is looked at. */
  g_signal_connect_object (parts.inbox, "items-changed", G_CALLBACK (update_watched), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self, "notify::active-window", G_CALLBACK (update_watched), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self, "window-added", G_CALLBACK (follow_window), self, 0);
  for (GList *at = gtk_application_get_windows (GTK_APPLICATION (self)); at != NULL; at = at->next)
    follow_window (self, at->data);
  self->channels = beckon_channels_new (&parts);
  self->watch = beckon_channel_watch_new (G_LIST_MODEL (self->channels), parts.clock);
  g_signal_connect_object (self->watch, "failing", G_CALLBACK (on_failing), self, 0);
  g_signal_connect_object (self->watch, "recovered", G_CALLBACK (on_recovered), self, 0);
  beckon_channels_load_async (self->channels, self->opening, application_channels_on_loaded, g_object_ref (self));
}

void
beckon_application_stop_channels (BeckonApplication *self)
{
  g_signal_handlers_disconnect_by_func (self, update_watched, self);
  g_signal_handlers_disconnect_by_func (self, follow_window, self);
  if (self->channels != NULL)
    beckon_channels_set_serving (self->channels, FALSE);
  g_clear_object (&self->watch);
  g_clear_object (&self->channels);
}
