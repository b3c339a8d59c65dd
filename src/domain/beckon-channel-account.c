/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-channel-account.h"

#include "base/beckon-counted.h"
#include "base/beckon-error.h"
#include "base/beckon-id.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "base/beckon-words.h"
#include "beckon-config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MOST_CONFIG (64 * 1024)
#define MINUTES_A_DAY (24 * 60)

G_DEFINE_BOXED_TYPE (BeckonChannelAccount, beckon_channel_account, beckon_channel_account_ref, beckon_channel_account_unref)

BeckonChannelAccount *
beckon_channel_account_new (const char *kind, const char *name)
{
  BeckonChannelAccount *account = g_atomic_rc_box_new0 (BeckonChannelAccount);

  account->kind = g_strdup (kind);
  account->name = g_strdup (name);
  account->config = g_strdup ("{}");
  account->mode = BECKON_MODE_DEFAULT;
  account->is_on = TRUE;
  return account;
}

BeckonChannelAccount *
beckon_channel_account_copy (const BeckonChannelAccount *account)
{
  BeckonChannelAccount *copy = g_atomic_rc_box_new0 (BeckonChannelAccount);

  *copy = *account;
  copy->id = g_strdup (account->id);
  copy->kind = g_strdup (account->kind);
  copy->name = g_strdup (account->name);
  copy->config = g_strdup (account->config);
  copy->profile_id = g_strdup (account->profile_id);
  copy->folder = g_strdup (account->folder);
  copy->cursor = g_strdup (account->cursor);
  copy->address = g_strdup (account->address);
  copy->peer_name = g_strdup (account->peer_name);
  copy->conversation_id = g_strdup (account->conversation_id);
  copy->context = g_strdup (account->context);
  copy->told_id = g_strdup (account->told_id);
  copy->pair_code = g_strdup (account->pair_code);
  copy->parted = g_strdup (account->parted);
  copy->state = g_strdup (account->state);
  copy->problem = g_strdup (account->problem);
  return copy;
}

static void
account_clear (gpointer data)
{
  BeckonChannelAccount *account = data;

  g_free (account->id);
  g_free (account->kind);
  g_free (account->name);
  g_free (account->config);
  g_free (account->profile_id);
  g_free (account->folder);
  g_free (account->cursor);
  g_free (account->address);
  g_free (account->peer_name);
  g_free (account->conversation_id);
  g_free (account->context);
  g_free (account->told_id);
  g_free (account->pair_code);
  g_free (account->parted);
  g_free (account->state);
  g_free (account->problem);
}

BECKON_COUNTED (BeckonChannelAccount, beckon_channel_account, account_clear)

static gboolean
account_refuse (GError **error, const char *words)
{
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, words);
  return FALSE;
}

gboolean
beckon_channel_account_check (const BeckonChannelAccount *account, GError **error)
{
  g_autofree char *stripped = NULL;

  g_return_val_if_fail (account != NULL, FALSE);

  stripped = g_strstrip (g_strdup (account->name));
  if (*stripped == '\0' || strcmp (stripped, account->name) != 0 || !g_utf8_validate (account->name, -1, NULL)
      || g_utf8_strlen (account->name, -1) > BECKON_CHANNEL_NAME_MAX || beckon_text_has_hidden (account->name, -1))
    return account_refuse (error, _("Give the channel a name of at most 64 characters, without blanks around it."));
  if (strlen (account->config) > MOST_CONFIG)
    return account_refuse (error, _("The settings of the channel are too long."));
  if (account->folder != NULL && !g_path_is_absolute (account->folder))
    return account_refuse (error, _("Give the whole path of the folder, from / on."));
  if (account->mode == BECKON_MODE_ASK_OUTSIDE)
    return account_refuse (error, _("Conversations of a channel ask before changes at least."));
  if (account->quiet_from >= MINUTES_A_DAY || account->quiet_to >= MINUTES_A_DAY)
    return account_refuse (error, _("Quiet hours are times of day, such as 22:00 to 07:00."));
  return TRUE;
}

char *
beckon_channel_account_dup_front_end (const BeckonChannelAccount *account)
{
  g_return_val_if_fail (account != NULL, NULL);

  return g_strconcat (account->kind, ": ", account->name, NULL);
}

gboolean
beckon_channel_account_is_quiet (const BeckonChannelAccount *account, gint64 now, gint64 *until)
{
  g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc (now / G_USEC_PER_SEC);
  g_autoptr (GDateTime) local = utc != NULL ? g_date_time_to_local (utc) : NULL;
  guint minute, since, length;

  g_return_val_if_fail (account != NULL && until != NULL, FALSE);

  if (local == NULL || account->quiet_from == account->quiet_to)
    return FALSE;
  minute = (guint) (g_date_time_get_hour (local) * 60 + g_date_time_get_minute (local));
  since = (minute + MINUTES_A_DAY - account->quiet_from) % MINUTES_A_DAY;
  length = (account->quiet_to + MINUTES_A_DAY - account->quiet_from) % MINUTES_A_DAY;
  *until = now + (gint64) (length - MIN (since, length)) * G_TIME_SPAN_MINUTE
           - (gint64) g_date_time_get_second (local) * G_USEC_PER_SEC;
  return since < length;
}

char *
beckon_channel_account_make_code (void)
{
  return beckon_id_new_code (BECKON_CHANNEL_PAIR_LENGTH);
}

static char
read_letter (char letter)
{
  char upper = g_ascii_toupper (letter);

  return upper == 'O' ? '0' : upper == 'I' || upper == 'L' ? '1' : upper;
}

gboolean
beckon_channel_account_match_code (const char *code, const char *text)
{
  guint wrong = 0;
  guint length = 0;

  for (; code != NULL && text != NULL && *text != '\0' && length <= BECKON_CHANNEL_PAIR_LENGTH; text++)
    if (!g_ascii_isspace (*text) && *text != '-')
      {
        wrong |= length < strlen (code) ? (guint) (guchar) (read_letter (*text) ^ code[length]) : 1;
        length++;
      }
  return wrong == 0 && length > 0 && length == strlen (code);
}

BeckonChannelInbound *
beckon_channel_inbound_new (const char *message_id, const char *address, const char *body, gint64 at)
{
  BeckonChannelInbound *inbound = g_new0 (BeckonChannelInbound, 1);

  inbound->message_id = g_strdup (message_id);
  inbound->address = g_strdup (address);
  inbound->body = g_strdup (body);
  inbound->target_id = beckon_id_new ();
  inbound->at = at;
  return inbound;
}

BeckonChannelInbound *
beckon_channel_inbound_copy (const BeckonChannelInbound *inbound)
{
  BeckonChannelInbound *copy = g_new0 (BeckonChannelInbound, 1);

  copy->message_id = g_strdup (inbound->message_id);
  copy->address = g_strdup (inbound->address);
  copy->body = g_strdup (inbound->body);
  copy->target_id = g_strdup (inbound->target_id);
  copy->at = inbound->at;
  return copy;
}

void
beckon_channel_inbound_free (BeckonChannelInbound *inbound)
{
  g_free (inbound->message_id);
  g_free (inbound->address);
  g_free (inbound->body);
  g_free (inbound->target_id);
  g_free (inbound);
}

static const char *const states[] = { "queued", "sending", "sent", "failed" };

BeckonChannelPost *
beckon_channel_post_new (const char *channel_id, const char *address, const char *title, const char *text, gint64 made_at)
{
  BeckonChannelPost *post = g_new0 (BeckonChannelPost, 1);

  post->id = beckon_id_new ();
  post->channel_id = g_strdup (channel_id);
  post->address = g_strdup (address);
  post->title = g_strdup (title);
  post->text = g_strdup (text);
  post->made_at = made_at;
  return post;
}

BeckonChannelPost *
beckon_channel_post_copy (const BeckonChannelPost *post)
{
  BeckonChannelPost *copy = g_new (BeckonChannelPost, 1);

  *copy = *post;
  copy->id = g_strdup (post->id);
  copy->channel_id = g_strdup (post->channel_id);
  copy->address = g_strdup (post->address);
  copy->conversation_id = g_strdup (post->conversation_id);
  copy->request_id = g_strdup (post->request_id);
  copy->code = g_strdup (post->code);
  copy->title = g_strdup (post->title);
  copy->text = g_strdup (post->text);
  copy->choices = g_strdup (post->choices);
  copy->edits = g_strdup (post->edits);
  copy->remote_id = g_strdup (post->remote_id);
  return copy;
}

void
beckon_channel_post_free (BeckonChannelPost *post)
{
  g_free (post->id);
  g_free (post->channel_id);
  g_free (post->address);
  g_free (post->conversation_id);
  g_free (post->request_id);
  g_free (post->code);
  g_free (post->title);
  g_free (post->text);
  g_free (post->choices);
  g_free (post->edits);
  g_free (post->remote_id);
  g_free (post);
}

char *
beckon_channel_post_make_code (void)
{
  g_autofree char *code = beckon_id_new_code (BECKON_CHANNEL_POST_CODE_LENGTH);

  return g_ascii_strdown (code, -1);
}

BECKON_WORDS_TO (BeckonChannelPostState, beckon_channel_post_state_to_string, states)
BECKON_WORDS_FROM (BeckonChannelPostState, beckon_channel_post_state_from_string, states)
