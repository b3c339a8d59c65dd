/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-arguments-line.h"

#include <string.h>

#define LONGEST_LINE 200

typedef struct
{
  GString *line;
  gsize first_value; /* where the first value begins */
  guint names;       /* how many arguments were named */
} Writer;

static void
write_gap (Writer *writer)
{
  if (writer->line->len > 0 && writer->line->str[writer->line->len - 1] != ' ')
    g_string_append_c (writer->line, ' ');
}

/* The character after a backslash. */
static void
write_escaped (Writer *writer, char escaped)
{
  if (strchr ("ntrbf", escaped) != NULL)
    write_gap (writer);
  else
    g_string_append_c (writer->line, escaped);
}

char *
beckon_arguments_line (const char *arguments)
{
  Writer writer = { g_string_new (NULL), 0, 0 };
  gboolean inside = FALSE;
  const char *next;

  for (const char *at = arguments; *at != '\0' && writer.line->len < LONGEST_LINE; at = next)
    {
      next = g_utf8_next_char (at);
      if (*at == '"')
        inside = !inside;
      else if (inside && *at == '\\' && (guchar) at[1] < 0x80 && at[1] != '\0')
        write_escaped (&writer, *next++);
      else if (inside)
        {
          if (g_unichar_isspace (g_utf8_get_char (at)))
            write_gap (&writer);
          else
            g_string_append_len (writer.line, at, next - at);
        }
      else if (strchr ("{}[]", *at) == NULL && !g_ascii_isspace (*at))
        {
          g_string_append_len (writer.line, at, next - at);
          if (*at == ':' || *at == ',')
            g_string_append_c (writer.line, ' ');
          if (*at == ':' && writer.names++ == 0)
            writer.first_value = writer.line->len;
        }
    }
  if (writer.names == 1)
    g_string_erase (writer.line, 0, (gssize) writer.first_value);
  return g_string_free (writer.line, FALSE);
}
