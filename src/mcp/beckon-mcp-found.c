/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-mcp-found.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "base/beckon-json-lenient.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-worker.h"
#include "beckon-mcp-paste-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Claude Code keeps its history beside its servers. */
#define FILE_MAX (32 * 1024 * 1024)
#define PROJECTS_MAX 200
#define FLATPAKS_MAX 500

static const char *const ids[] = { "claude-desktop", "claude-code", "vscode", "cursor", NULL };

/* Files of a program: below the folder of settings, which a Flatpak has of its own, or below the home folder. */
static const struct
{
  const char *program;
  const char *title;
  const char *in_config; /* (nullable) */
  const char *in_home;   /* (nullable) */
} files[] = {
  { "claude-desktop", "Claude Desktop", "Claude/claude_desktop_config.json", NULL },
  { "claude-code", "Claude Code", NULL, ".claude.json" },
  { "vscode", "VS Code", "Code/User/mcp.json", NULL },
  { "vscode", "VS Code", "Code/User/settings.json", NULL },
  { "vscode", "VS Code", "Code - Insiders/User/mcp.json", NULL },
  { "vscode", "VSCodium", "VSCodium/User/mcp.json", NULL },
  { "vscode", "Code - OSS", "Code - OSS/User/mcp.json", NULL },
  { "cursor", "Cursor", NULL, ".cursor/mcp.json" },
};

void
beckon_mcp_found_free (BeckonMcpFound *found)
{
  if (found == NULL)
    return;
  g_free (found->program);
  g_free (found->path);
  g_free (found->folder);
  g_ptr_array_unref (found->drafts);
  g_free (found->error);
  g_free (found);
}

const char *const *
beckon_mcp_found_list_programs (void)
{
  return ids;
}

/* --- Files -------------------------------------------------------------------------------------------------------- */

static gboolean
mcp_found_read_all (int fd, gsize size, GByteArray *bytes)
{
  guint8 buffer[16384];
  gssize n;

  while ((n = read (fd, buffer, sizeof buffer)) > 0 && bytes->len <= size)
    g_byte_array_append (bytes, buffer, (guint) n);
  return n == 0;
}

/* (nullable): a regular file's text; a pipe of that name is not waited for. */
static GByteArray *
mcp_found_read_file (const char *path, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  struct stat status;
  int fd = g_open (path, O_RDONLY | O_NONBLOCK | O_CLOEXEC, 0);
  gboolean is_whole;

  if (fd < 0)
    {
      int code = errno;

      g_set_error_literal (error, G_FILE_ERROR, g_file_error_from_errno (code), g_strerror (code));
      return NULL;
    }
  is_whole = fstat (fd, &status) == 0 && S_ISREG (status.st_mode) && status.st_size <= FILE_MAX
             && mcp_found_read_all (fd, (gsize) status.st_size, bytes);
  close (fd);
  if (is_whole && g_utf8_validate ((char *) bytes->data, bytes->len, NULL))
    return g_steal_pointer (&bytes);
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, _("The file is too large, or is not text."));
  return NULL;
}

static void
mcp_found_add (GPtrArray *list, guint index, const char *path, const char *folder, GPtrArray *drafts, const char *error)
{
  BeckonMcpFound *found = g_new0 (BeckonMcpFound, 1);

  found->program = g_strdup (files[index].program);
  found->title = files[index].title;
  found->path = g_strdup (path);
  found->folder = g_strdup (folder);
  found->drafts = drafts != NULL ? drafts : g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_mcp_draft_free);
  found->error = g_strdup (error);
  g_ptr_array_add (list, found);
}

/* A server that came with the folder may have been written by others. */
static void
bind_to_folder (GPtrArray *drafts, const char *folder, gboolean came_with_folder)
{
  for (guint i = 0; i < drafts->len; i++)
    {
      BeckonMcpDraft *draft = g_ptr_array_index (drafts, i);
      BeckonMcpServer *server = draft->server;

      g_free (server->folder);
      server->folder = g_strdup (folder);
      draft->came_with_folder = came_with_folder;
      if (server->kind != BECKON_MCP_KIND_STDIO)
        continue;
      server->is_sandboxed = came_with_folder;
      if (server->directory == NULL)
        server->directory = g_strdup (folder);
    }
}

/* A file without servers is none that was found. @folder: (nullable) */
static void
add_value (GPtrArray *list, guint index, const char *path, const char *folder, gboolean came_with_folder,
           const BeckonJsonValue *value)
{
  const BeckonMcpPasteContext context = { .folder = folder, .is_foreign = came_with_folder };
  g_autoptr (GError) error = NULL;
  GPtrArray *drafts = beckon_mcp_paste_read_value (value, &context, &error);

  if (drafts == NULL)
    return;
  if (folder != NULL)
    bind_to_folder (drafts, folder, came_with_folder);
  mcp_found_add (list, index, path, folder, drafts, NULL);
}

/* (transfer full) (nullable) */
static BeckonJsonValue *
mcp_found_parse (GByteArray *bytes, GError **error)
{
  g_autofree char *strict = beckon_json_make_strict ((char *) bytes->data, bytes->len);

  return beckon_mcp_paste_parse (strict, error);
}

static void
read_project (GPtrArray *list, guint index, const BeckonJsonValue *project)
{
  const char *folder = project->name->str;
  g_autofree char *path = g_build_filename (folder, ".mcp.json", NULL);
  g_autoptr (GByteArray) bytes = g_path_is_absolute (folder) ? mcp_found_read_file (path, NULL) : NULL;
  g_autoptr (BeckonJsonValue) value = bytes != NULL ? mcp_found_parse (bytes, NULL) : NULL;

  if (value != NULL)
    add_value (list, index, path, folder, TRUE, value);
}

static void
read_projects (GPtrArray *list, guint index, const char *path, const BeckonJsonValue *root)
{
  const BeckonJsonValue *projects = beckon_json_value_get (root, "projects");

  for (guint i = 0; i < MIN (beckon_json_value_get_n_children (projects), PROJECTS_MAX); i++)
    {
      const BeckonJsonValue *project = beckon_json_value_get_child (projects, i);

      if (beckon_json_value_get_n_children (beckon_json_value_get (project, "mcpServers")) > 0)
        add_value (list, index, path, project->name->str, FALSE, project);
      read_project (list, index, project);
    }
}

static void
read_one (GPtrArray *list, guint index, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GByteArray) bytes = mcp_found_read_file (path, &error);
  g_autoptr (BeckonJsonValue) value = bytes != NULL && bytes->len > 0 ? mcp_found_parse (bytes, &error) : NULL;

  if (g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT) || g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOTDIR))
    return;
  if (error != NULL)
    mcp_found_add (list, index, path, NULL, NULL, error->message);
  if (value == NULL)
    return;
  add_value (list, index, path, NULL, FALSE, value);
  read_projects (list, index, path, value);
}

/* --- Programs ----------------------------------------------------------------------------------------------------- */

/* Within a Flatpak the variable names a folder of its own. */
static char *
make_config_folder (void)
{
  if (g_file_test ("/.flatpak-info", G_FILE_TEST_EXISTS))
    return g_build_filename (g_get_home_dir (), ".config", NULL);
  return g_strdup (g_get_user_config_dir ());
}

static void
read_flatpaks (GPtrArray *list, guint index)
{
  g_autofree char *apps = g_build_filename (g_get_home_dir (), ".var", "app", NULL);
  g_autoptr (GDir) folder = g_dir_open (apps, 0, NULL);
  const char *name;

  for (guint n = 0; folder != NULL && n < FLATPAKS_MAX && (name = g_dir_read_name (folder)) != NULL; n++)
    {
      g_autofree char *path = g_build_filename (apps, name, "config", files[index].in_config, NULL);

      read_one (list, index, path);
    }
}

static void
read_programs (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const char *program = data;
  g_autofree char *config = make_config_folder ();
  GPtrArray *list = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_mcp_found_free);

  for (guint i = 0; i < G_N_ELEMENTS (files) && !g_cancellable_is_cancelled (cancellable); i++)
    {
      g_autofree char *path = files[i].in_config != NULL ? g_build_filename (config, files[i].in_config, NULL)
                                                         : g_build_filename (g_get_home_dir (), files[i].in_home, NULL);

      if (program != NULL && !g_str_equal (program, files[i].program))
        continue;
      read_one (list, i, path);
      if (files[i].in_config != NULL)
        read_flatpaks (list, i);
    }
  g_task_return_pointer (task, list, (GDestroyNotify) g_ptr_array_unref);
}

void
beckon_mcp_found_list_async (const char *program, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, beckon_mcp_found_list_async);
  g_task_set_task_data (task, g_strdup (program), g_free);
  beckon_worker_run_for_person (task, read_programs);
}

BECKON_FINISH_LONE_POINTER (GPtrArray *, beckon_mcp_found_list)

/* --- One file ----------------------------------------------------------------------------------------------------- */

/* Whether a file of this name lies in a project, for all who work there. */
static gboolean
is_of_project (const char *path)
{
  g_autofree char *name = g_path_get_basename (path);

  return g_str_equal (name, ".mcp.json");
}

static void
read_given (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const char *path = data;
  g_autofree char *whole = g_canonicalize_filename (path, NULL);
  g_autofree char *folder = g_path_get_dirname (whole);
  const BeckonMcpPasteContext context = { .folder = folder, .is_foreign = TRUE };
  GError *error = NULL;
  g_autoptr (GByteArray) bytes = mcp_found_read_file (whole, &error);
  g_autoptr (BeckonJsonValue) value = bytes != NULL ? mcp_found_parse (bytes, &error) : NULL;
  GPtrArray *drafts = value != NULL ? beckon_mcp_paste_read_value (value, &context, &error) : NULL;

  if (drafts != NULL && is_of_project (whole))
    bind_to_folder (drafts, folder, TRUE);
  if (drafts != NULL)
    g_task_return_pointer (task, drafts, (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_error (task, error);
}

void
beckon_mcp_found_read_async (const char *path, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_return_if_fail (path != NULL);

  g_task_set_source_tag (task, beckon_mcp_found_read_async);
  g_task_set_task_data (task, g_strdup (path), g_free);
  beckon_worker_run_for_person (task, read_given);
}

BECKON_FINISH_LONE_POINTER (GPtrArray *, beckon_mcp_found_read)
