/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Values are found as they are and as other formats write them, in one piece and in pieces of any size. */

#include "base/beckon-mask.h"

#include <string.h>

#define VALUE "hunter2 \"und\" ü/=&"

static void
assert_masked (BeckonMask *mask, const char *text, const char *expected)
{
  g_autofree char *whole = beckon_mask_apply (mask, text);
  g_autoptr (BeckonMaskStream) stream = beckon_mask_stream_new (mask);
  gsize length = strlen (text);

  g_assert_cmpstr (whole, ==, expected);
  for (gsize size = 1; size <= length; size++)
    {
      g_autoptr (GString) out = g_string_new (NULL);

      for (gsize i = 0; i < length; i += size)
        beckon_mask_stream_feed (stream, text + i, MIN (size, length - i), out);
      beckon_mask_stream_finish (stream, out);
      g_assert_cmpstr (out->str, ==, expected);
    }
}

static void
test_forms (void)
{
  g_autoptr (BeckonMask) mask = beckon_mask_new ();
  g_autofree char *base64 = g_base64_encode ((const guchar *) VALUE, strlen (VALUE));
  g_autofree char *uri = g_uri_escape_string (VALUE, NULL, FALSE);
  g_autofree char *text = NULL;

  g_assert_true (beckon_mask_is_empty (mask));
  beckon_mask_add (mask, VALUE, "[H]");
  g_assert_false (beckon_mask_is_empty (mask));
  assert_masked (mask, "", "");
  assert_masked (mask, "nothing here", "nothing here");
  assert_masked (mask, VALUE, "[H]");
  assert_masked (mask, "a" VALUE VALUE "b", "a[H][H]b");
  assert_masked (mask, "{\"password\":\"hunter2 \\\"und\\\" ü/=&\"}", "{\"password\":\"[H]\"}");
  text = g_strdup_printf ("Basic %s and https://h/?k=%s.", base64, uri);
  assert_masked (mask, text, "Basic [H] and https://h/?k=[H].");
}

/* Text that only began like a value is all there in the end. */
static void
test_beginnings (void)
{
  g_autoptr (BeckonMask) mask = beckon_mask_new ();

  beckon_mask_add (mask, "abcabd", "[1]");
  beckon_mask_add (mask, "abcabdabcabe", "[2]");
  assert_masked (mask, "abcabcabd", "abc[1]");
  assert_masked (mask, "abcabdabcab", "[1]abcab");
  assert_masked (mask, "abcabdabcabe", "[2]");
  assert_masked (mask, "abcabdabcabd", "[1][1]");
  assert_masked (mask, "abcab", "abcab");
}

/* No end of a value is left standing beside one that it overlaps. */
static void
test_overlap (void)
{
  g_autoptr (BeckonMask) mask = beckon_mask_new ();

  beckon_mask_add (mask, "first-second", "[12]");
  beckon_mask_add (mask, "second-third-fourth", "[234]");
  assert_masked (mask, "+first-second-third-fourth+", "+[234]+");
  assert_masked (mask, "+first-second-third+", "+[12]-third+");
}

static void
assert_gone (BeckonMask *mask, const char *before, char *form, const char *after)
{
  g_autofree char *text = g_strconcat (before, form, after, NULL);
  g_autofree char *expected = g_strconcat (before, "[H]", after, NULL);

  assert_masked (mask, text, expected);
  g_free (form);
}

static char *
encode (const char *value, const char *before, gboolean is_upper, const char *behind)
{
  GString *text = g_string_new (NULL);

  for (const char *p = value; *p != '\0'; p++)
    g_string_append_printf (text, is_upper ? "%s%02X%s" : "%s%02x%s", before, (guchar) *p, behind);
  return g_string_free (text, FALSE);
}

/* As tools print it that never saw what it was for. */
static void
test_encodings (void)
{
  const char *value = "k3y/with+odd~signs?ü";
  g_autoptr (BeckonMask) mask = beckon_mask_new ();
  g_autofree char *wrapped = encode (value, "", FALSE, "");

  beckon_mask_add (mask, value, "[H]");
  assert_gone (mask, "0x", encode (value, "", FALSE, ""), "");
  assert_gone (mask, "0x", encode (value, "", TRUE, ""), " ");
  assert_gone (mask, "0000 ", g_strchomp (encode (value, "", FALSE, " ")), " |");
  assert_gone (mask, "", g_strdelimit (g_strchomp (encode (value, "", TRUE, " ")), " ", ':'), "\n");
  assert_gone (mask, "<", g_utf8_strreverse (value, -1), ">");
  assert_gone (mask, "?k=", encode (value, "%", TRUE, ""), "&");
  assert_gone (mask, "?k=", g_strdup ("k3y/with%2bodd~signs%3f%c3%bc"), "&");
  assert_gone (mask, "?k=", g_strdup ("k3y%2Fwith%2Bodd%7Esigns%3F%C3%BC"), "&");
  assert_gone (mask, "\"", g_strdup ("k3y\\/with+odd~signs?ü"), "\"");
  assert_gone (mask, "\"", g_strdup ("k3y/with+odd~signs?\\u00fc"), "\"");
  assert_gone (mask, "", g_strdup ("6b33792f776974682b6f64647e7369676e\n733fc3bc"), "\n");
}

/* All digits that a value makes are gone, whatever stands before it, broken into lines or not. */
static void
test_base64_anywhere (void)
{
  const char *value = "hunter2-is-my->>>password";
  g_autoptr (BeckonMask) mask = beckon_mask_new ();

  beckon_mask_add (mask, value, "[H]");
  for (guint before = 0; before < 8; before++)
    {
      g_autofree char *text = g_strdup_printf ("%.*s%sbehind", (int) before, "12345678", value);
      g_autofree char *encoded = g_base64_encode ((const guchar *) text, strlen (text));
      g_autofree char *url = g_strdelimit (g_strdelimit (g_strdup (encoded), "+", '-'), "/", '_');
      g_autofree char *lines = g_strdup_printf ("%.20s\r\n  %s", encoded, encoded + 20);
      const char *forms[] = { encoded, url, lines };

      for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
        {
          g_autofree char *masked = beckon_mask_apply (mask, forms[i]);
          const char *found = strstr (masked, "[H]");

          g_assert_nonnull (found);
          /* Only digits that its neighbours have a part in go with it. */
          g_assert_cmpuint (strlen (masked) - 3, <=, (before * 8 + 5) / 6 + 12);
        }
    }
}

/* A short one is a word, and a text is not made unreadable by one that hardly is a secret. */
static void
test_short (void)
{
  g_autoptr (BeckonMask) mask = beckon_mask_new ();
  g_autoptr (BeckonMask) words = beckon_mask_new ();

  beckon_mask_add (mask, "4932", "[H]");
  beckon_mask_add (mask, "a", "[A]");
  beckon_mask_add (mask, "of", "[O]");
  assert_masked (mask, "PIN 4932", "PIN [H]");
  assert_masked (mask, "密码是4932。", "密码是[H]。");
  assert_masked (mask, "{\"a\":4932}", "{\"a\":[H]}");
  assert_masked (mask, "a bag of 49320 x4932 4932", "a bag of 49320 x4932 [H]");
  assert_masked (mask, "34393332", "[H]");
  beckon_mask_add_word (words, "true", "[T]");
  beckon_mask_add_word (words, "7", "[7]");
  assert_masked (words, "true, untrue: 7 of 77", "[T], untrue: [7] of 77");
}

/* No part of a value is on a page, wherever the page begins and ends. */
static void
test_window (void)
{
  const char *text = "+++ hunter2 ++++ aHVudGVy\nMg== +++++";
  gsize length = strlen (text);
  g_autoptr (BeckonMask) mask = beckon_mask_new ();

  beckon_mask_add (mask, "hunter2", "[*]");
  for (gsize from = 0; from <= length; from++)
    for (gsize to = from; to <= length; to++)
      {
        g_autoptr (GString) page = beckon_mask_apply_window (mask, text, length, from, to);
        gboolean has_first = from < 11 && to > 4;
        gboolean has_second = from < 30 && to > 17;
        gsize n_hidden = (has_first ? MIN (to, 11) - MAX (from, 4) : 0) + (has_second ? MIN (to, 30) - MAX (from, 17) : 0);

        if (from == to)
          continue;
        g_assert_cmpuint (page->len, ==, to - from - n_hidden + 3 * (has_first + has_second));
        g_assert_null (strpbrk (page->str, "hunter2aHVdGyMg="));
      }
  g_assert_cmpuint (beckon_mask_get_reach (mask), >=, 28);
}

static void
test_lines (void)
{
  g_autoptr (BeckonMask) mask = beckon_mask_new ();

  beckon_mask_add (mask, "-----BEGIN KEY-----\nMIIEowIBAAKCAQEA\nx7Q2mZk9pLw4\n-----END KEY-----\n", "[H]");
  assert_masked (mask, "2: x7Q2mZk9pLw4\n3: -----END KEY-----\n", "2: [H]\n3: -----END KEY-----\n");
  assert_masked (mask, "-----BEGIN KEY-----\nMIIEowIBAAKCAQEA\nx7Q2mZk9pLw4\n-----END KEY-----", "[H]");
}

static void
test_json (void)
{
  g_autoptr (BeckonMask) mask = beckon_mask_new ();
  g_autofree char *text = NULL;
  g_autofree char *other = NULL;

  beckon_mask_add_word (mask, "493201", "[H]");
  beckon_mask_add_word (mask, "true", "[T]");
  text = beckon_mask_apply_json (mask, "{\"pin\": 493201, \"ok\":true, \"t\":[\"is 493201 \\\"true\\\"\", 1]}");
  g_assert_cmpstr (text, ==, "{\"pin\": \"[H]\", \"ok\":\"[T]\", \"t\":[\"is [H] \\\"[T]\\\"\", 1]}");
  other = beckon_mask_apply_json (mask, "no JSON: \"493201");
  g_assert_cmpstr (other, ==, "no JSON: \"[H]");
}

/* Time for what is hardest, against that of as much which is easy: many beginnings, none of which is one. */
static double
measure (BeckonMask *mask, const char *piece, gsize length)
{
  g_autoptr (BeckonMaskStream) stream = beckon_mask_stream_new (mask);
  g_autoptr (GString) out = g_string_new (NULL);
  gint64 begun = g_get_monotonic_time ();

  for (guint i = 0; i < 64; i++)
    {
      beckon_mask_stream_feed (stream, piece, length, out);
      g_string_truncate (out, 0);
    }
  return (double) (g_get_monotonic_time () - begun) / G_USEC_PER_SEC;
}

static void
test_linear (void)
{
  const gsize length = 64 * 1024;
  g_autoptr (BeckonMask) mask = beckon_mask_new ();
  g_autoptr (BeckonMask) shorter = beckon_mask_new ();
  g_autofree char *most = g_strnfill (4096, 'a');
  g_autofree char *some = g_strnfill (16, 'a');
  g_autofree char *value = g_strconcat (most, "b", NULL);
  g_autofree char *value_shorter = g_strconcat (some, "b", NULL);
  g_autofree char *text = g_strnfill (length, 'a');
  double seconds;
  double base;

  beckon_mask_add (mask, value, "[H]");
  beckon_mask_add (shorter, value_shorter, "[H]");
  base = measure (shorter, text, length);
  seconds = measure (mask, text, length);
  g_test_message ("4 MiB: a value of 16 bytes %.3f s, one of 4096 bytes %.3f s", base, seconds);
  /* Were it not linear it would be 256 times as long. */
  g_assert_cmpfloat (seconds, <, 16 * base + 0.5);
}

/* Bytes that may be part of a value are held back until that is known. */
static void
test_holds_back (void)
{
  g_autoptr (BeckonMask) mask = beckon_mask_new ();
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (BeckonMaskStream) stream = NULL;

  beckon_mask_add (mask, "hunter2", "[H]");
  stream = beckon_mask_stream_new (mask);
  beckon_mask_stream_feed (stream, "key: hunt", 9, out);
  g_assert_cmpstr (out->str, ==, "key: ");
  beckon_mask_stream_feed (stream, "er2 and hunt", 12, out);
  g_assert_cmpstr (out->str, ==, "key: [H] and ");
  beckon_mask_stream_finish (stream, out);
  g_assert_cmpstr (out->str, ==, "key: [H] and hunt");
  beckon_mask_stream_feed (stream, "er2", 3, out);
  beckon_mask_stream_finish (stream, out);
  g_assert_cmpstr (out->str, ==, "key: [H] and hunter2");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/mask/forms", test_forms);
  g_test_add_func ("/base/mask/beginnings", test_beginnings);
  g_test_add_func ("/base/mask/overlap", test_overlap);
  g_test_add_func ("/base/mask/encodings", test_encodings);
  g_test_add_func ("/base/mask/base64-anywhere", test_base64_anywhere);
  g_test_add_func ("/base/mask/short", test_short);
  g_test_add_func ("/base/mask/window", test_window);
  g_test_add_func ("/base/mask/lines", test_lines);
  g_test_add_func ("/base/mask/json", test_json);
  g_test_add_func ("/base/mask/linear", test_linear);
  g_test_add_func ("/base/mask/holds-back", test_holds_back);
  return g_test_run ();
}
