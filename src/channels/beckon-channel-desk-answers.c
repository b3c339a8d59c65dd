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

/* How long it may take until a person has read on the phone that a question is over. */
#define TOLD_WITHIN_US (10 * G_USEC_PER_SEC)

/* --- Answers ------------------------------------------------------------------------------------------------------ */

typedef struct
{
  BeckonChannelTurn *turn;
  char *conversation_id;
} Settling;

static void
desk_answers_on_answered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Settling *settling = user_data;
  BeckonChannelDesk *self = settling->turn->desk;
  g_autoptr (GError) error = NULL;

  if (beckon_inbox_settle_finish (BECKON_INBOX (source), result, &error) && self->is_open)
    beckon_channel_talk_follow (self->talk, settling->conversation_id);
  if (beckon_channel_turn_is_on (settling->turn) && error == NULL)
    beckon_channel_desk_note_answered (self);
  else if (beckon_channel_turn_is_on (settling->turn))
    beckon_channel_desk_finish (self, error->message);
  g_free (settling->conversation_id);
  beckon_channel_turn_free (settling->turn);
  g_free (settling);
}

static void
desk_answers_settle (BeckonChannelDesk *self, BeckonRequest *request, BeckonAnswer *answer)
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
  settling->turn = beckon_channel_turn_new (self);
  settling->conversation_id = g_strdup (beckon_request_get_conversation_id (request));
  beckon_inbox_settle_by_message_async (self->parts.inbox, beckon_request_get_id (request), answer, front_end,
                                        *shown != '\0' ? shown : account->address, account->id, self->inbound->message_id,
                                        NULL, desk_answers_on_answered, settling);
}

/* Requests that can be answered here were sent whole. */
static BeckonChannelAnswering *
begin_answering (BeckonChannelDesk *self, BeckonRequest *request)
{
  BeckonChannelAnswering *answering = g_new0 (BeckonChannelAnswering, 1);
  g_autoptr (GPtrArray) pending = g_ptr_array_new ();

  g_ptr_array_add (pending, request);
  answering->dialogue = beckon_dialogue_new (FALSE);
  beckon_dialogue_follow (answering->dialogue, pending);
  beckon_dialogue_mark_shown (answering->dialogue);
  g_hash_table_insert (self->dialogues, g_strdup (beckon_request_get_id (request)), answering);
  return answering;
}

/* A later part was asked, so that the first ones were answered; only memory had those answers. */
static gboolean
is_half_answered (BeckonChannelDesk *self, BeckonRequest *request)
{
  g_autoptr (GPtrArray) asking
      = beckon_channel_outbox_list_asking (beckon_channel_desk_get_outbox (self), beckon_request_get_id (request));

  for (guint i = 0; i < asking->len; i++)
    if (((const BeckonChannelPost *)g_ptr_array_index (asking, i))->item > 0)
      return TRUE;
  return FALSE;
}

static void
desk_answers_stop (BeckonChannelDesk *self, BeckonConversation *conversation)
{
  if (conversation == NULL || !beckon_conversation_is_busy (conversation))
    {
      beckon_channel_desk_finish (self, _("Nothing is running."));
      return;
    }
  beckon_agent_stop (self->parts.agent, conversation);
  beckon_channel_desk_finish (self, _("The run is being stopped."));
}

static void
stop_request (BeckonChannelDesk *self, BeckonRequest *request)
{
  const char *id = beckon_request_get_conversation_id (request);

  desk_answers_stop (self, id != NULL ? beckon_library_lookup (self->parts.library, id) : NULL);
}

/* A request that is answered line by line; @item: which part the line is for, -1 for the one whose turn it is. */
static void
desk_answers_answer (BeckonChannelDesk *self, BeckonRequest *request, int item, const char *line)
{
  BeckonChannelAnswering *answering = g_hash_table_lookup (self->dialogues, beckon_request_get_id (request));
  g_auto (BeckonDialogueReply) reply = { 0 };

  if (answering == NULL && item != 0 && is_half_answered (self, request))
    {
      BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
      BeckonChannelStoring *storing = beckon_channel_storing_new (self);

      begin_answering (self, request);
      beckon_channel_storing_add_reply (
          self, storing, batch,
          _("Beckon was started anew since, and no longer has your answer to the first part. Answer it once more."));
      beckon_channel_desk_add_question (self, storing, batch, request, 0, TRUE);
      beckon_channel_desk_finish_with (self, NULL, storing, batch);

      return;
    }
  if (answering == NULL)
    answering = begin_answering (self, request);
  if (item >= 0 && (guint)item != answering->item)
    {
      beckon_channel_desk_finish (self, (guint)item < answering->item ? _("You have answered this part already.")
                                  : _("Answer the parts before this one first."));
      return;
    }
  switch (beckon_dialogue_take_line (answering->dialogue, line, &reply))
    {
    case BECKON_DIALOGUE_ANSWERED:
      g_object_ref (request);
      answering->item = 0;
      desk_answers_settle (self, request, ((BeckonDialogueAnswer *)g_ptr_array_index (reply.answers, 0))->answer);
      g_object_unref (request);
      break;
    case BECKON_DIALOGUE_STOP:
      stop_request (self, request);
      break;
    case BECKON_DIALOGUE_MORE:
      if (reply.message == NULL)
        {
          BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
          BeckonChannelStoring *storing = beckon_channel_storing_new (self);

          answering->item++;
          beckon_channel_desk_add_question (self, storing, batch, request, answering->item, TRUE);
          beckon_channel_desk_finish_with (self, NULL, storing, batch);
        }
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
    desk_answers_answer (self, request, item, line);
  else if (request != NULL)
    beckon_channel_desk_finish (self, _("This is answered on the desktop."));
  else
    beckon_channel_desk_finish (self, _("This is no longer open."));
}

/* --- Buttons, and codes of what is over --------------------------------------------------------------------------- */

static void
on_over_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonChannelTurn) turn = user_data;
  BeckonChannelDesk *self = turn->desk;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonRequest) request
      = beckon_request_store_lookup_finish (BECKON_REQUEST_STORE (source), result, &error);
  g_autoptr (GError) settled = NULL;

  if (!beckon_channel_turn_is_on (turn))
    return;
  if (request == NULL)
    beckon_channel_desk_finish (self, error->message);
  else if (beckon_request_check_pending (request, &settled))
    beckon_channel_desk_finish (self, _("This is being stored. Try again in a moment."));
  else
    beckon_channel_desk_finish (self, settled->message);
}

/* Says who answered, where and when. */
static void
tell_over (BeckonChannelDesk *self, const char *request_id)
{
  beckon_request_store_lookup_async (BECKON_REQUEST_STORE (self->parts.store), request_id, NULL, on_over_read,
                                     beckon_channel_turn_new (self));
}

/* The number of a button of @post. */
static gboolean
parse_choice (BeckonChannelDesk *self, const BeckonChannelPost *post, guint *choice)
{
  const char *code = self->incoming->code;
  gsize length = post->code != NULL ? strlen (post->code) : 0;
  guint64 number;

  if (length == 0 || strncmp (code, post->code, length) != 0 || code[length] != ':'
      || !g_ascii_string_to_unsigned (code + length + 1, 10, 0, 1000, &number, NULL))
    return FALSE;
  *choice = (guint)number;
  return TRUE;
}

static void
press (BeckonChannelDesk *self, const BeckonChannelPost *post)
{
  guint choice;
  g_autofree char *line = NULL;

  if (beckon_inbox_lookup (self->parts.inbox, post->request_id) == NULL)
    {
      tell_over (self, post->request_id);
      return;
    }
  if (!parse_choice (self, post, &choice))
    {
      beckon_channel_desk_finish (self, _("This button is not known."));
      return;
    }
  /* With its dot it is no label. */
  line = g_strdup_printf ("%u.", choice + 1);
  answer_if_pending (self, post->request_id, (int)post->item, line);
}

/* (nullable): one that asks whoever wrote. */
static BeckonChannelPost *
find_finish (BeckonChannelDesk *self, GObject *source, GAsyncResult *result, GError **error)
{
  g_autoptr (BeckonChannelPost) post = beckon_store_find_post_finish (BECKON_STORE (source), result, error);

  return post != NULL && post->request_id != NULL && beckon_channel_desk_is_to_peer (self, post) ? g_steal_pointer (&post)
                                                                                                   : NULL;
}

static void
on_button_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonChannelTurn) turn = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonChannelPost) post = find_finish (turn->desk, source, result, &error);

  if (!beckon_channel_turn_is_on (turn))
    return;
  if (post != NULL)
    press (turn->desk, post);
  else
    beckon_channel_desk_finish (turn->desk, error != NULL ? error->message : _("This button is not known any more."));
}

void
beckon_channel_desk_press (BeckonChannelDesk *self)
{
  g_auto (GStrv) parts = g_strsplit (self->incoming->code, ":", 2);

  beckon_store_find_post_async (self->parts.store, beckon_channel_desk_get_account (self)->id,
                                parts[0] != NULL ? parts[0] : "", NULL, on_button_found, beckon_channel_turn_new (self));
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

static char *
desk_answers_dup_line (BeckonChannelDesk *self)
{
  return g_strstrip (g_strdup (self->incoming->text != NULL ? self->incoming->text : ""));
}

/* A post that showed its request to the one who is paired now; notices do not. */
static gboolean
is_shown (BeckonChannelDesk *self, const BeckonChannelPost *post)
{
  return post->state == BECKON_CHANNEL_POST_SENT && post->code != NULL && beckon_channel_desk_is_to_peer (self, post);
}

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

      if (request != NULL && is_shown (self, post) && !g_ptr_array_find (open, request, NULL)
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

      /* Some servers say which message is replied to, others what it says. */
      if (is_shown (self, post)
          && (g_strcmp0 (post->remote_id, self->incoming->quote) == 0
              || strcmp (post->text, self->incoming->quote) == 0)
          && g_ptr_array_find (open, request, NULL))
        return request;
    }
  return NULL;
}

static char *
format_waiting (BeckonChannelDesk *self, const char *heading)
{
  g_autoptr (GPtrArray) open = list_open (self);
  g_autoptr (GString) text = g_string_new (heading);
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->parts.inbox));

  for (guint i = 0; i < MIN (open->len, MOST_LISTED); i++)
    {
      BeckonRequest *request = g_ptr_array_index (open, i);
      g_autofree char *code = beckon_plain_text_dup_code (request);
      g_autofree char *whole = beckon_plain_text_format (request, 0);
      g_auto (GStrv) lines = g_strsplit (whole, "\n", 2);
      g_autofree char *shown = beckon_text_shorten (lines[0], 120);

      g_string_append_printf (text, "\n[%s] %s", code, shown);
    }
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
on_message_sent (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonChannelTurn) turn = user_data;
  BeckonChannelDesk *self = turn->desk;
  g_autoptr (GError) error = NULL;
  g_autofree char *told = beckon_channel_talk_send_finish (BECKON_CHANNEL_TALK (source), result, &error);
  BeckonBatch *batch;
  BeckonChannelStoring *storing;

  if (!beckon_channel_turn_is_on (turn))
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
                                  beckon_channel_turn_new (self));
}

const char *
beckon_channel_desk_get_help (void)
{
  return _("Write what you want done. Questions of the agent come here; reply with a number or with your own words.\n"
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
    {
      g_autofree char *status = beckon_channel_talk_dup_status (self->talk);
      g_autofree char *text = format_waiting (self, status);

      beckon_channel_desk_finish (self, text);
    }
  else if (match_command (line, "/help") != NULL || match_command (line, "/start") != NULL)
    beckon_channel_desk_finish (self, beckon_channel_desk_get_help ());
  else if (match_command (line, "/stop") != NULL)
    desk_answers_stop (self, beckon_channel_talk_get_conversation (self->talk));
  else if ((rest = match_command (line, "/new")) != NULL && *rest == '\0')
    {
      g_autoptr (BeckonChannelAccount) account = beckon_channel_account_copy (beckon_channel_desk_get_account (self));
      BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

      g_clear_pointer (&account->conversation_id, g_free);
      beckon_batch_set_channel_conversation (batch, account->id, NULL);
      beckon_channel_set_account (self->channel, account);
      beckon_channel_desk_finish_with (self, _("Your next message begins a new conversation."), NULL, batch);
    }
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
desk_answers_take_message (BeckonChannelDesk *self, const char *line)
{
  static const char *const of_questions[] = { "/skip", "/choose", "/dismiss", "/ask", "/deny", "/replan", "/after" };

  for (guint i = 0; i < G_N_ELEMENTS (of_questions); i++)
    if (match_command (line, of_questions[i]) != NULL)
      {
        beckon_channel_desk_finish (self, _("Nothing that can be answered here waits."));
        return;
      }
  beckon_channel_desk_send_message (self, line, FALSE, FALSE);
}

/* A line that may be for the only question that waits. */
typedef struct
{
  BeckonChannelTurn *turn;
  char *request_id;
  char *line;
} Unnamed;

static Unnamed *
unnamed_new (BeckonChannelDesk *self, BeckonRequest *request, const char *line)
{
  Unnamed *unnamed = g_new (Unnamed, 1);

  unnamed->turn = beckon_channel_turn_new (self);
  unnamed->request_id = g_strdup (beckon_request_get_id (request));
  unnamed->line = g_strdup (line);
  return unnamed;
}

static void
unnamed_free (Unnamed *unnamed)
{
  beckon_channel_turn_free (unnamed->turn);
  g_free (unnamed->request_id);
  g_free (unnamed->line);
  g_free (unnamed);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Unnamed, unnamed_free)

static void
tell_codes (BeckonChannelDesk *self)
{
  g_autofree char *text = format_waiting (self, _("Begin your reply with the code of what it is for:"));

  beckon_channel_desk_finish (self, text);
}

/* Servers that count whole seconds say when the second began. */
static gint64
get_written_at (BeckonChannelDesk *self)
{
  gint64 at = self->incoming->at;

  if (at <= 0)
    return self->inbound->at;
  return MIN (at % G_USEC_PER_SEC == 0 ? at + G_USEC_PER_SEC - 1 : at, self->inbound->at);
}

/* The message was written before @post was there to be read. */
static gboolean
is_from_before (BeckonChannelDesk *self, const BeckonChannelPost *post)
{
  guint64 number;

  if (self->incoming->number > 0 && post->remote_id != NULL
      && g_ascii_string_to_unsigned (post->remote_id, 10, 0, G_MAXUINT64, &number, NULL))
    return (guint64)self->incoming->number < number;
  return get_written_at (self) < post->sent_at;
}

static void
on_overtaken_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Unnamed) unnamed = user_data;
  BeckonChannelDesk *self = unnamed->turn->desk;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonChannelPost) post = beckon_store_find_post_finish (BECKON_STORE (source), result, &error);

  if (!beckon_channel_turn_is_on (unnamed->turn))
    return;
  if (error != NULL)
    beckon_channel_desk_finish (self, error->message);
  else if (post != NULL)
    tell_codes (self);
  else
    answer_if_pending (self, unnamed->request_id, -1, unnamed->line);
}

/* The only question that waits is meant if no other one could be: one that ended elsewhere a moment ago was on the phone, and
 * its answer may have been on the way. */
static void
answer_unnamed (BeckonChannelDesk *self, BeckonRequest *request, const char *line)
{
  g_autofree char *here = beckon_channel_account_dup_front_end (beckon_channel_desk_get_account (self));
  /* The part that is asked now, and that it was shown before the message was written. */
  g_autoptr (GPtrArray) asking
      = beckon_channel_outbox_list_asking (beckon_channel_desk_get_outbox (self), beckon_request_get_id (request));
  const BeckonChannelPost *last = asking->len > 0 ? g_ptr_array_index (asking, asking->len - 1) : NULL;

  if (last != NULL && is_shown (self, last) && !is_from_before (self, last))
    beckon_store_find_overtaken_post_async (self->parts.store, beckon_channel_desk_get_account (self)->id,
                                            beckon_request_get_id (request), get_written_at (self) - TOLD_WITHIN_US, here,
                                            NULL, on_overtaken_found, unnamed_new (self, request, line));
  else
    tell_codes (self);
}

/* A line that names nothing, or nothing that is known. What must be named is not taken to be meant. */
static void
take_unnamed (BeckonChannelDesk *self, const char *line)
{
  g_autoptr (GPtrArray) open = list_open (self);
  g_autofree char *text = NULL;

  if (open->len == 0 || self->incoming->attachments->len > 0)
    desk_answers_take_message (self, line);
  else if (open->len == 1 && self->incoming->quote == NULL
           && !beckon_channel_text_is_named (g_ptr_array_index (open, 0)))
    answer_unnamed (self, g_ptr_array_index (open, 0), line);
  else if (open->len == 1)
    tell_codes (self);
  else
    {
      text = format_waiting (self, _("Several questions wait. Begin your reply with the code of one:"));
      beckon_channel_desk_finish (self, text);
    }
}

/* A post whose request is over, or was never shown here. */
static void
take_found (BeckonChannelDesk *self, const BeckonChannelPost *post)
{
  BeckonRequest *request = beckon_inbox_lookup (self->parts.inbox, post->request_id);
  g_autoptr (GPtrArray) open = list_open (self);

  if (request == NULL)
    tell_over (self, post->request_id);
  else if (!g_ptr_array_find (open, request, NULL))
    beckon_channel_desk_finish (self, _("This is answered on the desktop."));
  else
    tell_codes (self);
}

static void
on_quoted_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonChannelTurn) turn = user_data;
  BeckonChannelDesk *self = turn->desk;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonChannelPost) post = find_finish (self, source, result, &error);
  g_autofree char *line = NULL;

  if (!beckon_channel_turn_is_on (turn))
    return;
  line = desk_answers_dup_line (self);
  if (error != NULL)
    beckon_channel_desk_finish (self, error->message);
  else if (post != NULL)
    take_found (self, post);
  else
    take_unnamed (self, line);
}

static void
take_without_code (BeckonChannelDesk *self, const char *line)
{
  g_autoptr (GPtrArray) open = list_open (self);
  BeckonRequest *request = find_by_quote (self, open);

  if (request != NULL)
    desk_answers_answer (self, request, -1, line);
  else if (self->incoming->quote != NULL)
    beckon_store_find_quoted_post_async (self->parts.store, beckon_channel_desk_get_account (self)->id,
                                         self->incoming->quote, NULL, on_quoted_found, beckon_channel_turn_new (self));
  else
    take_unnamed (self, line);
}

static void
on_coded_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonChannelTurn) turn = user_data;
  BeckonChannelDesk *self = turn->desk;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonChannelPost) post = find_finish (self, source, result, &error);
  g_autofree char *line = NULL;

  if (!beckon_channel_turn_is_on (turn))
    return;
  line = desk_answers_dup_line (self);
  if (error != NULL)
    beckon_channel_desk_finish (self, error->message);
  else if (post != NULL)
    take_found (self, post);
  else
    take_without_code (self, line);
}

/* A line's own words come first: a code, even of what is over, then the message that it replies to. */
void
beckon_channel_desk_take_line (BeckonChannelDesk *self, const char *line)
{
  g_autoptr (GPtrArray) open = list_open (self);
  const char *rest = NULL;
  BeckonRequest *request = find_by_code (open, line, &rest);
  g_autofree char *stale = NULL;

  if (request != NULL)
    {
      desk_answers_answer (self, request, -1, rest);
      return;
    }
  if (take_command (self, line))
    return;
  stale = dup_stale_code (line);
  if (stale != NULL)
    beckon_store_find_post_async (self->parts.store, beckon_channel_desk_get_account (self)->id, stale, NULL,
                                  on_coded_found, beckon_channel_turn_new (self));
  else
    take_without_code (self, line);
}
