/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Under which heading a conversation stands: by the calendar of the person's time zone, with days of 23 and 25 hours and with
 * clocks that were wrong.
 */

#include "domain/beckon-conversation-group.h"

static gint64
at (const char *time, GTimeZone *zone)
{
  g_autoptr (GDateTime) date = g_date_time_new_from_iso8601 (time, zone);

  g_assert_nonnull (date);

  return g_date_time_to_unix (date) * G_USEC_PER_SEC;
}

static void
assert_group (const char *time, const char *now, const char *zone_name, BeckonGroupKind kind, int year, int month)
{
  g_autoptr (GTimeZone) zone = g_time_zone_new_identifier (zone_name);
  const BeckonGroup expected = { kind, year, month };
  BeckonGroup group;

  g_assert_nonnull (zone);
  group = beckon_group_for_time (at (time, zone), FALSE, at (now, zone), zone);
  if (!beckon_group_equal (&group, &expected))
    g_error ("%s seen at %s in %s: %d %d-%d", time, now, zone_name, group.kind, group.year, group.month);
}

#define BERLIN "Europe/Berlin"

static void
test_headings (void)
{
  const char *now = "2024-05-16T10:00:00"; /* a Thursday */

  assert_group ("2024-05-16T00:00:00", now, BERLIN, BECKON_GROUP_TODAY, 0, 0);
  assert_group ("2024-05-15T23:59:59", now, BERLIN, BECKON_GROUP_YESTERDAY, 0, 0);
  assert_group ("2024-05-15T00:00:00", now, BERLIN, BECKON_GROUP_YESTERDAY, 0, 0);
  assert_group ("2024-05-14T23:59:59", now, BERLIN, BECKON_GROUP_THIS_WEEK, 0, 0);
  assert_group ("2024-05-13T00:00:00", now, BERLIN, BECKON_GROUP_THIS_WEEK, 0, 0);
  assert_group ("2024-05-12T23:59:59", now, BERLIN, BECKON_GROUP_THIS_MONTH, 0, 0);
  assert_group ("2024-05-01T00:00:00", now, BERLIN, BECKON_GROUP_THIS_MONTH, 0, 0);
  assert_group ("2024-04-30T23:59:59", now, BERLIN, BECKON_GROUP_MONTH, 2024, 4);
  assert_group ("2023-05-16T10:00:00", now, BERLIN, BECKON_GROUP_MONTH, 2023, 5);
  assert_group ("1969-12-31T10:00:00", now, BERLIN, BECKON_GROUP_MONTH, 1969, 12);
}

/* Yesterday comes before week and month, and a week before the month it reaches into. */
static void
test_edges (void)
{
  assert_group ("2024-05-12T10:00:00", "2024-05-13T00:00:00", BERLIN, BECKON_GROUP_YESTERDAY, 0, 0);
  assert_group ("2024-12-31T23:59:59", "2025-01-01T00:00:00", BERLIN, BECKON_GROUP_YESTERDAY, 0, 0);
  assert_group ("2024-12-30T12:00:00", "2025-01-01T12:00:00", BERLIN, BECKON_GROUP_THIS_WEEK, 0, 0);
  assert_group ("2024-12-29T12:00:00", "2025-01-01T12:00:00", BERLIN, BECKON_GROUP_MONTH, 2024, 12);
  assert_group ("2024-02-29T12:00:00", "2024-03-01T12:00:00", BERLIN, BECKON_GROUP_YESTERDAY, 0, 0);
}

/* 31 March 2024 has 23 hours there, 27 October 25. */
static void
test_summer_time (void)
{
  assert_group ("2024-03-30T23:30:00", "2024-03-31T23:30:00", BERLIN, BECKON_GROUP_YESTERDAY, 0, 0);
  assert_group ("2024-03-31T00:00:00", "2024-03-31T23:59:59", BERLIN, BECKON_GROUP_TODAY, 0, 0);
  assert_group ("2024-03-31T00:30:00", "2024-04-01T23:30:00", BERLIN, BECKON_GROUP_YESTERDAY, 0, 0);
  assert_group ("2024-10-27T00:00:00", "2024-10-27T23:59:59", BERLIN, BECKON_GROUP_TODAY, 0, 0);
  assert_group ("2024-10-26T23:59:59", "2024-10-27T23:59:59", BERLIN, BECKON_GROUP_YESTERDAY, 0, 0);
  assert_group ("2024-10-26T00:00:00", "2024-10-27T23:59:59", BERLIN, BECKON_GROUP_YESTERDAY, 0, 0);
}

/* The same moment is on two days. */
static void
test_zones (void)
{
  g_autoptr (GTimeZone) shanghai = g_time_zone_new_identifier ("Asia/Shanghai");
  g_autoptr (GTimeZone) honolulu = g_time_zone_new_identifier ("Pacific/Honolulu");
  g_autoptr (GTimeZone) utc = g_time_zone_new_utc ();
  gint64 then = at ("2024-05-16T15:30:00", utc);
  gint64 now = at ("2024-05-16T16:30:00", utc);

  g_assert_cmpint (beckon_group_for_time (then, FALSE, now, shanghai).kind, ==, BECKON_GROUP_YESTERDAY);
  g_assert_cmpint (beckon_group_for_time (then, FALSE, now, honolulu).kind, ==, BECKON_GROUP_TODAY);
  g_assert_cmpint (beckon_group_for_time (then, FALSE, now, NULL).kind, ==, BECKON_GROUP_TODAY);
  g_assert_cmpint (beckon_group_for_time (then, TRUE, now, shanghai).kind, ==, BECKON_GROUP_PINNED);
}

static void
test_next_change (void)
{
  g_autoptr (GTimeZone) zone = g_time_zone_new_identifier (BERLIN);

  g_assert_cmpint (beckon_group_next_change (at ("2024-03-31T00:00:00", zone), zone), ==, at ("2024-04-01T00:00:00", zone));
  g_assert_cmpint (beckon_group_next_change (at ("2024-10-27T00:00:00", zone), zone), ==, at ("2024-10-28T00:00:00", zone));
  g_assert_cmpint (beckon_group_next_change (at ("2024-12-31T23:59:59", zone), zone), ==, at ("2025-01-01T00:00:00", zone));
  g_assert_cmpint (beckon_group_next_change (G_MAXINT64 - 2 * G_TIME_SPAN_DAY, zone), >, 0);
}

static void
test_strange_times (void)
{
  gint64 now = G_GINT64_CONSTANT (1700000000) * G_USEC_PER_SEC;

  g_assert_cmpint (beckon_group_for_time (G_MAXINT64, FALSE, now, NULL).kind, ==, BECKON_GROUP_TODAY);
  g_assert_cmpint (beckon_group_for_time (G_MININT64, FALSE, now, NULL).kind, ==, BECKON_GROUP_TODAY);
  g_assert_cmpint (beckon_group_for_time (now + G_TIME_SPAN_DAY * 40, FALSE, now, NULL).kind, ==, BECKON_GROUP_TODAY);
  g_assert_cmpint (beckon_group_for_time (0, FALSE, now, NULL).year, ==, 1970);
}

#define DAY G_TIME_SPAN_DAY

/* The clock was set back: what was written after that stands with what was written before. */
static void
test_clock_set_back (void)
{
  const gint64 now = 100 * DAY;
  gint64 times[] = { 90 * DAY, 100 * DAY - 1, 99 * DAY, 80 * DAY };

  beckon_group_smooth_times (times, G_N_ELEMENTS (times), now);
  g_assert_cmpint (times[0], ==, 100 * DAY - 1);
  g_assert_cmpint (times[1], ==, 100 * DAY - 1);
  g_assert_cmpint (times[2], ==, 99 * DAY);
  g_assert_cmpint (times[3], ==, 80 * DAY);
}

/* The clock was years ahead, once: what was written since does not stay under today for years. */
static void
test_clock_was_ahead (void)
{
  const gint64 now = 100 * DAY;
  gint64 times[] = { 98 * DAY, 97 * DAY, 4000 * DAY, 50 * DAY };
  gint64 alone[] = { 4000 * DAY };

  beckon_group_smooth_times (times, G_N_ELEMENTS (times), now);
  g_assert_cmpint (times[0], ==, 98 * DAY);
  g_assert_cmpint (times[1], ==, 97 * DAY);
  g_assert_cmpint (times[2], ==, 50 * DAY);
  g_assert_cmpint (times[3], ==, 50 * DAY);

  beckon_group_smooth_times (alone, 1, now);
  g_assert_cmpint (beckon_group_for_time (alone[0], FALSE, now, NULL).kind, ==, BECKON_GROUP_TODAY);
  beckon_group_smooth_times (NULL, 0, now);
}

/* Headings come in their order and each once, whatever the times are. */
static void
test_headings_in_order (void)
{
  const gint64 now = 20000 * DAY + 7;

  for (guint round = 0; round < 200; round++)
    {
      gint64 times[40];
      gint64 last = G_MAXINT64;

      for (guint i = 0; i < G_N_ELEMENTS (times); i++)
        times[i] = now - g_test_rand_int_range (-3, 90) * DAY + g_test_rand_int_range (0, 1000);
      beckon_group_smooth_times (times, G_N_ELEMENTS (times), now);
      for (guint i = 0; i < G_N_ELEMENTS (times); i++)
        {
          BeckonGroup group = beckon_group_for_time (times[i], FALSE, now, NULL);
          gint64 place = (gint64) (BECKON_GROUP_MONTH - group.kind) * 100000 + group.year * 12 + group.month;

          g_assert_cmpint (place, <=, last);
          last = place;
        }
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/domain/group/headings", test_headings);
  g_test_add_func ("/domain/group/edges", test_edges);
  g_test_add_func ("/domain/group/summer-time", test_summer_time);
  g_test_add_func ("/domain/group/zones", test_zones);
  g_test_add_func ("/domain/group/next-change", test_next_change);
  g_test_add_func ("/domain/group/strange-times", test_strange_times);
  g_test_add_func ("/domain/group/clock-set-back", test_clock_set_back);
  g_test_add_func ("/domain/group/clock-was-ahead", test_clock_was_ahead);
  g_test_add_func ("/domain/group/headings-in-order", test_headings_in_order);

  return g_test_run ();
}
