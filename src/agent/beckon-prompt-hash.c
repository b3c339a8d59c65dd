/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-prompt-hash.h"

#include <string.h>

#define HASH_BEGIN G_GUINT64_CONSTANT (0xcbf29ce484222325)
#define HASH_FACTOR G_GUINT64_CONSTANT (0x100000001b3)

static void
hash_bytes (guint64 *hash, const void *data, gsize length)
{
  const guchar *bytes = data;

  for (gsize i = 0; i < length; i++)
    *hash = (*hash ^ bytes[i]) * HASH_FACTOR;
}

static void
hash_number (guint64 *hash, guint64 number)
{
  hash_bytes (hash, &number, sizeof number);
}

static void
hash_string (guint64 *hash, const char *text)
{
  hash_number (hash, text != NULL ? strlen (text) : G_MAXUINT64);
  if (text != NULL)
    hash_bytes (hash, text, strlen (text));
}

static void
hash_call (guint64 *hash, BeckonToolCall *call)
{
  hash_string (hash, beckon_tool_call_get_provider_id (call));
  hash_string (hash, beckon_tool_call_get_name (call));
  hash_string (hash, beckon_tool_call_get_effective_arguments (call));
  hash_string (hash, beckon_tool_call_get_result (call));
  hash_number (hash, (guint64) beckon_tool_call_get_is_error (call));
  for (guint i = 0; i < beckon_tool_call_get_n_images (call); i++)
    hash_number (hash, beckon_part_get_length (beckon_tool_call_get_image (call, i)));
}

/* Pictures and files count by their size alone: nothing changes one. */
static void
hash_part (guint64 *hash, BeckonPart *part)
{
  hash_number (hash, (guint64) beckon_part_get_kind (part));
  hash_number (hash, beckon_part_get_length (part));
  if (beckon_part_get_call (part) != NULL)
    hash_call (hash, beckon_part_get_call (part));
  else if (beckon_part_get_kind (part) != BECKON_PART_IMAGE)
    hash_bytes (hash, beckon_part_get_text (part), beckon_part_get_length (part));
  if (beckon_part_get_file (part) != NULL)
    hash_number (hash, g_bytes_get_size (beckon_part_get_file (part)));
}

guint64
beckon_prompt_hash (GPtrArray *messages, guint n)
{
  guint64 hash = HASH_BEGIN;

  for (guint i = 0; i < n; i++)
    {
      BeckonMessage *message = g_ptr_array_index (messages, i);

      hash_number (&hash, (guint64) beckon_message_get_role (message));
      for (guint part = 0; part < beckon_message_get_n_parts (message); part++)
        hash_part (&hash, beckon_message_get_part (message, part));
    }
  return hash;
}

/* The last message may be joined with the next one, and the pictures of its results may go. */
guint
beckon_prompt_hash_count_final (GPtrArray *messages)
{
  for (guint i = messages->len; i > 0; i--)
    if (beckon_message_get_role (g_ptr_array_index (messages, i - 1)) == BECKON_ROLE_USER)
      return i - 1;
  return 0;
}
