/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-telegram-api.h"

#include "base/beckon-finish.h"
#include "base/beckon-json.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define LONGEST_TOKEN 128
#define LONGEST_PATH 256

void
beckon_telegram_answer_free (BeckonTelegramAnswer *answer)
{
  g_clear_pointer (&answer->result, json_node_unref);
  g_free (answer->description);
  g_free (answer);
}

/* --- Addresses ---------------------------------------------------------------------------------------------------- */

gboolean
beckon_telegram_check_token (const char *token)
{
  const char *at = token;

  if (token == NULL || strlen (token) > LONGEST_TOKEN)
    return FALSE;
  while (g_ascii_isdigit (*at))
    at++;
  if (at == token || *at++ != ':' || *at == '\0')
    return FALSE;
  while (g_ascii_isalnum (*at) || *at == '_' || *at == '-')
    at++;
  return *at == '\0';
}

static gboolean
is_good_path (const char *path)
{
  if (*path == '\0' || *path == '/' || strlen (path) > LONGEST_PATH || strstr (path, "..") != NULL)
    return FALSE;
  for (const char *at = path; *at != '\0'; at++)
    if (!g_ascii_isalnum (*at) && strchr ("_-./", *at) == NULL)
      return FALSE;
  return TRUE;
}

char *
beckon_telegram_dup_url (const char *server, const char *token, const char *method, const char *path)
{
  g_autofree char *base = g_strdup (server != NULL && *server != '\0' ? server : BECKON_TELEGRAM_SERVER);

  while (g_str_has_suffix (base, "/"))
    base[strlen (base) - 1] = '\0';
  if (!beckon_telegram_check_token (token) || (path != NULL && !is_good_path (path)))
    return NULL;
  return path != NULL ? g_strconcat (base, "/file/bot", token, "/", path, NULL)
                      : g_strconcat (base, "/bot", token, "/", method, NULL);
}

/* --- Calls -------------------------------------------------------------------------------------------------------- */

static void
telegram_api_on_answered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  g_autoptr (BeckonChannelReply) reply = beckon_channel_http_ask_finish (SOUP_SESSION (source), result, &error);

  if (reply != NULL)
    {
      BeckonTelegramAnswer *answer = g_new0 (BeckonTelegramAnswer, 1);
      g_autoptr (JsonObject) object = beckon_json_parse_object (reply->body, (gssize) reply->length, NULL);
      gint64 pause = beckon_json_get_int (beckon_json_get_object (object, "parameters"), "retry_after", reply->retry_after_s);

      answer->description = g_strdup (beckon_json_get_string (object, "description"));
      answer->retry_after_s = (guint) CLAMP (pause, 0, 24 * 60 * 60);
      if (beckon_json_get_boolean (object, "ok", FALSE) && json_object_has_member (object, "result"))
        answer->result = json_node_ref (json_object_get_member (object, "result"));
      else
        answer->code = (guint) CLAMP (beckon_json_get_int (object, "error_code", reply->status), 1, 999);
      /* A proxy's page with a good status is no answer. */
      if (answer->result == NULL && answer->code < 400)
        answer->code = 502;
      g_task_return_pointer (task, answer, (GDestroyNotify) beckon_telegram_answer_free);
    }
  else
    g_task_return_error (task, error);
}

void
beckon_telegram_call_async (SoupSession *session,
                            BeckonClock *clock,
                            const char *url,
                            const char *body,
                            guint seconds,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (session, cancellable, callback, user_data);
  g_autoptr (SoupMessage) message = soup_message_new (SOUP_METHOD_POST, url);
  g_autoptr (GBytes) bytes = g_bytes_new (body, strlen (body));

  g_task_set_source_tag (task, beckon_telegram_call_async);
  g_task_set_check_cancellable (task, FALSE);
  soup_message_set_request_body_from_bytes (message, "application/json", bytes);
  beckon_channel_http_ask_async (session, clock, message, seconds, BECKON_CHANNEL_HTTP_MAX, cancellable,
                                 telegram_api_on_answered,
                                 g_object_ref (task));
}

BECKON_FINISH_POINTER (BeckonTelegramAnswer *, beckon_telegram_call, SoupSession)

static gboolean
telegram_api_says (const BeckonTelegramAnswer *answer, const char *words)
{
  return answer->description != NULL && strstr (answer->description, words) != NULL;
}

GError *
beckon_telegram_answer_to_error (const BeckonTelegramAnswer *answer)
{
  if (answer->code == 429)
    return beckon_channel_error_new_limited (answer->retry_after_s,
                                             _("Telegram wants fewer messages. It is tried again later."));
  if (answer->code == 401)
    return g_error_new_literal (BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_SIGN_IN,
                                _("Telegram does not take this token. Get it from @BotFather and enter it again."));
  /* Servers in front of it say that, too. */
  if (answer->code == 404)
    return g_error_new_literal (BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_NETWORK,
                                _("There is no bot with this token at this address. Check both; it is tried again."));
  if (answer->code == 403 || telegram_api_says (answer, "chat not found"))
    return g_error_new_literal (BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_BLOCKED,
                                _("The chat with the bot was closed on the phone. Open it there again."));
  if (answer->code == 400 && (telegram_api_says (answer, "to edit not found") || telegram_api_says (answer, "can't be edited")))
    return g_error_new_literal (BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_GONE,
                                _("This message is no longer there."));
  if (answer->code == 409)
    return g_error_new_literal (BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_NETWORK,
                                _("Another program receives the messages of this bot. End it, or make another bot."));
  if (answer->code >= 500)
    return g_error_new_literal (BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_NETWORK,
                                _("Telegram has a problem. It is tried again."));
  return g_error_new_literal (BECKON_CHANNEL_ERROR, BECKON_CHANNEL_ERROR_REFUSED, _("Telegram refuses this message."));
}

/* --- Updates ------------------------------------------------------------------------------------------------------ */

static JsonObject *
get_object_at (JsonArray *array, guint i)
{
  JsonNode *node = json_array_get_element (array, i);

  return JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

static char *
dup_int (JsonObject *object, const char *name)
{
  gint64 value = beckon_json_get_int (object, name, 0);

  return value != 0 ? g_strdup_printf ("%" G_GINT64_FORMAT, value) : NULL;
}

/* The largest picture that may be fetched; they come from small to large. */
static void
add_photo (BeckonChannelIncoming *incoming, JsonArray *sizes)
{
  for (guint i = json_array_get_length (sizes); i > 0; i--)
    {
      JsonObject *photo = get_object_at (sizes, i - 1);
      const char *id = beckon_json_get_string (photo, "file_id");
      gint64 size = beckon_json_get_int (photo, "file_size", -1);

      if (id != NULL && size <= BECKON_CHANNEL_ATTACHMENT_MAX)
        {
          beckon_channel_incoming_add_attachment (incoming, id, NULL, "image/jpeg", size);
          return;
        }
    }
}

static void
set_place (BeckonChannelIncoming *incoming, JsonObject *chat, JsonObject *from)
{
  const char *first;
  const char *last;

  incoming->is_group = g_strcmp0 (beckon_json_get_string (chat, "type"), "private") != 0
                       || beckon_json_get_int (chat, "id", 0) != beckon_json_get_int (from, "id", 1);
  first = beckon_json_get_string (from, "first_name");
  last = beckon_json_get_string (from, "last_name");
  incoming->name = last != NULL && first != NULL ? g_strconcat (first, " ", last, NULL) : g_strdup (first);
}

/* (nullable) */
static BeckonChannelIncoming *
read_message (const char *id, JsonObject *message)
{
  JsonObject *chat = beckon_json_get_object (message, "chat");
  JsonObject *from = beckon_json_get_object (message, "from");
  const char *text = beckon_json_get_string (message, "text");
  g_autofree char *address = dup_int (chat, "id");
  BeckonChannelIncoming *incoming;
  JsonArray *photo;
  JsonObject *document;
  const char *file_id;

  if (address == NULL || from == NULL || beckon_json_get_boolean (from, "is_bot", FALSE))
    return NULL;
  incoming
      = beckon_channel_incoming_new (id, address, text != NULL ? text : beckon_json_get_string (message, "caption"));
  set_place (incoming, chat, from);
  incoming->quote = dup_int (beckon_json_get_object (message, "reply_to_message"), "message_id");
  incoming->at = CLAMP (beckon_json_get_int (message, "date", 0), 0, G_MAXINT32) * G_USEC_PER_SEC;
  incoming->number = MAX (beckon_json_get_int (message, "message_id", 0), 0);
  photo = beckon_json_get_array (message, "photo");
  document = beckon_json_get_object (message, "document");
  file_id = beckon_json_get_string (document, "file_id");
  if (photo != NULL)
    add_photo (incoming, photo);
  if (file_id != NULL)
    beckon_channel_incoming_add_attachment (incoming, file_id, beckon_json_get_string (document, "file_name"),
                                            beckon_json_get_string (document, "mime_type"),
                                            beckon_json_get_int (document, "file_size", -1));
  return incoming;
}

/* The id of the query stands behind that of the update, so that it is answered after a restart, too. (nullable) */
static BeckonChannelIncoming *
read_query (const char *id, JsonObject *query)
{
  JsonObject *message = beckon_json_get_object (query, "message");
  JsonObject *chat = beckon_json_get_object (message, "chat");
  const char *query_id = beckon_json_get_string (query, "id");
  const char *data = beckon_json_get_string (query, "data");
  g_autofree char *address = dup_int (chat, "id");
  g_autofree char *whole_id = NULL;
  BeckonChannelIncoming *incoming;

  if (address == NULL || query_id == NULL || data == NULL || strlen (data) > 64)
    return NULL;
  whole_id = g_strconcat (id, ":", query_id, NULL);
  incoming = beckon_channel_incoming_new (whole_id, address, NULL);
  set_place (incoming, chat, beckon_json_get_object (query, "from"));
  incoming->code = g_strdup (data);
  incoming->button_message = dup_int (message, "message_id");
  return incoming;
}

const char *
beckon_telegram_get_query (const BeckonChannelIncoming *incoming)
{
  const char *colon = incoming->code != NULL ? strchr (incoming->id, ':') : NULL;

  return colon != NULL ? colon + 1 : NULL;
}

GPtrArray *
beckon_telegram_read_updates (JsonNode *result, gint64 *next)
{
  GPtrArray *messages = g_ptr_array_new_with_free_func ((GDestroyNotify)beckon_channel_incoming_unref);
  JsonArray *updates = result != NULL && JSON_NODE_HOLDS_ARRAY (result) ? json_node_get_array (result) : NULL;

  for (guint i = 0; updates != NULL && i < json_array_get_length (updates); i++)
    {
      JsonObject *update = get_object_at (updates, i);

      if (update != NULL)
        {
          gint64 number = beckon_json_get_int (update, "update_id", -1);
          g_autofree char *id = g_strdup_printf ("%" G_GINT64_FORMAT, number);
          JsonObject *message = beckon_json_get_object (update, "message");
          JsonObject *query = beckon_json_get_object (update, "callback_query");
          BeckonChannelIncoming *incoming = message != NULL ? read_message (id, message)
                                            : query != NULL ? read_query (id, query)
                                                            : NULL;

          /* The server may begin to count anew: the last one says where to go on. */
          if (number >= 0 && number < G_MAXINT64)
            *next = number + 1;
          if (incoming != NULL)
            g_ptr_array_add (messages, incoming);
        }
    }
  return messages;
}
