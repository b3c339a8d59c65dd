/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonMask:
 *
 * Replaces secret values in text by what may be seen in their place. It finds a value as it is and as it stands in JSON, in
 * a URL and in Base64. Values are wiped when the mask is freed. Any one thread.
 */
typedef struct _BeckonMask BeckonMask;

BeckonMask *beckon_mask_new (void) G_GNUC_WARN_UNUSED_RESULT;
void        beckon_mask_free (BeckonMask *mask);

/** @value: not empty. */
void     beckon_mask_add (BeckonMask *mask, const char *value, const char *replacement);
gboolean beckon_mask_is_empty (BeckonMask *mask);

/** A whole text. Caller frees. */
char *beckon_mask_apply (BeckonMask *mask, const char *text) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_mask_feed:
 * @mask: the mask; one stream at a time
 * @chunk: bytes of a text that comes in pieces, cut anywhere
 * @length: how many
 * @out: what may be seen so far is appended here
 *
 * What could be the beginning of a value is held back until it is known that it is none.
 */
void beckon_mask_feed (BeckonMask *mask, const char *chunk, gsize length, GString *out);

/** The stream is over: appends what was held back. */
void beckon_mask_finish (BeckonMask *mask, GString *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonMask, beckon_mask_free)

G_END_DECLS
