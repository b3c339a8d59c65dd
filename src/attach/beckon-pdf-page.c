/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The lines of a page. Poppler puts the cells of a table next to each other without a blank, and lets a row with an empty
 * cell run into the next one; or it gives a table column by column, with the heading of one that is wide, and what stands in
 * one that is nearly empty, far from their rows. Only such lines, and what belongs between them, are laid out anew by where
 * their letters are: all other text, columns of prose too, stays in Poppler's order. */

#include "beckon-pdf-page.h"

#include <string.h>

#define MOST_BLANKS 80

/* A table is looked for column by column in so many lines and cells, with so many letters in the mean cell. */
#define MOST_LINES 2000
#define MOST_CELLS 1000
#define MEAN_CHARS 20

/* Letters in a line of Poppler's without a wide gap between them. */
typedef struct
{
  const char *text;
  gsize length;
  guint n_chars;
  PopplerRectangle box;
} Cell;

/* A line of Poppler's. */
typedef struct
{
  const char *text;
  gsize length;
  guint first_cell, n_cells;
  gboolean is_joined; /* cells touch each other in it */
  gboolean is_level;  /* it is not written upwards or downwards */
  PopplerRectangle box;
} Line;

static gboolean
is_beside (const PopplerRectangle *a, const PopplerRectangle *b)
{
  return a->y1 < b->y2 && b->y1 < a->y2;
}

static void
extend (PopplerRectangle *box, const PopplerRectangle *by)
{
  box->x1 = MIN (box->x1, by->x1);
  box->y1 = MIN (box->y1, by->y1);
  box->x2 = MAX (box->x2, by->x2);
  box->y2 = MAX (box->y2, by->y2);
}

/* Reads a line that begins at @text; @box is that of its first letter. */
static Line
pdf_page_read_line (const char *text, const PopplerRectangle *box, GArray *cells)
{
  Line line = { .text = text, .length = strcspn (text, "\n"), .first_cell = cells->len, .is_level = TRUE };
  const char *end = text + line.length;
  Cell *cell = NULL;
  guint n_letters = 0, n_steps = 0, n_chars = 0;
  gboolean is_after_blank = FALSE;

  for (const char *at = text; at < end; at = g_utf8_next_char (at), box++, n_chars++)
    {
      gboolean is_blank = g_unichar_isspace (g_utf8_get_char (at));
      gboolean is_apart = cell != NULL && !is_blank
                          && (!is_beside (&cell->box, box) || box->x1 - cell->box.x2 > box->y2 - box->y1);

      if (is_apart && is_beside (&cell->box, box) && !is_after_blank)
        line.is_joined = TRUE;
      is_after_blank = is_blank;
      if (is_blank)
        continue;
      n_letters++;
      n_steps += cell != NULL && !is_beside (&cell->box, box);
      if (cell == NULL || is_apart)
        {
          n_chars = 0;
          g_array_append_val (cells, ((Cell){ .text = at, .box = *box }));
          cell = &g_array_index (cells, Cell, cells->len - 1);
        }
      cell->length = (gsize) (g_utf8_next_char (at) - cell->text);
      cell->n_chars = n_chars + 1;
      extend (&cell->box, box);
    }
  line.n_cells = cells->len - line.first_cell;
  line.is_level = n_steps <= 1 || n_steps * 4 <= n_letters;
  for (guint i = 0; i < line.n_cells; i++)
    {
      cell = &g_array_index (cells, Cell, line.first_cell + i);
      if (i == 0)
        line.box = cell->box;
      extend (&line.box, &cell->box);
    }
  return line;
}

static int
compare_height (gconstpointer a, gconstpointer b)
{
  const Cell *first = a, *second = b;
  double difference = first->box.y1 + first->box.y2 - second->box.y1 - second->box.y2;

  return difference < 0 ? -1 : difference > 0;
}

static int
compare_place (gconstpointer a, gconstpointer b)
{
  const Cell *first = a, *second = b;

  return first->box.x1 < second->box.x1 ? -1 : first->box.x1 > second->box.x1;
}

static void
append_row (GString *text, Cell *cells, guint n_cells, double left, double width)
{
  glong at = 0;

  qsort (cells, n_cells, sizeof *cells, compare_place);
  for (guint i = 0; i < n_cells; i++)
    {
      glong column = (glong) CLAMP ((cells[i].box.x1 - left) / width, 0, 10000);
      gboolean is_apart = i > 0 && cells[i].box.x1 - cells[i - 1].box.x2 > (cells[i].box.y2 - cells[i].box.y1) / 8;
      glong n_blanks = CLAMP (column - at, is_apart ? 2 : 0, i > 0 && !is_apart ? 0 : MOST_BLANKS);

      g_string_append_printf (text, "%*s", (int) n_blanks, "");
      g_string_append_len (text, cells[i].text, (gssize) cells[i].length);
      at += n_blanks + cells[i].n_chars;
    }
  g_string_append_c (text, '\n');
}

/* Rows from above to below, each from left to right. */
static void
append_table (GString *text, GArray *cells, const Line *lines, guint n_lines, const PopplerRectangle *box)
{
  guint first = lines[0].first_cell;
  guint n_cells = lines[n_lines - 1].first_cell + lines[n_lines - 1].n_cells - first;
  g_autofree Cell *sorted = g_memdup2 (&g_array_index (cells, Cell, first), n_cells * sizeof (Cell));
  double width = 0;
  guint n_chars = 0;

  for (guint i = 0; i < n_cells; i++)
    {
      width += sorted[i].box.x2 - sorted[i].box.x1;
      n_chars += sorted[i].n_chars;
    }
  width = n_chars > 0 && width > n_chars ? width / n_chars : 1;
  qsort (sorted, n_cells, sizeof *sorted, compare_height);
  for (guint begin = 0, end; begin < n_cells; begin = end)
    {
      for (end = begin + 1; end < n_cells
           && sorted[end].box.y1 + sorted[end].box.y2 < 2 * sorted[begin].box.y2; end++)
        ;
      append_row (text, sorted + begin, end - begin, box->x1, width);
    }
}

/* How many lines from @lines on are a table: those in which cells touch, and what Poppler puts behind them although it stands
 * between them. */
static guint
count_table (const Line *lines, guint n_lines, PopplerRectangle *box)
{
  guint n = 0;

  *box = lines[0].box;
  for (; n < n_lines && lines[n].is_joined && lines[n].is_level; n++)
    extend (box, &lines[n].box);
  if (n == 0)
    return 0;
  for (; n < n_lines && lines[n].n_cells > 0 && lines[n].is_level && lines[n].box.x1 >= box->x1 && lines[n].box.x1 <= box->x2
       && lines[n].box.y1 >= box->y1 - 1 && lines[n].box.y2 <= box->y2 + 1; n++)
    ;
  return n;
}

static gboolean
goes_up (const Cell *before, const Cell *cell)
{
  return cell->box.y1 < before->box.y1 - 1 && !is_beside (&before->box, &cell->box);
}

static gboolean
pdf_page_is_number (const Cell *cell)
{
  gboolean has_digit = FALSE;

  for (const char *at = cell->text; at < cell->text + cell->length; at = g_utf8_next_char (at))
    {
      if (g_unichar_isalpha (g_utf8_get_char (at)))
        return FALSE;
      has_digit = has_digit || g_ascii_isdigit (*at);
    }
  return has_digit;
}

/* At the height of one of the @n cells of the first column. */
static gboolean
is_in_row (const Cell *column, guint n, const Cell *cell)
{
  double middle = (cell->box.y1 + cell->box.y2) / 2;

  for (guint i = 0; i < n; i++)
    if (middle > column[i].box.y1 && middle < column[i].box.y2)
      return TRUE;
  return FALSE;
}

/* How many lines from @lines on are a table that Poppler gives column by column: each goes up again, to the right of the one
 * before, and stands in the rows of the first. Prose has no column of numbers, and longer lines. */
static guint
count_columns (GArray *cells, const Line *lines, guint n_lines, PopplerRectangle *box)
{
  const Cell *first = &g_array_index (cells, Cell, lines[0].first_cell);
  guint n = 0, n_first = 1, n_columns = 1, n_chars = 0, end;
  gboolean has_numbers = FALSE;
  double left;

  for (guint i = 0; i < n_lines && lines[i].is_level && lines[i].n_cells > 0 && n < MOST_CELLS; i++)
    n += lines[i].n_cells;
  if (n == 0)
    return 0;
  while (n_first < n && !goes_up (&first[n_first - 1], &first[n_first]))
    n_first++;
  for (left = first->box.x1, end = n_first; end < n; n_columns++)
    {
      guint at = end, last = end, n_aligned = 0, n_numbers = 0;
      double x1 = first[end].box.x1;

      for (; at < n && (at == end || !goes_up (&first[at - 1], &first[at])); at++)
        {
          if (!is_in_row (first, n_first, &first[at]))
            continue;
          n_aligned++;
          n_numbers += pdf_page_is_number (&first[at]);
          last = at + 1;
        }
      if (n_aligned == 0 || last - end > 2 * n_aligned || x1 <= left)
        break;
      has_numbers = has_numbers || 2 * n_numbers >= n_aligned;
      left = x1;
      end = last;
      /* Text that stands below the table. */
      if (last < at)
        n = last;
    }
  for (guint i = 0; i < end; i++)
    n_chars += first[i].n_chars;
  if (n_columns < 3 || !has_numbers || n_chars > MEAN_CHARS * end)
    return 0;
  *box = lines[0].box;
  for (n = 0; n < n_lines && lines[n].first_cell < lines[0].first_cell + end; n++)
    extend (box, &lines[n].box);
  return n;
}

char *
beckon_pdf_page_dup_text (PopplerPage *page)
{
  g_autofree char *text = poppler_page_get_text (page);
  g_autofree PopplerRectangle *boxes = NULL;
  guint n_boxes = 0;
  g_autoptr (GArray) cells = NULL;
  g_autoptr (GArray) lines = NULL;
  const PopplerRectangle *box_at;
  GString *shown;
  guint n_table;

  if (text == NULL || !poppler_page_get_text_layout (page, &boxes, &n_boxes) || n_boxes != (guint) g_utf8_strlen (text, -1))
    return g_steal_pointer (&text);
  box_at = boxes;
  cells = g_array_new (FALSE, FALSE, sizeof (Cell));
  lines = g_array_new (FALSE, FALSE, sizeof (Line));
  shown = g_string_new (NULL);
  for (const char *at = text; *at != '\0';)
    {
      Line line = pdf_page_read_line (at, box_at, cells);

      g_array_append_val (lines, line);
      box_at += g_utf8_strlen (at, (gssize) line.length) + (at[line.length] != '\0');
      at += line.length + (at[line.length] != '\0');
    }
  for (guint i = 0; i < lines->len; i += MAX (n_table, 1))
    {
      const Line *line = &g_array_index (lines, Line, i);
      PopplerRectangle box;

      n_table = lines->len <= MOST_LINES ? count_columns (cells, line, lines->len - i, &box) : 0;
      if (n_table == 0)
        n_table = count_table (line, lines->len - i, &box);
      if (n_table > 0)
        append_table (shown, cells, line, n_table, &box);
      else
        g_string_append_c (g_string_append_len (shown, line->text, (gssize) line->length), '\n');
    }
  return g_string_free (shown, FALSE);
}
