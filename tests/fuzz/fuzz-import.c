/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fuzz.h"
#include "store/beckon-import-reader.h"

/* Either conversations or a complaint that can be shown. */
int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) conversations = beckon_import_read (bytes, &error);

  g_assert_true ((conversations == NULL) == (error != NULL));
  g_assert_true (error == NULL || g_utf8_validate (error->message, -1, NULL));
  return 0;
}
