/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-html-text.h"

#include <libxml/HTMLparser.h>
#include <string.h>

#define MAX_DEPTH 200
#define MAX_TEXT (4 * 1024 * 1024)

typedef struct
{
  GString *text;
  const char *url;
  guint depth;
  guint preformatted;
  gboolean is_spaced; /* white space came, and is written before the next word */
} Writer;

static gboolean
html_text_is_one_of (const char *name, const char *const *names)
{
  return name != NULL && g_strv_contains (names, name);
}

static gboolean
is_skipped (const char *name)
{
  static const char *const names[] = { "script", "style",  "noscript", "template", "svg",    "head", "iframe", "object",
                                       "canvas", "button", "select",   "input",    "textarea", NULL };

  return html_text_is_one_of (name, names);
}

static gboolean
is_block (const char *name)
{
  static const char *const names[] = {
    "address", "article", "aside", "blockquote", "body", "caption", "dd",  "details", "div",     "dl",    "dt",  "fieldset",
    "figure",  "footer",  "form",  "header",     "hr",   "li",      "main", "nav",    "ol",      "p",     "pre", "section",
    "summary", "table",   "tr",    "ul",         "h1",   "h2",      "h3",  "h4",      "h5",      "h6",    "br",  NULL,
  };

  return html_text_is_one_of (name, names);
}

static void
break_line (Writer *writer)
{
  while (writer->text->len > 0 && writer->text->str[writer->text->len - 1] == ' ')
    g_string_truncate (writer->text, writer->text->len - 1);
  if (writer->text->len > 0 && writer->text->str[writer->text->len - 1] != '\n')
    g_string_append_c (writer->text, '\n');
  writer->is_spaced = FALSE;
}

/* At most one empty line. */
static void
break_paragraph (Writer *writer)
{
  break_line (writer);
  if (writer->text->len > 0 && !g_str_has_suffix (writer->text->str, "\n\n"))
    g_string_append_c (writer->text, '\n');
}

static void
html_text_write_text (Writer *writer, const char *text)
{
  if (writer->preformatted > 0)
    {
      g_string_append (writer->text, text);
      return;
    }

  for (const char *p = text; *p != '\0'; p++)
    {
      if (g_ascii_isspace (*p))
        {
          writer->is_spaced = TRUE;
          continue;
        }
      if (writer->is_spaced && writer->text->len > 0 && writer->text->str[writer->text->len - 1] != '\n')
        g_string_append_c (writer->text, ' ');
      writer->is_spaced = FALSE;
      g_string_append_c (writer->text, *p);
    }
}

static char *
dup_attribute (xmlNode *node, const char *name)
{
  xmlChar *value = xmlGetProp (node, (const xmlChar *) name);
  char *copy = g_strdup ((const char *) value);

  xmlFree (value);
  return copy;
}

/* Adds a link's address behind its words, unless it can't be fetched. */
static void
end_link (Writer *writer, xmlNode *node, gsize start)
{
  g_autofree char *href = dup_attribute (node, "href");
  g_autofree char *url = href != NULL && *href != '#'
                             ? g_uri_resolve_relative (writer->url, href, G_URI_FLAGS_ENCODED, NULL) : NULL;

  if (url == NULL || writer->text->len <= start
      || (!g_str_has_prefix (url, "http://") && !g_str_has_prefix (url, "https://")))
    return;

  while (start < writer->text->len && g_ascii_isspace (writer->text->str[start]))
    start++;
  g_string_insert_c (writer->text, (gssize) start, '[');
  g_string_append_printf (writer->text, "](%s)", url);
}

static void write_children (Writer *writer, xmlNode *parent);

static void
write_element (Writer *writer, xmlNode *node)
{
  const char *name = (const char *) node->name;
  gsize start;

  if (is_skipped (name) || writer->depth >= MAX_DEPTH)
    return;

  if (name[0] == 'h' && name[1] >= '1' && name[1] <= '6' && name[2] == '\0')
    {
      break_paragraph (writer);
      for (char level = '1'; level <= name[1]; level++)
        g_string_append_c (writer->text, '#');
      g_string_append_c (writer->text, ' ');
    }
  else if (strcmp (name, "p") == 0 || strcmp (name, "table") == 0 || strcmp (name, "pre") == 0)
    break_paragraph (writer);
  else if (is_block (name))
    break_line (writer);
  if (strcmp (name, "li") == 0)
    g_string_append (writer->text, "- ");
  else if ((strcmp (name, "td") == 0 || strcmp (name, "th") == 0) && writer->text->len > 0
           && writer->text->str[writer->text->len - 1] != '\n')
    g_string_append (writer->text, " | ");
  else if (strcmp (name, "img") == 0)
    {
      g_autofree char *alt = dup_attribute (node, "alt");

      if (alt != NULL && *alt != '\0')
        {
          html_text_write_text (writer, " [image: ");
          html_text_write_text (writer, alt);
          g_string_append_c (writer->text, ']');
        }
    }
  writer->preformatted += strcmp (name, "pre") == 0;
  start = writer->text->len;
  writer->depth++;
  write_children (writer, node);
  writer->depth--;
  if (strcmp (name, "a") == 0)
    end_link (writer, node, start);
  writer->preformatted -= strcmp (name, "pre") == 0;
  if (strcmp (name, "p") == 0 || strcmp (name, "table") == 0 || strcmp (name, "pre") == 0
      || (name[0] == 'h' && g_ascii_isdigit (name[1])))
    break_paragraph (writer);
  else if (is_block (name))
    break_line (writer);
}

static void
write_children (Writer *writer, xmlNode *parent)
{
  for (xmlNode *node = parent->children; node != NULL && writer->text->len < MAX_TEXT; node = node->next)
    if (node->type == XML_ELEMENT_NODE)
      write_element (writer, node);
    else if (node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE)
      html_text_write_text (writer, (const char *) node->content);
}

static xmlNode *
html_text_find (xmlNode *node, const char *name, guint depth)
{
  for (; node != NULL; node = node->next)
    {
      xmlNode *found;

      if (node->type != XML_ELEMENT_NODE)
        continue;
      if (strcmp ((const char *) node->name, name) == 0)
        return node;
      found = depth > 0 ? html_text_find (node->children, name, depth - 1) : NULL;
      if (found != NULL)
        return found;
    }

  return NULL;
}

static char *
dup_title (xmlDoc *document)
{
  xmlNode *node = html_text_find (document->children, "title", 4);
  xmlChar *content = node != NULL ? xmlNodeGetContent (node) : NULL;
  char *title = content != NULL ? g_strstrip (g_utf8_make_valid ((const char *) content, -1)) : NULL;

  xmlFree (content);
  return title;
}

char *
beckon_html_text_read (GBytes *bytes, const char *charset, const char *url, char **title)
{
  g_autoptr (GString) text = g_string_new (NULL);
  Writer writer = { .text = text, .url = url };
  gsize length;
  const char *data = g_bytes_get_data (bytes, &length);
  xmlDoc *document;

  g_return_val_if_fail (url != NULL, NULL);

  if (charset == NULL && g_utf8_validate (data, (gssize) length, NULL))
    charset = "UTF-8";
  document = length > 0 ? htmlReadMemory (data, (int) length, url, charset,
                                          HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET)
                        : NULL;
  if (title != NULL)
    *title = document != NULL ? dup_title (document) : NULL;
  if (document == NULL)
    return g_strdup ("");

  write_children (&writer, (xmlNode *) document);
  xmlFreeDoc (document);
  return g_strstrip (g_utf8_make_valid (text->str, (gssize) text->len));
}
