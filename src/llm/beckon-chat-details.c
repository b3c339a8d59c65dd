/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-chat-details.h"

/* A block of text comes in as many pieces as the text itself, each a block of its own with the same index, the seal in
 * the last one. A seal is for the whole text, so that the pieces are put together again: what a string says is appended
 * as it is written, and no byte of it is read and written anew. */

/* Limits of a reply; more can't be returned whole, and a part of it is of no use. */
#define MAX_BYTES (8 * 1024 * 1024)
#define MAX_BLOCKS 4096

typedef struct
{
  char *name;     /* raw, without quotes */
  GString *value; /* raw */
} Member;

struct _BeckonChatDetails
{
  GPtrArray *blocks; /* (element-type GPtrArray of Member) */
  gsize size;
  gboolean is_too_much;
};

static void
member_free (Member *member)
{
  g_free (member->name);
  g_string_free (member->value, TRUE);
  g_free (member);
}

BeckonChatDetails *
beckon_chat_details_new (void)
{
  BeckonChatDetails *self = g_new0 (BeckonChatDetails, 1);

  self->blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  return self;
}

void
beckon_chat_details_free (BeckonChatDetails *self)
{
  g_ptr_array_unref (self->blocks);
  g_free (self);
}

static Member *
chat_details_find (GPtrArray *block, const char *name)
{
  for (guint i = 0; i < block->len; i++)
    {
      Member *member = g_ptr_array_index (block, i);

      if (g_str_equal (member->name, name))
        return member;
    }
  return NULL;
}

/* (nullable): its raw text, %NULL also for null. */
static const char *
chat_details_get (GPtrArray *block, const char *name)
{
  Member *member = chat_details_find (block, name);

  return member != NULL && !g_str_equal (member->value->str, "null") ? member->value->str : NULL;
}

static gboolean
chat_details_is_empty (const char *value)
{
  return value == NULL || g_str_equal (value, "\"\"");
}

static GPtrArray *
chat_details_read_block (BeckonJsonReader *reader)
{
  GPtrArray *block = g_ptr_array_new_with_free_func ((GDestroyNotify) member_free);

  while (beckon_json_reader_next (reader) == BECKON_JSON_NAME)
    {
      Member *member = g_new0 (Member, 1);
      BeckonJsonSlice raw = BECKON_JSON_SLICE_INIT;

      member->name = g_strndup (reader->slice.text, reader->slice.length);
      beckon_json_reader_skip (reader, &raw);
      member->value = g_string_new_len (raw.text, (gssize) raw.length);
      g_ptr_array_add (block, member);
    }
  return block;
}

/* Which member comes in pieces; %NULL for a block that comes whole. */
static const char *
get_growing (GPtrArray *block)
{
  const char *type = chat_details_get (block, "type");

  if (g_strcmp0 (type, "\"reasoning.text\"") == 0)
    return "text";
  return g_strcmp0 (type, "\"reasoning.summary\"") == 0 ? "summary" : NULL;
}

/* Sealed blocks have ended. */
static gboolean
continues (GPtrArray *block, GPtrArray *last)
{
  const char *growing = get_growing (block);

  return growing != NULL && g_strcmp0 (growing, get_growing (last)) == 0
         && g_strcmp0 (chat_details_get (block, "index"), chat_details_get (last, "index")) == 0
         && (chat_details_is_empty (chat_details_get (last, "signature"))
             || chat_details_is_empty (chat_details_get (block, growing)));
}

static void
append_string (GString *to, const char *more)
{
  if (to->len >= 2 && to->str[0] == '"' && more[0] == '"')
    {
      g_string_truncate (to, to->len - 1);
      g_string_append (to, more + 1);
    }
  else
    g_string_assign (to, more);
}

static void
chat_details_merge (GPtrArray *last, GPtrArray *block)
{
  const char *growing = get_growing (block);

  for (guint i = 0; i < block->len; i++)
    {
      Member *member = g_ptr_array_index (block, i);
      Member *known = chat_details_find (last, member->name);

      if (known == NULL)
        {
          known = g_new0 (Member, 1);
          known->name = g_strdup (member->name);
          known->value = g_string_new (member->value->str);
          g_ptr_array_add (last, known);
        }
      else if (g_str_equal (member->name, growing) && !chat_details_is_empty (chat_details_get (block, growing)))
        append_string (known->value, member->value->str);
      else if (!chat_details_is_empty (chat_details_get (block, member->name)))
        g_string_assign (known->value, member->value->str);
    }
}

static void
chat_details_add (BeckonChatDetails *self, GPtrArray *block)
{
  GPtrArray *last = self->blocks->len > 0 ? g_ptr_array_index (self->blocks, self->blocks->len - 1) : NULL;

  if (last != NULL && continues (block, last))
    chat_details_merge (last, block);
  else if (self->blocks->len < MAX_BLOCKS)
    g_ptr_array_add (self->blocks, g_ptr_array_ref (block));
  else
    self->is_too_much = TRUE;
}

void
beckon_chat_details_feed (BeckonChatDetails *self, const BeckonJsonSlice *list)
{
  BeckonJsonReader reader;
  BeckonJsonToken token;

  self->is_too_much |= list->length > MAX_BYTES - self->size;
  if (self->is_too_much)
    return;
  self->size += list->length;
  beckon_json_reader_init (&reader, list->text, list->length, BECKON_JSON_REPLACE);
  if (beckon_json_reader_next (&reader) != BECKON_JSON_ARRAY_BEGIN)
    return;
  while ((token = beckon_json_reader_next (&reader)) != BECKON_JSON_ARRAY_END && token != BECKON_JSON_FAULTY)
    {
      g_autoptr (GPtrArray) block = NULL;

      if (token != BECKON_JSON_OBJECT_BEGIN)
        {
          beckon_json_reader_finish_value (&reader, token, NULL);
          continue;
        }
      block = chat_details_read_block (&reader);
      chat_details_add (self, block);
    }
}

static void
write_block (GString *json, GPtrArray *block)
{
  g_string_append_c (json, '{');
  for (guint i = 0; i < block->len; i++)
    {
      Member *member = g_ptr_array_index (block, i);

      g_string_append_printf (json, "%s\"%s\":", i > 0 ? "," : "", member->name);
      g_string_append_len (json, member->value->str, (gssize) member->value->len);
    }
  g_string_append_c (json, '}');
}

char *
beckon_chat_details_dup_block (BeckonChatDetails *self)
{
  GString *json;

  if (self->blocks->len == 0 || self->is_too_much)
    return NULL;
  json = g_string_new ("{\"type\":\"reasoning_details\",\"reasoning_details\":[");
  for (guint i = 0; i < self->blocks->len; i++)
    {
      if (i > 0)
        g_string_append_c (json, ',');
      write_block (json, g_ptr_array_index (self->blocks, i));
    }
  g_string_append (json, "]}");
  return g_string_free (json, FALSE);
}
