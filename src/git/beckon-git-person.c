/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-git-person.h"

#include "beckon-git-private.h"

#include <string.h>

/* More than anybody has in a configuration of their own. */
#define MOST_ALIASES 500
#define LONGEST_VALUE 4096
#define LONGEST_IGNORED (256 * 1024)

#define ALIAS "alias."
#define IGNORE_KEY "core.excludesfile"

static const char *const plain_keys[] = { "user.name", "user.email", "init.defaultbranch" };

/* A section by itself for each, as Git allows. */
static void
person_add (GString *config, const char *section, const char *key, const char *value)
{
  g_string_append_printf (config, "[%s]\n\t%s = \"", section, key);
  for (const char *at = value; *at != '\0'; at++)
    if (*at == '\n')
      g_string_append (config, "\\n");
    else
      {
        if (*at == '"' || *at == '\\')
          g_string_append_c (config, '\\');
        g_string_append_c (config, *at);
      }
  g_string_append (config, "\"\n");
}

/* The folder's own configuration is in the folder. */
static gboolean
is_of_person (const git_config_entry *entry)
{
  return entry->level < GIT_CONFIG_LEVEL_LOCAL && entry->value != NULL && strlen (entry->value) <= LONGEST_VALUE;
}

/* The last one of a name counts. */
static GHashTable *
person_read (git_config *config)
{
  GHashTable *values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (git_config_iterator) iterator = NULL;
  git_config_entry *entry;
  guint n_aliases = 0;

  if (git_config_iterator_new (&iterator, config) != 0)
    return values;

  while (git_config_next (&entry, iterator) == 0)
    {
      const gboolean is_alias = g_str_has_prefix (entry->name, ALIAS) && strchr (entry->name + strlen (ALIAS), '.') == NULL;
      gboolean is_taken = is_alias && n_aliases < MOST_ALIASES;

      for (guint i = 0; i < G_N_ELEMENTS (plain_keys); i++)
        is_taken = is_taken || strcmp (entry->name, plain_keys[i]) == 0;
      if (!is_taken || !is_of_person (entry))
        continue;
      n_aliases += is_alias;
      g_hash_table_insert (values, g_strdup (entry->name), g_strdup (entry->value));
    }

  return values;
}

/* (nullable) */
static char *
person_read_ignored (git_config *config)
{
  g_autofree char *usual = g_build_filename (g_get_user_config_dir (), "git", "ignore", NULL);
  g_autofree char *text = NULL;
  git_config_entry *entry = NULL;
  git_buf named = { 0 };
  gsize length;

  /* The list that a repository names is its own affair. */
  if (git_config_get_entry (&entry, config, IGNORE_KEY) == 0 && is_of_person (entry))
    git_config_get_path (&named, config, IGNORE_KEY);
  git_config_entry_free (entry);
  if (g_file_get_contents (named.ptr != NULL && named.size > 0 ? named.ptr : usual, &text, &length, NULL)
      && (length == 0 || length > LONGEST_IGNORED || memchr (text, '\0', length) != NULL))
    g_clear_pointer (&text, g_free);
  git_buf_dispose (&named);
  return g_steal_pointer (&text);
}

char *
beckon_git_person_dup_config (const char *folder, const char *ignore_file, char **ignored)
{
  g_autoptr (git_repository) repository = NULL;
  g_autoptr (git_config) config = NULL;
  g_autoptr (GHashTable) values = NULL;
  GString *text = g_string_new (NULL);
  GHashTableIter iter;
  gpointer name, value;

  *ignored = NULL;
  repository = beckon_git_find_repository (folder);
  if (repository != NULL ? git_repository_config_snapshot (&config, repository) != 0 : git_config_open_default (&config) != 0)
    return g_string_free (text, FALSE);

  values = person_read (config);
  g_hash_table_iter_init (&iter, values);
  while (g_hash_table_iter_next (&iter, &name, &value))
    {
      const char *key = strchr (name, '.') + 1;
      g_autofree char *section = g_strndup (name, (gsize) (key - 1 - (char *) name));

      if (!g_str_has_prefix (name, ALIAS) || *(char *) value != '!')
        person_add (text, section, key, value);
    }
  /* Other work trees are no less there because a command can't see them. */
  person_add (text, "gc", "worktreePruneExpire", "never");
  *ignored = person_read_ignored (config);
  if (*ignored != NULL)
    person_add (text, "core", "excludesFile", ignore_file);
  return g_string_free (text, FALSE);
}
