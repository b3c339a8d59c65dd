/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-markdown-line.h"

#include <string.h>

/* A picture's name, and what stands before its bytes in its address. */
#define LONGEST_NAME 999
#define LONGEST_HEAD 128
/* Behind a picture's address. */
#define LONGEST_TAIL 999

static gboolean
is_base64 (char c)
{
  return g_ascii_isalnum (c) || c == '+' || c == '/' || c == '=' || c == '-' || c == '_' || c == '%';
}

/* Characters behind an address. */
static gboolean
ends_address (char c)
{
  return c == ')' || c == '>' || c == ' ' || c == '\t';
}

/* Finds the start of `data:image/…;base64` that ends at @at; 0 if none. */
static gsize
find_address (const char *begin, gsize at)
{
  gsize least = at > LONGEST_HEAD ? at - LONGEST_HEAD : 0;
  gsize length = strlen (";base64");

  if (at < length || g_ascii_strncasecmp (begin + at - length, ";base64", length) != 0)
    return 0;
  for (; at > least && begin[at - 1] != '(' && begin[at - 1] != '<'; at--)
    if (g_ascii_isspace (begin[at - 1]))
      return 0;
  return at > 0 && g_ascii_strncasecmp (begin + at, "data:image/", strlen ("data:image/")) == 0 ? at : 0;
}

/* Finds the start, `![`, of a name that ends before @at; %G_MAXSIZE if none. */
static gsize
find_name (const char *begin, gsize at)
{
  gsize least = at > LONGEST_NAME ? at - LONGEST_NAME : 0;
  guint depth = 0;

  if (at == 0 || begin[at - 1] != ']')
    return G_MAXSIZE;
  for (; at > least; at--)
    {
      if (begin[at - 1] == ']')
        depth++;
      else if (begin[at - 1] == '[' && --depth == 0)
        return at > 1 && begin[at - 2] == '!' ? at - 2 : G_MAXSIZE;
    }
  return G_MAXSIZE;
}

/* @at is where its comma is. */
static gboolean
begins_picture (const char *begin, gsize at, gsize *picture)
{
  gsize address = find_address (begin, at);

  if (address == 0)
    return FALSE;
  address -= begin[address - 1] == '<' ? 1 : 0;
  if (address == 0 || begin[address - 1] != '(')
    return FALSE;
  *picture = find_name (begin, address - 1);
  return *picture != G_MAXSIZE;
}

static void
look_at_picture (BeckonMarkdownLine *line, const char *begin, gsize left, gsize room)
{
  while (line->seen < left && is_base64 (begin[line->seen]) && line->held < room)
    {
      line->seen++;
      line->run++;
      line->held++;
    }
  if (line->seen == left)
    return;
  if (!ends_address (begin[line->seen]))
    {
      /* The run was text, which counts. */
      line->seen -= line->run;
      line->held -= line->run;
      line->run = 0;
      line->is_open = FALSE;
      line->is_text = TRUE;
      return;
    }
  line->tail = begin[line->seen] == ')' ? 0 : 1;
  line->is_open = line->tail > 0;
  line->run = 0;
}

/* Behind an address stands a title or nothing, and the parenthesis. Whatever else is there, it is no picture. */
static gboolean
goes_on_in_title (BeckonMarkdownLine *line, const char *begin)
{
  char c = begin[line->seen];

  if (begin[line->seen - 1] == '\\')
    return line->quote != '\0';
  if (line->quote == '\0' && !line->has_title && (c == '"' || c == '\'' || c == '('))
    {
      line->quote = c == '(' ? ')' : c;
      line->has_title = TRUE;
      return TRUE;
    }
  if (line->quote == '\0')
    return c == ' ' || c == '\t' || (c == '>' && line->tail == 1);
  if (c == line->quote)
    line->quote = '\0';
  return TRUE;
}

BeckonMarkdownLineEnd
beckon_markdown_line_look (BeckonMarkdownLine *line, const char *begin, gsize left, gsize room)
{
  for (;;)
    {
      if (line->is_open && line->tail == 0)
        look_at_picture (line, begin, left, room);
      if (line->seen == left)
        return BECKON_MARKDOWN_LINE_OPEN;
      if (begin[line->seen] == '\n')
        return BECKON_MARKDOWN_LINE_OVER;
      if (line->counted == BECKON_MARKDOWN_LONGEST_LINE)
        {
          while (line->seen > 1 && ((guchar) begin[line->seen] & 0xc0) == 0x80)
            line->seen--;
          return BECKON_MARKDOWN_LINE_TOO_LONG;
        }
      if (line->is_open)
        {
          if (!goes_on_in_title (line, begin) || line->tail++ >= LONGEST_TAIL)
            {
              line->is_open = line->has_title = FALSE;
              line->tail = 0;
              line->quote = '\0';
            }
        }
      else if (begin[line->seen] == ',' && !line->is_text && room > 0)
        line->is_open = begins_picture (begin, line->seen, &line->picture);
      line->seen++;
      line->counted++;
    }
}
