/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-preview.h"

#include "base/beckon-text-printf.h"
#include "beckon-text-blocks.h"
#include "ui/widgets/beckon-max-height-box.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define HIGHEST 220

struct _BeckonPreview
{
  AdwBin parent_instance;
};

G_DEFINE_FINAL_TYPE (BeckonPreview, beckon_preview, ADW_TYPE_BIN)

static gboolean
is_bare_diff (const char *text)
{
  return g_str_has_prefix (text, "diff --git ") || g_str_has_prefix (text, "@@ -") ||
         (g_str_has_prefix (text, "--- ") && strstr (text, "\n+++ ") != NULL);
}

static gboolean
is_list_item (const char *line)
{
  gsize digits = strspn (line, "0123456789");

  return ((line[0] == '-' || line[0] == '*' || line[0] == '+' || line[0] == '>') && line[1] == ' ')
         || (digits > 0 && (line[digits] == '.' || line[digits] == ')'));
}

/* Code that a model did not fence is known by lines that begin further right and continue nothing: as Markdown its lines would
 * be joined, and lose what stands before them. */
static gboolean
is_bare_code (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  gboolean is_listing = FALSE;
  guint n_indented = 0;

  if (strstr (text, "```") != NULL || strstr (text, "~~~") != NULL)
    return FALSE;
  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *first = lines[i] + strspn (lines[i], " \t");

      if (first == lines[i])
        is_listing = is_list_item (first) || (is_listing && *first == '\0');
      else if (*first != '\0' && !is_listing && !is_list_item (first))
        n_indented++;
    }
  return n_indented > 0;
}

static void
preview_append (BeckonTextBlocks *blocks, const char *text)
{
  beckon_text_blocks_append (blocks, text, strlen (text));
}

static void
beckon_preview_class_init (BeckonPreviewClass *klass)
{
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
beckon_preview_init (BeckonPreview *self)
{
  gtk_widget_add_css_class (GTK_WIDGET (self), "preview");
}

GtkWidget *
beckon_preview_new (const char *text, const char *of)
{
  BeckonPreview *self = g_object_new (BECKON_TYPE_PREVIEW, NULL);
  GtkWidget *blocks = beckon_text_blocks_new ();
  /* Translators: what a screen reader calls the pane that shows what a choice would look like */
  g_autofree char *name = beckon_text_printf (_("Preview of %s"), of);
  const char *fence = is_bare_diff (text) ? "~~~~~~~~diff\n" : is_bare_code (text) ? "~~~~~~~~\n" : NULL;

  if (fence != NULL)
    preview_append (BECKON_TEXT_BLOCKS (blocks), fence);
  preview_append (BECKON_TEXT_BLOCKS (blocks), text);
  if (fence != NULL)
    preview_append (BECKON_TEXT_BLOCKS (blocks), "\n~~~~~~~~");
  beckon_text_blocks_finish (BECKON_TEXT_BLOCKS (blocks));
  adw_bin_set_child (ADW_BIN (self), g_object_new (BECKON_TYPE_MAX_HEIGHT_BOX, "max-height", HIGHEST, "child", blocks, NULL));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  return GTK_WIDGET (self);
}
