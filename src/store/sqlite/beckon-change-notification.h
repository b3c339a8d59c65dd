/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonChangeNotification:
 *
 * How processes that share a store tell each other that something was written: they touch a file that all of them watch. It
 * carries nothing; a process that hears of it asks the database.
 */
typedef struct _BeckonChangeNotification BeckonChangeNotification;

/** Creates the file in @directory and watches it from now on. Caller owns. */
BeckonChangeNotification *beckon_change_notification_new (const char *directory, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void          beckon_change_notification_free (BeckonChangeNotification *notice);

/** Tells everybody, this process included. Any thread. */
void beckon_change_notification_touch (BeckonChangeNotification *notice);

/** Readable when the file was touched; -1 where nothing can be watched. Borrowed. */
int beckon_change_notification_get_fd (BeckonChangeNotification *notice);

/** Takes what came off the descriptor. */
void beckon_change_notification_drain (BeckonChangeNotification *notice);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonChangeNotification, beckon_change_notification_free)

G_END_DECLS
