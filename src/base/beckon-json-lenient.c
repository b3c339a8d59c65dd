/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-json-lenient.h"

#include <string.h>

static gsize
find_string_end (const char *text, gsize at, gsize length)
{
  for (at++; at < length && text[at] != '"'; at++)
    if (text[at] == '\\')
      at++;
  return MIN (at + 1, length);
}

/* A comment that does not end stays: it is a fault that is reported. */
static gsize
find_comment_end (const char *text, gsize at, gsize length)
{
  const char *end;

  if (at + 1 < length && text[at + 1] == '/')
    {
      end = memchr (text + at, '\n', length - at);
      return end != NULL ? (gsize) (end - text) : length;
    }
  if (at + 1 >= length || text[at + 1] != '*')
    return at;
  end = g_strstr_len (text + at + 2, (gssize) (length - at - 2), "*/");
  return end != NULL ? (gsize) (end - text) + 2 : at;
}

/* Line breaks stay, so that a line's number does too. */
static void
blank (char *text, gsize from, gsize to)
{
  for (gsize at = from; at < to; at++)
    if (text[at] != '\n' && text[at] != '\r')
      text[at] = ' ';
}

char *
beckon_json_make_strict (const char *text, gsize length)
{
  static const char mark[] = "\357\273\277";
  char *strict;
  gsize comma = G_MAXSIZE;
  gboolean is_open = FALSE;

  g_return_val_if_fail (text != NULL, NULL);

  strict = g_malloc (length + 1);
  memcpy (strict, text, length);
  strict[length] = '\0';
  if (length >= strlen (mark) && memcmp (text, mark, strlen (mark)) == 0)
    blank (strict, 0, strlen (mark));
  for (gsize at = 0; at < length;)
    {
      gsize next = strict[at] == '"' ? find_string_end (strict, at, length) : at + 1;
      gsize end = strict[at] == '/' && !is_open ? find_comment_end (strict, at, length) : at;

      /* Behind one comment without an end no other has one, and the text is not searched for it again. */
      is_open = is_open || (end == at && strict[at] == '/' && strict[at + 1] == '*');
      if (end > at)
        {
          next = end;
          blank (strict, at, next);
        }
      else if (strict[at] == ',')
        comma = at;
      else if (strict[at] != ' ' && strict[at] != '\t' && strict[at] != '\n' && strict[at] != '\r')
        {
          if (comma != G_MAXSIZE && (strict[at] == '}' || strict[at] == ']'))
            strict[comma] = ' ';
          comma = G_MAXSIZE;
        }
      at = next;
    }
  return strict;
}
