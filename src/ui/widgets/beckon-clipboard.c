/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-clipboard.h"

#include "markdown/beckon-markdown-plain.h"

#include <string.h>

/* The text is Markdown in every format it is offered in. */
void
beckon_clipboard_set_source (GdkClipboard *clipboard, const char *markdown)
{
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GdkContentProvider) both = NULL;
  GdkContentProvider *providers[2];

  g_return_if_fail (GDK_IS_CLIPBOARD (clipboard));
  g_return_if_fail (markdown != NULL);

  bytes = g_bytes_new (markdown, strlen (markdown));
  providers[0] = gdk_content_provider_new_for_bytes ("text/markdown", bytes);
  providers[1] = gdk_content_provider_new_typed (G_TYPE_STRING, markdown);
  both = gdk_content_provider_new_union (providers, 2);
  gdk_clipboard_set_content (clipboard, both);
}

void
beckon_clipboard_set_markdown (GdkClipboard *clipboard, const char *markdown)
{
  g_autofree char *plain = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GdkContentProvider) both = NULL;
  GdkContentProvider *providers[2];

  g_return_if_fail (GDK_IS_CLIPBOARD (clipboard));
  g_return_if_fail (markdown != NULL);

  plain = beckon_markdown_to_plain (markdown);
  bytes = g_bytes_new (markdown, strlen (markdown));
  providers[0] = gdk_content_provider_new_for_bytes ("text/markdown", bytes);
  providers[1] = gdk_content_provider_new_typed (G_TYPE_STRING, plain);
  both = gdk_content_provider_new_union (providers, 2);
  gdk_clipboard_set_content (clipboard, both);
}
