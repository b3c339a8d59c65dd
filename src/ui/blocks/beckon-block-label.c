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

#define LEFT_TO_RIGHT_MARK ((gunichar) 0x200e)
#define RIGHT_TO_LEFT_MARK ((gunichar) 0x200f)

GtkLabel *
beckon_block_label_new (void)
{
  return g_object_new (GTK_TYPE_LABEL, "wrap", TRUE, "wrap-mode", PANGO_WRAP_WORD_CHAR, "natural-wrap-mode",
                       GTK_NATURAL_WRAP_WORD, "xalign", 0.0f, "yalign", 0.0f, "selectable", TRUE, "hexpand", TRUE, NULL);
}

void
beckon_block_label_style (GtkLabel *label, const BeckonMarkdownNode *leaf)
{
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

GtkTextDirection
beckon_block_label_find_direction (const char *text)
{
  for (; *text != '\0'; text = g_utf8_next_char (text))
    {
      gunichar c = g_utf8_get_char (text);

      /* Hebrew, Arabic, Syriac, Thaana, N'Ko and what follows them, with their presentation forms. */
      if ((c >= 0x590 && c <= 0x8ff) || (c >= 0xfb1d && c <= 0xfefc) || (c >= 0x10800 && c <= 0x10fff)
          || (c >= 0x1e800 && c <= 0x1efff))
        {
          if (g_unichar_isalpha (c))
            return GTK_TEXT_DIR_RTL;
        }
      else if (g_unichar_isalpha (c) || c == LEFT_TO_RIGHT_MARK)
        return GTK_TEXT_DIR_LTR;
      else if (c == RIGHT_TO_LEFT_MARK)
        return GTK_TEXT_DIR_RTL;
    }
  return GTK_TEXT_DIR_NONE;
}

/* A paragraph hangs on the side on which its first strong letter begins to be read. A cell is where its column is. */
static void
hang (GtkLabel *label, const char *text)
{
  GtkTextDirection direction = beckon_block_label_find_direction (text);
  GtkTextDirection own = gtk_widget_get_direction (GTK_WIDGET (label));

  gtk_label_set_xalign (label, direction != GTK_TEXT_DIR_NONE && direction != own ? 1 : 0);
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
  set_least_width (label, text);
  hang (label, text);
  gtk_label_set_text (label, text);
}

void
beckon_block_label_set_node (GtkLabel *label, const BeckonMarkdownNode *leaf)
{
  g_auto (BeckonInline) content = { NULL };

  beckon_inline_init (&content, leaf);
  set_least_width (label, content.text);
  if (leaf->kind != BECKON_MARKDOWN_CELL)
    hang (label, content.text);
  gtk_label_set_text (label, content.text);
  beckon_label_links_set (label, content.links, content.attributes);
}

gboolean
beckon_block_label_has_links (GtkLabel *label)
{
  return beckon_label_links_count (label) > 0;
}
