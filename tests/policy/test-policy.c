/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "policy/beckon-policy.h"
#include "request/beckon-approval-details.h"

/* The table of the defaults: which of the effects may run without a question in each mode. */
static gboolean
expect_allowed (const BeckonEffects *effects, BeckonMode mode)
{
  gboolean is_inside = !effects->leaves_folder && !effects->uses_network && !effects->feeds_others && !effects->outlives;

  if (mode == BECKON_MODE_ASK_OUTSIDE)
    return is_inside && (effects->read_only || effects->command == NULL || effects->lands);
  if (mode == BECKON_MODE_ASK_CHANGES)
    return is_inside && (effects->read_only || effects->lands);

  return FALSE;
}

static void
test_every_combination (void)
{
  for (guint bits = 0; bits < 128; bits++)
    for (int mode = BECKON_MODE_ASK_EVERYTHING; mode <= BECKON_MODE_ASK_OUTSIDE; mode++)
      for (guint has_person = 0; has_person < 2; has_person++)
        {
          BeckonEffects effects = { .tool = "tool",
                                    .read_only = (bits & 1) != 0,
                                    .leaves_folder = (bits & 2) != 0,
                                    .uses_network = (bits & 4) != 0,
                                    .feeds_others = (bits & 8) != 0,
                                    .outlives = (bits & 16) != 0,
                                    .lands = (bits & 32) != 0,
                                    .command = (bits & 64) != 0 ? "make" : NULL };
          BeckonDecision decision = beckon_policy_decide (&effects, (BeckonMode) mode, has_person == 1);
          BeckonVerdict expected = has_person == 1 ? BECKON_VERDICT_ASK : BECKON_VERDICT_DENY;

          if (expect_allowed (&effects, (BeckonMode) mode))
            expected = BECKON_VERDICT_ALLOW;
          g_assert_cmpint (decision.verdict, ==, expected);
          g_assert_nonnull (decision.reason);
          g_assert_cmpstr (decision.reason, !=, "");
          g_assert_cmpint (decision.refusal != NULL, ==, expected == BECKON_VERDICT_DENY);
        }
}

static void
test_defaults (void)
{
  static const struct
  {
    BeckonEffects effects;
    BeckonVerdict verdict;
    const char *reason;
    gboolean is_plain; /* what a card shows of the call says it already */
  } cases[] = {
    { { .tool = "get_current_time", .read_only = TRUE }, BECKON_VERDICT_ALLOW, "It only reads, inside the folder." },
    { { .tool = "write_file" }, BECKON_VERDICT_ASK, "It can change something.", TRUE },
    { { .tool = "write_file", .feeds_others = TRUE },
      BECKON_VERDICT_ASK,
      "It writes what other programs run by themselves." },
    { { .tool = "write_file", .feeds_others = TRUE, .runner = "Git runs it" }, BECKON_VERDICT_ASK, "Git runs it" },
    { { .tool = "run_command", .command = "make", .lands = TRUE },
      BECKON_VERDICT_ALLOW,
      "What it changes is shown before it is in the folder." },
    { { .tool = "run_command", .command = "make" },
      BECKON_VERDICT_ASK,
      "It works in the folder itself: what it changes can't be shown first." },
    { { .tool = "run_command", .command = "make", .lands = TRUE, .uses_network = TRUE },
      BECKON_VERDICT_ASK,
      "It uses the network, and could carry data out.", TRUE },
    { { .tool = "remember", .outlives = TRUE }, BECKON_VERDICT_ASK, "Every later conversation reads what it writes." },
    { { .tool = "read_file", .read_only = TRUE, .leaves_folder = TRUE },
      BECKON_VERDICT_ASK,
      "It reaches outside the folder.", TRUE },
    { { .tool = "fetch_url", .read_only = TRUE, .uses_network = TRUE },
      BECKON_VERDICT_ASK,
      "It uses the network, and could carry data out.", TRUE },
    { { .tool = "look", .server = "pictures", .read_only = TRUE },
      BECKON_VERDICT_ASK,
      "It is a tool of a server, which does with it what it likes.", TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      BeckonDecision decision = beckon_policy_decide (&cases[i].effects, BECKON_MODE_ASK_CHANGES, TRUE);

      g_assert_cmpint (decision.verdict, ==, cases[i].verdict);
      g_assert_cmpstr (decision.reason, ==, cases[i].reason);
      g_assert_cmpint (beckon_approval_reason_is_plain (decision.reason), ==, cases[i].is_plain);
    }
}

static void
test_ask_everything (void)
{
  BeckonEffects effects = { .tool = "get_current_time", .read_only = TRUE };
  BeckonDecision decision = beckon_policy_decide (&effects, BECKON_MODE_ASK_EVERYTHING, TRUE);

  g_assert_cmpint (decision.verdict, ==, BECKON_VERDICT_ASK);
  g_assert_cmpstr (decision.reason, ==, "You chose to be asked for everything.");
}

/* Without a person the refusal says how the call could have been allowed. */
static void
test_nobody (void)
{
  BeckonEffects changes = { .tool = "write_file" };
  BeckonEffects reads = { .tool = "get_current_time", .read_only = TRUE };
  BeckonDecision denied = beckon_policy_decide (&changes, BECKON_MODE_ASK_CHANGES, FALSE);
  BeckonDecision allowed = beckon_policy_decide (&reads, BECKON_MODE_ASK_CHANGES, FALSE);

  g_assert_cmpint (denied.verdict, ==, BECKON_VERDICT_DENY);
  g_assert_nonnull (g_strrstr (denied.reason, "where it can be approved"));
  g_assert_nonnull (g_strrstr (denied.refusal, "nothing was changed"));
  g_assert_true (g_str_is_ascii (denied.refusal));
  g_assert_cmpint (allowed.verdict, ==, BECKON_VERDICT_ALLOW);
}

/* A mode that is none of the three is asked for everything. */
static void
test_unknown_mode (void)
{
  BeckonEffects effects = { .tool = "get_current_time", .read_only = TRUE };

  g_assert_cmpint (beckon_policy_decide (&effects, (BeckonMode) 99, TRUE).verdict, ==, BECKON_VERDICT_ASK);
  g_assert_cmpint (beckon_policy_decide (&effects, (BeckonMode) 99, FALSE).verdict, ==, BECKON_VERDICT_DENY);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/policy/every-combination", test_every_combination);
  g_test_add_func ("/policy/defaults", test_defaults);
  g_test_add_func ("/policy/ask-everything", test_ask_everything);
  g_test_add_func ("/policy/nobody", test_nobody);
  g_test_add_func ("/policy/unknown-mode", test_unknown_mode);

  return g_test_run ();
}
