/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-channels.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "base/beckon-id.h"
#include "base/beckon-json.h"
#include "base/beckon-text-printf.h"
#include "beckon-config.h"
#include "library/beckon-followed-list.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The accounts of text channels as they are stored, by name. */
#define BECKON_TYPE_CHANNEL_LIST (beckon_channel_list_get_type ())
G_DECLARE_FINAL_TYPE (BeckonChannelList, beckon_channel_list, BECKON, CHANNEL_LIST, BeckonFollowedList)

struct _BeckonChannelList
{
  BeckonFollowedList parent_instance;
};

G_DEFINE_FINAL_TYPE (BeckonChannelList, beckon_channel_list, BECKON_TYPE_FOLLOWED_LIST)

static void
beckon_channel_list_class_init (BeckonChannelListClass *klass)
{
  BeckonFollowedListClass *list_class = BECKON_FOLLOWED_LIST_CLASS (klass);

  list_class->list_async = beckon_store_list_channels_async;
  list_class->list_finish = beckon_store_list_channels_finish;
}

static void
beckon_channel_list_init (BeckonChannelList *self)
{
}

static BeckonChannelList *
beckon_channel_list_new (BeckonStore *store)
{
  BeckonChannelList *self;

  self = g_object_new (BECKON_TYPE_CHANNEL_LIST, NULL);
  beckon_followed_list_set_store (BECKON_FOLLOWED_LIST (self), store);
  return self;
}

/* How often it is looked whether the process that serves an account is still there. */
#define TAKE_OVER_MS (10 * 1000)

struct _BeckonChannels
{
  GObject parent_instance;

  BeckonChannelParts parts;
  BeckonChannelList *list;
  GPtrArray *rows; /* Row, by name */
  gboolean is_serving;
  guint take_over; /* a timeout of the clock */
  char *watched;
};

typedef struct
{
  BeckonChannel *channel;
  BeckonChannelDesk *desk; /* (nullable): this build does not know its kind */
  gboolean is_alone;       /* served whether the others are or not */
} Row;

static void beckon_channels_model_init (GListModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (BeckonChannels,
                               beckon_channels,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, beckon_channels_model_init))

static void
row_free (gpointer data)
{
  Row *row = data;

  beckon_channel_unserve (row->channel);
  g_clear_object (&row->desk);
  g_object_unref (row->channel);
  g_free (row);
}

static GType
channels_get_item_type (GListModel *model)
{
  return BECKON_TYPE_CHANNEL;
}

static guint
channels_get_n_items (GListModel *model)
{
  return BECKON_CHANNELS (model)->rows->len;
}

static gpointer
channels_get_item (GListModel *model, guint position)
{
  GPtrArray *rows = BECKON_CHANNELS (model)->rows;

  return position < rows->len ? g_object_ref (((Row *)g_ptr_array_index (rows, position))->channel) : NULL;
}

static void
beckon_channels_model_init (GListModelInterface *iface)
{
  iface->get_item_type = channels_get_item_type;
  iface->get_n_items = channels_get_n_items;
  iface->get_item = channels_get_item;
}

static BeckonChannelAccount *
channels_get_account (const Row *row)
{
  return beckon_channel_get_account (row->channel);
}

static Row *
find_row (BeckonChannels *self, const char *id, guint *position)
{
  for (guint i = 0; i < self->rows->len; i++)
    {
      Row *row = g_ptr_array_index (self->rows, i);

      if (strcmp (channels_get_account (row)->id, id) == 0)
        {
          if (position != NULL)
            *position = i;
          return row;
        }
    }
  return NULL;
}

/* --- Serving ------------------------------------------------------------------------------------------------------ */

static gboolean
on_take_over (gpointer user_data)
{
  BeckonChannels *self = user_data;

  for (guint i = 0; i < self->rows->len; i++)
    {
      Row *row = g_ptr_array_index (self->rows, i);

      if (channels_get_account (row)->is_on)
        beckon_channel_serve (row->channel);
    }
  return G_SOURCE_CONTINUE;
}

/* A timeout is there only while something may have to be taken over. */
static void
update_take_over (BeckonChannels *self)
{
  gboolean is_wanted = FALSE;

  for (guint i = 0; self->is_serving && i < self->rows->len; i++)
    {
      Row *row = g_ptr_array_index (self->rows, i);

      is_wanted |= channels_get_account (row)->is_on && row->desk != NULL && !beckon_channel_is_served (row->channel);
    }
  if (is_wanted && self->take_over == 0)
    self->take_over = beckon_clock_add_timeout (self->parts.clock, TAKE_OVER_MS, on_take_over, self);
  else if (!is_wanted)
    {
      beckon_clock_remove (self->parts.clock, self->take_over);
      self->take_over = 0;
    }
}

static void
serve (BeckonChannels *self, Row *row)
{
  if ((self->is_serving || row->is_alone) && channels_get_account (row)->is_on)
    beckon_channel_serve (row->channel);
  else
    beckon_channel_unserve (row->channel);
}

void
beckon_channels_set_serving (BeckonChannels *self, gboolean is_serving)
{
  g_return_if_fail (BECKON_IS_CHANNELS (self));

  self->is_serving = is_serving;
  for (guint i = 0; i < self->rows->len; i++)
    serve (self, g_ptr_array_index (self->rows, i));
  update_take_over (self);
}

void
beckon_channels_serve_alone (BeckonChannels *self, BeckonChannel *channel)
{
  Row *row;

  g_return_if_fail (BECKON_IS_CHANNELS (self));
  g_return_if_fail (BECKON_IS_CHANNEL (channel));

  row = find_row (self, beckon_channel_get_account (channel)->id, NULL);
  g_return_if_fail (row != NULL);
  row->is_alone = TRUE;
  beckon_channel_serve (channel);
}

void
beckon_channels_set_watched (BeckonChannels *self, const char *conversation_id)
{
  g_return_if_fail (BECKON_IS_CHANNELS (self));

  g_free (self->watched);
  self->watched = g_strdup (conversation_id);
  for (guint i = 0; i < self->rows->len; i++)
    {
      Row *row = g_ptr_array_index (self->rows, i);

      if (row->desk != NULL)
        beckon_channel_desk_set_watched (row->desk, conversation_id);
    }
}

/* --- Following the store ------------------------------------------------------------------------------------------ */

static void
on_stale (BeckonChannel *channel, BeckonChannels *self)
{
  beckon_followed_list_reload (BECKON_FOLLOWED_LIST (self->list));
}

static void
on_served_changed (BeckonChannel *channel, BeckonChannels *self)
{
  update_take_over (self);
}

/* Other settings of its kind need a new start. */
static void
update_row (BeckonChannels *self, Row *row, BeckonChannelAccount *account)
{
  g_autofree char *config = g_strdup (channels_get_account (row)->config);

  /* The account is listed again when the store has what the channel has. */
  if (!beckon_channel_take_listed (row->channel, account))
    return;
  if (strcmp (config, account->config) != 0)
    beckon_channel_unserve (row->channel);
  serve (self, row);
}

static gboolean
channels_is_listed (GPtrArray *accounts, const char *id)
{
  for (guint i = 0; i < accounts->len; i++)
    if (strcmp (((BeckonChannelAccount *)g_ptr_array_index (accounts, i))->id, id) == 0)
      return TRUE;
  return FALSE;
}

/* A renamed account may stand at another place. */
static void
place_row (BeckonChannels *self, BeckonChannelAccount *account, guint position)
{
  guint old = 0;
  Row *row = find_row (self, account->id, &old);

  if (row != NULL && old == position)
    {
      update_row (self, row, account);
      return;
    }
  if (row != NULL)
    {
      row = g_ptr_array_steal_index (self->rows, old);
      g_list_model_items_changed (G_LIST_MODEL (self), old, 1, 0);
    }
  else
    {
      row = g_new0 (Row, 1);

      row->channel = beckon_channel_new (self->parts.store, self->parts.secrets, self->parts.clock, account);
      if (beckon_channel_get_adapter (row->channel) != NULL)
        row->desk = beckon_channel_desk_new (row->channel, &self->parts);
      if (row->desk != NULL)
        beckon_channel_desk_set_watched (row->desk, self->watched);
      g_signal_connect_object (row->channel, "stale", G_CALLBACK (on_stale), self, 0);
      g_signal_connect_object (row->channel, "served", G_CALLBACK (on_served_changed), self, 0);
      g_signal_connect_object (row->channel, "unserved", G_CALLBACK (on_served_changed), self, 0);
    }
  g_ptr_array_insert (self->rows, (int)position, row);
  g_list_model_items_changed (G_LIST_MODEL (self), position, 0, 1);
  update_row (self, row, account);
}

static void
on_list_changed (BeckonFollowedList *list, BeckonChannels *self)
{
  g_autoptr (GPtrArray) accounts = g_ptr_array_ref (beckon_followed_list_get_snapshot (list));

  for (guint i = self->rows->len; i > 0; i--)
    if (!channels_is_listed (accounts, channels_get_account (g_ptr_array_index (self->rows, i - 1))->id))
      {
        Row *row = g_ptr_array_steal_index (self->rows, i - 1);

        /* Its end calls out, when it is no longer in the list. */
        g_list_model_items_changed (G_LIST_MODEL (self), i - 1, 1, 0);
        row_free (row);
      }

  for (guint i = 0; i < accounts->len; i++)
    place_row (self, g_ptr_array_index (accounts, i), i);
  update_take_over (self);
}

static void
channels_on_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (beckon_followed_list_load_finish (BECKON_FOLLOWED_LIST (source), result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
beckon_channels_load_async (BeckonChannels *self,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_return_if_fail (BECKON_IS_CHANNELS (self));

  g_task_set_source_tag (task, beckon_channels_load_async);
  beckon_followed_list_load_async (BECKON_FOLLOWED_LIST (self->list), cancellable, channels_on_loaded, g_object_ref (task));
}

BECKON_FINISH_BOOLEAN (beckon_channels_load, BeckonChannels)

BeckonChannel *
beckon_channels_find (BeckonChannels *self, const char *name)
{
  g_return_val_if_fail (BECKON_IS_CHANNELS (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  for (guint i = 0; i < self->rows->len; i++)
    {
      Row *row = g_ptr_array_index (self->rows, i);

      if (strcmp (channels_get_account (row)->name, name) == 0 || strcmp (channels_get_account (row)->id, name) == 0)
        return row->channel;
    }
  return NULL;
}

/* --- Changing them ------------------------------------------------------------------------------------------------ */

typedef struct
{
  BeckonChannelAccount *account;
  char *code;
  gboolean has_secret;
} Change;

static void
channels_change_free (gpointer data)
{
  Change *change = data;

  beckon_channel_account_unref (change->account);
  g_free (change->code);
  g_free (change);
}

static GTask *
change_new (BeckonChannels *self,
            BeckonChannelAccount *account,
            gpointer tag,
            GCancellable *cancellable,
            GAsyncReadyCallback callback,
            gpointer user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);
  Change *change = g_new0 (Change, 1);

  change->account = beckon_channel_account_ref (account);
  g_task_set_task_data (task, change, channels_change_free);
  g_task_set_source_tag (task, tag);
  return task;
}

/* The list has it before the caller hears of it. */
static void
channels_on_changed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (beckon_followed_list_commit_finish (BECKON_FOLLOWED_LIST (source), result, &error))
    beckon_followed_list_load_async (BECKON_FOLLOWED_LIST (source), NULL, channels_on_loaded, g_object_ref (task));
  else
    g_task_return_error (task, error);
}

/* @batch: (transfer full) */
static void
commit (GTask *task, BeckonBatch *batch)
{
  BeckonChannels *self = g_task_get_source_object (task);

  beckon_followed_list_commit_async (BECKON_FOLLOWED_LIST (self->list), batch, g_task_get_cancellable (task),
                                     channels_on_changed, g_object_ref (task));
}

static void
store_account (GTask *task)
{
  BeckonChannels *self = g_task_get_source_object (task);
  BeckonChannelAccount *account = ((Change *)g_task_get_task_data (task))->account;
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  beckon_batch_put_channel (batch, account);
  /* The person who entered the server is the one: a code could not come back. */
  if (beckon_channel_kind_find (account->kind)->is_one_way)
    beckon_batch_set_channel_peer (batch, account->id, account->kind, beckon_clock_get_real_time (self->parts.clock));
  commit (task, batch);
}

static void
on_secret_stored (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (beckon_secrets_store_finish (BECKON_SECRETS (source), result, &error))
    store_account (task);
  else
    g_task_return_error (task, error);
}

static JsonObject *
channels_check (const BeckonChannelAccount *account, const BeckonChannelKind *kind, GError **error)
{
  g_autoptr (JsonObject) config = beckon_json_parse_object (account->config, -1, error);

  if (config == NULL || !beckon_channel_account_check (account, error))
    return NULL;
  if (kind == NULL)
    {
      beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                             _("This build of Beckon has no channels of the kind “%s”."), account->kind);
      return NULL;
    }
  return beckon_channel_kind_check (kind, config, error) ? g_steal_pointer (&config) : NULL;
}

/* Without one, the account of before keeps its own. */
static gboolean
check_secret (const BeckonChannelKind *kind, gboolean is_new, const char *secret, GError **error)
{
  return kind->check_secret == NULL || (secret == NULL && !is_new) || kind->check_secret (secret, error);
}

void
beckon_channels_save_async (BeckonChannels *self,
                            BeckonChannelAccount *account,
                            const char *secret,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  g_autoptr (BeckonChannelAccount) whole = NULL;
  g_autoptr (GTask) task = NULL;
  g_autoptr (JsonObject) config = NULL;
  const BeckonChannelKind *kind;
  GError *error = NULL;

  g_return_if_fail (BECKON_IS_CHANNELS (self));
  g_return_if_fail (account != NULL);

  whole = beckon_channel_account_copy (account);
  if (whole->id == NULL)
    {
      whole->id = beckon_id_new ();
      whole->created_at = beckon_clock_get_real_time (self->parts.clock);
    }
  task = change_new (self, whole, beckon_channels_save_async, cancellable, callback, user_data);
  kind = beckon_channel_kind_find (whole->kind);
  config = channels_check (whole, kind, &error);
  if (config == NULL || !check_secret (kind, account->id == NULL, secret, &error))
    g_task_return_error (task, error);
  else if (secret != NULL)
    {
      Change *change = g_task_get_task_data (task);
      g_autoptr (BeckonChannelAdapter) adapter = beckon_channel_kind_make_adapter (kind);
      g_autofree char *server = beckon_channel_adapter_dup_server (adapter, config);
      g_autofree char *id = beckon_channel_dup_secret_id (change->account);
      g_autofree char *label = beckon_text_printf (_("Beckon: channel %s"), change->account->name);

      change->has_secret = TRUE;
      /* A password may have spaces; adapters whose secret becomes part of a request check it themselves. */
      beckon_secrets_store_line_async (self->parts.secrets, id, server, label, secret, g_task_get_cancellable (task),
                                       on_secret_stored, g_object_ref (task));
    }
  else
    store_account (task);
}

BeckonChannel *
beckon_channels_save_finish (BeckonChannels *self, GAsyncResult *result, GError **error)
{
  Change *change;
  Row *row;

  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_channels_save_async), NULL);

  if (!g_task_propagate_boolean (G_TASK (result), error))
    return NULL;
  change = g_task_get_task_data (G_TASK (result));
  row = find_row (self, change->account->id, NULL);
  if (row == NULL)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND, _("This channel is off, or was removed."));
      return NULL;
    }
  /* The adapter has the old one. */
  if (change->has_secret && beckon_channel_is_served (row->channel))
    {
      beckon_channel_unserve (row->channel);
      serve (self, row);
    }
  return row->channel;
}

static void
on_secret_removed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  BeckonBatch *batch;

  /* Without a keyring there is no secret either. */
  if (!beckon_secrets_store_finish (BECKON_SECRETS (source), result, &error))
    g_message ("the secret of a channel may stay in the keyring: %s", error->message);
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_batch_delete_channel (batch, ((Change *)g_task_get_task_data (task))->account->id);
  commit (task, batch);
}

void
beckon_channels_remove_async (BeckonChannels *self,
                              BeckonChannel *channel,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  g_autofree char *id = NULL;

  g_return_if_fail (BECKON_IS_CHANNELS (self));
  g_return_if_fail (BECKON_IS_CHANNEL (channel));

  task = change_new (self, beckon_channel_get_account (channel), beckon_channels_remove_async, cancellable, callback,
                     user_data);
  id = beckon_channel_dup_secret_id (beckon_channel_get_account (channel));
  beckon_channel_unserve (channel);
  beckon_secrets_store_async (self->parts.secrets, id, NULL, "", NULL, cancellable, on_secret_removed,
                              g_object_ref (task));
}

BECKON_FINISH_BOOLEAN (beckon_channels_remove, BeckonChannels)

void
beckon_channels_pair_async (BeckonChannels *self,
                            BeckonChannel *channel,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Change *change;
  BeckonBatch *batch;

  g_return_if_fail (BECKON_IS_CHANNELS (self));
  g_return_if_fail (BECKON_IS_CHANNEL (channel));

  task = change_new (self, beckon_channel_get_account (channel), beckon_channels_pair_async, cancellable, callback,
                     user_data);
  change = g_task_get_task_data (task);
  change->code = beckon_channel_account_make_code ();
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_batch_offer_pairing (batch, change->account->id, change->code,
                              beckon_clock_get_real_time (self->parts.clock)
                              + (gint64)BECKON_CHANNEL_PAIR_S * G_USEC_PER_SEC);
  commit (task, batch);
}

char *
beckon_channels_pair_finish (BeckonChannels *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_channels_pair_async), NULL);

  if (!g_task_propagate_boolean (G_TASK (result), error))
    return NULL;
  return g_strdup (((Change *)g_task_get_task_data (G_TASK (result)))->code);
}

void
beckon_channels_unpair_async (BeckonChannels *self,
                              BeckonChannel *channel,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  BeckonBatch *batch;

  g_return_if_fail (BECKON_IS_CHANNELS (self));
  g_return_if_fail (BECKON_IS_CHANNEL (channel));

  task = change_new (self, beckon_channel_get_account (channel), beckon_channels_unpair_async, cancellable, callback,
                     user_data);
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_batch_unpair_channel (batch, beckon_channel_get_account (channel)->id);
  commit (task, batch);
}

BECKON_FINISH_BOOLEAN (beckon_channels_unpair, BeckonChannels)

gboolean
beckon_channels_test (BeckonChannels *self, BeckonChannel *channel, GError **error)
{
  Row *row;

  g_return_val_if_fail (BECKON_IS_CHANNELS (self), FALSE);
  g_return_val_if_fail (BECKON_IS_CHANNEL (channel), FALSE);

  row = find_row (self, beckon_channel_get_account (channel)->id, NULL);
  if (row != NULL && row->desk != NULL
      && beckon_channel_desk_send_test (row->desk, _("This is a test from Beckon. It works.")))
    return TRUE;
  if (beckon_channel_get_account (channel)->address == NULL)
    g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, _("Nobody is paired with this channel yet."));
  else
    g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, _("This channel is not served here."));
  return FALSE;
}

/* --- The object --------------------------------------------------------------------------------------------------- */

static void
beckon_channels_dispose (GObject *object)
{
  BeckonChannels *self = BECKON_CHANNELS (object);
  g_autoptr (GPtrArray) rows = NULL;

  self->is_serving = FALSE;
  beckon_clock_remove (self->parts.clock, self->take_over);
  self->take_over = 0;
  rows = g_steal_pointer (&self->rows);
  self->rows = g_ptr_array_new ();
  g_clear_object (&self->list);
  G_OBJECT_CLASS (beckon_channels_parent_class)->dispose (object);
}

static void
beckon_channels_finalize (GObject *object)
{
  BeckonChannels *self = BECKON_CHANNELS (object);

  g_ptr_array_unref (self->rows);
  g_free (self->watched);
  G_OBJECT_CLASS (beckon_channels_parent_class)->finalize (object);
}

static void
beckon_channels_class_init (BeckonChannelsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_channels_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_channels_finalize;
}

static void
beckon_channels_init (BeckonChannels *self)
{
  self->rows = g_ptr_array_new_with_free_func (row_free);
}

BeckonChannels *
beckon_channels_new (const BeckonChannelParts *parts)
{
  BeckonChannels *self;

  g_return_val_if_fail (parts != NULL, NULL);

  self = g_object_new (BECKON_TYPE_CHANNELS, NULL);
  self->parts = *parts;
  self->list = beckon_channel_list_new (parts->store);
  g_signal_connect_object (self->list, "changed", G_CALLBACK (on_list_changed), self, 0);
  return self;
}

BeckonChannels *
beckon_channels_new_of (BeckonRuntime *runtime)
{
  const BeckonChannelParts parts = {
    .store = beckon_runtime_get_store (runtime),
    .inbox = beckon_runtime_get_inbox (runtime),
    .library = beckon_runtime_get_library (runtime),
    .profiles = beckon_runtime_get_profiles (runtime),
    .agent = beckon_runtime_get_agent (runtime),
    .secrets = beckon_runtime_get_secrets (runtime),
    .clock = beckon_clock_get_system (),
  };

  return beckon_channels_new (&parts);
}
