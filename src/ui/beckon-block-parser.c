/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-block-parser.h"

#include <string.h>

/*
 * Splits a growing text into blocks, line by line. A line either goes on with the current block or completes it and begins
 * another one; nothing is read twice, so a reply costs what it is long however it is cut. What a line means depends only on
 * its beginning and on the current block. A line that has not ended yet completes the current block early when its
 * beginning leaves no doubt, so that a list grows item by item.
 */

struct _BeckonBlockParser
{
  BeckonBlockFunc function;
  gpointer user_data;

  GString *line;        /* what came of the line that has not ended */
  BeckonBlock current;  /* the block of the lines that have ended */
  gboolean has_current; /* there is one */
  BeckonBlock guess;    /* what the unfinished line will begin, for showing it */
  char fence;           /* in code: '`' or '~' */
  guint fence_length;
  guint fence_indent;
};

/* What the beginning of a line says. */
typedef struct
{
  BeckonBlockKind kind;
  guint level;
  gsize marker_length; /* bytes of the marker, from @skip */
  gsize skip;          /* bytes before the text */
  gsize indent;
  char fence;
  guint fence_length;
  gboolean blank;
} LineStart;

static gsize
count_char (const char *text, char wanted)
{
  gsize n = 0;

  while (text[n] == wanted)
    n++;
  return n;
}

static gsize
count_indent (const char *line)
{
  gsize n = 0;

  while (line[n] == ' ' || line[n] == '\t')
    n++;
  return n;
}

static gboolean
is_rule (const char *text)
{
  char mark = text[0];
  guint marks = 0;

  if (mark != '-' && mark != '*' && mark != '_')
    return FALSE;
  for (; *text != '\0'; text++)
    {
      if (*text == mark)
        marks++;
      else if (*text != ' ')
        return FALSE;
    }
  return marks >= 3;
}

static gboolean
starts_fence (const char *text, LineStart *start)
{
  gsize n = text[0] == '`' || text[0] == '~' ? count_char (text, text[0]) : 0;

  if (n < 3 || (text[0] == '`' && strchr (text + n, '`') != NULL))
    return FALSE;
  start->kind = BECKON_BLOCK_CODE;
  start->fence = text[0];
  start->fence_length = (guint) n;
  start->skip = start->indent + n;
  return TRUE;
}

static gboolean
starts_heading (const char *text, LineStart *start)
{
  gsize n = count_char (text, '#');

  if (n < 1 || n > 6 || text[n] != ' ')
    return FALSE;
  start->kind = BECKON_BLOCK_HEADING;
  start->level = (guint) n;
  start->skip = start->indent + n + 1;
  return TRUE;
}

static gboolean
starts_list_item (const char *text, LineStart *start)
{
  gsize n = 0;

  if (strchr ("-*+", text[0]) != NULL && text[0] != '\0')
    n = 1;
  else
    {
      while (n < 9 && g_ascii_isdigit (text[n]))
        n++;
      if (n == 0 || (text[n] != '.' && text[n] != ')'))
        return FALSE;
      n++;
      start->marker_length = n;
    }
  if (text[n] != ' ' || text[n + 1] == '\0')
    {
      start->marker_length = 0;
      return FALSE;
    }
  start->kind = BECKON_BLOCK_LIST_ITEM;
  start->level = (guint) MIN (start->indent / 2, 6);
  start->skip = start->indent + n + 1;
  return TRUE;
}

/* A line of @length bytes that ends with NUL. */
static LineStart
read_line_start (const char *line)
{
  LineStart start = { .kind = BECKON_BLOCK_PARAGRAPH, .indent = count_indent (line) };
  const char *text = line + start.indent;

  start.skip = start.indent;
  start.blank = text[0] == '\0';
  if (start.blank || starts_fence (text, &start) || starts_heading (text, &start))
    return start;
  if (is_rule (text))
    start.kind = BECKON_BLOCK_RULE;
  else if (text[0] == '|' && strchr (text + 1, '|') != NULL)
    start.kind = BECKON_BLOCK_TABLE;
  else if (text[0] == '>')
    {
      start.kind = BECKON_BLOCK_QUOTE;
      start.skip += text[1] == ' ' ? 2 : 1;
    }
  else
    starts_list_item (text, &start);
  return start;
}

static void
complete_current (BeckonBlockParser *self)
{
  GString *text = self->current.text;

  if (!self->has_current)
    return;

  self->has_current = FALSE;
  while (self->current.kind != BECKON_BLOCK_CODE && text->len > 0 && g_ascii_isspace (text->str[text->len - 1]))
    g_string_truncate (text, text->len - 1);
  self->function (&self->current, self->user_data);
}

static void
describe (BeckonBlock *block, const LineStart *start, const char *line)
{
  block->kind = start->kind;
  block->level = start->level;
  g_clear_pointer (&block->marker, g_free);
  if (start->marker_length > 0)
    block->marker = g_strndup (line + start->indent, start->marker_length);
  else if (start->kind == BECKON_BLOCK_CODE && line[start->skip] != '\0')
    block->marker = g_strstrip (g_strdup (line + start->skip));
}

static void
begin (BeckonBlockParser *self, const LineStart *start, const char *line)
{
  describe (&self->current, start, line);
  self->has_current = TRUE;
  self->fence = start->fence;
  self->fence_length = start->fence_length;
  self->fence_indent = (guint) start->indent;
  g_string_truncate (self->current.text, 0);
  if (start->kind == BECKON_BLOCK_CODE)
    return;

  g_string_append (self->current.text, line + start->skip);
  if (start->kind == BECKON_BLOCK_HEADING || start->kind == BECKON_BLOCK_RULE)
    complete_current (self);
}

static void
append_line (BeckonBlock *block, const char *line)
{
  if (block->text->len > 0)
    g_string_append_c (block->text, '\n');
  g_string_append (block->text, line);
}

static gboolean
closes_fence (BeckonBlockParser *self, const char *line)
{
  const char *text = line + count_indent (line);
  gsize n = count_char (text, self->fence);

  return n >= self->fence_length && text[n + count_indent (text + n)] == '\0';
}

static void
take_code_line (BeckonBlockParser *self, const char *line)
{
  gsize indent = MIN (count_indent (line), self->fence_indent);

  if (closes_fence (self, line))
    complete_current (self);
  else
    append_line (&self->current, line + indent);
}

/* Whether a line that says @start goes on with the current block. */
static gboolean
continues (BeckonBlockParser *self, const LineStart *start)
{
  if (!self->has_current || start->blank)
    return FALSE;
  if (start->kind == BECKON_BLOCK_QUOTE)
    return self->current.kind == BECKON_BLOCK_QUOTE;
  if (start->kind == BECKON_BLOCK_TABLE || self->current.kind == BECKON_BLOCK_TABLE)
    return self->current.kind == start->kind;
  return start->kind == BECKON_BLOCK_PARAGRAPH;
}

static void
take_line (BeckonBlockParser *self, const char *line)
{
  LineStart start;

  if (self->has_current && self->current.kind == BECKON_BLOCK_CODE)
    {
      take_code_line (self, line);
      return;
    }
  start = read_line_start (line);
  if (continues (self, &start))
    {
      append_line (&self->current, line + start.skip);
      return;
    }
  complete_current (self);
  if (!start.blank)
    begin (self, &start, line);
}

/* The unfinished line certainly begins a block of its own. */
static gboolean
is_sure (const LineStart *start, const char *line)
{
  if (start->kind == BECKON_BLOCK_HEADING)
    return TRUE;
  return start->kind == BECKON_BLOCK_LIST_ITEM && strchr ("-*+ ", line[start->skip]) == NULL;
}

static void
look_ahead (BeckonBlockParser *self)
{
  LineStart start;

  if (!self->has_current || self->current.kind == BECKON_BLOCK_CODE || self->line->len > 64)
    return;

  start = read_line_start (self->line->str);
  if (is_sure (&start, self->line->str))
    complete_current (self);
}

static void
end_line (BeckonBlockParser *self)
{
  if (self->line->len > 0 && self->line->str[self->line->len - 1] == '\r')
    g_string_truncate (self->line, self->line->len - 1);
  take_line (self, self->line->str);
  g_string_truncate (self->line, 0);
}

void
beckon_block_parser_feed (BeckonBlockParser *self, const char *text, gsize length)
{
  const char *end = text + length;

  g_return_if_fail (self != NULL);

  while (text < end)
    {
      const char *newline = memchr (text, '\n', (gsize) (end - text));
      const char *stop = newline != NULL ? newline : end;

      g_string_append_len (self->line, text, stop - text);
      if (newline != NULL)
        end_line (self);
      text = newline != NULL ? newline + 1 : end;
    }
  look_ahead (self);
}

void
beckon_block_parser_finish (BeckonBlockParser *self)
{
  g_return_if_fail (self != NULL);

  if (self->line->len > 0)
    end_line (self);
  complete_current (self);
}

/* A fence's own line and what may become the end of one are not text. */
static const char *
shown_tail (BeckonBlockParser *self)
{
  const char *line = self->line->str;

  if (self->current.kind == BECKON_BLOCK_CODE && line[count_indent (line)] == self->fence)
    return "";
  return line;
}

const BeckonBlock *
beckon_block_parser_get_open (BeckonBlockParser *self, const char **tail)
{
  LineStart start;

  g_return_val_if_fail (self != NULL, NULL);

  *tail = "";
  if (self->has_current)
    {
      *tail = shown_tail (self);
      return &self->current;
    }
  start = read_line_start (self->line->str);
  if (start.blank)
    return NULL;

  describe (&self->guess, &start, self->line->str);
  if (start.kind != BECKON_BLOCK_CODE)
    *tail = self->line->str + start.skip;
  return &self->guess;
}

BeckonBlockParser *
beckon_block_parser_new (BeckonBlockFunc function, gpointer user_data)
{
  BeckonBlockParser *self = g_new0 (BeckonBlockParser, 1);

  self->function = function;
  self->user_data = user_data;
  self->line = g_string_new (NULL);
  self->current.text = g_string_new (NULL);
  self->guess.text = g_string_new (NULL);
  return self;
}

void
beckon_block_parser_free (BeckonBlockParser *self)
{
  g_string_free (self->line, TRUE);
  g_string_free (self->current.text, TRUE);
  g_string_free (self->guess.text, TRUE);
  g_free (self->current.marker);
  g_free (self->guess.marker);
  g_free (self);
}
