/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-install-scripts.h"

#include "base/beckon-json.h"

#include <string.h>

/* The life cycle scripts of "npm install" without arguments, in npm's own documentation of scripts. */
static const char *const names[] = {
  "preinstall",     "install", "postinstall", "prepublish", "preprepare",
  "prepare",        "postprepare", "dependencies", "pnpm:devPreinstall",
};

gboolean
beckon_install_scripts_are_in (const char *path)
{
  const char *name = strrchr (path, '/');

  name = name != NULL ? name + 1 : path;
  return strcmp (name, "package.json") == 0 && !g_str_has_prefix (path, "node_modules/")
         && strstr (path, "/node_modules/") == NULL;
}

/* Package managers skip a byte order mark. */
static JsonObject *
parse (const char *package)
{
  static const char mark[] = "\xef\xbb\xbf";

  if (package == NULL)
    return NULL;

  return beckon_json_parse_object (g_str_has_prefix (package, mark) ? package + strlen (mark) : package, -1, NULL);
}

static void
reach (GHashTable *reached, GQueue *next, JsonObject *scripts, const char *name)
{
  const char *command = beckon_json_get_string (scripts, name);

  if (command != NULL && g_hash_table_insert (reached, g_strdup (name), (gpointer) command))
    g_queue_push_tail (next, (gpointer) command);
}

static void
reach_by_name (GHashTable *reached, GQueue *next, JsonObject *scripts, const char *name)
{
  g_autofree char *before = g_strconcat ("pre", name, NULL);
  g_autofree char *after = g_strconcat ("post", name, NULL);

  reach (reached, next, scripts, before);
  reach (reached, next, scripts, name);
  reach (reached, next, scripts, after);
}

/* A word with a pattern, as in `run-p build:*`, may be any of them. */
static void
reach_words (GHashTable *reached, GQueue *next, JsonObject *scripts, const char *command)
{
  g_auto (GStrv) words = g_strsplit_set (command, " \t\r\n\"'`;&|()<>{}$=", -1);

  for (guint i = 0; words[i] != NULL && g_hash_table_size (reached) < json_object_get_size (scripts); i++)
    if (strchr (words[i], '*') != NULL)
      {
        g_autoptr (GList) all = json_object_get_members (scripts);

        for (GList *at = all; at != NULL; at = at->next)
          reach (reached, next, scripts, at->data);
        return;
      }
    else if (json_object_has_member (scripts, words[i]))
      reach_by_name (reached, next, scripts, words[i]);
}

/* Commands by their names, borrowed from @package. */
static GHashTable *
find_reached (JsonObject *package)
{
  GHashTable *reached = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  JsonObject *scripts = package != NULL ? beckon_json_get_object (package, "scripts") : NULL;
  GQueue next = G_QUEUE_INIT;

  for (guint i = 0; scripts != NULL && i < G_N_ELEMENTS (names); i++)
    reach (reached, &next, scripts, names[i]);
  while (!g_queue_is_empty (&next))
    reach_words (reached, &next, scripts, g_queue_pop_head (&next));
  return reached;
}

void
beckon_install_scripts_foreach (const char *package, BeckonInstallScript function, gpointer data)
{
  g_autoptr (JsonObject) parsed = NULL;
  g_autoptr (GHashTable) reached = NULL;
  GHashTableIter iter;
  gpointer name, command;

  g_return_if_fail (package != NULL && function != NULL);

  parsed = parse (package);
  reached = find_reached (parsed);
  g_hash_table_iter_init (&iter, reached);
  while (g_hash_table_iter_next (&iter, &name, &command))
    {
      gboolean is_direct = FALSE;

      for (guint i = 0; i < G_N_ELEMENTS (names); i++)
        is_direct = is_direct || strcmp (name, names[i]) == 0;
      function (command, is_direct, data);
    }
}

gboolean
beckon_install_scripts_differ (const char *before, const char *after)
{
  g_autoptr (JsonObject) old = parse (before);
  g_autoptr (JsonObject) new = parse (after);
  g_autoptr (GHashTable) was = find_reached (old);
  g_autoptr (GHashTable) becomes = find_reached (new);
  GHashTableIter iter;
  gpointer name, command;

  if (new == NULL)
    return TRUE;

  g_hash_table_iter_init (&iter, becomes);
  while (g_hash_table_iter_next (&iter, &name, &command))
    if (g_strcmp0 (command, g_hash_table_lookup (was, name)) != 0)
      return TRUE;

  return FALSE;
}
