/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Text files as bytes: what encoding they have, and that writing gives back what was read. */

#include "base/beckon-file-text.h"

#include <string.h>

#define BYTES(literal) literal, sizeof (literal) - 1

static const struct
{
  const char *name;
  const char *bytes;
  gsize length;
  const char *encoding; /* NULL: no text */
  BeckonLineEnds ends;
  const char *text;
} files[] = {
  { "empty", BYTES (""), "UTF-8", BECKON_LINE_ENDS_LF, "" },
  { "plain", BYTES ("one\ntwo"), "UTF-8", BECKON_LINE_ENDS_LF, "one\ntwo" },
  { "mark", BYTES ("\357\273\277one\n"), "UTF-8", BECKON_LINE_ENDS_LF, "one\n" },
  { "mark alone", BYTES ("\357\273\277"), "UTF-8", BECKON_LINE_ENDS_LF, "" },
  { "two marks", BYTES ("\357\273\277\357\273\277one\n"), "UTF-8", BECKON_LINE_ENDS_LF, "\357\273\277one\n" },
  { "crlf", BYTES ("a\r\nb\r\n"), "UTF-8", BECKON_LINE_ENDS_CRLF, "a\nb\n" },
  { "mixed", BYTES ("a\r\nb\nc\r\n"), "UTF-8", BECKON_LINE_ENDS_MIXED, "a\nb\nc\n" },
  { "mixed, open end", BYTES ("a\nb\r\nc"), "UTF-8", BECKON_LINE_ENDS_MIXED, "a\nb\nc" },
  { "cr", BYTES ("a\rb\r"), "UTF-8", BECKON_LINE_ENDS_CR, "a\nb\n" },
  { "a lone cr", BYTES ("a\rb\nc\n"), "UTF-8", BECKON_LINE_ENDS_LF, "a\rb\nc\n" },
  { "a cr before crlf", BYTES ("a\r\r\nb\r\n"), "UTF-8", BECKON_LINE_ENDS_CRLF, "a\r\nb\n" },
  { "latin-1", BYTES ("caf\351 one\ntwo\n"), "ISO-8859-1", BECKON_LINE_ENDS_LF, "café one\ntwo\n" },
  { "latin-1, twice the letter", BYTES ("cr\351\351e\n"), "ISO-8859-1", BECKON_LINE_ENDS_LF, "créée\n" },
  { "windows", BYTES ("\223caf\351\224\r\n"), "WINDOWS-1252", BECKON_LINE_ENDS_CRLF, "“café”\n" },
  { "no windows", BYTES ("caf\351 \201\n"), "ISO-8859-1", BECKON_LINE_ENDS_LF, "café \302\201\n" },
  { "gbk", BYTES ("\262\277\312\360\315\370\325\276\n"), "GB18030", BECKON_LINE_ENDS_LF, "部署网站\n" },
  { "gbk in code", BYTES ("int a; /* \326\320\316\304 */\n"), "GB18030", BECKON_LINE_ENDS_LF, "int a; /* 中文 */\n" },
  { "utf-16", BYTES ("\377\376h\0i\0\r\0\n\0"), "UTF-16LE", BECKON_LINE_ENDS_CRLF, "hi\n" },
  { "utf-16 big", BYTES ("\376\377\0h\0i"), "UTF-16BE", BECKON_LINE_ENDS_LF, "hi" },
  { "utf-16, no mark", BYTES ("h\0i\0\n\0"), "UTF-16LE", BECKON_LINE_ENDS_LF, "hi\n" },
  { "utf-16 big, no mark", BYTES ("\0h\0i\0\n"), "UTF-16BE", BECKON_LINE_ENDS_LF, "hi\n" },
  { "utf-16 Chinese, no mark", BYTES ("\x2d\x4e\x87\x65\n\0"), "UTF-16LE", BECKON_LINE_ENDS_LF, "中文\n" },
  { "utf-16, mark alone", BYTES ("\377\376"), "UTF-16LE", BECKON_LINE_ENDS_LF, "" },
  { "half a surrogate", BYTES ("\377\376\x3d\xd8\n\0"), NULL, 0, NULL },
  { "utf-16, a byte too many", BYTES ("\377\376h\0i"), NULL, 0, NULL },
  { "utf-8, then latin-1", BYTES ("Grüße\ncaf\351\n"), "UTF-8", BECKON_LINE_ENDS_LF, "Grüße\ncaf\364\217\277\251\n" },
  { "latin-1, then utf-8", BYTES ("caf\351\n中文\r\n"), "UTF-8", BECKON_LINE_ENDS_MIXED, "caf\364\217\277\251\n中文\n" },
  { "picture", BYTES ("\211PNG\r\n\032\n\0\0\0\rIHDR"), NULL, 0, NULL },
  { "controls", BYTES ("\001\002\003\004\351text"), NULL, 0, NULL },
  { "a zero in text", BYTES ("text\0more"), NULL, 0, NULL },
  { "names ended with zeros", BYTES ("ls\0-la\0x\0"), NULL, 0, NULL },
};

static void
test_forms (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new_static (files[i].bytes, files[i].length);
      g_autoptr (BeckonFileText) file = beckon_file_text_new (bytes);
      g_autoptr (GBytes) back = NULL;
      g_autofree char *shown = NULL;
      g_autofree char *taken = NULL;
      g_autofree char *unclear = NULL;
      gunichar missing;

      g_test_message ("%s", files[i].name);
      if (files[i].encoding == NULL)
        {
          g_assert_null (file);
          continue;
        }
      g_assert_nonnull (file);
      g_assert_cmpstr (file->encoding, ==, files[i].encoding);
      g_assert_cmpint (file->ends, ==, files[i].ends);
      g_assert_cmpstr (file->text, ==, files[i].text);
      back = beckon_file_text_encode (file, file->text, &missing);
      g_assert_true (g_bytes_equal (back, bytes));

      /* A text that was shown can be given back. */
      shown = beckon_file_text_show (file, file->text, -1);
      g_assert_null (strchr (shown, '\r'));
      taken = beckon_file_text_take (file, shown, &unclear);
      g_assert_cmpstr (taken, ==, file->text);
    }
}

/* A changed text, in the file's own manner. */
static void
test_changed (void)
{
  static const struct
  {
    const char *bytes;
    gsize length;
    const char *text; /* as a model writes it */
    const char *after;
    gsize after_length;
  } cases[] = {
    { BYTES ("a\r\nb\r\n"), "a\nb2\nc\n", BYTES ("a\r\nb2\r\nc\r\n") },
    { BYTES ("a\r\nb\r\n"), "a\r\nb2\r\n", BYTES ("a\r\nb2\r\n") },
    { BYTES ("a\nb\n"), "a\r\nb\r\n", BYTES ("a\r\nb\r\n") },
    { BYTES ("a\rb\r"), "a\nb2\n", BYTES ("a\rb2\r") },
    { BYTES ("one\r\ntwo\nthree\r\n"), "one\ntwo\nTHREE\n", BYTES ("one\r\ntwo\nTHREE\r\n") },
    { BYTES ("one\r\ntwo\nthree\r\n"), "ONE\nTWO\nTHREE\nfour\n", BYTES ("ONE\r\nTWO\nTHREE\r\nfour\r\n") },
    { BYTES ("one\r\ntwo\nthree\r\n"), "one\nthree\n", BYTES ("one\r\nthree\r\n") },
    { BYTES ("one\r\ntwo\nthree"), "zero\none\ntwo\nthree\nfour\n", BYTES ("zero\r\none\r\ntwo\nthree\nfour\n") },
    { BYTES ("one\r\ntwo\n"), "", BYTES ("") },
    { BYTES ("\357\273\277one\n"), "ONE\n", BYTES ("\357\273\277ONE\n") },
    { BYTES ("\357\273\277one\n"), "\357\273\277ONE\n", BYTES ("\357\273\277ONE\n") },
    { BYTES ("\377\376h\0\r\0\n\0"), "ü\n", BYTES ("\377\376\374\0\r\0\n\0") },
    { BYTES ("\376\377\0h"), "😀", BYTES ("\376\377\330\075\336\000") },
    { BYTES ("caf\351\n"), "thé\n", BYTES ("th\351\n") },
    { BYTES ("\326\320\316\304\n"), "中文网\n", BYTES ("\326\320\316\304\315\370\n") },
    { BYTES ("Grüße\ncaf\351\n"), "Grüße, Grüße\ncaf<0xE9>\n", BYTES ("Grüße, Grüße\ncaf\351\n") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new_static (cases[i].bytes, cases[i].length);
      g_autoptr (BeckonFileText) file = beckon_file_text_new (bytes);
      g_autofree char *unclear = NULL;
      g_autofree char *taken = beckon_file_text_take (file, cases[i].text, &unclear);
      g_autoptr (GBytes) after = NULL;
      gunichar missing;
      gsize length;
      const char *data;

      g_test_message ("%u", i);
      g_assert_nonnull (taken);
      after = beckon_file_text_encode (file, taken, &missing);
      g_assert_nonnull (after);
      data = g_bytes_get_data (after, &length);
      g_assert_cmpmem (data, length, cases[i].after, cases[i].after_length);
    }
}

static void
test_missing (void)
{
  static const struct
  {
    const char *bytes;
    const char *text;
    gunichar missing;
  } cases[] = {
    { "caf\351\n", "caf\357\277\275\n", 0xfffd },
    { "caf\351\n", "café → one\n", 0x2192 },
    { "caf\351\n", "“café”\n", 0x201c },
    { "Grüße\ncaf\351\n", "Grüße\ncaf\357\277\275\n", 0xfffd },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new_static (cases[i].bytes, strlen (cases[i].bytes));
      g_autoptr (BeckonFileText) file = beckon_file_text_new (bytes);
      gunichar missing = 0;

      g_assert_null (beckon_file_text_encode (file, cases[i].text, &missing));
      g_assert_cmphex (missing, ==, cases[i].missing);
    }
}

/* Texts as a model is shown them, and as the model's are written. @taken: NULL where it is unclear */
static void
test_hidden (void)
{
  static const struct
  {
    const char *file; /* NULL: a new one */
    const char *shown;
    const char *written;
    const char *taken;
  } cases[] = {
    { "a\342\200\213b", "a<U+200B>b", "a<U+200B>c", "a\342\200\213c" },
    { "a\342\200\213b", "a<U+200B>b", "a<U+202E>c", "a\342\200\256c" },
    { "a\342\200\213b", "a<U+200B>b", "a\342\200\213c", "a\342\200\213c" },
    { "a\342\200\213b <U+200B>", "a<U+200B>b <U+003C>U+200B>", "a<U+200B>b <U+003C>U+200B>", "a\342\200\213b <U+200B>" },
    { "the letters <U+200B>", "the letters <U+200B>", "these letters <U+200B>", "these letters <U+200B>" },
    { "the letters <U+003C>U+200B>", "the letters <U+003C>U+200B>", "<U+003C>U+200B>", "<U+003C>U+200B>" },
    { "a\rb\nc\n", "a<U+000D>b\nc\n", "a<U+000D>b\nd\n", "a\rb\nd\n" },
    { "bell \a, \033[1m", "bell <U+0007>, <U+001B>[1m", "<U+0007>", "\a" },
    { "a \342\200\250", "a <U+2028>", "<U+2028>", "\342\200\250" },
    { "co\302\255op \331\205\333\214\342\200\214\330\256", "co\302\255op \331\205\333\214\342\200\214\330\256", "x", "x" },
    { "plain", "plain", "a<U+200B>c", NULL },
    { "plain", "plain", "<U+003C>U+200B>", "<U+200B>" },
    { "plain", "plain", "<U+0041> <U+003C> <U+003C>U+0041>", "<U+0041> <U+003C> <U+003C>U+0041>" },
    { NULL, NULL, "a<U+202E>", NULL },
    { NULL, NULL, "a<U+003C>U+202E>", "a<U+202E>" },
    { NULL, NULL, "a\342\200\213 <", "a\342\200\213 <" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GBytes) bytes = cases[i].file != NULL ? g_bytes_new_static (cases[i].file, strlen (cases[i].file)) : NULL;
      g_autoptr (BeckonFileText) file = bytes != NULL ? beckon_file_text_new (bytes) : NULL;
      g_autofree char *shown = file != NULL ? beckon_file_text_show (file, file->text, -1) : NULL;
      g_autofree char *unclear = NULL;
      g_autofree char *taken = beckon_file_text_take (file, cases[i].written, &unclear);

      g_test_message ("%u", i);
      g_assert_cmpstr (shown, ==, cases[i].shown);
      g_assert_cmpstr (taken, ==, cases[i].taken);
      g_assert_cmpint (unclear == NULL, ==, taken != NULL);
    }
}

static void
test_name (void)
{
  static const char *const cases[][2] = {
    { "two<U+000A>lines.txt", "two\nlines.txt" }, { "a<U+202E>b<U+00A0>c", "a\342\200\256b\302\240c" },
    { "List<U+0041>.h", "List<U+0041>.h" },        { "a<b<U+12", "a<b<U+12" },
    { "<<U+0009>>", "<\t>" },                      { "", "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = beckon_file_text_take_name (cases[i][0]);

      g_assert_cmpstr (name, ==, cases[i][1]);
    }
}

/* Bytes that are read as text are written as the same bytes, and shown so that they can be taken back. */
static void
test_random (void)
{
  static const char *const pieces[] = { "a", "\n", "\r\n", "\r", "é", "\351", "中", "\326\320", "<U+200B>", "\342\200\213", "<",
                                        "<0xE9>", "\357\273\277", "\375", "\200", "U+200B>", "\302\205", "\357\277\275", "\t " };

  for (guint i = 0; i < 20000; i++)
    {
      g_autoptr (GString) made = g_string_new (NULL);
      g_autoptr (GBytes) bytes = NULL;
      g_autoptr (BeckonFileText) file = NULL;

      for (int n = g_test_rand_int_range (0, 12); n > 0; n--)
        g_string_append (made, pieces[g_test_rand_int_range (0, G_N_ELEMENTS (pieces))]);
      bytes = g_bytes_new (made->str, made->len);
      file = beckon_file_text_new (bytes);
      if (file != NULL)
        {
          g_autofree char *shown = beckon_file_text_show (file, file->text, -1);
          g_autofree char *unclear = NULL;
          g_autofree char *taken = beckon_file_text_take (file, shown, &unclear);
          gunichar missing;
          g_autoptr (GBytes) back = taken != NULL ? beckon_file_text_encode (file, taken, &missing) : NULL;

          if (back == NULL || !g_bytes_equal (back, bytes))
            g_error ("“%s” of %s became “%s”", shown, file->encoding, taken);
        }
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/file-text/forms", test_forms);
  g_test_add_func ("/file-text/changed", test_changed);
  g_test_add_func ("/file-text/missing", test_missing);
  g_test_add_func ("/file-text/hidden", test_hidden);
  g_test_add_func ("/file-text/name", test_name);
  g_test_add_func ("/file-text/random", test_random);
  return g_test_run ();
}
