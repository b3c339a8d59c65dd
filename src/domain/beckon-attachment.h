/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-part.h"

G_BEGIN_DECLS

/* A file that a person attaches to a message is a part of it like any other: an image, or a text with a line before and one
 * behind it that tell the model its name. Where a part came from, its origin, is `file:NAME` then. A PDF is its text, with
 * the PDF itself beside it. */

/** The most files of one message, and the most bytes of all of them together. */
#define BECKON_ATTACHMENT_MOST 20
#define BECKON_ATTACHMENT_MOST_BYTES (16 * 1024 * 1024)

/**
 * beckon_attachment_new_text:
 * @name: the file's name, as people see it; made safe and short
 * @text: valid UTF-8
 * @length: its bytes
 *
 * Returns: (transfer full): a text part
 */
BeckonPart *beckon_attachment_new_text (const char *name, const char *text, gsize length) G_GNUC_WARN_UNUSED_RESULT;

/** @media_type: such as "image/png". @bytes: the whole file. (transfer full): an image part */
BeckonPart *beckon_attachment_new_image (const char *name, const char *media_type, GBytes *bytes) G_GNUC_WARN_UNUSED_RESULT;

/** A PDF with more pages or bytes is attached as its text alone. */
#define BECKON_ATTACHMENT_PDF_MOST_PAGES 1000
#define BECKON_ATTACHMENT_PDF_MOST_BYTES (12 * 1024 * 1024)

/**
 * beckon_attachment_set_pdf:
 * @part: a text part made from a PDF
 * @pdf: the PDF's bytes
 * @n_pages: its pages
 *
 * Adds the PDF itself, for models that read PDFs; one that is too large is left out.
 */
void beckon_attachment_set_pdf (BeckonPart *part, GBytes *pdf, guint n_pages);

/**
 * beckon_attachment_get_pdf:
 * @part: a part of any kind
 * @n_pages: (out) (optional): pages of the PDF
 *
 * Returns: (transfer none) (nullable): the PDF that is kept beside its text
 */
GBytes *beckon_attachment_get_pdf (BeckonPart *part, guint *n_pages);

/**
 * beckon_attachment_note_pdf:
 * @part: a text part made from a PDF
 * @n_pages: its pages
 * @is_whole: %FALSE if not all of it could be read
 *
 * Notes for as long as the part lives that its text is a PDF's, which may go without the file. beckon_attachment_set_pdf()
 * notes it too.
 */
void beckon_attachment_note_pdf (BeckonPart *part, guint n_pages, gboolean is_whole);

/** Pages of the PDF that @part was made from, whether the file is kept or not; 0 for none that is known. */
guint beckon_attachment_get_pages (BeckonPart *part);

/** Whether not all of the PDF could be read, so that it is its text alone. */
gboolean beckon_attachment_is_partly_read (BeckonPart *part);

/** (transfer full): the text part of a PDF without any text, whose pages are pictures. */
BeckonPart *beckon_attachment_new_scan (const char *name) G_GNUC_WARN_UNUSED_RESULT;
gboolean    beckon_attachment_is_scan (BeckonPart *part);

/**
 * beckon_attachment_new_masked_pdf:
 * @part: a PDF
 * @text: (nullable): its text, masked; %NULL if a secret in it can't be masked
 *
 * Returns: (transfer full): what is sent of a PDF that holds a secret, or may: text alone, which says so
 */
BeckonPart *beckon_attachment_new_masked_pdf (BeckonPart *part, const char *text) G_GNUC_WARN_UNUSED_RESULT;
gboolean    beckon_attachment_is_masked_pdf (BeckonPart *part);

/** A copy of @part with its text and without its file. Caller owns. */
BeckonPart *beckon_attachment_copy_text (BeckonPart *part) G_GNUC_WARN_UNUSED_RESULT;

/** Bytes of the part and of the file that is kept beside it. */
gsize beckon_attachment_get_size (BeckonPart *part);

/**
 * beckon_attachment_take_file:
 * @part: (nullable): the part that stands before the file
 * @origin: (nullable): where the file came from
 * @media_type: (nullable): its type as it is stored
 * @file: its bytes
 *
 * Puts a file that was stored behind its text back where it belongs.
 *
 * Returns: %FALSE if @part isn't its text, or the file is not one that is sent; then it is left out, because models would get
 *   what nobody can look at
 */
gboolean beckon_attachment_take_file (BeckonPart *part, const char *origin, const char *media_type, GBytes *file);

/** Whether @media_type is of a file that is stored behind its text. */
gboolean beckon_attachment_is_file_type (const char *media_type);

/** The name of the file that @part is; %NULL if it is no attached file. Borrowed from @part. */
const char *beckon_attachment_get_name (BeckonPart *part);

/**
 * beckon_attachment_get_content:
 * @part: an attached file
 * @length: (out): bytes of it
 *
 * Returns: the file's own content, without the lines around it; borrowed, and for a text not closed with a NUL
 */
const char *beckon_attachment_get_content (BeckonPart *part, gsize *length);

G_END_DECLS
