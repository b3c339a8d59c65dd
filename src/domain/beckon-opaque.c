/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-opaque.h"

#include "base/beckon-json-reader.h"
#include "base/beckon-json.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-citation.h"
#include "beckon-note.h"
#include "beckon-provider-search.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Longer than any name of a tool. */
#define MAX_NAME_CHARS 60

typedef struct
{
  BeckonJsonSlice type;
  BeckonJsonSlice name;
} Block;

static const BeckonJsonMember block_members[] = {
  BECKON_JSON_STRING_MEMBER ("type", Block, type),
  BECKON_JSON_STRING_MEMBER ("name", Block, name),
  BECKON_JSON_MEMBERS_END,
};

/* Blocks that belong to reasoning, to a call or to a text, which are shown themselves. */
static const char *const seals[] = {
  "thinking", "redacted_thinking", "reasoning", "reasoning_details", "signature", "compaction", "message",
  BECKON_CITATIONS_TYPE, BECKON_SEARCHES_TYPE,
};

/* Records of a reply that are ours, with names that no provider has. */
static const char *const records[] = { BECKON_CITATIONS_TYPE, BECKON_SEARCHES_TYPE };

static gboolean
opaque_is_one_of (const BeckonJsonSlice *slice, const char *const *words, guint n_words)
{
  for (guint i = 0; i < n_words && slice->text != NULL; i++)
    {
      if (beckon_json_slice_equals (slice, words[i]))
        return TRUE;
    }
  return FALSE;
}

static gboolean
opaque_read_block (BeckonPart *part, Block *block)
{
  return beckon_part_get_kind (part) == BECKON_PART_OPAQUE
         && beckon_json_members_read_text (beckon_part_get_text (part), beckon_part_get_length (part), block_members,
                                           block) == BECKON_JSON_FAULT_NONE;
}

static gboolean
is_record (BeckonPart *part)
{
  Block block = { 0 };

  return strstr (beckon_part_get_text (part), "beckon_") != NULL && opaque_read_block (part, &block)
         && opaque_is_one_of (&block.type, records, G_N_ELEMENTS (records));
}

/* A history may have been written by a stranger; what is no object would break the request. */
gboolean
beckon_opaque_is_from (BeckonPart *part, const char *origin)
{
  g_return_val_if_fail (BECKON_IS_PART (part), FALSE);

  return beckon_part_get_kind (part) == BECKON_PART_OPAQUE && g_strcmp0 (beckon_part_get_origin (part), origin) == 0
         && beckon_part_get_text (part)[0] == '{'
         && beckon_json_check (beckon_part_get_text (part), (gssize) beckon_part_get_length (part), NULL) && !is_record (part);
}

char *
beckon_opaque_dup_unsupported (BeckonPart *part)
{
  Block block = { 0 };
  const BeckonJsonSlice *words;
  GString *name;

  g_return_val_if_fail (BECKON_IS_PART (part), NULL);

  if (beckon_part_get_origin (part) == NULL || g_strcmp0 (beckon_part_get_origin (part), BECKON_NOTE_ORIGIN) == 0
      || !opaque_read_block (part, &block)
      || opaque_is_one_of (&block.type, seals, G_N_ELEMENTS (seals)))
    return NULL;
  name = g_string_new (NULL);
  words = block.name.length > 0 ? &block.name : &block.type;
  if (words->text != NULL)
    beckon_json_slice_append_to (words, name);
  return g_string_free (name, FALSE);
}

gboolean
beckon_opaque_is_thinking (BeckonPart *part)
{
  static const char *const types[] = { "thinking", "redacted_thinking" };
  Block block = { 0 };

  g_return_val_if_fail (BECKON_IS_PART (part), FALSE);

  return g_strcmp0 (beckon_part_get_origin (part), "anthropic") == 0 && opaque_read_block (part, &block)
         && opaque_is_one_of (&block.type, types, G_N_ELEMENTS (types));
}

gboolean
beckon_opaque_is_bound_to_search (BeckonMessage *message, guint place)
{
  BeckonPart *part;
  Block block = { 0 };

  g_return_val_if_fail (BECKON_IS_MESSAGE (message), FALSE);

  part = beckon_message_get_part (message, place);
  if (beckon_provider_search_is (part) || beckon_citation_is_list (part))
    return TRUE;
  if (g_strcmp0 (beckon_part_get_origin (part), "responses") != 0 || !opaque_read_block (part, &block)
      || !opaque_is_one_of (&block.type, (const char *const[]){ "reasoning" }, 1))
    return FALSE;
  return place + 1 < beckon_message_get_n_parts (message)
         && beckon_provider_search_is (beckon_message_get_part (message, place + 1));
}

char *
beckon_opaque_dup_sentence (BeckonPart *part)
{
  g_autofree char *name = NULL;
  g_autofree char *safe = NULL;
  g_autofree char *shorter = NULL;

  g_return_val_if_fail (BECKON_IS_PART (part), NULL);

  if (beckon_provider_search_is (part))
    return beckon_provider_search_dup_sentence (part);
  name = beckon_opaque_dup_unsupported (part);
  safe = name != NULL ? beckon_text_for_display (name, -1, BECKON_TEXT_EXACT) : NULL;
  shorter = safe != NULL ? beckon_text_shorten (safe, MAX_NAME_CHARS) : NULL;
  if (shorter == NULL)
    return NULL;
  /* Translators: %s is a name, such as web_search */
  return beckon_text_printf (_("The provider used something of its own that is not supported and cannot be shown here: "
                               "%s"),
                             shorter);
}
