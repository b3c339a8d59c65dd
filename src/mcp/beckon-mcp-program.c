/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-mcp-program.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "base/beckon-json.h"
#include "base/beckon-path.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "base/beckon-worker.h"
#include "landing/beckon-runner-words.h"
#include "tools/beckon-file-stamp.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

typedef enum
{
  DEBIAN,
  FEDORA,
  ARCH,
  OTHER,
} Distribution;

/* Packages that the programs of servers come from, by distribution; %NULL where there is none. */
static const struct
{
  const char *programs[6];
  const char *name;
  const char *packages[OTHER];
  const char *page;
} needs[] = {
  { { "npx", "npm", "node", NULL }, "Node.js", { "nodejs npm", "nodejs npm", "nodejs npm" }, "https://nodejs.org" },
  { { "uvx", "uv", NULL }, "uv", { NULL, "uv", "uv" }, "https://docs.astral.sh/uv" },
  { { "pipx", NULL }, "pipx", { "pipx", "pipx", "python-pipx" }, "https://pipx.pypa.io" },
  { { "python", "python3", NULL }, "Python", { "python3", "python3", "python" }, "https://www.python.org" },
  { { "docker", NULL }, "Docker", { "docker.io", "moby-engine", "docker" }, "https://docs.docker.com/engine" },
  { { "podman", NULL }, "Podman", { "podman", "podman", "podman" }, "https://podman.io" },
  { { "bun", "bunx", NULL }, "Bun", { NULL, NULL, NULL }, "https://bun.sh" },
  { { "deno", NULL }, "Deno", { NULL, NULL, "deno" }, "https://deno.com" },
};

static const char *const installers[OTHER] = { "sudo apt install", "sudo dnf install", "sudo pacman -S" };

static int
find_need (const char *program)
{
  g_autofree char *name = g_path_get_basename (program);

  for (guint i = 0; i < G_N_ELEMENTS (needs); i++)
    if (g_strv_contains (needs[i].programs, name))
      return (int) i;
  return -1;
}

static gboolean
is_like (const char *id, const char *like, const char *name)
{
  g_auto (GStrv) words = g_strsplit (like != NULL ? like : "", " ", -1);

  return g_strcmp0 (id, name) == 0 || g_strv_contains ((const char *const *) words, name);
}

static Distribution
find_distribution (void)
{
  g_autofree char *id = g_get_os_info (G_OS_INFO_KEY_ID);
  g_autofree char *like = g_get_os_info ("ID_LIKE");

  if (is_like (id, like, "debian") || is_like (id, like, "ubuntu"))
    return DEBIAN;
  if (is_like (id, like, "fedora") || is_like (id, like, "rhel"))
    return FEDORA;
  return is_like (id, like, "arch") ? ARCH : OTHER;
}

static gboolean
is_program (const char *path)
{
  return g_file_test (path, G_FILE_TEST_IS_EXECUTABLE) && !g_file_test (path, G_FILE_TEST_IS_DIR);
}

char *
beckon_mcp_program_find (const char *program, const char *path, const char *directory)
{
  g_auto (GStrv) folders = NULL;
  g_autofree char *whole = NULL;

  if (strchr (program, '/') != NULL)
    {
      whole = g_path_is_absolute (program) || directory == NULL ? g_strdup (program)
                                                                : g_build_filename (directory, program, NULL);
      return is_program (whole) ? g_steal_pointer (&whole) : NULL;
    }
  folders = g_strsplit (path != NULL ? path : "/usr/local/bin:/usr/bin:/bin", ":", -1);
  for (guint i = 0; folders[i] != NULL; i++)
    {
      g_autofree char *file = g_build_filename (folders[i], program, NULL);

      if (g_path_is_absolute (file) && is_program (file))
        return g_steal_pointer (&file);
    }
  return NULL;
}

char *
beckon_mcp_program_dup_advice (const char *program)
{
  g_autofree char *shown = beckon_text_for_display (program, -1, BECKON_TEXT_EXACT);
  g_autofree char *missing = NULL;
  g_autofree char *advice = NULL;
  int need = find_need (program);
  Distribution distribution = find_distribution ();

  if (g_file_test ("/.flatpak-info", G_FILE_TEST_EXISTS))
    /* Translators: a program */
    return beckon_text_printf (_("“%s” is not in this Flatpak. Servers at an address work here; for servers that are "
                                 "programs, install Beckon from a package of your distribution, or start the server "
                                 "yourself and enter its address."), shown);
  if (need < 0)
    return beckon_text_printf (_("The program “%s” was not found. Install it, or enter its whole path."), shown);
  /* Translators: a program, such as npx, and what it is a part of, such as Node.js */
  missing = beckon_text_printf (_("“%1$s” is not installed. The server needs %2$s."), shown, needs[need].name);
  if (distribution != OTHER && needs[need].packages[distribution] != NULL)
    /* Translators: a command that installs something */
    advice = beckon_text_printf (_("Install it in a terminal: %1$s %2$s"), installers[distribution],
                                 needs[need].packages[distribution]);
  else
    /* Translators: an address */
    advice = beckon_text_printf (_("How to install it: %s"), needs[need].page);
  return beckon_text_join_sentences (missing, advice);
}

const char *
beckon_mcp_program_get_need (const char *program)
{
  int need = find_need (program);

  return need >= 0 ? needs[need].name : NULL;
}

char *
beckon_mcp_program_quote (const char *name)
{
  for (const char *at = name; *at != '\0'; at++)
    if (!g_ascii_isalnum (*at) && strchr ("-_.", *at) == NULL)
      return g_shell_quote (name);
  return *name != '\0' && *name != '-' ? g_strdup (name) : g_shell_quote (name);
}

gboolean
beckon_mcp_program_fetches (const BeckonMcpServer *server)
{
  static const char *const fetching[] = { "npx", "uvx", "pipx", "bunx", "docker", "podman", NULL };
  g_autofree char *name = server->program != NULL ? g_path_get_basename (server->program) : NULL;

  return name != NULL && g_strv_contains (fetching, name);
}

char *
beckon_mcp_program_dup_network_advice (const BeckonMcpServer *server)
{
  g_autofree char *program = NULL;
  g_autofree char *name = NULL;

  if (!server->is_sandboxed || server->has_network || !beckon_mcp_program_fetches (server))
    return NULL;
  program = g_path_get_basename (server->program);
  name = beckon_mcp_program_quote (server->name);
  /* Translators: %1$s is a program such as npx, %2$s a server's name; the command stays as it is */
  return beckon_text_printf (_("%1$s needs the network to fetch a server, and its sandbox has none. Allow it: beckonctl mcp "
                               "set %2$s --network"),
                             program, name);
}

char *
beckon_mcp_program_explain (const BeckonMcpServer *server, char *failure)
{
  g_autofree char *alone = failure;
  g_autofree char *advice = beckon_mcp_program_dup_network_advice (server);
  g_autofree char *name = beckon_mcp_program_quote (server->name);

  if (advice == NULL && beckon_mcp_program_fetches (server) && strstr (failure, "reason: ") != NULL)
    /* Translators: a server's name; the command stays as it is */
    advice = beckon_text_printf (_("If it needs a variable of your session, pass that by its name: beckonctl mcp set %s -e "
                                   "NAME"),
                                 name);
  return advice != NULL ? beckon_text_join_sentences (alone, advice) : g_steal_pointer (&alone);
}

static void
program_look_up (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_autofree char *found = beckon_mcp_program_find (data, g_getenv ("PATH"), g_get_home_dir ());
  g_autofree char *advice = found == NULL ? beckon_mcp_program_dup_advice (data) : NULL;

  if (found != NULL)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, "%s", advice);
}

void
beckon_mcp_program_check_async (const char *program, GCancellable *cancellable, GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_return_if_fail (program != NULL);

  g_task_set_source_tag (task, beckon_mcp_program_check_async);
  g_task_set_task_data (task, g_strdup (program), g_free);
  beckon_worker_run_for_person (task, program_look_up);
}

BECKON_FINISH_LONE_BOOLEAN (beckon_mcp_program_check)

/* --- Its files ---------------------------------------------------------------------------------------------------- */

/* A command whose words are looked up. */
typedef struct
{
  const char *directory;
  GPtrArray *files; /* (element-type filename): ends with %NULL when it is done */
} Listing;

static gboolean
listing_is_of_system (const char *path)
{
  static const char *const folders[] = { "/usr", "/bin", "/sbin", "/lib", "/lib64", "/opt", "/nix", "/snap", "/etc",
                                         "/var/lib" };

  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    if (beckon_path_is_within (path, folders[i]))
      return TRUE;

  return FALSE;
}

static void
listing_note (const BeckonRunnerWord *word, gpointer data)
{
  Listing *listing = data;
  g_autofree char *path = g_str_has_prefix (word->word, "~/") ? g_build_filename (g_get_home_dir (), word->word + 2, NULL)
                                                              : g_canonicalize_filename (word->word, listing->directory);
  char *real = realpath (path, NULL);

  if (real == NULL || !g_file_test (real, G_FILE_TEST_IS_REGULAR) || listing_is_of_system (real)
      || g_ptr_array_find_with_equal_func (listing->files, path, g_str_equal, NULL))
    {
      free (real);
      return;
    }
  if (strcmp (path, real) != 0)
    g_ptr_array_add (listing->files, g_strdup (real));
  g_ptr_array_add (listing->files, g_steal_pointer (&path));
  free (real);
}

GStrv
beckon_mcp_program_list_files (const BeckonMcpServer *server)
{
  Listing listing = { server->directory != NULL ? server->directory : g_get_home_dir (), g_ptr_array_new () };
  g_auto (GStrv) words = beckon_mcp_server_list_words (server);
  g_autofree char *line = g_strjoinv (" ", words + 1);

  for (guint i = 0; words[i] != NULL; i++)
    {
      const char *value = i > 0 ? strchr (words[i], '=') : NULL;

      /* A name is the system's program, which is found in PATH. */
      if (i > 0 || strchr (words[i], '/') != NULL)
        listing_note (&(BeckonRunnerWord){ .word = words[i] }, &listing);
      if (value != NULL)
        listing_note (&(BeckonRunnerWord){ .word = value + 1 }, &listing);
    }
  beckon_runner_words_foreach (line, listing_note, &listing);
  g_ptr_array_add (listing.files, NULL);
  return (GStrv) g_ptr_array_free (listing.files, FALSE);
}

/* (transfer full): what is said of a file. @stamp: (nullable) */
static char *
change_describe (const char *stamp)
{
  g_autoptr (GDateTime) time = NULL;
  g_autofree char *shown = NULL;
  g_autofree char *bytes = NULL;
  gint64 size, changed_at;

  if (stamp == NULL)
    return g_strdup (_("not known"));
  if (g_str_has_prefix (stamp, "absent:"))
    return g_strdup (_("missing"));
  if (!beckon_file_stamp_read (stamp, &size, &changed_at))
    return g_strdup (_("different contents"));
  time = g_date_time_new_from_unix_local (changed_at);
  shown = time != NULL ? g_date_time_format (time, "%x %X") : g_strdup ("?");
  bytes = g_strdup_printf ("%" G_GINT64_FORMAT, size);
  /* Translators: the size of a file, and a date and time */
  return beckon_text_printf (_("%1$s bytes, last changed %2$s"), bytes, shown);
}

/* Those that were approved come first, so that as many bytes of them are read as then. Of others only what can be run counts:
 * a server makes files for its data where its arguments say. */
static GPtrArray *
change_list_paths (const BeckonMcpServer *server, JsonObject *then)
{
  GPtrArray *paths = g_ptr_array_new_null_terminated (8, g_free, TRUE);
  g_auto (GStrv) files = beckon_mcp_program_list_files (server);
  JsonObjectIter iter;
  const char *path;

  json_object_iter_init_ordered (&iter, then);
  while (json_object_iter_next_ordered (&iter, &path, NULL))
    g_ptr_array_add (paths, g_strdup (path));
  for (guint i = 0; files[i] != NULL; i++)
    if (!json_object_has_member (then, files[i])
        && (beckon_runner_words_is_script_name (files[i]) || g_file_test (files[i], G_FILE_TEST_IS_EXECUTABLE)))
      g_ptr_array_add (paths, g_strdup (files[i]));
  return paths;
}

char *
beckon_mcp_program_find_change (const BeckonMcpServer *server, char **stamps)
{
  g_autoptr (JsonObject) then = server->stamps != NULL ? beckon_json_parse_object (server->stamps, -1, NULL) : NULL;
  g_autoptr (JsonObject) now = NULL;
  g_autoptr (GPtrArray) paths = NULL;
  g_autoptr (GString) words = g_string_new (NULL);
  g_autofree char *taken = NULL;

  if (server->kind != BECKON_MCP_KIND_STDIO || server->is_sandboxed || server->id == NULL)
    return NULL;

  if (then == NULL)
    then = json_object_new ();
  paths = change_list_paths (server, then);
  taken = beckon_file_stamps_take_dated ((const char *const *) paths->pdata);
  now = taken != NULL ? beckon_json_parse_object (taken, -1, NULL) : json_object_new ();
  for (guint i = 0; i < paths->len; i++)
    {
      const char *path = g_ptr_array_index (paths, i);
      const char *before = beckon_json_get_string (then, path);
      const char *after = now != NULL ? beckon_json_get_string (now, path) : NULL;
      g_autofree char *shown = beckon_text_for_display (path, -1, BECKON_TEXT_EXACT);
      g_autofree char *was = change_describe (before);
      g_autofree char *is = change_describe (after);
      g_autofree char *line = NULL;

      if (beckon_file_stamp_equal (before, after))
        continue;
      /* Translators: a file, what it is now, and what it was when the person approved it */
      line = beckon_text_printf (_("%1$s\n  now: %2$s\n  when you approved it: %3$s"), shown, is, was);
      g_string_append_printf (words, "%s%s", words->len > 0 ? "\n" : "", line);
    }
  if (words->len == 0)
    return NULL;
  if (stamps != NULL)
    *stamps = g_steal_pointer (&taken);
  return g_string_free (g_steal_pointer (&words), FALSE);
}
