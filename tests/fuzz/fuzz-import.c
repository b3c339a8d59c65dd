/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fuzz.h"
#include "store/transfer/beckon-import-reader.h"

/* Conversations, until there are no more, or a complaint that can be shown; a document or an archive, whatever it says it is. */
int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  g_autoptr (GError) error = NULL;
  BeckonImportArchive *archive = beckon_import_archive_new (bytes, -1, &error);
  g_autoptr (BeckonImportReader) reader = archive != NULL ? beckon_import_reader_new (archive) : NULL;
  g_autoptr (BeckonImportReport) report = beckon_import_report_new ();
  g_autofree char *words = NULL;
  guint n = 1;

  while (reader != NULL && error == NULL && n > 0)
    {
      g_autoptr (GPtrArray) documents = beckon_import_reader_next (reader, 7, report, &error);

      g_assert_true ((documents == NULL) == (error != NULL));
      n = documents != NULL ? documents->len : 0;
    }
  words = beckon_import_report_describe (report);
  g_assert_true (g_utf8_validate (words, -1, NULL));
  g_assert_true (error == NULL || g_utf8_validate (error->message, -1, NULL));
  return 0;
}
