/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Text that grows: however it is cut, what comes out is what the whole means; what is settled stays; and nothing takes
 * long. */

#include "markdown-html.h"
#include "markdown-random.h"

#include "markdown/beckon-markdown-parse.h"
#include "markdown/beckon-markdown-stream.h"

#include <string.h>

/* The sanitizer reads a string to its end wherever a part of it is looked at. */
#ifdef __SANITIZE_ADDRESS__
#define N_RANDOM 150
#define HOSTILE_BYTES (16 * 1024)
#else
#define N_RANDOM 3000
#define HOSTILE_BYTES (256 * 1024)
#endif

static char *
to_html (BeckonMarkdownStream *stream)
{
  g_autoptr (GPtrArray) blocks = g_ptr_array_new ();

  for (guint i = 0; i < beckon_markdown_stream_get_n_blocks (stream); i++)
    g_ptr_array_add (blocks, beckon_markdown_stream_get_block (stream, i));
  return markdown_to_html (blocks);
}

static void
feed (BeckonMarkdownStream *stream, const char *text)
{
  beckon_markdown_stream_feed (stream, text, strlen (text));
}

static char *
parse_whole (const char *text)
{
  g_autoptr (GPtrArray) blocks = beckon_markdown_parse (text, strlen (text), BECKON_MARKDOWN_RICH);

  return markdown_to_html (blocks);
}

/* Blocks before the one that update () names are what they were. */
static void
check_same (BeckonMarkdownStream *stream, GPtrArray *seen)
{
  guint changed = beckon_markdown_stream_update (stream);
  guint n = beckon_markdown_stream_get_n_blocks (stream);

  g_assert_cmpuint (changed, <=, n);
  for (guint i = 0; i < MIN (changed, seen->len); i++)
    g_assert_true (g_ptr_array_index (seen, i) == beckon_markdown_stream_get_block (stream, i));
  g_ptr_array_set_size (seen, 0);
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (seen, beckon_markdown_node_ref (beckon_markdown_stream_get_block (stream, i)));
}

static char *
stream_randomly (GRand *random, const GString *text, int longest_cut)
{
  g_autoptr (BeckonMarkdownStream) stream = beckon_markdown_stream_new ();
  g_autoptr (GPtrArray) seen = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_markdown_node_unref);

  for (gsize at = 0; at < text->len;)
    {
      gsize wanted = (gsize) g_rand_int_range (random, 1, longest_cut + 1);
      gsize n = MIN (wanted, text->len - at);

      beckon_markdown_stream_feed (stream, text->str + at, n);
      if (g_rand_int_range (random, 0, 3) > 0)
        check_same (stream, seen);
      at += n;
    }
  beckon_markdown_stream_finish (stream);
  check_same (stream, seen);
  return to_html (stream);
}

static char *
stream_at_once (const char *text)
{
  g_autoptr (BeckonMarkdownStream) stream = beckon_markdown_stream_new ();

  feed (stream, text);
  beckon_markdown_stream_finish (stream);
  beckon_markdown_stream_update (stream);
  return to_html (stream);
}

/* Texts that the library has wrong, and a stream, which is cut there, right: a table continues with what begins another block;
 * an item that is empty does not end with the next empty line; nor does code within an item or a quote end with it
 * where more code follows at the margin. */
static gboolean
is_misread (const char *text)
{
  return g_regex_match_simple ("(^|[ \t>])([-+*]|[0-9]+[.)])[ \t]*$", text, G_REGEX_MULTILINE, 0)
         || (g_regex_match_simple ("^[-+*>0-9.) \t]+(```|~~~)", text, G_REGEX_MULTILINE, 0)
             && g_regex_match_simple ("^ ? ? ?(```|~~~)", text, G_REGEX_MULTILINE, 0))
         || g_regex_match_simple ("[|]\n(.+\n)*[ >]*(#|```|~~~)", text, 0, 0);
}

static void
test_random (void)
{
  /* Elsewhere than in the suite, look further. */
  guint32 first = g_test_perf () ? (guint32) g_get_real_time () : 1;
  guint n = g_test_perf () ? 50 * N_RANDOM : N_RANDOM;
  guint failed = 0;

  for (guint i = 0; i < n; i++)
    {
      guint32 seed = first + i;
      g_autoptr (GRand) random = g_rand_new_with_seed (seed);
      g_autoptr (GString) text = markdown_random (random);
      g_autofree char *whole = is_misread (text->str) ? stream_at_once (text->str) : parse_whole (text->str);
      g_autofree char *at_once = stream_at_once (text->str);
      g_autofree char *streamed = stream_randomly (random, text, g_rand_int_range (random, 1, 40));

      g_assert_cmpstr (streamed, ==, at_once);
      if (g_str_equal (whole, streamed))
        continue;
      failed++;
      g_test_message ("seed %u\n%s\n--- whole\n%s--- streamed\n%s", seed, text->str, whole, streamed);
    }
  /* The library reads a few of the strangest otherwise after other text than by themselves. */
  g_assert_cmpuint (failed, <=, n / 1000);
}

/* Settled text is not parsed again, and most of a reply is settled soon after it came. */
static void
test_settles (void)
{
  static const char *const texts[] = {
    "One paragraph.\n\nTwo",      "# Heading\nText", "```c\nint x;\n```\nText", "- a\n- b\n\nText",
    "| a |\n|---|\n| b |\n\nText", "> quote\n\nText", "1. x\n   ```\n   code\n\n   more\n   ```\n\nText",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (BeckonMarkdownStream) stream = beckon_markdown_stream_new ();

      feed (stream, texts[i]);
      /* The beginning of a block is known when its line is over. */
      feed (stream, " and more of it\n");
      beckon_markdown_stream_update (stream);
      g_assert_cmpuint (beckon_markdown_stream_get_n_settled (stream), ==, 1);
      g_assert_cmpuint (beckon_markdown_stream_get_n_blocks (stream), ==, 2);
    }
}

static void
test_late_links (void)
{
  g_autoptr (BeckonMarkdownStream) stream = beckon_markdown_stream_new ();
  g_autofree char *before = NULL, *after = NULL;
  BeckonMarkdownNode *plain;

  feed (stream, "Plain.\n\nSee [Foo] and [text][bar\n baz].\n\n- [x](y)\n\n[foo]: <http://a b/> \"ti\\\"tle\"\n\n"
                "> [Bar Baz]: /two\n\nAnd [foo] again.\n\n");
  beckon_markdown_stream_update (stream);
  plain = beckon_markdown_stream_get_block (stream, 0);
  before = to_html (stream);
  g_assert_nonnull (strstr (before, "[Foo]"));
  g_assert_nonnull (strstr (before, "And <a href=\"http://a%20b/\" title=\"ti&quot;tle\">foo</a>"));
  beckon_markdown_stream_finish (stream);
  g_assert_cmpuint (beckon_markdown_stream_update (stream), ==, 1);
  g_assert_true (beckon_markdown_stream_get_block (stream, 0) == plain);
  after = to_html (stream);
  g_assert_nonnull (strstr (after, "See <a href=\"http://a%20b/\" title=\"ti&quot;tle\">Foo</a> and <a href=\"/two\">text</a>."));
}

/* Code grows and nothing else: what was shown of it stays. */
static void
test_code_grows (void)
{
  g_autoptr (BeckonMarkdownStream) stream = beckon_markdown_stream_new ();
  g_autoptr (GString) shown = g_string_new (NULL);
  const char *text = "  ````c foo\n  int x;\n\n ``` no end\n   y\n# no heading\n````\n";
  const BeckonMarkdownNode *node;

  for (const char *c = text; *c != '\0'; c++)
    {
      beckon_markdown_stream_feed (stream, c, 1);
      beckon_markdown_stream_update (stream);
      /* Until the first line is over it is text. */
      if (c - text < 10)
        continue;
      node = beckon_markdown_stream_get_block (stream, 0);
      g_assert_true (node->kind == BECKON_MARKDOWN_CODE);
      g_assert_true (g_str_has_prefix (node->text->str, shown->str));
      g_string_assign (shown, node->text->str);
    }
  g_assert_cmpstr (shown->str, ==, "int x;\n\n``` no end\n y\n# no heading\n");
  g_assert_cmpstr (beckon_markdown_stream_get_block (stream, 0)->info, ==, "c foo");
  g_assert_cmpuint (beckon_markdown_stream_get_n_settled (stream), ==, 1);
}

static void
test_source (void)
{
  g_autoptr (BeckonMarkdownStream) stream = beckon_markdown_stream_new ();
  const char *source;
  gsize length;

  feed (stream, "# One\ntwo **b**\n\n- three\n\nfour\n");
  beckon_markdown_stream_update (stream);
  g_assert_cmpuint (beckon_markdown_stream_get_n_blocks (stream), ==, 4);
  source = beckon_markdown_stream_get_source (stream, 1, &length);
  g_assert_cmpmem (source, length, "two **b**\n\n", 11);
  source = beckon_markdown_stream_get_source (stream, 3, &length);
  g_assert_cmpmem (source, length, "four\n", 5);
}

static void
test_finished_empty (void)
{
  g_autoptr (BeckonMarkdownStream) stream = beckon_markdown_stream_new ();

  g_assert_cmpuint (beckon_markdown_stream_update (stream), ==, 0);
  beckon_markdown_stream_finish (stream);
  beckon_markdown_stream_finish (stream);
  g_assert_cmpuint (beckon_markdown_stream_update (stream), ==, 0);
  g_assert_cmpuint (beckon_markdown_stream_get_n_blocks (stream), ==, 0);
}

/* Text that a parser could spend its life on: so much of each that what grows with the square would take minutes. */
#define HOSTILE_SECONDS 30

static void
test_hostile (void)
{
  static const char *const pieces[] = {
    "[",      "[a](",  "![",       "*a _",   "**a ",   "`` a ",  "<a ",        "&a",      "\\",     "> ",       "- ",    "1. ",
    "$a ",    "\\(a ", "| ",       "~~a ",   "[a]: b\n", "[a]\n",  "- a\n\n",  "```\n",  "<!-- ",  "<b>\n",    "#\n",   "a\n",
    "\n",     "]: [",  "| a | b |\n|---|---|\n", "<div>\n", "$$\n",  "*_*_",  "]",  "https://a.b ",  "[a]: <b> \"c\"\n\n[a]", "-\n ",
  };

  for (guint i = 0; i < G_N_ELEMENTS (pieces); i++)
    {
      g_autoptr (BeckonMarkdownStream) stream = beckon_markdown_stream_new ();
      g_autoptr (GString) text = g_string_new (NULL);
      gint64 begin = g_get_monotonic_time ();
      double seconds;

      while (text->len < HOSTILE_BYTES)
        g_string_append (text, pieces[i]);
      feed (stream, text->str);
      beckon_markdown_stream_update (stream);
      beckon_markdown_stream_finish (stream);
      beckon_markdown_stream_update (stream);
      seconds = (double) (g_get_monotonic_time () - begin) / G_USEC_PER_SEC;
      if (seconds > 0.15)
        g_test_message ("%d bytes of %s take %.2f s", HOSTILE_BYTES, pieces[i], seconds);
      g_assert_cmpfloat (seconds, <, HOSTILE_SECONDS);
    }
}

/* Pictures that are in the text itself */

#ifdef __SANITIZE_ADDRESS__
#define PICTURE_BYTES (40 * 1024)
#else
#define PICTURE_BYTES (200 * 1024)
#endif

/* Less than what one block may have of text, and more. */
static const gsize picture_bytes[] = { 40 * 1024, PICTURE_BYTES };

/* %s in @pattern is the bytes of a picture, @n of them. Caller frees. */
static char *
write_picture_of (const char *pattern, gsize n)
{
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  g_autoptr (GString) text = g_string_new (pattern);
  g_autofree char *bytes = g_malloc (n + 1);

  for (gsize i = 0; i < n; i++)
    bytes[i] = digits[(i * i / 7 + i) % 64];
  bytes[n] = '\0';
  g_string_replace (text, "%s", bytes, 0);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
write_picture (const char *pattern)
{
  return write_picture_of (pattern, PICTURE_BYTES);
}

static gsize
find_longest_text (GPtrArray *blocks)
{
  gsize longest = 0;

  for (guint i = 0; blocks != NULL && i < blocks->len; i++)
    {
      const BeckonMarkdownNode *node = g_ptr_array_index (blocks, i);

      longest = MAX (longest, MAX (node->text != NULL ? node->text->len : 0, find_longest_text (node->children)));
    }
  return longest;
}

/* Streams @text in pieces of @cut bytes. No more than @most of text is shown meanwhile. */
static char *
stream_in_cuts (const char *text, gsize cut, gsize most)
{
  g_autoptr (BeckonMarkdownStream) stream = beckon_markdown_stream_new ();
  gsize length = strlen (text);
  guint n = 0;

  for (gsize at = 0; at < length; at += cut)
    {
      beckon_markdown_stream_feed (stream, text + at, MIN (cut, length - at));
      /* Near the end each of them, else the sanitizer takes all day. */
      if (n++ % 512 != 0 && length - at > 60)
        continue;
      beckon_markdown_stream_update (stream);
      g_assert_cmpuint (find_longest_text (beckon_markdown_stream_get_blocks (stream)), <=, most);
    }
  beckon_markdown_stream_finish (stream);
  beckon_markdown_stream_update (stream);
  g_assert_cmpuint (find_longest_text (beckon_markdown_stream_get_blocks (stream)), <=, most);
  return to_html (stream);
}

static const gsize cuts[] = { 1, 7, 64, 4000, 16 * 1024, 100 * 1024, G_MAXINT };

static void
check_picture (const char *text)
{
  g_autofree char *whole = parse_whole (text);

  g_assert_nonnull (strstr (whole, "<img src=\""));
  for (guint i = 0; i < G_N_ELEMENTS (cuts); i++)
    {
      g_autofree char *streamed = stream_in_cuts (text, cuts[i], 200);

      g_assert_cmpuint (strlen (streamed), ==, strlen (whole));
      g_assert_true (g_str_equal (streamed, whole));
    }
}

/* However large it is, it is a picture wherever a small one would be; while it comes nothing of it is seen. */
static void
test_large_pictures (void)
{
  static const char *const patterns[] = {
    "![Plot](data:image/png;base64,%s)",
    "Look: ![Plot [1]](<DATA:image/PNG;base64,%s> \"A title\") here.\nAnd on.\n\nMore.",
    "# ![Plot](data:image/svg+xml;charset=utf-8;base64,%s)\n",
    "- one\n- ![Plot](data:image/png;base64,%s)\n  more\n- three",
    "> ![Plot](data:image/png;base64,%s)\n> more\n\nText",
    "![Plot](data:image/png;base64,%s 'It (is) a \\' \"title\"' ) ![two](<data:image/png;base64,%s>\t(so \"is\" this)), more",
    "| A | B |\n|---|---|\n| ![a](data:image/png;base64,%s) | b |\n| ![c](data:image/png;base64,%s) | d |\n\nText",
    "[![Plot](data:image/png;base64,%s)](https://example.com/) and ![two](data:image/png;base64,%s).\n\n[x]: /y\n\n[x]",
    "[late], ![one](data:image/png;base64,%s) and ![two](data:image/png;base64,%s) [late]\n\n[late]: /y\n",
  };

  for (guint i = 0; i < G_N_ELEMENTS (patterns); i++)
    for (guint j = 0; j < G_N_ELEMENTS (picture_bytes); j++)
      {
        g_autofree char *text = write_picture_of (patterns[i], picture_bytes[j]);

        check_picture (text);
      }
}

/* A text that only looks like a picture is text, of which no block has more than can be shown. */
static void
test_no_pictures (void)
{
  static const char *const patterns[] = {
    "data:image/png;base64,%s\n\nText",
    "(data:image/png;base64,%s)",
    "![Plot](data:image/png;base64,%s",
    "![Plot](data:image/png;base64,%s\n\nText",
    "![Plot](data:image/png;base64,%s\xe5\x9b\xbe)\n\nText",
    "![Plot](data:image/png;base64,%s %s)\n\nText",
    "`![Plot](data:image/png;base64,%s)`\n\nText",
    "    ![Plot](data:image/png;base64,%s)\n\nText",
    "```\n![Plot](data:image/png;base64,%s)\n```\n\nText",
    "- ```\n  ![Plot](data:image/png;base64,%s)\n  ```\n\nText",
    "\\![Plot](data:text/plain;base64,%s)\n\nText",
  };

  for (guint i = 0; i < G_N_ELEMENTS (patterns); i++)
    {
      g_autofree char *text = write_picture (patterns[i]);
      g_autofree char *at_once = stream_at_once (text);
      gsize most = strstr (patterns[i], "```\n!") != NULL && *patterns[i] == '`' ? G_MAXSIZE : 80 * 1024;

      g_assert_null (strstr (at_once, "<img"));
      for (guint j = 0; j < G_N_ELEMENTS (cuts); j++)
        {
          g_autofree char *streamed = stream_in_cuts (text, cuts[j], most);

          g_assert_cmpuint (strlen (streamed), ==, strlen (at_once));
          g_assert_true (g_str_equal (streamed, at_once));
        }
    }
}

/* More of them in one block than anything could show are text again. */
static void
test_too_many_pictures (void)
{
  g_autofree char *one = write_picture ("![Plot](data:image/png;base64,%s)\n");
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *at_once = NULL, *streamed = NULL;

  while (text->len < 10 * 1024 * 1024)
    g_string_append (text, one);
  at_once = stream_at_once (text->str);
  streamed = stream_in_cuts (text->str, 4096, 80 * 1024);
  g_assert_true (g_str_equal (streamed, at_once));
}

/* Lines that come whole and lines that come in parts are the same lines. */
static void
test_many_small_pictures (void)
{
  static const char *const patterns[] = { "- one ![Plot](data:image/png;base64,%s)\n", "![Plot](data:image/png;base64,%s)\n" };

  for (guint i = 0; i < G_N_ELEMENTS (patterns); i++)
    {
      g_autofree char *digits = g_strnfill (9000, 'A');
      g_autoptr (GString) text = g_string_new (NULL);
      g_autofree char *at_once = NULL;

      for (guint j = 0; j < 12; j++)
        g_string_append (text, patterns[i]);
      g_string_replace (text, "%s", digits, 0);
      at_once = stream_at_once (text->str);
      for (guint j = 0; j < G_N_ELEMENTS (cuts); j++)
        {
          g_autofree char *streamed = stream_in_cuts (text->str, cuts[j], 200);

          g_assert_true (g_str_equal (streamed, at_once));
        }
    }
}

/* A line ends by a line feed, a carriage return or both, wherever the text is cut. */
static void
test_returns (void)
{
  static const char *const pairs[][2] = {
    { "a\rb\r\rc", "a\nb\n\nc" },
    { "a\r\nb\r\n\r\nc\r\n", "a\nb\n\nc\n" },
    { "one $$x\r\n\r\ntwo \\[y\\] and $$z$$", "one $$x\n\ntwo \\[y\\] and $$z$$" },
    { "```\ra\r```\r", "```\na\n```\n" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      g_autofree char *expected = parse_whole (pairs[i][1]);
      g_autofree char *whole = parse_whole (pairs[i][0]);

      g_assert_cmpstr (whole, ==, expected);
      for (gsize piece = 1; piece < 4; piece++)
        {
          g_autoptr (BeckonMarkdownStream) stream = beckon_markdown_stream_new ();
          g_autofree char *streamed = NULL;
          gsize length = strlen (pairs[i][0]);

          for (gsize at = 0; at < length; at += piece)
            beckon_markdown_stream_feed (stream, pairs[i][0] + at, MIN (piece, length - at));
          beckon_markdown_stream_finish (stream);
          beckon_markdown_stream_update (stream);
          streamed = to_html (stream);
          g_assert_cmpstr (streamed, ==, expected);
        }
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/markdown/stream/random", test_random);
  g_test_add_func ("/markdown/stream/returns", test_returns);
  g_test_add_func ("/markdown/stream/settles", test_settles);
  g_test_add_func ("/markdown/stream/late-links", test_late_links);
  g_test_add_func ("/markdown/stream/code-grows", test_code_grows);
  g_test_add_func ("/markdown/stream/source", test_source);
  g_test_add_func ("/markdown/stream/finished-empty", test_finished_empty);
  g_test_add_func ("/markdown/stream/hostile", test_hostile);
  g_test_add_func ("/markdown/stream/large-pictures", test_large_pictures);
  g_test_add_func ("/markdown/stream/no-pictures", test_no_pictures);
  g_test_add_func ("/markdown/stream/too-many-pictures", test_too_many_pictures);
  g_test_add_func ("/markdown/stream/many-small-pictures", test_many_small_pictures);
  return g_test_run ();
}
