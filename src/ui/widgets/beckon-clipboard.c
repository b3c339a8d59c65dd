/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-clipboard.h"

#include "base/beckon-text.h"
#include "beckon-alert.h"
#include "markdown/beckon-markdown-plain.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static void
tell_hidden (GtkWidget *widget, const char *text)
{
  g_autofree char *marked = beckon_text_mark_hidden (text, -1);

  if (strlen (marked) != strlen (text))
    beckon_toast_show (widget, beckon_toast_new (_("Copied with characters that can’t be seen")));
}

static void
set_both (GtkWidget *widget, const char *markdown, const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new (markdown, strlen (markdown));
  g_autoptr (GdkContentProvider) both = NULL;
  GdkContentProvider *providers[2];

  providers[0] = gdk_content_provider_new_for_bytes ("text/markdown", bytes);
  providers[1] = gdk_content_provider_new_typed (G_TYPE_STRING, text);
  both = gdk_content_provider_new_union (providers, 2);
  gdk_clipboard_set_content (gtk_widget_get_clipboard (widget), both);
  tell_hidden (widget, markdown);
}

void
beckon_clipboard_set_text (GtkWidget *widget, const char *text)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
  tell_hidden (widget, text);
}

/* The text is Markdown in every format it is offered in. */
void
beckon_clipboard_set_source (GtkWidget *widget, const char *markdown)
{
  set_both (widget, markdown, markdown);
}

void
beckon_clipboard_set_markdown (GtkWidget *widget, const char *markdown)
{
  g_autofree char *plain = beckon_markdown_to_plain (markdown);

  set_both (widget, markdown, plain);
}
