/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-text.h"
#include "fuzz.h"

/* Text that is fit to show is valid, and fit to show again. */
int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autofree char *prose = beckon_text_for_display ((const char *) data, (gssize) size, BECKON_TEXT_PROSE);
  g_autofree char *exact = beckon_text_for_display ((const char *) data, (gssize) size, BECKON_TEXT_EXACT);
  g_autofree char *shorter = beckon_text_shorten (prose, 1 + (guint) size / 2);

  g_assert_true (g_utf8_validate (prose, -1, NULL));
  g_assert_true (g_utf8_validate (shorter, -1, NULL));
  g_assert_false (beckon_text_has_hidden (exact, -1));
  return 0;
}
