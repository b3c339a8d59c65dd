/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-import-citations.h"

#include "base/beckon-json.h"
#include "beckon-import-foreign.h"

#include <string.h>

/* A mark stands between two letters for private use, and its parts between a third. */
#define MARK_BEGIN "\356\210\200"
#define MARK_END "\356\210\201"

/* A mark of older answers: the number of a message, and a name. */
#define OLD_BEGIN "\343\200\220"
#define OLD_MIDDLE "\342\200\240"
#define OLD_END "\343\200\221"

/* The longest mark, so that a letter that begins none takes nothing with it. Bytes. */
#define LONGEST_MARK 4096

static void
append_escaped (GString *out, const char *title)
{
  for (; *title != '\0'; title++)
    {
      if (strchr ("[]\\`*_<", *title) != NULL)
        g_string_append_c (out, '\\');
      g_string_append_c (out, *title == '\n' ? ' ' : *title);
    }
}

/* A page without a title and an address gives nothing. */
static void
append_link (GString *out, JsonObject *page)
{
  const char *url = beckon_json_get_string (page, "url");
  const char *title = beckon_json_get_string (page, "title");
  gboolean is_link = url != NULL && (g_str_has_prefix (url, "https://") || g_str_has_prefix (url, "http://"));
  g_autofree char *address = is_link ? g_uri_escape_string (url, "%:/?#[]@!$&'*+,;=", TRUE) : NULL;

  if (title == NULL || *title == '\0')
    title = is_link ? url : NULL;
  if (title == NULL)
    return;
  g_string_append (out, out->len > 0 ? ", " : "");
  g_string_append (out, is_link ? "[" : "");
  append_escaped (out, title);
  if (is_link)
    g_string_append_printf (out, "](%s)", address);
}

static void
append_reference (GString *out, JsonObject *reference)
{
  const char *type = beckon_json_get_string (reference, "type");
  const char *title = beckon_json_get_string (reference, "title");
  const char *name = beckon_json_get_string (reference, "name");
  g_autoptr (GString) words = g_string_new (NULL);
  JsonArray *items = beckon_json_get_array (reference, "items");

  for (guint i = 0; items != NULL && i < json_array_get_length (items); i++)
    {
      JsonObject *item = beckon_import_element_object (items, i);
      JsonArray *more = beckon_json_get_array (item, "supporting_websites");

      append_link (words, item);
      for (guint k = 0; more != NULL && k < json_array_get_length (more); k++)
        append_link (words, beckon_import_element_object (more, k));
    }

  if (words->len == 0 && beckon_json_get_string (reference, "url") != NULL)
    append_link (words, reference);
  if (words->len > 0 && g_strcmp0 (type, "nav_list") == 0)
    g_string_append_printf (out, "%s%s%s", title != NULL ? title : "", title != NULL ? ": " : "", words->str);
  else if (words->len > 0)
    g_string_append_printf (out, "(%s)", words->str);
  else if (name != NULL && g_strcmp0 (type, "entity") == 0)
    append_escaped (out, name);
  else if (name != NULL)
    {
      g_string_append_c (out, '(');
      append_escaped (out, name);
      g_string_append_c (out, ')');
    }
}

/* (nullable): what explains a mark. */
static JsonObject *
find_reference (JsonObject *metadata, const char *mark)
{
  JsonArray *references = metadata != NULL ? beckon_json_get_array (metadata, "content_references") : NULL;

  for (guint i = 0; references != NULL && i < json_array_get_length (references); i++)
    {
      JsonObject *reference = beckon_import_element_object (references, i);

      if (reference != NULL && g_strcmp0 (beckon_json_get_string (reference, "matched_text"), mark) == 0)
        return reference;
    }
  return NULL;
}

/* (nullable): the same of an older one, which is known by its first letter. */
static JsonObject *
find_citation (JsonObject *metadata, gint64 at)
{
  JsonArray *citations = metadata != NULL ? beckon_json_get_array (metadata, "citations") : NULL;

  for (guint i = 0; citations != NULL && i < json_array_get_length (citations); i++)
    {
      JsonObject *citation = beckon_import_element_object (citations, i);

      if (citation != NULL && beckon_json_get_int (citation, "start_ix", -1) == at)
        return beckon_json_get_object (citation, "metadata");
    }
  return NULL;
}

/* Bytes of the mark that @text begins with; 0 for none. What has a beginning and no end ends with its line. */
static gsize
span_mark (const char *text)
{
  gsize line = strcspn (text, "\n");
  const char *end;

  if (!g_str_has_prefix (text, MARK_BEGIN))
    return 0;
  end = g_strstr_len (text, (gssize) strnlen (text, LONGEST_MARK), MARK_END);
  return end != NULL ? (gsize) (end - text) + strlen (MARK_END) : MIN (line, LONGEST_MARK);
}

static gsize
span_old_mark (const char *text)
{
  gssize most = (gssize) strnlen (text, LONGEST_MARK);
  const char *end = g_str_has_prefix (text, OLD_BEGIN) ? g_strstr_len (text, most, OLD_END) : NULL;

  return end != NULL && g_strstr_len (text, end - text, OLD_MIDDLE) != NULL ? (gsize) (end - text) + strlen (OLD_END) : 0;
}

char *
beckon_import_cite (const char *text, JsonObject *metadata)
{
  GString *out = g_string_new (NULL);
  gint64 n_chars = 0;

  while (*text != '\0')
    {
      gsize length = span_mark (text);
      gsize old_length = length == 0 ? span_old_mark (text) : 0;
      g_autofree char *mark = g_strndup (text, MAX (length, old_length));
      JsonObject *known = NULL;

      if (length > 0)
        known = find_reference (metadata, mark);
      else if (old_length > 0)
        known = find_citation (metadata, n_chars);
      if (known != NULL)
        append_reference (out, known);
      if (known != NULL || length > 0)
        length = MAX (length, old_length);
      else
        {
          length = (gsize) (g_utf8_next_char (text) - text);
          /* The other letters of marks, where they are in none. */
          if (!g_str_has_prefix (text, "\356\210\201") && !g_str_has_prefix (text, "\356\210\202"))
            g_string_append_len (out, text, (gssize) length);
        }
      n_chars += g_utf8_strlen (text, (gssize) length);
      text += length;
    }
  return g_string_free (out, FALSE);
}
