/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-line-diff.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Myers' greedy algorithm ("An O(ND) Difference Algorithm", 1986), which costs the square of the changes: beyond this many
 * what differs is replaced whole. */
#define MAX_CHANGES 1000

/* More blank lines together are shown as one. */
#define MOST_BLANK 5

typedef struct
{
  const char *start;
  gsize length; /* with its end */
} Line;

struct _BeckonLineDiff
{
  GArray *lines; /* (element-type BeckonLineDiffLine) */
  guint n_removed;
  guint n_added;
};

/* Two texts as numbers, equal for equal lines. */
typedef struct
{
  GArray *lines;
  GArray *ids;
} Text;

typedef struct
{
  BeckonLineDiff *diff;
  Text before;
  Text after;
} Work;

/* FNV-1a from a start of this process's own, so that lines can't be written to have one hash. */
static guint
line_hash (gconstpointer data)
{
  static gsize is_begun;
  static guint64 start;
  const Line *line = data;
  guint64 hash;

  if (g_once_init_enter (&is_begun))
    {
      start = (guint64) g_random_int () << 32 | g_random_int ();
      g_once_init_leave (&is_begun, 1);
    }
  hash = start;
  for (gsize i = 0; i < line->length; i++)
    hash = (hash ^ (guchar) line->start[i]) * G_GUINT64_CONSTANT (0x100000001b3);
  return (guint) (hash ^ hash >> 32);
}

static gboolean
line_equal (gconstpointer one, gconstpointer other)
{
  const Line *a = one;
  const Line *b = other;

  return a->length == b->length && memcmp (a->start, b->start, a->length) == 0;
}

static GArray *
split (const char *text)
{
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (Line));
  gsize left = strlen (text);

  while (left > 0)
    {
      const char *newline = memchr (text, '\n', left);
      Line line = { text, newline != NULL ? (gsize) (newline + 1 - text) : left };

      g_array_append_val (lines, line);
      text += line.length;
      left -= line.length;
    }
  return lines;
}

static void
number (Text *text, GHashTable *known)
{
  text->ids = g_array_sized_new (FALSE, FALSE, sizeof (guint), text->lines->len);
  for (guint i = 0; i < text->lines->len; i++)
    {
      Line *line = &g_array_index (text->lines, Line, i);
      guint id = GPOINTER_TO_UINT (g_hash_table_lookup (known, line));

      if (id == 0)
        {
          id = g_hash_table_size (known) + 1;
          g_hash_table_insert (known, line, GUINT_TO_POINTER (id));
        }
      g_array_append_val (text->ids, id);
    }
}

static gboolean
diff_is_same (Work *work, guint before, guint after)
{
  return g_array_index (work->before.ids, guint, before) == g_array_index (work->after.ids, guint, after);
}

static void
diff_add (Work *work, BeckonLineDiffKind kind, guint before, guint after)
{
  Line *line = kind == BECKON_LINE_DIFF_ADDED ? &g_array_index (work->after.lines, Line, after)
                                              : &g_array_index (work->before.lines, Line, before);
  gboolean has_end = line->length > 0 && line->start[line->length - 1] == '\n';
  BeckonLineDiffLine shown = { kind, line->start, line->length - has_end, before + 1, after + 1 };

  g_array_append_val (work->diff->lines, shown);
  work->diff->n_removed += kind == BECKON_LINE_DIFF_REMOVED;
  work->diff->n_added += kind == BECKON_LINE_DIFF_ADDED;
}

static void
add_run (Work *work, BeckonLineDiffKind kind, guint before, guint after, guint n)
{
  for (guint i = 0; i < n; i++)
    diff_add (work, kind, before + (kind != BECKON_LINE_DIFF_ADDED ? i : 0),
              after + (kind != BECKON_LINE_DIFF_REMOVED ? i : 0));
}

/* How far the diagonal @k, which is @k lines below 0, is reached by change @d; *@is_down: by a line that is added. @last is how
 * far each was reached by the change before; its middle is the diagonal 0. */
static int
reach (const int *last, int d, int k, gboolean *is_down)
{
  const int *middle = last + d - 1;

  *is_down = k == -d || (k != d && middle[k - 1] < middle[k + 1]);
  return *is_down ? middle[k + 1] : middle[k - 1] + 1;
}

/* Adds how far each diagonal is reached with one more change; %TRUE when the end is. */
static gboolean
advance (Work *work, GPtrArray *steps, guint first, int n, int m)
{
  int d = (int) steps->len;
  int *now = g_new (int, 2 * d + 1);
  const int *last = d > 0 ? g_ptr_array_index (steps, steps->len - 1) : NULL;

  g_ptr_array_add (steps, now);
  for (int k = -d; k <= d; k += 2)
    {
      gboolean is_down;
      int x = d > 0 ? reach (last, d, k, &is_down) : 0;

      while (x < n && x - k < m && diff_is_same (work, first + (guint) x, first + (guint) (x - k)))
        x++;
      now[d + k] = x;
      if (x >= n && x - k >= m)
        return TRUE;
    }
  return FALSE;
}

/* The way back from the end, so that the moves come out in reverse. */
static GArray *
trace_back (GPtrArray *steps, int n, int m)
{
  GArray *moves = g_array_new (FALSE, FALSE, sizeof (BeckonLineDiffKind));
  const BeckonLineDiffKind same = BECKON_LINE_DIFF_SAME;
  int x = n;
  int k = n - m;

  for (int d = (int) steps->len - 1; d > 0; d--)
    {
      gboolean is_down;
      int from = reach (g_ptr_array_index (steps, (guint) d - 1), d, k, &is_down);
      BeckonLineDiffKind change = is_down ? BECKON_LINE_DIFF_ADDED : BECKON_LINE_DIFF_REMOVED;

      for (; x > from; x--)
        g_array_append_val (moves, same);
      g_array_append_val (moves, change);
      x -= !is_down;
      k += is_down ? 1 : -1;
    }
  for (; x > 0; x--)
    g_array_append_val (moves, same);
  return moves;
}

/* @n lines and @m lines from line @first on, which begin and end differently. */
static void
compare_middle (Work *work, guint first, guint n, guint m)
{
  g_autoptr (GPtrArray) steps = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) moves = NULL;
  guint before = first;
  guint after = first;

  while (steps->len <= MAX_CHANGES && !advance (work, steps, first, (int) n, (int) m))
    ;
  if (steps->len > MAX_CHANGES)
    {
      add_run (work, BECKON_LINE_DIFF_REMOVED, before, after, n);
      add_run (work, BECKON_LINE_DIFF_ADDED, before + n, after, m);
      return;
    }

  moves = trace_back (steps, (int) n, (int) m);
  for (guint i = moves->len; i > 0; i--)
    {
      BeckonLineDiffKind kind = g_array_index (moves, BeckonLineDiffKind, i - 1);

      diff_add (work, kind, before, after);
      before += kind != BECKON_LINE_DIFF_ADDED;
      after += kind != BECKON_LINE_DIFF_REMOVED;
    }
}

BeckonLineDiff *
beckon_line_diff_new (const char *before, const char *after)
{
  g_autoptr (GHashTable) known = g_hash_table_new (line_hash, line_equal);
  Work work = { 0 };
  guint n;
  guint m;
  guint head = 0;
  guint tail = 0;

  g_return_val_if_fail (before != NULL && after != NULL, NULL);

  work.diff = g_new0 (BeckonLineDiff, 1);
  work.diff->lines = g_array_new (FALSE, FALSE, sizeof (BeckonLineDiffLine));
  work.before.lines = split (before);
  work.after.lines = split (after);
  number (&work.before, known);
  number (&work.after, known);
  n = work.before.lines->len;
  m = work.after.lines->len;
  /* Most changes are small: what is the same at both ends is not searched. */
  while (head < MIN (n, m) && diff_is_same (&work, head, head))
    head++;
  while (tail < MIN (n, m) - head && diff_is_same (&work, n - tail - 1, m - tail - 1))
    tail++;

  add_run (&work, BECKON_LINE_DIFF_SAME, 0, 0, head);
  compare_middle (&work, head, n - head - tail, m - head - tail);
  add_run (&work, BECKON_LINE_DIFF_SAME, n - tail, m - tail, tail);

  g_array_unref (work.before.lines);
  g_array_unref (work.before.ids);
  g_array_unref (work.after.lines);
  g_array_unref (work.after.ids);
  return work.diff;
}

guint
beckon_line_diff_get_n_lines (BeckonLineDiff *diff)
{
  g_return_val_if_fail (diff != NULL, 0);

  return diff->lines->len;
}

const BeckonLineDiffLine *
beckon_line_diff_get_line (BeckonLineDiff *diff, guint index)
{
  g_return_val_if_fail (diff != NULL && index < diff->lines->len, NULL);

  return &g_array_index (diff->lines, BeckonLineDiffLine, index);
}

guint
beckon_line_diff_get_n_removed (BeckonLineDiff *diff)
{
  g_return_val_if_fail (diff != NULL, 0);

  return diff->n_removed;
}

guint
beckon_line_diff_get_n_added (BeckonLineDiff *diff)
{
  g_return_val_if_fail (diff != NULL, 0);

  return diff->n_added;
}

/* Finds the end of the hunk at @start: behind the last change that is near the one before, and its context. */
static guint
find_hunk_end (BeckonLineDiff *diff, guint start, guint n_context)
{
  guint last = start;
  guint i = start;

  for (; i < diff->lines->len && i <= last + 2 * n_context + 1; i++)
    if (beckon_line_diff_get_line (diff, i)->kind != BECKON_LINE_DIFF_SAME)
      last = i;

  return MIN (last + n_context + 1, diff->lines->len);
}

char *
beckon_line_diff_to_unified (BeckonLineDiff *diff, guint n_context)
{
  GString *text = g_string_new (NULL);
  guint end = 0;

  g_return_val_if_fail (diff != NULL, NULL);

  for (guint i = 0; i < diff->lines->len; i++)
    {
      guint start;
      const BeckonLineDiffLine *first;
      guint n_before;
      guint n_after;

      if (i < end || beckon_line_diff_get_line (diff, i)->kind == BECKON_LINE_DIFF_SAME)
        continue;
      start = MAX (end, i > n_context ? i - n_context : 0);
      end = find_hunk_end (diff, i, n_context);
      first = beckon_line_diff_get_line (diff, start);
      n_before = 0;
      n_after = 0;
      for (guint j = start; j < end; j++)
        {
          n_before += beckon_line_diff_get_line (diff, j)->kind != BECKON_LINE_DIFF_ADDED;
          n_after += beckon_line_diff_get_line (diff, j)->kind != BECKON_LINE_DIFF_REMOVED;
        }
      /* Empty sides name the line before. */
      g_string_append_printf (text, "@@ -%u,%u +%u,%u @@\n", first->before - (n_before == 0), n_before,
                              first->after - (n_after == 0), n_after);
      for (guint j = start; j < end; j++)
        {
          const BeckonLineDiffLine *line = beckon_line_diff_get_line (diff, j);
          static const char marks[] = { ' ', '-', '+' };

          g_string_append_c (text, marks[line->kind]);
          g_string_append_len (text, line->text, (gssize) line->length);
          g_string_append_c (text, '\n');
          if (line->text[line->length] == '\0')
            g_string_append (text, "\\ No newline at end of file\n");
        }
    }

  return g_string_free (text, FALSE);
}

/* @sign: of a line that has no more than blanks; NUL for every other one. */
static char
get_blank_sign (const char *line, gsize length)
{
  if (length == 0 || (*line != '+' && *line != '-'))
    return '\0';
  for (gsize i = 1; i < length; i++)
    if (!g_ascii_isspace (line[i]))
      return '\0';
  return *line;
}

char *
beckon_line_diff_fold_blank (const char *unified)
{
  GString *text = g_string_new (NULL);

  g_return_val_if_fail (unified != NULL, NULL);

  for (const char *at = unified; *at != '\0';)
    {
      gsize length = strcspn (at, "\n");
      const char sign = get_blank_sign (at, length);
      const char *end = at;
      guint n = 0;

      for (; sign != '\0' && get_blank_sign (end, strcspn (end, "\n")) == sign; n++)
        end += strcspn (end, "\n") + (end[strcspn (end, "\n")] != '\0');
      if (n > MOST_BLANK)
        {
          g_autofree char *words = g_strdup_printf (ngettext ("(%u blank line)", "(%u blank lines)", n), n);

          g_string_append_printf (text, "%c %s\n", sign, words);
          at = end;
          continue;
        }
      length += at[length] != '\0';
      g_string_append_len (text, at, (gssize) length);
      at += length;
    }
  return g_string_free (text, FALSE);
}

void
beckon_line_diff_free (BeckonLineDiff *diff)
{
  if (diff == NULL)
    return;

  g_array_unref (diff->lines);
  g_free (diff);
}
