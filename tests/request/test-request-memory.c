/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "request/beckon-question-key.h"

/* Which questions count as the same, and what is remembered of an answer. */

static char *
make_key (const char *arguments)
{
  g_autoptr (BeckonQuestion) question = beckon_question_parse (arguments, NULL);

  g_assert_nonnull (question);
  return beckon_question_key_new (beckon_question_get_item (question, 0));
}

#define PORT "{\"question\":\"Which port should I use?\",\"choices\":[\"8080\",\"9090\"]}"
#define DELETE "{\"question\":\"Delete the 3 old files?\",\"choices\":[\"Yes\",\"No\"]}"
#define CHINESE "{\"question\":\"请问使用哪个端口？\",\"choices\":[\"8080\",\"9090\"]}"

static const char *const same[][2] = {
  { PORT, PORT },
  { PORT, "{\"question\":\"which Port should I use\",\"choices\":[\"9090\",\"8080\"]}" },
  { PORT, "{\"questions\":[{\"question\":\"Please: which port should we use?!\",\"options\":[{\"label\":\"9090\","
          "\"description\":\"The other one.\",\"recommended\":true},\"8080\"]}]}" },
  { DELETE, "{\"question\":\"Should I delete the 3 old files?\",\"choices\":[\"no\",\"YES\"]}" },
  { CHINESE, "{\"question\":\"请问，使用哪个端口\",\"choices\":[\"8080\",\"9090\"]}" },
};

static const char *const different[][2] = {
  { PORT, "{\"question\":\"Which port should I use?\",\"choices\":[\"8080\",\"9091\"]}" },
  { PORT, "{\"question\":\"Which port should I use?\",\"choices\":[\"8080\",\"9090\",\"7070\"]}" },
  { PORT, "{\"question\":\"Which port should I use?\"}" },
  { PORT, "{\"questions\":[{\"question\":\"Which port should I use?\",\"options\":[\"8080\",\"9090\"],\"multiple\":true}]}" },
  { PORT, "{\"question\":\"Which second port should I use?\",\"choices\":[\"8080\",\"9090\"]}" },
  { DELETE, "{\"question\":\"Do not delete the 3 old files?\",\"choices\":[\"Yes\",\"No\"]}" },
  { DELETE, "{\"question\":\"Delete the 30 old files?\",\"choices\":[\"Yes\",\"No\"]}" },
  { "{\"question\":\"Use my key?\",\"choices\":[\"Yes\",\"No\"]}", "{\"question\":\"Use your key?\",\"choices\":[\"Yes\",\"No\"]}" },
  { DELETE, "{\"question\":\"Delete the 3 new files?\",\"choices\":[\"Yes\",\"No\"]}" },
  { "{\"question\":\"Move a.txt over b.txt?\",\"choices\":[\"Yes\",\"No\"]}",
    "{\"question\":\"Move b.txt over a.txt?\",\"choices\":[\"Yes\",\"No\"]}" },
  { "{\"question\":\"Which sign?\",\"choices\":[\"!\",\"?\"]}", "{\"question\":\"Which sign?\",\"choices\":[\"!\",\".\"]}" },
  { CHINESE, "{\"question\":\"请问使用哪个主机？\",\"choices\":[\"8080\",\"9090\"]}" },
};

static void
test_keys (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (same); i++)
    {
      g_autofree char *one = make_key (same[i][0]);
      g_autofree char *other = make_key (same[i][1]);

      g_test_message ("%s", same[i][1]);
      g_assert_cmpstr (one, ==, other);
    }
  for (guint i = 0; i < G_N_ELEMENTS (different); i++)
    {
      g_autofree char *one = make_key (different[i][0]);
      g_autofree char *other = make_key (different[i][1]);

      g_test_message ("%s", different[i][1]);
      g_assert_nonnull (one);
      g_assert_nonnull (other);
      g_assert_cmpstr (one, !=, other);
    }
}

static void
test_no_keys (void)
{
  g_assert_null (make_key ("{\"questions\":[{\"question\":\"Your password?\",\"secret\":true}]}"));
  g_assert_null (make_key ("{\"question\":\"???\"}"));
}

static void
test_remember (void)
{
  g_autoptr (BeckonQuestion) question = beckon_question_parse (PORT, NULL);
  const BeckonQuestionItem *item = beckon_question_get_item (question, 0);
  g_autoptr (BeckonAnswer) answer = beckon_answer_new_question (1);
  g_autoptr (BeckonLastAnswer) last = NULL;
  g_autoptr (BeckonLastAnswer) again = NULL;
  g_autofree char *json = NULL;
  g_autofree char *words = NULL;

  g_assert_null (beckon_question_key_remember (item, g_ptr_array_index (answer->items, 0), 7));
  beckon_answer_select (answer, 0, "9090");
  beckon_answer_set_item_text (answer, 0, "only here");
  last = beckon_question_key_remember (item, g_ptr_array_index (answer->items, 0), 7);
  json = beckon_last_answer_to_json (last);
  g_assert_cmpstr (json, ==, "{\"selected\":[\"9090\"],\"text\":\"only here\",\"at\":7}");
  again = beckon_last_answer_from_json (json);
  words = beckon_last_answer_describe (again);
  g_assert_cmpstr (words, ==, "9090, only here");
  g_assert_null (beckon_last_answer_from_json ("{\"selected\":[],\"at\":7}"));
  g_assert_null (beckon_last_answer_from_json ("nonsense"));
  beckon_answer_skip (answer, 0);
  g_assert_null (beckon_question_key_remember (item, g_ptr_array_index (answer->items, 0), 7));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/request/memory/keys", test_keys);
  g_test_add_func ("/request/memory/no-keys", test_no_keys);
  g_test_add_func ("/request/memory/remember", test_remember);
  return g_test_run ();
}
