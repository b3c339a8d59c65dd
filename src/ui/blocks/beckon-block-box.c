/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-block-box.h"

#include "beckon-block-view.h"

/* Above a block, in pixels. */
#define ABOVE_HEADING 18
#define ABOVE_BLOCK 10
#define ABOVE_TIGHT 4

struct _BeckonBlockBox
{
  GtkBox parent_instance;

  GPtrArray *views; /* (element-type BeckonBlockView): borrowed */
  guint depth;
  gboolean is_tight;
  gboolean is_continued;
};

G_DEFINE_FINAL_TYPE (BeckonBlockBox, beckon_block_box, GTK_TYPE_BOX)

void
beckon_block_box_update (BeckonBlockBox *self, GPtrArray *blocks, guint first, guint n)
{
  while (self->views->len > n)
    {
      GtkWidget *view = g_ptr_array_steal_index (self->views, self->views->len - 1);

      gtk_box_remove (GTK_BOX (self), view);
    }
  for (guint i = MIN (first, self->views->len); i < n; i++)
    {
      BeckonMarkdownNode *node = g_ptr_array_index (blocks, i);
      int above;

      if (i == self->views->len)
        {
          GtkWidget *view = beckon_block_view_new (self->depth);

          gtk_box_append (GTK_BOX (self), view);
          g_ptr_array_add (self->views, view);
        }
      beckon_block_view_update (g_ptr_array_index (self->views, i), node);

      above = node->kind == BECKON_MARKDOWN_HEADING ? ABOVE_HEADING : ABOVE_BLOCK;
      if (self->is_tight && (node->kind == BECKON_MARKDOWN_LIST || node->kind == BECKON_MARKDOWN_PARAGRAPH))
        above = ABOVE_TIGHT;
      gtk_widget_set_margin_top (g_ptr_array_index (self->views, i), i == 0 && !self->is_continued ? 0 : above);
    }
}

void
beckon_block_box_set_tight (BeckonBlockBox *self, gboolean is_tight)
{
  self->is_tight = is_tight;
}

void
beckon_block_box_set_continued (BeckonBlockBox *self, gboolean is_continued)
{
  self->is_continued = is_continued;
}

gboolean
beckon_block_box_find (BeckonBlockBox *self, GtkWidget *widget, guint *index)
{
  for (; widget != NULL && widget != GTK_WIDGET (self); widget = gtk_widget_get_parent (widget))
    if (BECKON_IS_BLOCK_VIEW (widget) && g_ptr_array_find (self->views, widget, index))
      return TRUE;
  return FALSE;
}

static void
beckon_block_box_finalize (GObject *object)
{
  g_ptr_array_unref (BECKON_BLOCK_BOX (object)->views);
  G_OBJECT_CLASS (beckon_block_box_parent_class)->finalize (object);
}

static void
beckon_block_box_class_init (BeckonBlockBoxClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_block_box_finalize;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
beckon_block_box_init (BeckonBlockBox *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  self->views = g_ptr_array_new ();
}

GtkWidget *
beckon_block_box_new (guint depth)
{
  BeckonBlockBox *self = g_object_new (BECKON_TYPE_BLOCK_BOX, "hexpand", TRUE, NULL);

  self->depth = depth;
  return GTK_WIDGET (self);
}
