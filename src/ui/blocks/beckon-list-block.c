/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-list-block.h"

#include "beckon-block-box.h"
#include "beckon-block-label.h"

#include <glib/gi18n-lib.h>

#define ABOVE_TIGHT 4
#define ABOVE_LOOSE 10

/* Lists within more than so many others are set in less. */
#define DEEP 5

typedef struct
{
  GtkWidget *row;
  GtkWidget *mark;  /* of the row, first */
  GtkWidget *boxes; /* of the row: what the item holds */
  BeckonMarkdownTask task;
} Item;

struct _BeckonListBlock
{
  GtkBox parent_instance;

  GArray *items; /* (element-type Item) */
  guint depth;
};

G_DEFINE_FINAL_TYPE (BeckonListBlock, beckon_list_block, GTK_TYPE_BOX)

static GtkWidget *
make_mark (BeckonMarkdownTask task)
{
  if (task != BECKON_MARKDOWN_NO_TASK)
    {
      gboolean is_done = task == BECKON_MARKDOWN_TASK_DONE;
      GtkWidget *mark = gtk_image_new_from_icon_name (is_done ? "checkbox-checked-symbolic" : "checkbox-symbolic");

      gtk_widget_set_valign (mark, GTK_ALIGN_START);
      gtk_widget_add_css_class (mark, is_done ? "task-done" : "task-open");
      gtk_accessible_update_property (GTK_ACCESSIBLE (mark), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      is_done ? _("Done") : _("To do"), -1);
      return mark;
    }
  return g_object_new (GTK_TYPE_LABEL, "valign", GTK_ALIGN_START, "xalign", 1.0f, NULL);
}

static GtkTextDirection
find_direction (const BeckonMarkdownNode *node)
{
  GtkTextDirection direction
      = node->text != NULL ? beckon_block_label_find_direction (node->text->str) : GTK_TEXT_DIR_NONE;

  for (guint i = 0; i < beckon_markdown_node_get_n_children (node) && direction == GTK_TEXT_DIR_NONE; i++)
    direction = find_direction (beckon_markdown_node_get_child (node, i));
  return direction;
}

/* As wide as the last number is, so that all end where it ends. */
static int
count_mark_chars (const BeckonMarkdownNode *list)
{
  int chars = 2;

  for (guint last = list->first_number + list->children->len; last >= 10; last /= 10)
    chars++;
  return chars;
}

static void
write_mark (BeckonListBlock *self, const Item *item, const BeckonMarkdownNode *list, guint index)
{
  static const char *const bullets[] = { "•", "◦", "▪" };
  g_autofree char *number = NULL;

  if (!GTK_IS_LABEL (item->mark))
    return;
  if (list->is_ordered)
    number = g_strdup_printf ("%u.", list->first_number + index);
  gtk_label_set_width_chars (GTK_LABEL (item->mark), list->is_ordered ? count_mark_chars (list) : -1);
  gtk_label_set_text (GTK_LABEL (item->mark), number != NULL ? number : bullets[(self->depth) % G_N_ELEMENTS (bullets)]);
}

void
beckon_list_block_update (BeckonListBlock *self, const BeckonMarkdownNode *list)
{
  guint n = list->children->len;
  GtkTextDirection direction = find_direction (list);

  while (self->items->len > n)
    {
      Item item = g_array_index (self->items, Item, self->items->len - 1);

      gtk_box_remove (GTK_BOX (self), item.row);
      g_array_set_size (self->items, self->items->len - 1);
    }
  for (guint i = 0; i < n; i++)
    {
      const BeckonMarkdownNode *node = beckon_markdown_node_get_child (list, i);
      Item *item;

      if (i == self->items->len)
        {
          gboolean is_deep = self->depth >= DEEP;
          /* A box would ask for widths by height, and each text would be laid out again and again. */
          Item made = { .row = g_object_new (GTK_TYPE_GRID, "column-spacing", is_deep ? 2 : 8, "accessible-role",
                                             GTK_ACCESSIBLE_ROLE_LIST_ITEM, NULL) };

          made.boxes = beckon_block_box_new (self->depth + 1);
          gtk_widget_set_hexpand (made.boxes, TRUE);
          gtk_grid_attach (GTK_GRID (made.row), made.boxes, 1, 0, 1, 1);
          gtk_widget_set_margin_start (made.row, is_deep ? 0 : 6);
          gtk_box_append (GTK_BOX (self), made.row);
          g_array_append_val (self->items, made);
        }
      item = &g_array_index (self->items, Item, i);

      if (item->mark == NULL || item->task != node->task)
        {
          if (item->mark != NULL)
            gtk_grid_remove (GTK_GRID (item->row), item->mark);
          item->mark = make_mark (node->task);
          item->task = node->task;
          gtk_grid_attach (GTK_GRID (item->row), item->mark, 0, 0, 1, 1);
          gtk_widget_insert_after (item->mark, item->row, NULL);
        }

      write_mark (self, item, list, i);
      /* The marks of a list stand where its first words begin. */
      gtk_widget_set_direction (item->row, direction);
      gtk_widget_set_direction (item->mark, direction);
      beckon_block_box_set_tight (BECKON_BLOCK_BOX (item->boxes), list->is_tight);
      beckon_block_box_update (BECKON_BLOCK_BOX (item->boxes), node->children, 0, node->children->len);
      gtk_widget_set_margin_top (item->row, i == 0 ? 0 : list->is_tight ? ABOVE_TIGHT : ABOVE_LOOSE);
    }
}

static void
beckon_list_block_finalize (GObject *object)
{
  g_array_unref (BECKON_LIST_BLOCK (object)->items);
  G_OBJECT_CLASS (beckon_list_block_parent_class)->finalize (object);
}

static void
beckon_list_block_class_init (BeckonListBlockClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_list_block_finalize;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_LIST);
}

static void
beckon_list_block_init (BeckonListBlock *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  self->items = g_array_new (FALSE, FALSE, sizeof (Item));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("List"), -1);
}

GtkWidget *
beckon_list_block_new (guint depth)
{
  BeckonListBlock *self = g_object_new (BECKON_TYPE_LIST_BLOCK, NULL);

  self->depth = depth;
  return GTK_WIDGET (self);
}
