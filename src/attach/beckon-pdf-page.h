/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <poppler.h>

G_BEGIN_DECLS

/**
 * beckon_pdf_page_dup_text:
 * @page: a page
 *
 * Returns: (transfer full) (nullable): the text of @page in the order in which it is read; what stands in columns on a line is
 *   set apart by blanks, as it is on the page
 */
char *beckon_pdf_page_dup_text (PopplerPage *page);

G_END_DECLS
