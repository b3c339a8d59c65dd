/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/beckon-turn-limits.h"

#include <string.h>

/* The limits at which a run pauses, without a run. */

static void
spend (BeckonConversation *conversation, gint64 cost, const char *currency)
{
  g_autoptr (BeckonMessage) message = beckon_message_new (NULL, BECKON_ROLE_ASSISTANT, 1);
  BeckonUsage usage = BECKON_USAGE_INIT;

  usage.cost = cost;
  usage.currency = currency;
  beckon_message_set_usage (message, &usage);
  beckon_conversation_add_message (conversation, message);
}

static void
assert_reached (BeckonSpendingLimit *limit, const char *amount)
{
  g_autofree char *reason = beckon_spending_limit_dup_reached (limit);

  g_assert_nonnull (reason);
  g_assert_nonnull (strstr (reason, amount));
}

static void
assert_not_reached (BeckonSpendingLimit *limit)
{
  g_autofree char *reason = beckon_spending_limit_dup_reached (limit);

  g_assert_null (reason);
}

static void
test_spending (void)
{
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new ("one", 1);
  g_autoptr (BeckonSpendingLimit) limit = beckon_spending_limit_new (conversation, 0.5);

  assert_not_reached (limit);
  spend (conversation, 499999, "USD");
  assert_not_reached (limit);
  spend (conversation, 1, "USD");
  assert_reached (limit, "0.50 USD");
}

/* Earlier spending counts up to the next multiple. */
static void
test_spending_resumed (void)
{
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new ("one", 1);
  g_autoptr (BeckonSpendingLimit) limit = NULL;

  spend (conversation, 1200000, "USD");
  limit = beckon_spending_limit_new (conversation, 1);
  assert_not_reached (limit);
  spend (conversation, 799999, "USD");
  assert_not_reached (limit);
  spend (conversation, 1, "USD");
  assert_reached (limit, "2.00 USD");
}

static void
test_spending_by_currency (void)
{
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new ("one", 1);
  g_autoptr (BeckonSpendingLimit) limit = beckon_spending_limit_new (conversation, 1);

  spend (conversation, 900000, "USD");
  spend (conversation, 900000, "CNY");
  assert_not_reached (limit);
  spend (conversation, 100000, "CNY");
  assert_reached (limit, "1.00 CNY");
}

static void
test_no_spending_limit (void)
{
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new ("one", 1);
  g_autoptr (BeckonSpendingLimit) limit = beckon_spending_limit_new (conversation, 0);

  spend (conversation, G_GINT64_CONSTANT (1000000000000), "USD");
  assert_not_reached (limit);
}

/* A reply with one call. @fault: (nullable): it is not whole */
static BeckonReply *
make_reply (const char *fault, BeckonLlmEnd end)
{
  BeckonReply *reply = beckon_reply_new ();
  const BeckonLlmEvent call = {
    .type = fault != NULL ? BECKON_LLM_EVENT_BAD_CALL : BECKON_LLM_EVENT_CALL,
    .id = "call",
    .name = "write_file",
    .arguments = "{}",
    .text = fault,
    .length = fault != NULL ? strlen (fault) : 0,
  };
  const BeckonLlmEvent last = { .type = BECKON_LLM_EVENT_END, .end = end };

  beckon_reply_feed (reply, &call);
  beckon_reply_feed (reply, &last);
  return reply;
}

/* Whether the run is to pause after such a reply. */
static gboolean
pauses_after (BeckonLengthGuard *guard, const char *fault, BeckonLlmEnd end)
{
  g_autoptr (BeckonReply) reply = make_reply (fault, end);
  g_autofree char *reason = NULL;

  beckon_length_guard_note (guard, reply, 4096);
  reason = beckon_length_guard_take_reason (guard);
  return reason != NULL;
}

static void
test_length_fault (void)
{
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new ("one", 1);
  g_autoptr (BeckonLengthGuard) guard = beckon_length_guard_new (conversation, TRUE);
  g_autoptr (BeckonReply) cut = make_reply ("not whole", BECKON_LLM_END_LENGTH);
  g_autoptr (BeckonReply) odd = make_reply ("not whole", BECKON_LLM_END_TOOL_CALLS);
  BeckonToolCall *call = g_ptr_array_index (beckon_reply_get_calls (cut), 0);

  beckon_length_guard_note (guard, cut, 4096);
  g_assert_nonnull (strstr (beckon_tool_call_get_fault (call), "4096 tokens"));
  /* A reply that ended by itself keeps its end. */
  beckon_length_guard_note (guard, odd, 4096);
  call = g_ptr_array_index (beckon_reply_get_calls (odd), 0);
  g_assert_cmpstr (beckon_tool_call_get_fault (call), ==, "not whole");
}

static void
test_length_in_a_row (void)
{
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new ("one", 1);
  g_autoptr (BeckonLengthGuard) guard = beckon_length_guard_new (conversation, TRUE);

  g_assert_false (pauses_after (guard, "not whole", BECKON_LLM_END_LENGTH));
  g_assert_true (pauses_after (guard, "not whole", BECKON_LLM_END_LENGTH));
  /* The guard counts anew. */
  g_assert_false (pauses_after (guard, "not whole", BECKON_LLM_END_LENGTH));
}

static void
test_length_of_turn (void)
{
  g_autoptr (BeckonConversation) conversation = beckon_conversation_new ("one", 1);
  g_autoptr (BeckonLengthGuard) guard = beckon_length_guard_new (conversation, TRUE);

  for (guint i = 0; i < 2; i++)
    {
      g_assert_false (pauses_after (guard, "not whole", BECKON_LLM_END_LENGTH));
      g_assert_false (pauses_after (guard, NULL, BECKON_LLM_END_TOOL_CALLS));
    }
  g_assert_true (pauses_after (guard, "not whole", BECKON_LLM_END_LENGTH));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent/limits/spending", test_spending);
  g_test_add_func ("/agent/limits/spending-resumed", test_spending_resumed);
  g_test_add_func ("/agent/limits/spending-by-currency", test_spending_by_currency);
  g_test_add_func ("/agent/limits/no-spending-limit", test_no_spending_limit);
  g_test_add_func ("/agent/limits/length-fault", test_length_fault);
  g_test_add_func ("/agent/limits/length-in-a-row", test_length_in_a_row);
  g_test_add_func ("/agent/limits/length-of-turn", test_length_of_turn);
  return g_test_run ();
}
