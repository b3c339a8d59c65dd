/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-mask.h"
#include "fuzz.h"
#include "sandbox/beckon-output.h"

#include <string.h>

static BeckonMask *
make_mask (void)
{
  BeckonMask *mask = beckon_mask_new ();

  beckon_mask_add (mask, "hunter2-is-long", "[secret:one]");
  beckon_mask_add (mask, "p\"a/s s\xc3\xa9", "[secret:two]");
  beckon_mask_add (mask, "493201", "[secret:three]");
  beckon_mask_add (mask, "first line\nsecond line", "[secret:four]");
  beckon_mask_add_word (mask, "7", "[secret:five]");
  return mask;
}

/* The same comes out whether a text comes at once or in pieces, and no value is in it. */
int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (BeckonMask) mask = make_mask ();
  g_autofree char *text = beckon_output_dup_plain ((const char *) data, size);
  g_autofree char *whole = beckon_mask_apply (mask, text);
  g_autoptr (BeckonMaskStream) stream = beckon_mask_stream_new (mask);
  g_autoptr (GString) out = g_string_new (NULL);
  gsize length = strlen (text);
  gsize piece = 1 + (size > 0 ? data[size / 2] % 9 : 0);

  for (gsize at = 0; at < length; at += piece)
    beckon_mask_stream_feed (stream, text + at, MIN (piece, length - at), out);
  beckon_mask_stream_finish (stream, out);
  g_assert_cmpstr (out->str, ==, whole);
  g_assert_null (strstr (whole, "hunter2-is-long"));
  g_assert_null (strstr (whole, "493201"));
  g_assert_true (g_utf8_validate (whole, -1, NULL));
  return 0;
}
