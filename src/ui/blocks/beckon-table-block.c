/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-table-block.h"

#include "beckon-block-label.h"
#include "beckon-picture-block.h"
#include "ui/widgets/beckon-scrolled.h"

#include <glib/gi18n-lib.h>

#define MOST_COLUMNS 40
#define MOST_ROWS 1000
#define WIDEST 36 /* characters */

/* Rows in which pictures can be seen: each is a widget of its own. */
#define MOST_PICTURE_ROWS 100

struct _BeckonTableBlock
{
  AdwBin parent_instance;

  GPtrArray *rows; /* (element-type BeckonMarkdownNode): what is shown */
  GtkGrid *grid;
};

G_DEFINE_FINAL_TYPE (BeckonTableBlock, beckon_table_block, ADW_TYPE_BIN)

/* A Chinese character takes the room of two Latin letters. */
static int
count_columns (const char *text)
{
  int columns = 0;

  for (const char *at = text; *at != '\0' && columns < WIDEST; at = g_utf8_next_char (at))
    {
      gunichar character = g_utf8_get_char (at);

      columns += g_unichar_iszerowidth (character) ? 0 : g_unichar_iswide (character) ? 2 : 1;
    }
  return columns;
}

/* As wide as it is long, up to a limit, and no narrower: what scrolls sideways cannot know its height at another width. */
static void
shape_label (GtkLabel *label, const BeckonMarkdownNode *cell)
{
  int chars = MIN (count_columns (gtk_label_get_text (label)) + 1, WIDEST);

  gtk_label_set_max_width_chars (label, chars);
  gtk_label_set_width_chars (label, chars);
  gtk_label_set_xalign (label, cell->align == BECKON_MARKDOWN_ALIGN_CENTER  ? 0.5f
                               : cell->align == BECKON_MARKDOWN_ALIGN_RIGHT ? 1.0f
                                                                            : 0.0f);
  gtk_label_set_justify (label, cell->align == BECKON_MARKDOWN_ALIGN_CENTER  ? GTK_JUSTIFY_CENTER
                                : cell->align == BECKON_MARKDOWN_ALIGN_RIGHT ? GTK_JUSTIFY_RIGHT
                                                                             : GTK_JUSTIFY_LEFT);
}

static GtkWidget *
get_cell (BeckonTableBlock *self, guint column, guint row, gboolean has_pictures)
{
  GtkWidget *widget = gtk_grid_get_child_at (self->grid, (int) column, (int) row);
  GtkWidget *label;

  if (widget != NULL && BECKON_IS_PICTURE_BLOCK (widget) == has_pictures)
    return widget;
  if (widget != NULL)
    gtk_grid_remove (self->grid, widget);
  widget = has_pictures ? beckon_picture_block_new () : GTK_WIDGET (beckon_block_label_new ());
  label = has_pictures ? GTK_WIDGET (beckon_picture_block_get_label (BECKON_PICTURE_BLOCK (widget))) : widget;
  gtk_widget_set_hexpand (label, FALSE);
  gtk_widget_set_focusable (label, FALSE);
  gtk_widget_add_css_class (widget, row == 0 ? "table-heading" : "table-cell");
  gtk_grid_attach (self->grid, widget, (int) column, (int) row, 1, 1);
  return widget;
}

void
beckon_table_block_update (BeckonTableBlock *self, const BeckonMarkdownNode *table)
{
  guint n = MIN (table->children->len, MOST_ROWS);

  while (self->rows->len > n)
    {
      gtk_grid_remove_row (self->grid, (int) self->rows->len - 1);
      g_ptr_array_set_size (self->rows, (int) self->rows->len - 1);
    }
  for (guint i = 0; i < n; i++)
    {
      BeckonMarkdownNode *row = beckon_markdown_node_get_child (table, i);

      if (i < self->rows->len && beckon_markdown_node_equal (g_ptr_array_index (self->rows, i), row))
        continue;
      for (guint column = 0; column < MIN (row->children->len, MOST_COLUMNS); column++)
        {
          const BeckonMarkdownNode *cell = beckon_markdown_node_get_child (row, column);
          gboolean has_pictures = i < MOST_PICTURE_ROWS && beckon_picture_block_takes (cell);
          GtkWidget *widget = get_cell (self, column, i, has_pictures);

          if (has_pictures)
            {
              beckon_picture_block_update (BECKON_PICTURE_BLOCK (widget), cell);
              shape_label (beckon_picture_block_get_label (BECKON_PICTURE_BLOCK (widget)), cell);
              continue;
            }
          beckon_block_label_set_node (GTK_LABEL (widget), cell);
          shape_label (GTK_LABEL (widget), cell);
          /* A label that cannot take the focus says that it has, and Tab would end there. */
          gtk_widget_set_can_focus (widget, beckon_block_label_has_links (GTK_LABEL (widget)));
        }
      if (i == self->rows->len)
        g_ptr_array_add (self->rows, NULL);
      g_clear_pointer (&g_ptr_array_index (self->rows, i), beckon_markdown_node_unref);
      g_ptr_array_index (self->rows, i) = beckon_markdown_node_ref (row);
    }
}

static void
beckon_table_block_finalize (GObject *object)
{
  g_ptr_array_unref (BECKON_TABLE_BLOCK (object)->rows);
  G_OBJECT_CLASS (beckon_table_block_parent_class)->finalize (object);
}

static void
beckon_table_block_class_init (BeckonTableBlockClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_table_block_finalize;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
beckon_table_block_init (BeckonTableBlock *self)
{
  GtkWidget *scroller = g_object_new (GTK_TYPE_SCROLLED_WINDOW, "vscrollbar-policy", GTK_POLICY_NEVER,
                                      "propagate-natural-height", TRUE, "propagate-natural-width", TRUE, NULL);

  self->rows = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_markdown_node_unref);
  self->grid = GTK_GRID (gtk_grid_new ());
  gtk_widget_set_halign (GTK_WIDGET (self->grid), GTK_ALIGN_START);
  gtk_widget_add_css_class (GTK_WIDGET (self), "table-block");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Table"), -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), GTK_WIDGET (self->grid));
  beckon_scroll_past (scroller);
  adw_bin_set_child (ADW_BIN (self), scroller);
}

GtkWidget *
beckon_table_block_new (void)
{
  return g_object_new (BECKON_TYPE_TABLE_BLOCK, NULL);
}
