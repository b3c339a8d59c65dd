/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-part.h"

G_BEGIN_DECLS

/* A file that a person attaches to a message is a part of it like any other: an image, or a text with a line before and one
 * behind it that tell the model its name. Where a part came from, its origin, is `file:NAME` then. */

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
