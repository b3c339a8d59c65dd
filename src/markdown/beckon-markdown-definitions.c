/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-markdown-definitions.h"

#include "beckon-markdown-parse.h"

#include <string.h>

#define LONGEST_LABEL 999
#define MOST_DEFINITIONS 2000

typedef struct
{
  guint number;
  char *written;
} Definition;

struct _BeckonMarkdownDefinitions
{
  GHashTable *by_label; /* (element-type utf8 Definition): the label as it is compared */
};

static void
free_definition (gpointer data)
{
  Definition *definition = data;

  g_free (definition->written);
  g_free (definition);
}

/* Labels */

/* The bytes of the label that begins behind a bracket at @at; 0 if there is none. */
static gsize
get_label_length (const char *text, gsize length, gsize at)
{
  gsize begin = at;
  gboolean has_ink = FALSE;

  for (; at < length && at - begin <= LONGEST_LABEL && text[at] != '['; at++)
    {
      if (text[at] == ']')
        return has_ink ? at - begin : 0;
      has_ink = has_ink || !g_ascii_isspace (text[at]);
      if (text[at] == '\\')
        at++;
    }
  return 0;
}

/* (nullable): the next label, from *@at on, which goes behind it; caller frees. */
static char *
next_label (const char *text, gsize length, gsize *at)
{
  while (*at < length)
    {
      const char *bracket = memchr (text + *at, '[', length - *at);
      gsize begin, label;

      if (bracket == NULL)
        break;
      begin = (gsize) (bracket - text) + 1;
      label = get_label_length (text, length, begin);
      *at = begin + label;
      if (label > 0)
        return g_strndup (text + begin, label);
    }
  *at = length;
  return NULL;
}

static char *
normalise (const char *label)
{
  g_autofree char *folded = g_utf8_casefold (label, -1);
  GString *out = g_string_sized_new (strlen (folded));

  for (const char *c = folded; *c != '\0'; c++)
    {
      if (!g_ascii_isspace (*c))
        g_string_append_c (out, *c);
      else if (out->len > 0 && out->str[out->len - 1] != ' ')
        g_string_append_c (out, ' ');
    }
  if (out->len > 0 && out->str[out->len - 1] == ' ')
    g_string_truncate (out, out->len - 1);
  return g_string_free (out, FALSE);
}

/* Learning */

static void
append_escaped (GString *out, const char *text, const char *special)
{
  for (; *text != '\0'; text++)
    {
      if (strchr (special, *text) != NULL)
        g_string_append_c (out, '\\');
      g_string_append_c (out, *text);
    }
}

static void
definitions_take (BeckonMarkdownDefinitions *self, const char *label, const BeckonMarkdownNode *use)
{
  const BeckonMarkdownSpan *link;
  Definition *definition;
  char *normal;
  GString *out;

  if (use->kind != BECKON_MARKDOWN_PARAGRAPH || beckon_markdown_node_get_n_spans (use) == 0)
    return;
  link = beckon_markdown_node_get_span (use, 0);
  if (link->kind != BECKON_MARKDOWN_SPAN_LINK || link->start != 0 || link->end != use->text->len)
    return;
  normal = normalise (label);
  if (g_hash_table_contains (self->by_label, normal))
    {
      g_free (normal);
      return;
    }
  definition = g_new0 (Definition, 1);
  definition->number = g_hash_table_size (self->by_label);
  out = g_string_new ("[");
  g_string_append_printf (out, "%s]: <", label);
  append_escaped (out, link->target != NULL ? link->target : "", "<>\\&");
  g_string_append_c (out, '>');
  if (link->title != NULL)
    {
      g_string_append (out, " \"");
      append_escaped (out, link->title, "\"\\&");
      g_string_append_c (out, '"');
    }
  g_string_append_c (out, '\n');
  definition->written = g_string_free (out, FALSE);
  g_hash_table_insert (self->by_label, normal, definition);
}

/* The parser does not tell what it knows, but it tells what a use of it becomes. */
void
beckon_markdown_definitions_learn (BeckonMarkdownDefinitions *self, const char *text, gsize length)
{
  g_autoptr (GPtrArray) labels = NULL;
  g_autoptr (GPtrArray) blocks = NULL;
  g_autoptr (GString) uses = NULL;
  gsize at = 0;

  if (g_hash_table_size (self->by_label) >= MOST_DEFINITIONS || g_strstr_len (text, (gssize) length, "]:") == NULL)
    return;
  labels = g_ptr_array_new_with_free_func (g_free);

  while (labels->len < MOST_DEFINITIONS)
    {
      char *label = next_label (text, length, &at);

      if (label == NULL)
        break;
      if (at + 1 < length && text[at] == ']' && text[at + 1] == ':')
        g_ptr_array_add (labels, label);
      else
        g_free (label);
    }
  uses = g_string_new (NULL);
  for (guint i = 0; i < labels->len; i++)
    g_string_append_printf (uses, "[%s]\n\n", (const char *) g_ptr_array_index (labels, i));
  g_string_append_len (uses, text, (gssize) length);
  blocks = beckon_markdown_parse (uses->str, uses->len, BECKON_MARKDOWN_RICH);
  for (guint i = 0; i < MIN (labels->len, blocks->len); i++)
    definitions_take (self, g_ptr_array_index (labels, i), g_ptr_array_index (blocks, i));
}

/* Use */

GString *
beckon_markdown_definitions_select (BeckonMarkdownDefinitions *self, const char *text, gsize length, guint since)
{
  g_autoptr (GHashTable) used = NULL;
  GString *written = NULL;
  gboolean is_new = since == 0;
  gsize at = 0;
  char *label;

  if (g_hash_table_size (self->by_label) == 0)
    return NULL;
  used = g_hash_table_new (NULL, NULL);
  written = g_string_new (NULL);
  while ((label = next_label (text, length, &at)) != NULL)
    {
      g_autofree char *normal = normalise (label);
      Definition *definition = g_hash_table_lookup (self->by_label, normal);

      g_free (label);
      if (definition == NULL || !g_hash_table_add (used, definition))
        continue;
      is_new = is_new || definition->number >= since;
      g_string_append (written, definition->written);
    }
  if (is_new && written->len > 0)
    return written;
  g_string_free (written, TRUE);
  return NULL;
}

guint
beckon_markdown_definitions_get_n (BeckonMarkdownDefinitions *self)
{
  return g_hash_table_size (self->by_label);
}

BeckonMarkdownDefinitions *
beckon_markdown_definitions_new (void)
{
  BeckonMarkdownDefinitions *self = g_new0 (BeckonMarkdownDefinitions, 1);

  self->by_label = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_definition);
  return self;
}

void
beckon_markdown_definitions_free (BeckonMarkdownDefinitions *self)
{
  g_hash_table_unref (self->by_label);
  g_free (self);
}
