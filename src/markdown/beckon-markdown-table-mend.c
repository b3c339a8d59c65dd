/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-markdown-table-mend.h"

#include <string.h>

#define WANTED_DASHES 3

/* From so many blanks on a line is code, unless it is in a list. */
#define CODE_INDENT 4

typedef struct
{
  const char *text; /* behind blanks and the marks of quotes */
  gsize length;
  gboolean is_indented;
} Line;

static Line
markdown_table_mend_read_line (const char *text, gsize length)
{
  gsize i = 0, n_blanks = 0;

  for (; i < length && strchr (" \t>", text[i]) != NULL; i++)
    n_blanks = text[i] == '>' ? 0 : n_blanks + (text[i] == '\t' ? CODE_INDENT : 1);
  while (length > i && g_ascii_isspace (text[length - 1]))
    length--;
  return (Line){ text + i, length - i, n_blanks >= CODE_INDENT };
}

static gsize
span (const Line *line, gsize at, const char *letters)
{
  gsize n = 0;

  while (at + n < line->length && strchr (letters, line->text[at + n]) != NULL)
    n++;
  return n;
}

/* Bytes of the mark of a list's item, with the blanks behind it. */
static gsize
span_item_mark (const Line *line)
{
  gsize n = span (line, 0, "0123456789");

  if (n > 0 ? n == line->length || strchr (".)", line->text[n]) == NULL
      : line->length == 0 || strchr ("-+*", line->text[0]) == NULL)
    return 0;
  return span (line, n + 1, " \t") > 0 ? n + 1 + span (line, n + 1, " \t") : 0;
}

/* Whether it is a row of dashes with bars between them. */
static gboolean
is_dash_row (const Line *line)
{
  gsize at = 0;

  if (line->length == 0 || memchr (line->text, '|', line->length) == NULL || memchr (line->text, '-', line->length) == NULL)
    return FALSE;
  at += line->text[0] == '|';
  while (at < line->length)
    {
      gsize n;

      at += span (line, at, " \t");
      at += at < line->length && line->text[at] == ':';
      n = span (line, at, "-");
      if (n == 0)
        return FALSE;
      at += n;
      at += at < line->length && line->text[at] == ':';
      at += span (line, at, " \t");
      if (at < line->length && line->text[at++] != '|')
        return FALSE;
    }
  return TRUE;
}

static void
append_dash_row (GString *out, const char *text, gsize length)
{
  for (gsize i = 0, n = 0; i < length; i++)
    {
      g_string_append_c (out, text[i]);
      n = text[i] == '-' ? n + 1 : 0;
      while (n > 0 && n < WANTED_DASHES && (i + 1 == length || text[i + 1] != '-'))
        {
          g_string_append_c (out, '-');
          n++;
        }
    }
}

/* The fence that is open behind the line. */
static void
follow_fence (const Line *line, char *mark, gsize *n_marks)
{
  gsize start = span_item_mark (line);
  Line rest = { line->text + start, line->length - start, FALSE };
  char first = rest.length > 0 ? rest.text[0] : '\0';
  gsize n = first == '`' || first == '~' ? span (&rest, 0, first == '`' ? "`" : "~") : 0;

  if (*mark == '\0' && n >= 3 && (first == '~' || memchr (rest.text + n, '`', rest.length - n) == NULL))
    {
      *mark = first;
      *n_marks = n;
    }
  else if (*mark == first && n >= *n_marks && n == rest.length)
    *mark = '\0';
}

GString *
beckon_markdown_table_mend (const char *text, gsize length)
{
  GString *out = NULL;
  gboolean has_heading = FALSE, in_list = FALSE;
  char fence = '\0';
  gsize n_fence = 0, taken = 0;

  for (gsize at = 0; at < length;)
    {
      const char *newline = memchr (text + at, '\n', length - at);
      gsize end = newline != NULL ? (gsize) (newline - text) : length;
      Line line = markdown_table_mend_read_line (text + at, end - at);

      if (fence == '\0' && has_heading && (!line.is_indented || in_list) && is_dash_row (&line))
        {
          if (out == NULL)
            out = g_string_sized_new (length + 16);
          g_string_append_len (out, text + taken, (gssize) (at - taken));
          append_dash_row (out, text + at, end - at);
          taken = end;
        }
      in_list = in_list || span_item_mark (&line) > 0;
      follow_fence (&line, &fence, &n_fence);
      has_heading = line.length > 0 && memchr (line.text, '|', line.length) != NULL;
      at = end + 1;
    }
  if (out != NULL)
    g_string_append_len (out, text + taken, (gssize) (length - taken));
  return out;
}
