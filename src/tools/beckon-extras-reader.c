/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-extras-reader.h"

#include "base/beckon-error.h"
#include "base/beckon-worker.h"
#include "beckon-extras-servers.h"
#include "beckon-front-matter.h"
#include "sandbox/beckon-folder.h"
#include "sandbox/beckon-placeholder.h"

#include <dirent.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

/* A file system that does not answer keeps a turn waiting no longer. */
#define PATIENCE_MS 2000

#define MAX_ENTRIES 1024
#define MAX_NAME 64

typedef struct
{
  BeckonFolder *root;         /* (owned) */
  BeckonFolderExtras *extras; /* (owned) */
  gsize room;                 /* for instructions */
  gsize room_for_files;       /* for skills and commands */
  guint n_of_kind[BECKON_FOLDER_EXTRA_N_KINDS];
} Reading;

static void
reading_clear (Reading *reading)
{
  g_clear_object (&reading->root);
  g_clear_pointer (&reading->extras, beckon_folder_extras_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reading, reading_clear)

/* --- One file ------------------------------------------------------------------------------------------------------ */

static gssize
read_bounded (int fd, char *buffer, gsize most)
{
  gsize length = 0;
  gssize n = 1;

  while (length < most && n > 0)
    {
      n = read (fd, buffer + length, most - length);
      if (n > 0)
        length += (gsize) n;
    }
  return n < 0 ? -1 : (gssize) length;
}

/* Without a byte order mark, and with lines that end in \n. */
static char *
normalize (const char *text, gsize length)
{
  g_autoptr (GString) clean = g_string_sized_new (length);
  gsize first = length >= 3 && memcmp (text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;

  for (gsize i = first; i < length; i++)
    if (text[i] != '\r')
      g_string_append_c (clean, text[i]);
    else if (i + 1 == length || text[i + 1] != '\n')
      g_string_append_c (clean, '\n');
  return g_string_free (g_steal_pointer (&clean), FALSE);
}

/* A cut within a character leaves that out. */
static gboolean
check_text (const char *bytes, gsize *length, gboolean is_cut, GError **error)
{
  const char *end;

  if (g_utf8_validate (bytes, (gssize) *length, &end))
    return TRUE;
  if (memchr (bytes, '\0', *length) == NULL && is_cut && bytes + *length - end < 4
      && g_utf8_get_char_validated (end, bytes + *length - end) == (gunichar) -2)
    {
      *length = (gsize) (end - bytes);
      return TRUE;
    }
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                       memchr (bytes, '\0', *length) != NULL ? N_("The file is not text.")
                       : N_("The file is not valid UTF-8."));
  return FALSE;
}

/* A placeholder of a command is no file of the folder. */
static gboolean
is_laid (BeckonFolder *root, const char *path, GError **error)
{
  g_autofree char *whole = g_build_filename (beckon_folder_get_path (root), path, NULL);

  if (!beckon_placeholder_is_one (whole))
    return FALSE;
  g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND, "The file is not there.");
  return TRUE;
}

/* (nullable): at most @most bytes of a regular file. @error: NOT_FOUND if there is none. */
static char *
extras_reader_read_text (BeckonFolder *root, const char *path, gsize most, guint64 *size, gboolean *is_cut, GError **error)
{
  g_autofree char *buffer = g_malloc (most + 1);
  struct stat info = { 0 };
  int fd = is_laid (root, path, error) ? -1 : beckon_folder_open_file (root, path, error);
  gsize length;
  gssize n;

  if (fd < 0 && error != NULL && *error != NULL && (*error)->code != BECKON_ERROR_NOT_FOUND)
    {
      g_clear_error (error);
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                           N_("The file can't be opened, leads out of the folder, or is not a regular file."));
    }
  if (fd < 0)
    return NULL;
  n = fstat (fd, &info) == 0 ? read_bounded (fd, buffer, most + 1) : -1;
  close (fd);
  if (n < 0)
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID, N_("The file can't be read."));
      return NULL;
    }
  *is_cut = (gsize) n > most;
  *size = (guint64) info.st_size;
  length = MIN ((gsize) n, most);
  return check_text (buffer, &length, *is_cut, error) ? normalize (buffer, length) : NULL;
}

static void
extras_reader_take_fault (Reading *reading, BeckonFolderExtraKind kind, const char *path, const char *name, const char *fault)
{
  BeckonFolderExtra *extra = beckon_folder_extra_new (kind, path, name, NULL, NULL, 0);

  extra->fault = g_utf8_make_valid (fault, -1);
  beckon_folder_extras_take (reading->extras, extra);
}

/* --- Instructions -------------------------------------------------------------------------------------------------- */

/* Whether there is such a file, even if it can't be read: then it is not another one that counts. */
static BeckonFolderExtra *
read_instructions (Reading *reading, const char *path)
{
  g_autoptr (GError) error = NULL;
  BeckonFolderExtra *extra;
  gboolean is_cut = FALSE;
  guint64 size = 0;
  gsize most = MIN (BECKON_EXTRAS_MAX_INSTRUCTIONS, reading->room);
  g_autofree char *text = extras_reader_read_text (reading->root, path, most, &size, &is_cut, &error);

  if (text == NULL && g_error_matches (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND))
    return NULL;
  extra = beckon_folder_extra_new (BECKON_FOLDER_EXTRA_INSTRUCTIONS, path, NULL, NULL, text, size);
  extra->is_cut = is_cut;
  if (text == NULL)
    extra->fault = g_utf8_make_valid (error->message, -1);
  reading->room -= MIN (reading->room, strlen (extra->text));
  return extra;
}

static char *
extras_reader_join (const char *folder, const char *name)
{
  return *folder == '\0' ? g_strdup (name) : g_build_filename (folder, name, NULL);
}

static BeckonFolderExtra *
read_instructions_in (Reading *reading, const char *folder)
{
  static const char *const names[] = { "AGENTS.md", "CLAUDE.md" };
  BeckonFolderExtra *extra = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (names) && extra == NULL; i++)
    {
      g_autofree char *path = extras_reader_join (folder, names[i]);

      extra = read_instructions (reading, path);
    }
  return extra;
}

/* --- Skills and commands ------------------------------------------------------------------------------------------- */

static gboolean
extras_reader_is_name (const char *name)
{
  gsize length = strlen (name);

  for (gsize i = 0; i < length; i++)
    if (!g_ascii_isalnum (name[i]) && name[i] != '-' && name[i] != '_')
      return FALSE;
  return length > 0 && length <= MAX_NAME;
}

static int
extras_reader_compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Sorted, so that the same folder always reads the same. */
static GPtrArray *
list_names (BeckonFolder *root, const char *path)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  int fd = beckon_folder_open_directory (root, path, NULL);
  DIR *directory = fd >= 0 ? fdopendir (fd) : NULL;
  struct dirent *entry;

  if (fd >= 0 && directory == NULL)
    close (fd);
  while (directory != NULL && names->len < MAX_ENTRIES && (entry = readdir (directory)) != NULL)
    if (entry->d_name[0] != '.')
      g_ptr_array_add (names, g_strdup (entry->d_name));
  if (directory != NULL)
    closedir (directory);
  g_ptr_array_sort (names, extras_reader_compare_names);
  return names;
}

/* A name has one meaning: that of the nearest. */
static const char *
extras_reader_find_fault (Reading *reading, BeckonFolderExtraKind kind, const BeckonFrontMatter *matter, const char *name,
                          gsize length)
{
  if (!extras_reader_is_name (name))
    return N_("The name can have letters, digits, - and _, 64 at most.");
  if (beckon_folder_extras_find (reading->extras, kind, name) != NULL)
    return N_("Another file has the same name.");
  if (kind == BECKON_FOLDER_EXTRA_SKILL && (matter->description == NULL || *matter->description == '\0'))
    return N_("The front matter has no description.");
  if (matter->description != NULL && strlen (matter->description) > BECKON_EXTRAS_MAX_DESCRIPTION)
    return N_("The description is longer than 1,024 bytes.");
  if (length > reading->room_for_files)
    return N_("The folder brings more than is used.");
  return NULL;
}

static void
read_marked (Reading *reading, BeckonFolderExtraKind kind, const char *path, const char *file_name)
{
  g_autoptr (GError) error = NULL;
  g_auto (BeckonFrontMatter) matter = { 0 };
  gboolean is_cut = FALSE;
  guint64 size = 0;
  g_autofree char *text = extras_reader_read_text (reading->root, path, BECKON_EXTRAS_MAX_FILE, &size, &is_cut, &error);
  const char *name, *fault;
  BeckonFolderExtra *extra;

  if (text == NULL && g_error_matches (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND))
    return;
  if (text == NULL || !beckon_front_matter_read (text, &matter, &error))
    {
      extras_reader_take_fault (reading, kind, path, file_name, error->message);
      return;
    }
  name = kind == BECKON_FOLDER_EXTRA_SKILL && matter.name != NULL ? matter.name : file_name;
  fault = extras_reader_find_fault (reading, kind, &matter, name, strlen (text));
  if (fault != NULL)
    {
      extras_reader_take_fault (reading, kind, path, name, fault);
      return;
    }
  extra = beckon_folder_extra_new (kind, path, name, matter.description,
                                   kind == BECKON_FOLDER_EXTRA_COMMAND ? matter.body : text, size);
  extra->is_cut = is_cut;
  reading->room_for_files -= strlen (text);
  beckon_folder_extras_take (reading->extras, extra);
}

static void
read_skills (Reading *reading, const char *folder)
{
  g_autoptr (GPtrArray) names = list_names (reading->root, folder);

  for (guint i = 0; i < names->len && reading->n_of_kind[BECKON_FOLDER_EXTRA_SKILL] < BECKON_EXTRAS_MAX_SKILLS; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      g_autofree char *path = g_build_filename (folder, name, "SKILL.md", NULL);
      guint n = beckon_folder_extras_get_n (reading->extras);

      read_marked (reading, BECKON_FOLDER_EXTRA_SKILL, path, name);
      reading->n_of_kind[BECKON_FOLDER_EXTRA_SKILL] += beckon_folder_extras_get_n (reading->extras) - n;
    }
}

static void
read_commands (Reading *reading, const char *folder)
{
  g_autoptr (GPtrArray) names = list_names (reading->root, folder);

  for (guint i = 0; i < names->len && reading->n_of_kind[BECKON_FOLDER_EXTRA_COMMAND] < BECKON_EXTRAS_MAX_COMMANDS; i++)
    {
      const char *file = g_ptr_array_index (names, i);
      g_autofree char *path = g_build_filename (folder, file, NULL);
      g_autofree char *name = g_str_has_suffix (file, ".md") ? g_strndup (file, strlen (file) - strlen (".md")) : NULL;

      if (name == NULL)
        continue;
      read_marked (reading, BECKON_FOLDER_EXTRA_COMMAND, path, name);
      reading->n_of_kind[BECKON_FOLDER_EXTRA_COMMAND]++;
    }
}

static void
read_in_each (Reading *reading, GPtrArray *folders, const char *what, void (*read_them) (Reading *, const char *))
{
  static const char *const places[] = { ".agents", ".claude" };

  for (guint i = 0; i < folders->len; i++)
    for (gsize place = 0; place < G_N_ELEMENTS (places); place++)
      {
        g_autofree char *below = g_build_filename (places[place], what, NULL);
        g_autofree char *path = extras_reader_join (g_ptr_array_index (folders, i), below);

        read_them (reading, path);
      }
}

/* --- Servers ------------------------------------------------------------------------------------------------------- */

/* --- All of it ----------------------------------------------------------------------------------------------------- */

/* A placeholder of a command makes a repository of no folder. */
static gboolean
is_repository (const char *folder)
{
  g_autofree char *git = g_build_filename (folder, ".git", NULL);

  return !beckon_placeholder_has_room (git);
}

/* A folder above that is somebody else's is not asked what to do. */
static gboolean
is_ours (const char *folder)
{
  struct stat info;

  return lstat (folder, &info) == 0 && info.st_uid == getuid ();
}

/* The nearest folder that is a repository, or @folder itself. */
static char *
find_root (const char *folder)
{
  g_autofree char *at = g_strdup (folder);

  while (!is_repository (at))
    {
      char *above = g_path_get_dirname (at);

      if (strcmp (above, at) == 0 || !is_ours (above))
        {
          g_free (above);
          return g_strdup (folder);
        }
      g_free (at);
      at = above;
    }
  return g_steal_pointer (&at);
}

static gboolean
open_root (Reading *reading, const char *root, GError **error)
{
  reading->root = beckon_folder_new (root, error);
  reading->extras = beckon_folder_extras_new (root);
  reading->room = BECKON_EXTRAS_MAX_ALL_INSTRUCTIONS;
  reading->room_for_files = BECKON_EXTRAS_MAX_ALL;
  return reading->root != NULL;
}

BeckonFolderExtras *
beckon_extras_read (const char *folder, GError **error)
{
  g_autofree char *canonical = g_canonicalize_filename (folder, "/");
  g_autofree char *root = find_root (canonical);
  g_autoptr (GPtrArray) folders = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *at = g_strdup (canonical);
  g_auto (Reading) reading = { 0 };
  g_autoptr (GPtrArray) found = NULL;

  while (strcmp (at, root) != 0)
    {
      char *above = g_path_get_dirname (at);
      const char *relative = at + strlen (root);

      g_ptr_array_add (folders, g_strdup (relative + strspn (relative, "/")));
      g_free (at);
      at = above;
    }
  g_ptr_array_add (folders, g_strdup (""));
  if (!open_root (&reading, root, error))
    return NULL;
  /* The nearest are read first, so that they have the room, and stand last. */
  found = g_ptr_array_new ();
  for (guint i = 0; i < folders->len; i++)
    {
      BeckonFolderExtra *extra = read_instructions_in (&reading, g_ptr_array_index (folders, i));

      if (extra != NULL)
        g_ptr_array_add (found, extra);
    }
  for (guint i = found->len; i > 0; i--)
    beckon_folder_extras_take (reading.extras, g_ptr_array_index (found, i - 1));
  read_in_each (&reading, folders, "skills", read_skills);
  read_in_each (&reading, folders, "commands", read_commands);
  for (guint i = 0; i < folders->len; i++)
    {
      g_autoptr (GError) why = NULL;
      g_autofree char *path = extras_reader_join (g_ptr_array_index (folders, i), ".mcp.json");
      gboolean is_cut = FALSE;
      guint64 size = 0;
      g_autofree char *text = extras_reader_read_text (reading.root, path, BECKON_EXTRAS_MAX_FILE, &size, &is_cut, &why);

      if (text != NULL && !is_cut)
        beckon_extras_servers_read (text, path, reading.extras);
      else if (is_cut)
        extras_reader_take_fault (&reading, BECKON_FOLDER_EXTRA_SERVER, path, NULL, N_("The file is too large."));
      else if (!g_error_matches (why, BECKON_ERROR, BECKON_ERROR_NOT_FOUND))
        extras_reader_take_fault (&reading, BECKON_FOLDER_EXTRA_SERVER, path, NULL, why->message);
    }
  return g_steal_pointer (&reading.extras);
}

BeckonFolderExtras *
beckon_extras_read_personal (const char *directory)
{
  g_auto (Reading) reading = { 0 };

  if (open_root (&reading, directory, NULL))
    {
      read_skills (&reading, "skills");
      read_commands (&reading, "commands");
    }
  return g_steal_pointer (&reading.extras);
}

/* The folders, then what is read of them. */
typedef struct
{
  char *folder; /* (nullable) */
  char *directory;
  BeckonFolderExtras *brought; /* (owned) (nullable) */
  BeckonFolderExtras *own;     /* (owned) (nullable) */
} Both;

static void
both_clear (gpointer data)
{
  Both *both = data;

  g_free (both->folder);
  g_free (both->directory);
  g_clear_pointer (&both->brought, beckon_folder_extras_unref);
  g_clear_pointer (&both->own, beckon_folder_extras_unref);
}

static void
both_unref (gpointer both)
{
  g_atomic_rc_box_release_full (both, both_clear);
}

static void
read_both (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Both *both = task_data;
  GError *error = NULL;

  both->own = beckon_extras_read_personal (both->directory);
  both->brought = both->folder != NULL ? beckon_extras_read (both->folder, &error) : beckon_folder_extras_new ("");
  if (both->brought == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, g_atomic_rc_box_acquire (both), both_unref);
}

void
beckon_extras_read_async (const char *folder, GAsyncReadyCallback callback, gpointer user_data)
{
  Both *both = g_atomic_rc_box_new0 (Both);

  both->folder = g_strdup (folder);
  both->directory = g_build_filename (g_get_user_data_dir (), "beckon", NULL);
  beckon_worker_wait_async (read_both, both, both_unref, PATIENCE_MS, callback, user_data);
}

gboolean
beckon_extras_read_finish (GAsyncResult *result, BeckonFolderExtras **brought, BeckonFolderExtras **own, GError **error)
{
  Both *both = beckon_worker_wait_finish (result, error);

  if (both == NULL)
    return FALSE;
  *brought = g_steal_pointer (&both->brought);
  *own = g_steal_pointer (&both->own);
  both_unref (both);
  return TRUE;
}
