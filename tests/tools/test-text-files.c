/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Text files as tools show and write them: encodings, line ends, what can't be seen, and edits that are nearly there. */
#include "tool-runner.h"
#include "tools/beckon-change-tool.h"

#include <string.h>

#define BYTES(literal) literal, sizeof (literal) - 1

static void
set_up (ToolRunner *runner, gconstpointer data)
{
  tool_runner_set_up (runner);
}

static void
tear_down (ToolRunner *runner, gconstpointer data)
{
  tool_runner_tear_down (runner);
}

typedef struct
{
  const char *name;
  const char *bytes; /* of the file "f" */
  gsize length;
  const char *tool;
  const char *arguments; /* without the path */
  const char *after;     /* NULL: as it was, since it is refused or only read */
  gsize after_length;
  const char *words; /* of the result or the error */
} Case;

static void
check (ToolRunner *runner, const Case *cases, guint n_cases)
{
  g_autofree char *path = g_build_filename (runner->folder, "f", NULL);

  for (guint i = 0; i < n_cases; i++)
    {
      const Case *c = cases + i;
      g_autofree char *arguments = g_strdup_printf ("{'path':'f'%s%s}", c->arguments != NULL ? "," : "",
                                                    c->arguments != NULL ? c->arguments : "");
      g_autofree char *result = NULL;
      g_autofree char *bytes = NULL;
      g_autoptr (GError) error = NULL;
      gboolean is_refused = c->after == NULL && strcmp (c->tool, "read_file") != 0;
      gsize length;

      g_assert_true (g_file_set_contents (path, c->bytes, (gssize) c->length, NULL));
      result = tool_runner_run (runner, c->tool, arguments, NULL, &error);
      g_test_message ("%s: %s", c->name, result != NULL ? result : error->message);
      g_assert_cmpint (result == NULL, ==, is_refused);
      if (c->words != NULL)
        g_assert_nonnull (strstr (result != NULL ? result : error->message, c->words));
      g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
      if (c->after != NULL)
        g_assert_cmpmem (bytes, length, c->after, c->after_length);
      else
        g_assert_cmpmem (bytes, length, c->bytes, c->length);
    }
}

static void
test_encodings (ToolRunner *runner, gconstpointer data)
{
  static const Case cases[] = {
    { "latin-1, read", BYTES ("caf\351 one\ntwo\n"), "read_file", NULL, NULL, 0,
      "café one\ntwo\n[The file is ISO-8859-1, 13 bytes. edit_file and write_file keep that.]" },
    { "latin-1, written back", BYTES ("caf\351 one\ntwo\n"), "write_file", "'content':'caf\357\277\275 one\\nTWO\\n'", NULL, 0,
      "“f” is ISO-8859-1, which has no “\357\277\275” (U+FFFD)" },
    { "latin-1, written", BYTES ("caf\351 one\ntwo\n"), "write_file", "'content':'café one\\nTWO\\n'",
      BYTES ("caf\351 one\nTWO\n"), "-two\n+TWO\n" },
    { "latin-1, edited", BYTES ("caf\351 one\ntwo\n"), "edit_file", "'old_text':'two','new_text':'TWO'",
      BYTES ("caf\351 one\nTWO\n"), "ISO-8859-1" },
    { "gbk, edited", BYTES ("\326\320\316\304\ntwo\n"), "edit_file", "'old_text':'中文','new_text':'文中'",
      BYTES ("\316\304\326\320\ntwo\n"), "-中文\n+文中" },
    { "utf-16, read", BYTES ("\377\376h\0i\0\r\0\n\0"), "read_file", NULL, NULL, 0,
      "hi\n[The file is UTF-16LE with a byte order mark, 10 bytes. Its lines end with CR LF. edit_file and write_file keep that.]" },
    { "utf-16, edited", BYTES ("\377\376h\0i\0\r\0\n\0"), "edit_file", "'old_text':'hi','new_text':'ho\\nü'",
      BYTES ("\377\376h\0o\0\r\0\n\0\374\0\r\0\n\0"), NULL },
    { "CRLF, read", BYTES ("a\r\nb\r\n"), "read_file", NULL, NULL, 0,
      "a\nb\n[Its lines end with CR LF. edit_file and write_file keep that.]" },
    { "CRLF, one line becomes two", BYTES ("one\r\ntwo\r\nthree\r\n"), "edit_file",
      "'old_text':'two','new_text':'two\\nand a half'", BYTES ("one\r\ntwo\r\nand a half\r\nthree\r\n"), " two\n+and a half\n" },
    { "CRLF, several lines", BYTES ("one\r\ntwo\r\nthree\r\n"), "edit_file", "'old_text':'one\\ntwo','new_text':'ONE\\nTWO'",
      BYTES ("ONE\r\nTWO\r\nthree\r\n"), NULL },
    { "CRLF, as it is in the file", BYTES ("one\r\ntwo\r\n"), "edit_file", "'old_text':'one\\r\\ntwo','new_text':'ONE\\r\\nTWO'",
      BYTES ("ONE\r\nTWO\r\n"), NULL },
    { "CRLF, written whole", BYTES ("a\r\nb\r\n"), "write_file", "'content':'a\\nb2\\n'", BYTES ("a\r\nb2\r\n"),
      " a\n-b\n+b2\n" },
    { "LF becomes CRLF", BYTES ("a\nb\n"), "write_file", "'content':'a\\r\\nb\\r\\n'", BYTES ("a\r\nb\r\n"),
      "-a\n-b\n+a<U+000D>\n+b<U+000D>\n" },
    { "mixed, untouched lines", BYTES ("one\r\ntwo\nthree\r\n"), "edit_file", "'old_text':'three','new_text':'THREE'",
      BYTES ("one\r\ntwo\nTHREE\r\n"), NULL },
    { "mixed, over lines", BYTES ("one\r\ntwo\nthree\r\n"), "edit_file", "'old_text':'one\\ntwo\\nthree','new_text':'1\\ntwo\\n3'",
      BYTES ("1\r\ntwo\n3\r\n"), "mixed" },
    { "mark, edited", BYTES ("\357\273\277one\ntwo\n"), "edit_file", "'old_text':'one','new_text':'ONE'",
      BYTES ("\357\273\277ONE\ntwo\n"), NULL },
    { "no line break at the end", BYTES ("one\ntwo"), "edit_file", "'old_text':'two','new_text':'TWO'", BYTES ("one\nTWO"), NULL },
    { "changes in the middle, read", BYTES ("Grüße\ncaf\351\n"), "read_file", NULL, NULL, 0, "caf<0xE9>\n[The file is UTF-8, " },
    { "changes in the middle, edited", BYTES ("Grüße\ncaf\351\n"), "edit_file", "'old_text':'caf<0xE9>','new_text':'t<0xE9>'",
      BYTES ("Grüße\nt\351\n"), "+t<0xE9>" },
    { "empty", BYTES (""), "write_file", "'content':'a\\n'", BYTES ("a\n"), NULL },
    { "picture", BYTES ("\211PNG\r\n\032\n\0\0\0\rIHDR"), "write_file", "'content':'x'", BYTES ("x"), "16 bytes of image/png" },
    { "picture, edited", BYTES ("\211PNG\r\n\032\n\0\0\0\rIHDR"), "edit_file", "'old_text':'PNG','new_text':'x'", NULL, 0, "no text" },
  };

  check (runner, cases, G_N_ELEMENTS (cases));
}

static void
test_hidden (ToolRunner *runner, gconstpointer data)
{
  static const Case cases[] = {
    { "U+200B, read", BYTES ("a\342\200\213b\nsecond\n"), "read_file", NULL, NULL, 0,
      "a<U+200B>b\nsecond\n[Characters that cannot be seen are shown as <U+200B>" },
    { "U+200B, edited with what was read", BYTES ("a\342\200\213b\nsecond\n"), "edit_file",
      "'old_text':'a<U+200B>b','new_text':'a<U+200B>c'", BYTES ("a\342\200\213c\nsecond\n"), NULL },
    { "U+200B, written back", BYTES ("a\342\200\213b\nsecond\n"), "write_file", "'content':'a<U+200B>b\\n2nd\\n'",
      BYTES ("a\342\200\213b\n2nd\n"), NULL },
    { "U+200B, left out", BYTES ("a\342\200\213b\n"), "write_file", "'content':'ab\\n'", BYTES ("ab\n"), "-a<U+200B>b\n+ab\n" },
    { "U+202E, edited with what was read", BYTES ("x\342\200\256abc\342\200\254\n"), "edit_file",
      "'old_text':'x<U+202E>abc<U+202C>','new_text':'y<U+202E>abc<U+202C>'", BYTES ("y\342\200\256abc\342\200\254\n"), NULL },
    { "U+202E, replaced by nothing", BYTES ("x\342\200\256abc\342\200\254\n"), "edit_file",
      "'old_text':'<U+202E>abc<U+202C>','new_text':'abc'", BYTES ("xabc\n"), NULL },
    { "the letters, edited", BYTES ("shows <U+200B> here\n"), "edit_file", "'old_text':'here','new_text':'there'",
      BYTES ("shows <U+200B> there\n"), NULL },
    { "the letters, written", BYTES ("shows <U+200B> here\n"), "write_file", "'content':'shows <U+200B> there\\n'",
      BYTES ("shows <U+200B> there\n"), NULL },
    { "both, read", BYTES ("a\342\200\213b is <U+200B>\n"), "read_file", NULL, NULL, 0, "a<U+200B>b is <U+003C>U+200B>\n" },
    { "both, written", BYTES ("a\342\200\213b is <U+200B>\n"), "write_file", "'content':'a<U+200B>c is <U+003C>U+200B>\\n'",
      BYTES ("a\342\200\213c is <U+200B>\n"), NULL },
    { "neither", BYTES ("plain\n"), "write_file", "'content':'a<U+200B>b\\n'", NULL, 0, "or <U+003C>U+200B> for the letters" },
    { "neither, edited", BYTES ("plain\n"), "edit_file", "'old_text':'plain','new_text':'<U+202E>'", NULL, 0,
      "Write the character itself" },
    { "Khmer", BYTES ("ខ្ញុំ\342\200\213ស្រឡាញ់\nsecond\n"), "edit_file", "'old_text':'second','new_text':'2nd'",
      BYTES ("ខ្ញុំ\342\200\213ស្រឡាញ់\n2nd\n"), NULL },
    { "joiner and soft hyphen", BYTES ("co\302\255op \331\205\333\214\342\200\214\330\256\n"), "read_file", NULL, NULL, 0,
      "co\302\255op \331\205\333\214\342\200\214\330\256\n" },
  };

  check (runner, cases, G_N_ELEMENTS (cases));
  tool_runner_expect (runner, "read_file", "{'path':'f'}", "co\302\255op", NULL);
}

static void
test_near (ToolRunner *runner, gconstpointer data)
{
#define SOME "0123456789 abcdef - "
#define LONG SOME SOME SOME SOME SOME SOME SOME SOME SOME SOME SOME SOME SOME SOME SOME SOME SOME SOME SOME SOME
#define TEXT "one\ntwo three\nfour\nfive\n"
  static const Case cases[] = {
    { "two blanks for one", BYTES (TEXT), "edit_file", "'old_text':'two  three','new_text':'x'", BYTES ("one\nx\nfour\nfive\n"),
      "not in the file to the letter" },
    { "a blank at the end of a line", BYTES (TEXT), "edit_file", "'old_text':'one \\ntwo three','new_text':'x'",
      BYTES ("x\nfour\nfive\n"), NULL },
    { "blanks at the file's line ends", BYTES ("one  \ntwo\n"), "edit_file", "'old_text':'one\\ntwo','new_text':'one\\n2'",
      BYTES ("one  \n2\n"), NULL },
    { "blanks for a tab", BYTES ("int f(void)\n{\n\treturn 1;\n}\n"), "edit_file",
      "'old_text':'    return 1;','new_text':'    return 2;'", BYTES ("int f(void)\n{\n\treturn 2;\n}\n"), NULL },
    { "two blanks for four", BYTES ("def f():\n    if a:\n        return 1\n"), "edit_file",
      "'old_text':'  if a:\\n    return 1','new_text':'  if b:\\n    return 2'", BYTES ("def f():\n    if b:\n        return 2\n"),
      NULL },
    { "blanks for tabs, deeper", BYTES ("{\n\tif (a)\n\t\treturn 1;\n}\n"), "edit_file",
      "'old_text':'    if (a)\\n        return 1;','new_text':'    if (b)\\n        {\\n            return 2;\\n        }'",
      BYTES ("{\n\tif (b)\n\t\t{\n\t\t\treturn 2;\n\t\t}\n}\n"), NULL },
    { "a line number before it", BYTES (TEXT), "edit_file", "'old_text':'2\\ttwo three','new_text':'2\\tx'",
      BYTES ("one\nx\nfour\nfive\n"), NULL },
    { "other quotes", BYTES ("it’s “quoted”\n"), "edit_file", "'old_text':'it\\u0027s','new_text':'it is'",
      BYTES ("it is “quoted”\n"), NULL },
    { "other quotes around it", BYTES ("say “hi” now\n"), "edit_file",
      "'old_text':'say \\u0022hi\\u0022 now','new_text':'say \\u0022hi\\u0022 later'", BYTES ("say “hi” later\n"), NULL },
    { "a line break as two characters", BYTES (TEXT), "edit_file", "'old_text':'one\\\\ntwo three','new_text':'x'",
      BYTES ("x\nfour\nfive\n"), NULL },
    { "another indentation", BYTES ("class A:\n    def f(self):\n        return 1\n"), "edit_file",
      "'old_text':'def f(self):\\n    return 1','new_text':'def f(self):\\n    return 2'",
      BYTES ("class A:\n    def f(self):\n        return 2\n"), NULL },
    { "another indentation, more lines", BYTES ("class A:\n    def f(self):\n        return 1\n"), "edit_file",
      "'old_text':'def f(self):\\n    return 1\\n','new_text':'def f(self):\\n    if x:\\n        return 2\\n\\ndef g(self):\\n    pass\\n'",
      BYTES ("class A:\n    def f(self):\n        if x:\n            return 2\n\n    def g(self):\n        pass\n"), NULL },
    { "indented too far", BYTES ("if a:\n    b\n    c\n"), "edit_file", "'old_text':'        b\\n        c','new_text':'        b\\n        d'",
      BYTES ("if a:\n    b\n    d\n"), NULL },
    { "no line break at the file's end", BYTES ("one\ntwo"), "edit_file", "'old_text':'two\\n','new_text':'2\\n'", BYTES ("one\n2"),
      NULL },
    { "near, in a CRLF file", BYTES ("a  b\r\nc\r\n"), "edit_file", "'old_text':'a b\\nc','new_text':'x\\ny'", BYTES ("x\r\ny\r\n"),
      NULL },
    { "unevenly indented", BYTES ("  alpha\n      beta\n"), "edit_file", "'old_text':'    alpha\\n    beta','new_text':'x'",
      NULL, 0, "1:   alpha\n2:       beta\n" },
    { "near, at two places", BYTES ("a  b\na   b\n"), "edit_file", "'old_text':'a b','new_text':'x'", NULL, 0, "at lines 1, 2." },
    { "nowhere near", BYTES (TEXT), "edit_file", "'old_text':'tow three','new_text':'x'", NULL, 0, "\n2: two three\n" },
    { "several lines, one of them wrong", BYTES (TEXT), "edit_file", "'old_text':'one\\ntwo threes\\nfour','new_text':'x'", NULL, 0,
      "\n1: one\n2: two three\n3: four\n" },
    { "a piece of a long line", BYTES (LONG "the quick brown fox jumps" LONG "\n"), "edit_file",
      "'old_text':'the quick browne fox','new_text':'x'", NULL, 0, "Nearest is this piece of a line:\n1: " },
    { "of that what is meant", BYTES (LONG "the quick brown fox jumps" LONG "\n"), "edit_file",
      "'old_text':'the quick browne fox','new_text':'x'", NULL, 0, "the quick brown fox jumps" },
    { "nothing like it", BYTES (TEXT), "edit_file", "'old_text':'zzzzzz','new_text':'x'", NULL, 0, "nor is anything like it" },
    { "exact beats near", BYTES ("a  b\na b\n"), "edit_file", "'old_text':'a b','new_text':'x'", BYTES ("a  b\nx\n"), NULL },
    { "blanks alone are no place", BYTES ("a\n\nb\n"), "edit_file", "'old_text':'\\n \\n','new_text':'x'", NULL, 0, NULL },
    { "braces that overlap", BYTES ("}\n}\n}\n"), "edit_file", "'old_text':'}\\n}\\n','new_text':'}\\n\\n}\\n'", NULL, 0, "at lines 1, 2." },
  };
#undef LONG
#undef SOME
#undef TEXT

  check (runner, cases, G_N_ELEMENTS (cases));
}

/* The lines that are quoted hold no secret. */
static void
test_near_masked (ToolRunner *runner, gconstpointer data)
{
  g_autoptr (BeckonMask) mask = beckon_mask_new ();
  g_autoptr (GError) error = NULL;

  beckon_mask_add (mask, "hunter2-canary", "secret:token");
  runner->mask = mask;
  tool_runner_write (runner, "a.env", "TOKEN=hunter2-canary\nPORT=1\n");
  g_assert_null (tool_runner_run (runner, "edit_file", "{'path':'a.env','old_text':'TOKENS=hunter','new_text':'x'}", NULL, &error));
  g_assert_null (strstr (error->message, "canary"));
  g_assert_nonnull (strstr (error->message, "1: TOKEN=secret:token"));
  runner->mask = NULL;
}

#define ADD(path, function) g_test_add (path, ToolRunner, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/text-files/encodings", test_encodings);
  ADD ("/text-files/hidden", test_hidden);
  ADD ("/text-files/near", test_near);
  ADD ("/text-files/near-masked", test_near_masked);
  return g_test_run ();
}
