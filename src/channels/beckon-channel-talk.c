/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-channel-talk.h"

#include "attach/beckon-attacher.h"
#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "channels/beckon-channel-text.h"
#include "domain/beckon-message.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Phones show "typing" for some seconds. */
#define TYPING_MS 4000

struct _BeckonChannelTalk
{
  GObject parent_instance;

  BeckonChannel *channel;
  BeckonChannelParts parts;
  gboolean is_telling;
  BeckonConversation *conversation; /* (nullable): followed as the account's */
  GHashTable *followed;             /* (element-type BeckonConversation): others, until the end of their turn */
  char *watched;                    /* (nullable) */
  GCancellable *fetching;          /* (nullable): files of what came */
  char *asked_id;                   /* (nullable): the last message that came from the peer */
  guint typing;                     /* a timeout of the clock */
  gboolean was_busy;
};

G_DEFINE_FINAL_TYPE (BeckonChannelTalk, beckon_channel_talk, G_TYPE_OBJECT)

static BeckonChannelAccount *
channel_talk_get_account (BeckonChannelTalk *self)
{
  return beckon_channel_get_account (self->channel);
}

BeckonConversation *
beckon_channel_talk_get_conversation (BeckonChannelTalk *self)
{
  const char *id;

  id = channel_talk_get_account (self)->conversation_id;
  return id != NULL ? beckon_library_lookup (self->parts.library, id) : NULL;
}

/* --- What the agent says ------------------------------------------------------------------------------------------ */

/* The last message of a turn that says something; (nullable). */
static BeckonMessage *
find_last (BeckonConversation *conversation)
{
  for (guint i = beckon_conversation_get_n_messages (conversation); i > 0; i--)
    {
      BeckonMessage *message = beckon_conversation_get_message (conversation, i - 1);
      g_autofree char *text = NULL;

      if (beckon_message_get_role (message) == BECKON_ROLE_USER)
        return NULL;
      text = beckon_message_get_role (message) == BECKON_ROLE_ASSISTANT ? beckon_message_dup_text (message) : NULL;
      if (text != NULL && *text != '\0')
        return message;
    }
  return NULL;
}

/* (nullable): nothing has to be told of. */
static char *
dup_end (BeckonConversation *conversation, BeckonMessage *last)
{
  const char *detail = beckon_conversation_get_detail (conversation);
  g_autofree char *shown = beckon_text_for_display (detail, -1, BECKON_TEXT_MARKED);

  switch (beckon_conversation_get_phase (conversation))
    {
    case BECKON_RUN_COMPLETE:
      return last != NULL ? beckon_message_dup_text (last) : NULL;
    case BECKON_RUN_STOPPED:
    case BECKON_RUN_DISMISSED:
    case BECKON_RUN_ASKED:
      return NULL;
    case BECKON_RUN_FAILED:
      return beckon_text_printf (_("This turn failed: %s"), *shown != '\0' ? shown : _("no reason was given."));
    case BECKON_RUN_ROUND_LIMIT:
      return g_strdup (_("The turn ended at its limit of steps. Write something to go on."));
    case BECKON_RUN_LENGTH:
    case BECKON_RUN_CUT_OFF:
    case BECKON_RUN_PAUSED:
    case BECKON_RUN_REFUSED:
    case BECKON_RUN_FILTERED:
      return beckon_text_printf (_("The reply ended early. %s"), shown);
    case BECKON_RUN_QUEUED:
    case BECKON_RUN_REQUESTING:
    case BECKON_RUN_RETRY_WAIT:
    case BECKON_RUN_RECEIVING:
    case BECKON_RUN_CALLING:
    case BECKON_RUN_WAITING:
    default:
      return NULL;
    }
}

static const char *
get_title (BeckonRunPhase phase)
{
  switch (phase)
    {
    case BECKON_RUN_FAILED:
      return _("The turn failed");
    case BECKON_RUN_ROUND_LIMIT:
    case BECKON_RUN_LENGTH:
    case BECKON_RUN_CUT_OFF:
    case BECKON_RUN_PAUSED:
    case BECKON_RUN_REFUSED:
    case BECKON_RUN_FILTERED:
      return _("The turn ended early");
    case BECKON_RUN_COMPLETE:
    case BECKON_RUN_STOPPED:
    case BECKON_RUN_DISMISSED:
    case BECKON_RUN_ASKED:
    case BECKON_RUN_QUEUED:
    case BECKON_RUN_REQUESTING:
    case BECKON_RUN_RETRY_WAIT:
    case BECKON_RUN_RECEIVING:
    case BECKON_RUN_CALLING:
    case BECKON_RUN_WAITING:
    default:
      return _("The agent is done");
    }
}

/* Turns that the desktop began were not asked for here. Answers to earlier questions begin none. */
static gboolean
is_asked_for (BeckonChannelTalk *self, BeckonConversation *conversation)
{
  for (guint i = beckon_conversation_get_n_messages (conversation); i > 0; i--)
    {
      BeckonMessage *message = beckon_conversation_get_message (conversation, i - 1);

      if (beckon_message_get_role (message) == BECKON_ROLE_USER && beckon_late_message_get_request_id (message) == NULL)
        return g_strcmp0 (beckon_message_get_id (message), self->asked_id) == 0;
    }
  return FALSE;
}

typedef struct
{
  BeckonChannelTalk *talk;
  GPtrArray *posts; /* BeckonChannelPost */
  gboolean is_noted;
} Telling;

static void
on_told (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Telling *telling = user_data;
  g_autoptr (GError) error = NULL;

  if (!beckon_store_commit_finish (BECKON_STORE (source), result, &error))
    g_message ("the end of a turn could not be stored for a channel: %s", error->message);
  else if (telling->talk->is_telling)
    for (guint i = 0; i < telling->posts->len; i++)
      beckon_channel_outbox_take (beckon_channel_get_outbox (telling->talk->channel),
                                  beckon_channel_post_copy (g_ptr_array_index (telling->posts, i)));
  if (telling->is_noted)
    beckon_channel_end_change (telling->talk->channel);
  g_ptr_array_unref (telling->posts);
  g_object_unref (telling->talk);
  g_free (telling);
}

/* Told and noted as told in one transaction. @ended: just now, so that it can't have been told. */
static void
channel_talk_tell (BeckonChannelTalk *self, BeckonConversation *conversation, gboolean ended)
{
  g_autofree char *text = dup_end (conversation, find_last (conversation));
  /* Names an end, also that of a turn in which nothing was said; (nullable): there are no messages. */
  guint n = beckon_conversation_get_n_messages (conversation);
  g_autofree char *end_id
      = n > 0 ? g_strdup_printf ("%s %s", beckon_message_get_id (beckon_conversation_get_message (conversation, n - 1)),
                                 beckon_run_phase_to_string (beckon_conversation_get_phase (conversation)))
              : NULL;
  const char *id = beckon_conversation_get_id (conversation);
  gboolean is_own = g_strcmp0 (id, channel_talk_get_account (self)->conversation_id) == 0;
  BeckonBatch *batch;
  Telling *telling;

  if (channel_talk_get_account (self)->address == NULL || beckon_conversation_get_temporary (conversation)
      || (is_own && !ended && (end_id == NULL || g_strcmp0 (end_id, channel_talk_get_account (self)->told_id) == 0)))
    return;
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  telling = g_new0 (Telling, 1);
  telling->talk = g_object_ref (self);
  telling->posts = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_channel_post_free);
  if (text != NULL && g_strcmp0 (self->watched, id) != 0)
    {
      BeckonChannelAccount *account = channel_talk_get_account (self);
      const BeckonChannelLimits *limits = beckon_channel_adapter_get_limits (beckon_channel_get_adapter (self->channel));
      g_auto (GStrv) pieces = beckon_channel_text_split (text, limits);

      for (guint i = 0; pieces[i] != NULL; i++)
        {
          BeckonChannelPost *post = beckon_channel_post_new (account->id, account->address,
                                                             get_title (beckon_conversation_get_phase (conversation)),
                                                             pieces[i], beckon_clock_get_real_time (self->parts.clock));

          post->conversation_id = g_strdup (beckon_conversation_get_id (conversation));
          post->is_asked_for = is_asked_for (self, conversation);
          beckon_batch_put_channel_post (batch, post);
          g_ptr_array_add (telling->posts, post);
        }
    }
  if (is_own && end_id != NULL)
    {
      g_autoptr (BeckonChannelAccount) account = NULL;

      beckon_batch_set_channel_told (batch, channel_talk_get_account (self)->id, end_id);

      account = beckon_channel_account_copy (channel_talk_get_account (self));
      g_free (account->told_id);
      account->told_id = g_strdup (end_id);
      beckon_channel_begin_change (self->channel, account);

      telling->is_noted = TRUE;
    }
  beckon_store_commit_async (self->parts.store, batch, NULL, on_told, telling);
}

typedef struct
{
  BeckonChannelTalk *talk;
  BeckonConversation *conversation;
  gboolean ended;
} Reading;

static void
channel_talk_reading_free (Reading *reading)
{
  g_object_unref (reading->talk);
  g_object_unref (reading->conversation);
  g_free (reading);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Reading, channel_talk_reading_free)

static gboolean
is_at_rest (Reading *reading)
{
  return reading->talk->is_telling && !beckon_conversation_is_busy (reading->conversation);
}

static void
channel_talk_on_resumed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!beckon_agent_send_queued_finish (BECKON_AGENT (source), result, &error))
    g_message ("a message of a channel was not sent: %s", error->message);
}

static void
on_accepted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Reading) reading = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *item_id = beckon_store_find_accepted_finish (BECKON_STORE (source), result, &error);
  BeckonChannelTalk *self = reading->talk;

  if (error != NULL)
    g_message ("what a channel has queued could not be read: %s", error->message);
  if (item_id == NULL || !is_at_rest (reading)
      || beckon_conversation_find_queued (reading->conversation, item_id) == NULL)
    return;
  g_free (self->asked_id);
  self->asked_id = g_strdup (item_id);
  beckon_agent_send_queued_async (self->parts.agent, reading->conversation, item_id, NULL, channel_talk_on_resumed, NULL);
}

static void
channel_talk_on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Reading) reading = user_data;

  if (!beckon_library_open_finish (BECKON_LIBRARY (source), result, NULL) || !is_at_rest (reading))
    return;
  channel_talk_tell (reading->talk, reading->conversation, reading->ended);
  if (!reading->ended)
    {
      BeckonChannelTalk *self = reading->talk;
      GListModel *queue = G_LIST_MODEL (beckon_conversation_get_queue (reading->conversation));
      Reading *again;

      /* A message that was accepted when the process ended lies in the queue, and no end of a turn will come to send it. What
       * the desktop queued, and what was behind a turn that was stopped, is left to the person. */
      if (g_list_model_get_n_items (queue) == 0 || beckon_conversation_get_phase (reading->conversation) == BECKON_RUN_STOPPED)
        return;
      again = g_new (Reading, 1);
      again->talk = g_object_ref (self);
      again->conversation = g_object_ref (reading->conversation);
      again->ended = FALSE;
      beckon_store_find_accepted_async (self->parts.store, channel_talk_get_account (self)->id,
                                        beckon_conversation_get_id (reading->conversation), NULL, on_accepted, again);
    }
}

static void
read_and_tell (BeckonChannelTalk *self, BeckonConversation *conversation, gboolean ended)
{
  Reading *reading = g_new (Reading, 1);

  reading->talk = g_object_ref (self);
  reading->conversation = g_object_ref (conversation);
  reading->ended = ended;
  beckon_library_open_async (self->parts.library, conversation, NULL, channel_talk_on_read, reading);
}

/* --- Typing ------------------------------------------------------------------------------------------------------- */

static void
show_typing (BeckonChannelTalk *self, gboolean is_typing)
{
  BeckonChannelAccount *account = channel_talk_get_account (self);

  if (account->address != NULL)
    beckon_channel_adapter_type (beckon_channel_get_adapter (self->channel), account->address, account->context, is_typing);
}

static gboolean
is_working (BeckonConversation *conversation)
{
  return conversation != NULL && beckon_conversation_is_busy (conversation)
         && beckon_conversation_get_phase (conversation) != BECKON_RUN_WAITING;
}

static gboolean
on_typing (gpointer user_data)
{
  BeckonChannelTalk *self = user_data;

  if (is_working (self->conversation))
    {
      show_typing (self, TRUE);
      return G_SOURCE_CONTINUE;
    }
  self->typing = 0;
  show_typing (self, FALSE);
  return G_SOURCE_REMOVE;
}

static void
begin_typing (BeckonChannelTalk *self)
{
  const BeckonChannelLimits *limits = beckon_channel_adapter_get_limits (beckon_channel_get_adapter (self->channel));

  if (!limits->can_type || self->typing != 0)
    return;
  show_typing (self, TRUE);
  self->typing = beckon_clock_add_timeout (self->parts.clock, TYPING_MS, on_typing, self);
}

/* --- Following ---------------------------------------------------------------------------------------------------- */

static void
channel_talk_on_phase (BeckonConversation *conversation, GParamSpec *pspec, BeckonChannelTalk *self)
{
  gboolean is_busy = beckon_conversation_is_busy (conversation);
  gboolean ended = self->was_busy && !is_busy;

  self->was_busy = is_busy;
  if (is_working (conversation))
    begin_typing (self);
  if (ended)
    read_and_tell (self, conversation, TRUE);
}

static void
on_other_phase (BeckonConversation *conversation, GParamSpec *pspec, BeckonChannelTalk *self)
{
  if (beckon_conversation_is_busy (conversation))
    return;
  g_signal_handlers_disconnect_by_func (conversation, on_other_phase, self);
  read_and_tell (self, conversation, TRUE);
  g_hash_table_remove (self->followed, conversation);
}

static void
follow_own (BeckonChannelTalk *self, BeckonConversation *conversation)
{
  if (self->conversation == conversation)
    return;
  if (self->conversation != NULL)
    g_signal_handlers_disconnect_by_func (self->conversation, channel_talk_on_phase, self);
  g_set_object (&self->conversation, conversation);
  self->was_busy = conversation != NULL && beckon_conversation_is_busy (conversation);
  if (conversation != NULL)
    g_signal_connect_object (conversation, "notify::phase", G_CALLBACK (channel_talk_on_phase), self, 0);
}

void
beckon_channel_talk_follow (BeckonChannelTalk *self, const char *conversation_id)
{
  BeckonConversation *conversation;

  conversation = conversation_id != NULL ? beckon_library_lookup (self->parts.library, conversation_id) : NULL;
  if (conversation == NULL || conversation == self->conversation || g_hash_table_contains (self->followed, conversation))
    return;
  g_hash_table_add (self->followed, g_object_ref (conversation));
  g_signal_connect_object (conversation, "notify::phase", G_CALLBACK (on_other_phase), self, 0);
}

void
beckon_channel_talk_set_watched (BeckonChannelTalk *self, const char *conversation_id)
{
  g_free (self->watched);
  self->watched = g_strdup (conversation_id);
}

/* A turn that ended while no process served the account is told of now. */
static void
channel_talk_begin (BeckonChannelTalk *self)
{
  BeckonConversation *conversation = beckon_channel_talk_get_conversation (self);

  follow_own (self, conversation);
  if (conversation != NULL && !beckon_conversation_is_busy (conversation))
    read_and_tell (self, conversation, FALSE);
  else if (is_working (conversation))
    begin_typing (self);
}

/* Quiet hours do not hold what was asked for before the program was started anew. */
static void
on_written_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonChannelTalk) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *id = beckon_store_find_accepted_finish (BECKON_STORE (source), result, &error);

  if (error != NULL)
    g_message ("what came by a channel could not be read: %s", error->message);
  if (self->asked_id == NULL)
    self->asked_id = g_steal_pointer (&id);
  if (self->is_telling)
    channel_talk_begin (self);
}

void
beckon_channel_talk_begin (BeckonChannelTalk *self)
{
  BeckonChannelAccount *account;

  account = channel_talk_get_account (self);
  self->is_telling = TRUE;
  if (self->fetching == NULL)
    self->fetching = g_cancellable_new ();
  if (self->asked_id == NULL && account->conversation_id != NULL)
    beckon_store_find_written_async (self->parts.store, account->id, account->conversation_id, NULL, on_written_found,
                                     g_object_ref (self));
  else
    channel_talk_begin (self);
}

void
beckon_channel_talk_end (BeckonChannelTalk *self)
{
  GHashTableIter iter;
  gpointer conversation;

  self->is_telling = FALSE;
  g_cancellable_cancel (self->fetching);
  g_clear_object (&self->fetching);
  beckon_clock_remove (self->parts.clock, self->typing);
  self->typing = 0;
  follow_own (self, NULL);

  g_hash_table_iter_init (&iter, self->followed);
  while (g_hash_table_iter_next (&iter, &conversation, NULL))
    g_signal_handlers_disconnect_by_func (conversation, on_other_phase, self);
  g_hash_table_remove_all (self->followed);
}

/* --- What the person says ----------------------------------------------------------------------------------------- */

typedef struct
{
  BeckonChannelInbound *inbound;
  BeckonChannelIncoming *incoming;
  char *text;
  gboolean is_new;
  gboolean waits;
  gboolean was_busy;
  BeckonConversation *conversation;
  GPtrArray *files;    /* BeckonPart */
  guint next;          /* attachment */
  char *problem;       /* (nullable): of an attachment */
} Sending;

static void
channel_talk_sending_free (gpointer data)
{
  Sending *sending = data;

  beckon_channel_inbound_free (sending->inbound);
  beckon_channel_incoming_unref (sending->incoming);
  g_free (sending->text);
  g_clear_object (&sending->conversation);
  g_ptr_array_unref (sending->files);
  g_free (sending->problem);
  g_free (sending);
}

static BeckonConversation *
create (BeckonChannelTalk *self)
{
  BeckonChannelAccount *account = channel_talk_get_account (self);
  BeckonConversation *conversation = beckon_library_create (self->parts.library);

  if (account->profile_id != NULL)
    beckon_library_set_profile (self->parts.library, conversation, account->profile_id);
  if (account->folder != NULL)
    beckon_library_set_folder (self->parts.library, conversation, account->folder);
  beckon_library_set_mode (self->parts.library, conversation, account->mode);
  return conversation;
}

/* Words go to the provider that the account names, and to no other. */
static gboolean
has_profile (BeckonChannelTalk *self, GError **error)
{
  const char *profile_id = channel_talk_get_account (self)->profile_id;

  if (profile_id == NULL || beckon_profiles_lookup (self->parts.profiles, profile_id) != NULL)
    return TRUE;
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND,
                       _("The profile of this channel was removed. Choose another one for it on the desktop."));
  return FALSE;
}

static char *
dup_told (Sending *sending)
{
  if (sending->problem != NULL)
    return g_strdup (sending->problem);
  if (!sending->was_busy)
    return g_strdup ("");
  return g_strdup (sending->waits ? _("It is sent when this turn ends.") : _("It is passed on at the next step."));
}

static void
channel_talk_on_begun (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Sending *sending = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  if (!beckon_agent_send_queued_finish (BECKON_AGENT (source), result, &error)
      && !g_error_matches (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND)
      && !g_error_matches (error, BECKON_ERROR, BECKON_ERROR_CONFLICT))
    g_task_return_pointer (task, g_strdup (error->message), g_free);
  else
    g_task_return_pointer (task, dup_told (sending), g_free);
}

static void
channel_talk_on_queued (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonChannelTalk *self = g_task_get_source_object (task);
  Sending *sending = g_task_get_task_data (task);
  GError *error = NULL;
  gboolean is_queued = beckon_agent_queue_finish (BECKON_AGENT (source), result, &error);

  beckon_channel_end_change (self->channel);
  if (!is_queued)
    {
      g_task_return_error (task, error);
      return;
    }
  follow_own (self, sending->conversation);
  if (!sending->was_busy && beckon_conversation_find_queued (sending->conversation, sending->inbound->target_id) != NULL)
    beckon_agent_send_queued_async (self->parts.agent, sending->conversation, sending->inbound->target_id, NULL,
                                    channel_talk_on_begun,
                                    g_object_ref (task));
  else
    g_task_return_pointer (task, dup_told (sending), g_free);
}

static void
queue (GTask *task)
{
  BeckonChannelTalk *self = g_task_get_source_object (task);
  Sending *sending = g_task_get_task_data (task);
  const char *account_id = channel_talk_get_account (self)->id;
  const char *id = beckon_conversation_get_id (sending->conversation);
  BeckonBatch *with = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  /* Never looser than the account says, however the conversation was set since. */
  BeckonChannelAccount *account = channel_talk_get_account (self);
  g_autoptr (BeckonChannelAccount) noted = NULL;

  if (beckon_conversation_get_mode (sending->conversation) > account->mode)
    beckon_library_set_mode (self->parts.library, sending->conversation, account->mode);

  sending->was_busy = beckon_conversation_is_busy (sending->conversation);
  beckon_batch_end_inbound (with, account_id, sending->inbound->message_id);
  beckon_batch_put_conversation (with, sending->conversation);
  beckon_batch_set_channel_conversation (with, account_id, id);
  /* The outbox and the next message need not wait until the list was read again. */
  noted = beckon_channel_account_copy (channel_talk_get_account (self));
  g_free (noted->conversation_id);
  noted->conversation_id = g_strdup (id);
  beckon_channel_begin_change (self->channel, noted);
  g_free (self->asked_id);
  self->asked_id = g_strdup (sending->inbound->target_id);
  beckon_agent_queue_with_async (self->parts.agent, sending->conversation, sending->inbound->target_id, sending->text,
                                 sending->files, !sending->waits, with, NULL, channel_talk_on_queued, g_object_ref (task));
}

static void fetch_next (GTask *task);

static void
note_unread (Sending *sending, const GError *error)
{
  g_free (sending->problem);
  sending->problem = beckon_text_printf (_("A file could not be attached: %s"), error->message);
}

static void
on_attached (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Sending *sending = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  BeckonPart *part = beckon_attacher_read_finish (result, &error);

  if (part != NULL)
    g_ptr_array_add (sending->files, part);
  else
    note_unread (sending, error);
  fetch_next (task);
}

static void
on_fetched (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Sending *sending = g_task_get_task_data (task);
  const BeckonChannelAttachment *attachment = g_ptr_array_index (sending->incoming->attachments, sending->next - 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = beckon_channel_adapter_fetch_finish (BECKON_CHANNEL_ADAPTER (source), result, &error);

  if (bytes != NULL)
    {
      beckon_attacher_read_bytes_async (bytes, attachment->name != NULL ? attachment->name : _("From the phone"), NULL,
                                        on_attached, g_object_ref (task));
      return;
    }
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  note_unread (sending, error);
  fetch_next (task);
}

static void
fetch_next (GTask *task)
{
  BeckonChannelTalk *self = g_task_get_source_object (task);
  Sending *sending = g_task_get_task_data (task);
  BeckonChannelAdapter *adapter = beckon_channel_get_adapter (self->channel);

  if (sending->next < sending->incoming->attachments->len
      && BECKON_CHANNEL_ADAPTER_GET_CLASS (adapter)->fetch_async != NULL)
    beckon_channel_adapter_fetch_async (adapter, g_ptr_array_index (sending->incoming->attachments, sending->next++),
                                        self->fetching, on_fetched, g_object_ref (task));
  else if (*sending->text == '\0' && sending->files->len == 0)
    g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_INVALID, "%s",
                             sending->problem != NULL ? sending->problem : _("There is nothing in this message to send."));
  else
    queue (task);
}

static void
channel_talk_on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (beckon_library_open_finish (BECKON_LIBRARY (source), result, &error))
    fetch_next (task);
  else
    g_task_return_error (task, error);
}

void
beckon_channel_talk_send_async (BeckonChannelTalk *self, const BeckonChannelInbound *inbound, BeckonChannelIncoming *incoming,
                                const char *text, gboolean is_new, gboolean waits, GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  BeckonConversation *conversation;
  Sending *sending;
  GError *error = NULL;

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, beckon_channel_talk_send_async);
  sending = g_new0 (Sending, 1);
  sending->inbound = beckon_channel_inbound_copy (inbound);
  sending->incoming = beckon_channel_incoming_ref (incoming);
  sending->text = g_strdup (text);
  sending->waits = waits;
  sending->files = g_ptr_array_new_with_free_func (g_object_unref);
  g_task_set_task_data (task, sending, channel_talk_sending_free);
  if (!has_profile (self, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  conversation = is_new ? NULL : beckon_channel_talk_get_conversation (self);
  sending->conversation = g_object_ref (conversation != NULL ? conversation : create (self));
  beckon_library_open_async (self->parts.library, sending->conversation, NULL, channel_talk_on_opened, g_object_ref (task));
}

BECKON_FINISH_POINTER (char *, beckon_channel_talk_send, BeckonChannelTalk)

/* --- Status ------------------------------------------------------------------------------------------------------- */

char *
beckon_channel_talk_dup_status (BeckonChannelTalk *self)
{
  BeckonConversation *conversation;
  g_autofree char *title = NULL;

  conversation = beckon_channel_talk_get_conversation (self);
  if (conversation == NULL)
    return g_strdup (_("No conversation is open here. Write something to begin one."));
  title = beckon_text_for_display (beckon_conversation_get_title (conversation), -1, BECKON_TEXT_EXACT);
  if (beckon_conversation_get_phase (conversation) == BECKON_RUN_WAITING)
    return beckon_text_printf (_("“%s”: the agent waits for an answer."), title);
  if (beckon_conversation_is_busy (conversation))
    return beckon_text_printf (_("“%s”: the agent is working."), title);
  return beckon_text_printf (_("“%s”: nothing is running."), title);
}

/* --- The object --------------------------------------------------------------------------------------------------- */

static void
beckon_channel_talk_dispose (GObject *object)
{
  BeckonChannelTalk *self = BECKON_CHANNEL_TALK (object);

  if (self->parts.clock != NULL)
    beckon_channel_talk_end (self);
  G_OBJECT_CLASS (beckon_channel_talk_parent_class)->dispose (object);
}

static void
beckon_channel_talk_finalize (GObject *object)
{
  BeckonChannelTalk *self = BECKON_CHANNEL_TALK (object);

  g_clear_object (&self->channel);
  g_hash_table_unref (self->followed);
  g_free (self->watched);
  g_free (self->asked_id);
  G_OBJECT_CLASS (beckon_channel_talk_parent_class)->finalize (object);
}

static void
beckon_channel_talk_class_init (BeckonChannelTalkClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_channel_talk_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_channel_talk_finalize;
}

static void
beckon_channel_talk_init (BeckonChannelTalk *self)
{
  self->followed = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
}

BeckonChannelTalk *
beckon_channel_talk_new (BeckonChannel *channel, const BeckonChannelParts *parts)
{
  BeckonChannelTalk *self;

  self = g_object_new (BECKON_TYPE_CHANNEL_TALK, NULL);
  self->channel = g_object_ref (channel);
  self->parts = *parts;
  return self;
}
