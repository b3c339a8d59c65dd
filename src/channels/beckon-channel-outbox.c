/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-channel-outbox.h"

#include "base/beckon-json.h"

#include <string.h>

/* Pauses after failures; what is a day old is not sent any more. */
#define FIRST_PAUSE_MS 2000
#define LONGEST_PAUSE_MS (5 * 60 * 1000)
#define LIMITED_PAUSE_MS (60 * 1000)
#define LONGEST_LIMITED_MS (60 * 60 * 1000)
#define TOO_OLD_US G_TIME_SPAN_DAY

struct _BeckonChannelOutbox
{
  GObject parent_instance;

  BeckonStore *store;
  BeckonClock *clock;
  BeckonChannelAdapter *adapter;
  BeckonChannelAccount *account; /* (nullable) until it is loaded */
  GPtrArray *posts;              /* BeckonChannelPost, in their order: to be sent, or asking */
  GCancellable *cancellable;     /* (nullable): of the one that is being sent */
  gboolean is_busy;
  guint wait;                    /* a timeout of the clock */
  gint64 last_sent;              /* monotonic */
  guint n_since_heard;
  gint64 heard_at;
  gint64 limited_until;
  char *problem;
  gboolean has_sent;
};

G_DEFINE_FINAL_TYPE (BeckonChannelOutbox, beckon_channel_outbox, G_TYPE_OBJECT)

static guint sent_signal;
static guint failed_signal;

typedef struct
{
  BeckonChannelOutbox *outbox; /* (owned) */
  char *id;
} Sending;

static void
outbox_sending_free (Sending *sending)
{
  g_object_unref (sending->outbox);
  g_free (sending->id);
  g_free (sending);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Sending, outbox_sending_free)

static Sending *
sending_new (BeckonChannelOutbox *self, const BeckonChannelPost *post)
{
  Sending *sending = g_new (Sending, 1);

  sending->outbox = g_object_ref (self);
  sending->id = g_strdup (post->id);
  return sending;
}

/* (nullable): it may have been closed meanwhile. */
static BeckonChannelPost *
outbox_find (BeckonChannelOutbox *self, const char *id)
{
  for (guint i = 0; i < self->posts->len; i++)
    {
      BeckonChannelPost *post = g_ptr_array_index (self->posts, i);

      if (strcmp (post->id, id) == 0)
        return post;
    }
  return NULL;
}

/* --- What can be sent --------------------------------------------------------------------------------------------- */

/* Messages wait where a peer has to write first; on the desktop they can be answered all the same. */
static gboolean
is_out_of_replies (BeckonChannelOutbox *self, gint64 now)
{
  const BeckonChannelLimits *limits = beckon_channel_adapter_get_limits (self->adapter);

  return (limits->replies > 0 && self->n_since_heard >= limits->replies)
         || (limits->window_s > 0 && now - self->heard_at > (gint64) limits->window_s * G_USEC_PER_SEC);
}

static gboolean
is_too_old (const BeckonChannelPost *post, gint64 now)
{
  return now - post->made_at > TOO_OLD_US;
}

static void outbox_fail (BeckonChannelOutbox *self, BeckonChannelPost *post);

static BeckonChannelPost *
outbox_pick (BeckonChannelOutbox *self, gint64 *soonest)
{
  gint64 now = beckon_clock_get_real_time (self->clock);

  *soonest = G_MAXINT64;

  for (guint i = self->posts->len; i > 0; i--)
    {
      BeckonChannelPost *post = g_ptr_array_index (self->posts, i - 1);

      if (post->state == BECKON_CHANNEL_POST_QUEUED && is_too_old (post, now))
        outbox_fail (self, post);
    }

  if (is_out_of_replies (self, now))
    return NULL;
  for (guint i = 0; i < self->posts->len; i++)
    {
      BeckonChannelPost *post = g_ptr_array_index (self->posts, i);
      gint64 earliest;
      const BeckonChannelLimits *limits;
      gint64 since;
      gint64 until;

      if (post->state != BECKON_CHANNEL_POST_QUEUED
          || (!post->is_to_stranger && g_strcmp0 (post->address, self->account->address) != 0))
        continue;
      limits = beckon_channel_adapter_get_limits (self->adapter);
      earliest = MAX (post->next_at, self->limited_until);
      since = (beckon_clock_get_monotonic_time (self->clock) - self->last_sent) / 1000;
      if (!post->is_asked_for && post->edits == NULL && beckon_channel_account_is_quiet (self->account, now, &until))
        earliest = MAX (earliest, until);
      if (self->last_sent != 0 && since < limits->interval_ms)
        earliest = MAX (earliest, now + (limits->interval_ms - since) * 1000);
      if (earliest <= now)
        return post;
      *soonest = MIN (*soonest, earliest);
    }
  return NULL;
}

static gboolean
on_waited (gpointer user_data)
{
  BeckonChannelOutbox *self = user_data;

  self->wait = 0;
  beckon_channel_outbox_wake (self);
  return G_SOURCE_REMOVE;
}

/* --- Sending ------------------------------------------------------------------------------------------------------ */

static void
store_post (BeckonChannelOutbox *self, const BeckonChannelPost *post)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  beckon_batch_put_channel_post (batch, post);
  /* This has happened already. */
  beckon_batch_keep (batch);
  beckon_store_commit_async (self->store, batch, NULL, NULL, NULL);
}

static void
drop_if_done (BeckonChannelOutbox *self, BeckonChannelPost *post)
{
  if (post->state == BECKON_CHANNEL_POST_FAILED
      || (post->state == BECKON_CHANNEL_POST_SENT && (post->request_id == NULL || post->is_closed)))
    g_ptr_array_remove (self->posts, post);
}

static void
outbox_fail (BeckonChannelOutbox *self, BeckonChannelPost *post)
{
  post->state = BECKON_CHANNEL_POST_FAILED;
  store_post (self, post);
  drop_if_done (self, post);
}

static void
put_off (BeckonChannelOutbox *self, BeckonChannelPost *post)
{
  gint64 now = beckon_clock_get_real_time (self->clock);

  post->state = is_too_old (post, now) ? BECKON_CHANNEL_POST_FAILED : BECKON_CHANNEL_POST_QUEUED;
  post->next_at = now;
}

/* The next ones wait too, so that they arrive in their order. */
static void
put_off_all (BeckonChannelOutbox *self, BeckonChannelPost *post, guint pause_ms)
{
  put_off (self, post);
  self->limited_until = beckon_clock_get_real_time (self->clock) + (gint64) pause_ms * 1000;
}

static void
note_failed (BeckonChannelOutbox *self, BeckonChannelPost *post, const GError *error)
{
  post->tries++;
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    put_off (self, post);
  else if (g_error_matches (error, BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_LIMITED))
    {
      guint pause_s = beckon_channel_error_get_pause_s (error);

      put_off_all (self, post,
                   pause_s > 0 ? MIN (pause_s, LONGEST_LIMITED_MS / 1000) * 1000
                               : beckon_channel_backoff_ms (post->tries, LIMITED_PAUSE_MS, LONGEST_LIMITED_MS));
    }
  else if (g_error_matches (error, BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_GONE) && post->edits != NULL)
    {
      /* An edit of what is gone is said in a message of its own. */
      g_clear_pointer (&post->edits, g_free);
      post->state = BECKON_CHANNEL_POST_QUEUED;
    }
  else if (g_error_matches (error, BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_REFUSED)
           || g_error_matches (error, BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_BLOCKED)
           || g_error_matches (error, BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_GONE))
    post->state = BECKON_CHANNEL_POST_FAILED;
  else
    put_off_all (self, post, beckon_channel_backoff_ms (post->tries, FIRST_PAUSE_MS, LONGEST_PAUSE_MS));
  g_free (self->problem);
  self->problem = g_strdup (error->message);
  store_post (self, post);
  drop_if_done (self, post);
  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_signal_emit (self, failed_signal, 0);
}

static void
outbox_on_sent (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Sending) sending = user_data;
  BeckonChannelOutbox *self = sending->outbox;
  g_autoptr (GError) error = NULL;
  g_autofree char *remote_id = beckon_channel_adapter_send_finish (BECKON_CHANNEL_ADAPTER (source), result, &error);
  BeckonChannelPost *post = outbox_find (self, sending->id);

  self->is_busy = FALSE;
  g_clear_object (&self->cancellable);
  self->last_sent = beckon_clock_get_monotonic_time (self->clock);
  if (post != NULL && remote_id != NULL)
    {
      g_autoptr (BeckonChannelPost) told = NULL;

      post->state = BECKON_CHANNEL_POST_SENT;
      g_free (post->remote_id);
      post->remote_id = g_steal_pointer (&remote_id);
      if (post->edits == NULL)
        self->n_since_heard++;
      g_clear_pointer (&self->problem, g_free);
      self->has_sent = TRUE;
      store_post (self, post);
      told = beckon_channel_post_copy (post);
      drop_if_done (self, post);
      g_signal_emit (self, sent_signal, 0, told);
    }
  else if (post != NULL)
    note_failed (self, post, error);
  beckon_channel_outbox_wake (self);
}

static void
on_marked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Sending) sending = user_data;
  BeckonChannelOutbox *self = sending->outbox;
  BeckonChannelPost *post = outbox_find (self, sending->id);
  g_autoptr (GError) error = NULL;
  gboolean is_stored = beckon_store_commit_finish (BECKON_STORE (source), result, &error);

  if (is_stored && post != NULL && self->account != NULL
      && beckon_channel_adapter_get_state (self->adapter) == BECKON_CHANNEL_CONNECTED)
    {
      g_autoptr (BeckonChannelOutgoing) outgoing
          = beckon_channel_outgoing_new (post->id, post->address, post->title, post->text);
      g_autoptr (JsonNode) node = NULL;
      JsonArray *labels;

      outgoing->edits = g_strdup (post->edits);
      outgoing->context = g_strdup (g_strcmp0 (post->address, self->account->address) == 0 ? self->account->context : NULL);
      outgoing->conversation_id = g_strdup (post->conversation_id);

      node = post->choices != NULL ? beckon_json_parse (post->choices, -1, NULL) : NULL;
      labels = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
      for (guint i = 0; labels != NULL && post->code != NULL && i < json_array_get_length (labels); i++)
        {
          g_autofree char *code = g_strdup_printf ("%s:%u", post->code, i);

          beckon_channel_outgoing_add_choice (outgoing, json_array_get_string_element (labels, i), code);
        }

      self->cancellable = g_cancellable_new ();
      beckon_channel_adapter_send_async (self->adapter, outgoing, self->cancellable, outbox_on_sent, sending_new (self, post));
      return;
    }
  self->is_busy = FALSE;
  if (post != NULL && !is_stored)
    note_failed (self, post, error);
  else if (post != NULL)
    post->state = BECKON_CHANNEL_POST_QUEUED;
  beckon_channel_outbox_wake (self);
}

gboolean
beckon_channel_outbox_has_sent (BeckonChannelOutbox *self)
{
  return self->has_sent;
}

void
beckon_channel_outbox_wake (BeckonChannelOutbox *self)
{
  BeckonChannelPost *post;
  gint64 soonest;

  beckon_clock_remove (self->clock, self->wait);
  self->wait = 0;
  if (self->is_busy || self->account == NULL
      || beckon_channel_adapter_get_state (self->adapter) != BECKON_CHANNEL_CONNECTED)
    return;
  post = outbox_pick (self, &soonest);
  if (post != NULL)
    {
      BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

      self->is_busy = TRUE;
      post->state = BECKON_CHANNEL_POST_SENDING;
      post->sent_at = beckon_clock_get_real_time (self->clock);
      beckon_batch_put_channel_post (batch, post);
      /* Each new one makes room, also where nothing ever comes back. */
      beckon_batch_forget_channel_posts (batch, post->channel_id, post->sent_at);
      beckon_store_commit_async (self->store, batch, NULL, on_marked, sending_new (self, post));
    }
  else
    {
      gint64 pause_ms = (soonest - beckon_clock_get_real_time (self->clock)) / 1000 + 1;

      if (soonest != G_MAXINT64)
        self->wait
            = beckon_clock_add_timeout (self->clock, (guint)CLAMP (pause_ms, 1, 60 * 60 * 1000), on_waited, self);
    }
}

/* --- For the desk ------------------------------------------------------------------------------------------------- */

void
beckon_channel_outbox_set_account (BeckonChannelOutbox *self, BeckonChannelAccount *account)
{
  beckon_channel_account_ref (account);
  g_clear_pointer (&self->account, beckon_channel_account_unref);
  self->account = account;
  if (account->heard_at > self->heard_at)
    self->n_since_heard = 0;
  self->heard_at = account->heard_at;
  beckon_channel_outbox_wake (self);
}

void
beckon_channel_outbox_load (BeckonChannelOutbox *self, BeckonChannelAccount *account, GPtrArray *posts)
{
  g_ptr_array_set_size (self->posts, 0);
  for (guint i = 0; i < posts->len; i++)
    {
      BeckonChannelPost *post = beckon_channel_post_copy (g_ptr_array_index (posts, i));

      if (post->state == BECKON_CHANNEL_POST_SENDING)
        post->state = BECKON_CHANNEL_POST_QUEUED;
      g_ptr_array_add (self->posts, post);
    }
  beckon_channel_outbox_set_account (self, account);
}

void
beckon_channel_outbox_take (BeckonChannelOutbox *self, BeckonChannelPost *post)
{
  g_ptr_array_add (self->posts, post);
  beckon_channel_outbox_wake (self);
}

GPtrArray *
beckon_channel_outbox_list_asking (BeckonChannelOutbox *self, const char *request_id)
{
  GPtrArray *asking = g_ptr_array_new ();

  for (guint i = 0; i < self->posts->len; i++)
    {
      BeckonChannelPost *post = g_ptr_array_index (self->posts, i);

      if (post->request_id != NULL && !post->is_closed && (request_id == NULL || strcmp (post->request_id, request_id) == 0))
        g_ptr_array_add (asking, post);
    }
  return asking;
}

void
beckon_channel_outbox_close (BeckonChannelOutbox *self, BeckonChannelPost *post)
{
  if (post->request_id != NULL)
    {
      /* Pieces in front of a question that is not asked any more. */
      for (guint i = self->posts->len; i > 0; i--)
        {
          BeckonChannelPost *other = g_ptr_array_index (self->posts, i - 1);

          if (other->state == BECKON_CHANNEL_POST_QUEUED && other->is_closed
              && g_strcmp0 (other->request_id, post->request_id) == 0)
            outbox_fail (self, other);
        }
    }
  post->is_closed = TRUE;
  if (post->state == BECKON_CHANNEL_POST_QUEUED)
    post->state = BECKON_CHANNEL_POST_FAILED;
  drop_if_done (self, post);
}

guint
beckon_channel_outbox_count_queued (BeckonChannelOutbox *self)
{
  guint n = 0;

  g_return_val_if_fail (BECKON_IS_CHANNEL_OUTBOX (self), 0);

  for (guint i = 0; i < self->posts->len; i++)
    {
      BeckonChannelPost *post = g_ptr_array_index (self->posts, i);

      n += post->state == BECKON_CHANNEL_POST_QUEUED || post->state == BECKON_CHANNEL_POST_SENDING;
    }
  return n;
}

const char *
beckon_channel_outbox_get_problem (BeckonChannelOutbox *self)
{
  g_return_val_if_fail (BECKON_IS_CHANNEL_OUTBOX (self), NULL);

  return self->problem;
}

void
beckon_channel_outbox_stop (BeckonChannelOutbox *self)
{
  beckon_clock_remove (self->clock, self->wait);
  self->wait = 0;
  g_clear_pointer (&self->account, beckon_channel_account_unref);
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
}

static void
beckon_channel_outbox_dispose (GObject *object)
{
  BeckonChannelOutbox *self = BECKON_CHANNEL_OUTBOX (object);

  if (self->clock != NULL)
    beckon_channel_outbox_stop (self);
  g_clear_object (&self->store);
  g_clear_object (&self->adapter);
  g_clear_object (&self->clock);
  g_clear_object (&self->cancellable);
  G_OBJECT_CLASS (beckon_channel_outbox_parent_class)->dispose (object);
}

static void
beckon_channel_outbox_finalize (GObject *object)
{
  BeckonChannelOutbox *self = BECKON_CHANNEL_OUTBOX (object);

  g_ptr_array_unref (self->posts);
  g_free (self->problem);
  G_OBJECT_CLASS (beckon_channel_outbox_parent_class)->finalize (object);
}

static void
beckon_channel_outbox_class_init (BeckonChannelOutboxClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_channel_outbox_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_channel_outbox_finalize;
  sent_signal = g_signal_new ("sent", BECKON_TYPE_CHANNEL_OUTBOX, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                              G_TYPE_POINTER);
  failed_signal = g_signal_new ("failed", BECKON_TYPE_CHANNEL_OUTBOX, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
beckon_channel_outbox_init (BeckonChannelOutbox *self)
{
  self->posts = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_channel_post_free);
}

BeckonChannelOutbox *
beckon_channel_outbox_new (BeckonStore *store, BeckonChannelAdapter *adapter, BeckonClock *clock)
{
  BeckonChannelOutbox *self;

  self = g_object_new (BECKON_TYPE_CHANNEL_OUTBOX, NULL);
  self->store = g_object_ref (store);
  self->adapter = g_object_ref (adapter);
  self->clock = g_object_ref (clock);
  return self;
}
