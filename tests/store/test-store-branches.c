/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Branches against a model: a tree in memory to which everything is done that is done to the store. After each step the list
 * of whoever did it, what a fresh reading finds, and the list of another process that only looks on must be what the model
 * shows, with the numbers of their versions. */

#include "beckon-store-fixture.h"

#include "base/beckon-error.h"
#include "base/beckon-id.h"
#include "store/transfer/beckon-export.h"
#include "store/transfer/beckon-import.h"

#include <string.h>

#ifdef __SANITIZE_ADDRESS__
#define N_HISTORIES 30
#else
#define N_HISTORIES 120
#endif

#define N_STEPS 40

/* The model */

typedef struct
{
  char *id;
  int parent; /* -1: none */
  int moved_from;
  gboolean chosen;
  gboolean hidden;
} Node;

typedef struct
{
  GArray *nodes;
  GArray *hidden; /* what the last removal took out, in order; empty when it was put back */
} Tree;

static Node *
get (Tree *tree, int index)
{
  return &g_array_index (tree->nodes, Node, index);
}

/* Those that follow @parent, in the order they were made. */
static GArray *
list_following (Tree *tree, int parent)
{
  GArray *following = g_array_new (FALSE, FALSE, sizeof (int));

  for (int i = 0; i < (int) tree->nodes->len; i++)
    if (get (tree, i)->parent == parent && !get (tree, i)->hidden)
      g_array_append_val (following, i);

  return following;
}

static int
find_chosen (Tree *tree, int parent)
{
  g_autoptr (GArray) following = list_following (tree, parent);

  for (guint i = 0; i < following->len; i++)
    if (get (tree, g_array_index (following, int, i))->chosen)
      return g_array_index (following, int, i);

  return -1;
}

static GArray *
list_path (Tree *tree)
{
  GArray *path = g_array_new (FALSE, FALSE, sizeof (int));

  for (int i = find_chosen (tree, -1); i >= 0; i = find_chosen (tree, i))
    g_array_append_val (path, i);

  return path;
}

static int
get_last (Tree *tree)
{
  g_autoptr (GArray) path = list_path (tree);

  return path->len > 0 ? g_array_index (path, int, path->len - 1) : -1;
}

static void
choose (Tree *tree, int index)
{
  g_autoptr (GArray) following = list_following (tree, get (tree, index)->parent);

  for (guint i = 0; i < following->len; i++)
    get (tree, g_array_index (following, int, i))->chosen = g_array_index (following, int, i) == index;
}

static void
tree_show (Tree *tree, int index)
{
  for (int i = index; i >= 0; i = get (tree, i)->parent)
    choose (tree, i);
}

/* The nearest to the one that went among those that were beside it; without one, among those that followed it. */
static void
choose_nearest (Tree *tree, int gone)
{
  g_autoptr (GArray) following = list_following (tree, get (tree, gone)->parent);
  int nearest = -1;

  if (find_chosen (tree, get (tree, gone)->parent) >= 0)
    return;
  for (guint i = 0; i < following->len; i++)
    {
      int beside = g_array_index (following, int, i);
      gboolean followed = get (tree, beside)->moved_from == gone;

      if (nearest < 0 || (!followed && (beside < gone || get (tree, nearest)->moved_from == gone)))
        nearest = beside;
    }
  if (nearest >= 0)
    get (tree, nearest)->chosen = TRUE;
}

static void
tree_hide (Tree *tree, int index)
{
  Node *node = get (tree, index);

  node->hidden = TRUE;
  node->chosen = FALSE;
  for (int i = 0; i < (int) tree->nodes->len; i++)
    if (get (tree, i)->parent == index)
      {
        get (tree, i)->parent = node->parent;
        get (tree, i)->moved_from = index;
      }
  choose_nearest (tree, index);
}

static void
tree_restore (Tree *tree, int index)
{
  for (int i = 0; i < (int) tree->nodes->len; i++)
    if (get (tree, i)->moved_from == index)
      {
        get (tree, i)->parent = index;
        get (tree, i)->moved_from = -1;
      }
  get (tree, index)->hidden = FALSE;
  choose (tree, index);
}

static void
clear_node (gpointer data)
{
  g_free (((Node *) data)->id);
}

/* The world */

typedef struct
{
  char *directory;
  BeckonStore *store;
  BeckonLibrary *library;
  BeckonConversation *conversation;
  BeckonStore *other;
  BeckonLibrary *other_library;
  BeckonConversation *looked_at; /* the same one, in another process */
  gboolean is_watched;
  Tree tree;
  guint n_switches;
  guint n_removals;
} World;

static int
below (guint n)
{
  return g_test_rand_int_range (0, (int) n);
}

static void
keep_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static const char *
get_id (World *world)
{
  return beckon_conversation_get_id (world->conversation);
}

/* Checks what a message says of itself against the tree. */
static void
check_message (Tree *tree, BeckonMessage *message, int index, gboolean is_last)
{
  Node *node = get (tree, index);
  g_autoptr (GArray) beside = list_following (tree, node->parent);
  g_autoptr (GArray) behind = list_following (tree, index);
  guint version = 0;

  while (g_array_index (beside, int, version) != index)
    version++;
  g_assert_cmpstr (beckon_message_get_id (message), ==, node->id);
  g_assert_cmpstr (beckon_message_get_parent_id (message), ==, node->parent >= 0 ? get (tree, node->parent)->id : NULL);
  g_assert_cmpuint (beckon_message_get_n_versions (message), ==, beside->len);
  g_assert_cmpuint (beckon_message_get_version (message), ==, version);
  g_assert_cmpuint (beckon_message_get_n_left (message), ==, is_last ? behind->len : 0);
}

static void
check_list (Tree *tree, GListModel *list)
{
  g_autoptr (GArray) path = list_path (tree);
  gint64 seq = -1;

  g_assert_cmpuint (g_list_model_get_n_items (list), ==, path->len);
  for (guint i = 0; i < path->len; i++)
    {
      g_autoptr (BeckonMessage) message = g_list_model_get_item (list, i);

      check_message (tree, message, g_array_index (path, int, i), i == path->len - 1);
      g_assert_cmpint (beckon_message_get_seq (message), >, seq);
      seq = beckon_message_get_seq (message);
    }
}

static void
check_stored (Tree *tree, BeckonStore *store, const char *conversation_id)
{
  g_autoptr (GPtrArray) messages = beckon_store_fixture_load (store, conversation_id);
  g_autoptr (GListStore) list = g_list_store_new (BECKON_TYPE_MESSAGE);

  for (guint i = 0; i < messages->len; i++)
    g_list_store_append (list, g_ptr_array_index (messages, i));
  check_list (tree, G_LIST_MODEL (list));
}

static gboolean
is_as_shown (Tree *tree, BeckonConversation *conversation)
{
  g_autoptr (GArray) path = list_path (tree);
  gboolean same = beckon_conversation_get_n_messages (conversation) == path->len;

  for (guint i = 0; same && i < path->len; i++)
    same = g_str_equal (beckon_message_get_id (beckon_conversation_get_message (conversation, i)),
                        get (tree, g_array_index (path, int, i))->id);

  return same;
}

static void
check (World *world)
{
  check_list (&world->tree, G_LIST_MODEL (world->conversation));
  check_stored (&world->tree, world->store, get_id (world));
  /* The library looks again five times a second. */
  if (world->is_watched && below (20) == 0)
    beckon_await (is_as_shown (&world->tree, world->looked_at));
}

/* Steps */

static void
add_node (World *world, BeckonMessage *message, int parent)
{
  Node node = { .parent = parent, .moved_from = -1, .chosen = TRUE };

  node.id = g_strdup (beckon_message_get_id (message));
  g_array_append_val (world->tree.nodes, node);
}

static BeckonMessage *
make_message (World *world, gint64 seq)
{
  guint number = world->tree.nodes->len;
  g_autofree char *text = g_strdup_printf ("message %u", number);
  BeckonMessage *message = beckon_message_new (NULL, number % 2 == 0 ? BECKON_ROLE_USER : BECKON_ROLE_ASSISTANT, number);
  g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_TEXT, text);

  beckon_message_add_part (message, part);
  beckon_message_set_seq (message, seq);

  return message;
}

/* As the agent does it: written first, then shown. */
static void
add (World *world)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  g_autoptr (BeckonMessage) message
    = make_message (world, beckon_conversation_get_next_seq (world->conversation));

  beckon_batch_put_conversation (batch, world->conversation);
  beckon_batch_add_message (batch, get_id (world), message);
  beckon_store_fixture_commit (world->store, batch);
  add_node (world, message, get_last (&world->tree));
  beckon_conversation_add_message (world->conversation, message);
  beckon_library_touch (world->library, world->conversation);
}

/* To leave a message, and what takes its place: at once, or later. */
static void
leave (World *world)
{
  g_autoptr (GArray) path = list_path (&world->tree);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  guint position = (guint) below (path->len);
  Node *left = get (&world->tree, g_array_index (path, int, position));
  g_autoptr (BeckonMessage) message = NULL;
  gboolean at_once = position == 0 || below (2) == 0;

  beckon_batch_put_conversation (batch, world->conversation);
  beckon_batch_leave_message (batch, get_id (world), left->id);
  left->chosen = FALSE;
  beckon_conversation_leave (world->conversation, position);
  if (at_once)
    {
      message = make_message (world, beckon_conversation_get_next_seq (world->conversation));
      beckon_batch_add_message (batch, get_id (world), message);
      add_node (world, message, get_last (&world->tree));
      beckon_conversation_add_message (world->conversation, message);
    }
  beckon_store_fixture_commit (world->store, batch);
}

static void
await_change (World *world, GAsyncResult **result, gboolean expected)
{
  g_autoptr (GError) error = NULL;

  beckon_await (*result != NULL);
  g_assert_cmpint (beckon_library_show_finish (world->library, *result, &error), ==, expected);
  g_clear_object (result);
  world->n_switches++;
}

static void
show_version (World *world)
{
  g_autoptr (GArray) path = list_path (&world->tree);
  int index = g_array_index (path, int, below (path->len));
  g_autoptr (GArray) beside = list_following (&world->tree, get (&world->tree, index)->parent);
  guint version = (guint) below (beside->len);
  g_autoptr (GAsyncResult) result = NULL;

  beckon_library_show_version_async (world->library, world->conversation, get (&world->tree, index)->id, version, NULL,
                                     keep_result, &result);
  await_change (world, &result, TRUE);
  tree_show (&world->tree, g_array_index (beside, int, version));
}

static void
show_left (World *world)
{
  g_autoptr (GArray) behind = list_following (&world->tree, get_last (&world->tree));
  g_autoptr (GAsyncResult) result = NULL;

  beckon_library_show_left_async (world->library, world->conversation, NULL, keep_result, &result);
  await_change (world, &result, behind->len > 0);
  if (behind->len > 0)
    tree_show (&world->tree, g_array_index (behind, int, behind->len - 1));
}

static void
on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (beckon_library_open_finish (BECKON_LIBRARY (source), result, &error));
  g_assert_no_error (error);
  *(gboolean *) user_data = TRUE;
}

/* Opens the conversation at any message that is there, as a search does. */
static void
open_at (World *world)
{
  int index = below (world->tree.nodes->len);
  gboolean opened = FALSE;

  if (get (&world->tree, index)->hidden)
    return;

  beckon_library_open_end_async (world->library, world->conversation, get (&world->tree, index)->id, NULL, on_opened,
                                 &opened);
  beckon_await (opened);
  tree_show (&world->tree, index);
  g_assert_nonnull (beckon_conversation_find_message (world->conversation, get (&world->tree, index)->id));
}

static GStrv
list_ids (Tree *tree, GArray *indexes)
{
  g_autoptr (GStrvBuilder) ids = g_strv_builder_new ();

  for (guint i = 0; i < indexes->len; i++)
    g_strv_builder_add (ids, get (tree, g_array_index (indexes, int, i))->id);

  return g_strv_builder_end (ids);
}

static void
remove_some (World *world)
{
  g_autoptr (GArray) path = list_path (&world->tree);
  g_auto (GStrv) ids = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  g_array_set_size (world->tree.hidden, 0);
  for (guint i = 0; i < path->len; i++)
    if (below (path->len) < 2)
      g_array_append_val (world->tree.hidden, g_array_index (path, int, i));
  if (world->tree.hidden->len == 0)
    return;

  ids = list_ids (&world->tree, world->tree.hidden);
  beckon_library_remove_messages_async (world->library, world->conversation, (const char *const *) ids, NULL, keep_result,
                                        &result);
  await_change (world, &result, TRUE);
  for (guint i = 0; i < world->tree.hidden->len; i++)
    tree_hide (&world->tree, g_array_index (world->tree.hidden, int, i));
  world->n_removals++;
}

static void
restore (World *world)
{
  g_auto (GStrv) ids = list_ids (&world->tree, world->tree.hidden);
  g_autoptr (GAsyncResult) result = NULL;

  if (world->tree.hidden->len == 0)
    return;

  beckon_library_restore_messages_async (world->library, world->conversation, (const char *const *) ids, NULL, keep_result,
                                         &result);
  await_change (world, &result, TRUE);
  for (guint i = world->tree.hidden->len; i > 0; i--)
    tree_restore (&world->tree, g_array_index (world->tree.hidden, int, i - 1));
  g_array_set_size (world->tree.hidden, 0);
}

static void
step (World *world)
{
  g_autoptr (GArray) path = list_path (&world->tree);

  if (path->len == 0)
    {
      g_array_set_size (world->tree.hidden, 0);
      add (world);
      return;
    }
  switch (below (12))
    {
    case 0:
    case 1:
      leave (world);
      break;
    case 2:
    case 3:
      show_version (world);
      break;
    case 4:
      show_left (world);
      break;
    case 5:
      open_at (world);
      break;
    case 6:
      remove_some (world);
      break;
    case 7:
    case 8:
      restore (world);
      break;
    default:
      add (world);
      break;
    }
}

/* The same tree under other names: every branch reads the same, in the same order. */
static char *
describe (BeckonStore *store, const char *conversation_id)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GPtrArray) messages = beckon_store_fixture_load (store, conversation_id);

  for (guint i = 0; i < messages->len; i++)
    {
      BeckonMessage *message = g_ptr_array_index (messages, i);
      g_autofree char *words = beckon_message_dup_text (message);

      g_string_append_printf (text, "%s (%u/%u, %u)\n", words, beckon_message_get_version (message),
                              beckon_message_get_n_versions (message), beckon_message_get_n_left (message));
    }

  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
describe_tree (const char *directory, const char *conversation_id)
{
  g_autofree char *sql = g_strdup_printf (
    "SELECT group_concat (line, char (10)) FROM (SELECT CAST (p.text AS TEXT) || '<' || coalesce (CAST (q.text AS TEXT), '')"
    " || '>' || m.chosen || m.active AS line FROM message m JOIN part p ON p.message = m.id LEFT JOIN part q"
    " ON q.message = m.parent WHERE m.conversation = '%s' AND m.deleted_at IS NULL ORDER BY m.created_at)",
    conversation_id);

  return beckon_store_fixture_sql (directory, sql);
}

static void
assert_same (World *world, const char *id)
{
  g_autofree char *path = describe (world->store, get_id (world));
  g_autofree char *copied_path = describe (world->store, id);
  g_autofree char *tree = describe_tree (world->directory, get_id (world));
  g_autofree char *copied_tree = describe_tree (world->directory, id);

  g_assert_cmpstr (copied_path, ==, path);
  g_assert_cmpstr (copied_tree, ==, tree);
}

static void
check_duplicate (World *world)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonConversation) copy = NULL;

  beckon_library_duplicate_async (world->library, world->conversation, NULL, keep_result, &result);
  beckon_await (result != NULL);
  copy = beckon_library_duplicate_finish (world->library, result, &error);
  g_assert_no_error (error);
  assert_same (world, beckon_conversation_get_id (copy));
}

static void
check_export (World *world)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *document = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (BeckonImportReport) report = NULL;
  g_autoptr (GString) text = NULL;
  g_autofree char *other = beckon_id_new ();

  beckon_store_export_async (world->store, get_id (world), NULL, keep_result, &result);
  beckon_await (result != NULL);
  document = beckon_store_export_finish (world->store, result, &error);
  g_assert_no_error (error);
  g_clear_object (&result);

  /* A conversation that is here already is imported by another id only. */
  text = g_string_new (document);
  g_string_replace (text, get_id (world), other, 0);
  bytes = g_bytes_new (text->str, text->len);
  beckon_store_import_async (world->store, bytes, NULL, keep_result, &result);
  beckon_await (result != NULL);
  report = beckon_store_import_finish (world->store, result, &error);
  g_assert_no_error (error);
  assert_same (world, g_ptr_array_index (report->ids, 0));
}

static void
open_other (World *world)
{
  world->other = beckon_store_fixture_open (world->directory);
  world->other_library = beckon_store_fixture_library (world->other, beckon_clock_get_system ());
  world->looked_at = beckon_library_lookup (world->other_library, get_id (world));
  g_assert_nonnull (world->looked_at);
  beckon_store_fixture_open_conversation (world->other_library, world->looked_at);
}

static void
begin (World *world)
{
  world->conversation = g_object_ref (beckon_library_create (world->library));
  beckon_conversation_set_title (world->conversation, "Tree");
  world->tree.nodes = g_array_new (FALSE, TRUE, sizeof (Node));
  g_array_set_clear_func (world->tree.nodes, clear_node);
  world->tree.hidden = g_array_new (FALSE, FALSE, sizeof (int));
  add (world);
  open_other (world);
}

static void
end (World *world)
{
  g_clear_object (&world->other_library);
  beckon_store_fixture_close (world->other);
  g_clear_object (&world->other);
  g_clear_object (&world->conversation);
  g_array_unref (world->tree.nodes);
  g_array_unref (world->tree.hidden);
}

static void
set_up (World *world, gconstpointer data)
{
  world->directory = beckon_store_fixture_make_folder ();
  world->store = beckon_store_fixture_open (world->directory);
  world->library = beckon_store_fixture_library (world->store, beckon_clock_get_system ());
}

static void
tear_down (World *world, gconstpointer data)
{
  g_clear_object (&world->library);
  while (g_main_context_iteration (NULL, FALSE))
    continue;
  beckon_store_fixture_close (world->store);
  g_clear_object (&world->store);
  beckon_store_fixture_clear (world->directory);
}

/* The active messages follow from the chosen ones. */
static const char wrong_sql[] =
  "WITH RECURSIVE way (id) AS (SELECT id FROM message WHERE parent = '' AND chosen AND deleted_at IS NULL"
  " UNION ALL SELECT m.id FROM way w JOIN message m ON m.parent = w.id AND m.chosen AND m.deleted_at IS NULL)"
  " SELECT count (*) FROM message WHERE active <> (id IN way)";

static void
assert_sql (World *world, const char *sql, const char *expected)
{
  g_autofree char *value = beckon_store_fixture_sql (world->directory, sql);

  g_assert_cmpstr (value, ==, expected);
}

static void
test_histories (World *world, gconstpointer data)
{
  for (guint i = 0; i < N_HISTORIES; i++)
    {
      world->is_watched = i % 4 == 0;
      begin (world);
      for (guint k = 0; k < N_STEPS; k++)
        {
          step (world);
          check (world);
        }
      if (world->is_watched)
        {
          beckon_await (is_as_shown (&world->tree, world->looked_at));
          check_duplicate (world);
          check_export (world);
        }
      end (world);
    }
  g_test_message ("%u histories, %u switches, %u removals", N_HISTORIES, world->n_switches, world->n_removals);
  assert_sql (world, wrong_sql, "0");
  assert_sql (world, "PRAGMA integrity_check", "ok");
}

/* Branches stay as they are while a run goes on or waits: it belongs to the branch that is shown. */
static void
test_not_while_asked (World *world, gconstpointer data)
{
  g_autoptr (BeckonTurn) turn = beckon_turn_new ("Which?");
  const char *id = beckon_conversation_get_id (turn->conversation);
  const char *question = beckon_message_get_id (turn->question);
  g_auto (GStrv) ids = g_strsplit (question, " ", -1);
  g_autoptr (GPtrArray) pending = NULL;

  beckon_store_fixture_commit (world->store, beckon_turn_to_batch (turn));
  for (guint i = 0; i < 5; i++)
    {
      BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
      g_autoptr (GError) error = NULL;

      if (i == 0)
        beckon_batch_leave_message (batch, id, question);
      else if (i == 1)
        beckon_batch_show_version (batch, id, question, 0);
      else if (i == 2)
        beckon_batch_hide_messages (batch, id, ids, 1);
      else if (i == 3)
        beckon_batch_restore_messages (batch, id, ids);
      else
        beckon_batch_show_message (batch, id, question);
      g_assert_cmpint (beckon_store_fixture_try_commit (world->store, batch, &error), ==, i == 4);
      if (i < 4)
        g_assert_error (error, BECKON_ERROR, BECKON_ERROR_CONFLICT);
    }
  pending = beckon_store_fixture_pending (world->store);
  g_assert_cmpuint (pending->len, ==, 1);
}

/* A removed message is erased once it can't be put back: here when the program ends. */
static void
test_erased (World *world, gconstpointer data)
{
  g_autoptr (GPtrArray) hits = NULL;
  gboolean is_complete;
  char *ids[] = { NULL, NULL };
  g_autoptr (GAsyncResult) result = NULL;

  begin (world);
  add (world);
  add (world);
  ids[0] = g_strdup (get (&world->tree, 1)->id);
  beckon_library_remove_messages_async (world->library, world->conversation, (const char *const *) ids, NULL, keep_result,
                                        &result);
  await_change (world, &result, TRUE);
  tree_hide (&world->tree, 1);
  check (world);
  hits = beckon_store_fixture_search (world->store, "message", 10, &is_complete);
  g_assert_cmpuint (hits->len, ==, 2);
  assert_sql (world, "SELECT count (*) FROM message", "3");

  beckon_library_flush (world->library);
  end (world);
  g_clear_object (&world->library);
  beckon_store_fixture_close (world->store);
  g_object_unref (world->store);
  assert_sql (world, "SELECT count (*) FROM message", "2");
  assert_sql (world, "SELECT count (*) FROM part", "2");
  world->store = beckon_store_fixture_open (world->directory);
  g_free (ids[0]);
}

static void
test_temporary (World *world, gconstpointer data)
{
  BeckonConversation *conversation = beckon_library_create_temporary (world->library);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  g_autoptr (BeckonMessage) first = beckon_message_new_text (BECKON_ROLE_USER, 0, "One");
  g_autoptr (BeckonMessage) second = beckon_message_new_text (BECKON_ROLE_USER, 0, "Two");
  g_autoptr (GAsyncResult) result = NULL;

  beckon_batch_put_conversation (batch, conversation);
  beckon_batch_add_message (batch, beckon_conversation_get_id (conversation), first);
  beckon_store_fixture_commit (world->store, batch);
  beckon_conversation_add_message (conversation, first);

  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_batch_leave_message (batch, beckon_conversation_get_id (conversation), beckon_message_get_id (first));
  beckon_batch_add_message (batch, beckon_conversation_get_id (conversation), second);
  beckon_store_fixture_commit (world->store, batch);
  beckon_conversation_leave (conversation, 0);
  beckon_conversation_add_message (conversation, second);
  g_assert_cmpuint (beckon_message_get_version (second), ==, 1);

  beckon_library_show_version_async (world->library, conversation, beckon_message_get_id (second), 0, NULL, keep_result,
                                     &result);
  await_change (world, &result, TRUE);
  g_assert_cmpuint (beckon_conversation_get_n_messages (conversation), ==, 1);
  g_assert_nonnull (beckon_conversation_find_message (conversation, beckon_message_get_id (first)));
  assert_sql (world, "SELECT count (*) FROM message", "0");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add ("/store/branches/histories", World, NULL, set_up, test_histories, tear_down);
  g_test_add ("/store/branches/not-while-asked", World, NULL, set_up, test_not_while_asked, tear_down);
  g_test_add ("/store/branches/erased", World, NULL, set_up, test_erased, tear_down);
  g_test_add ("/store/branches/temporary", World, NULL, set_up, test_temporary, tear_down);

  return g_test_run ();
}
