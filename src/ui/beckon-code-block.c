/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-code-block.h"

#include "beckon-diff-tags.h"
#include "beckon-growing-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* A text view without a scroller of its own lays everything out; this much takes a few frames. */
#define MOST_SHOWN (200 * 1024)

struct _BeckonCodeBlock
{
  AdwBin parent_instance;

  BeckonGrowingText growing;
  gboolean is_diff;
  int tagged; /* the first line whose tags may not be right */
  char *whole; /* (owned) (nullable): what is copied, where it is more than what is shown */

  GtkWidget *language_label;
  GtkTextView *text_view;
};

G_DEFINE_FINAL_TYPE (BeckonCodeBlock, beckon_code_block, ADW_TYPE_BIN)

static char *
dup_shown_text (BeckonCodeBlock *self)
{
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (gtk_text_view_get_buffer (self->text_view), &start, &end);
  return gtk_text_iter_get_text (&start, &end);
}

static void
on_copy_clicked (BeckonCodeBlock *self)
{
  g_autofree char *shown = NULL;

  if (self->whole == NULL)
    shown = dup_shown_text (self);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), self->whole != NULL ? self->whole : shown);
}

void
beckon_code_block_set_language (BeckonCodeBlock *self, const char *language)
{
  g_return_if_fail (BECKON_IS_CODE_BLOCK (self));

  self->is_diff = beckon_diff_tags_is_diff (language);
  gtk_label_set_text (GTK_LABEL (self->language_label), language != NULL ? language : "");
  gtk_widget_set_visible (self->language_label, language != NULL);
}

void
beckon_code_block_set_wrap (BeckonCodeBlock *self, gboolean wrap)
{
  g_return_if_fail (BECKON_IS_CODE_BLOCK (self));

  gtk_text_view_set_wrap_mode (self->text_view, wrap ? GTK_WRAP_WORD_CHAR : GTK_WRAP_NONE);
}

void
beckon_code_block_set_text (BeckonCodeBlock *self, const char *text)
{
  gsize length = strlen (text);
  GtkTextBuffer *buffer;
  GtkTextIter end;

  g_return_if_fail (BECKON_IS_CODE_BLOCK (self));

  g_clear_pointer (&self->whole, g_free);
  buffer = gtk_text_view_get_buffer (self->text_view);
  if (length <= MOST_SHOWN)
    {
      gtk_text_buffer_set_text (buffer, text, (int) length);
      return;
    }
  self->whole = g_strdup (text);
  gtk_text_buffer_set_text (buffer, text, (int) (g_utf8_find_prev_char (text, text + MOST_SHOWN) - text));
  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_buffer_insert (buffer, &end, "\n", 1);
  gtk_text_buffer_insert (buffer, &end, _("The rest is not shown; copying takes all of it."), -1);
}

void
beckon_code_block_update (BeckonCodeBlock *self, const GString *text, const char *tail, gboolean reset)
{
  g_return_if_fail (BECKON_IS_CODE_BLOCK (self));

  if (reset || text->len < self->growing.text || strlen (tail) < self->growing.tail)
    self->tagged = 0;
  beckon_growing_text_update (&self->growing, gtk_text_view_get_buffer (self->text_view), text, tail, reset);
  if (self->is_diff)
    self->tagged = beckon_diff_tags_apply (gtk_text_view_get_buffer (self->text_view), self->tagged);
}

static void
beckon_code_block_dispose (GObject *object)
{
  BeckonCodeBlock *self = BECKON_CODE_BLOCK (object);

  g_clear_pointer (&self->whole, g_free);
  G_OBJECT_CLASS (beckon_code_block_parent_class)->dispose (object);
}

static void
beckon_code_block_class_init (BeckonCodeBlockClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_code_block_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/code-block.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonCodeBlock, language_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonCodeBlock, text_view);
  gtk_widget_class_bind_template_callback (widget_class, on_copy_clicked);
}

static void
beckon_code_block_init (BeckonCodeBlock *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
beckon_code_block_new (void)
{
  return g_object_new (BECKON_TYPE_CODE_BLOCK, NULL);
}
