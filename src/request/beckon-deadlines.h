/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-inbox.h"

G_BEGIN_DECLS

/** The longest time that can be set: a week. */
#define BECKON_DEADLINES_MINUTES_MAX (7 * 24 * 60)

/**
 * BeckonDeadlines:
 *
 * Ends requests that nobody has answered for as long as the person has set, as #BECKON_REQUEST_TIMED_OUT. The time runs from
 * when a request is in the inbox of this process, so that what is found after a pause has all of it again; it stops for good
 * when an answer is begun, here or in another process. Main thread.
 */
typedef struct _BeckonDeadlines BeckonDeadlines;

/** @inbox, @journal, @clock: it keeps references; @journal is the inbox's. No time is set. */
BeckonDeadlines *beckon_deadlines_new (BeckonInbox *inbox, BeckonJournal *journal,
                                       BeckonClock *clock) G_GNUC_WARN_UNUSED_RESULT;
void             beckon_deadlines_free (BeckonDeadlines *deadlines);

/** @minutes: 0 is without end; at most %BECKON_DEADLINES_MINUTES_MAX. What is pending has all of it from now. */
void beckon_deadlines_set_minutes (BeckonDeadlines *deadlines, guint minutes);

G_END_DECLS
