/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-table-block.h"

#include "beckon-inline.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MOST_COLUMNS 20
#define MOST_ROWS 500
#define WIDEST 36 /* characters */

struct _BeckonTableBlock
{
  AdwBin parent_instance;

  guint lines;   /* lines of the text that are shown */
  gsize read;    /* bytes of them */
  guint columns;
  float align[MOST_COLUMNS];

  GtkGrid *grid;
};

G_DEFINE_FINAL_TYPE (BeckonTableBlock, beckon_table_block, ADW_TYPE_BIN)

/* The cells of a line, without the bars at its ends; a bar behind a backslash is text. */
static GPtrArray *
split (const char *line, gsize length)
{
  GPtrArray *cells = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) cell = g_string_new (NULL);
  gsize i = 0;

  while (length > 0 && g_ascii_isspace (line[length - 1]))
    length--;
  while (i < length && g_ascii_isspace (line[i]))
    i++;
  if (i < length && line[i] == '|')
    i++;
  for (; i < length; i++)
    {
      if (line[i] == '\\' && i + 1 < length && line[i + 1] == '|')
        g_string_append_c (cell, line[++i]);
      else if (line[i] != '|')
        g_string_append_c (cell, line[i]);
      else
        {
          g_ptr_array_add (cells, g_strstrip (g_strdup (cell->str)));
          g_string_truncate (cell, 0);
        }
    }
  if (cell->len > 0)
    g_ptr_array_add (cells, g_strstrip (g_strdup (cell->str)));
  return cells;
}

static gsize
get_line_length (const char *text)
{
  return strcspn (text, "\n");
}

/* "---", ":--", "--:" or ":-:". */
static gboolean
is_dashes (const char *cell)
{
  gsize n = *cell == ':' ? 1 : 0;
  gsize dashes = strspn (cell + n, "-");

  n += dashes;
  if (cell[n] == ':')
    n++;
  return dashes > 0 && cell[n] == '\0';
}

static gboolean
is_ruler (const char *line, gsize length)
{
  g_autoptr (GPtrArray) cells = split (line, length);

  for (guint i = 0; i < cells->len; i++)
    {
      if (!is_dashes (g_ptr_array_index (cells, i)))
        return FALSE;
    }
  return cells->len > 0;
}

gboolean
beckon_table_block_is_table (const char *text)
{
  gsize first = get_line_length (text);

  if (text[first] == '\0')
    return FALSE;
  return is_ruler (text + first + 1, get_line_length (text + first + 1));
}

static void
read_ruler (BeckonTableBlock *self, const char *line, gsize length)
{
  g_autoptr (GPtrArray) cells = split (line, length);

  for (guint i = 0; i < MIN (cells->len, MOST_COLUMNS); i++)
    {
      const char *cell = g_ptr_array_index (cells, i);

      if (g_str_has_suffix (cell, ":"))
        self->align[i] = *cell == ':' ? 0.5f : 1.0f;
    }
}

/* As wide as it is long, up to a limit, and no narrower: what scrolls sideways cannot know its height at another width. */
static GtkWidget *
make_cell (BeckonTableBlock *self, const char *text, guint column, gboolean heading)
{
  g_autoptr (PangoAttrList) attributes = NULL;
  g_autofree char *plain = beckon_inline_render (text, &attributes);
  int chars = (int) MIN (g_utf8_strlen (plain, -1) + 1, WIDEST);
  GtkWidget *label = g_object_new (GTK_TYPE_LABEL, "label", plain, "attributes", attributes, "wrap", TRUE, "wrap-mode",
                                   PANGO_WRAP_WORD_CHAR, "width-chars", chars, "max-width-chars", chars, "xalign",
                                   self->align[column], "yalign", 0.0f, "selectable", TRUE, "focusable", FALSE, NULL);

  gtk_widget_add_css_class (label, heading ? "table-heading" : "table-cell");
  return label;
}

static void
add_row (BeckonTableBlock *self, const char *line, gsize length)
{
  g_autoptr (GPtrArray) cells = split (line, length);
  gboolean heading = self->lines == 0;
  guint row = heading ? 0 : self->lines - 1;

  if (heading)
    self->columns = MIN (cells->len, MOST_COLUMNS);
  for (guint i = 0; i < self->columns && row < MOST_ROWS; i++)
    {
      const char *text = i < cells->len ? g_ptr_array_index (cells, i) : "";

      gtk_grid_attach (self->grid, make_cell (self, text, i, heading), (int) i, (int) row, 1, 1);
    }
}

void
beckon_table_block_update (BeckonTableBlock *self, const char *text)
{
  g_return_if_fail (BECKON_IS_TABLE_BLOCK (self));

  /* The line of dashes says how the headings stand. */
  if (self->lines == 0 && beckon_table_block_is_table (text))
    read_ruler (self, text + get_line_length (text) + 1, get_line_length (text + get_line_length (text) + 1));
  while (self->read < strlen (text))
    {
      const char *line = text + self->read;
      gsize length = get_line_length (line);

      /* The end of a line that was read before comes with the next one; a table has no empty lines. */
      if (length > 0)
        {
          if (self->lines != 1)
            add_row (self, line, length);
          self->lines++;
        }
      self->read += length + (line[length] == '\n' ? 1 : 0);
    }
}

static void
beckon_table_block_class_init (BeckonTableBlockClass *klass)
{
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
beckon_table_block_init (BeckonTableBlock *self)
{
  GtkWidget *scroller = g_object_new (GTK_TYPE_SCROLLED_WINDOW, "vscrollbar-policy", GTK_POLICY_NEVER,
                                      "propagate-natural-height", TRUE, "propagate-natural-width", TRUE, NULL);

  self->grid = GTK_GRID (gtk_grid_new ());
  gtk_widget_set_halign (GTK_WIDGET (self->grid), GTK_ALIGN_START);
  gtk_widget_add_css_class (GTK_WIDGET (self), "table-block");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Table"), -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), GTK_WIDGET (self->grid));
  adw_bin_set_child (ADW_BIN (self), scroller);
}

GtkWidget *
beckon_table_block_new (void)
{
  return g_object_new (BECKON_TYPE_TABLE_BLOCK, NULL);
}
