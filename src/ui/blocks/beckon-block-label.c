/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-block-label.h"

#include "beckon-inline.h"
#include "ui/widgets/beckon-label-links.h"

#include <string.h>

/* The least width of a label that breaks anywhere is that of a letter, and to find it the text is laid out a letter a
 * line: that takes longer than everything else that is done for a message. With a least width there are a few lines. */
#define LEAST_CHARS 8
#define LEAST_BYTES_PER_CHAR 4

GtkLabel *
beckon_block_label_new (void)
{
  return g_object_new (GTK_TYPE_LABEL, "wrap", TRUE, "wrap-mode", PANGO_WRAP_WORD_CHAR, "natural-wrap-mode",
                       GTK_NATURAL_WRAP_WORD, "xalign", 0.0f, "yalign", 0.0f, "selectable", TRUE, "hexpand", TRUE, NULL);
}

void
beckon_block_label_style (GtkLabel *label, const BeckonMarkdownNode *leaf)
{
  g_return_if_fail (GTK_IS_LABEL (label));

  if (leaf->kind == BECKON_MARKDOWN_HEADING)
    {
      g_autofree char *name = g_strdup_printf ("text-heading-%u", MIN (leaf->level, 4));

      gtk_widget_add_css_class (GTK_WIDGET (label), name);
    }
  else if (leaf->kind == BECKON_MARKDOWN_MATH)
    gtk_widget_add_css_class (GTK_WIDGET (label), "text-formula");
  else if (leaf->kind == BECKON_MARKDOWN_HTML)
    gtk_widget_add_css_class (GTK_WIDGET (label), "text-html");
}

static void
set_least_width (GtkLabel *label, const char *text)
{
  gsize n_chars = strlen (text) / LEAST_BYTES_PER_CHAR;

  if (gtk_label_get_max_width_chars (label) < 0)
    gtk_label_set_width_chars (label, (int) MIN (n_chars, LEAST_CHARS));
}

void
beckon_block_label_set_plain (GtkLabel *label, const char *text)
{
  g_return_if_fail (GTK_IS_LABEL (label));

  set_least_width (label, text);
  gtk_label_set_text (label, text);
}

void
beckon_block_label_set_node (GtkLabel *label, const BeckonMarkdownNode *leaf)
{
  g_auto (BeckonInline) content = { NULL };

  g_return_if_fail (GTK_IS_LABEL (label));

  beckon_inline_init (&content, leaf);
  set_least_width (label, content.text);
  gtk_label_set_text (label, content.text);
  beckon_label_links_set (label, content.links, content.attributes);
}

gboolean
beckon_block_label_has_links (GtkLabel *label)
{
  return beckon_label_links_count (label) > 0;
}
