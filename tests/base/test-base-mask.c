/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Values are found as they are and as other formats write them, in one piece and in pieces of any size. */

#include "base/beckon-mask.h"

#include <string.h>

#define VALUE "hunter2 \"und\" ü/=&"

static void
assert_masked (BeckonMask *mask, const char *text, const char *expected)
{
  g_autofree char *whole = beckon_mask_apply (mask, text);
  gsize length = strlen (text);

  g_assert_cmpstr (whole, ==, expected);
  for (gsize size = 1; size <= length; size++)
    {
      g_autoptr (GString) out = g_string_new (NULL);

      for (gsize i = 0; i < length; i += size)
        beckon_mask_feed (mask, text + i, MIN (size, length - i), out);
      beckon_mask_finish (mask, out);
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

/* What only began like a value is all there in the end. */
static void
test_beginnings (void)
{
  g_autoptr (BeckonMask) mask = beckon_mask_new ();

  beckon_mask_add (mask, "aab", "[1]");
  beckon_mask_add (mask, "aabaac", "[2]");
  assert_masked (mask, "aaaab", "aa[1]");
  assert_masked (mask, "aabaa", "[1]aa");
  assert_masked (mask, "aabaac", "[2]");
  assert_masked (mask, "aabaab", "[1][1]");
  assert_masked (mask, "aa", "aa");
}

/* Nothing that may be part of a value has left before it is known. */
static void
test_holds_back (void)
{
  g_autoptr (BeckonMask) mask = beckon_mask_new ();
  g_autoptr (GString) out = g_string_new (NULL);

  beckon_mask_add (mask, "hunter2", "[H]");
  beckon_mask_feed (mask, "key: hunt", 9, out);
  g_assert_cmpstr (out->str, ==, "key: ");
  beckon_mask_feed (mask, "er2 and hunt", 12, out);
  g_assert_cmpstr (out->str, ==, "key: [H] and ");
  beckon_mask_finish (mask, out);
  g_assert_cmpstr (out->str, ==, "key: [H] and hunt");
  beckon_mask_feed (mask, "er2", 3, out);
  beckon_mask_finish (mask, out);
  g_assert_cmpstr (out->str, ==, "key: [H] and hunter2");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/mask/forms", test_forms);
  g_test_add_func ("/base/mask/beginnings", test_beginnings);
  g_test_add_func ("/base/mask/holds-back", test_holds_back);
  return g_test_run ();
}
