/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonLikeness:
 *
 * A text that others are compared with, by the pairs of letters that they share. Of long texts the first bytes count. On the
 * stack; nothing is to be cleared.
 */
typedef struct
{
  guint8 counts[1024];
  guint n;
} BeckonLikeness;

void beckon_likeness_init (BeckonLikeness *self, const char *text, gsize length);

/** How alike @text is, in percent. */
guint beckon_likeness_compare (const BeckonLikeness *self, const char *text, gsize length) G_GNUC_WARN_UNUSED_RESULT;

/** Whether two names differ in nothing but case, "_" and "-". */
gboolean beckon_likeness_is_same_word (const char *name, const char *other);

G_END_DECLS
