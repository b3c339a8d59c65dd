/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-chat-parts.h"

typedef struct
{
  BeckonJsonSlice type;
  BeckonJsonSlice text;
  BeckonJsonSlice thinking;
  BeckonJsonSlice thinking_parts; /* raw */
} Part;

typedef struct
{
  BeckonChatPartFunc function;
  gpointer user_data;
  gboolean in_thinking;
} Walk;

static void
read_member (BeckonJsonReader *reader, Part *part)
{
  gboolean is_type = beckon_json_slice_equals (&reader->slice, "type");
  gboolean is_text = beckon_json_slice_equals (&reader->slice, "text");
  gboolean is_thinking = beckon_json_slice_equals (&reader->slice, "thinking");
  BeckonJsonToken token = beckon_json_reader_next (reader);

  if (token == BECKON_JSON_STRING && is_type)
    part->type = reader->slice;
  else if (token == BECKON_JSON_STRING && is_text)
    part->text = reader->slice;
  else if (token == BECKON_JSON_STRING && is_thinking)
    part->thinking = reader->slice;
  else
    beckon_json_reader_finish_value (reader, token,
                                     is_thinking && token == BECKON_JSON_ARRAY_BEGIN ? &part->thinking_parts : NULL);
}

static gboolean
has_type (const Part *part, const char *type)
{
  return part->type.text != NULL && beckon_json_slice_equals (&part->type, type);
}

static void walk_parts (Walk *walk, const BeckonJsonSlice *parts);

static void
give_part (Walk *walk, const Part *part)
{
  gboolean is_reasoning = walk->in_thinking || has_type (part, "thinking") || has_type (part, "reasoning");

  if (part->text.text != NULL && (is_reasoning || has_type (part, "text") || has_type (part, "output_text")))
    walk->function (is_reasoning, &part->text, walk->user_data);
  if (part->thinking.text != NULL)
    walk->function (TRUE, &part->thinking, walk->user_data);
  if (part->thinking_parts.text != NULL && !walk->in_thinking)
    {
      Walk inner = { walk->function, walk->user_data, TRUE };

      walk_parts (&inner, &part->thinking_parts);
    }
}

static void
walk_parts (Walk *walk, const BeckonJsonSlice *parts)
{
  BeckonJsonReader reader;
  BeckonJsonToken token;

  beckon_json_reader_init (&reader, parts->text, parts->length, BECKON_JSON_REPLACE);
  beckon_json_reader_next (&reader);
  while ((token = beckon_json_reader_next (&reader)) != BECKON_JSON_ARRAY_END && token != BECKON_JSON_FAULTY)
    {
      Part part = { 0 };

      if (token != BECKON_JSON_OBJECT_BEGIN)
        {
          beckon_json_reader_finish_value (&reader, token, NULL);
          continue;
        }
      while (beckon_json_reader_next (&reader) == BECKON_JSON_NAME)
        read_member (&reader, &part);
      give_part (walk, &part);
    }
}

void
beckon_chat_parts_read (const BeckonJsonSlice *parts, BeckonChatPartFunc function, gpointer user_data)
{
  Walk walk = { function, user_data, FALSE };

  walk_parts (&walk, parts);
}
