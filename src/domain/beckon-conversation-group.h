/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** Under which heading a conversation stands. One of an older month is %BECKON_GROUP_MONTH with its year and month. */
typedef enum
{
  BECKON_GROUP_PINNED,
  BECKON_GROUP_TODAY,
  BECKON_GROUP_YESTERDAY,
  BECKON_GROUP_THIS_WEEK,
  BECKON_GROUP_THIS_MONTH,
  BECKON_GROUP_MONTH,
} BeckonGroupKind;

/**
 * BeckonGroup:
 * @kind: which heading
 * @year: of %BECKON_GROUP_MONTH, else 0
 * @month: 1 to 12, of %BECKON_GROUP_MONTH, else 0
 */
typedef struct
{
  BeckonGroupKind kind;
  int year;
  int month;
} BeckonGroup;

/**
 * beckon_group_for_time:
 * @at: when a conversation was last written to, microseconds since the epoch
 * @pinned: whether it is pinned
 * @now: the present time, likewise
 * @zone: (nullable): the person's time zone; %NULL is the local one
 *
 * Days begin at midnight in @zone, however long they are; weeks begin on Monday. A time of tomorrow and later counts as today:
 * the clock that wrote it was wrong. Pure; any thread.
 */
BeckonGroup beckon_group_for_time (gint64 at, gboolean pinned, gint64 now, GTimeZone *zone);

gboolean beckon_group_equal (const BeckonGroup *a, const BeckonGroup *b);

/**
 * beckon_group_smooth_times:
 * @times: (array length=n_times) (inout): times of conversations, the one that was written to last first
 * @n_times: how many
 * @now: the present time
 *
 * Makes times fit the order they stand in, where the clock was set back between two of them: none is earlier than the one
 * behind it. A time that is more than a day ahead of @now says nothing and takes that of the one behind it. So every heading
 * stands once, and the order stays that of the writing. Pure; any thread.
 */
void beckon_group_smooth_times (gint64 *times, guint n_times, gint64 now);

/** When the next midnight in @zone comes, after which the headings may differ; microseconds since the epoch. */
gint64 beckon_group_next_change (gint64 now, GTimeZone *zone);

G_END_DECLS
