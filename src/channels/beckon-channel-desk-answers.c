/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-channel-desk-private.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "channels/beckon-channel-text.h"
#include "text/beckon-plain-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* More than this is not listed in one message. */
#define MOST_LISTED 20

/* --- Answers ------------------------------------------------------------------------------------------------------ */

typedef struct
{
  BeckonChannelDesk *desk;
  char *conversation_id;
} Settling;

static void
on_answered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Settling *settling = user_data;
  BeckonChannelDesk *self = settling->desk;
  g_autoptr (GError) error = NULL;

  if (beckon_inbox_settle_finish (BECKON_INBOX (source), result, &error) && self->is_open)
    beckon_channel_talk_follow (self->talk, settling->conversation_id);
  beckon_channel_desk_finish (self, error != NULL ? error->message : NULL);
  g_free (settling->conversation_id);
  g_object_unref (settling->desk);
  g_free (settling);
}

static void
settle (BeckonChannelDesk *self, BeckonRequest *request, BeckonAnswer *answer)
{
  BeckonChannelAccount *account = beckon_channel_desk_get_account (self);
  g_autofree char *front_end = beckon_channel_account_dup_front_end (account);
  g_autofree char *shown = beckon_text_for_display (account->peer_name, -1, BECKON_TEXT_EXACT);
  Settling *settling;
  g_autoptr (GError) error = NULL;

  if (!beckon_channel_text_check_answer (request, answer, &error))
    {
      beckon_channel_desk_finish (self, error->message);
      return;
    }
  settling = g_new (Settling, 1);
  settling->desk = g_object_ref (self);
  settling->conversation_id = g_strdup (beckon_request_get_conversation_id (request));
  beckon_inbox_settle_async (self->parts.inbox, beckon_request_get_id (request), answer, front_end,
                             *shown != '\0' ? shown : account->address, NULL, on_answered, settling);
}

static BeckonChannelAnswering *
get_answering (BeckonChannelDesk *self, BeckonRequest *request)
{
  const char *id = beckon_request_get_id (request);
  BeckonChannelAnswering *answering = g_hash_table_lookup (self->dialogues, id);
  g_autoptr (GPtrArray) pending = NULL;
  g_autofree char *said = NULL;

  if (answering != NULL)
    return answering;
  pending = g_ptr_array_new ();
  g_ptr_array_add (pending, request);
  answering = g_new0 (BeckonChannelAnswering, 1);
  answering->dialogue = beckon_dialogue_new (FALSE);
  beckon_dialogue_follow (answering->dialogue, pending);
  said = beckon_dialogue_next_text (answering->dialogue);
  g_hash_table_insert (self->dialogues, g_strdup (id), answering);
  return answering;
}

static void
ask_next (BeckonChannelDesk *self, BeckonRequest *request, BeckonChannelAnswering *answering)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  BeckonChannelStoring *storing = beckon_channel_storing_new (self);

  answering->item++;
  beckon_channel_desk_add_question (self, storing, batch, request, answering->item, TRUE);
  beckon_channel_desk_finish_with (self, NULL, storing, batch);
}

static void
stop (BeckonChannelDesk *self, BeckonConversation *conversation)
{
  if (conversation == NULL || !beckon_conversation_is_busy (conversation))
    {
      beckon_channel_desk_finish (self, _ ("Nothing is running."));
      return;
    }
  beckon_agent_stop (self->parts.agent, conversation);
  beckon_channel_desk_finish (self, _ ("The run is being stopped."));
}

static void
stop_request (BeckonChannelDesk *self, BeckonRequest *request)
{
  const char *id = beckon_request_get_conversation_id (request);

  stop (self, id != NULL ? beckon_library_lookup (self->parts.library, id) : NULL);
}

/* A request that is answered line by line; @item: which part the line is for, -1 for the one whose turn it is. */
static void
answer (BeckonChannelDesk *self, BeckonRequest *request, int item, const char *line)
{
  BeckonChannelAnswering *answering = get_answering (self, request);
  g_auto (BeckonDialogueReply) reply = { 0 };

  if (item >= 0 && (guint)item != answering->item)
    {
      beckon_channel_desk_finish (self, (guint)item < answering->item ? _ ("You have answered this part already.")
                                                                      : _ ("Answer the parts before this one first."));
      return;
    }
  switch (beckon_dialogue_take_line (answering->dialogue, line, &reply))
    {
    case BECKON_DIALOGUE_ANSWERED:
      g_object_ref (request);
      answering->item = 0;
      settle (self, request, ((BeckonDialogueAnswer *)g_ptr_array_index (reply.answers, 0))->answer);
      g_object_unref (request);
      break;
    case BECKON_DIALOGUE_STOP:
      stop_request (self, request);
      break;
    case BECKON_DIALOGUE_MORE:
      if (reply.message == NULL)
        ask_next (self, request, answering);
      else
        beckon_channel_desk_finish (self, reply.message);
      break;
    case BECKON_DIALOGUE_STATUS:
    case BECKON_DIALOGUE_FOLDER:
    default:
      beckon_channel_desk_finish (self, reply.message);
      break;
    }
}

static void
answer_if_pending (BeckonChannelDesk *self, const char *request_id, int item, const char *line)
{
  BeckonRequest *request = beckon_inbox_lookup (self->parts.inbox, request_id);

  if (request != NULL && beckon_channel_desk_get_offer (self, request) == BECKON_CHANNEL_OFFER_WHOLE)
    answer (self, request, item, line);
  else if (request != NULL)
    beckon_channel_desk_finish (self, _ ("This is answered on the desktop."));
  else
    beckon_channel_desk_finish (self, _ ("This is no longer open."));
}

/* --- Buttons, and codes of what is over --------------------------------------------------------------------------- */

static void
on_over_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonChannelDesk) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonRequest) request
      = beckon_request_store_lookup_finish (BECKON_REQUEST_STORE (source), result, &error);
  g_autoptr (GError) settled = NULL;

  if (self->inbound == NULL)
    return;
  if (request == NULL)
    beckon_channel_desk_finish (self, error->message);
  else if (beckon_request_check_pending (request, &settled))
    beckon_channel_desk_finish (self, _ ("This is being stored. Try again in a moment."));
  else
    beckon_channel_desk_finish (self, settled->message);
}

/* Says who answered, where and when. */
static void
tell_over (BeckonChannelDesk *self, const char *request_id)
{
  beckon_request_store_lookup_async (BECKON_REQUEST_STORE (self->parts.store), request_id, NULL, on_over_read,
                                     g_object_ref (self));
}

static void take_message (BeckonChannelDesk *self, const char *line);

static void
take_found (BeckonChannelDesk *self, const BeckonChannelPost *post)
{
  const char *index = self->incoming->code != NULL ? strchr (self->incoming->code, ':') : NULL;
  guint64 choice = 0;
  g_autofree char *line = NULL;

  if (beckon_inbox_lookup (self->parts.inbox, post->request_id) == NULL)
    {
      tell_over (self, post->request_id);
      return;
    }
  if (self->incoming->code == NULL)
    {
      beckon_channel_desk_finish (self, _ ("This is answered on the desktop."));
      return;
    }
  if (index == NULL || !g_ascii_string_to_unsigned (index + 1, 10, 0, 1000, &choice, NULL))
    {
      beckon_channel_desk_finish (self, _ ("This button is not known."));
      return;
    }
  line = g_strdup_printf ("%u", (guint)choice + 1);
  answer_if_pending (self, post->request_id, (int)post->item, line);
}

static void
on_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonChannelDesk) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonChannelPost) post = beckon_store_find_post_finish (BECKON_STORE (source), result, &error);

  if (self->inbound == NULL)
    return;
  if (post != NULL && post->request_id != NULL)
    take_found (self, post);
  else if (self->incoming->code != NULL)
    beckon_channel_desk_finish (self, error != NULL ? error->message : _ ("This button is not known any more."));
  else
    take_message (self, self->incoming->text);
}

void
beckon_channel_desk_press (BeckonChannelDesk *self)
{
  g_auto (GStrv) parts = g_strsplit (self->incoming->code, ":", 2);

  beckon_store_find_post_async (self->parts.store, beckon_channel_desk_get_account (self)->id,
                                parts[0] != NULL ? parts[0] : "", NULL, on_found, g_object_ref (self));
}

/* A line that begins as a code does, though nothing with it waits: it may be late. (nullable) */
static char *
dup_stale_code (const char *line)
{
  gsize length = *line == '#' ? 1 : 0;
  gsize begin = length;

  while (g_ascii_isalnum (line[length]))
    length++;
  if (length - begin != BECKON_PLAIN_CODE_LENGTH
      || (line[length] != '\0' && line[length] != ':' && line[length] != ' '))
    return NULL;
  return g_ascii_strdown (line + begin, BECKON_PLAIN_CODE_LENGTH);
}

/* --- Lines -------------------------------------------------------------------------------------------------------- */

/* Requests that were sent, wait, and can be answered here. (transfer container) */
static GPtrArray *
list_open (BeckonChannelDesk *self)
{
  g_autoptr (GPtrArray) asking = beckon_channel_outbox_list_asking (beckon_channel_desk_get_outbox (self), NULL);
  GPtrArray *open = g_ptr_array_new ();

  for (guint i = 0; i < asking->len; i++)
    {
      const BeckonChannelPost *post = g_ptr_array_index (asking, i);
      BeckonRequest *request = beckon_inbox_lookup (self->parts.inbox, post->request_id);

      if (request != NULL && post->state == BECKON_CHANNEL_POST_SENT && !g_ptr_array_find (open, request, NULL)
          && beckon_channel_desk_get_offer (self, request) == BECKON_CHANNEL_OFFER_WHOLE)
        g_ptr_array_add (open, request);
    }
  return open;
}

static BeckonRequest *
find_by_code (GPtrArray *open, const char *line, const char **rest)
{
  for (guint i = 0; i < open->len; i++)
    if ((*rest = beckon_plain_text_match_code (g_ptr_array_index (open, i), line)) != NULL)
      return g_ptr_array_index (open, i);
  return NULL;
}

/* The person replied to the message that asks. */
static BeckonRequest *
find_by_quote (BeckonChannelDesk *self, GPtrArray *open)
{
  g_autoptr (GPtrArray) asking = beckon_channel_outbox_list_asking (beckon_channel_desk_get_outbox (self), NULL);

  for (guint i = 0; self->incoming->quote != NULL && i < asking->len; i++)
    {
      const BeckonChannelPost *post = g_ptr_array_index (asking, i);
      BeckonRequest *request = beckon_inbox_lookup (self->parts.inbox, post->request_id);

      if (g_strcmp0 (post->remote_id, self->incoming->quote) == 0 && g_ptr_array_find (open, request, NULL))
        return request;
    }
  return NULL;
}

static void
append_waiting (GString *text, BeckonRequest *request)
{
  g_autofree char *code = beckon_plain_text_dup_code (request);
  g_autofree char *whole = beckon_plain_text_format (request, 0);
  g_auto (GStrv) lines = g_strsplit (whole, "\n", 2);
  g_autofree char *shown = beckon_text_shorten (lines[0], 120);

  g_string_append_printf (text, "\n[%s] %s", code, shown);
}

static char *
format_waiting (BeckonChannelDesk *self, const char *heading)
{
  g_autoptr (GPtrArray) open = list_open (self);
  g_autoptr (GString) text = g_string_new (heading);
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->parts.inbox));

  for (guint i = 0; i < MIN (open->len, MOST_LISTED); i++)
    append_waiting (text, g_ptr_array_index (open, i));
  if (n > open->len)
    {
      g_string_append_c (text, '\n');
      beckon_text_append (
          text,
          g_dngettext (GETTEXT_PACKAGE, "%u more waits on the desktop.", "%u more wait on the desktop.", n - open->len),
          n - open->len);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
tell_status (BeckonChannelDesk *self)
{
  g_autofree char *status = beckon_channel_talk_dup_status (self->talk);
  g_autofree char *text = format_waiting (self, status);

  beckon_channel_desk_finish (self, text);
}

static void
on_message_sent (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonChannelDesk) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *told = beckon_channel_talk_send_finish (BECKON_CHANNEL_TALK (source), result, &error);
  BeckonBatch *batch;
  BeckonChannelStoring *storing;

  if (self->inbound == NULL)
    return;
  if (told == NULL)
    {
      beckon_channel_desk_finish (self, error->message);
      return;
    }
  if (*told == '\0')
    {
      beckon_channel_desk_end_message (self);
      return;
    }
  /* That it is handled was stored with it. */
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  storing = beckon_channel_storing_new (self);
  storing->ends_message = TRUE;
  beckon_channel_storing_add_reply (self, storing, batch, told);
  beckon_channel_storing_commit (self, batch, storing);
}

void
beckon_channel_desk_send_message (BeckonChannelDesk *self, const char *text, gboolean is_new, gboolean waits)
{
  beckon_channel_talk_send_async (self->talk, self->inbound, self->incoming, text, is_new, waits, on_message_sent,
                                  g_object_ref (self));
}

static void
begin_anew (BeckonChannelDesk *self)
{
  g_autoptr (BeckonChannelAccount) account = beckon_channel_account_copy (beckon_channel_desk_get_account (self));
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  g_clear_pointer (&account->conversation_id, g_free);
  beckon_batch_set_channel_conversation (batch, account->id, NULL);
  beckon_channel_set_account (self->channel, account);
  beckon_channel_desk_finish_with (self, _ ("Your next message begins a new conversation."), NULL, batch);
}

const char *
beckon_channel_desk_get_help (void)
{
  return _ ("Write what you want done. Questions of the agent come here; reply with a number or with your own words.\n"
            "/status: what goes on, and what waits\n"
            "/stop: stop the run\n"
            "/new: begin another conversation\n"
            "/after and a text: send it when this turn ends\n"
            "/skip, /choose, /dismiss: skip a question, leave it to the agent, or dismiss it");
}

/* (nullable): the rest of @line if it begins with @command. */
static const char *
match_command (const char *line, const char *command)
{
  gsize length = strlen (command);

  if (strncmp (line, command, length) != 0 || (line[length] != '\0' && !g_ascii_isspace (line[length])))
    return NULL;
  line += length;
  while (g_ascii_isspace (*line))
    line++;
  return line;
}

/* Commands that need no question. */
static gboolean
take_command (BeckonChannelDesk *self, const char *line)
{
  const char *rest;

  if (match_command (line, "/status") != NULL || match_command (line, "/list") != NULL)
    tell_status (self);
  else if (match_command (line, "/help") != NULL || match_command (line, "/start") != NULL)
    beckon_channel_desk_finish (self, beckon_channel_desk_get_help ());
  else if (match_command (line, "/stop") != NULL)
    stop (self, beckon_channel_talk_get_conversation (self->talk));
  else if ((rest = match_command (line, "/new")) != NULL && *rest == '\0')
    begin_anew (self);
  else if (rest != NULL)
    beckon_channel_desk_send_message (self, rest, TRUE, FALSE);
  else if ((rest = match_command (line, "/after")) != NULL && *rest != '\0')
    beckon_channel_desk_send_message (self, rest, FALSE, TRUE);
  else
    return FALSE;
  return TRUE;
}

/* A line that is about nothing that waits here. */
static void
take_message (BeckonChannelDesk *self, const char *line)
{
  static const char *const of_questions[] = { "/skip", "/choose", "/dismiss", "/ask", "/deny", "/replan", "/after" };

  for (guint i = 0; i < G_N_ELEMENTS (of_questions); i++)
    if (match_command (line, of_questions[i]) != NULL)
      {
        beckon_channel_desk_finish (self, _ ("Nothing that can be answered here waits."));
        return;
      }
  beckon_channel_desk_send_message (self, line, FALSE, FALSE);
}

void
beckon_channel_desk_take_line (BeckonChannelDesk *self, const char *line)
{
  g_autoptr (GPtrArray) open = list_open (self);
  const char *rest = NULL;
  BeckonRequest *request = find_by_code (open, line, &rest);
  g_autofree char *stale = NULL;
  g_autofree char *text = NULL;

  if (request != NULL)
    {
      answer (self, request, -1, rest);
      return;
    }
  if (take_command (self, line))
    return;
  stale = dup_stale_code (line);
  request = find_by_quote (self, open);
  if (request == NULL && open->len == 1 && self->incoming->attachments->len == 0)
    request = g_ptr_array_index (open, 0);
  if (request != NULL)
    answer (self, request, -1, line);
  else if (open->len > 1 && self->incoming->attachments->len == 0)
    {
      text = format_waiting (self, _ ("Several questions wait. Begin your reply with the code of one:"));
      beckon_channel_desk_finish (self, text);
    }
  else if (stale != NULL)
    beckon_store_find_post_async (self->parts.store, beckon_channel_desk_get_account (self)->id, stale, NULL, on_found,
                                  g_object_ref (self));
  else
    take_message (self, line);
}
