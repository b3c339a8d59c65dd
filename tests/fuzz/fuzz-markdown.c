/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fuzz.h"
#include "markdown/beckon-markdown-parse.h"
#include "markdown/beckon-markdown-stream.h"

#include <string.h>

/* A node shows text, and its spans lie within it. */
static void
check (const BeckonMarkdownNode *node)
{
  g_assert_true (node->text == NULL || g_utf8_validate (node->text->str, (gssize) node->text->len, NULL));
  for (guint i = 0; i < beckon_markdown_node_get_n_spans (node); i++)
    {
      const BeckonMarkdownSpan *span = beckon_markdown_node_get_span (node, i);

      g_assert_cmpuint (span->start, <=, span->end);
      g_assert_cmpuint (span->end, <=, node->text->len);
    }
  for (guint i = 0; i < beckon_markdown_node_get_n_children (node); i++)
    check (beckon_markdown_node_get_child (node, i));
}

/* At once and in pieces. That both are the same is for the tests of streams: of texts that are no Markdown at all the parser
 * reads the same lines in two ways, by what stands far above them. */
int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autofree char *text = g_utf8_make_valid ((const char *) data, (gssize) size);
  gsize length = strlen (text);
  gsize piece = 1 + (size > 0 ? data[0] % 7 : 0);
  g_autoptr (GPtrArray) whole = NULL;
  g_autoptr (BeckonMarkdownStream) stream = beckon_markdown_stream_new ();

  /* As it comes from messages: without other control characters. */
  for (gsize i = 0; i < length; i++)
    if (g_ascii_iscntrl (text[i]) && strchr ("\t\r\n", text[i]) == NULL)
      text[i] = ' ';
  whole = beckon_markdown_parse (text, length, BECKON_MARKDOWN_RICH);
  for (guint i = 0; i < whole->len; i++)
    check (g_ptr_array_index (whole, i));
  for (gsize at = 0; at < length; at += piece)
    {
      beckon_markdown_stream_feed (stream, text + at, MIN (piece, length - at));
      if (at % 5 == 0)
        beckon_markdown_stream_update (stream);
    }
  beckon_markdown_stream_finish (stream);
  beckon_markdown_stream_update (stream);
  for (guint i = 0; i < beckon_markdown_stream_get_n_blocks (stream); i++)
    check (beckon_markdown_stream_get_block (stream, i));
  return 0;
}
