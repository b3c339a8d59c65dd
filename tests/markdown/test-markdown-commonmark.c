/* SPDX-License-Identifier: GPL-3.0-or-later */

/* CommonMark's own examples: at once, and as a stream that is cut in any way. */

#include "markdown-html.h"

#include "base/beckon-json.h"
#include "markdown/beckon-markdown-parse.h"
#include "markdown/beckon-markdown-stream.h"

#include <string.h>

typedef struct
{
  gint64 number;
  char *markdown;
  char *html;
} Example;

static GPtrArray *examples;

/* Examples in which a version of the library differs. 0.4 (Debian 12) does not know the changes of version 0.31 of the
 * specification: <textarea> as raw HTML that may have empty lines, currency signs and the like beside emphasis, and odd
 * comments within a paragraph. 0.5 drops a blank at the end of a line within code. */
static gboolean
is_known (gint64 number)
{
  static const gint64 known[] = { 173, 337, 339, 356, 627, 628, 643 };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    {
      if (known[i] == number)
        return TRUE;
    }
  return FALSE;
}

static void
load (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "commonmark", "spec.json", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) root = NULL;
  JsonArray *array;
  gsize length;

  g_file_get_contents (path, &text, &length, &error);
  g_assert_no_error (error);
  root = beckon_json_parse (text, (gssize) length, &error);
  g_assert_no_error (error);
  array = json_node_get_array (root);
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      JsonObject *object = json_array_get_object_element (array, i);
      Example *example = g_new0 (Example, 1);

      example->number = beckon_json_get_int (object, "example", 0);
      example->markdown = g_strdup (beckon_json_get_string (object, "markdown"));
      example->html = g_strdup (beckon_json_get_string (object, "html"));
      g_ptr_array_add (examples, example);
    }
}

static void
test_at_once (void)
{
  guint failed = 0;

  for (guint i = 0; i < examples->len; i++)
    {
      const Example *example = g_ptr_array_index (examples, i);
      g_autoptr (GPtrArray) blocks =
          beckon_markdown_parse (example->markdown, strlen (example->markdown), BECKON_MARKDOWN_COMMONMARK);
      g_autofree char *html = markdown_to_html (blocks);

      if (is_known (example->number) || g_str_equal (html, example->html))
        continue;
      failed++;
      g_test_message ("example %d\n%s--- expected\n%s--- but\n%s", (int) example->number, example->markdown, example->html,
                      html);
    }
  g_assert_cmpuint (failed, ==, 0);
}

static char *
stream (const char *text, gsize cut)
{
  g_autoptr (BeckonMarkdownStream) self = beckon_markdown_stream_new ();
  g_autoptr (GPtrArray) blocks = g_ptr_array_new ();
  gsize length = strlen (text);
  /* Frames are rarer than chunks. */
  gsize chunks_per_frame = length > 4096 ? 97 : 1;

  for (gsize at = 0, n = 0; at < length; at += cut, n++)
    {
      beckon_markdown_stream_feed (self, text + at, MIN (cut, length - at));
      if (n % chunks_per_frame == 0)
        beckon_markdown_stream_update (self);
    }
  beckon_markdown_stream_finish (self);
  beckon_markdown_stream_update (self);
  for (guint i = 0; i < beckon_markdown_stream_get_n_blocks (self); i++)
    g_ptr_array_add (blocks, beckon_markdown_stream_get_block (self, i));
  return markdown_to_html (blocks);
}

static void
test_streamed (void)
{
  const gsize cuts[] = { 1, 7, 64 };
  guint failed = 0;

  for (guint i = 0; i < examples->len; i++)
    {
      const Example *example = g_ptr_array_index (examples, i);
      g_autoptr (GPtrArray) blocks =
          beckon_markdown_parse (example->markdown, strlen (example->markdown), BECKON_MARKDOWN_RICH);
      g_autofree char *whole = markdown_to_html (blocks);

      for (guint j = 0; j < G_N_ELEMENTS (cuts); j++)
        {
          g_autofree char *html = stream (example->markdown, cuts[j]);

          if (g_str_equal (html, whole))
            continue;
          failed++;
          g_test_message ("example %d in cuts of %d\n%s--- expected\n%s--- but\n%s", (int) example->number, (int) cuts[j],
                          example->markdown, whole, html);
        }
    }
  g_assert_cmpuint (failed, ==, 0);
}

/* All of them as one text: blocks end where others begin. */
static void
test_all_streamed (void)
{
  const gsize cuts[] = { 1, 7, 64 };
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *first = NULL;

  for (guint i = 0; i < examples->len; i++)
    g_string_append_printf (text, "%s\n\n", ((Example *) g_ptr_array_index (examples, i))->markdown);
  for (guint j = 0; j < G_N_ELEMENTS (cuts); j++)
    {
      g_autofree char *html = stream (text->str, cuts[j]);

      if (first == NULL)
        first = g_steal_pointer (&html);
      else
        g_assert_cmpstr (html, ==, first);
    }
}

static void
test_skipped (void)
{
  g_test_skip ("BECKON_FIXTURES is not set");
}

static void
free_example (gpointer data)
{
  Example *example = data;

  g_free (example->markdown);
  g_free (example->html);
  g_free (example);
}

int
main (int argc, char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  examples = g_ptr_array_new_with_free_func (free_example);
  if (g_getenv ("BECKON_FIXTURES") != NULL)
    {
      load (g_getenv ("BECKON_FIXTURES"));
      g_test_add_func ("/markdown/commonmark/at-once", test_at_once);
      g_test_add_func ("/markdown/commonmark/streamed", test_streamed);
      g_test_add_func ("/markdown/commonmark/all-streamed", test_all_streamed);
    }
  else
    {
      g_test_add_func ("/markdown/commonmark/skipped", test_skipped);
    }
  status = g_test_run ();
  g_ptr_array_unref (examples);
  return status;
}
