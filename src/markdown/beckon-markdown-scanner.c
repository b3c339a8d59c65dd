/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-markdown-scanner.h"

#include <string.h>

#define TAB 4

/* A line, of which the beginning alone matters. */
typedef struct
{
  const char *text; /* behind the indent */
  gsize length;
  gsize indent; /* in columns */
} Line;

static gboolean
is_space (char c)
{
  return c == ' ' || c == '\t';
}

static Line
scanner_read_line (const char *line, gsize length)
{
  gsize indent = 0, i = 0;

  for (; i < length && is_space (line[i]); i++)
    indent = line[i] == '\t' ? (indent / TAB + 1) * TAB : indent + 1;
  while (length > i && (is_space (line[length - 1]) || line[length - 1] == '\r'))
    length--;
  return (Line){ line + i, length - i, indent };
}

static gsize
scanner_count (const Line *line, char wanted)
{
  gsize n = 0;

  while (n < line->length && line->text[n] == wanted)
    n++;
  return n;
}

static gboolean
is_heading (const Line *line)
{
  gsize n = scanner_count (line, '#');

  return n >= 1 && n <= 6 && (n == line->length || is_space (line->text[n]));
}

/* How long the fence is that the line opens; 0 if it opens none. */
static gsize
get_fence (const Line *line)
{
  char mark = line->length > 0 ? line->text[0] : '\0';
  gsize n = mark == '`' || mark == '~' ? scanner_count (line, mark) : 0;

  if (n < 3 || (mark == '`' && memchr (line->text + n, '`', line->length - n) != NULL))
    return 0;
  return n;
}

/* Bytes of the list marker that the line begins with; 0 if with none. */
static gsize
get_marker (const Line *line)
{
  gsize n = 0;

  if (line->length == 0)
    return 0;
  if (strchr ("-+*", line->text[0]) != NULL)
    n = 1;
  else
    {
      while (n < 9 && n < line->length && g_ascii_isdigit (line->text[n]))
        n++;
      if (n == 0 || n == line->length || (line->text[n] != '.' && line->text[n] != ')'))
        return 0;
      n++;
    }
  return n == line->length || is_space (line->text[n]) ? n : 0;
}

/* Finds the start of an item's text, counted from the line's. */
static gsize
get_item_indent (const Line *line, gsize marker)
{
  gsize column = line->indent + marker, start = column, i = marker;

  for (; i < line->length && is_space (line->text[i]); i++)
    column = line->text[i] == '\t' ? (column / TAB + 1) * TAB : column + 1;
  return i == line->length || column > start + TAB ? start + 1 : column;
}

static gboolean
has (const Line *line, const char *part)
{
  gsize length = strlen (part);

  for (gsize i = 0; i + length <= line->length; i++)
    {
      if (g_ascii_strncasecmp (line->text + i, part, length) == 0)
        return TRUE;
    }
  return FALSE;
}

/* The line begins with a tag's @name, and that is all of the name. */
static gboolean
begins_with_tag (const Line *line, const char *name)
{
  gsize skip = line->length > 1 && line->text[1] == '/' ? 2 : 1;
  gsize length = strlen (name);

  if (line->length < skip + length || g_ascii_strncasecmp (line->text + skip, name, length) != 0)
    return FALSE;
  return line->length == skip + length || !g_ascii_isalnum (line->text[skip + length]);
}

/* (nullable): what ends the raw HTML that the line begins, where it may hold empty lines. */
static const char *
get_html_end (const Line *line)
{
  static const struct
  {
    const char *begin;
    const char *end;
  } ends[] = { { "<!--", "-->" }, { "<![CDATA[", "]]>" }, { "<?", "?>" }, { "<!", ">" } };
  static const char *const verbatim[] = { "script", "pre", "style", "textarea" };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      const char *prefix = ends[i].begin;
      gsize length = strlen (prefix);

      if (line->length >= length && g_ascii_strncasecmp (line->text, prefix, length) == 0)
        return ends[i].end;
    }
  for (guint i = 0; i < G_N_ELEMENTS (verbatim); i++)
    {
      if (line->length > 1 && line->text[1] != '/' && begins_with_tag (line, verbatim[i]))
        return "</";
    }
  return NULL;
}

/* Raw HTML that ends with an empty line; or a line that may be some. */
static gboolean
may_begin_html (const Line *line)
{
  static const char *const names[] = {
    "address", "article", "aside", "base", "basefont", "blockquote", "body", "caption", "center", "col", "colgroup", "dd",
    "details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "frame", "frameset",
    "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr", "html", "iframe", "legend", "li", "link", "main", "menu",
    "menuitem", "nav", "noframes", "ol", "optgroup", "option", "p", "param", "search", "section", "source", "summary", "table",
    "tbody", "td", "tfoot", "th", "thead", "title", "tr", "track", "ul",
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      if (begins_with_tag (line, names[i]))
        return TRUE;
    }
  return line->text[line->length - 1] == '>' && memchr (line->text + 1, '<', line->length - 1) == NULL;
}

/* Any of four tags ends what any of them began. */
static gboolean
ends_html (const Line *line, const char *end)
{
  if (strcmp (end, "</") != 0)
    return has (line, end);
  return has (line, "</script>") || has (line, "</pre>") || has (line, "</style>") || has (line, "</textarea>");
}

static gboolean
closes_fence (const Line *line, char fence, gsize length)
{
  return fence != '\0' && line->indent < TAB && scanner_count (line, fence) >= length && scanner_count (line,
                                                                                                        fence) == line->length;
}

/* An item's own lines are indented, so a line at the margin is none of them; after an empty line it goes on with no
 * paragraph. */
static gboolean
begins_anew (BeckonMarkdownScanner *self, const Line *line, gboolean is_item)
{
  if (!self->has_lines || line->indent > 0 || line->length == 0)
    return FALSE;
  /* Code within an item or a quote may be closed at the margin: that is what is meant, and what the parser makes of it. */
  if (closes_fence (line, self->inner_fence, self->inner_length))
    return FALSE;
  if (self->was_blank)
    return !(self->has_list && is_item);
  return !self->has_html && (is_heading (line) || get_fence (line) > 0);
}

static void
note_inner_fence (BeckonMarkdownScanner *self, const Line *line, gboolean is_inside)
{
  Line inner = *line;
  gsize fence;
  gboolean is_marked;
  gsize indent;

  /* The line without the marks of the items and quotes that it is in. */
  while (inner.length > 0)
    {
      gsize marker = inner.text[0] == '>' ? 1 : get_marker (&inner);

      if (marker == 0)
        break;
      inner = scanner_read_line (inner.text + marker, inner.length - marker);
    }
  fence = get_fence (&inner);
  is_marked = line->length != inner.length;
  indent = is_marked ? inner.indent : line->indent - MIN (line->indent, self->item_indent);
  if (!is_inside && !(self->is_in_quote && line->text[0] == '>'))
    self->inner_fence = '\0';
  if (closes_fence (&inner, self->inner_fence, self->inner_length))
    self->inner_fence = '\0';
  else if (self->inner_fence == '\0' && fence > 0)
    {
      self->inner_fence = inner.text[0];
      self->inner_length = fence;
      self->is_in_quote = line->text[0] == '>';
      self->is_sure = indent < TAB && (self->is_in_quote || self->is_clean);
    }
}

/* Blocks within an item end with it; others are open until their own end. */
static void
note_open (BeckonMarkdownScanner *self, const Line *line)
{
  gboolean is_inside = self->item_indent > 0 && line->indent >= self->item_indent;
  gsize fence = get_fence (line);

  if (is_inside || fence == 0)
    note_inner_fence (self, line, is_inside);
  if ((fence == 0 && line->text[0] != '<') || (is_inside && self->is_clean))
    return;
  if (line->indent >= TAB && !self->was_text)
    return;
  if (closes_fence (line, self->inner_fence, self->inner_length) && self->is_sure)
    self->inner_fence = '\0';
  else if (self->inner_fence != '\0' || self->has_html || is_inside || line->indent >= TAB)
    self->is_lost = TRUE;
  else if (fence > 0)
    {
      self->is_code_only = !self->has_lines;
      self->fence = line->text[0];
      self->fence_length = fence;
      self->fence_indent = line->indent;
    }
  else
    {
      self->html_end = get_html_end (line);
      if (self->html_end == NULL)
        self->has_html = may_begin_html (line);
      else if (ends_html (line, self->html_end))
        self->html_end = NULL;
    }
}

/* A line of text as far as this knows: not within code or raw HTML. */
static BeckonMarkdownCut
take_text_line (BeckonMarkdownScanner *self, const Line *line)
{
  gsize marker = get_marker (line);
  BeckonMarkdownCut cut = BECKON_MARKDOWN_CUT_NOWHERE;
  gboolean is_inside;

  if (begins_anew (self, line, marker > 0))
    {
      beckon_markdown_scanner_cut (self);
      cut |= BECKON_MARKDOWN_CUT_BEFORE;
    }
  /* An item goes on in lines that are indented; in others only a paragraph of it may. */
  is_inside = self->item_indent > 0 && line->indent >= self->item_indent;
  if (!is_inside)
    {
      self->is_clean = FALSE;
      if (marker != 0 && line->indent < TAB)
        {
          /* A new list within a paragraph has text in its first item, and is numbered from 1. */
          self->is_clean = !self->was_text || (marker < line->length && (marker == 1 || (marker == 2 && line->text[0] == '1')));
          self->has_list = TRUE;
          self->item_indent = get_item_indent (line, marker);
        }
    }
  note_open (self, line);
  if (line->indent == 0 && is_heading (line) && !self->has_html)
    cut |= BECKON_MARKDOWN_CUT_AFTER;
  return cut;
}

void
beckon_markdown_scanner_cut (BeckonMarkdownScanner *self)
{
  memset (self, 0, sizeof *self);
}

BeckonMarkdownCut
beckon_markdown_scanner_take_line (BeckonMarkdownScanner *self, const char *text, gsize length)
{
  Line line = scanner_read_line (text, length);
  BeckonMarkdownCut cut = BECKON_MARKDOWN_CUT_NOWHERE;

  if (self->fence != '\0')
    {
      if (!closes_fence (&line, self->fence, self->fence_length))
        return BECKON_MARKDOWN_CUT_NOWHERE;
      self->fence = '\0';
      return BECKON_MARKDOWN_CUT_AFTER;
    }
  if (self->is_lost)
    return cut;
  if (self->html_end != NULL)
    {
      if (ends_html (&line, self->html_end))
        self->html_end = NULL;
      return cut;
    }
  if (line.length > 0)
    cut = take_text_line (self, &line);
  else
    {
      self->has_html = FALSE;
      self->inner_fence = self->is_in_quote ? '\0' : self->inner_fence;
    }
  self->was_blank = line.length == 0;
  self->was_text = line.length > 0;
  self->has_lines = TRUE;
  return cut;
}
