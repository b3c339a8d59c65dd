/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-wechat-message.h"

#include "base/beckon-json-reader.h"
#include "channels/beckon-wechat-api.h"

#include <string.h>

/* Numbers of kinds of messages and items, and of states of a message. */
#define TYPE_BOT 2
#define STATE_GENERATING 1
#define STATE_FINISHED 2

enum
{
  ITEM_TEXT = 1,
  ITEM_IMAGE,
  ITEM_VOICE,
  ITEM_FILE,
  ITEM_VIDEO,
};

/* As many digits as the largest number of 64 bits has. */
#define MOST_DIGITS 20

typedef struct
{
  BeckonJsonSlice text; /* of the text item */
  BeckonJsonSlice spoken;
  BeckonJsonSlice file_name;
  BeckonJsonSlice file_size;
  BeckonJsonSlice image;
  BeckonJsonSlice voice;
  BeckonJsonSlice file;
  BeckonJsonSlice video;
  BeckonJsonSlice quote;
  gint64 type;
} Item;

typedef struct
{
  BeckonJsonSlice title;
  BeckonJsonSlice text;
  BeckonJsonSlice id;
} Quote;

typedef struct
{
  BeckonJsonSlice id;
  BeckonJsonSlice client_id;
  BeckonJsonSlice from;
  BeckonJsonSlice group;
  BeckonJsonSlice context;
  BeckonJsonSlice items;
  gint64 seq;
  gint64 at_ms;
  gint64 type;
  gint64 state;
} Message;

typedef struct
{
  BeckonJsonSlice messages;
  BeckonJsonSlice cursor;
  gint64 poll_ms;
} Updates;

static const BeckonJsonMember text_members[] = { BECKON_JSON_STRING_MEMBER ("text", Item, text), BECKON_JSON_MEMBERS_END };
static const BeckonJsonMember voice_members[] = { BECKON_JSON_STRING_MEMBER ("text", Item, spoken), BECKON_JSON_MEMBERS_END };
static const BeckonJsonMember file_members[] = {
  BECKON_JSON_STRING_MEMBER ("file_name", Item, file_name),
  BECKON_JSON_RAW_MEMBER ("len", Item, file_size),
  BECKON_JSON_MEMBERS_END,
};
static const BeckonJsonMember item_members[] = {
  BECKON_JSON_INT_MEMBER ("type", Item, type),
  BECKON_JSON_OBJECT_MEMBER ("text_item", text_members),
  BECKON_JSON_RAW_MEMBER ("image_item", Item, image),
  BECKON_JSON_RAW_MEMBER ("voice_item", Item, voice),
  BECKON_JSON_RAW_MEMBER ("file_item", Item, file),
  BECKON_JSON_RAW_MEMBER ("video_item", Item, video),
  BECKON_JSON_RAW_MEMBER ("ref_msg", Item, quote),
  BECKON_JSON_MEMBERS_END,
};
static const BeckonJsonMember quoted_text_members[] = {
  BECKON_JSON_STRING_MEMBER ("text", Quote, text),
  BECKON_JSON_MEMBERS_END,
};
static const BeckonJsonMember quoted_item_members[] = {
  BECKON_JSON_OBJECT_MEMBER ("text_item", quoted_text_members),
  BECKON_JSON_OBJECT_MEMBER ("voice_item", quoted_text_members),
  BECKON_JSON_MEMBERS_END,
};
static const BeckonJsonMember quote_members[] = {
  BECKON_JSON_STRING_MEMBER ("title", Quote, title),
  BECKON_JSON_RAW_MEMBER ("svr_id", Quote, id),
  BECKON_JSON_OBJECT_MEMBER ("message_item", quoted_item_members),
  BECKON_JSON_MEMBERS_END,
};
static const BeckonJsonMember message_members[] = {
  BECKON_JSON_RAW_MEMBER ("message_id", Message, id),
  BECKON_JSON_STRING_MEMBER ("client_id", Message, client_id),
  BECKON_JSON_STRING_MEMBER ("from_user_id", Message, from),
  BECKON_JSON_STRING_MEMBER ("group_id", Message, group),
  BECKON_JSON_STRING_MEMBER ("context_token", Message, context),
  BECKON_JSON_RAW_MEMBER ("item_list", Message, items),
  BECKON_JSON_INT_MEMBER ("seq", Message, seq),
  BECKON_JSON_INT_MEMBER ("create_time_ms", Message, at_ms),
  BECKON_JSON_INT_MEMBER ("message_type", Message, type),
  BECKON_JSON_INT_MEMBER ("message_state", Message, state),
  BECKON_JSON_MEMBERS_END,
};
static const BeckonJsonMember updates_members[] = {
  BECKON_JSON_RAW_MEMBER ("msgs", Updates, messages),
  BECKON_JSON_STRING_MEMBER ("get_updates_buf", Updates, cursor),
  BECKON_JSON_INT_MEMBER ("longpolling_timeout_ms", Updates, poll_ms),
  BECKON_JSON_MEMBERS_END,
};

typedef void (*EachFunc) (const BeckonJsonSlice *raw, gpointer user_data);

/* The text was read whole before, and has no fault. */
static void
for_each (const BeckonJsonSlice *array, EachFunc function, gpointer user_data)
{
  BeckonJsonReader reader;
  BeckonJsonToken token;
  BeckonJsonSlice raw;

  if (array->text == NULL || *array->text != '[')
    return;
  beckon_json_reader_init (&reader, array->text, array->length, BECKON_JSON_REPLACE);
  beckon_json_reader_next (&reader);
  while ((token = beckon_json_reader_next (&reader)) > BECKON_JSON_END && token != BECKON_JSON_ARRAY_END
         && beckon_json_reader_finish_value (&reader, token, &raw))
    function (&raw, user_data);
}

/* An absent member is a text without letters. */
static char *
wechat_message_dup_text (const BeckonJsonSlice *slice)
{
  GString *text = g_string_new (NULL);

  if (slice->text != NULL)
    beckon_json_slice_append_to (slice, text);
  return g_string_free (text, FALSE);
}

/* The server's ids reach beyond what a number of JSON is safe for: they stay digits. (nullable) */
static char *
dup_id (const BeckonJsonSlice *raw)
{
  BeckonJsonSlice digits = *raw;

  if (raw->text != NULL && *raw->text == '"')
    {
      digits.text++;
      digits.length -= 2;
    }
  if (digits.text == NULL || digits.length == 0 || digits.length > MOST_DIGITS
      || (digits.length == 1 && *digits.text == '0'))
    return NULL;
  for (gsize i = 0; i < digits.length; i++)
    if (!g_ascii_isdigit (digits.text[i]))
      return NULL;
  return g_strndup (digits.text, digits.length);
}

/* --- Items -------------------------------------------------------------------------------------------------------- */

typedef struct
{
  GString *text;
  char *quote;
  GPtrArray *files; /* Item of what is no text; their slices live as long as the answer */
} Content;

static void
add_line (Content *content, const BeckonJsonSlice *slice)
{
  g_autofree char *line = wechat_message_dup_text (slice);

  if (*line == '\0')
    return;
  if (content->text->len > 0)
    g_string_append_c (content->text, '\n');
  g_string_append (content->text, line);
}

static char *
dup_quote (const BeckonJsonSlice *raw)
{
  Quote quote = { 0 };
  g_autofree char *text = NULL;

  if (raw->text == NULL || *raw->text != '{')
    return NULL;
  beckon_json_members_read_text (raw->text, raw->length, quote_members, &quote);
  text = wechat_message_dup_text (quote.text.length > 0 ? &quote.text : &quote.title);
  return *text != '\0' ? g_steal_pointer (&text) : dup_id (&quote.id);
}

static void
read_inner (const BeckonJsonSlice *raw, const BeckonJsonMember *members, Item *item)
{
  if (raw->text != NULL && *raw->text == '{')
    beckon_json_members_read_text (raw->text, raw->length, members, item);
}

static void
wechat_message_read_item (const BeckonJsonSlice *raw, gpointer user_data)
{
  Content *content = user_data;
  Item item = { 0 };

  if (*raw->text != '{')
    return;
  beckon_json_members_read_text (raw->text, raw->length, item_members, &item);
  read_inner (&item.voice, voice_members, &item);
  read_inner (&item.file, file_members, &item);
  if (content->quote == NULL)
    content->quote = dup_quote (&item.quote);
  if (item.type == ITEM_TEXT)
    add_line (content, &item.text);
  else if (item.type == ITEM_VOICE && item.spoken.length > 0)
    add_line (content, &item.spoken);
  else if (item.type >= ITEM_IMAGE && item.type <= ITEM_VIDEO)
    g_ptr_array_add (content->files, g_memdup2 (&item, sizeof item));
}

/* --- Messages ----------------------------------------------------------------------------------------------------- */

/* A message without an id of its server is known by its writer's, or by its time. */
static char *
wechat_message_make_id (const Message *message)
{
  g_autofree char *id = dup_id (&message->id);

  if (id != NULL)
    return g_steal_pointer (&id);
  if (message->client_id.length > 0 && message->client_id.length < BECKON_CHANNEL_ID_MAX)
    {
      g_autofree char *client_id = wechat_message_dup_text (&message->client_id);

      return g_strconcat ("client-", client_id, NULL);
    }
  return g_strdup_printf ("at-%" G_GINT64_FORMAT "-%" G_GINT64_FORMAT, message->at_ms, message->seq);
}

static BeckonChannelIncoming *
make_incoming (const Message *message, Content *content)
{
  g_autofree char *id = wechat_message_make_id (message);
  g_autofree char *from = wechat_message_dup_text (&message->from);
  BeckonChannelIncoming *incoming = beckon_channel_incoming_new (id, from, content->text->str);

  if (message->context.length > 0 && message->context.length <= BECKON_WECHAT_TOKEN_MAX)
    incoming->context = wechat_message_dup_text (&message->context);
  incoming->quote = g_steal_pointer (&content->quote);
  incoming->at = CLAMP (message->at_ms, 0, G_MAXINT64 / 1000) * 1000;
  for (guint i = 0; i < content->files->len; i++)
    {
      const Item *item = g_ptr_array_index (content->files, i);
      g_autofree char *name = item->file_name.length > 0 ? wechat_message_dup_text (&item->file_name) : NULL;
      const BeckonJsonSlice *raw = &item->file;
      const char *type = NULL;

      if (item->type == ITEM_IMAGE)
        raw = &item->image, type = "image/*";
      else if (item->type == ITEM_VOICE)
        raw = &item->voice, type = "audio/*";
      else if (item->type == ITEM_VIDEO)
        raw = &item->video, type = "video/*";
      if (raw->text != NULL && raw->length <= BECKON_CHANNEL_TEXT_MAX)
        {
          g_autofree char *reference = g_strndup (raw->text, raw->length);
          /* A file's length is a text here and a number there. */
          g_autofree char *digits = dup_id (&item->file_size);
          guint64 size = 0;

          beckon_channel_incoming_add_attachment (
              incoming, reference, name, type,
              digits != NULL && g_ascii_string_to_unsigned (digits, 10, 0, G_MAXINT64, &size, NULL) ? (gint64) size : -1);
        }
    }
  return incoming;
}

static void
read_message (const BeckonJsonSlice *raw, gpointer messages)
{
  Message message = { 0 };
  Content content;

  if (*raw->text != '{')
    return;
  beckon_json_members_read_text (raw->text, raw->length, message_members, &message);
  if (message.type == TYPE_BOT || message.state == STATE_GENERATING || message.group.length != 0
      || message.from.length <= 0 || message.from.length > BECKON_CHANNEL_ID_MAX)
    return;
  content = (Content){ g_string_new (NULL), NULL, g_ptr_array_new_with_free_func (g_free) };
  for_each (&message.items, wechat_message_read_item, &content);
  if (content.text->len > 0 || content.files->len > 0)
    g_ptr_array_add (messages, make_incoming (&message, &content));
  g_string_free (content.text, TRUE);
  g_free (content.quote);
  g_ptr_array_unref (content.files);
}

void
beckon_wechat_updates_clear (BeckonWechatUpdates *updates)
{
  g_clear_pointer (&updates->messages, g_ptr_array_unref);
  g_clear_pointer (&updates->cursor, g_free);
}

gboolean
beckon_wechat_updates_read (const char *text, gsize length, BeckonWechatUpdates *updates)
{
  Updates read = { 0 };

  *updates = (BeckonWechatUpdates){ 0 };
  if (beckon_json_members_read_text (text, length, updates_members, &read) != BECKON_JSON_FAULT_NONE
      || read.cursor.length > BECKON_WECHAT_TOKEN_MAX)
    return FALSE;
  updates->messages = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_channel_incoming_unref);
  for_each (&read.messages, read_message, updates->messages);
  updates->cursor = read.cursor.length > 0 ? wechat_message_dup_text (&read.cursor) : NULL;
  updates->poll_ms = read.poll_ms;
  return TRUE;
}

/* --- Bodies ------------------------------------------------------------------------------------------------------- */

char *
beckon_wechat_make_poll (const char *cursor)
{
  BeckonJsonWriter writer;

  beckon_wechat_begin_body (&writer, g_string_new (NULL));
  beckon_json_writer_member_string (&writer, "get_updates_buf", cursor != NULL ? cursor : "");
  return beckon_wechat_end_body (&writer);
}

char *
beckon_wechat_make_message (const BeckonChannelOutgoing *outgoing)
{
  BeckonJsonWriter writer;

  beckon_wechat_begin_body (&writer, g_string_new (NULL));
  beckon_json_writer_name (&writer, "msg");
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "from_user_id", "");
  beckon_json_writer_member_string (&writer, "to_user_id", outgoing->address);
  beckon_json_writer_member_string (&writer, "client_id", outgoing->id);
  beckon_json_writer_member_int (&writer, "message_type", TYPE_BOT);
  beckon_json_writer_member_int (&writer, "message_state", STATE_FINISHED);
  beckon_json_writer_name (&writer, "item_list");
  beckon_json_writer_begin_array (&writer);

  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_int (&writer, "type", ITEM_TEXT);
  beckon_json_writer_name (&writer, "text_item");
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "text", outgoing->text);
  beckon_json_writer_end_object (&writer);
  beckon_json_writer_end_object (&writer);

  beckon_json_writer_end_array (&writer);
  if (outgoing->context != NULL)
    beckon_json_writer_member_string (&writer, "context_token", outgoing->context);
  beckon_json_writer_end_object (&writer);
  return beckon_wechat_end_body (&writer);
}

char *
beckon_wechat_read_message_id (const char *text, gsize length)
{
  Message message = { 0 };
  g_autofree char *id = NULL;

  beckon_json_members_read_text (text, length, message_members, &message);
  id = dup_id (&message.id);
  return id != NULL ? g_steal_pointer (&id) : g_strdup ("");
}
