/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-file-tools.h"

#include "base/beckon-glob.h"
#include "base/beckon-json.h"
#include "base/beckon-text.h"
#include "beckon-folder-walk.h"

#define MAX_ENTRIES 1000
#define TIME_LIMIT (20 * G_USEC_PER_SEC)

static const char description[]
    = "Lists what a folder of the working folder holds: a path in each line, folders with a slash at the end, files with "
      "their size in bytes, links with an arrow. With `recursive`, everything below too; with `pattern`, only what "
      "matches. What .gitignore names, and .git itself, is left out. At most 1000 entries.";

static const char schema[]
    = "{\"type\":\"object\",\"properties\":{"
      "\"path\":{\"type\":\"string\",\"maxLength\":4096,\"default\":\".\","
      "\"description\":\"The folder, relative to the working folder.\"},"
      "\"recursive\":{\"type\":\"boolean\",\"default\":false,\"description\":\"Whether to list what is below, too.\"},"
      "\"pattern\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":1024,"
      "\"description\":\"Only what matches, such as *.c or src/**/*.h.\"},"
      "\"dates\":{\"type\":\"boolean\",\"default\":false,\"description\":\"Whether to say when each was changed.\"}},"
      "\"additionalProperties\":false}";

/* %FALSE if it is gone meanwhile. */
static gboolean
append_entry (GString *text, BeckonFolder *folder, const BeckonFolderEntry *entry, gboolean has_date)
{
  g_autofree char *path = beckon_text_for_display (entry->path, -1, BECKON_TEXT_EXACT);
  g_autoptr (GDateTime) changed = NULL;
  g_autofree char *date = NULL;
  struct stat info;

  if (!beckon_folder_look_at (folder, entry->path, &info))
    return FALSE;
  changed = has_date ? g_date_time_new_from_unix_local ((gint64) info.st_mtime) : NULL;
  date = changed != NULL ? g_date_time_format (changed, " %Y-%m-%d %H:%M") : NULL;
  g_string_append (text, path);
  switch (entry->kind)
    {
    case BECKON_FOLDER_ENTRY_FOLDER:
      g_string_append_c (text, '/');
      break;
    case BECKON_FOLDER_ENTRY_LINK:
      g_string_append (text, " -> (a link)");
      break;
    case BECKON_FOLDER_ENTRY_OTHER:
      g_string_append (text, " (no regular file)");
      break;
    case BECKON_FOLDER_ENTRY_FILE:
    default:
      g_string_append_printf (text, " %" G_GUINT64_FORMAT, (guint64) info.st_size);
      break;
    }
  g_string_append (text, date != NULL ? date : "");
  g_string_append_c (text, '\n');
  return TRUE;
}

static char *
list_files_list (const BeckonFolderCall *call, BeckonFolderWalk *walk, BeckonGlob *glob, GCancellable *cancellable,
                 GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean has_dates = beckon_json_get_boolean (call->arguments, "dates", FALSE);
  gint64 deadline = g_get_monotonic_time () + TIME_LIMIT;
  BeckonFolderEntry entry;
  guint n_listed = 0;
  gboolean is_cut = FALSE, is_late = FALSE;
  GPtrArray *ignored;
  guint n_more;
  const char *before = "[Left out, because .gitignore names them or there are too many: ";
  guint n_unnamed;
  guint n_unread;

  while (!is_cut && !is_late && beckon_folder_walk_next (walk, &entry))
    {
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      is_late = g_get_monotonic_time () > deadline;
      if ((glob != NULL && !beckon_glob_matches (glob, entry.path)) || beckon_folder_call_denies (call, entry.path))
        continue;
      is_cut = n_listed == MAX_ENTRIES;
      if (!is_cut)
        n_listed += append_entry (text, call->folder, &entry, has_dates);
    }

  n_unnamed = beckon_folder_walk_get_n_unnamed (walk);
  n_unread = beckon_folder_walk_get_n_unread (walk);
  if (is_late)
    g_string_append (text, "[The time was up before all was looked at. List a folder in it.]\n");
  else if (is_cut)
    g_string_append (text, "[There is more. List a folder in it, or give a pattern.]\n");
  else if (n_listed == 0)
    g_string_append (text, "[There is nothing that could be listed.]\n");
  if (n_unnamed > 0)
    g_string_append_printf (text, "[%u more have names that are no UTF-8. A command can rename them.]\n", n_unnamed);
  if (n_unread > 0)
    g_string_append_printf (text, "[%u folders could not be read.]\n", n_unread);
  /* A virtual environment is ignored, and yet what the tests are run with. */
  ignored = beckon_folder_walk_get_ignored (walk);
  n_more = beckon_folder_walk_get_n_ignored (walk);
  for (guint i = 0; i < ignored->len; i++)
    {
      const char *path = g_ptr_array_index (ignored, i);
      g_autofree char *shown
          = beckon_folder_call_denies (call, path) ? NULL : beckon_text_for_display (path, -1, BECKON_TEXT_EXACT);

      if (shown == NULL)
        continue;
      g_string_append_printf (text, "%s%s", before, shown);
      before = ", ";
      n_more--;
    }
  if (n_more > 0)
    g_string_append_printf (text, "%s%u more", before, n_more);
  if (beckon_folder_walk_get_n_ignored (walk) > 0)
    g_string_append (text, ".]\n");
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
list_files_run (const BeckonFolderCall *call, GCancellable *cancellable, GError **error)
{
  const char *pattern = beckon_json_get_string (call->arguments, "pattern");
  g_autoptr (BeckonGlob) glob = pattern != NULL ? beckon_glob_new (pattern, error) : NULL;
  g_autoptr (BeckonFolderWalk) walk = NULL;

  if (pattern != NULL && glob == NULL)
    return NULL;
  walk = beckon_folder_walk_new (call->folder, call->path,
                                 beckon_json_get_boolean (call->arguments, "recursive", pattern != NULL), error);
  return walk != NULL ? list_files_list (call, walk, glob, cancellable, error) : NULL;
}

BeckonTool *
beckon_list_files_new (void)
{
  return beckon_folder_tool_new (beckon_tool_definition_new ("list_files", description, schema, TRUE), list_files_run, NULL);
}
