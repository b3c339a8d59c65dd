/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-file-tools.h"

#include "base/beckon-error.h"
#include "base/beckon-file-text.h"
#include "base/beckon-glob.h"
#include "base/beckon-json.h"
#include "base/beckon-text.h"
#include "beckon-folder-walk.h"
#include "sandbox/beckon-output.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define MAX_LINES 200
#define MAX_SHOWN 300
#define SHOWN_AHEAD 100

/* A long line is searched piece by piece, so that the time is looked at between them; what matches is no longer than that. */
#define PIECE (64 * 1024)

/* Files above that are read in chunks, and a line of them is no longer than a whole file may be. */
#define CHUNK (1024 * 1024)
#define SNIFFED 8192
#define TIME_LIMIT (20 * G_USEC_PER_SEC)

static const char description[]
    = "Searches the text files below a folder of the working folder for lines that match a regular expression (Perl's "
      "syntax), or with `literal` hold a text. Gives a line each: path:line number:text. What .gitignore names is left out, "
      "and so are binary files. At most 200 lines and 20 seconds.";

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
  guint n_long;
  guint n_binary;
  guint n_unread;
  guint n_unnamed;
  gboolean has_hidden; /* what was found has characters that are written out */
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

/* The part of a line around what matched; all of a line that is short. */
static char *
show_line (Search *search, const char *line, gsize length, gsize at)
{
  const char *from = line, *to = line + length;
  glong n_chars = g_utf8_strlen (line, (gssize) length);
  g_autoptr (GString) part = NULL;
  g_autofree char *shown = NULL;

  if (n_chars > MAX_SHOWN)
    {
      glong n_ahead = MIN (g_utf8_pointer_to_offset (line, line + at), SHOWN_AHEAD);

      from = g_utf8_offset_to_pointer (line + at, -n_ahead);
      to = g_utf8_offset_to_pointer (from, MIN (MAX_SHOWN - 1, g_utf8_strlen (from, to - from)));
    }
  part = search->mask != NULL
           ? beckon_mask_apply_window (search->mask, line, length, (gsize) (from - line), (gsize) (to - line))
           : g_string_new_len (from, to - from);
  g_strchomp (part->str);
  shown = beckon_file_text_hides (part->str) ? beckon_file_text_write_out (part->str, -1) : g_strdup (part->str);
  search->has_hidden |= strcmp (shown, part->str) != 0;
  return g_strconcat (from > line ? "…" : "", shown, to < line + length ? "…" : NULL, NULL);
}

static void
append_found (Search *search, const char *path, guint number, const char *line, gsize length, gsize at)
{
  g_autofree char *shown_path = beckon_text_for_display (path, -1, BECKON_TEXT_EXACT);
  g_autofree char *shown = show_line (search, line, length, at);

  g_string_append_printf (search->text, "%s:%u:%s\n", shown_path, number, shown);
  search->n_found++;
}

static gsize
align (const char *line, gsize length, gsize at)
{
  while (at < length && ((guchar) line[at] & 0xc0) == 0x80)
    at++;
  return MIN (at, length);
}

static void
search_line (Search *search, const char *path, guint number, const char *bytes, gsize n_bytes)
{
  gsize length = n_bytes;
  g_autofree char *line = search->folder != NULL ? beckon_text_make_valid (bytes, (gssize) n_bytes, &length)
                                                 : beckon_output_dup_plain (bytes, n_bytes);
  g_autoptr (GError) error = NULL;

  if (search->folder == NULL)
    length = strlen (line);
  for (gsize from = 0; from == 0 || from < length; from = align (line, length, from + PIECE))
    {
      gsize end = align (line, length, from + 2 * PIECE);
      g_autoptr (GMatchInfo) match = NULL;
      int at;

      if (g_regex_match_full (search->regex, line, (gssize) end, (int) from, end < length ? G_REGEX_MATCH_NOTEOL : 0, &match,
                              &error)
          && g_match_info_fetch_pos (match, 0, &at, NULL))
        {
          append_found (search, path, number, line, length, (gsize) at);
          return;
        }
      if (error != NULL || is_over (search))
        break;
    }
  search->n_hard += error != NULL;
  search->n_long += length > 2 * PIECE;
}

/* Returns how many bytes were searched: whole lines, unless @is_end. */
static gsize
search_lines (Search *search, const char *path, const char *bytes, gsize length, gboolean is_end, guint *number)
{
  const char *p = bytes, *end = bytes + length;

  while (p < end && !is_over (search))
    {
      const char *newline = memchr (p, '\n', (gsize) (end - p));

      if (newline == NULL && !is_end)
        break;
      search_line (search, path, ++*number, p, (gsize) ((newline != NULL ? newline : end) - p));
      p = newline != NULL ? newline + 1 : end;
    }
  return (gsize) (p - bytes);
}

static void
search_text (Search *search, const char *path, const char *bytes, gsize length)
{
  guint number = 0;

  search->n_files++;
  search_lines (search, path, bytes, length, TRUE, &number);
}

static gssize
read_more (int fd, GByteArray *bytes)
{
  guint length = bytes->len;
  gssize n;

  g_byte_array_set_size (bytes, length + CHUNK);
  do
    n = read (fd, bytes->data + length, CHUNK);
  while (n < 0 && errno == EINTR);
  g_byte_array_set_size (bytes, length + (guint) MAX (n, 0));
  return n;
}

static void
search_large (Search *search, const char *path, int fd)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  gboolean is_first = TRUE;
  guint number = 0;
  gssize n;

  while ((n = read_more (fd, bytes)) > 0 && !is_over (search))
    {
      gsize taken;

      if (is_first && memchr (bytes->data, '\0', MIN (bytes->len, SNIFFED)) != NULL)
        {
          search->n_binary++;
          return;
        }
      is_first = FALSE;
      taken = search_lines (search, path, (const char *) bytes->data, bytes->len, bytes->len > BECKON_FOLDER_MAX_FILE, &number);
      g_byte_array_remove_range (bytes, 0, (guint) taken);
    }
  search_lines (search, path, (const char *) bytes->data, bytes->len, TRUE, &number);
  if (n < 0)
    search->n_unread++;
  else
    search->n_files++;
}

/* Text in another encoding is searched as what it says. */
static void
search_file (Search *search, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) contents = beckon_folder_read (search->folder, path, &error);
  g_autoptr (BeckonFileText) file = NULL;
  gsize length = 0;
  const char *bytes = contents != NULL ? g_bytes_get_data (contents, &length) : NULL;
  int fd;

  if (g_error_matches (error, BECKON_ERROR, BECKON_ERROR_TOO_LARGE)
      && (fd = beckon_folder_open_file (search->folder, path, NULL)) >= 0)
    {
      search_large (search, path, fd);
      close (fd);
    }
  else if (contents == NULL)
    search->n_unread++;
  else if (length == 0 || g_utf8_validate_len (bytes, length, NULL))
    search_text (search, path, bytes, length);
  else if ((file = beckon_file_text_new (contents)) != NULL)
    search_text (search, path, file->text, file->length);
  else if (memchr (bytes, '\0', MIN (length, SNIFFED)) == NULL)
    search_text (search, path, bytes, length);
  else
    search->n_binary++;
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
  search->n_unnamed = beckon_folder_walk_get_n_unnamed (walk);
  search->n_unread += beckon_folder_walk_get_n_unread (walk);

  return TRUE;
}

static void
append_end (Search *search)
{
  if (search->n_found == 0)
    g_string_append_printf (search->text, "[Nothing matches in %u files.]\n", search->n_files);
  if (search->n_found == 0 && search->n_long > 0)
    g_string_append_printf (search->text, "[%u lines are so long that matches of more than %d KiB in them are not found.]\n",
                            search->n_long, PIECE / 1024);
  if (search->n_found == 0 && search->n_binary > 0)
    g_string_append_printf (search->text, "[%u more hold no text, and were not searched.]\n", search->n_binary);
  if (search->n_unnamed > 0)
    g_string_append_printf (search->text, "[%u more have names that are no UTF-8, and were not searched.]\n",
                            search->n_unnamed);
  if (search->n_unread > 0)
    g_string_append_printf (search->text, "[%u files or folders could not be read.]\n", search->n_unread);
  if (search->has_hidden)
    g_string_append (search->text, "[Characters that cannot be seen are shown as <U+200B>.]\n");
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
