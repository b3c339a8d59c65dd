/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-citation-list.h"

#include "base/beckon-json-writer.h"
#include "base/beckon-json.h"
#include "domain/beckon-citation.h"
#include "domain/beckon-provider-search.h"

#include <string.h>

#define MAX_BYTES (512 * 1024)
#define MAX_PASSAGES 2000
#define MAX_SOURCES 200
#define MAX_QUERIES_BYTES (16 * 1024)

struct _BeckonCitationList
{
  GString *passages; /* of the JSON array, with commas */
  GString *sources;  /* likewise, of one that is for all of the text */
  guint n_passages;
  guint n_sources;
};

BeckonCitationList *
beckon_citation_list_new (void)
{
  BeckonCitationList *list = g_new0 (BeckonCitationList, 1);

  list->passages = g_string_new (NULL);
  list->sources = g_string_new (NULL);
  return list;
}

void
beckon_citation_list_free (BeckonCitationList *list)
{
  if (list == NULL)
    return;
  g_string_free (list->passages, TRUE);
  g_string_free (list->sources, TRUE);
  g_free (list);
}

void
beckon_citation_list_add (BeckonCitationList *list, gsize from, gsize to, const BeckonJsonSlice *raw)
{
  if (raw->length <= 2 || raw->text[0] != '[' || list->n_passages >= MAX_PASSAGES
      || raw->length > MAX_BYTES - MIN (list->passages->len, MAX_BYTES)
      || !beckon_json_check (raw->text, (gssize) raw->length, NULL))
    return;
  list->n_passages++;
  g_string_append_printf (list->passages, "%s{\"from\":%" G_GSIZE_FORMAT ",\"to\":%" G_GSIZE_FORMAT ",\"citations\":",
                          list->passages->len > 0 ? "," : "", from, to);
  g_string_append_len (list->passages, raw->text, (gssize) raw->length);
  g_string_append_c (list->passages, '}');
}

static void
write_decoded (BeckonJsonWriter *writer, const char *name, const BeckonJsonSlice *slice)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (slice->text == NULL)
    return;
  beckon_json_slice_append_to (slice, text);
  beckon_json_writer_name (writer, name);
  beckon_json_writer_string (writer, text->str, (gssize) text->len);
}

static void
add_source (BeckonCitationList *list, const BeckonJsonSlice *raw)
{
  BeckonCitationSource source;
  BeckonJsonWriter writer;

  beckon_citation_read_source (raw, &source);
  if (source.url.length == 0
      || source.url.length + source.title.length > MAX_BYTES - MIN (list->sources->len, MAX_BYTES))
    return;
  list->n_sources++;
  if (list->sources->len > 0)
    g_string_append_c (list->sources, ',');
  beckon_json_writer_init (&writer, list->sources);
  beckon_json_writer_begin_object (&writer);
  write_decoded (&writer, "url", &source.url);
  write_decoded (&writer, "title", &source.title);
  beckon_json_writer_end_object (&writer);
}

void
beckon_citation_list_add_sources (BeckonCitationList *list, const BeckonJsonSlice *raw)
{
  BeckonJsonReader reader;
  BeckonJsonToken token;

  beckon_json_reader_init (&reader, raw->text, raw->length, BECKON_JSON_REPLACE);
  if (beckon_json_reader_next (&reader) != BECKON_JSON_ARRAY_BEGIN)
    return;
  while (list->n_sources < MAX_SOURCES && (token = beckon_json_reader_next (&reader)) != BECKON_JSON_ARRAY_END)
    {
      BeckonJsonSlice source = BECKON_JSON_SLICE_INIT;

      if (!beckon_json_reader_finish_value (&reader, token, &source))
        return;
      add_source (list, &source);
    }
}

void
beckon_citation_list_give (BeckonCitationList *list, BeckonReplyDecoder *decoder)
{
  g_autoptr (GString) json = NULL;

  if (list->passages->len == 0 && list->sources->len == 0)
    return;
  json = g_string_new ("{\"type\":\"" BECKON_CITATIONS_TYPE "\",\"cited\":[");
  g_string_append_len (json, list->passages->str, (gssize) list->passages->len);
  if (list->sources->len > 0)
    g_string_append_printf (json, "%s{\"citations\":[%s]}", list->passages->len > 0 ? "," : "", list->sources->str);
  g_string_append (json, "]}");
  g_string_truncate (list->passages, 0);
  g_string_truncate (list->sources, 0);
  list->n_passages = list->n_sources = 0;
  /* Without a text it is of nothing. */
  if (decoder->has_text)
    beckon_reply_decoder_give_opaque (decoder, json->str, json->len);
}

void
beckon_citation_list_give_searches (BeckonReplyDecoder *decoder, gint64 requests, const BeckonJsonSlice *queries)
{
  g_autoptr (GString) json = g_string_new (NULL);
  gboolean has_queries = queries != NULL && queries->length > 2 && queries->length <= MAX_QUERIES_BYTES;
  BeckonJsonWriter writer;

  if (requests < 1 && !has_queries)
    return;
  beckon_json_writer_init (&writer, json);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "type", BECKON_SEARCHES_TYPE);
  if (requests > 0)
    beckon_json_writer_member_int (&writer, "requests", requests);
  if (has_queries)
    {
      beckon_json_writer_name (&writer, "queries");
      beckon_json_writer_raw (&writer, queries->text, (gssize) queries->length);
    }
  beckon_json_writer_end_object (&writer);
  beckon_reply_decoder_give_opaque (decoder, json->str, json->len);
}
