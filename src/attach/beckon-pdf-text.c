/* SPDX-License-Identifier: GPL-3.0-or-later */

/* beckon-pdf-text: how many pages the PDF at its standard input has, whether all of its text follows (1 or 0), and that text,
 * as UTF-8. A program of its own, because whoever wrote a PDF may have meant to break its reader: what goes wrong here ends
 * here. It has no more memory, time and rights than reading takes, and says by its status why there is no text (see
 * beckon-pdf.h). */

#include "beckon-pdf-page.h"
#include "beckon-pdf.h"

#include <poppler.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#define MOST_INPUT (64 * 1024 * 1024)
#define MOST_MEMORY ((rlim_t) 1536 * 1024 * 1024)
#define MOST_SECONDS 20
#define MOST_PAGES 5000

static void
set_limit (__rlimit_resource_t resource, rlim_t most)
{
  struct rlimit limit = { most, most };

  if (setrlimit (resource, &limit) != 0)
    _exit (BECKON_PDF_DAMAGED);
}

static void
confine (void)
{
  /* The sanitizer reserves far more than it uses. */
#ifndef __SANITIZE_ADDRESS__
  set_limit (RLIMIT_AS, MOST_MEMORY);
#endif
  set_limit (RLIMIT_CPU, MOST_SECONDS);
  set_limit (RLIMIT_FSIZE, 0);
  set_limit (RLIMIT_CORE, 0);
  if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    _exit (BECKON_PDF_DAMAGED);
  /* Waiting takes no processor time. */
  alarm (3 * MOST_SECONDS);
}

static GString *
read_pages (PopplerDocument *document, gboolean *is_whole)
{
  GString *text = g_string_new (NULL);
  int n = MIN (poppler_document_get_n_pages (document), MOST_PAGES), i;
  gboolean all_open = TRUE;

  for (i = 0; i < n && text->len < BECKON_PDF_MOST_TEXT; i++)
    {
      PopplerPage *page = poppler_document_get_page (document, i);
      gboolean is_open = page != NULL;
      g_autofree char *words = page != NULL ? beckon_pdf_page_dup_text (page) : NULL;

      if (words != NULL && *g_strstrip (words) != '\0')
        g_string_append_printf (text, "[Page %d]\n%s\n\n", i + 1, words);
      g_clear_object (&page);
      all_open = is_open && all_open;
    }
  *is_whole = all_open && text->len < BECKON_PDF_MOST_TEXT && n == poppler_document_get_n_pages (document);
  if (text->len >= BECKON_PDF_MOST_TEXT)
    {
      const char *end = g_utf8_find_prev_char (text->str, text->str + BECKON_PDF_MOST_TEXT);

      g_string_truncate (text, (gsize) (end - text->str));
      g_string_append_printf (text, "\n[The document is cut off here, at page %d of %d.]\n", i, n);
    }
  return text;
}

int
main (void)
{
  g_autoptr (GBytes) input = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) text = NULL;
  PopplerDocument *document;
  gboolean is_whole;
  GByteArray *bytes;
  guint8 piece[64 * 1024];
  gssize n;

  confine ();
  bytes = g_byte_array_new ();
  while ((n = read (STDIN_FILENO, piece, sizeof piece)) > 0 && bytes->len <= MOST_INPUT)
    g_byte_array_append (bytes, piece, (guint) n);
  input = g_byte_array_free_to_bytes (bytes);
  document = poppler_document_new_from_bytes (input, NULL, &error);
  if (document == NULL)
    return g_error_matches (error, POPPLER_ERROR, POPPLER_ERROR_ENCRYPTED) ? BECKON_PDF_LOCKED : BECKON_PDF_DAMAGED;
  text = read_pages (document, &is_whole);
  printf ("%d %d\n", poppler_document_get_n_pages (document), is_whole);
  g_object_unref (document);
  return fwrite (text->str, 1, text->len, stdout) == text->len && fflush (stdout) == 0 ? 0 : BECKON_PDF_DAMAGED;
}
