/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-mask.h"

#include "beckon-json-writer.h"

#include <string.h>

typedef struct
{
  char *value;
  gsize length;
  char *replacement;
} Entry;

struct _BeckonMask
{
  GArray *entries; /* (element-type Entry) */
  GString *held;   /* what could be the beginning of a value */
};

static void
entry_clear (gpointer data)
{
  Entry *entry = data;

  explicit_bzero (entry->value, entry->length);
  g_free (entry->value);
  g_free (entry->replacement);
}

BeckonMask *
beckon_mask_new (void)
{
  BeckonMask *mask = g_new0 (BeckonMask, 1);

  mask->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  g_array_set_clear_func (mask->entries, entry_clear);
  mask->held = g_string_new (NULL);
  return mask;
}

void
beckon_mask_free (BeckonMask *mask)
{
  if (mask == NULL)
    return;

  g_array_unref (mask->entries);
  explicit_bzero (mask->held->str, mask->held->allocated_len);
  g_string_free (mask->held, TRUE);
  g_free (mask);
}

gboolean
beckon_mask_is_empty (BeckonMask *mask)
{
  g_return_val_if_fail (mask != NULL, TRUE);

  return mask->entries->len == 0;
}

static Entry *
get_entry (BeckonMask *mask, guint index)
{
  return &g_array_index (mask->entries, Entry, index);
}

static void
add_form (BeckonMask *mask, char *value, const char *replacement)
{
  Entry entry = { .value = value, .length = strlen (value), .replacement = g_strdup (replacement) };

  for (guint i = 0; i < mask->entries->len; i++)
    {
      if (!g_str_equal (get_entry (mask, i)->value, value))
        continue;
      entry_clear (&entry);
      return;
    }
  g_array_append_val (mask->entries, entry);
}

/* As it stands between the quotes of JSON. */
static char *
dup_json (const char *value)
{
  g_autoptr (GString) text = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_string (&writer, value, -1);
  return g_strndup (text->str + 1, text->len - 2);
}

void
beckon_mask_add (BeckonMask *mask, const char *value, const char *replacement)
{
  g_return_if_fail (mask != NULL);
  g_return_if_fail (value != NULL && *value != '\0');

  add_form (mask, g_strdup (value), replacement);
  add_form (mask, dup_json (value), replacement);
  add_form (mask, g_uri_escape_string (value, NULL, FALSE), replacement);
  add_form (mask, g_base64_encode ((const guchar *) value, strlen (value)), replacement);
}

/* The longest value that stands at the beginning of @text. */
static const Entry *
find_value (BeckonMask *mask, const char *text, gsize length)
{
  const Entry *found = NULL;

  for (guint i = 0; i < mask->entries->len; i++)
    {
      const Entry *entry = get_entry (mask, i);

      if (entry->length <= length && (found == NULL || entry->length > found->length) &&
          memcmp (entry->value, text, entry->length) == 0)
        found = entry;
    }
  return found;
}

/* @text ends in the middle of what may become a value. */
static gboolean
may_become_value (BeckonMask *mask, const char *text, gsize length)
{
  for (guint i = 0; i < mask->entries->len; i++)
    {
      const Entry *entry = get_entry (mask, i);

      if (entry->length > length && memcmp (entry->value, text, length) == 0)
        return TRUE;
    }
  return FALSE;
}

/* Appends what can be told of @text and returns how many bytes that was. */
static gsize
replace (BeckonMask *mask, const char *text, gsize length, gboolean whole, GString *out)
{
  gsize i = 0;

  while (i < length)
    {
      const Entry *entry = find_value (mask, text + i, length - i);

      if (!whole && may_become_value (mask, text + i, length - i))
        return i;
      if (entry != NULL)
        g_string_append (out, entry->replacement);
      else
        g_string_append_c (out, text[i]);
      i += entry != NULL ? entry->length : 1;
    }
  return i;
}

char *
beckon_mask_apply (BeckonMask *mask, const char *text)
{
  g_autoptr (GString) out = NULL;

  g_return_val_if_fail (mask != NULL && text != NULL, NULL);

  out = g_string_sized_new (strlen (text) + 1);
  replace (mask, text, strlen (text), TRUE, out);
  return g_string_free (g_steal_pointer (&out), FALSE);
}

void
beckon_mask_feed (BeckonMask *mask, const char *chunk, gsize length, GString *out)
{
  gsize done;

  g_return_if_fail (mask != NULL);

  g_string_append_len (mask->held, chunk, (gssize) length);
  done = replace (mask, mask->held->str, mask->held->len, FALSE, out);
  g_string_erase (mask->held, 0, (gssize) done);
}

void
beckon_mask_finish (BeckonMask *mask, GString *out)
{
  g_return_if_fail (mask != NULL);

  replace (mask, mask->held->str, mask->held->len, TRUE, out);
  g_string_truncate (mask->held, 0);
}
