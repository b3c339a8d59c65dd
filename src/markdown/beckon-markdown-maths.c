/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-markdown-maths.h"

#include <string.h>

/* Placeholders of marks, and of dollar signs that were written. Input has none of these. */
#define DOLLAR '\001'
#define OPEN_INLINE '\002'
#define CLOSE_INLINE '\003'
#define OPEN_DISPLAY '\004'
#define CLOSE_DISPLAY '\005'
#define ESCAPED_DOLLAR '\006'

/* A displayed formula is no longer than this. */
#define LONGEST_FORMULA (16 * 1024)

/* The kinds of marks. Once one but the first has no end in a paragraph, none that begins later has. */
typedef enum
{
  MARK_DOLLAR,
  MARK_DOLLARS,
  MARK_INLINE,
  MARK_DISPLAY,
} Mark;

typedef struct
{
  const char *text;
  gsize length;
  gsize paragraph_end;
  gboolean is_endless[MARK_DISPLAY + 1];
  GString *out;
} Preparation;

static gboolean
is_blank_line (const char *text, gsize length, gsize at)
{
  while (at < length && (text[at] == ' ' || text[at] == '\t'))
    at++;
  return at >= length || text[at] == '\n';
}

static gsize
find_paragraph_end (const char *text, gsize length, gsize at)
{
  while (at < length)
    {
      const char *newline = memchr (text + at, '\n', length - at);

      if (newline == NULL)
        return length;
      at = (gsize) (newline - text) + 1;
      if (is_blank_line (text, length, at))
        return at;
    }
  return length;
}

static gboolean
is_escaped (const char *text, gsize at)
{
  gsize n = 0;

  while (n < at && text[at - 1 - n] == '\\')
    n++;
  return n % 2 == 1;
}

static gsize
count_dollars (const char *text, gsize length, gsize at)
{
  gsize n = 0;

  while (at + n < length && text[at + n] == '$')
    n++;
  return n;
}

/* Neither an amount of money nor a variable of a shell. */
static gboolean
closes_dollar (const Preparation *self, gsize at)
{
  char after = at + 1 < self->length ? self->text[at + 1] : ' ';

  return !g_ascii_isspace (self->text[at - 1]) && !g_ascii_isalnum (after) && after != '{';
}

static gboolean
opens_dollar (const Preparation *self, gsize at)
{
  return at + 1 < self->paragraph_end && !g_ascii_isspace (self->text[at + 1]) &&
         (at == 0 || !g_ascii_isalnum (self->text[at - 1]));
}

/* Finds the closing mark for one opened before @from; 0 if not in the paragraph. For a single dollar sign the next one closes
 * it, or nothing does. */
static gsize
find_dollars (Preparation *self, gsize from, gsize wanted)
{
  for (gsize at = from; at < self->paragraph_end; at++)
    {
      gsize n = self->text[at] == '$' && !is_escaped (self->text, at) ? count_dollars (self->text, self->length, at) : 0;

      if (n > 0 && wanted == 1)
        return n == 1 && closes_dollar (self, at) ? at : 0;
      if (n == wanted)
        return at;
      at += n > 0 ? n - 1 : 0;
    }
  return 0;
}

static gsize
find_bracket (Preparation *self, gsize from, char wanted)
{
  for (gsize at = from; at + 1 < self->paragraph_end; at++)
    {
      if (self->text[at] == '\\' && self->text[at + 1] == wanted && !is_escaped (self->text, at))
        return at;
    }
  return 0;
}

static gsize
find_close (Preparation *self, Mark mark, gsize from)
{
  gsize at;

  if (self->is_endless[mark])
    return 0;
  if (mark == MARK_DOLLAR || mark == MARK_DOLLARS)
    at = find_dollars (self, from, mark == MARK_DOLLARS ? 2 : 1);
  else
    at = find_bracket (self, from, mark == MARK_INLINE ? ')' : ']');
  self->is_endless[mark] = at == 0 && mark != MARK_DOLLAR;
  return at;
}

/* A formula's text goes through as it is: nothing in it is a mark of ours. */
static gsize
take_formula (Preparation *self, Mark mark, gsize at, gsize close)
{
  gsize width = mark == MARK_DOLLAR ? 1 : 2;
  const char *dollars = mark == MARK_DOLLAR || mark == MARK_INLINE ? "$" : "$$";

  g_string_append (self->out, dollars);
  if (mark >= MARK_INLINE)
    g_string_append_c (self->out, mark == MARK_INLINE ? OPEN_INLINE : OPEN_DISPLAY);
  for (gsize i = at + width; i < close; i++)
    {
      gboolean is_escaped_dollar = self->text[i] == '\\' && self->text[i + 1] == '$';

      i += is_escaped_dollar ? 1 : 0;
      g_string_append_c (self->out, is_escaped_dollar ? ESCAPED_DOLLAR : self->text[i] == '$' ? DOLLAR : self->text[i]);
    }
  if (mark >= MARK_INLINE)
    g_string_append_c (self->out, mark == MARK_INLINE ? CLOSE_INLINE : CLOSE_DISPLAY);
  g_string_append (self->out, dollars);
  return close + width;
}

static gsize
take_dollars (Preparation *self, gsize at)
{
  gsize n = count_dollars (self->text, self->length, at);
  gsize close = 0;

  if (n == 2)
    close = find_close (self, MARK_DOLLARS, at + 2);
  else if (n == 1 && opens_dollar (self, at))
    close = find_close (self, MARK_DOLLAR, at + 1);
  if (close > 0)
    return take_formula (self, n == 2 ? MARK_DOLLARS : MARK_DOLLAR, at, close);
  for (gsize i = 0; i < n; i++)
    g_string_append_c (self->out, DOLLAR);
  return at + n;
}

static gsize
take_backslash (Preparation *self, gsize at)
{
  char after = at + 1 < self->paragraph_end ? self->text[at + 1] : '\0';
  Mark mark = after == '(' ? MARK_INLINE : MARK_DISPLAY;
  gsize close = after == '(' || after == '[' ? find_close (self, mark, at + 2) : 0;

  if (close > 0)
    return take_formula (self, mark, at, close);
  if (after == '$')
    {
      g_string_append_c (self->out, ESCAPED_DOLLAR);
      return at + 2;
    }
  g_string_append_c (self->out, '\\');
  if (after == '\0')
    return at + 1;
  g_string_append_c (self->out, after);
  return at + 2;
}

GString *
beckon_markdown_maths_prepare (const char *text, gsize length)
{
  Preparation self = { text, length, 0, { FALSE }, NULL };
  gsize at = 0;

  if (memchr (text, '$', length) == NULL && g_strstr_len (text, (gssize) length, "\\(") == NULL &&
      g_strstr_len (text, (gssize) length, "\\[") == NULL)
    return NULL;

  self.out = g_string_sized_new (length + 16);
  while (at < length)
    {
      if (at >= self.paragraph_end)
        {
          self.paragraph_end = find_paragraph_end (self.text, self.length, at);
          memset (self.is_endless, 0, sizeof self.is_endless);
        }
      if (text[at] == '$')
        at = take_dollars (&self, at);
      else if (text[at] == '\\')
        at = take_backslash (&self, at);
      else
        g_string_append_c (self.out, text[at++]);
    }
  return self.out;
}

/* The dollar signs before a mark of ours stand for what was written. */
static void
replace_dollars (GString *out, gsize n, const char *written)
{
  if (out->len < n || strspn (out->str + out->len - n, "$") != n)
    return;
  g_string_truncate (out, out->len - n);
  g_string_append (out, written);
}

void
beckon_markdown_maths_restore (const char *text, gsize length, gboolean is_verbatim, GString *out)
{
  for (gsize i = 0; i < length; i++)
    {
      switch (text[i])
        {
        case DOLLAR:
          g_string_append_c (out, '$');
          break;
        case ESCAPED_DOLLAR:
          g_string_append (out, is_verbatim ? "\\$" : "$");
          break;
        case OPEN_INLINE:
          replace_dollars (out, 1, "\\(");
          break;
        case CLOSE_INLINE:
          g_string_append (out, "\\)");
          i += count_dollars (text, length, i + 1);
          break;
        case OPEN_DISPLAY:
          replace_dollars (out, 2, "\\[");
          break;
        case CLOSE_DISPLAY:
          g_string_append (out, "\\]");
          i += count_dollars (text, length, i + 1);
          break;
        default:
          g_string_append_c (out, text[i]);
        }
    }
}

void
beckon_markdown_maths_restore_formula (const char *text, gsize length, GString *out)
{
  while (length > 0 && *text >= OPEN_INLINE && *text <= CLOSE_DISPLAY)
    {
      text++;
      length--;
    }
  while (length > 0 && text[length - 1] >= OPEN_INLINE && text[length - 1] <= CLOSE_DISPLAY)
    length--;
  beckon_markdown_maths_restore (text, length, TRUE, out);
}

gsize
beckon_markdown_maths_find_display (const char *text, gsize length, gsize *start, gsize *end)
{
  gsize at = 0;
  const char *close, *found;

  while (at < 3 && at < length && text[at] == ' ')
    at++;
  if (at + 2 > length || (strncmp (text + at, "$$", 2) != 0 && strncmp (text + at, "\\[", 2) != 0))
    return 0;
  close = text[at] == '$' ? "$$" : "\\]";
  *start = at + 2;
  found = g_strstr_len (text + *start, (gssize) MIN (length - *start, LONGEST_FORMULA), close);
  if (found == NULL || !is_blank_line (text, length, (gsize) (found - text) + 2))
    return 0;
  if (find_paragraph_end (text, (gsize) (found - text), at) < (gsize) (found - text))
    return 0;
  *end = (gsize) (found - text);
  found = memchr (text + *end, '\n', length - *end);
  return found != NULL ? (gsize) (found - text) + 1 : length;
}
