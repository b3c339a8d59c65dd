/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-inbox.h"

G_BEGIN_DECLS

/** The longest time that can be set: a week. */
#define BECKON_DEADLINES_MINUTES_MAX (7 * 24 * 60)

/** How long a question waits at least in a process that shows it, in milliseconds. */
#define BECKON_DEADLINES_GRACE_MS (60 * 1000)

/**
 * BeckonDeadlines:
 *
 * Ends questions that wait for as long as the person has set, as #BECKON_REQUEST_TIMED_OUT; approvals, plans and forms wait
 * without end. The time runs from when the question was asked, whichever process asked it; a question that is found overdue
 * still has %BECKON_DEADLINES_GRACE_MS, so that its card can be seen. The time stops for good when an answer is begun, here
 * or in another process. When a question will end is its #BeckonRequest:due-at. Main thread.
 */
typedef struct _BeckonDeadlines BeckonDeadlines;

/** @inbox, @journal, @clock: it keeps references; @journal is the inbox's. No time is set. */
BeckonDeadlines *beckon_deadlines_new (BeckonInbox *inbox, BeckonRequestStore *journal,
                                       BeckonClock *clock) G_GNUC_WARN_UNUSED_RESULT;
void             beckon_deadlines_free (BeckonDeadlines *deadlines);

/** @minutes: 0 is without end; at most %BECKON_DEADLINES_MINUTES_MAX. Questions that are in the inbox have all of it from now:
 *  a change of the setting ends nothing at once. */
void beckon_deadlines_set_minutes (BeckonDeadlines *deadlines, guint minutes);

G_END_DECLS
