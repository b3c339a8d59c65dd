/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define BECKON_MADE_PDF_LATIN "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"

/** (transfer full): a PDF of a page that says @words, a string as PDF writes it, in @font, which is not in the file. */
char *beckon_made_pdf (const char *words, const char *font);

/** The same, @n pages. */
char *beckon_made_pdf_of (const char *words, const char *font, guint n);

G_END_DECLS
