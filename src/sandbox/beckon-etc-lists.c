/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-etc-lists.h"

#include "beckon-confine.h"

#include <unistd.h>

/* Fields of a line in the list of users. */
#define FIELD_NUMBER 2
#define FIELD_HOME 5
#define N_FIELDS 7

#define TERMINALS "/etc/terminfo"

static const char *const folders[] = { "/etc/alternatives", "/etc/fonts", "/etc/java", TERMINALS, NULL };

static const char *const files[] = {
  "/etc/group",       "/etc/ld.so.cache", "/etc/localtime",       "/etc/magic",    "/etc/mime.types", "/etc/nsswitch.conf",
  "/etc/os-release",  "/etc/ssl/openssl.cnf", "/etc/timezone", NULL,
};

static const char *const for_network[] = {
  "/etc/ca-certificates", "/etc/ca-certificates.conf", "/etc/crypto-policies", "/etc/gai.conf",  "/etc/host.conf", "/etc/hosts",
  "/etc/pki",             "/etc/protocols",            "/etc/resolv.conf",     "/etc/services", "/etc/ssl/certs", NULL,
};

const char *const *
beckon_etc_list_folders (void)
{
  return folders;
}

const char *const *
beckon_etc_list_files (void)
{
  return files;
}

const char *const *
beckon_etc_list_for_network (void)
{
  return for_network;
}

static gboolean
has_more_than_a_note (const char *path)
{
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  const char *name;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    if (!g_str_equal (name, "README"))
      return TRUE;

  return FALSE;
}

gboolean
beckon_etc_shows_folder (const char *folder)
{
  return !g_str_has_suffix (folder, TERMINALS) || has_more_than_a_note (folder);
}

char *
beckon_etc_resolve_link (const char *path, const char *target)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *whole = g_canonicalize_filename (target, folder);

  return g_str_has_prefix (whole, "/usr/") ? g_strdup (target) : NULL;
}

static void
append_libraries (GString *text, const char *path)
{
  g_autofree char *contents = NULL;
  g_auto (GStrv) lines = NULL;

  if (!g_file_get_contents (path, &contents, NULL, NULL))
    return;
  lines = g_strsplit (contents, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (*lines[i] != '\0' && *lines[i] != '#' && !g_str_has_prefix (lines[i], "include"))
      g_string_append_printf (text, "%s\n", lines[i]);
}

char *
beckon_etc_read_libraries (const char *root)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *main_file = g_strconcat (root, BECKON_ETC_LIBRARIES, NULL);
  g_autofree char *folder = g_strconcat (root, BECKON_ETC_LIBRARIES_FOLDER, NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  append_libraries (text, main_file);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      append_libraries (text, path);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean
is_ours (char **fields)
{
  guint64 number;

  return g_strv_length (fields) == N_FIELDS
         && g_ascii_string_to_unsigned (fields[FIELD_NUMBER], 10, 0, G_MAXUINT32, &number, NULL)
         && number == getuid ();
}

/* People known only to a server aren't listed. */
char *
beckon_etc_read_people (const char *root)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *path = g_strconcat (root, BECKON_ETC_PEOPLE, NULL);
  g_autofree char *contents = NULL;
  g_auto (GStrv) lines = NULL;
  gboolean is_listed = FALSE;

  if (g_file_get_contents (path, &contents, NULL, NULL))
    lines = g_strsplit (contents, "\n", -1);
  for (guint i = 0; lines != NULL && lines[i] != NULL; i++)
    {
      g_auto (GStrv) fields = g_strsplit (lines[i], ":", -1);
      g_autofree char *line = NULL;

      if (*lines[i] == '\0')
        continue;
      if (is_ours (fields))
        {
          is_listed = TRUE;
          g_free (fields[FIELD_HOME]);
          fields[FIELD_HOME] = g_strdup (BECKON_CONFINE_HOME);
        }
      line = g_strjoinv (":", fields);
      g_string_append_printf (text, "%s\n", line);
    }
  if (!is_listed)
    g_string_append_printf (text, "user:x:%u:%u::" BECKON_CONFINE_HOME ":/bin/sh\n", (guint) getuid (), (guint) getgid ());
  return g_string_free (g_steal_pointer (&text), FALSE);
}
