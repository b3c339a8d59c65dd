/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-made-pdf.h"

#include <string.h>

char *
beckon_made_pdf_of (const char *words, const char *font, guint n)
{
  GString *pdf = g_string_new ("%PDF-1.4\n");
  g_autoptr (GString) pages = g_string_new (NULL);
  g_autofree char *stream = g_strdup_printf ("BT /F1 24 Tf 72 720 Td %s Tj ET", words);
  g_autofree gsize *at = g_new0 (gsize, n + 5);
  gsize begin;

#define object(number, ...)                              \
  at[number] = pdf->len;                                 \
  g_string_append_printf (pdf, "%u 0 obj\n", number);    \
  g_string_append_printf (pdf, __VA_ARGS__);             \
  g_string_append (pdf, "\nendobj\n")

  for (guint i = 0; i < n; i++)
    g_string_append_printf (pages, "%u 0 R ", i + 5);
  object (1U, "<</Type/Catalog/Pages 2 0 R>>");
  object (2U, "<</Type/Pages/Kids[%s]/Count %u>>", pages->str, n);
  object (3U, "<</Length %d>>stream\n%s\nendstream", (int) strlen (stream), stream);
  object (4U, "%s", font);
  for (guint i = 0; i < n; i++)
    {
      object (i + 5, "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 3 0 R/Resources<</Font<</F1 4 0 R>>>>>>");
    }
  begin = pdf->len;
  g_string_append_printf (pdf, "xref\n0 %u\n0000000000 65535 f \n", n + 5);
  for (guint i = 1; i < n + 5; i++)
    g_string_append_printf (pdf, "%010d 00000 n \n", (int) at[i]);
  g_string_append_printf (pdf, "trailer<</Size %u/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", n + 5, (int) begin);
  return g_string_free (pdf, FALSE);
}

char *
beckon_made_pdf (const char *words, const char *font)
{
  return beckon_made_pdf_of (words, font, 1);
}
