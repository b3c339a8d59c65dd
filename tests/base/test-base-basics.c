/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-clock.h"
#include "base/beckon-id.h"
#include "base/beckon-path.h"

#include <string.h>

#define START (G_GINT64_CONSTANT (1700000000) * G_USEC_PER_SEC)

static void
test_id_form (void)
{
  g_autofree char *id = beckon_id_new ();

  g_assert_cmpuint (strlen (id), ==, BECKON_ID_LENGTH);
  g_assert_true (beckon_id_is_valid (id));
}

static gint64
read_time (const char *id)
{
  static const char alphabet[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  gint64 milliseconds = 0;

  for (guint i = 0; i < 10; i++)
    milliseconds = milliseconds * 32 + (strchr (alphabet, id[i]) - alphabet);
  return milliseconds;
}

static void
test_id_time (void)
{
  gint64 before = g_get_real_time () / 1000;
  g_autofree char *id = beckon_id_new ();

  g_assert_cmpint (read_time (id), >=, before);
  g_assert_cmpint (read_time (id), <=, g_get_real_time () / 1000);
}

static void
test_id_order (void)
{
  g_autofree char *last = beckon_id_new ();

  for (guint i = 0; i < 100000; i++)
    {
      char *id = beckon_id_new ();

      g_assert_cmpstr (last, <, id);
      g_free (last);
      last = id;
    }
}

static gpointer
make_ids (gpointer data)
{
  GPtrArray *ids = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < 10000; i++)
    g_ptr_array_add (ids, beckon_id_new ());
  return ids;
}

static void
test_id_unique_over_threads (void)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GThread *threads[4];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("ids", make_ids, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    {
      g_autoptr (GPtrArray) ids = g_thread_join (threads[i]);

      for (guint j = 0; j < ids->len; j++)
        g_assert_true (g_hash_table_add (seen, g_strdup (g_ptr_array_index (ids, j))));
    }
}

static void
test_id_invalid (void)
{
  static const char *const wrong[] = {
    "", "0", "01ARZ3NDEKTSV4RRFFQ69G5FA", "01ARZ3NDEKTSV4RRFFQ69G5FAVX", "01arz3ndektsv4rrffq69g5fav",
    "81ARZ3NDEKTSV4RRFFQ69G5FAV", "01ARZ3NDEKTSV4RRFFQ69G5FIV", "01ARZ3NDEKTSV4RRFFQ69G5F V",
  };

  g_assert_false (beckon_id_is_valid (NULL));
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    g_assert_false (beckon_id_is_valid (wrong[i]));
  g_assert_true (beckon_id_is_valid ("01ARZ3NDEKTSV4RRFFQ69G5FAV"));
  g_assert_true (beckon_id_is_valid ("7ZZZZZZZZZZZZZZZZZZZZZZZZZ"));
}

typedef struct
{
  BeckonClock *clock;
  GString *log;
  const char *name;
  guint id;
  guint times;
} Timer;

static gboolean
on_timer (gpointer user_data)
{
  Timer *timer = user_data;

  g_string_append_printf (timer->log, "%s@%" G_GINT64_FORMAT " ", timer->name,
                          (beckon_clock_get_real_time (timer->clock) - START) / 1000);
  return --timer->times > 0;
}

static void
test_clock_order (void)
{
  g_autoptr (BeckonClock) clock = beckon_clock_new_manual (START);
  g_autoptr (GString) log = g_string_new (NULL);
  Timer slow = { clock, log, "slow", 0, 1 };
  Timer fast = { clock, log, "fast", 0, 3 };

  beckon_clock_add_timeout (clock, 250, on_timer, &slow);
  beckon_clock_add_timeout (clock, 100, on_timer, &fast);
  beckon_clock_advance (clock, 99);
  g_assert_cmpstr (log->str, ==, "");
  beckon_clock_advance (clock, 1);
  g_assert_cmpstr (log->str, ==, "fast@100 ");
  beckon_clock_advance (clock, 10000);
  g_assert_cmpstr (log->str, ==, "fast@100 fast@200 slow@250 fast@300 ");
  g_assert_cmpint (beckon_clock_get_real_time (clock), ==, START + 10100 * 1000);
  g_assert_finalize_object (g_steal_pointer (&clock));
}

/* Timeouts that fall due at one moment are called in the order in which they were added. */
static void
test_clock_same_moment (void)
{
  g_autoptr (BeckonClock) clock = beckon_clock_new_manual (START);
  g_autoptr (GString) log = g_string_new (NULL);
  Timer first = { clock, log, "first", 0, 2 };
  Timer second = { clock, log, "second", 0, 2 };

  beckon_clock_add_timeout (clock, 10, on_timer, &first);
  beckon_clock_add_timeout (clock, 10, on_timer, &second);
  beckon_clock_advance (clock, 10);
  beckon_clock_advance (clock, 10);
  g_assert_cmpstr (log->str, ==, "first@10 second@10 first@20 second@20 ");
}

static gboolean
remove_itself (gpointer user_data)
{
  Timer *timer = user_data;

  timer->times++;
  beckon_clock_remove (timer->clock, timer->id);
  return G_SOURCE_CONTINUE;
}

static gboolean
add_another (gpointer user_data)
{
  Timer *timer = user_data;

  beckon_clock_add_timeout (timer->clock, 10, on_timer, timer);
  return G_SOURCE_REMOVE;
}

static void
test_clock_changes_inside (void)
{
  g_autoptr (BeckonClock) clock = beckon_clock_new_manual (START);
  g_autoptr (GString) log = g_string_new (NULL);
  Timer removed = { clock, log, "removed", 0, 0 };
  Timer added = { clock, log, "added", 0, 1 };

  removed.id = beckon_clock_add_timeout (clock, 5, remove_itself, &removed);
  beckon_clock_add_timeout (clock, 5, add_another, &added);
  beckon_clock_advance (clock, 100);
  g_assert_cmpuint (removed.times, ==, 1);
  g_assert_cmpstr (log->str, ==, "added@15 ");
}

static void
test_clock_zero_interval (void)
{
  g_autoptr (BeckonClock) clock = beckon_clock_new_manual (START);
  g_autoptr (GString) log = g_string_new (NULL);
  Timer timer = { clock, log, "zero", 0, 2 };

  beckon_clock_add_timeout (clock, 0, on_timer, &timer);
  beckon_clock_advance (clock, 0);
  g_assert_cmpstr (log->str, ==, "zero@0 ");
  beckon_clock_advance (clock, 5);
  g_assert_cmpstr (log->str, ==, "zero@0 zero@1 ");
}

static gboolean
set_flag (gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
  return G_SOURCE_REMOVE;
}

static void
test_clock_system (void)
{
  BeckonClock *clock = beckon_clock_get_system ();
  gint64 monotonic = beckon_clock_get_monotonic_time (clock);
  gboolean fired = FALSE;
  gboolean removed = FALSE;

  beckon_clock_remove (clock, beckon_clock_add_timeout (clock, 0, set_flag, &removed));
  g_assert_cmpuint (beckon_clock_add_timeout (clock, 1, set_flag, &fired), >, 0);
  while (!fired)
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (removed);
  g_assert_cmpint (beckon_clock_get_monotonic_time (clock), >, monotonic);
  g_assert_cmpint (beckon_clock_get_real_time (clock), >, START);
  g_assert_true (clock == beckon_clock_get_system ());
}

static void
test_path (void)
{
  static const struct
  {
    const char *path;
    const char *folder;
    const char *below;
  } cases[] = {
    { "/a/b", "/a", "b" },      { "/a/b/c", "/a", "b/c" }, { "/a", "/a", "" },       { "/ab", "/a", NULL }, { "/", "/a", NULL },
    { "/a", "/", "a" },         { "/", "/", "" },          { "a/b", "a", "b" },      { "ab", "a", NULL },   { "a", "a/b", NULL },
    { "/a", "", NULL },         { "a", "/", NULL },        { "/A/b", "/a", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s in %s", cases[i].path, cases[i].folder);
      g_assert_cmpstr (beckon_path_relate (cases[i].path, cases[i].folder), ==, cases[i].below);
      g_assert_cmpint (beckon_path_is_within (cases[i].path, cases[i].folder), ==, cases[i].below != NULL);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/id/form", test_id_form);
  g_test_add_func ("/base/id/time", test_id_time);
  g_test_add_func ("/base/id/order", test_id_order);
  g_test_add_func ("/base/id/unique-over-threads", test_id_unique_over_threads);
  g_test_add_func ("/base/id/invalid", test_id_invalid);
  g_test_add_func ("/base/clock/order", test_clock_order);
  g_test_add_func ("/base/clock/same-moment", test_clock_same_moment);
  g_test_add_func ("/base/clock/changes-inside", test_clock_changes_inside);
  g_test_add_func ("/base/clock/zero-interval", test_clock_zero_interval);
  g_test_add_func ("/base/clock/system", test_clock_system);
  g_test_add_func ("/base/path", test_path);
  return g_test_run ();
}
