/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-block-view.h"

#include "beckon-code-block.h"
#include "beckon-growing-text.h"
#include "beckon-inline.h"
#include "beckon-table-block.h"

#include <string.h>

/* The least width of a label that breaks anywhere is that of a letter, and to find it the text is laid out a letter a line:
 * that takes longer than everything else that is done for a message. With a least width there are a few lines. */
#define LEAST_CHARS 8
#define LEAST_BYTES_PER_CHAR 4

struct _BeckonBlockView
{
  AdwBin parent_instance;

  gboolean built;
  BeckonBlockKind kind;
  BeckonGrowingText growing;

  GtkLabel *label;       /* (nullable): of the child */
  GtkLabel *marker;      /* (nullable): of the child */
  GtkTextView *text_view; /* (nullable): of the child */
  BeckonTableBlock *table; /* (nullable): the child */
};

G_DEFINE_FINAL_TYPE (BeckonBlockView, beckon_block_view, ADW_TYPE_BIN)

static GtkLabel *
new_label (void)
{
  return g_object_new (GTK_TYPE_LABEL, "wrap", TRUE, "wrap-mode", PANGO_WRAP_WORD_CHAR, "natural-wrap-mode",
                       GTK_NATURAL_WRAP_WORD, "xalign", 0.0f, "yalign", 0.0f, "selectable", TRUE, "hexpand", TRUE, NULL);
}

static void
build_list_item (BeckonBlockView *self)
{
  GtkBox *box = GTK_BOX (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8));

  self->marker = g_object_new (GTK_TYPE_LABEL, "valign", GTK_ALIGN_START, NULL);
  self->label = new_label ();
  gtk_box_append (box, GTK_WIDGET (self->marker));
  gtk_box_append (box, GTK_WIDGET (self->label));
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (box));
}

static void
build_text_view (BeckonBlockView *self)
{
  self->label = NULL;
  self->marker = NULL;
  self->text_view = g_object_new (GTK_TYPE_TEXT_VIEW, "editable", FALSE, "cursor-visible", FALSE, "accepts-tab", FALSE,
                                  "wrap-mode", GTK_WRAP_WORD_CHAR, "hexpand", TRUE, NULL);
  gtk_widget_add_css_class (GTK_WIDGET (self->text_view), "plain");
  memset (&self->growing, 0, sizeof self->growing);
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->text_view));
}

static void
build_label (BeckonBlockView *self, const BeckonBlock *block)
{
  self->label = new_label ();
  if (block->kind == BECKON_BLOCK_HEADING)
    {
      g_autofree char *name = g_strdup_printf ("text-heading-%u", MIN (block->level, 3));

      gtk_widget_add_css_class (GTK_WIDGET (self->label), name);
    }
  else if (block->kind == BECKON_BLOCK_PLAIN)
    gtk_label_set_natural_wrap_mode (self->label, GTK_NATURAL_WRAP_NONE);
  else if (block->kind == BECKON_BLOCK_QUOTE)
    gtk_widget_add_css_class (GTK_WIDGET (self->label), "text-quote");
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->label));
}

static void
build (BeckonBlockView *self, const BeckonBlock *block)
{
  self->built = TRUE;
  self->kind = block->kind;
  self->label = NULL;
  self->marker = NULL;
  self->text_view = NULL;
  self->table = NULL;
  switch (block->kind)
    {
    case BECKON_BLOCK_CODE:
      adw_bin_set_child (ADW_BIN (self), beckon_code_block_new ());
      break;

    case BECKON_BLOCK_RULE:
      adw_bin_set_child (ADW_BIN (self), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
      break;

    case BECKON_BLOCK_LIST_ITEM:
      build_list_item (self);
      break;

    case BECKON_BLOCK_TABLE:
    case BECKON_BLOCK_PLAIN:
    case BECKON_BLOCK_PARAGRAPH:
    case BECKON_BLOCK_HEADING:
    case BECKON_BLOCK_QUOTE:
    default:
      build_label (self, block);
      break;
    }
}

static void
set_text (BeckonBlockView *self, const char *text)
{
  gsize n_chars = strlen (text) / LEAST_BYTES_PER_CHAR;

  gtk_label_set_width_chars (self->label, (int) MIN (n_chars, LEAST_CHARS));
  gtk_label_set_text (self->label, text);
}

static void
show_in_label (BeckonBlockView *self, const BeckonBlock *block, const char *tail)
{
  g_autofree char *whole = NULL;
  g_autofree char *plain = NULL;
  g_autoptr (PangoAttrList) attributes = NULL;

  if (block->kind == BECKON_BLOCK_PLAIN)
    {
      set_text (self, block->text->str);
      return;
    }
  if (*tail != '\0')
    whole = g_strconcat (block->text->str, block->text->len > 0 ? "\n" : "", tail, NULL);
  plain = beckon_inline_render (whole != NULL ? whole : block->text->str, &attributes);
  gtk_label_set_attributes (self->label, attributes);
  set_text (self, plain);
  if (self->marker != NULL)
    {
      gtk_label_set_text (self->marker, block->marker != NULL ? block->marker : "•");
      gtk_widget_set_margin_start (gtk_widget_get_parent (GTK_WIDGET (self->marker)), (int) (6 + 18 * block->level));
    }
}

/* Lines with bars are text until the second one says that they are a table. */
static void
show_table (BeckonBlockView *self, const BeckonBlock *block)
{
  if (self->table == NULL)
    {
      self->label = NULL;
      self->text_view = NULL;
      self->table = BECKON_TABLE_BLOCK (beckon_table_block_new ());
      adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->table));
    }
  beckon_table_block_update (self->table, block->text->str);
}

void
beckon_block_view_update (BeckonBlockView *self, const BeckonBlock *block, const char *tail)
{
  gboolean rebuilt = FALSE;

  g_return_if_fail (BECKON_IS_BLOCK_VIEW (self));

  if (!self->built || self->kind != block->kind)
    {
      build (self, block);
      rebuilt = TRUE;
    }
  if (block->kind == BECKON_BLOCK_CODE)
    {
      BeckonCodeBlock *code = BECKON_CODE_BLOCK (adw_bin_get_child (ADW_BIN (self)));

      beckon_code_block_set_language (code, block->marker);
      beckon_code_block_update (code, block->text, tail, rebuilt);
      return;
    }
  if (block->kind == BECKON_BLOCK_TABLE && beckon_table_block_is_table (block->text->str))
    {
      show_table (self, block);
      return;
    }
  if (self->label != NULL && block->text->len + strlen (tail) > BECKON_BLOCK_VIEW_LONGEST_LABEL)
    build_text_view (self);
  if (self->text_view != NULL)
    beckon_growing_text_update (&self->growing, gtk_text_view_get_buffer (self->text_view), block->text, tail, FALSE);
  else if (self->label != NULL)
    show_in_label (self, block, tail);
}

gboolean
beckon_block_view_is_long (BeckonBlockView *self)
{
  g_return_val_if_fail (BECKON_IS_BLOCK_VIEW (self), FALSE);

  return self->text_view != NULL;
}

/* Text can be clicked into, selected and copied, but is no stop on the way of any key: a conversation has too much. */
static gboolean
beckon_block_view_focus (GtkWidget *widget, GtkDirectionType direction)
{
  BeckonBlockView *self = BECKON_BLOCK_VIEW (widget);

  if (self->label != NULL || self->table != NULL)
    return FALSE;
  return GTK_WIDGET_CLASS (beckon_block_view_parent_class)->focus (widget, direction);
}

static void
beckon_block_view_class_init (BeckonBlockViewClass *klass)
{
  GTK_WIDGET_CLASS (klass)->focus = beckon_block_view_focus;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
beckon_block_view_init (BeckonBlockView *self)
{
}

GtkWidget *
beckon_block_view_new (void)
{
  return g_object_new (BECKON_TYPE_BLOCK_VIEW, NULL);
}
