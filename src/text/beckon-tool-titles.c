/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-tool-titles.h"

#include "base/beckon-text.h"

#define MOST_CHARS 60

/* Calls are described in many places, most of which know no server. */
static GHashTable *titles; /* (element-type utf8 utf8) (nullable) */
G_LOCK_DEFINE_STATIC (titles);

void
beckon_tool_titles_set (const char *tool, const char *title)
{
  g_autofree char *shown = NULL;

  g_return_if_fail (tool != NULL);

  if (title != NULL && *title != '\0')
    shown = beckon_text_for_display (title, -1, BECKON_TEXT_EXACT);
  G_LOCK (titles);
  if (titles == NULL)
    titles = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  if (shown != NULL)
    g_hash_table_replace (titles, g_strdup (tool), beckon_text_shorten (shown, MOST_CHARS));
  else
    g_hash_table_remove (titles, tool);
  G_UNLOCK (titles);
}

char *
beckon_tool_titles_dup (const char *tool)
{
  char *title;

  G_LOCK (titles);
  title = titles != NULL ? g_strdup (g_hash_table_lookup (titles, tool)) : NULL;
  G_UNLOCK (titles);
  return title;
}
