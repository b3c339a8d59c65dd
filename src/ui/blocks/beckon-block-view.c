/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-block-view.h"

#include "beckon-block-box.h"
#include "beckon-block-label.h"
#include "beckon-code-block.h"
#include "beckon-inline.h"
#include "beckon-list-block.h"
#include "beckon-picture-block.h"
#include "beckon-table-block.h"
#include "ui/widgets/beckon-text-buffer.h"

#include <string.h>

/* Quotes within more than so many others are set in less. */
#define DEEP 4

struct _BeckonBlockView
{
  AdwBin parent_instance;

  BeckonMarkdownNode *node; /* (owned) (nullable): what is shown */
  guint depth;
  BeckonGrowingText growing;

  GtkLabel *label;        /* (nullable): the child */
  GtkTextView *text_view; /* (nullable): the child */
};

G_DEFINE_FINAL_TYPE (BeckonBlockView, beckon_block_view, ADW_TYPE_BIN)

static void
build_text_view (BeckonBlockView *self)
{
  self->label = NULL;
  self->text_view = g_object_new (GTK_TYPE_TEXT_VIEW, "editable", FALSE, "cursor-visible", FALSE, "accepts-tab", FALSE,
                                  "wrap-mode", GTK_WRAP_WORD_CHAR, "hexpand", TRUE, NULL);
  gtk_widget_add_css_class (GTK_WIDGET (self->text_view), "plain");
  memset (&self->growing, 0, sizeof self->growing);
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->text_view));
}

static GtkWidget *
make_child (BeckonBlockView *self, const BeckonMarkdownNode *node)
{
  GtkWidget *child;

  switch (node->kind)
    {
    case BECKON_MARKDOWN_CODE:
      return beckon_code_block_new ();
    case BECKON_MARKDOWN_RULE:
      return gtk_separator_new (GTK_ORIENTATION_HORIZONTAL);
    case BECKON_MARKDOWN_QUOTE:
      child = beckon_block_box_new (self->depth + 1);
      gtk_widget_add_css_class (child, "text-quote");
      if (self->depth >= DEEP)
        gtk_widget_add_css_class (child, "deep");
      return child;
    case BECKON_MARKDOWN_LIST:
      return beckon_list_block_new (self->depth);
    case BECKON_MARKDOWN_TABLE:
      return beckon_table_block_new ();
    case BECKON_MARKDOWN_PARAGRAPH:
    case BECKON_MARKDOWN_HEADING:
      return beckon_picture_block_takes (node) ? beckon_picture_block_new () : NULL;
    case BECKON_MARKDOWN_HTML:
    case BECKON_MARKDOWN_MATH:
    case BECKON_MARKDOWN_ITEM:
    case BECKON_MARKDOWN_ROW:
    case BECKON_MARKDOWN_CELL:
    default:
      return NULL;
    }
}

/* How much of @node's text is what is shown already. The text of the same node only grows. */
static gsize
count_same (BeckonBlockView *self, const BeckonMarkdownNode *node)
{
  if (self->node == NULL || self->node->text == NULL)
    return 0;
  return self->node == node ? G_MAXSIZE : beckon_growing_text_compare (self->node->text, node->text);
}

static void
show_node (BeckonBlockView *self, BeckonMarkdownNode *node)
{
  GtkWidget *child = adw_bin_get_child (ADW_BIN (self));

  if (BECKON_IS_CODE_BLOCK (child))
    {
      g_autofree char *language = beckon_markdown_node_dup_language (node);

      beckon_code_block_set_language (BECKON_CODE_BLOCK (child), language);
      beckon_code_block_update (BECKON_CODE_BLOCK (child), node->text->str, node->text->len, count_same (self, node));
    }
  else if (BECKON_IS_BLOCK_BOX (child))
    beckon_block_box_update (BECKON_BLOCK_BOX (child), node->children, 0, node->children->len);
  else if (BECKON_IS_LIST_BLOCK (child))
    beckon_list_block_update (BECKON_LIST_BLOCK (child), node);
  else if (BECKON_IS_TABLE_BLOCK (child))
    beckon_table_block_update (BECKON_TABLE_BLOCK (child), node);
  else if (BECKON_IS_PICTURE_BLOCK (child))
    beckon_picture_block_update (BECKON_PICTURE_BLOCK (child), node);
  else if (node->text != NULL)
    {
      if (self->label != NULL && node->text->len > BECKON_BLOCK_VIEW_LONGEST_LABEL)
        build_text_view (self);
      if (self->text_view != NULL)
        {
          /* A text in which something is written out may be another one than what was shown. */
          g_autofree char *named = beckon_inline_name_overrides (node->text->str, node->text->len);
          gsize length = strlen (named);

          beckon_growing_text_update (&self->growing, gtk_text_view_get_buffer (self->text_view), named, length,
                                      length == node->text->len ? count_same (self, node) : 0);
        }
      else
        beckon_block_label_set_node (self->label, node);
    }
}

void
beckon_block_view_update (BeckonBlockView *self, BeckonMarkdownNode *node)
{
  BeckonMarkdownNode *old;

  /* A node that is open may have grown since. */
  if (self->node != NULL && self->node != node && beckon_markdown_node_equal (self->node, node)
      && node->kind != BECKON_MARKDOWN_CODE)
    return;
  /* A heading's level is its label's style, and a leaf may come to name a picture; everything else is brought up to
   * date. */
  if (self->node == NULL || self->node->kind != node->kind || self->node->level != node->level
      || BECKON_IS_PICTURE_BLOCK (adw_bin_get_child (ADW_BIN (self))) != beckon_picture_block_takes (node))
    {
      GtkWidget *child;

      g_clear_pointer (&self->node, beckon_markdown_node_unref);

      child = make_child (self, node);
      self->label = NULL;
      self->text_view = NULL;
      if (child != NULL)
        adw_bin_set_child (ADW_BIN (self), child);
      else
        {
          self->label = beckon_block_label_new ();
          beckon_block_label_style (self->label, node);
          adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->label));
        }
    }
  show_node (self, node);
  old = self->node;
  self->node = beckon_markdown_node_ref (node);
  g_clear_pointer (&old, beckon_markdown_node_unref);
}

void
beckon_block_view_set_plain (BeckonBlockView *self, const char *text)
{
  g_autofree char *named = beckon_inline_name_overrides (text, strlen (text));

  g_clear_pointer (&self->node, beckon_markdown_node_unref);
  if (strlen (named) > BECKON_BLOCK_VIEW_LONGEST_LABEL)
    {
      build_text_view (self);
      gtk_text_buffer_set_text (gtk_text_view_get_buffer (self->text_view), named, -1);
      return;
    }
  self->text_view = NULL;
  self->label = beckon_block_label_new ();
  gtk_label_set_natural_wrap_mode (self->label, GTK_NATURAL_WRAP_NONE);
  beckon_block_label_set_plain (self->label, named);
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->label));
}

gboolean
beckon_block_view_is_long (BeckonBlockView *self)
{
  return self->text_view != NULL;
}

/* Text can be clicked into, selected and copied, but is no stop on the way of any key: a conversation has too much.
 * Links are. */
static gboolean
beckon_block_view_focus (GtkWidget *widget, GtkDirectionType direction)
{
  BeckonBlockView *self = BECKON_BLOCK_VIEW (widget);

  if (self->label != NULL && !beckon_block_label_has_links (self->label))
    return FALSE;
  return GTK_WIDGET_CLASS (beckon_block_view_parent_class)->focus (widget, direction);
}

static void
beckon_block_view_dispose (GObject *object)
{
  g_clear_pointer (&BECKON_BLOCK_VIEW (object)->node, beckon_markdown_node_unref);
  G_OBJECT_CLASS (beckon_block_view_parent_class)->dispose (object);
}

static void
beckon_block_view_class_init (BeckonBlockViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_block_view_dispose;
  GTK_WIDGET_CLASS (klass)->focus = beckon_block_view_focus;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
beckon_block_view_init (BeckonBlockView *self)
{
}

GtkWidget *
beckon_block_view_new (guint depth)
{
  BeckonBlockView *self = g_object_new (BECKON_TYPE_BLOCK_VIEW, NULL);

  self->depth = depth;
  return GTK_WIDGET (self);
}
