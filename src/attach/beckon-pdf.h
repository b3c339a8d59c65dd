/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/** The most text that is taken out of a PDF, a little less than can be attached. */
#define BECKON_PDF_MOST_TEXT (500 * 1024)

/** The reader's exit status without a text. */
enum
{
  BECKON_PDF_LOCKED = 2,
  BECKON_PDF_DAMAGED = 3,
};

/** By its first bytes. */
gboolean beckon_pdf_is_one (GBytes *bytes);

/**
 * beckon_pdf_read:
 * @bytes: a whole PDF
 * @n_pages: (out): its pages
 * @is_whole: (out): whether the result is all of its text
 * @cancellable: (nullable): ends the reader, too
 * @error: %BECKON_ERROR_INVALID, or UNAVAILABLE where Beckon was built without a reader
 *
 * Waits for a process of its own that reads it, so on a worker thread only.
 *
 * Returns: (transfer full): its text; empty where its pages are pictures
 */
GBytes *beckon_pdf_read (GBytes *bytes, guint *n_pages, gboolean *is_whole, GCancellable *cancellable,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
