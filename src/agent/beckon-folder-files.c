/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-folder-files.h"

#include "base/beckon-json.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-prompt-facts.h"

#include <glib/gi18n-lib.h>

/* (nullable): of the last request. */
static const BeckonPrefix *
find_last (const BeckonPrefixes *prefixes)
{
  const BeckonPrefix *last = NULL;
  GHashTableIter iter;
  gpointer prefix;

  g_hash_table_iter_init (&iter, prefixes->by_profile);
  while (g_hash_table_iter_next (&iter, NULL, &prefix))
    if (last == NULL || ((const BeckonPrefix *) prefix)->used > last->used)
      last = prefix;
  return last;
}

static void
append_file (GString *text, JsonObject *file)
{
  const char *raw = beckon_json_get_string (file, "path");
  g_autofree char *path = raw != NULL ? beckon_text_for_display (raw, -1, BECKON_TEXT_EXACT) : NULL;
  g_autofree char *size = g_format_size ((guint64) MAX (beckon_json_get_int (file, "size", 0), 0));
  g_autofree char *line = NULL;

  if (path == NULL)
    return;
  if (beckon_json_get_boolean (file, "counts", FALSE))
    /* Translators: a file and its size */
    line = beckon_text_printf (_("%s (%s)"), path, size);
  else
    /* Translators: a file that is not used, and its size */
    line = beckon_text_printf (_("%s (%s, not used)"), path, size);
  g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", line);
}

char *
beckon_folder_files_dup_text (const BeckonPrefixes *prefixes)
{
  const BeckonPrefix *last = find_last (prefixes);
  g_autoptr (BeckonPromptFacts) facts = beckon_prompt_facts_new (last != NULL ? last->facts : NULL);
  g_autoptr (JsonNode) root = beckon_json_parse (beckon_prompt_facts_get (facts, BECKON_PROMPT_FACT_EXTRAS), -1, NULL);
  JsonArray *files = root != NULL && JSON_NODE_HOLDS_ARRAY (root) ? json_node_get_array (root) : NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; files != NULL && i < json_array_get_length (files); i++)
    {
      JsonNode *node = json_array_get_element (files, i);

      if (JSON_NODE_HOLDS_OBJECT (node))
        append_file (text, json_node_get_object (node));
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}
