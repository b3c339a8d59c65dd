/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-picture-block.h"

#include "beckon-block-label.h"
#include "beckon-web-picture-view.h"
#include "tools/beckon-web-picture.h"

/* A paragraph may name any number. */
#define MOST_PICTURES 16

struct _BeckonPictureBlock
{
  GtkBox parent_instance;

  GtkLabel *label;
  GPtrArray *views; /* (element-type BeckonWebPictureView): borrowed */
};

G_DEFINE_FINAL_TYPE (BeckonPictureBlock, beckon_picture_block, GTK_TYPE_BOX)

static BeckonWebPictures *web_pictures; /* (nullable) (owned) */

void
beckon_picture_block_set_pictures (BeckonWebPictures *pictures)
{
  g_set_object (&web_pictures, pictures);
}

static gboolean
is_picture (const BeckonMarkdownSpan *span)
{
  return span->kind == BECKON_MARKDOWN_SPAN_IMAGE && beckon_web_picture_is_address (span->target);
}

gboolean
beckon_picture_block_takes (const BeckonMarkdownNode *leaf)
{
  if (web_pictures == NULL || !beckon_markdown_kind_has_spans (leaf->kind))
    return FALSE;
  for (guint i = 0; i < beckon_markdown_node_get_n_spans (leaf); i++)
    if (is_picture (beckon_markdown_node_get_span (leaf, i)))
      return TRUE;
  return FALSE;
}

static void
drop_views (BeckonPictureBlock *self, guint from)
{
  while (self->views->len > from)
    gtk_box_remove (GTK_BOX (self), g_ptr_array_steal_index (self->views, self->views->len - 1));
}

void
beckon_picture_block_update (BeckonPictureBlock *self, const BeckonMarkdownNode *leaf)
{
  guint n = 0;

  beckon_block_label_style (self->label, leaf);
  beckon_block_label_set_node (self->label, leaf);
  for (guint i = 0; i < beckon_markdown_node_get_n_spans (leaf) && n < MOST_PICTURES && web_pictures != NULL; i++)
    {
      const BeckonMarkdownSpan *span = beckon_markdown_node_get_span (leaf, i);
      g_autofree char *name = NULL;
      GtkWidget *view;

      if (!is_picture (span))
        continue;
      if (n++ < self->views->len
          && g_str_equal (beckon_web_picture_view_get_address (g_ptr_array_index (self->views, n - 1)), span->target))
        continue;
      drop_views (self, n - 1);
      name = g_strndup (leaf->text->str + span->start, span->end - span->start);
      view = beckon_web_picture_view_new (web_pictures, span->target, name);
      /* Pictures in a table are at their column's side, and as wide as they are. */
      if (leaf->kind == BECKON_MARKDOWN_CELL)
        {
          gtk_widget_set_halign (view, leaf->align == BECKON_MARKDOWN_ALIGN_CENTER  ? GTK_ALIGN_CENTER
                                       : leaf->align == BECKON_MARKDOWN_ALIGN_RIGHT ? GTK_ALIGN_END
                                                                                    : GTK_ALIGN_START);
          beckon_web_picture_view_set_fixed (BECKON_WEB_PICTURE_VIEW (view));
        }
      g_ptr_array_add (self->views, view);
      gtk_box_append (GTK_BOX (self), view);
    }
  drop_views (self, n);
}

GtkLabel *
beckon_picture_block_get_label (BeckonPictureBlock *self)
{
  return self->label;
}

/* As in any block: text without a link is no stop on the way of the Tab key, though it can be clicked into. */
static gboolean
beckon_picture_block_focus (GtkWidget *widget, GtkDirectionType direction)
{
  BeckonPictureBlock *self = BECKON_PICTURE_BLOCK (widget);
  gboolean found;

  gtk_widget_set_can_focus (GTK_WIDGET (self->label), beckon_block_label_has_links (self->label));
  found = GTK_WIDGET_CLASS (beckon_picture_block_parent_class)->focus (widget, direction);
  gtk_widget_set_can_focus (GTK_WIDGET (self->label), TRUE);
  return found;
}

static void
beckon_picture_block_finalize (GObject *object)
{
  g_ptr_array_unref (BECKON_PICTURE_BLOCK (object)->views);
  G_OBJECT_CLASS (beckon_picture_block_parent_class)->finalize (object);
}

static void
beckon_picture_block_class_init (BeckonPictureBlockClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_picture_block_finalize;
  GTK_WIDGET_CLASS (klass)->focus = beckon_picture_block_focus;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
beckon_picture_block_init (BeckonPictureBlock *self)
{
  self->views = g_ptr_array_new ();
  self->label = beckon_block_label_new ();
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), 6);
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->label));
}

GtkWidget *
beckon_picture_block_new (void)
{
  return g_object_new (BECKON_TYPE_PICTURE_BLOCK, NULL);
}
