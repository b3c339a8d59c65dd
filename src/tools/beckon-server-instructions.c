/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-server-instructions.h"

#include "base/beckon-text.h"

#include <string.h>

typedef struct
{
  BeckonMcpServer *server; /* (owned) */
  char *text;
} Entry;

struct _BeckonServerInstructions
{
  GTree *entries; /* (element-type utf8 Entry): by the server's name, so that a prompt is the same each time */
};

static void
instructions_entry_free (gpointer data)
{
  Entry *entry = data;

  beckon_mcp_server_unref (entry->server);
  g_free (entry->text);
  g_free (entry);
}

static int
instructions_compare (gconstpointer one, gconstpointer other, gpointer user_data)
{
  return strcmp (one, other);
}

BeckonServerInstructions *
beckon_server_instructions_new (void)
{
  BeckonServerInstructions *instructions = g_new0 (BeckonServerInstructions, 1);

  instructions->entries = g_tree_new_full (instructions_compare, NULL, g_free, instructions_entry_free);
  return instructions;
}

void
beckon_server_instructions_free (BeckonServerInstructions *instructions)
{
  g_tree_unref (instructions->entries);
  g_free (instructions);
}

void
beckon_server_instructions_set (BeckonServerInstructions *instructions, BeckonMcpServer *server, const char *text)
{
  Entry *entry;

  g_return_if_fail (instructions != NULL);
  g_return_if_fail (server != NULL && server->name != NULL);

  g_tree_remove (instructions->entries, server->name);
  if (text == NULL || *text == '\0')
    return;
  entry = g_new0 (Entry, 1);
  entry->server = beckon_mcp_server_ref (server);
  entry->text = beckon_text_make_valid (text, -1, NULL);
  g_tree_insert (instructions->entries, g_strdup (server->name), entry);
}

typedef struct
{
  const char *folder;
  GString *quotes;
} Quoting;

static gboolean
quote_entry (gpointer name, gpointer data, gpointer user_data)
{
  const Entry *entry = data;
  Quoting *quoting = user_data;
  g_autoptr (GString) quote = NULL;
  g_autofree char *marked = NULL;
  g_autofree char *bounded = NULL;
  g_auto (GStrv) lines = NULL;

  if (!entry->server->is_on || entry->server->ignores_instructions
      || !beckon_mcp_server_is_for_folder (entry->server, quoting->folder))
    return FALSE;
  quote = g_string_new (quoting->quotes->len > 0 ? "\n" : NULL);
  g_string_append_printf (quote, "The server “%s”:", (const char *) name);
  /* A line of it can't pass for one of ours. */
  marked = beckon_text_for_display (entry->text, -1, BECKON_TEXT_MARKED);
  bounded = beckon_text_shorten (marked, BECKON_SERVER_INSTRUCTIONS_MAX);
  lines = g_strsplit (g_strstrip (bounded), "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    g_string_append_printf (quote, "\n> %s", lines[i]);
  /* A shorter one behind it may still have room. */
  if (g_utf8_strlen (quoting->quotes->str, -1) + g_utf8_strlen (quote->str, -1) <= BECKON_SERVER_INSTRUCTIONS_MAX_ALL)
    g_string_append (quoting->quotes, quote->str);
  return FALSE;
}

char *
beckon_server_instructions_quote (BeckonServerInstructions *instructions, const char *folder)
{
  Quoting quoting = { .folder = folder };

  g_return_val_if_fail (instructions != NULL, NULL);

  quoting.quotes = g_string_new (NULL);
  g_tree_foreach (instructions->entries, quote_entry, &quoting);
  return g_string_free (quoting.quotes, quoting.quotes->len == 0);
}
