/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-conversation-group.h"

static GDateTime *
to_date (gint64 at, GTimeZone *zone)
{
  g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc (at / G_USEC_PER_SEC);

  return utc != NULL ? g_date_time_to_timezone (utc, zone) : NULL;
}

/* Days are counted by the calendar: one with a change of the clocks has 23 or 25 hours. */
static guint32
to_day (GDateTime *date)
{
  GDate day;

  g_date_clear (&day, 1);
  g_date_set_dmy (&day, (GDateDay) g_date_time_get_day_of_month (date), (GDateMonth) g_date_time_get_month (date),
                  (GDateYear) g_date_time_get_year (date));

  return g_date_get_julian (&day);
}

BeckonGroup
beckon_group_for_time (gint64 at, gboolean pinned, gint64 now, GTimeZone *zone)
{
  g_autoptr (GTimeZone) here = zone != NULL ? g_time_zone_ref (zone) : g_time_zone_new_local ();
  g_autoptr (GDateTime) date = to_date (at, here);
  g_autoptr (GDateTime) today = to_date (now, here);
  guint32 day;
  guint32 last;

  if (pinned)
    return (BeckonGroup) { BECKON_GROUP_PINNED, 0, 0 };
  if (date == NULL || today == NULL)
    return (BeckonGroup) { BECKON_GROUP_TODAY, 0, 0 };

  day = to_day (date);
  last = to_day (today);
  if (day >= last)
    return (BeckonGroup) { BECKON_GROUP_TODAY, 0, 0 };
  if (day + 1 == last)
    return (BeckonGroup) { BECKON_GROUP_YESTERDAY, 0, 0 };
  if (day + (guint32) g_date_time_get_day_of_week (today) > last)
    return (BeckonGroup) { BECKON_GROUP_THIS_WEEK, 0, 0 };
  if (g_date_time_get_year (date) == g_date_time_get_year (today)
      && g_date_time_get_month (date) == g_date_time_get_month (today))
    return (BeckonGroup) { BECKON_GROUP_THIS_MONTH, 0, 0 };

  return (BeckonGroup) { BECKON_GROUP_MONTH, g_date_time_get_year (date), g_date_time_get_month (date) };
}

gboolean
beckon_group_equal (const BeckonGroup *a, const BeckonGroup *b)
{
  g_return_val_if_fail (a != NULL && b != NULL, FALSE);

  return a->kind == b->kind && a->year == b->year && a->month == b->month;
}

void
beckon_group_smooth_times (gint64 *times, guint n_times, gint64 now)
{
  gint64 latest = G_MININT64;

  g_return_if_fail (times != NULL || n_times == 0);

  for (guint i = n_times; i > 0; i--)
    {
      if (times[i - 1] <= now + G_TIME_SPAN_DAY)
        latest = MAX (latest, times[i - 1]);
      if (latest != G_MININT64)
        times[i - 1] = latest;
    }

  /* With none behind it, such a time takes that of the one before it. */
  for (guint i = 1; i < n_times; i++)
    times[i] = MIN (times[i], times[i - 1]);
}

gint64
beckon_group_next_change (gint64 now, GTimeZone *zone)
{
  g_autoptr (GTimeZone) here = zone != NULL ? g_time_zone_ref (zone) : g_time_zone_new_local ();
  g_autoptr (GDateTime) date = to_date (now, here);
  g_autoptr (GDateTime) tomorrow = date != NULL ? g_date_time_add_days (date, 1) : NULL;
  g_autoptr (GDateTime) midnight = NULL;

  if (tomorrow != NULL)
    midnight = g_date_time_new (here, g_date_time_get_year (tomorrow), g_date_time_get_month (tomorrow),
                                g_date_time_get_day_of_month (tomorrow), 0, 0, 0);

  return midnight != NULL ? g_date_time_to_unix (midnight) * G_USEC_PER_SEC : now + G_TIME_SPAN_DAY;
}
