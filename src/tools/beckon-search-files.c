/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-file-tools.h"

#include "base/beckon-error.h"
#include "base/beckon-json.h"
#include "base/beckon-text.h"
#include "beckon-folder-walk.h"
#include "beckon-glob.h"
#include "sandbox/beckon-output.h"

#include <string.h>
#include <unistd.h>

#define MAX_LINES 200
#define MAX_SHOWN 300
#define MAX_LINE (64 * 1024)
#define SNIFFED 8192
#define TIME_LIMIT (20 * G_USEC_PER_SEC)

static const char description[]
    = "Searches the text files below a folder of the working folder for lines that match a regular expression (Perl's "
      "syntax), or with `literal` hold a text. Gives a line each: path:line number:text. What .gitignore names, binary "
      "files and those above 8 MiB are left out. At most 200 lines and 20 seconds.";

static const char schema[]
    = "{\"type\":\"object\",\"properties\":{"
      "\"pattern\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":1000,"
      "\"description\":\"What a line has to match.\"},"
      "\"path\":{\"type\":\"string\",\"maxLength\":4096,\"default\":\".\","
      "\"description\":\"The folder or file to search, relative to the working folder, or a kept output such as output:3.\"},"
      "\"glob\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":1024,"
      "\"description\":\"Only files that match, such as *.c or src/**/*.h.\"},"
      "\"literal\":{\"type\":\"boolean\",\"default\":false,"
      "\"description\":\"Whether pattern is plain text, not a regular expression.\"},"
      "\"ignore_case\":{\"type\":\"boolean\",\"default\":false},"
      "\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":200,\"default\":200,"
      "\"description\":\"The most lines to give.\"}},"
      "\"required\":[\"pattern\"],\"additionalProperties\":false}";

typedef struct
{
  const BeckonFolderCall *call;
  BeckonFolder *folder; /* (nullable): %NULL for kept output */
  GRegex *regex;
  GCancellable *cancellable;
  BeckonMask *mask; /* (nullable) */
  gint64 deadline;
  guint limit;

  GString *text;
  guint n_found;
  guint n_files;
  guint n_hard; /* lines that cost too much to match */
  gboolean is_late;
} Search;

static GRegex *
compile (JsonObject *arguments, GError **error)
{
  const char *pattern = beckon_json_get_string (arguments, "pattern");
  g_autofree char *escaped = beckon_json_get_boolean (arguments, "literal", FALSE) ? g_regex_escape_string (pattern, -1)
                                                                                  : NULL;
  g_autofree char *bounded = g_strconcat ("(*LIMIT_MATCH=20000)", escaped != NULL ? escaped : pattern, NULL);
  g_autoptr (GError) wrong = NULL;
  GRegex *regex = g_regex_new (bounded,
                               beckon_json_get_boolean (arguments, "ignore_case", FALSE) ? G_REGEX_CASELESS : 0, 0, &wrong);

  if (regex == NULL)
    g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                 "The pattern is no regular expression: %s. To look for it as plain text, set literal.", wrong->message);
  return regex;
}

static gboolean
is_over (Search *search)
{
  search->is_late = search->is_late || g_get_monotonic_time () > search->deadline;

  return search->is_late || search->n_found >= search->limit || search->text->len > BECKON_FILE_TOOLS_MAX_RESULT
         || g_cancellable_is_cancelled (search->cancellable);
}

static void
append_found (Search *search, const char *path, guint line, const char *text)
{
  g_autofree char *shown_path = beckon_text_for_display (path, -1, BECKON_TEXT_EXACT);
  g_autofree char *masked = search->mask != NULL ? beckon_mask_apply (search->mask, text) : g_strdup (text);
  const char *stripped = g_strchomp (masked);
  g_autofree char *shown = beckon_text_shorten (stripped, MAX_SHOWN);

  g_string_append_printf (search->text, "%s:%u:%s\n", shown_path, line, shown);
  search->n_found++;
}

static void
search_line (Search *search, const char *path, guint number, const char *bytes, gsize length)
{
  g_autofree char *line = search->folder != NULL ? beckon_text_make_valid (bytes, (gssize) MIN (length, MAX_LINE), NULL)
                                                 : beckon_output_dup_plain (bytes, MIN (length, MAX_LINE));
  g_autoptr (GError) error = NULL;

  if (g_regex_match_full (search->regex, line, -1, 0, 0, NULL, &error))
    append_found (search, path, number, line);
  else if (error != NULL)
    search->n_hard++;
}

static void
search_text (Search *search, const char *path, const char *p, gsize length)
{
  const char *end = p + length;

  search->n_files++;
  for (guint number = 1; p < end && !is_over (search); number++)
    {
      const char *newline = memchr (p, '\n', (gsize) (end - p));
      gsize n = (gsize) ((newline != NULL ? newline : end) - p);

      search_line (search, path, number, p, n);
      p += n + 1;
    }
}

static void
search_file (Search *search, const char *path)
{
  g_autoptr (GBytes) contents = beckon_folder_read (search->folder, path, NULL);
  gsize length = 0;
  const char *bytes = contents != NULL ? g_bytes_get_data (contents, &length) : NULL;

  if (bytes != NULL && memchr (bytes, '\0', MIN (length, SNIFFED)) == NULL)
    search_text (search, path, bytes, length);
}

static gboolean
search_output (Search *search, GError **error)
{
  const BeckonFolderCall *call = search->call;
  int fd = beckon_output_store_open (call->outputs, call->context->conversation_id, call->path, error);
  g_autoptr (GMappedFile) mapped = NULL;

  if (fd < 0)
    return FALSE;
  mapped = g_mapped_file_new_from_fd (fd, FALSE, error);
  close (fd);
  if (mapped == NULL)
    return FALSE;
  search_text (search, call->path, g_mapped_file_get_contents (mapped), g_mapped_file_get_length (mapped));
  return TRUE;
}

static gboolean
search_folder (Search *search, const char *path, BeckonGlob *glob, GError **error)
{
  g_autoptr (BeckonFolderWalk) walk = beckon_folder_walk_new (search->folder, path, TRUE, error);
  BeckonFolderEntry entry;

  if (walk == NULL)
    return FALSE;
  while (!is_over (search) && beckon_folder_walk_next (walk, &entry))
    if (entry.kind == BECKON_FOLDER_ENTRY_FILE && (glob == NULL || beckon_glob_matches (glob, entry.path))
        && !beckon_folder_call_denies (search->call, entry.path))
      search_file (search, entry.path);

  return TRUE;
}

static void
append_end (Search *search)
{
  if (search->n_found == 0)
    g_string_append_printf (search->text, "[Nothing matches in %u files.]\n", search->n_files);
  if (search->is_late)
    g_string_append (search->text, "[The time was up before all was searched. Search a smaller folder, or give a glob.]\n");
  else if (search->n_found >= search->limit || search->text->len > BECKON_FILE_TOOLS_MAX_RESULT)
    g_string_append (search->text, "[There may be more. Search a smaller folder, or a narrower pattern.]\n");
  if (search->n_hard > 0)
    g_string_append_printf (search->text, "[%u lines took too long to match and were left out; write a simpler pattern.]\n",
                            search->n_hard);
}

static gboolean
search_all (Search *search, const BeckonFolderCall *call, GError **error)
{
  const char *pattern = beckon_json_get_string (call->arguments, "glob");
  g_autoptr (BeckonGlob) glob = NULL;
  struct stat info;

  if (call->folder == NULL)
    return search_output (search, error);
  if (beckon_folder_look_at (call->folder, call->path, &info) && S_ISREG (info.st_mode))
    {
      search_file (search, call->path);
      return TRUE;
    }
  if (pattern != NULL && (glob = beckon_glob_new (pattern, error)) == NULL)
    return FALSE;

  return search_folder (search, call->path, glob, error);
}

static char *
run (const BeckonFolderCall *call, GCancellable *cancellable, GError **error)
{
  g_autoptr (GRegex) regex = compile (call->arguments, error);
  g_autoptr (GString) text = g_string_new (NULL);
  Search search = { .call = call, .folder = call->folder, .regex = regex, .cancellable = cancellable,
                    .mask = call->context->mask, .text = text };

  if (regex == NULL)
    return NULL;
  search.deadline = g_get_monotonic_time () + TIME_LIMIT;
  search.limit = (guint) beckon_json_get_int (call->arguments, "limit", MAX_LINES);
  if (!search_all (&search, call, error) || g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;

  append_end (&search);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

BeckonTool *
beckon_search_files_new (BeckonOutputStore *outputs)
{
  return beckon_folder_tool_new (beckon_tool_definition_new ("search_files", description, schema, TRUE), run, outputs);
}
