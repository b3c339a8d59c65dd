/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Words that are found and words that are not, and queries that can't break the search. */

#include "beckon-store-fixture.h"

#include "base/beckon-error.h"
#include "base/beckon-id.h"
#include "store/index/beckon-search-text.h"

#include <string.h>

/* More than one search indexes by itself. */
#define N_MANY 2500

typedef struct
{
  char *directory;
  BeckonStore *store;
  BeckonConversation *conversation;
  gint64 n_messages;
} Fixture;

static BeckonConversation *
add_conversation (Fixture *fixture, const char *title)
{
  g_autofree char *id = beckon_id_new ();
  BeckonConversation *conversation = beckon_conversation_new (id, 1000);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  beckon_conversation_set_title (conversation, title);
  beckon_batch_put_conversation (batch, conversation);
  beckon_store_fixture_commit (fixture->store, batch);

  return conversation;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->directory = beckon_store_fixture_make_folder ();
  fixture->store = beckon_store_fixture_open (fixture->directory);
  fixture->conversation = add_conversation (fixture, "Notes");
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_object_unref (fixture->conversation);
  g_object_unref (fixture->store);
  beckon_store_fixture_clear (fixture->directory);
}

static char *
say (Fixture *fixture, const char *text)
{
  g_autoptr (BeckonMessage) message = beckon_message_new_text (BECKON_ROLE_USER, fixture->n_messages++, text);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  beckon_batch_add_message (batch, beckon_conversation_get_id (fixture->conversation), message);
  beckon_store_fixture_commit (fixture->store, batch);

  return g_strdup (beckon_message_get_id (message));
}

static guint
count (Fixture *fixture, const char *words)
{
  g_autoptr (GPtrArray) hits = beckon_store_fixture_search (fixture->store, words, 50, NULL);

  return hits->len;
}

#define assert_count(fixture, words, n)                                                                                \
  G_STMT_START                                                                                                         \
  {                                                                                                                    \
    guint assert_count_n = count (fixture, words);                                                                     \
    if (assert_count_n != (n))                                                                                         \
      g_error ("“%s” was found %u times", words, assert_count_n);                                                      \
  }                                                                                                                    \
  G_STMT_END

static void
test_words (Fixture *fixture, gconstpointer data)
{
  g_autofree char *first = say (fixture, "The Café serves crêpes, and re-opens on Monday.");
  g_autofree char *second = say (fixture, "crepes need flour");

  assert_count (fixture, "cafe", 1);
  assert_count (fixture, "CREPES", 2);
  assert_count (fixture, "crepes flour", 1);
  assert_count (fixture, "flour crepes", 1);
  assert_count (fixture, "\"flour crepes\"", 0);
  assert_count (fixture, "\"need flour\"", 1);
  assert_count (fixture, "flo", 1);
  assert_count (fixture, "f", 0);
  assert_count (fixture, "fl", 1);
  assert_count (fixture, "flo need", 0);
  assert_count (fixture, "re-open", 1);
  assert_count (fixture, "lour", 0);
  assert_count (fixture, "notes", 1);
}

/* A reply that is made anew is found in place of what it replaces, whatever number its text gets. */
static void
test_made_anew (Fixture *fixture, gconstpointer data)
{
  static const char *const texts[] = { "partial thought", "finished sentence" };
  const char *id = beckon_conversation_get_id (fixture->conversation);
  g_autoptr (BeckonConversation) other = add_conversation (fixture, "Other");
  BeckonBatch *erase = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  g_autofree char *dropped = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (BeckonMessage) message = beckon_message_new_text (BECKON_ROLE_ASSISTANT, fixture->n_messages, texts[i]);
      BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

      beckon_message_set_status (message, BECKON_MESSAGE_STREAMING);
      if (dropped != NULL)
        beckon_batch_drop_reply (batch, id, dropped);
      beckon_batch_add_message (batch, id, message);
      if (dropped != NULL)
        {
          beckon_message_set_status (message, BECKON_MESSAGE_COMPLETE);
          beckon_batch_set_message (batch, message);
        }
      beckon_store_fixture_commit (fixture->store, batch);
      if (dropped == NULL)
        dropped = g_strdup (beckon_message_get_id (message));
    }
  assert_count (fixture, "partial", 0);
  assert_count (fixture, "finished", 1);
  /* Another deletion does not take it out. */
  beckon_batch_delete_conversation (erase, beckon_conversation_get_id (other));
  beckon_store_fixture_commit (fixture->store, erase);
  assert_count (fixture, "finished", 1);
}

static void
test_east_asian (Fixture *fixture, gconstpointer data)
{
  g_autofree char *chinese = say (fixture, "我们今天把服务部署到生产环境，用Docker部署。");
  g_autofree char *japanese = say (fixture, "サーバーを設定してください。ひらがな");
  g_autofree char *korean = say (fixture, "오늘 서버를 배포합니다");
  g_autofree char *rare = say (fixture, "𠮷野家");
  g_autofree char *decomposed = say (fixture, "か\xe3\x82\x99くせい");
  g_autoptr (BeckonConversation) titled = add_conversation (fixture, "讨论部署的计划");

  assert_count (fixture, "部署", 2);
  assert_count (fixture, "部", 2);
  assert_count (fixture, "署部", 0);
  assert_count (fixture, "部署 服务", 1);
  assert_count (fixture, "用Dock", 1);
  assert_count (fixture, "docker部署", 1);
  assert_count (fixture, "部署　生产", 1);
  assert_count (fixture, "サーバー", 1);
  assert_count (fixture, "ーバ", 1);
  assert_count (fixture, "らが", 1);
  assert_count (fixture, "포합", 1);
  assert_count (fixture, "𠮷野", 1);
  assert_count (fixture, "がく", 1);
}

/* A person may type anything. That includes what the index would take for an operator. */
static void
test_one_letter (Fixture *fixture, gconstpointer data)
{
  static const char *const alone[] = { "a", "É", "e\314\201", "я", "7" };
  static const char *const others[] = { "", "ab", "猫", "가", "あ", "*", "?", "\xff" };

  for (guint i = 0; i < G_N_ELEMENTS (alone); i++)
    g_assert_true (beckon_search_text_is_one_letter (alone[i]));
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    g_assert_false (beckon_search_text_is_one_letter (others[i]));
}

static void
test_hostile_words (Fixture *fixture, gconstpointer data)
{
  static const char *const nasty[] = {
    "",      "   ",   "\"",          "\"\"",      "\"\"\"", "*",       "a*",          "(",        ")",     "NEAR(",
    "AND",   "OR",    "NOT",         "a AND",     "text:",  "text:a",  "{text}:a",    "^a",       "-a",    "a + b",
    "!!!",   "a !!!", "'; DROP",     "\xff\xfe",  "\x01",   ("a\x02" "b"), "%s%n",       "\\",       "a\" OR \"b",
    "\xe2\x80\x8b", "。", "部\"署", "\" \" \"", "NEAR(a b, 5)", "rank", "search_text", "🙂",      "a:b:c",
  };
  static const char alphabet[] = "ab \"*()^:-+{}',.\xe9\x83\xa8\xff";
  g_autofree char *id = say (fixture, "a b ab NEAR AND text rank 部署");
  g_autofree char *long_one = g_strnfill (100000, 'a');

  for (guint i = 0; i < G_N_ELEMENTS (nasty); i++)
    count (fixture, nasty[i]);
  for (guint i = 0; i < 500; i++)
    {
      char words[24];

      for (guint j = 0; j < sizeof words - 1; j++)
        words[j] = alphabet[g_test_rand_int_range (0, sizeof alphabet - 1)];
      words[sizeof words - 1] = '\0';
      count (fixture, words);
    }
  count (fixture, long_one);

  assert_count (fixture, "AND", 1);
  assert_count (fixture, "near", 1);
  assert_count (fixture, "zebra OR b", 0);
  assert_count (fixture, "", 0);
  assert_count (fixture, "!!!", 0);
  assert_count (fixture, "a !!!", 1);
}

static void
test_when_it_ends (Fixture *fixture, gconstpointer data)
{
  const char *conversation_id = beckon_conversation_get_id (fixture->conversation);
  g_autoptr (BeckonMessage) message = beckon_message_new_text (BECKON_ROLE_ASSISTANT, 0, "It begins ");
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  beckon_message_set_status (message, BECKON_MESSAGE_STREAMING);
  beckon_batch_add_message (batch, conversation_id, message);
  beckon_batch_append_text (batch, beckon_message_get_id (message), 0, "and con", 7);
  beckon_store_fixture_commit (fixture->store, batch);
  assert_count (fixture, "begins", 0);

  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_batch_append_text (batch, beckon_message_get_id (message), 0, "tinues", 6);
  beckon_message_set_status (message, BECKON_MESSAGE_COMPLETE);
  beckon_batch_set_message (batch, message);
  beckon_store_fixture_commit (fixture->store, batch);
  assert_count (fixture, "begins continues", 1);
  assert_count (fixture, "tinues", 0);
}

static void
test_only_text (Fixture *fixture, gconstpointer data)
{
  g_autoptr (BeckonMessage) message = beckon_message_new_text (BECKON_ROLE_ASSISTANT, 0, "spoken");
  g_autoptr (BeckonPart) thought = beckon_part_new (BECKON_PART_REASONING, "pondered");
  g_autoptr (BeckonPart) again = beckon_part_new (BECKON_PART_TEXT, "spoken twice");
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  beckon_message_add_part (message, thought);
  beckon_message_add_part (message, again);
  beckon_batch_add_message (batch, beckon_conversation_get_id (fixture->conversation), message);
  beckon_store_fixture_commit (fixture->store, batch);

  assert_count (fixture, "pondered", 0);
  assert_count (fixture, "spoken", 1);
  assert_count (fixture, "twice", 1);
}

static void
test_titles_change (Fixture *fixture, gconstpointer data)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  assert_count (fixture, "notes", 1);
  beckon_batch_set_title (batch, beckon_conversation_get_id (fixture->conversation), "Recipes");
  beckon_store_fixture_commit (fixture->store, batch);
  assert_count (fixture, "notes", 0);
  assert_count (fixture, "recipes", 1);
}

static void
assert_sql (Fixture *fixture, const char *sql, const char *expected)
{
  g_autofree char *value = beckon_store_fixture_sql (fixture->directory, sql);

  g_assert_cmpstr (value, ==, expected);
}

/* Indexed or still to be. */
static void
test_deleted_is_gone (Fixture *fixture, gconstpointer data)
{
  g_autofree char *early = say (fixture, "vanishing one");
  g_autofree char *late = NULL;
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);

  assert_count (fixture, "vanishing", 1);
  late = say (fixture, "vanishing two");
  beckon_batch_delete_conversation (batch, beckon_conversation_get_id (fixture->conversation));
  beckon_store_fixture_commit (fixture->store, batch);

  assert_count (fixture, "vanishing", 0);
  assert_count (fixture, "notes", 0);
  assert_sql (fixture,
              "SELECT (SELECT count (*) FROM search_text) + (SELECT count (*) FROM search_title)"
              " + (SELECT count (*) FROM unindexed_text) + (SELECT count (*) FROM unindexed_title)"
              " + (SELECT count (*) FROM title)",
              "0");
  assert_sql (fixture, "INSERT INTO search_text (search_text) VALUES ('integrity-check')", NULL);
  assert_sql (fixture, "INSERT INTO search_title (search_title) VALUES ('integrity-check')", NULL);
}

static void
test_hits_say_where (Fixture *fixture, gconstpointer data)
{
  g_autofree char *id = say (fixture, "第一行\n第二行：请把\t部署\t计划写好，\x01 再部署。");
  g_autoptr (GPtrArray) hits = beckon_store_fixture_search (fixture->store, "部署", 10, NULL);
  BeckonSearchHit *hit;

  g_assert_cmpuint (hits->len, ==, 1);
  hit = g_ptr_array_index (hits, 0);
  g_assert_cmpstr (hit->conversation_id, ==, beckon_conversation_get_id (fixture->conversation));
  g_assert_cmpstr (hit->title, ==, "Notes");
  g_assert_cmpstr (hit->message_id, ==, id);
  g_assert_cmpint (hit->at, ==, 1000);
  g_assert_cmpstr (hit->snippet, ==, "第一行 第二行：请把 部署 计划写好，\xe2\x90\x81 再部署。");
  g_assert_cmpuint (hit->matches->len, ==, 2);
  for (guint i = 0; i < hit->matches->len; i++)
    {
      const BeckonSearchMatch *match = &g_array_index (hit->matches, BeckonSearchMatch, i);

      g_assert_cmpmem (hit->snippet + match->start, match->length, "部署", strlen ("部署"));
    }
}

/* A letter that stands for two is found by both, and the other way round. */
static void
test_spellings (Fixture *fixture, gconstpointer data)
{
  g_free (say (fixture, "Viele Grüße aus der Strasse, Ærø und Œuvre"));

  g_assert_cmpuint (count (fixture, "grusse"), ==, 1);
  g_assert_cmpuint (count (fixture, "GRÜSSE"), ==, 1);
  g_assert_cmpuint (count (fixture, "Grüße"), ==, 1);
  g_assert_cmpuint (count (fixture, "gruß"), ==, 1);
  g_assert_cmpuint (count (fixture, "Straße"), ==, 1);
  g_assert_cmpuint (count (fixture, "aer"), ==, 1);
  g_assert_cmpuint (count (fixture, "oeuvre viele"), ==, 1);
  g_assert_cmpuint (count (fixture, "\"viele grusse\" !!!"), ==, 1);
  g_assert_cmpuint (count (fixture, "grusse aber"), ==, 0);
  g_assert_cmpuint (count (fixture, "grus"), ==, 0);
}

/* 16,000 times the same word in one message: the library's own way to cut a snippet out of it takes seconds. */
static void
test_many_matches (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GPtrArray) hits = NULL;
  gint64 begin;

  for (guint i = 0; i < 16000; i++)
    g_string_append_printf (text, "needle and then %u more of the same kind of straw, ", i);
  g_free (say (fixture, text->str));
  g_ptr_array_unref (beckon_store_fixture_search (fixture->store, "straw", 10, NULL));
  begin = g_get_monotonic_time ();
  hits = beckon_store_fixture_search (fixture->store, "needle straw", 10, NULL);
  g_test_message ("found after %" G_GINT64_FORMAT " ms", (g_get_monotonic_time () - begin) / 1000);
  g_assert_cmpuint (hits->len, ==, 1);
  g_assert_cmpuint (((BeckonSearchHit *) g_ptr_array_index (hits, 0))->matches->len, >=, 2);
}

/* The index is made anew from what it is of, and nothing else is thought to be damaged. */
static void
test_damaged_index (Fixture *fixture, gconstpointer damage)
{
  g_free (say (fixture, "What is found again"));
  g_assert_cmpuint (count (fixture, "found"), ==, 1);
  assert_sql (fixture, damage, NULL);
  assert_sql (fixture, "INSERT OR IGNORE INTO unindexed_text SELECT id FROM part", NULL);
  g_assert_cmpuint (count (fixture, "found"), ==, 1);
  g_assert_cmpint (beckon_health_get_fault (beckon_store_get_health (fixture->store)), ==, BECKON_FAULT_NONE);
  g_free (say (fixture, "What came later"));
  g_assert_cmpuint (count (fixture, "later"), ==, 1);
}

static void
test_long_text_is_cut (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *id = NULL;
  g_autoptr (GPtrArray) hits = NULL;
  BeckonSearchHit *hit;

  for (guint i = 0; i < 20000; i++)
    g_string_append_printf (text, "word%u ", i);
  id = say (fixture, text->str);
  hits = beckon_store_fixture_search (fixture->store, "word15000 word15001", 10, NULL);
  g_assert_cmpuint (hits->len, ==, 1);
  hit = g_ptr_array_index (hits, 0);
  g_assert_nonnull (strstr (hit->snippet, "word15000 word15001"));
  g_assert_cmpuint (strlen (hit->snippet), <, 600);
}

/* Titles first but not alone; the better match before the newer; no more than asked for. */
static void
test_order_and_limit (Fixture *fixture, gconstpointer data)
{
  g_autofree char *best = say (fixture, "port");
  g_autoptr (GPtrArray) hits = NULL;
  g_autoptr (BeckonConversation) titled = add_conversation (fixture, "Which port?");

  for (guint i = 0; i < 20; i++)
    g_free (say (fixture, "one port among a great many other words that weigh less"));
  hits = beckon_store_fixture_search (fixture->store, "port", 5, NULL);
  g_assert_cmpuint (hits->len, ==, 5);
  g_assert_null (((BeckonSearchHit *) g_ptr_array_index (hits, 0))->message_id);
  g_assert_cmpstr (((BeckonSearchHit *) g_ptr_array_index (hits, 1))->message_id, ==, best);
}

static void
test_behind (Fixture *fixture, gconstpointer data)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  gboolean is_complete = TRUE;
  guint n_searches = 0;

  for (guint i = 0; i < N_MANY; i++)
    {
      g_autofree char *text = g_strdup_printf ("message number%u", i);
      g_autoptr (BeckonMessage) message = beckon_message_new_text (BECKON_ROLE_USER, i, text);

      beckon_batch_add_message (batch, beckon_conversation_get_id (fixture->conversation), message);
    }
  beckon_store_fixture_commit (fixture->store, batch);

  for (is_complete = FALSE; !is_complete; n_searches++)
    {
      g_autoptr (GPtrArray) hits = beckon_store_fixture_search (fixture->store, "number2499", 10, &is_complete);

      g_assert_cmpuint (hits->len, ==, 1);
    }
  g_assert_cmpuint (n_searches, >, 1);
  assert_count (fixture, "number0", 1);
}

/* Without a search, once nobody asks for anything. */
static void
test_upkeep (Fixture *fixture, gconstpointer data)
{
  g_autofree char *id = say (fixture, "patience");
  g_autofree char *waiting = NULL;

  do
    {
      g_free (waiting);
      beckon_store_fixture_iterate ();
      waiting = beckon_store_fixture_sql (fixture->directory, "SELECT count (*) FROM unindexed_text");
    }
  while (!g_str_equal (waiting, "0"));
  assert_sql (fixture, "SELECT count (*) FROM search_text WHERE search_text MATCH 'patience'", "1");
}

static void
keep_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static void
test_cancelled (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  beckon_store_search_async (fixture->store, "notes", 10, cancellable, keep_result, &result);
  g_cancellable_cancel (cancellable);
  beckon_await (result != NULL);
  g_assert_null (beckon_store_search_finish (fixture->store, result, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_closed (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  beckon_store_fixture_close (fixture->store);
  beckon_store_search_async (fixture->store, "notes", 10, NULL, keep_result, &result);
  beckon_await (result != NULL);
  g_assert_null (beckon_store_search_finish (fixture->store, result, NULL, &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE);
}

#define ADD(name, function) g_test_add ("/store/search/" name, Fixture, NULL, set_up, function, tear_down)
#define ADD_WITH(name, data, function) g_test_add ("/store/search/" name, Fixture, data, set_up, function, tear_down)

/* They wait for seconds of a clock, and are with -m slow in the suite `long`. */
static void
add_slow_cases (void)
{
  ADD ("upkeep", test_upkeep);
}

static void
add_cases (void)
{
  ADD ("words", test_words);
  ADD ("made-anew", test_made_anew);
  ADD ("east-asian", test_east_asian);
  ADD ("one-letter", test_one_letter);
  ADD ("hostile-words", test_hostile_words);
  ADD ("when-it-ends", test_when_it_ends);
  ADD ("only-text", test_only_text);
  ADD ("titles-change", test_titles_change);
  ADD ("deleted-is-gone", test_deleted_is_gone);
  ADD ("hits-say-where", test_hits_say_where);
  ADD ("spellings", test_spellings);
  ADD ("many-matches", test_many_matches);
  ADD_WITH ("damaged-index/zeros", "UPDATE search_text_data SET block = zeroblob (length (block))", test_damaged_index);
  ADD_WITH ("damaged-index/structure", "UPDATE search_text_data SET block = X'0102030405' WHERE id = 10", test_damaged_index);
  ADD_WITH ("damaged-index/emptied", "DELETE FROM search_text_data", test_damaged_index);
  ADD_WITH ("damaged-index/titles", "DELETE FROM search_title_data", test_damaged_index);
  ADD ("long-text-is-cut", test_long_text_is_cut);
  ADD ("order-and-limit", test_order_and_limit);
  ADD ("behind", test_behind);
  ADD ("cancelled", test_cancelled);
  ADD ("closed", test_closed);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  if (g_test_slow ())
    add_slow_cases ();
  else
    add_cases ();
  return g_test_run ();
}
