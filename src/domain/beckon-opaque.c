/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-opaque.h"

#include "base/beckon-json-members.h"
#include "base/beckon-json-writer.h"
#include "base/beckon-json.h"

typedef struct
{
  BeckonJsonSlice type;
  BeckonJsonSlice name;
  BeckonJsonSlice media_type;
  BeckonJsonSlice data;
} Block;

static const BeckonJsonMember block_members[] = {
  BECKON_JSON_STRING_MEMBER ("type", Block, type),
  BECKON_JSON_STRING_MEMBER ("name", Block, name),
  BECKON_JSON_STRING_MEMBER ("media_type", Block, media_type),
  BECKON_JSON_STRING_MEMBER ("data", Block, data),
  BECKON_JSON_MEMBERS_END,
};

static const char *const image_types[] = { "image/png", "image/jpeg", "image/gif", "image/webp" };

/* What belongs to reasoning or to a call, which are shown themselves. */
static const char *const seals[] = {
  "thinking", "redacted_thinking", "reasoning", "reasoning_details", "signature", "compaction",
};

static gboolean
is_one_of (const BeckonJsonSlice *slice, const char *const *words, guint n_words)
{
  for (guint i = 0; i < n_words && slice->text != NULL; i++)
    {
      if (beckon_json_slice_equals (slice, words[i]))
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_base64 (const BeckonJsonSlice *slice)
{
  if (slice->text == NULL || slice->length == 0 || slice->length % 4 != 0)
    return FALSE;
  for (gsize i = 0; i < slice->length; i++)
    {
      char c = slice->text[i];

      if (!g_ascii_isalnum (c) && c != '+' && c != '/' && (c != '=' || i + 2 < slice->length))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_block (BeckonPart *part, Block *block)
{
  return beckon_part_get_kind (part) == BECKON_PART_OPAQUE
         && beckon_json_members_read_text (beckon_part_get_text (part), beckon_part_get_length (part), block_members,
                                           block) == BECKON_JSON_FAULT_NONE;
}

BeckonPart *
beckon_opaque_new_image (const char *media_type, GBytes *image)
{
  g_autoptr (GString) json = g_string_new (NULL);
  g_autofree char *data = NULL;
  BeckonJsonWriter writer;

  g_return_val_if_fail (media_type != NULL, NULL);
  g_return_val_if_fail (image != NULL, NULL);

  data = g_base64_encode (g_bytes_get_data (image, NULL), g_bytes_get_size (image));
  beckon_json_writer_init (&writer, json);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "type", "image");
  beckon_json_writer_member_string (&writer, "media_type", media_type);
  beckon_json_writer_member_string (&writer, "data", data);
  beckon_json_writer_end_object (&writer);
  return beckon_part_new (BECKON_PART_OPAQUE, json->str);
}

gboolean
beckon_opaque_read_image (BeckonPart *part, BeckonJsonSlice *media_type, BeckonJsonSlice *data)
{
  Block block = { 0 };

  g_return_val_if_fail (BECKON_IS_PART (part), FALSE);

  if (beckon_part_get_origin (part) != NULL || !read_block (part, &block))
    return FALSE;
  *media_type = block.media_type;
  *data = block.data;
  return block.type.text != NULL && beckon_json_slice_equals (&block.type, "image") && is_base64 (&block.data)
         && is_one_of (&block.media_type, image_types, G_N_ELEMENTS (image_types));
}

/* A history may have been written by a stranger; what is no object would break the request. */
gboolean
beckon_opaque_is_from (BeckonPart *part, const char *origin)
{
  g_return_val_if_fail (BECKON_IS_PART (part), FALSE);

  return beckon_part_get_kind (part) == BECKON_PART_OPAQUE && g_strcmp0 (beckon_part_get_origin (part), origin) == 0
         && beckon_part_get_text (part)[0] == '{'
         && beckon_json_check (beckon_part_get_text (part), (gssize) beckon_part_get_length (part), NULL);
}

char *
beckon_opaque_dup_unsupported (BeckonPart *part)
{
  Block block = { 0 };
  const BeckonJsonSlice *words;
  GString *name;

  g_return_val_if_fail (BECKON_IS_PART (part), NULL);

  if (beckon_part_get_origin (part) == NULL || !read_block (part, &block)
      || is_one_of (&block.type, seals, G_N_ELEMENTS (seals)))
    return NULL;
  name = g_string_new (NULL);
  words = block.name.length > 0 ? &block.name : &block.type;
  if (words->text != NULL)
    beckon_json_slice_append_to (words, name);
  return g_string_free (name, FALSE);
}
