/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-markdown-entity.h"

#include "base/beckon-text.h"
#include "beckon-markdown-entities.h"

#include <stdlib.h>
#include <string.h>

#define MOST_DIGITS 8

static int
compare_place (gconstpointer key, gconstpointer place)
{
  return strcmp (key, entity_texts + *(const guint16 *) place);
}

static const char *
look_up (const char *name)
{
  const guint16 *place =
      bsearch (name, entity_places, G_N_ELEMENTS (entity_places), sizeof *entity_places, compare_place);

  return place != NULL ? entity_texts + *place + strlen (name) + 1 : NULL;
}

static gunichar
read_number (const char *digits)
{
  gboolean is_hex = g_ascii_tolower (digits[0]) == 'x';
  guint64 number = g_ascii_strtoull (digits + (is_hex ? 1 : 0), NULL, is_hex ? 16 : 10);

  return number == 0 || number > 0x10ffff || !g_unichar_validate ((gunichar) number) ? BECKON_TEXT_REPLACEMENT
                                                                                   : (gunichar) number;
}

static void
append_number (const char *digits, GString *out)
{
  char bytes[8];
  int length = g_unichar_to_utf8 (read_number (digits), bytes);
  g_autofree char *safe = beckon_text_for_display (bytes, length, BECKON_TEXT_PROSE);

  g_string_append (out, safe);
}

void
beckon_markdown_entity_append (const char *entity, gsize length, GString *out)
{
  g_autofree char *name = NULL;
  const char *text;

  name = g_strndup (entity + 1, length - 2);
  if (name[0] == '#' && length <= MOST_DIGITS + 4)
    {
      append_number (name + 1, out);
      return;
    }
  text = look_up (name);
  if (text != NULL)
    g_string_append (out, text);
  else
    g_string_append_len (out, entity, (gssize) length);
}
