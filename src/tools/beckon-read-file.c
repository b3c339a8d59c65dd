/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-file-tools.h"

#include "attach/beckon-attacher.h"
#include "attach/beckon-pdf.h"
#include "base/beckon-error.h"
#include "base/beckon-file-text.h"
#include "base/beckon-json.h"
#include "base/beckon-text.h"
#include "beckon-picture-file.h"
#include "sandbox/beckon-output.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEFAULT_LINES 2000
#define SNIFFED 8192

/* Characters of a line, where the model did not ask for it by its bytes. */
#define MAX_LINE 2000

static const char description[]
    = "Reads a text file of the working folder, or what was left out of an earlier result (a path such as output:3). A "
      "picture (PNG, JPEG, GIF, WebP) is shown to you and to the user, so that this is also how to show a plot that was made; "
      "a PDF is given as its text. Gives the text as it is, without line numbers, at most 2000 lines or 64 KiB at a time; a "
      "note at the end in square brackets says where to go on. Use search_files to find a place in a large file first.";

static const char schema[]
    = "{\"type\":\"object\",\"properties\":{"
      "\"path\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":4096,"
      "\"description\":\"The file, relative to the working folder.\"},"
      "\"offset\":{\"type\":\"integer\",\"minimum\":1,\"default\":1,"
      "\"description\":\"The first line to read, counted from 1.\"},"
      "\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":10000,\"default\":2000,"
      "\"description\":\"The most lines to read.\"},"
      "\"byte_offset\":{\"type\":\"integer\",\"minimum\":0,"
      "\"description\":\"Where to begin in bytes, instead of offset; as an earlier result said.\"}},"
      "\"required\":[\"path\"],\"additionalProperties\":false}";

typedef struct
{
  const char *path;
  int fd;
  guint64 size;         /* of what is read: in bytes of @text, if there is one */
  guint64 file_size;
  gboolean is_output;
  BeckonFileText *text; /* (owned) (nullable): of a file that is read whole; others are read as their bytes, page by page */
  guint n_pages;        /* of a PDF, whose text @text is; 0 for none */
  BeckonMask *mask;     /* (nullable) */
  gsize most;           /* bytes of a page */
} Source;

static gssize
read_at (const Source *source, char *bytes, gsize length, guint64 at)
{
  gssize n;

  if (source->text != NULL)
    {
      at = MIN (at, source->size);
      length = MIN (length, source->size - at);
      memcpy (bytes, source->text->text + at, length);
      return (gssize) length;
    }
  do
    n = pread (source->fd, bytes, length, (off_t) at);
  while (n < 0 && errno == EINTR);

  return n;
}

static gboolean
read_file_fail (const Source *source, GError **error)
{
  g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, "“%s” cannot be read: %s.", source->path,
               beckon_errno_describe (errno));
  return FALSE;
}

/* (transfer full) (nullable): the first @most bytes. */
static GBytes *
source_read (const Source *source, gsize most, GError **error)
{
  g_autofree char *bytes = g_malloc (most + 1);
  gsize length = 0;
  gssize n;

  do
    n = read_at (source, bytes + length, most - length, length);
  while (n > 0 && (length += (gsize) n) < most);
  if (n < 0)
    {
      read_file_fail (source, error);
      return NULL;
    }
  return g_bytes_new_take (g_steal_pointer (&bytes), length);
}

/* A command's output is shown as text whatever it is; of a file that is no text, only its kind, unless it is a picture or a
 * PDF. What begins as text and is none further on, or is too long for one piece, is shown page by page. */
static gboolean
source_load (Source *source, gboolean *is_picture, GCancellable *cancellable, GError **error)
{
  gboolean is_small = source->size <= BECKON_FOLDER_MAX_FILE;
  g_autoptr (GBytes) whole = source->is_output ? NULL : source_read (source, is_small ? (gsize) source->size : SNIFFED, error);
  const guchar *bytes;
  gsize length;
  g_autofree char *type = NULL;

  if (whole == NULL)
    return source->is_output;
  bytes = g_bytes_get_data (whole, &length);
  if (beckon_pdf_is_one (whole))
    {
      g_autoptr (GBytes) pdf = NULL;
      g_autoptr (GBytes) text = NULL;
      gboolean is_whole;

      if (source->size > BECKON_ATTACHER_MOST_BYTES)
        {
          g_set_error (error, BECKON_ERROR, BECKON_ERROR_TOO_LARGE,
                       "“%s” is a PDF larger than %d MB. Extract its text with a command.", source->path,
                       BECKON_ATTACHER_MOST_BYTES / (1024 * 1024));
          return FALSE;
        }
      pdf = source_read (source, (gsize) source->size, error);
      text = pdf != NULL ? beckon_pdf_read (pdf, &source->n_pages, &is_whole, cancellable, error) : NULL;
      if (text == NULL)
        return FALSE;
      if (g_bytes_get_size (text) == 0)
        {
          g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                       "“%s” is a PDF of %u page%s without any text, only images. Convert them to PNG files to see them.",
                       source->path, source->n_pages, source->n_pages == 1 ? "" : "s");
          return FALSE;
        }
      source->text = beckon_file_text_new (text);
      source->size = source->text->length;
      return TRUE;
    }
  source->text = is_small ? beckon_file_text_new (whole) : NULL;
  if (source->text != NULL)
    source->size = source->text->length;
  if (source->text != NULL || memchr (bytes, '\0', MIN (length, SNIFFED)) == NULL)
    return TRUE;
  *is_picture = beckon_picture_file_is_one ((const char *) bytes, length);
  if (*is_picture)
    return TRUE;

  type = g_content_type_guess (source->path, bytes, MIN (length, SNIFFED), NULL);
  g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID,
               "“%s” is no text but binary data (%s, %" G_GUINT64_FORMAT " bytes), so that it is not shown.", source->path,
               type, source->size);
  return FALSE;
}

/* Finds the start of line @line; the file's end if there is none. */
static gboolean
find_line (const Source *source, gint64 line, guint64 *at, GCancellable *cancellable, GError **error)
{
  g_autofree char *chunk = g_malloc (BECKON_FILE_TOOLS_MAX_RESULT);

  *at = 0;
  while (line > 1)
    {
      gssize n = read_at (source, chunk, BECKON_FILE_TOOLS_MAX_RESULT, *at);
      const char *p = chunk;
      const char *end = chunk + MAX (n, 0);

      if (n < 0)
        return read_file_fail (source, error);
      if (n == 0 || g_cancellable_set_error_if_cancelled (cancellable, error))
        return n == 0;
      while (line > 1 && (p = memchr (p, '\n', (gsize) (end - p))) != NULL)
        {
          p++;
          line--;
        }
      *at += p != NULL ? (guint64) (p - chunk) : (guint64) n;
    }

  return TRUE;
}

/* Not within a character; what is none is cut anywhere. */
static gsize
without_broken_end (const char *bytes, gsize length)
{
  gsize n = 1;

  while (n < 4 && ((guchar) bytes[length - n] & 0xc0) == 0x80)
    n++;

  return beckon_text_utf8_length (bytes + length - n, n) == 0 ? length - n : length;
}

/* How much of @bytes is given: whole lines, or a part of one that is longer than all that may be. */
static gsize
choose_length (const Source *source, const char *bytes, gsize length, gint64 n_lines)
{
  const char *p = bytes;
  const char *last = NULL;

  while (n_lines > 0 && (p = memchr (p, '\n', length - (gsize) (p - bytes))) != NULL)
    {
      last = ++p;
      n_lines--;
    }
  if (n_lines == 0 || (last != NULL && length == source->most))
    return (gsize) (last - bytes);

  return length == source->most ? without_broken_end (bytes, length) : length;
}

/* A page of a file that is not read whole is taken as text by itself. */
static char *
read_file_show_page (const Source *source, GString *page, char **note)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (page->str, page->len);
  g_autoptr (BeckonFileText) part = NULL;
  gsize length;
  char *valid;

  if (source->is_output)
    return beckon_output_dup_plain (page->str, page->len);
  if (source->text != NULL)
    {
      *note = source->n_pages > 0 ? g_strdup_printf ("[This is the text of a PDF of %u page%s.]", source->n_pages,
                                                     source->n_pages == 1 ? "" : "s")
                                  : beckon_file_text_describe (source->text, source->file_size);
      return beckon_file_text_show (source->text, page->str, (gssize) page->len);
    }
  part = beckon_file_text_new (bytes);
  if (part != NULL)
    {
      *note = beckon_file_text_describe (part, source->file_size);
      return beckon_file_text_show (part, part->text, (gssize) part->length);
    }
  *note = g_strdup ("[Some of this is no text: bytes that are no characters are shown as \357\277\275 or left out.]");
  valid = beckon_text_make_valid (page->str, (gssize) page->len, &length);
  for (gsize i = 0, n = 0; i <= length; i++)
    if (valid[i] != '\0' || i == length)
      valid[n++] = valid[i];
  return valid;
}

static guint64
read_file_count_lines (const char *bytes, gsize length)
{
  const char *end = bytes + length;
  guint64 n = 0;

  for (; (bytes = memchr (bytes, '\n', (gsize) (end - bytes))) != NULL; bytes++)
    n++;
  return n;
}

/* Says where the page ends, and how to go on: by lines where these are counted. */
static void
read_file_append_end (GString *result, const Source *source, gsize length, guint64 at, gint64 first)
{
  const char *text = source->text != NULL ? source->text->text : NULL;
  guint64 end = at + length, last;

  if (text == NULL || first < 0 || text[end - 1] != '\n')
    {
      g_string_append_printf (result, "[This is up to byte %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT ". To go on, read with "
                              "byte_offset %" G_GUINT64_FORMAT ".]",
                              end, source->size, end);
      return;
    }
  last = (guint64) first + read_file_count_lines (text + at, length) - 1;
  g_string_append_printf (result, "[Lines %" G_GINT64_FORMAT "–%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT ". To go on, read "
                          "with offset %" G_GUINT64_FORMAT ".]",
                          first, last, last + read_file_count_lines (text + end,
                                                                     source->size - end) + (text[source->size - 1] != '\n'),
                          last + 1);
}

/* Takes @text. *@note becomes what is said of lines that were cut. */
static char *
cut_lines (char *text, const char *bytes, gsize length, guint64 at, char **note)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  gboolean is_cut = FALSE;
  const char *line = bytes;

  for (guint i = 0; lines[i] != NULL; i++)
    if (strlen (lines[i]) > MAX_LINE && g_utf8_strlen (lines[i], -1) > MAX_LINE)
      {
        char *whole = lines[i];

        lines[i] = beckon_text_shorten (whole, MAX_LINE);
        g_free (whole);
        is_cut = TRUE;
      }
  if (!is_cut)
    return text;
  g_free (text);
  for (const char *end; (end = memchr (line, '\n', length - (gsize) (line - bytes))) != NULL
       && g_utf8_strlen (line, end - line) <= MAX_LINE;)
    line = end + 1;
  *note = g_strdup_printf ("[Lines of more than %d characters are cut. To see all of one, read with byte_offset: the first "
                           "begins at byte %" G_GUINT64_FORMAT ".]",
                           MAX_LINE, at + (guint64) (line - bytes));
  return g_strjoinv ("\n", lines);
}

/* @first: the number of the first line; -1 where the model counts in bytes */
static char *
source_tell (const Source *source, const char *bytes, gsize length, guint64 at, gint64 first)
{
  g_autoptr (GString) page = NULL;
  gsize reach = source->mask != NULL ? beckon_mask_get_reach (source->mask) : 0;
  gsize before = (gsize) MIN (at, reach);
  g_autofree char *note = NULL;
  g_autofree char *cut = NULL;
  g_autofree char *text = NULL;
  gboolean is_end;
  GString *result;

  /* A page is masked with what stands beside it, so that no value is cut in two. */
  if (source->mask == NULL)
    page = g_string_new_len (bytes, (gssize) length);
  else
    {
      g_autofree char *more = g_malloc (before + length + reach);
      gssize n = read_at (source, more, before + length + reach, at - before);

      if (n < 0 || (gsize) n < before + length)
        page = g_string_new ("[The file changed while it was read. Read it again.]");
      else
        page = beckon_mask_apply_window (source->mask, more, (gsize) n, before, before + length);
    }
  text = read_file_show_page (source, page, &note);
  is_end = at + length >= source->size;
  if (source->size == 0)
    return g_strconcat ("[The file is empty.]", note != NULL ? "\n" : NULL, note, NULL);
  if (length == 0)
    return g_strdup_printf ("[There is nothing there: “%s” ends before, at byte %" G_GUINT64_FORMAT ".]", source->path,
                            source->size);

  if (first >= 0)
    text = cut_lines (g_steal_pointer (&text), bytes, length, at, &cut);
  result = g_string_new (text);
  if ((!is_end || note != NULL || cut != NULL) && !g_str_has_suffix (text, "\n"))
    g_string_append_c (result, '\n');
  if (note != NULL)
    g_string_append_printf (result, "%s%s", note, cut != NULL || !is_end ? "\n" : "");
  if (cut != NULL)
    g_string_append_printf (result, "%s%s", cut, !is_end ? "\n" : "");
  if (!is_end)
    read_file_append_end (result, source, length, at, first);
  return g_string_free (result, FALSE);
}

static char *
read_part (Source *source, const BeckonFolderCall *call, GCancellable *cancellable, GError **error)
{
  JsonObject *arguments = call->arguments;
  g_autofree char *bytes = g_malloc (source->most);
  gint64 byte_offset = beckon_json_get_int (arguments, "byte_offset", -1);
  gint64 first = beckon_json_get_int (arguments, "offset", 1);
  guint64 at = (guint64) MAX (byte_offset, 0);
  gboolean is_picture = FALSE;
  gssize n;

  if (!source_load (source, &is_picture, cancellable, error))
    return NULL;
  if (is_picture)
    {
      GPtrArray *images = call->context->images;
      BeckonPart *part = NULL;
      char *result = beckon_picture_file_read (source->path, source->fd, source->file_size, &part, error);

      if (result != NULL)
        g_ptr_array_add (images, part);
      return result;
    }
  if (byte_offset < 0 && !find_line (source, first, &at, cancellable, error))
    return NULL;
  n = read_at (source, bytes, source->most, at);
  if (n < 0)
    {
      read_file_fail (source, error);
      return NULL;
    }

  return source_tell (source, bytes,
                      choose_length (source, bytes, (gsize) n, beckon_json_get_int (arguments, "limit", DEFAULT_LINES)), at,
                      byte_offset < 0 ? first : -1);
}

/* A link may have been exchanged since the call was judged: what was opened counts. */
static gboolean
leads_to_denied (const BeckonFolderCall *call, int fd)
{
  g_autofree char *name = g_strdup_printf ("/proc/self/fd/%d", fd);
  g_autofree char *opened = call->context->denied != NULL && call->folder != NULL ? g_file_read_link (name, NULL) : NULL;

  return opened != NULL && beckon_folder_call_denies (call, opened);
}

static char *
read_file_run (const BeckonFolderCall *call, GCancellable *cancellable, GError **error)
{
  Source source = { .path = call->path, .is_output = call->folder == NULL, .mask = call->context->mask,
                    .most = beckon_tool_context_bound (call->context, BECKON_FILE_TOOLS_MAX_RESULT) };
  struct stat info;
  char *result = NULL;

  source.fd = source.is_output ? beckon_output_store_open (call->outputs, call->context->conversation_id, call->path, error)
                               : beckon_folder_open_file (call->folder, call->path, error);
  if (source.fd < 0)
    return NULL;
  if (leads_to_denied (call, source.fd))
    {
      close (source.fd);
      g_set_error (error, BECKON_ERROR, BECKON_ERROR_INVALID, "A rule of the user denies “%.200s”.", call->path);
      return NULL;
    }

  if (fstat (source.fd, &info) == 0)
    {
      source.size = source.file_size = (guint64) info.st_size;
      result = read_part (&source, call, cancellable, error);
      if (result != NULL && source.is_output)
        {
          g_autofree char *before = result;
          g_autofree char *end = beckon_output_store_dup_end (call->outputs, call->context->conversation_id, call->path);

          /* A command that runs in the background, or did, has its end behind its output. */
          result = end == NULL
                       ? g_steal_pointer (&before)
                       : g_strconcat (before, *before == '\0' || g_str_has_suffix (before, "\n") ? "" : "\n", end, NULL);
        }
    }
  else
    read_file_fail (&source, error);

  beckon_file_text_free (source.text);
  close (source.fd);
  return result;
}

BeckonTool *
beckon_read_file_new (BeckonOutputStore *outputs)
{
  return beckon_folder_tool_new (beckon_tool_definition_new ("read_file", description, schema, TRUE), read_file_run, outputs);
}
