/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-json-edit.h"

#include "beckon-json-writer.h"

#include <string.h>

BeckonJsonEdit *
beckon_json_edit_new (gsize offset, gsize length, char *text)
{
  BeckonJsonEdit *edit = g_new (BeckonJsonEdit, 1);

  edit->offset = offset;
  edit->length = length;
  edit->text = text;
  return edit;
}

void
beckon_json_edit_free (BeckonJsonEdit *edit)
{
  if (edit == NULL)
    return;
  g_free (edit->text);
  g_free (edit);
}

static gsize
json_edit_get_end (const BeckonJsonValue *value)
{
  return value->offset + value->length;
}

BeckonJsonEdit *
beckon_json_edit_replace (const BeckonJsonValue *value, const char *json)
{
  g_return_val_if_fail (value != NULL, NULL);
  g_return_val_if_fail (json != NULL, NULL);

  return beckon_json_edit_new (value->offset, value->length, g_strdup (json));
}

/* Spaces the colon as the neighbours do. */
static void
append_colon (GString *member, const char *text, const BeckonJsonValue *container)
{
  const BeckonJsonValue *first;
  const char *at;

  if (container->children->len == 0)
    {
      g_string_append_c (member, ':');
      return;
    }
  first = beckon_json_value_get_child (container, 0);
  for (at = text + first->name_offset + 1; *at != '"'; at++)
    at += *at == '\\';
  at++;
  g_string_append_len (member, at, (gssize) (first->offset - (gsize) (at - text)));
}

static void
append_separator (GString *edit, const char *text, const BeckonJsonValue *container)
{
  const BeckonJsonValue *first = beckon_json_value_get_child (container, 0);
  const BeckonJsonValue *second;
  gsize inside = container->offset + 1;

  if (container->children->len > 1)
    {
      second = beckon_json_value_get_child (container, 1);
      g_string_append_len (edit, text + json_edit_get_end (first), (gssize) (second->name_offset - json_edit_get_end (first)));
      return;
    }
  g_string_append_c (edit, ',');
  g_string_append_len (edit, text + inside, (gssize) (first->name_offset - inside));
  if (first->name_offset == inside && text[first->offset - 1] == ' ')
    g_string_append_c (edit, ' ');
}

BeckonJsonEdit *
beckon_json_edit_insert (const char *text, const BeckonJsonValue *container, const GString *name, guint index,
                         const char *json)
{
  g_autoptr (GString) child = g_string_new (NULL);
  BeckonJsonWriter writer;
  GString *inserted;
  guint n;
  gsize offset;

  g_return_val_if_fail (container != NULL && container->children != NULL, NULL);
  g_return_val_if_fail ((name != NULL) == (container->kind == BECKON_JSON_VALUE_OBJECT), NULL);

  n = container->children->len;
  if (name != NULL)
    {
      beckon_json_writer_init (&writer, child);
      beckon_json_writer_string (&writer, name->str, (gssize) name->len);
      append_colon (child, text, container);
    }
  g_string_append (child, json);
  if (n == 0)
    return beckon_json_edit_new (container->offset + 1, container->length - 2, g_strdup (child->str));

  inserted = g_string_new (NULL);
  if (index >= n)
    {
      append_separator (inserted, text, container);
      g_string_append (inserted, child->str);
      offset = json_edit_get_end (beckon_json_value_get_child (container, n - 1));
    }
  else
    {
      g_string_append (inserted, child->str);
      append_separator (inserted, text, container);
      offset = beckon_json_value_get_child (container, index)->name_offset;
    }
  return beckon_json_edit_new (offset, 0, g_string_free (inserted, FALSE));
}

BeckonJsonEdit *
beckon_json_edit_remove (const BeckonJsonValue *container, guint index)
{
  const BeckonJsonValue *child;
  gsize from, to;

  g_return_val_if_fail (index < beckon_json_value_get_n_children (container), NULL);

  child = beckon_json_value_get_child (container, index);
  if (container->children->len == 1)
    return beckon_json_edit_new (container->offset + 1, container->length - 2, g_strdup (""));
  if (index > 0)
    {
      from = json_edit_get_end (beckon_json_value_get_child (container, index - 1));
      to = json_edit_get_end (child);
    }
  else
    {
      from = child->name_offset;
      to = beckon_json_value_get_child (container, 1)->name_offset;
    }
  return beckon_json_edit_new (from, to - from, g_strdup (""));
}

static guint
get_source (guint slot, guint from, guint to)
{
  if (slot == to)
    return from;
  if (from < to)
    return slot + 1;
  return slot - 1;
}

BeckonJsonEdit *
beckon_json_edit_move (const char *text, const BeckonJsonValue *array, guint from, guint to)
{
  guint first = MIN (from, to);
  guint last = MAX (from, to);
  gsize start;
  GString *moved;

  g_return_val_if_fail (last < beckon_json_value_get_n_children (array), NULL);

  moved = g_string_new (NULL);
  start = beckon_json_value_get_child (array, first)->offset;
  for (guint slot = first; slot <= last; slot++)
    {
      const BeckonJsonValue *place = beckon_json_value_get_child (array, slot);
      const BeckonJsonValue *source = from == to ? place : beckon_json_value_get_child (array, get_source (slot, from, to));

      if (slot > first)
        {
          gsize gap = json_edit_get_end (beckon_json_value_get_child (array, slot - 1));

          g_string_append_len (moved, text + gap, (gssize) (place->offset - gap));
        }
      g_string_append_len (moved, text + source->offset, (gssize) source->length);
    }
  return beckon_json_edit_new (start, json_edit_get_end (beckon_json_value_get_child (array, last)) - start,
                               g_string_free (moved, FALSE));
}

static gboolean
is_inside_character (char byte)
{
  return (byte & 0xc0) == 0x80;
}

BeckonJsonEdit *
beckon_json_edit_between (const char *before, const char *after)
{
  gsize n_before = strlen (before);
  gsize n_after = strlen (after);
  gsize most = MIN (n_before, n_after);
  gsize head = 0;
  gsize tail = 0;

  if (strcmp (before, after) == 0)
    return NULL;
  while (head < most && before[head] == after[head])
    head++;
  while (head > 0 && (is_inside_character (before[head]) || is_inside_character (after[head])))
    head--;
  while (tail < most - head && before[n_before - tail - 1] == after[n_after - tail - 1])
    tail++;
  while (tail > 0 && is_inside_character (before[n_before - tail]))
    tail--;
  return beckon_json_edit_new (head, n_before - head - tail, g_strndup (after + head, n_after - head - tail));
}

char *
beckon_json_edit_apply (const BeckonJsonEdit *edit, const char *text)
{
  GString *changed = g_string_new_len (text, (gssize) edit->offset);

  g_string_append (changed, edit->text);
  g_string_append (changed, text + edit->offset + edit->length);
  return g_string_free (changed, FALSE);
}
