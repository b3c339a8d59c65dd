/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-landing-content.h"

#include "base/beckon-file-text.h"
#include "base/beckon-line-diff.h"
#include "beckon-landing-tree.h"

#include <stdio.h>
#include <string.h>

#define CHUNK (64 * 1024)

gboolean
beckon_landing_content_is_same (int one, int other, GCancellable *cancellable, gboolean *is_read)
{
  g_autofree guchar *bytes = g_malloc (2 * CHUNK);
  goffset offset = 0;

  *is_read = TRUE;
  while (!g_cancellable_is_cancelled (cancellable))
    {
      gssize n = beckon_landing_tree_read_at (one, bytes, CHUNK, offset);
      gssize m = beckon_landing_tree_read_at (other, bytes + CHUNK, CHUNK, offset);

      *is_read = n >= 0 && m >= 0;
      if (!*is_read || n != m || memcmp (bytes, bytes + CHUNK, (gsize) n) != 0)
        return FALSE;
      if (n == 0)
        return TRUE;
      offset += n;
    }
  *is_read = FALSE;
  return FALSE;
}

char *
beckon_landing_content_hash (int fd, GCancellable *cancellable)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree guchar *bytes = g_malloc (CHUNK);
  goffset offset = 0;
  gssize n;

  while ((n = beckon_landing_tree_read_at (fd, bytes, CHUNK, offset)) > 0 && !g_cancellable_is_cancelled (cancellable))
    {
      g_checksum_update (checksum, bytes, n);
      offset += n;
    }
  return n == 0 ? g_strdup (g_checksum_get_string (checksum)) : NULL;
}

/* Pieces overlap by what a value may reach over. */
gboolean
beckon_landing_content_has_secret (int fd, BeckonMask *mask, GCancellable *cancellable)
{
  g_autofree guchar *bytes = NULL;
  gsize reach;
  goffset offset = 0;
  gssize n;

  if (mask == NULL || beckon_mask_is_empty (mask))
    return FALSE;

  reach = beckon_mask_get_reach (mask);
  bytes = g_malloc (CHUNK + reach);
  while ((n = beckon_landing_tree_read_at (fd, bytes, CHUNK + reach, offset)) > 0 && !g_cancellable_is_cancelled (cancellable))
    {
      if (beckon_mask_finds (mask, (const char *)bytes, (gsize) n))
        return TRUE;
      offset += CHUNK;
    }
  return n < 0;
}

/* Text with more than one control character in twenty is something else, that nobody can read. */
static gboolean
landing_content_is_showable (const char *text)
{
  guint n_lines = 0;
  gsize n_controls = 0, length = 0;

  for (; text[length] != '\0'; length++)
    {
      n_lines += text[length] == '\n';
      n_controls += g_ascii_iscntrl (text[length]) && strchr ("\t\n\r\b\f\033", text[length]) == NULL;
    }
  return n_lines <= BECKON_LANDING_CONTENT_MAX_LINES && n_controls * 20 <= length;
}

char *
beckon_landing_content_read_text (int fd)
{
  gsize size;
  g_autofree char *text = beckon_landing_tree_read (fd, BECKON_LANDING_CONTENT_MAX_TEXT, &size);

  if (text == NULL || memchr (text, '\0', size) != NULL || !g_utf8_validate_len (text, size, NULL))
    return NULL;
  return landing_content_is_showable (text) ? g_steal_pointer (&text) : NULL;
}

/* (nullable): the same of text in any encoding, for looking at alone: it is not what the bytes are. */
static char *
read_decoded (int fd)
{
  gsize size;
  g_autofree char *data = beckon_landing_tree_read (fd, BECKON_LANDING_CONTENT_MAX_TEXT, &size);
  g_autoptr (GBytes) bytes = data != NULL ? g_bytes_new_static (data, size) : NULL;
  g_autoptr (BeckonFileText) file = bytes != NULL ? beckon_file_text_new (bytes) : NULL;

  return file != NULL && landing_content_is_showable (file->text) ? beckon_file_text_show (file, file->text, -1) : NULL;
}

static guint
count_hunks (const char *diff)
{
  guint n = 0;

  for (const char *at = diff; at != NULL && *at != '\0'; at = strchr (at, '\n'), at = at != NULL ? at + 1 : NULL)
    n += g_str_has_prefix (at, "@@ ");
  return n;
}

static void
show_difference (BeckonFileChange *change, const char *before, const char *after, BeckonMask *mask, gsize *left)
{
  g_autoptr (BeckonLineDiff) lines = beckon_line_diff_new (before, after);
  g_autofree char *diff = beckon_line_diff_to_unified (lines, BECKON_LANDING_CONTENT_CONTEXT_LINES);
  guint n_hunks = count_hunks (diff);

  change->is_text = TRUE;
  change->n_added = beckon_line_diff_get_n_added (lines);
  change->n_removed = beckon_line_diff_get_n_removed (lines);
  if (strlen (diff) > BECKON_CHANGE_SET_MAX_DIFF)
    return;
  if (mask != NULL)
    {
      char *masked = beckon_mask_apply (mask, diff);

      g_free (diff);
      diff = masked;
    }

  /* A secret of several lines may hide where a hunk begins. Then they cannot be chosen one by one. */
  if (strlen (diff) > MIN (*left, BECKON_CHANGE_SET_MAX_DIFF) || count_hunks (diff) != n_hunks)
    return;
  *left -= strlen (diff);
  change->n_hunks = n_hunks;
  change->diff = g_steal_pointer (&diff);
}

void
beckon_landing_content_describe (
    BeckonFileChange *change, int before, int after, BeckonMask *mask, gsize *left, GCancellable *cancellable)
{
  g_autofree char *old = NULL;
  g_autofree char *new = NULL;

  if (before >= 0)
    {
      change->before_hash = beckon_landing_content_hash (before, cancellable);
      change->is_withheld = beckon_landing_content_has_secret (before, mask, cancellable);
    }
  if (after >= 0)
    change->after_hash = beckon_landing_content_hash (after, cancellable);
  if (g_cancellable_is_cancelled (cancellable))
    return;

  old = before >= 0 ? beckon_landing_content_read_text (before) : g_strdup ("");
  new = after >= 0 && old != NULL ? beckon_landing_content_read_text (after) : g_strdup ("");
  if (old != NULL && new != NULL)
    {
      show_difference (change, old, new, mask, left);
      return;
    }
  g_free (old);
  g_free (new);
  old = before >= 0 ? read_decoded (before) : g_strdup ("");
  new = after >= 0 ? read_decoded (after) : g_strdup ("");
  /* A file of which only the encoding differs has nothing to see; and no part of such a difference is chosen alone. */
  if (old != NULL && new != NULL && strcmp (old, new) != 0)
    {
      show_difference (change, old, new, mask, left);
      change->n_hunks = MIN (change->n_hunks, 1);
    }
}

static int
compare_numbers (gconstpointer one, gconstpointer other)
{
  return *(const int *) one - *(const int *) other;
}

/* The lines of a text keep their ends: the last one may have none. */
static void
landing_content_append_line (GString *text, const BeckonLineDiffLine *line)
{
  g_string_append_len (text, line->text, (gssize) line->length + (line->text[line->length] == '\n'));
}

/* A hunk is over where more lines stay than the context of two changes has: as beckon_line_diff_to_unified() has it. */
char *
beckon_landing_content_merge (const char *before, const char *after, GArray *kept)
{
  g_autoptr (BeckonLineDiff) lines = beckon_line_diff_new (before, after);
  GString *text = g_string_new (NULL);
  guint n_same = G_MAXUINT;
  int hunk = -1;

  for (guint i = 0; i < beckon_line_diff_get_n_lines (lines); i++)
    {
      const BeckonLineDiffLine *line = beckon_line_diff_get_line (lines, i);

      if (line->kind == BECKON_LINE_DIFF_SAME)
        {
          n_same += n_same < G_MAXUINT;
          landing_content_append_line (text, line);
          continue;
        }
      hunk += n_same > 2 * BECKON_LANDING_CONTENT_CONTEXT_LINES;
      n_same = 0;
      if (g_array_binary_search (kept, &hunk, compare_numbers, NULL) == (line->kind == BECKON_LINE_DIFF_ADDED))
        landing_content_append_line (text, line);
    }

  return g_string_free (text, FALSE);
}

static const char *
copy_lines (GString *text, const char *from, guint n)
{
  for (guint i = 0; i < n && *from != '\0'; i++)
    {
      const char *end = strchr (from, '\n');
      gsize length = end != NULL ? (gsize) (end - from) + 1 : strlen (from);

      if (text != NULL)
        g_string_append_len (text, from, (gssize) length);
      from += length;
    }
  return from;
}

char *
beckon_landing_content_unapply (const char *diff, const char *after, const char *hash)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_auto (GStrv) lines = NULL;
  g_autofree char *found = NULL;
  char last = '\0';
  guint n = 0;

  g_return_val_if_fail (diff != NULL && after != NULL, NULL);

  lines = g_strsplit (diff, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char mark = lines[i][0];
      const char *plus = mark == '@' ? strchr (lines[i], '+') : NULL;
      guint start = 0, length = 1;

      /* How many lines of the text afterwards stand before the hunk. */
      if (plus != NULL && sscanf (plus, "+%u,%u", &start, &length) > 0 && length > 0 && start > 0)
        start--;
      if (start > n)
        {
          after = copy_lines (text, after, start - n);
          n = start;
        }
      if (mark == ' ' || mark == '+')
        {
          after = copy_lines (mark == ' ' ? text : NULL, after, 1);
          n++;
        }
      else if (mark == '-')
        g_string_append_printf (text, "%s\n", lines[i] + 1);
      else if (mark == '\\' && last == '-')
        g_string_truncate (text, text->len - 1);
      last = mark;
    }
  copy_lines (text, after, G_MAXUINT);
  found = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text->str, (gssize) text->len);
  if (hash != NULL ? strcmp (found, hash) != 0 : text->len > 0)
    return NULL;

  return g_string_free (g_steal_pointer (&text), FALSE);
}
