/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-provider-search.h"

#include "base/beckon-json-reader.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_QUERY_CHARS 200
#define MAX_QUERIES 5

typedef struct
{
  BeckonJsonSlice type;
  BeckonJsonSlice name;
  BeckonJsonSlice query;
  BeckonJsonSlice queries; /* raw */
  BeckonJsonSlice url;
  BeckonJsonSlice error;
  BeckonJsonSlice tool_type;
  BeckonJsonSlice status;
  gint64 requests;
} Block;

static const BeckonJsonMember query_members[] = {
  BECKON_JSON_STRING_MEMBER ("query", Block, query),
  BECKON_JSON_RAW_MEMBER ("queries", Block, queries),
  BECKON_JSON_STRING_MEMBER ("url", Block, url),
  BECKON_JSON_MEMBERS_END,
};

static const BeckonJsonMember error_members[] = {
  BECKON_JSON_STRING_MEMBER ("error_code", Block, error),
  BECKON_JSON_MEMBERS_END,
};

static const BeckonJsonMember tool_members[] = {
  BECKON_JSON_STRING_MEMBER ("toolType", Block, tool_type),
  BECKON_JSON_OBJECT_MEMBER ("args", query_members),
  BECKON_JSON_MEMBERS_END,
};

static const BeckonJsonMember part_members[] = {
  BECKON_JSON_OBJECT_MEMBER ("toolCall", tool_members),
  BECKON_JSON_OBJECT_MEMBER ("toolResponse", tool_members),
  BECKON_JSON_MEMBERS_END,
};

static const BeckonJsonMember block_members[] = {
  BECKON_JSON_STRING_MEMBER ("type", Block, type),
  BECKON_JSON_STRING_MEMBER ("name", Block, name),
  BECKON_JSON_STRING_MEMBER ("status", Block, status),
  BECKON_JSON_OBJECT_MEMBER ("input", query_members),
  BECKON_JSON_OBJECT_MEMBER ("action", query_members),
  BECKON_JSON_OBJECT_MEMBER ("content", error_members),
  BECKON_JSON_OBJECT_MEMBER ("part", part_members),
  BECKON_JSON_RAW_MEMBER ("queries", Block, queries),
  BECKON_JSON_INT_MEMBER ("requests", Block, requests),
  BECKON_JSON_MEMBERS_END,
};

typedef enum
{
  KIND_NONE,
  KIND_QUERY,
  KIND_RESULT,
  KIND_COUNT,
} Kind;

static gboolean
provider_search_says (const BeckonJsonSlice *slice, const char *word)
{
  return slice->text != NULL && beckon_json_slice_equals (slice, word);
}

/* As Anthropic, OpenAI's Responses and Gemini have them. */
static Kind
provider_search_read_block (BeckonPart *part, Block *block)
{
  *block = (Block){ .requests = -1 };
  if (beckon_part_get_kind (part) != BECKON_PART_OPAQUE
      || beckon_json_members_read_text (beckon_part_get_text (part), beckon_part_get_length (part), block_members, block)
      != BECKON_JSON_FAULT_NONE)
    return KIND_NONE;
  if ((provider_search_says (&block->type, "server_tool_use") && provider_search_says (&block->name, "web_search"))
      || provider_search_says (&block->type, "web_search_call"))
    return KIND_QUERY;
  if (provider_search_says (&block->type, "web_search_tool_result"))
    return KIND_RESULT;
  if (provider_search_says (&block->type, BECKON_SEARCHES_TYPE))
    return KIND_COUNT;
  if (!provider_search_says (&block->type, "part") || !provider_search_says (&block->tool_type, "GOOGLE_SEARCH_WEB"))
    return KIND_NONE;
  return provider_search_says (&block->name, "toolCall") ? KIND_QUERY : KIND_RESULT;
}

gboolean
beckon_provider_search_is (BeckonPart *part)
{
  Block block;

  g_return_val_if_fail (BECKON_IS_PART (part), FALSE);

  return provider_search_read_block (part, &block) != KIND_NONE;
}

/* --- Words --------------------------------------------------------------------------------------------------------- */

static char *
provider_search_dup_shown (const BeckonJsonSlice *slice)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *safe = NULL;

  if (slice->text != NULL)
    beckon_json_slice_append_to (slice, text);
  safe = beckon_text_for_display (text->str, (gssize) text->len, BECKON_TEXT_EXACT);
  return beckon_text_shorten (g_strstrip (safe), MAX_QUERY_CHARS);
}

static void
add_query (GPtrArray *queries, const BeckonJsonSlice *query)
{
  char *shown = provider_search_dup_shown (query);

  if (*shown != '\0')
    g_ptr_array_add (queries, shown);
  else
    g_free (shown);
}

static char *
describe_query (const Block *block)
{
  g_autoptr (GPtrArray) queries = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) text = g_string_new (NULL);
  BeckonJsonReader reader;
  g_autofree char *joined = NULL;
  g_autofree char *url = NULL;

  if (block->queries.text != NULL)
    {
      beckon_json_reader_init (&reader, block->queries.text, block->queries.length, BECKON_JSON_REPLACE);
      if (beckon_json_reader_next (&reader) == BECKON_JSON_ARRAY_BEGIN)
        while (queries->len < MAX_QUERIES && beckon_json_reader_next (&reader) == BECKON_JSON_STRING)
          add_query (queries, &reader.slice);
    }
  if (queries->len == 0)
    add_query (queries, &block->query);
  for (guint i = 0; i < queries->len; i++)
    g_string_append_printf (text, "%s“%s”", i > 0 ? " " : "", (const char *) g_ptr_array_index (queries, i));

  joined = g_string_free (g_steal_pointer (&text), FALSE);
  url = provider_search_dup_shown (&block->url);
  if (provider_search_says (&block->status, "failed"))
    return g_strdup (_("The provider’s web search failed"));
  if (queries->len > 0)
    /* Translators: %s is what was searched for, in quotation marks; may be several */
    return beckon_text_printf (_("Searched the web for %s"), joined);
  if (*url != '\0')
    /* Translators: %s is a web address; the provider opened it while it searched */
    return beckon_text_printf (_("Opened %s"), url);
  return g_strdup (_("Searched the web"));
}

char *
beckon_provider_search_dup_sentence (BeckonPart *part)
{
  g_autofree char *error = NULL;
  Block block;
  Kind kind;

  kind = provider_search_read_block (part, &block);
  if (kind == KIND_QUERY || (kind == KIND_COUNT && block.queries.text != NULL))
    return describe_query (&block);
  if (kind != KIND_RESULT || block.error.length == 0)
    return NULL;
  error = provider_search_dup_shown (&block.error);
  /* Translators: %s is the provider's own word for why, such as max_uses_exceeded */
  return beckon_text_printf (_("The provider’s web search failed: %s"), error);
}

/* --- Counting ------------------------------------------------------------------------------------------------------ */

guint
beckon_provider_search_count (BeckonMessage *message)
{
  guint n = 0;

  g_return_val_if_fail (BECKON_IS_MESSAGE (message), 0);

  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      Block block;
      Kind kind = provider_search_read_block (beckon_message_get_part (message, i), &block);

      if (kind == KIND_COUNT && block.requests >= 0)
        return (guint) MIN (block.requests, G_MAXINT);
      n += kind == KIND_QUERY && block.url.length == 0;
    }
  return n;
}

char *
beckon_provider_search_dup_count (guint n)
{
  return n == 0 ? NULL
                : g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u web search", "%u web searches", n), n);
}

/* --- Profiles ------------------------------------------------------------------------------------------------------ */

/* Other servers that speak these protocols ignore or refuse a tool that they don't know, and the model would have no search. */
static const struct
{
  BeckonProfileKind kind;
  const char *host; /* with a dot before it: any name below it */
} searching[] = {
  { BECKON_PROFILE_ANTHROPIC, "api.anthropic.com" },
  { BECKON_PROFILE_ANTHROPIC, "openrouter.ai" },
  { BECKON_PROFILE_ANTHROPIC, ".services.ai.azure.com" },
  { BECKON_PROFILE_RESPONSES, "api.openai.com" },
  { BECKON_PROFILE_RESPONSES, ".api.openai.com" },
  { BECKON_PROFILE_RESPONSES, "api.x.ai" },
  { BECKON_PROFILE_RESPONSES, "openrouter.ai" },
  { BECKON_PROFILE_RESPONSES, ".openai.azure.com" },
  { BECKON_PROFILE_RESPONSES, ".services.ai.azure.com" },
  { BECKON_PROFILE_GEMINI, "generativelanguage.googleapis.com" },
  { BECKON_PROFILE_CHAT, "openrouter.ai" },
};

static gboolean
is_at_known (BeckonProfile *profile)
{
  g_autoptr (GUri) uri = g_uri_parse (beckon_profile_get_base_url (profile), G_URI_FLAGS_NONE, NULL);
  g_autofree char *host = uri != NULL && g_uri_get_host (uri) != NULL ? g_ascii_strdown (g_uri_get_host (uri), -1) : NULL;

  for (guint i = 0; i < G_N_ELEMENTS (searching) && host != NULL; i++)
    if (searching[i].kind == beckon_profile_get_kind (profile)
        && (*searching[i].host == '.' ? g_str_has_suffix (host, searching[i].host) : g_str_equal (host, searching[i].host)))
      return TRUE;
  return FALSE;
}

/* Only from the third generation on does it go together with tools of ours
 * (https://ai.google.dev/gemini-api/docs/tool-combination). A name without a generation, such as gemini-flash-latest, is of the
 * newest, and so is one that is still to be chosen. */
static gboolean
has_gemini_search (const char *model)
{
  const char *name = *model != '\0' ? strstr (model, "gemini-") : "gemini-";
  guint64 generation = name != NULL ? g_ascii_strtoull (name + strlen ("gemini-"), NULL, 10) : 1;

  return generation == 0 || generation >= 3;
}

gboolean
beckon_provider_search_is_known (BeckonProfile *profile)
{
  g_return_val_if_fail (BECKON_IS_PROFILE (profile), FALSE);

  return is_at_known (profile)
         && (beckon_profile_get_kind (profile) != BECKON_PROFILE_GEMINI
             || has_gemini_search (beckon_profile_get_model (profile)));
}
