/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-citation.h"

#include "base/beckon-json-reader.h"
#include "base/beckon-text.h"

#include <string.h>

#define MAX_URL_BYTES 2048
#define MAX_TITLE_BYTES 4096
#define MAX_TITLE_CHARS 120

/* A hostile list is not gone through to its end. */
#define MAX_READ 2000

typedef struct
{
  BeckonJsonSlice type;
  BeckonJsonSlice cited;
} List;

static gboolean
citation_read_list (BeckonPart *part, List *list)
{
  static const BeckonJsonMember members[] = {
    BECKON_JSON_STRING_MEMBER ("type", List, type),
    BECKON_JSON_RAW_MEMBER ("cited", List, cited),
    BECKON_JSON_MEMBERS_END,
  };

  return beckon_part_get_kind (part) == BECKON_PART_OPAQUE && strstr (beckon_part_get_text (part), BECKON_CITATIONS_TYPE)
         && beckon_json_members_read_text (beckon_part_get_text (part), beckon_part_get_length (part), members, list)
                == BECKON_JSON_FAULT_NONE
         && list->type.text != NULL && beckon_json_slice_equals (&list->type, BECKON_CITATIONS_TYPE);
}

gboolean
beckon_citation_is_list (BeckonPart *part)
{
  List list = { BECKON_JSON_SLICE_INIT, BECKON_JSON_SLICE_INIT };

  return citation_read_list (part, &list);
}

/* --- Sources ------------------------------------------------------------------------------------------------------- */

void
beckon_citation_read_source (const BeckonJsonSlice *raw, BeckonCitationSource *source)
{
  static const BeckonJsonMember inner[] = {
    BECKON_JSON_STRING_MEMBER ("url", BeckonCitationSource, url),
    BECKON_JSON_STRING_MEMBER ("uri", BeckonCitationSource, url),
    BECKON_JSON_STRING_MEMBER ("title", BeckonCitationSource, title),
    BECKON_JSON_MEMBERS_END,
  };
  static const BeckonJsonMember members[] = {
    BECKON_JSON_STRING_MEMBER ("url", BeckonCitationSource, url),
    BECKON_JSON_STRING_MEMBER ("title", BeckonCitationSource, title),
    BECKON_JSON_OBJECT_MEMBER ("url_citation", inner),
    BECKON_JSON_OBJECT_MEMBER ("web", inner),
    BECKON_JSON_MEMBERS_END,
  };

  *source = (BeckonCitationSource){ BECKON_JSON_SLICE_INIT, BECKON_JSON_SLICE_INIT };
  if (raw->length >= 2 && raw->text[0] == '"')
    source->url = (BeckonJsonSlice){ raw->text + 1, raw->length - 2, TRUE };
  else
    beckon_json_members_read_text (raw->text, raw->length, members, source);
}

static char *
dup_decoded (const BeckonJsonSlice *slice, gsize max)
{
  GString *text = g_string_new (NULL);

  if (slice->text != NULL && slice->length <= max)
    beckon_json_slice_append_to (slice, text);
  /* A NUL ends nothing. */
  if (strlen (text->str) != text->len)
    g_string_truncate (text, 0);
  return g_string_free (text, FALSE);
}

/* In ASCII, so that nothing in it can look like something else. (nullable): %NULL where it is nothing to open. */
static char *
dup_address (const BeckonJsonSlice *slice, char **host)
{
  g_autofree char *text = dup_decoded (slice, 3 * MAX_URL_BYTES);
  g_autofree char *ascii = NULL;
  g_autoptr (GUri) uri = NULL;

  for (const char *c = text; *c != '\0'; c++)
    if (*c == ' ' || g_ascii_iscntrl (*c) || *c == '\\' || *c == '"' || *c == '<' || *c == '>')
      return NULL;
  ascii = g_uri_escape_string (text, "%:/?#[]@!$&'()*+,;=", FALSE);
  uri = strlen (ascii) <= MAX_URL_BYTES ? g_uri_parse (ascii, G_URI_FLAGS_NONE, NULL) : NULL;
  if (uri == NULL || g_uri_get_host (uri) == NULL || *g_uri_get_host (uri) == '\0' || g_uri_get_userinfo (uri) != NULL
      || (strcmp (g_uri_get_scheme (uri), "http") != 0 && strcmp (g_uri_get_scheme (uri), "https") != 0))
    return NULL;
  *host = g_hostname_to_ascii (g_uri_get_host (uri));
  return *host != NULL ? g_steal_pointer (&ascii) : NULL;
}

static void
citation_free (gpointer data)
{
  BeckonCitation *citation = data;

  g_free (citation->url);
  g_free (citation->title);
  g_free (citation->host);
  g_free (citation);
}

typedef struct
{
  GPtrArray *sources;
  GHashTable *urls;
  guint n_read;
} Collecting;

static void
citation_collect (Collecting *collecting, const BeckonJsonSlice *raw)
{
  BeckonCitationSource source;
  BeckonCitation *citation;
  char *host = NULL;
  char *url;
  g_autofree char *text = NULL;
  g_autofree char *safe = NULL;

  beckon_citation_read_source (raw, &source);
  url = dup_address (&source.url, &host);
  if (url == NULL || g_hash_table_contains (collecting->urls, url))
    {
      g_free (url);
      g_free (host);
      return;
    }
  citation = g_new0 (BeckonCitation, 1);
  citation->url = url;
  citation->host = host;

  text = dup_decoded (&source.title, MAX_TITLE_BYTES);
  safe = beckon_text_for_display (text, -1, BECKON_TEXT_EXACT);
  g_strstrip (safe);
  citation->title = beckon_text_shorten (*safe != '\0' ? safe : host, MAX_TITLE_CHARS);
  g_hash_table_add (collecting->urls, url);
  g_ptr_array_add (collecting->sources, citation);
}

static gboolean
collect_text (const BeckonCitedText *cited, gpointer user_data)
{
  Collecting *collecting = user_data;
  BeckonJsonReader reader;
  BeckonJsonToken token;

  beckon_json_reader_init (&reader, cited->citations.text, cited->citations.length, BECKON_JSON_REPLACE);
  if (beckon_json_reader_next (&reader) != BECKON_JSON_ARRAY_BEGIN)
    return TRUE;
  while ((token = beckon_json_reader_next (&reader)) != BECKON_JSON_ARRAY_END)
    {
      BeckonJsonSlice raw = BECKON_JSON_SLICE_INIT;

      if (!beckon_json_reader_finish_value (&reader, token, &raw) || collecting->n_read++ >= MAX_READ
          || collecting->sources->len >= BECKON_CITATIONS_MAX)
        return FALSE;
      citation_collect (collecting, &raw);
    }
  return TRUE;
}

GPtrArray *
beckon_citation_list (BeckonPart *part)
{
  g_autoptr (GHashTable) urls = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) sources = g_ptr_array_new_with_free_func (citation_free);
  Collecting collecting = { .sources = sources, .urls = urls };

  g_return_val_if_fail (BECKON_IS_PART (part), NULL);

  beckon_citation_foreach_text (part, collect_text, &collecting);
  return sources->len > 0 ? g_steal_pointer (&sources) : NULL;
}

/* --- Passages ------------------------------------------------------------------------------------------------------ */

gboolean
beckon_citation_foreach_text (BeckonPart *part, BeckonCitedTextFunc function, gpointer user_data)
{
  static const BeckonJsonMember members[] = {
    BECKON_JSON_INT_MEMBER ("from", BeckonCitedText, from),
    BECKON_JSON_INT_MEMBER ("to", BeckonCitedText, to),
    BECKON_JSON_RAW_MEMBER ("citations", BeckonCitedText, citations),
    BECKON_JSON_MEMBERS_END,
  };
  List list = { BECKON_JSON_SLICE_INIT, BECKON_JSON_SLICE_INIT };
  BeckonJsonReader reader;
  BeckonJsonToken token;

  g_return_val_if_fail (BECKON_IS_PART (part), FALSE);
  g_return_val_if_fail (function != NULL, FALSE);

  if (!citation_read_list (part, &list) || list.cited.text == NULL)
    return FALSE;
  beckon_json_reader_init (&reader, list.cited.text, list.cited.length, BECKON_JSON_REPLACE);
  if (beckon_json_reader_next (&reader) != BECKON_JSON_ARRAY_BEGIN)
    return FALSE;
  while ((token = beckon_json_reader_next (&reader)) == BECKON_JSON_OBJECT_BEGIN)
    {
      BeckonCitedText cited = { -1, -1, BECKON_JSON_SLICE_INIT };

      if (!beckon_json_members_read (&reader, members, &cited))
        return FALSE;
      if (cited.citations.length > 0 && cited.citations.text[0] == '[' && !function (&cited, user_data))
        return FALSE;
    }
  return token == BECKON_JSON_ARRAY_END;
}
