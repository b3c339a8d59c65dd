/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fuzz.h"
#include "markdown/beckon-markdown-parse.h"
#include "markdown/beckon-markdown-plain.h"
#include "markdown/beckon-markdown-stream.h"

static void
check_same (GPtrArray *whole, BeckonMarkdownStream *stream)
{
  g_assert_cmpuint (whole->len, ==, beckon_markdown_stream_get_n_blocks (stream));
  for (guint i = 0; i < whole->len; i++)
    g_assert_true (
      beckon_markdown_node_equal (g_ptr_array_index (whole, i), beckon_markdown_stream_get_block (stream, i)));
}

/* However it is cut on its way, the tree is the same at the end. */
int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autofree char *text = g_utf8_make_valid ((const char *) data, (gssize) size);
  gsize length = strlen (text);
  gsize piece = 1 + (size > 0 ? data[0] % 7 : 0);
  g_autoptr (GPtrArray) whole = beckon_markdown_parse (text, length, BECKON_MARKDOWN_RICH);
  g_autoptr (BeckonMarkdownStream) stream = beckon_markdown_stream_new ();

  for (gsize at = 0; at < length; at += piece)
    {
      beckon_markdown_stream_feed (stream, text + at, MIN (piece, length - at));
      if (at % 5 == 0)
        beckon_markdown_stream_update (stream);
    }
  beckon_markdown_stream_finish (stream);
  beckon_markdown_stream_update (stream);
  check_same (whole, stream);
  return 0;
}
