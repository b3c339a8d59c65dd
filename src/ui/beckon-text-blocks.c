/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-text-blocks.h"

#include "base/beckon-text.h"
#include "beckon-block-view.h"

#include <string.h>

/*
 * Chunks come faster than frames. They are collected in a string, and a tick callback that lives for one frame feeds the
 * string to the parser: its complete blocks become rows that stay as they are, its open one is a row that is brought up to
 * date. The cost of a frame is what came since the last one, however long the text is.
 */

struct _BeckonTextBlocks
{
  GtkBox parent_instance;

  BeckonPart *part; /* (owned) (nullable) */
  BeckonBlockParser *parser;
  GString *queued;
  guint tick_id;

  BeckonBlockView *open; /* (nullable): the row of the block that is not complete */
  BeckonBlockKind last_kind;
  gboolean has_last;
};

G_DEFINE_FINAL_TYPE (BeckonTextBlocks, beckon_text_blocks, GTK_TYPE_BOX)

/* Items of one list stand closer together than other blocks. */
static void
space_row (BeckonTextBlocks *self, GtkWidget *row, BeckonBlockKind kind)
{
  gboolean tight = self->has_last && kind == BECKON_BLOCK_LIST_ITEM && self->last_kind == BECKON_BLOCK_LIST_ITEM;
  gboolean heading = self->has_last && kind == BECKON_BLOCK_HEADING;

  gtk_widget_set_margin_top (row, !self->has_last ? 0 : tight ? 4 : heading ? 16 : 10);
}

static BeckonBlockView *
open_row (BeckonTextBlocks *self)
{
  if (self->open == NULL)
    {
      self->open = BECKON_BLOCK_VIEW (beckon_block_view_new ());
      gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->open));
    }
  return self->open;
}

static void
on_block_complete (const BeckonBlock *block, gpointer user_data)
{
  BeckonTextBlocks *self = user_data;
  BeckonBlockView *row = open_row (self);

  beckon_block_view_update (row, block, "");
  space_row (self, GTK_WIDGET (row), block->kind);
  self->open = NULL;
  self->last_kind = block->kind;
  self->has_last = TRUE;
}

static void
show_open_block (BeckonTextBlocks *self)
{
  const char *tail;
  const BeckonBlock *block = beckon_block_parser_get_open (self->parser, &tail);

  if (block == NULL)
    return;

  beckon_block_view_update (open_row (self), block, tail);
  space_row (self, GTK_WIDGET (self->open), block->kind);
}

/* Chunks end at a character's end. A carriage return is the first half of a line break, or nothing. */
static void
feed_queued (BeckonTextBlocks *self)
{
  g_autofree char *safe = NULL;

  g_string_replace (self->queued, "\r", "", 0);
  safe = beckon_text_for_display (self->queued->str, (gssize) self->queued->len, BECKON_TEXT_PROSE);
  beckon_block_parser_feed (self->parser, safe, strlen (safe));
  g_string_truncate (self->queued, 0);
}

void
beckon_text_blocks_flush (BeckonTextBlocks *self)
{
  g_return_if_fail (BECKON_IS_TEXT_BLOCKS (self));

  if (self->tick_id != 0)
    {
      gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick_id);
      self->tick_id = 0;
    }
  feed_queued (self);
  show_open_block (self);
}

void
beckon_text_blocks_finish (BeckonTextBlocks *self)
{
  g_return_if_fail (BECKON_IS_TEXT_BLOCKS (self));

  beckon_text_blocks_flush (self);
  beckon_block_parser_finish (self->parser);
}

static gboolean
on_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  BeckonTextBlocks *self = BECKON_TEXT_BLOCKS (widget);

  self->tick_id = 0;
  feed_queued (self);
  show_open_block (self);
  return G_SOURCE_REMOVE;
}

void
beckon_text_blocks_append (BeckonTextBlocks *self, const char *text, gsize length)
{
  g_return_if_fail (BECKON_IS_TEXT_BLOCKS (self));

  g_string_append_len (self->queued, text, (gssize) length);
  if (self->tick_id == 0)
    self->tick_id = gtk_widget_add_tick_callback (GTK_WIDGET (self), on_tick, NULL, NULL);
}

static void
on_part_appended (BeckonTextBlocks *self, const char *delta, guint length)
{
  beckon_text_blocks_append (self, delta, length);
}

void
beckon_text_blocks_set_part (BeckonTextBlocks *self, BeckonPart *part)
{
  g_return_if_fail (BECKON_IS_TEXT_BLOCKS (self));
  g_return_if_fail (self->part == NULL);

  self->part = g_object_ref (part);
  g_string_append_len (self->queued, beckon_part_get_text (part), (gssize) beckon_part_get_length (part));
  beckon_text_blocks_flush (self);
  g_signal_connect_object (part, "appended", G_CALLBACK (on_part_appended), self, G_CONNECT_SWAPPED);
}

static void
beckon_text_blocks_dispose (GObject *object)
{
  BeckonTextBlocks *self = BECKON_TEXT_BLOCKS (object);

  if (self->tick_id != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick_id);
  self->tick_id = 0;
  self->open = NULL;
  if (self->part != NULL)
    g_signal_handlers_disconnect_by_data (self->part, self);
  g_clear_object (&self->part);
  G_OBJECT_CLASS (beckon_text_blocks_parent_class)->dispose (object);
}

static void
beckon_text_blocks_finalize (GObject *object)
{
  BeckonTextBlocks *self = BECKON_TEXT_BLOCKS (object);

  g_clear_pointer (&self->parser, beckon_block_parser_free);
  g_string_free (self->queued, TRUE);
  G_OBJECT_CLASS (beckon_text_blocks_parent_class)->finalize (object);
}

static void
beckon_text_blocks_class_init (BeckonTextBlocksClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_text_blocks_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_text_blocks_finalize;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
beckon_text_blocks_init (BeckonTextBlocks *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  self->parser = beckon_block_parser_new (on_block_complete, self);
  self->queued = g_string_new (NULL);
}

GtkWidget *
beckon_text_blocks_new (void)
{
  return g_object_new (BECKON_TYPE_TEXT_BLOCKS, NULL);
}
