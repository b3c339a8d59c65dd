/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which ends of runs are news to somebody who is elsewhere. */

#include "beckon-ui-home.h"

#include "request/beckon-question-request.h"
#include "ui/application/beckon-long-runs.h"

#define SECOND_MS 1000

typedef struct
{
  BeckonClock *clock;
  BeckonLongRuns *runs;
  BeckonAgent *agent;
  BeckonConversation *conversation;
  guint n_ended;
} Watch;

static void
on_ended (Watch *watch)
{
  watch->n_ended++;
}

static void
watch_init (Watch *watch, UiHome *home)
{
  watch->clock = beckon_clock_new_manual (UI_NOW);
  watch->runs = beckon_long_runs_new (home->runtime, watch->clock);
  watch->agent = beckon_runtime_get_agent (home->runtime);
  watch->conversation = ui_home_add (home, "Photo site", UI_NOW, 1, "a", "b");
  g_signal_connect_swapped (watch->runs, "ended", G_CALLBACK (on_ended), watch);
}

static void
watch_clear (Watch *watch)
{
  g_clear_object (&watch->runs);
  g_clear_object (&watch->clock);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Watch, watch_clear)

/* How often it was told of a run that takes so long and ends so. */
static guint
run (Watch *watch, guint seconds, BeckonRunPhase end)
{
  watch->n_ended = 0;
  beckon_conversation_set_phase (watch->conversation, BECKON_RUN_REQUESTING, NULL, 0);
  g_signal_emit_by_name (watch->agent, "driven", watch->conversation);
  beckon_clock_advance (watch->clock, seconds * SECOND_MS);
  beckon_conversation_set_phase (watch->conversation, end, NULL, 0);
  g_signal_emit_by_name (watch->agent, "detached", watch->conversation);
  return watch->n_ended;
}

static void
test_length (UiHome *home, gconstpointer data)
{
  g_auto (Watch) watch = { 0 };
  GSettings *settings = beckon_settings_get_gsettings (beckon_runtime_get_settings (home->runtime));

  watch_init (&watch, home);
  g_assert_cmpuint (run (&watch, 14, BECKON_RUN_COMPLETE), ==, 0);
  g_assert_cmpuint (run (&watch, 15, BECKON_RUN_COMPLETE), ==, 1);
  g_settings_set_uint (settings, "notify-after", 60);
  g_assert_cmpuint (run (&watch, 59, BECKON_RUN_COMPLETE), ==, 0);
  g_assert_cmpuint (run (&watch, 60, BECKON_RUN_COMPLETE), ==, 1);
  g_settings_set_uint (settings, "notify-after", 0);
  g_assert_cmpuint (run (&watch, 6000, BECKON_RUN_COMPLETE), ==, 0);
  g_settings_reset (settings, "notify-after");
}

/* The person's own acts are no news, nor is what has its own notification or resumes at the next start. */
static void
test_ends (UiHome *home, gconstpointer data)
{
  g_auto (Watch) watch = { 0 };

  watch_init (&watch, home);
  g_assert_cmpuint (run (&watch, 60, BECKON_RUN_FAILED), ==, 1);
  g_assert_cmpuint (run (&watch, 60, BECKON_RUN_CUT_OFF), ==, 1);
  g_assert_cmpuint (run (&watch, 60, BECKON_RUN_ROUND_LIMIT), ==, 1);
  g_assert_cmpuint (run (&watch, 60, BECKON_RUN_STOPPED), ==, 0);
  g_assert_cmpuint (run (&watch, 60, BECKON_RUN_DISMISSED), ==, 0);
  g_assert_cmpuint (run (&watch, 60, BECKON_RUN_ASKED), ==, 0);
  g_assert_cmpuint (run (&watch, 60, BECKON_RUN_RECEIVING), ==, 0);
}

/* Waiting for the person counts for nothing. */
static void
test_waiting (UiHome *home, gconstpointer data)
{
  g_auto (Watch) watch = { 0 };
  BeckonInbox *inbox = beckon_runtime_get_inbox (home->runtime);
  g_autoptr (BeckonQuestion) question = beckon_question_parse ("{\"question\":\"Which?\"}", NULL);
  g_autoptr (BeckonRequest) request = NULL;

  watch_init (&watch, home);
  request = beckon_question_request_new (NULL, beckon_conversation_get_id (watch.conversation), "message", "call", question,
                                         UI_NOW);
  beckon_inbox_add (inbox, request);
  beckon_conversation_set_phase (watch.conversation, BECKON_RUN_WAITING, NULL, 0);
  g_signal_emit_by_name (watch.agent, "driven", watch.conversation);
  beckon_clock_advance (watch.clock, 3600 * SECOND_MS);
  beckon_inbox_note_settled (inbox, request, BECKON_REQUEST_DELEGATED, NULL, "window", NULL, UI_NOW);
  beckon_clock_advance (watch.clock, 14 * SECOND_MS);
  beckon_conversation_set_phase (watch.conversation, BECKON_RUN_COMPLETE, NULL, 0);
  g_signal_emit_by_name (watch.agent, "detached", watch.conversation);
  g_assert_cmpuint (watch.n_ended, ==, 0);
}

int
main (int argc, char **argv)
{
  if (!ui_test_init (&argc, &argv))
    return 0;

  ui_home_test_add ("/ui/long-runs/length", test_length);
  ui_home_test_add ("/ui/long-runs/ends", test_ends);
  ui_home_test_add ("/ui/long-runs/waiting", test_waiting);
  return g_test_run ();
}
