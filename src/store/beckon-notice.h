/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonNotice:
 *
 * How processes that share a store tell each other that something was written: they touch a file that all of them watch. It
 * carries nothing; whoever hears of it asks the database.
 */
typedef struct _BeckonNotice BeckonNotice;

/** Creates the file in @directory and watches it from now on. Caller owns. */
BeckonNotice *beckon_notice_new (const char *directory, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void          beckon_notice_free (BeckonNotice *notice);

/** Tells everybody, this process included. Any thread. */
void beckon_notice_touch (BeckonNotice *notice);

/** Readable when somebody touched the file; -1 where nothing can be watched. Borrowed. */
int beckon_notice_get_fd (BeckonNotice *notice);

/** Takes what came off the descriptor. */
void beckon_notice_drain (BeckonNotice *notice);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonNotice, beckon_notice_free)

G_END_DECLS
