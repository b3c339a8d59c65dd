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
#define MAX_CONTEXT 20
#define MAX_SHOWN 300
#define SHOWN_AHEAD 100

/* A long line is searched piece by piece, so that the time is looked at between them; what matches is no longer than that. */
#define PIECE (64 * 1024)

/* Files above that are read in chunks, and a line of them is no longer than a whole file may be. */
#define CHUNK (1024 * 1024)
#define SNIFFED 8192
#define TIME_LIMIT (20 * G_USEC_PER_SEC)

/* Files that are searched at once; what is found stays in their order. */
#define BATCH 256

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
      "\"context\":{\"type\":\"integer\",\"minimum\":0,\"default\":0,"
      "\"description\":\"Lines to give before and after each, at most 20.\"},"
      "\"names_only\":{\"type\":\"boolean\",\"default\":false,"
      "\"description\":\"Whether to give the paths of the files alone.\"},"
      "\"limit\":{\"type\":\"integer\",\"minimum\":1,\"default\":200,"
      "\"description\":\"The most matching lines to give.\"}},"
      "\"required\":[\"pattern\"],\"additionalProperties\":false}";

/* A search: what for, and how. Never changed once the search has begun: threads share it. */
typedef struct
{
  const BeckonFolderCall *call;
  GRegex *regex;       /* (owned) */
  GRegex *block_regex; /* (owned) (nullable): finds where a line may match, in many lines at once */
  GCancellable *cancellable;
  gint64 deadline;
  guint limit;
  guint context;
  gboolean names_only;
} Search;

/* Finds of a file, or of all. */
typedef struct
{
  const Search *search;
  GString *text;   /* (owned) */
  GArray *ends;    /* (owned) (element-type gsize): where what was written for each match ends in @text */
  guint n_files;
  guint n_hard;    /* lines that cost too much to match */
  guint n_long;
  guint n_binary;
  guint n_unread;
  guint n_unnamed;
  gboolean has_hidden; /* what was found has characters that are written out */
  gboolean is_late;
} Found;

/* The text of one file, on its way. */
typedef struct
{
  Found *found;
  const char *path;
  gboolean is_valid; /* as UTF-8, all of it */
  gboolean is_odd;   /* many lines at once could not be looked at, so that it is done line by line */
  const char *begin; /* of the bytes that are there */
  const char *told;  /* behind the last line that was written; %NULL for none */
  guint number;      /* of the line before */
  guint n_behind;    /* lines that are still to be written, as context */
} Place;

static void
found_init (Found *found, const Search *search)
{
  *found = (Found){ .search = search, .text = g_string_new (NULL), .ends = g_array_new (FALSE, FALSE, sizeof (gsize)) };
}

static void
found_clear (Found *found)
{
  g_string_free (found->text, TRUE);
  g_array_unref (found->ends);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Found, found_clear)

static void
search_clear (Search *search)
{
  g_clear_pointer (&search->regex, g_regex_unref);
  g_clear_pointer (&search->block_regex, g_regex_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Search, search_clear)

/* A pattern that looks beyond a line sees other text in a block of lines than in one of them. */
static gboolean
looks_beyond (const char *pattern)
{
  static const char *const words[] = { "(?!", "(?<", "\\A", "\\z", "\\Z", "\\G", "(?s", "(?m", "(?i", "(?x", "(?-", "(*" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (strstr (pattern, words[i]) != NULL)
      return TRUE;
  return FALSE;
}

static gboolean
search_compile (Search *search, GError **error)
{
  JsonObject *arguments = search->call->arguments;
  const char *pattern = beckon_json_get_string (arguments, "pattern");
  gboolean is_literal = beckon_json_get_boolean (arguments, "literal", FALSE);
  g_autofree char *escaped = is_literal ? g_regex_escape_string (pattern, -1) : NULL;
  g_autofree char *bounded = g_strconcat ("(*LIMIT_MATCH=20000)", is_literal ? escaped : pattern, NULL);
  GRegexCompileFlags flags = G_REGEX_OPTIMIZE;
  g_autoptr (GError) wrong = NULL;

  if (beckon_json_get_boolean (arguments, "ignore_case", FALSE))
    flags |= G_REGEX_CASELESS;
  search->regex = g_regex_new (bounded, flags, 0, &wrong);
  /* An output has signs for terminals between its letters. */
  if (search->regex != NULL && search->call->folder != NULL && (is_literal || !looks_beyond (pattern)))
    search->block_regex = g_regex_new (bounded, flags | G_REGEX_MULTILINE, 0, NULL);
  if (search->regex == NULL)
    {
      g_autoptr (GError) own = NULL;
      g_autoptr (GRegex) bare = g_regex_new (is_literal ? escaped : pattern, flags, 0, &own);

      /* The words quote the pattern and count its characters: they are of the one that the model wrote. */
      g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                   "The pattern is no regular expression: %s. To look for it as plain text, set literal.",
                   bare == NULL ? own->message : wrong->message);
    }
  return search->regex != NULL;
}

static gboolean
is_full (const Found *found)
{
  return found->ends->len >= found->search->limit
         || found->text->len > beckon_tool_context_bound (found->search->call->context, BECKON_FILE_TOOLS_MAX_RESULT);
}

static gboolean
search_files_is_over (Found *found)
{
  found->is_late = found->is_late || g_get_monotonic_time () > found->search->deadline;

  return found->is_late || is_full (found) || g_cancellable_is_cancelled (found->search->cancellable);
}

/* (transfer full): @bytes as text, as the file says it or as a terminal would show it. */
static char *
search_files_dup_line (const Search *search, const char *bytes, gsize n_bytes, gsize *length)
{
  char *line;

  if (search->call->folder != NULL)
    return beckon_text_make_valid (bytes, (gssize) n_bytes, length);
  line = beckon_output_dup_plain (bytes, n_bytes);
  *length = strlen (line);
  return line;
}

/* @between: what stands around the number, as grep has it: a colon for what matches, a dash for what is around it */
static void
search_files_append_line (Place *place, guint number, char between, const char *line, gsize length, gsize at)
{
  g_autofree char *path = beckon_text_for_display (place->path, -1, BECKON_TEXT_EXACT);
  BeckonMask *mask = place->found->search->call->context->mask;
  const char *from = line, *to = line + length;
  glong n_chars = g_utf8_strlen (line, (gssize) length);
  g_autoptr (GString) part = NULL;
  g_autofree char *plain = NULL;
  g_autofree char *shown = NULL;

  /* The part of a line around @at; all of a line that is short. */
  if (n_chars > MAX_SHOWN)
    {
      glong n_ahead = MIN (g_utf8_pointer_to_offset (line, line + at), SHOWN_AHEAD);

      from = g_utf8_offset_to_pointer (line + at, -n_ahead);
      to = g_utf8_offset_to_pointer (from, MIN (MAX_SHOWN - 1, g_utf8_strlen (from, to - from)));
    }
  part = mask != NULL ? beckon_mask_apply_window (mask, line, length, (gsize) (from - line), (gsize) (to - line))
                      : g_string_new_len (from, to - from);
  g_strchomp (part->str);
  plain = beckon_file_text_hides (part->str) ? beckon_file_text_write_out (part->str, -1) : g_strdup (part->str);
  place->found->has_hidden |= strcmp (plain, part->str) != 0;
  shown = g_strconcat (from > line ? "…" : "", plain, to < line + length ? "…" : NULL, NULL);

  g_string_append_printf (place->found->text, "%s%c%u%c%s\n", path, between, number, between, shown);
}

static void
append_context (Place *place, guint number, const char *bytes, const char *end)
{
  gsize length;
  g_autofree char *line = search_files_dup_line (place->found->search, bytes, (gsize) (end - bytes), &length);

  search_files_append_line (place, number, '-', line, length, 0);
}

static void
note_match (Place *place, const char *bytes, const char *line, gsize length, gsize at)
{
  Found *found = place->found;

  if (found->search->names_only)
    {
      g_autofree char *path = beckon_text_for_display (place->path, -1, BECKON_TEXT_EXACT);

      g_string_append_printf (found->text, "%s\n", path);
    }
  else
    {
      const char *first = bytes;
      guint n = 0;

      /* The lines before it that are to be seen with it and were not written yet. */
      while (n < place->found->search->context && first > place->begin && first != place->told)
        {
          for (first--; first > place->begin && first[-1] != '\n' && first != place->told; first--)
            continue;
          n++;
        }
      if (place->found->search->context > 0 && first != place->told && place->found->text->len > 0)
        g_string_append (place->found->text, "--\n");
      for (; n > 0; n--)
        {
          const char *end = memchr (first, '\n', (gsize) (bytes - first));

          append_context (place, place->number - n, first, end);
          first = end + 1;
        }
      search_files_append_line (place, place->number, ':', line, length, at);
    }
  place->n_behind = found->search->context;
  g_array_append_val (found->ends, found->text->len);
}

static gsize
align (const char *line, gsize length, gsize at)
{
  while (at < length && ((guchar) line[at] & 0xc0) == 0x80)
    at++;
  return MIN (at, length);
}

/* Whether the line from @bytes to @end matches. */
static gboolean
search_line (Place *place, const char *bytes, const char *end)
{
  Found *found = place->found;
  gsize length, from = 0;
  g_autofree char *line = search_files_dup_line (found->search, bytes, (gsize) (end - bytes), &length);
  g_autoptr (GError) error = NULL;

  do
    {
      gsize until = align (line, length, from + 2 * PIECE);
      g_autoptr (GMatchInfo) match = NULL;
      int at;

      if (g_regex_match_full (found->search->regex, line, (gssize) until, (int) from,
                              until < length ? G_REGEX_MATCH_NOTEOL : 0, &match, &error)
          && g_match_info_fetch_pos (match, 0, &at, NULL))
        {
          note_match (place, bytes, line, length, (gsize) at);
          return TRUE;
        }
      from = align (line, length, from + PIECE);
    }
  while (from < length && error == NULL && !search_files_is_over (found));
  found->n_hard += error != NULL;
  found->n_long += length > 2 * PIECE;
  return FALSE;
}

static guint
search_files_count_lines (const char *bytes, const char *end)
{
  guint n = 0;

  for (; (bytes = memchr (bytes, '\n', (gsize) (end - bytes))) != NULL; bytes++)
    n++;
  return n;
}

/* The beginning of the first line that may match, within the next block of lines; the end of the block if none may. What
 * matches beyond the end of its line is found out by whoever looks at that line alone. */
static const char *
skip_lines (Place *place, const char *bytes, const char *end)
{
  const Search *search = place->found->search;
  const char *newline = end - bytes > PIECE ? g_strrstr_len (bytes, PIECE, "\n") : end - 1;
  const char *block = newline != NULL ? newline + 1 : bytes;
  g_autoptr (GMatchInfo) match = NULL;
  g_autoptr (GError) error = NULL;
  int at;

  if (search->block_regex == NULL || place->is_odd)
    return bytes;
  place->is_odd = !place->is_valid && !g_utf8_validate_len (bytes, (gsize) (block - bytes), NULL);
  if (place->is_odd)
    return bytes;
  if (!g_regex_match_full (search->block_regex, bytes, block - bytes, 0, 0, &match, &error))
    {
      place->is_odd = error != NULL;
      return place->is_odd ? bytes : block;
    }
  g_match_info_fetch_pos (match, 0, &at, NULL);
  for (; at > 0 && bytes[at - 1] != '\n'; at--)
    continue;
  return bytes + at;
}

/* Returns how many bytes were searched: whole lines, unless @is_end. */
static gsize
search_lines (Place *place, const char *bytes, gsize length, gboolean is_end)
{
  Found *found = place->found;
  const char *p = bytes, *end = bytes + length;

  place->begin = bytes;
  place->told = NULL;
  while (p < end && !(search_files_is_over (found) && place->n_behind == 0))
    {
      const char *line = place->n_behind > 0 ? p : skip_lines (place, p, end);
      const char *newline = memchr (line, '\n', (gsize) (end - line));
      const char *line_end = newline != NULL ? newline : end;
      gboolean matches;

      place->number += search_files_count_lines (p, line);
      p = line;
      if (p == end || (newline == NULL && !is_end))
        break;
      place->number++;
      matches = !search_files_is_over (found) && search_line (place, p, line_end);
      p = newline != NULL ? newline + 1 : end;
      if (matches && found->search->names_only)
        break;
      if (!matches && place->n_behind > 0)
        {
          append_context (place, place->number, line, line_end);
          place->n_behind--;
          g_array_index (found->ends, gsize, found->ends->len - 1) = found->text->len;
        }
      else if (!matches)
        continue;
      place->told = p;
    }
  return (gsize) (p - bytes);
}

static void
search_text (Found *found, const char *path, const char *bytes, gsize length, gboolean is_valid)
{
  Place place = { .found = found, .path = path, .is_valid = is_valid };

  found->n_files++;
  search_lines (&place, bytes, length, TRUE);
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
search_large (Found *found, const char *path, int fd)
{
  Place place = { .found = found, .path = path };
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  gboolean is_first = TRUE;
  gssize n;

  while ((n = read_more (fd, bytes)) > 0 && !search_files_is_over (found))
    {
      gsize taken;

      if (is_first && memchr (bytes->data, '\0', MIN (bytes->len, SNIFFED)) != NULL)
        {
          found->n_binary++;
          return;
        }
      is_first = FALSE;
      taken = search_lines (&place, (const char *) bytes->data, bytes->len, bytes->len > BECKON_FOLDER_MAX_FILE);
      if (found->search->names_only && found->ends->len > 0)
        return;
      g_byte_array_remove_range (bytes, 0, (guint) taken);
    }
  search_lines (&place, (const char *) bytes->data, bytes->len, TRUE);
  if (n < 0)
    found->n_unread++;
  else
    found->n_files++;
}

/* Text in another encoding is searched as what it says. */
static void
search_file (Found *found, const char *path)
{
  BeckonFolder *folder = found->search->call->folder;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) contents = beckon_folder_read (folder, path, &error);
  g_autoptr (BeckonFileText) file = NULL;
  gsize length = 0;
  const char *bytes = contents != NULL ? g_bytes_get_data (contents, &length) : NULL;
  int fd;

  if (g_error_matches (error, BECKON_ERROR, BECKON_ERROR_TOO_LARGE) && (fd = beckon_folder_open_file (folder, path, NULL)) >= 0)
    {
      search_large (found, path, fd);
      close (fd);
    }
  else if (contents == NULL)
    found->n_unread++;
  else if (length == 0 || g_utf8_validate_len (bytes, length, NULL))
    search_text (found, path, bytes, length, TRUE);
  else if ((file = beckon_file_text_new (contents)) != NULL)
    search_text (found, path, file->text, file->length, TRUE);
  else if (memchr (bytes, '\0', MIN (length, SNIFFED)) == NULL)
    search_text (found, path, bytes, length, FALSE);
  else
    found->n_binary++;
}

/* --- A folder, by all processors ---------------------------------------------------------------------------------- */

typedef struct
{
  Found found;
  const char *path;
} Part;

static void
search_part (gpointer data, gpointer user_data)
{
  Part *part = data;

  if (!search_files_is_over (&part->found))
    search_file (&part->found, part->path);
}

/* Empties @paths. */
static void
search_batch (Found *found, GPtrArray *paths)
{
  GThreadPool *pool = g_thread_pool_new (search_part, NULL, (int) g_get_num_processors (), FALSE, NULL);
  g_autofree Part *parts = g_new (Part, paths->len);

  for (guint i = 0; i < paths->len; i++)
    {
      found_init (&parts[i].found, found->search);
      parts[i].path = g_ptr_array_index (paths, i);
      g_thread_pool_push (pool, &parts[i], NULL);
    }
  g_thread_pool_free (pool, FALSE, TRUE);
  for (guint i = 0; i < paths->len; i++)
    {
      if (!is_full (found))
        {
          const Found *part = &parts[i].found;
          guint n = MIN (part->ends->len, found->search->limit - found->ends->len);

          /* As much of what a file gave as the limit lets through. */
          if (n > 0 && found->search->context > 0 && found->text->len > 0)
            g_string_append (found->text, "--\n");
          for (guint j = 0; j < n; j++)
            {
              gsize end = found->text->len + g_array_index (part->ends, gsize, j);

              g_array_append_val (found->ends, end);
            }
          if (n > 0)
            g_string_append_len (found->text, part->text->str, (gssize) g_array_index (part->ends, gsize, n - 1));
          found->n_files += part->n_files;
          found->n_hard += part->n_hard;
          found->n_long += part->n_long;
          found->n_binary += part->n_binary;
          found->n_unread += part->n_unread;
          found->has_hidden |= part->has_hidden;
          found->is_late |= part->is_late;
        }
      found_clear (&parts[i].found);
    }
  g_ptr_array_set_size (paths, 0);
}

static gboolean
search_all (Found *found, GError **error)
{
  const BeckonFolderCall *call = found->search->call;
  const char *pattern = beckon_json_get_string (call->arguments, "glob");
  g_autoptr (BeckonGlob) glob = NULL;
  struct stat info;
  g_autoptr (BeckonFolderWalk) walk = NULL;
  g_autoptr (GPtrArray) paths = NULL;
  BeckonFolderEntry entry;

  if (call->folder == NULL)
    {
      int fd = beckon_output_store_open (call->outputs, call->context->conversation_id, call->path, error);
      g_autoptr (GMappedFile) mapped = NULL;

      if (fd < 0)
        return FALSE;
      mapped = g_mapped_file_new_from_fd (fd, FALSE, error);
      close (fd);
      if (mapped == NULL)
        return FALSE;
      search_text (found, call->path, g_mapped_file_get_contents (mapped), g_mapped_file_get_length (mapped), FALSE);
      return TRUE;
    }
  if (beckon_folder_look_at (call->folder, call->path, &info) && S_ISREG (info.st_mode))
    {
      search_file (found, call->path);
      return TRUE;
    }
  if (pattern != NULL && (glob = beckon_glob_new (pattern, error)) == NULL)
    return FALSE;

  walk = beckon_folder_walk_new (call->folder, call->path, TRUE, error);
  paths = g_ptr_array_new_with_free_func (g_free);
  if (walk == NULL)
    return FALSE;
  while (!search_files_is_over (found) && beckon_folder_walk_next (walk, &entry))
    {
      if (entry.kind == BECKON_FOLDER_ENTRY_FILE && (glob == NULL || beckon_glob_matches (glob, entry.path))
          && !beckon_folder_call_denies (call, entry.path))
        g_ptr_array_add (paths, g_strdup (entry.path));
      if (paths->len == BATCH)
        search_batch (found, paths);
    }
  search_batch (found, paths);
  found->n_unnamed = beckon_folder_walk_get_n_unnamed (walk);
  found->n_unread += beckon_folder_walk_get_n_unread (walk);

  return TRUE;
}

static char *
search_files_run (const BeckonFolderCall *call, GCancellable *cancellable, GError **error)
{
  g_auto (Search) search = {
    .call = call,
    .cancellable = cancellable,
    .deadline = g_get_monotonic_time () + TIME_LIMIT,
    .limit = (guint) MIN (beckon_json_get_int (call->arguments, "limit", MAX_LINES), MAX_LINES),
    .context = (guint) MIN (beckon_json_get_int (call->arguments, "context", 0), MAX_CONTEXT),
    .names_only = beckon_json_get_boolean (call->arguments, "names_only", FALSE),
  };
  g_auto (Found) found = { 0 };
  GString *text;
  gboolean is_nothing;

  found_init (&found, &search);
  if (!search_compile (&search, error) || !search_all (&found, error)
      || g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;

  text = found.text;
  is_nothing = found.ends->len == 0;
  if (is_nothing)
    g_string_append_printf (text, "[Nothing matches in %u %s.]\n", found.n_files, found.n_files == 1 ? "file" : "files");
  if (is_nothing && found.n_long > 0)
    g_string_append_printf (text, "[%u %s so long that matches of more than %d KiB in %s are not found.]\n", found.n_long,
                            found.n_long == 1 ? "line is" : "lines are", PIECE / 1024, found.n_long == 1 ? "it" : "them");
  if (is_nothing && found.n_binary > 0)
    g_string_append_printf (text, "[%u more hold no text, and were not searched.]\n", found.n_binary);
  if (found.n_unnamed > 0)
    g_string_append_printf (text, "[%u more have names that are no UTF-8, and were not searched.]\n", found.n_unnamed);
  if (found.n_unread > 0)
    g_string_append_printf (text, "[%u files or folders could not be read.]\n", found.n_unread);
  if (found.has_hidden)
    g_string_append (text, "[Characters that cannot be seen are shown as <U+200B>.]\n");
  if (found.is_late)
    g_string_append (text, "[The time was up before all was searched. Search a smaller folder, or give a glob.]\n");
  else if (found.ends->len >= found.search->limit)
    g_string_append (text, "[There may be more. Search a smaller folder, or a narrower pattern.]\n");
  else if (is_full (&found))
    g_string_append_printf (text,
                            "[There may be more: this is all that fits %s. Search a smaller folder or a narrower "
                            "pattern, or give names_only for the files alone.]\n",
                            beckon_tool_context_bound (found.search->call->context, BECKON_FILE_TOOLS_MAX_RESULT)
                                    < BECKON_FILE_TOOLS_MAX_RESULT
                                ? "your context window"
                                : "one result");
  if (found.n_hard > 0)
    g_string_append_printf (text, "[%u lines took too long to match and were left out; write a simpler pattern.]\n",
                            found.n_hard);
  return g_strdup (found.text->str);
}

BeckonTool *
beckon_search_files_new (BeckonOutputStore *outputs)
{
  return beckon_folder_tool_new (beckon_tool_definition_new ("search_files", description, schema, TRUE), search_files_run,
                                 outputs);
}
