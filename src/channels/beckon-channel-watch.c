/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-channel-watch.h"

#include <string.h>

struct _BeckonChannelWatch
{
  GObject parent_instance;

  GListModel *channels;
  BeckonClock *clock;
  GPtrArray *watched; /* Watched */
};

typedef struct
{
  BeckonChannelWatch *watch; /* (unowned): owns us */
  BeckonChannel *channel;
  gulong handler;
  guint patience; /* a timeout of the clock */
  gboolean is_told;
} Watched;

G_DEFINE_FINAL_TYPE (BeckonChannelWatch, beckon_channel_watch, G_TYPE_OBJECT)

enum
{
  SIGNAL_FAILING,
  SIGNAL_RECOVERED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
be_patient_no_more (Watched *watched)
{
  beckon_clock_remove (watched->watch->clock, watched->patience);
  watched->patience = 0;
}

static void
note_works (Watched *watched)
{
  be_patient_no_more (watched);
  if (!watched->is_told)
    return;
  watched->is_told = FALSE;
  g_signal_emit (watched->watch, signals[SIGNAL_RECOVERED], 0, beckon_channel_get_account (watched->channel)->id);
}

static void
channel_watch_tell (Watched *watched)
{
  be_patient_no_more (watched);
  if (watched->is_told)
    return;
  watched->is_told = TRUE;
  g_signal_emit (watched->watch, signals[SIGNAL_FAILING], 0, watched->channel);
}

static gboolean
channel_watch_on_patience_over (gpointer user_data)
{
  Watched *watched = user_data;

  watched->patience = 0;
  channel_watch_tell (watched);
  return G_SOURCE_REMOVE;
}

/* An adapter that tries again may say that it connects; only one that is connected works. */
static void
channel_watch_look (Watched *watched)
{
  BeckonChannelState state = beckon_channel_get_state (watched->channel);
  gboolean is_ours = beckon_channel_is_served (watched->channel)
                     && beckon_channel_get_account (watched->channel)->address != NULL;

  if (!is_ours || state == BECKON_CHANNEL_CONNECTED || state == BECKON_CHANNEL_SIGNING_IN)
    note_works (watched);
  else if (state == BECKON_CHANNEL_SIGNED_OUT)
    channel_watch_tell (watched);
  else if (state == BECKON_CHANNEL_FAILED && !watched->is_told && watched->patience == 0)
    watched->patience
        = beckon_clock_add_timeout (watched->watch->clock, BECKON_CHANNEL_WATCH_PATIENCE_MS, channel_watch_on_patience_over,
                                    watched);
}

static void
watched_free (gpointer data)
{
  Watched *watched = data;

  g_clear_signal_handler (&watched->handler, watched->channel);
  be_patient_no_more (watched);
  g_object_unref (watched->channel);
  g_free (watched);
}

/* A renamed channel stands at another place, and is the same. */
static gboolean
channel_watch_is_there (BeckonChannelWatch *self, BeckonChannel *channel)
{
  for (guint i = 0; i < g_list_model_get_n_items (self->channels); i++)
    {
      g_autoptr (BeckonChannel) other = g_list_model_get_item (self->channels, i);

      if (other == channel)
        return TRUE;
    }
  return FALSE;
}

static void
channel_watch_add (BeckonChannelWatch *self, BeckonChannel *channel)
{
  Watched *watched;

  for (guint i = 0; i < self->watched->len; i++)
    if (((Watched *)g_ptr_array_index (self->watched, i))->channel == channel)
      return;
  watched = g_new0 (Watched, 1);
  watched->watch = self;
  watched->channel = g_object_ref (channel);
  watched->handler = g_signal_connect_swapped (channel, "changed", G_CALLBACK (channel_watch_look), watched);
  g_ptr_array_add (self->watched, watched);
  channel_watch_look (watched);
}

static void
channel_watch_on_items_changed (BeckonChannelWatch *self)
{
  for (guint i = self->watched->len; i > 0; i--)
    {
      Watched *watched = g_ptr_array_index (self->watched, i - 1);

      if (channel_watch_is_there (self, watched->channel))
        continue;
      note_works (watched);
      g_ptr_array_remove_index (self->watched, i - 1);
    }
  for (guint i = 0; i < g_list_model_get_n_items (self->channels); i++)
    {
      g_autoptr (BeckonChannel) channel = g_list_model_get_item (self->channels, i);

      channel_watch_add (self, channel);
    }
}

static void
beckon_channel_watch_dispose (GObject *object)
{
  BeckonChannelWatch *self = BECKON_CHANNEL_WATCH (object);

  g_ptr_array_set_size (self->watched, 0);
  g_clear_object (&self->channels);
  g_clear_object (&self->clock);
  G_OBJECT_CLASS (beckon_channel_watch_parent_class)->dispose (object);
}

static void
beckon_channel_watch_finalize (GObject *object)
{
  g_ptr_array_unref (BECKON_CHANNEL_WATCH (object)->watched);
  G_OBJECT_CLASS (beckon_channel_watch_parent_class)->finalize (object);
}

static void
beckon_channel_watch_class_init (BeckonChannelWatchClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_channel_watch_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_channel_watch_finalize;
  signals[SIGNAL_FAILING] = g_signal_new ("failing", BECKON_TYPE_CHANNEL_WATCH, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                          G_TYPE_NONE, 1, BECKON_TYPE_CHANNEL);
  signals[SIGNAL_RECOVERED] = g_signal_new ("recovered", BECKON_TYPE_CHANNEL_WATCH, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                            G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
beckon_channel_watch_init (BeckonChannelWatch *self)
{
  self->watched = g_ptr_array_new_with_free_func (watched_free);
}

BeckonChannelWatch *
beckon_channel_watch_new (GListModel *channels, BeckonClock *clock)
{
  BeckonChannelWatch *self;

  g_return_val_if_fail (G_IS_LIST_MODEL (channels), NULL);
  g_return_val_if_fail (BECKON_IS_CLOCK (clock), NULL);

  self = g_object_new (BECKON_TYPE_CHANNEL_WATCH, NULL);
  self->channels = g_object_ref (channels);
  self->clock = g_object_ref (clock);
  g_signal_connect_object (channels, "items-changed", G_CALLBACK (channel_watch_on_items_changed), self, G_CONNECT_SWAPPED);
  channel_watch_on_items_changed (self);
  return self;
}
