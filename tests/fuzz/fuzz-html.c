/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fuzz.h"
#include "tools/beckon-html-text.h"

/* A page is read as text, whatever it is. */
int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  static const char *const charsets[] = { NULL, "utf-8", "windows-1252", "utf-16", "no such" };
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  g_autofree char *title = NULL;
  g_autofree char *text
    = beckon_html_text_read (bytes, charsets[size % G_N_ELEMENTS (charsets)], "https://example.org/a/b", &title);

  g_assert_true (g_utf8_validate (text, -1, NULL));
  g_assert_true (title == NULL || g_utf8_validate (title, -1, NULL));
  return 0;
}
