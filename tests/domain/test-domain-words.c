/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Stored words: what is on disks and in documents since the first version keeps its meaning, and no other word has one. */
#include "domain/beckon-change-set.h"
#include "domain/beckon-conversation.h"
#include "domain/beckon-landing.h"
#include "domain/beckon-profile.h"
#include "domain/beckon-rule.h"
#include "domain/beckon-tool-call.h"

#define MAX_WORDS 20

typedef gboolean (*FromString) (const char *word, int *value);
typedef const char *(*ToString) (int value);

#define TO(name, Type)                                                                                                 \
  static const char *name##_to_string (int value)                                                                      \
  {                                                                                                                    \
    return beckon_##name##_to_string ((Type) value);                                                                   \
  }
#define BOTH(name, Type)                                                                                               \
  TO (name, Type)                                                                                                      \
  static gboolean name##_from_string (const char *word, int *value)                                                    \
  {                                                                                                                    \
    Type found = (Type) *value;                                                                                        \
    gboolean is_known = beckon_##name##_from_string (word, &found);                                                    \
                                                                                                                       \
    *value = (int) found;                                                                                              \
    return is_known;                                                                                                   \
  }

BOTH (mode, BeckonMode)
BOTH (effort, BeckonEffort)
BOTH (title_source, BeckonTitleSource)
BOTH (verdict, BeckonVerdict)
BOTH (message_status, BeckonMessageStatus)
BOTH (landing_state, BeckonLandingState)
BOTH (run_phase, BeckonRunPhase)
BOTH (call_state, BeckonCallState)
BOTH (profile_kind, BeckonProfileKind)
TO (step_outcome, BeckonStepOutcome)
TO (step_status, BeckonStepStatus)
TO (plan_pause, BeckonPlanPause)
TO (plan_failure, BeckonPlanFailure)

static gboolean
step_outcome_from_string (const char *word, int *value)
{
  BeckonStepOutcome outcome = beckon_step_outcome_from_string (word);

  if (outcome == BECKON_STEP_OUTCOME_NONE)
    return FALSE;
  *value = (int) outcome;
  return TRUE;
}

static const struct
{
  const char *name;
  ToString to_string;
  FromString from_string;
  int first;
  const char *words[MAX_WORDS];
} tables[] = {
  { "mode", mode_to_string, mode_from_string, 0, { "everything", "changes", "outside" } },
  { "effort", effort_to_string, effort_from_string, 0, { "default", "off", "low", "medium", "high", "max" } },
  { "title-source", title_source_to_string, title_source_from_string, 0, { "message", "model", "person" } },
  { "verdict", verdict_to_string, verdict_from_string, 0, { "allow", "ask", "deny" } },
  { "message-status", message_status_to_string, message_status_from_string, 0, { "complete", "streaming", "cut-off", "stopped", "failed" } },
  { "landing-state", landing_state_to_string, landing_state_from_string, 0, { "waiting", "decided", "landed", "undone" } },
  { "run-phase", run_phase_to_string, run_phase_from_string, 0,
    { "queued", "requesting", "retry-wait", "receiving", "calling", "waiting", "complete", "stopped", "dismissed", "failed",
      "cut-off", "length", "round-limit", "refused", "filtered", "paused", "asked" } },
  { "call-state", call_state_to_string, call_state_from_string, 0, { "proposed", "awaiting", "decided", "started", "done", "unknown", "cancelled" } },
  { "profile-kind", profile_kind_to_string, profile_kind_from_string, 0, { "chat", "tour", "responses", "anthropic", "gemini", "ollama" } },
  { "step-outcome", step_outcome_to_string, step_outcome_from_string, 1, { "skipped", "replaced", "replan" } },
  { "step-status", step_status_to_string, NULL, 0, { "pending", "executing", "completed", "failed", "skipped", "not-saved" } },
  { "plan-pause", plan_pause_to_string, NULL, 0, { "policy", "breakpoints", "every-step" } },
  { "plan-failure", plan_failure_to_string, NULL, 0, { "stop", "go-on", "replan" } },
};

static void
test_words (gconstpointer data)
{
  gsize index = GPOINTER_TO_SIZE (data);
  static const char *const others[] = { "", " ", "Mode", "unknown-word", "0", "none" };
  FromString from_string = tables[index].from_string;
  int value = -7;

  for (int i = 0; tables[index].words[i] != NULL; i++)
    {
      const char *word = tables[index].words[i];

      g_assert_cmpstr (tables[index].to_string (tables[index].first + i), ==, word);
      if (from_string == NULL)
        continue;
      g_assert_true (from_string (word, &value));
      g_assert_cmpint (value, ==, tables[index].first + i);
    }
  if (from_string == NULL)
    return;

  /* Another word leaves the value alone, and so does one that is written in another way. */
  value = -7;
  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    g_assert_false (from_string (others[i], &value));
  g_assert_false (from_string (NULL, &value));
  for (int i = 0; tables[index].words[i] != NULL; i++)
    {
      g_autofree char *large = g_ascii_strup (tables[index].words[i], -1);
      g_autofree char *more = g_strconcat (tables[index].words[i], " ", NULL);

      g_assert_false (from_string (large, &value));
      g_assert_false (from_string (more, &value));
    }
  g_assert_cmpint (value, ==, -7);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      g_autofree char *path = g_strconcat ("/domain/words/", tables[i].name, NULL);

      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_words);
    }
  return g_test_run ();
}
