/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"

#include <gio/gio.h>
#include <string.h>

static void
assert_shown (const char *text, gssize length, BeckonTextFlags flags, const char *expected)
{
  g_autofree char *shown = beckon_text_for_display (text, length, flags);

  g_assert_true (g_utf8_validate (shown, -1, NULL));
  g_assert_cmpstr (shown, ==, expected);
}

static void
test_prose (void)
{
  assert_shown (NULL, 0, BECKON_TEXT_PROSE, "");
  assert_shown ("plain é 🌍\n\tend", -1, BECKON_TEXT_PROSE, "plain é 🌍\n\tend");
  assert_shown ("a\r\nb\rc", -1, BECKON_TEXT_PROSE, "a\nb␍c");
  assert_shown ("\x1b[31mred\x1b[0m\x07", -1, BECKON_TEXT_PROSE, "␛[31mred␛[0m␇");
  assert_shown ("a\0b\x7f\xc2\x85", 6, BECKON_TEXT_PROSE, "a␀b␡\xef\xbf\xbd");
  assert_shown ("\xc2\x80\xc2\x9f\xc2\xa0", -1, BECKON_TEXT_PROSE, "\uFFFD\uFFFD\xc2\xa0");
  assert_shown ("👩‍💻 می‌خواهم", -1, BECKON_TEXT_PROSE, "👩‍💻 می‌خواهم");
}

static void
test_exact (void)
{
  assert_shown ("rm -rf /home", -1, BECKON_TEXT_EXACT, "rm -rf /home");
  assert_shown ("ls\n\t\x1b", -1, BECKON_TEXT_EXACT, "ls<U+000A><U+0009><U+001B>");
  assert_shown ("a\xe2\x80\xae" "b\xe2\x81\xa6\xe2\x80\x8b", -1, BECKON_TEXT_EXACT, "a<U+202E>b<U+2066><U+200B>");
  assert_shown ("a\xc2\xa0" "b\xe3\x85\xa4\xef\xb8\x8f", -1, BECKON_TEXT_EXACT, "a<U+00A0>b<U+3164><U+FE0F>");
  assert_shown ("\u034f\u115f\u1160\u17b4\u17b5\u180b\u2800\uffa0", -1, BECKON_TEXT_EXACT,
                "<U+034F><U+115F><U+1160><U+17B4><U+17B5><U+180B><U+2800><U+FFA0>");
  assert_shown ("\xf3\xa0\x81\x81", -1, BECKON_TEXT_EXACT, "<U+E0041>");
  assert_shown ("日本語 é", -1, BECKON_TEXT_EXACT, "日本語 é");
}

/* Characters that hide or reorder words are marked; those that languages and emoji need are not. */
static void
test_marked (void)
{
  static const struct
  {
    const char *text;
    const char *expected;
  } cases[] = {
    { "plain é 🌍\n\tend", "plain é 🌍\n\tend" },
    { "a\u202eb\u2066c\u2069", "a<U+202E>b<U+2066>c<U+2069>" },
    { "pass\u200bword\u2060", "pass<U+200B>word<U+2060>" },
    { "ok\U000e0068\U000e0069", "ok<U+E0068><U+E0069>" },
    { "a\ufe01b\ufe02", "a<U+FE01>b<U+FE02>" },
    { "😀\ufe0f\U000e0101\U000e0102", "😀\ufe0f<U+E0101><U+E0102>" },
    { "可\u200d\u200c\u200d", "可\u200d<U+200C><U+200D>" },
    { "\u200f\u200e\u200f", "\u200f<U+200E><U+200F>" },
    { "می\u200cخواهم 👩\u200d💻 ❤\ufe0f\u200d🔥 1\ufe0f\u20e3", "می\u200cخواهم 👩\u200d💻 ❤\ufe0f\u200d🔥 1\ufe0f\u20e3" },
    { "葛\U000e0100城 שלום\u200f!", "葛\U000e0100城 שלום\u200f!" },
    { "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f!",
      "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f!" },
    { "🏴\U000e0061\U000e0061\U000e0061\U000e0061\U000e0061\U000e0061\U000e0061\U000e0062",
      "🏴\U000e0061\U000e0061\U000e0061\U000e0061\U000e0061\U000e0061\U000e0061<U+E0062>" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *marked = beckon_text_mark_hidden (cases[i].text, -1);

      g_assert_cmpstr (marked, ==, cases[i].expected);
      assert_shown (cases[i].text, -1, BECKON_TEXT_MARKED, cases[i].expected);
    }
  assert_shown ("\x1b[2J\u200b", -1, BECKON_TEXT_MARKED, "␛[2J<U+200B>");
}

/* A byte order mark is no word. */
static void
test_byte_order_mark (void)
{
  g_autofree char *marked = beckon_text_mark_hidden ("\ufeffa\ufeff", -1);
  g_autofree char *empty = beckon_text_mark_hidden (NULL, -1);

  g_assert_cmpstr (marked, ==, "\ufeffa<U+FEFF>");
  g_assert_cmpstr (empty, ==, "");
}

static void
test_json_escapes (void)
{
  g_autofree char *escaped = beckon_text_json_escape_hidden ("{\n\t\"a\": \"\xc2\x9b" "31m\u202e日本 é\x7f\U000e0041\"\n}");

  g_assert_cmpstr (escaped, ==, "{\n\t\"a\": \"\\u009b31m\\u202e日本 é\\u007f\\udb40\\udc41\"\n}");
}

/* Lines stay lines, and nothing else stays hidden. */
static void
test_json (void)
{
  g_autofree char *shown = beckon_text_json_for_display ("{\r\n\t\"a\": \"x\u202ey\u200b\"\n}");

  g_assert_cmpstr (shown, ==, "{ \n \"a\": \"x<U+202E>y<U+200B>\"\n}");
}

static void
test_invalid (void)
{
  static const char bytes[] = "a\xff\xc0\x80\xed\xa0\x80\xe2\x82z";
  g_autofree char *valid = NULL;
  gsize length;

  valid = beckon_text_make_valid (bytes, -1, &length);
  g_assert_cmpstr (valid, ==, "a\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDz");
  g_assert_cmpuint (length, ==, strlen (valid));
  assert_shown (bytes, -1, BECKON_TEXT_PROSE, valid);
  g_clear_pointer (&valid, g_free);
  valid = beckon_text_make_valid ("abc", 0, &length);
  g_assert_cmpstr (valid, ==, "");
  g_clear_pointer (&valid, g_free);
  valid = beckon_text_make_valid ("x\0y", 3, &length);
  g_assert_cmpmem (valid, length, "x\0y", 3);
}

/* Every sequence of two and all leads of longer ones agree with GLib's own judgement. */
static void
test_utf8_agrees (void)
{
  char bytes[4];

  for (guint first = 1; first < 256; first++)
    for (guint second = 1; second < 256; second++)
      for (guint rest = 0x7f; rest < 0xc2; rest += 0x21)
        {
          gsize length;

          bytes[0] = (char) first;
          bytes[1] = (char) second;
          bytes[2] = (char) rest;
          bytes[3] = (char) rest;
          length = beckon_text_utf8_length (bytes, 4);
          if (length == 0)
            for (gssize n = 1; n <= 4; n++)
              g_assert_false (g_utf8_validate (bytes, n, NULL));
          else
            g_assert_true (g_utf8_validate (bytes, (gssize) length, NULL));
          for (gsize cut = 1; cut < length; cut++)
            g_assert_cmpuint (beckon_text_utf8_length (bytes, cut), ==, 0);
        }
}

static void
test_has_hidden (void)
{
  g_assert_false (beckon_text_has_hidden (NULL, 0));
  g_assert_false (beckon_text_has_hidden ("ls -l", -1));
  g_assert_true (beckon_text_has_hidden ("l\xe2\x80\x8bs", -1));
  g_assert_true (beckon_text_has_hidden ("ls\n", -1));
  g_assert_true (beckon_text_has_hidden ("\xff", -1));
}

static void
assert_shortened (const char *text, guint n_chars, const char *expected)
{
  g_autofree char *shortened = beckon_text_shorten (text, n_chars);

  g_assert_cmpstr (shortened, ==, expected);
}

static void
test_shorten (void)
{
  assert_shortened (NULL, 5, "");
  assert_shortened ("", 1, "");
  assert_shortened ("a", 1, "a");
  assert_shortened ("ab", 1, "…");
  assert_shortened ("日本語", 3, "日本語");
  assert_shortened ("日本語の", 3, "日本…");
}

static void
test_join_sentences (void)
{
  static const char *const cases[][3] = {
    { "invalid x-api-key", "Or else.", "invalid x-api-key. Or else." },
    { "Slow down.\n", "Or else.", "Slow down. Or else." },
    { "Really?", "Or else.", "Really? Or else." },
    { "(No such file)", "Or else.", "(No such file). Or else." },
    { "密钥错误", "请重试。", "密钥错误。请重试。" },
    { "密钥错误。", "请重试。", "密钥错误。请重试。" },
    { "可不填。", "1 至 9", "可不填。1 至 9" },
    { "请求已取消", "curl: (7)", "请求已取消。curl: (7)" },
    { "Done 👍", "Or else.", "Done 👍. Or else." },
    { "", "Or else.", "Or else." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *joined = beckon_text_join_sentences (cases[i][0], cases[i][1]);

      g_assert_cmpstr (joined, ==, cases[i][2]);
    }
}

/* A name keeps its direction within a sentence that is read from right to left, and its sentence's. */
static void
test_printf (void)
{
  g_autofree char *plain = beckon_text_printf ("Written to %s", "~/letter.txt");
  g_autofree char *sentence = beckon_text_printf ("נכתב אל %s", "~/letter.txt");
  g_autofree char *name = beckon_text_printf ("Written to %1$s, %2$u times", "מכתב", 2u);
  g_autofree char *cut = beckon_text_printf ("%%: %.3s של %5.1f", "letter", 1.5);
  g_autofree char *filled = beckon_text_fill_in ("נכתב אל %s", "a/b");
  g_autoptr (GString) string = g_string_new ("> ");
  g_autoptr (GError) error = NULL;

  g_assert_cmpstr (plain, ==, "Written to ~/letter.txt");
  g_assert_cmpstr (sentence, ==, "נכתב אל \u2068~/letter.txt\u2069");
  g_assert_cmpstr (name, ==, "Written to \u2068מכתב\u2069, 2 times");
  g_assert_cmpstr (cut, ==, "%: \u2068let\u2069 של   1.5");
  g_assert_cmpstr (filled, ==, "נכתב אל \u2068a/b\u2069");
  beckon_text_append (string, "אל %s", "c");
  g_assert_cmpstr (string->str, ==, "> אל \u2068c\u2069");
  beckon_text_set_error (&error, G_IO_ERROR, G_IO_ERROR_FAILED, "אין %s", "d");
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_FAILED);
  g_assert_cmpstr (error->message, ==, "אין \u2068d\u2069");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/text/prose", test_prose);
  g_test_add_func ("/base/text/exact", test_exact);
  g_test_add_func ("/base/text/marked", test_marked);
  g_test_add_func ("/base/text/byte-order-mark", test_byte_order_mark);
  g_test_add_func ("/base/text/json-escapes", test_json_escapes);
  g_test_add_func ("/base/text/json", test_json);
  g_test_add_func ("/base/text/invalid", test_invalid);
  g_test_add_func ("/base/text/utf8-agrees", test_utf8_agrees);
  g_test_add_func ("/base/text/has-hidden", test_has_hidden);
  g_test_add_func ("/base/text/shorten", test_shorten);
  g_test_add_func ("/base/text/join-sentences", test_join_sentences);
  g_test_add_func ("/base/text/printf", test_printf);
  return g_test_run ();
}
