/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A long conversation is read from its end: nothing is read twice, nothing is left out, whatever is asked for in what order. */

#include "beckon-store-fixture.h"

#define N_MESSAGES 1000
#define MOST_AT_FIRST 200

typedef struct
{
  char *directory;
  BeckonStore *store;
  BeckonLibrary *library;
  BeckonConversation *conversation; /* of N_MESSAGES, nothing of it read */
  GPtrArray *ids;                   /* of the messages */
} Fixture;

static void
store_long (Fixture *fixture)
{
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Long?");
  const char *id = beckon_conversation_get_id (turn->conversation);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  beckon_batch_put_conversation (batch, turn->conversation);
  for (guint i = 0; i < N_MESSAGES; i++)
    {
      g_autofree char *text = g_strdup_printf ("message %u", i);
      BeckonRole role = i % 2 == 0 ? BECKON_ROLE_USER : BECKON_ROLE_ASSISTANT;
      g_autoptr (BeckonMessage) message = beckon_message_new_text (role, i, text);

      beckon_batch_add_message (batch, id, message);
      g_ptr_array_add (fixture->ids, g_strdup (beckon_message_get_id (message)));
    }
  beckon_store_fixture_commit (fixture->store, batch);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->directory = beckon_store_fixture_make_folder ();
  fixture->store = beckon_store_fixture_open (fixture->directory);
  fixture->ids = g_ptr_array_new_with_free_func (g_free);
  store_long (fixture);
  fixture->library = beckon_store_fixture_library (fixture->store, beckon_clock_get_system ());
  fixture->conversation = g_list_model_get_item (G_LIST_MODEL (fixture->library), 0);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_object_unref (fixture->conversation);
  g_object_unref (fixture->library);
  while (g_main_context_iteration (NULL, FALSE))
    continue;
  beckon_store_fixture_close (fixture->store);
  g_object_unref (fixture->store);
  g_ptr_array_unref (fixture->ids);
  beckon_store_fixture_clear (fixture->directory);
}

static void
on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (beckon_library_open_finish (BECKON_LIBRARY (source), result, &error));
  g_assert_no_error (error);
  --*(guint *) user_data;
}

static void
open_end (Fixture *fixture, const char *message_id)
{
  guint left = 1;

  beckon_library_open_end_async (fixture->library, fixture->conversation, message_id, NULL, on_opened, &left);
  beckon_await (left == 0);
}

static void
open_earlier (Fixture *fixture)
{
  guint left = 1;

  beckon_library_open_earlier_async (fixture->library, fixture->conversation, NULL, on_opened, &left);
  beckon_await (left == 0);
}

/* The end from some place on, whole and in order. */
static guint
get_first (Fixture *fixture)
{
  guint n = beckon_conversation_get_n_messages (fixture->conversation);
  guint first = N_MESSAGES - n;

  for (guint i = 0; i < n; i++)
    {
      BeckonMessage *message = beckon_conversation_get_message (fixture->conversation, i);

      g_assert_cmpint (beckon_message_get_seq (message), ==, first + i);
      g_assert_cmpstr (beckon_message_get_id (message), ==, g_ptr_array_index (fixture->ids, first + i));
      g_assert_cmpuint (beckon_message_get_n_parts (message), ==, 1);
    }
  return first;
}

static void
test_end (Fixture *fixture, gconstpointer data)
{
  open_end (fixture, NULL);
  g_assert_true (beckon_conversation_get_loaded (fixture->conversation));
  g_assert_true (beckon_conversation_get_has_earlier (fixture->conversation));
  g_assert_cmpuint (get_first (fixture), >, N_MESSAGES - MOST_AT_FIRST);
  g_assert_cmpint (beckon_conversation_get_next_seq (fixture->conversation), ==, N_MESSAGES);
}

static void
test_earlier (Fixture *fixture, gconstpointer data)
{
  guint first, n_pages = 0;

  open_end (fixture, NULL);
  first = get_first (fixture);
  for (; beckon_conversation_get_has_earlier (fixture->conversation); n_pages++)
    {
      open_earlier (fixture);
      g_assert_cmpuint (get_first (fixture), <, first);
      first = get_first (fixture);
    }
  g_assert_cmpuint (first, ==, 0);
  g_assert_cmpuint (n_pages, >, N_MESSAGES / MOST_AT_FIRST);
  open_earlier (fixture);
  g_assert_cmpuint (get_first (fixture), ==, 0);
}

static void
test_message (Fixture *fixture, gconstpointer data)
{
  const char *wanted = g_ptr_array_index (fixture->ids, 300);
  const char *first = g_ptr_array_index (fixture->ids, 0);

  open_end (fixture, wanted);
  g_assert_nonnull (beckon_conversation_find_message (fixture->conversation, wanted));
  g_assert_cmpuint (get_first (fixture), <, 300);
  g_assert_cmpuint (get_first (fixture), >, 0);

  open_end (fixture, first);
  g_assert_nonnull (beckon_conversation_find_message (fixture->conversation, first));
  g_assert_cmpuint (get_first (fixture), ==, 0);
  g_assert_false (beckon_conversation_get_has_earlier (fixture->conversation));
}

static void
test_no_such_message (Fixture *fixture, gconstpointer data)
{
  open_end (fixture, "nobody");
  g_assert_true (beckon_conversation_get_loaded (fixture->conversation));
  g_assert_cmpuint (get_first (fixture), >, N_MESSAGES - MOST_AT_FIRST);
}

static void
test_whole (Fixture *fixture, gconstpointer data)
{
  open_end (fixture, NULL);
  beckon_store_fixture_open_conversation (fixture->library, fixture->conversation);
  g_assert_cmpuint (get_first (fixture), ==, 0);
  g_assert_cmpuint (beckon_conversation_get_n_messages (fixture->conversation), ==, N_MESSAGES);
  g_assert_false (beckon_conversation_get_has_earlier (fixture->conversation));
}

/* Everything at the same time. */
static void
test_at_once (Fixture *fixture, gconstpointer data)
{
  guint left = 6;

  beckon_library_open_end_async (fixture->library, fixture->conversation, NULL, NULL, on_opened, &left);
  beckon_library_open_earlier_async (fixture->library, fixture->conversation, NULL, on_opened, &left);
  beckon_library_open_async (fixture->library, fixture->conversation, NULL, on_opened, &left);
  beckon_library_open_end_async (fixture->library, fixture->conversation, g_ptr_array_index (fixture->ids, 500), NULL,
                                 on_opened, &left);
  beckon_library_open_earlier_async (fixture->library, fixture->conversation, NULL, on_opened, &left);
  beckon_library_open_end_async (fixture->library, fixture->conversation, NULL, NULL, on_opened, &left);
  beckon_await (left == 0);
  g_assert_cmpuint (get_first (fixture), ==, 0);
  g_assert_false (beckon_conversation_get_has_earlier (fixture->conversation));
}

/* Messages that were dropped while others were read leave no hole, and come again. */
static void
test_left_meanwhile (Fixture *fixture, gconstpointer data)
{
  guint left = 1;

  open_end (fixture, g_ptr_array_index (fixture->ids, 400));
  beckon_library_open_earlier_async (fixture->library, fixture->conversation, NULL, on_opened, &left);
  beckon_library_leave (fixture->library, fixture->conversation);
  g_assert_cmpuint (get_first (fixture), >, N_MESSAGES - MOST_AT_FIRST);
  beckon_await (left == 0);
  g_assert_cmpuint (get_first (fixture), >, 400);
  beckon_store_fixture_open_conversation (fixture->library, fixture->conversation);
  g_assert_cmpuint (get_first (fixture), ==, 0);
}

/* A run works with all of it. */
static void
test_not_left_while_busy (Fixture *fixture, gconstpointer data)
{
  beckon_store_fixture_open_conversation (fixture->library, fixture->conversation);
  beckon_conversation_set_phase (fixture->conversation, BECKON_RUN_RECEIVING, NULL, 0);
  beckon_library_leave (fixture->library, fixture->conversation);
  g_assert_cmpuint (get_first (fixture), ==, 0);
  beckon_conversation_set_phase (fixture->conversation, BECKON_RUN_COMPLETE, NULL, 0);
  beckon_library_leave (fixture->library, fixture->conversation);
  g_assert_cmpuint (get_first (fixture), >, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, function) g_test_add ("/store/pages/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("end", test_end);
  ADD ("earlier", test_earlier);
  ADD ("message", test_message);
  ADD ("no-such-message", test_no_such_message);
  ADD ("whole", test_whole);
  ADD ("at-once", test_at_once);
  ADD ("left-meanwhile", test_left_meanwhile);
  ADD ("not-left-while-busy", test_not_left_while_busy);
#undef ADD

  return g_test_run ();
}
