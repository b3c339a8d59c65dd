/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-mask.h"
#include "domain/beckon-change-set.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* Longer texts, and those of more lines, are not compared line by line: they are shown as changed, no more. */
#define BECKON_LANDING_CONTENT_MAX_TEXT (4 * 1024 * 1024)
#define BECKON_LANDING_CONTENT_MAX_LINES 100000
#define BECKON_LANDING_CONTENT_CONTEXT_LINES 3

/** Whether two regular files, read from where they stand, hold the same. @is_read: (out): %FALSE if one cannot be read. */
gboolean beckon_landing_content_is_same (int one, int other, GCancellable *cancellable, gboolean *is_read);

/** (transfer full) (nullable): the SHA-256 of the regular file @fd, in hexadecimal digits. */
char *beckon_landing_content_hash (int fd, GCancellable *cancellable);

/** Whether the regular file @fd holds anything that @mask hides. What cannot be read holds it. */
gboolean beckon_landing_content_has_secret (int fd, BeckonMask *mask, GCancellable *cancellable);

/** (transfer full) (nullable): the text of the regular file @fd; %NULL for what is no text, or too long. */
char *beckon_landing_content_read_text (int fd);

/**
 * beckon_landing_content_describe:
 * @change: its hashes, its numbers of lines and its difference are set
 * @before: a descriptor of the regular file before, -1 for none
 * @after: the same afterwards
 * @mask: (nullable): what the difference does not show
 * @left: how many bytes of differences the set has left; taken off
 * @cancellable: (nullable)
 */
void beckon_landing_content_describe (BeckonFileChange *change, int before, int after, BeckonMask *mask, gsize *left,
                                      GCancellable *cancellable);

/**
 * beckon_landing_content_merge:
 * @before: a text
 * @after: what became of it
 * @kept: (element-type guint): the hunks that are kept, counted from 0, rising
 *
 * Returns: (transfer full): @before with those hunks alone
 */
char *beckon_landing_content_merge (const char *before, const char *after, GArray *kept) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_landing_content_unapply:
 * @diff: hunks as beckon_landing_content_describe() makes them
 * @after: the text that they lead to
 * @hash: (nullable): the SHA-256 of the text from which they lead; %NULL for none, which is as empty
 *
 * Returns: (transfer full) (nullable): that text; %NULL where @diff does not tell, because something in it is masked
 */
char *beckon_landing_content_unapply (const char *diff, const char *after, const char *hash) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
