/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-long-runs.h"

struct _BeckonLongRuns
{
  GObject parent_instance;

  BeckonRuntime *runtime; /* (owned) */
  BeckonClock *clock;     /* (owned) */
  GHashTable *since;      /* (element-type utf8 gint64): conversations with a run, and when the person last did something */
};

G_DEFINE_FINAL_TYPE (BeckonLongRuns, beckon_long_runs, G_TYPE_OBJECT)

enum
{
  SIGNAL_ENDED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
long_runs_note (BeckonLongRuns *self, const char *conversation_id)
{
  gint64 *now = g_new (gint64, 1);

  *now = beckon_clock_get_monotonic_time (self->clock);
  g_hash_table_replace (self->since, g_strdup (conversation_id), now);
}

static void
on_driven (BeckonLongRuns *self, BeckonConversation *conversation)
{
  long_runs_note (self, beckon_conversation_get_id (conversation));
}

/* Waiting for a person is not work. */
static void
long_runs_on_settled (BeckonLongRuns *self, BeckonRequest *request)
{
  if (g_hash_table_contains (self->since, beckon_request_get_conversation_id (request)))
    long_runs_note (self, beckon_request_get_conversation_id (request));
}

/* Stops by the person are known, and a question has its own notification. */
static gboolean
is_news (BeckonConversation *conversation)
{
  BeckonRunPhase phase = beckon_conversation_get_phase (conversation);

  return beckon_run_phase_is_end (phase) && phase != BECKON_RUN_STOPPED && phase != BECKON_RUN_DISMISSED
         && phase != BECKON_RUN_ASKED;
}

static void
on_detached (BeckonLongRuns *self, BeckonConversation *conversation)
{
  const char *id = beckon_conversation_get_id (conversation);
  gint64 least_s = beckon_settings_get_notify_after (beckon_runtime_get_settings (self->runtime));
  gint64 *since = g_hash_table_lookup (self->since, id);
  gint64 took = since != NULL ? beckon_clock_get_monotonic_time (self->clock) - *since : 0;

  g_hash_table_remove (self->since, id);
  if (least_s > 0 && took >= least_s * G_USEC_PER_SEC && is_news (conversation))
    g_signal_emit (self, signals[SIGNAL_ENDED], 0, conversation);
}

BeckonLongRuns *
beckon_long_runs_new (BeckonRuntime *runtime, BeckonClock *clock)
{
  BeckonLongRuns *self = g_object_new (BECKON_TYPE_LONG_RUNS, NULL);
  BeckonAgent *agent = beckon_runtime_get_agent (runtime);

  self->runtime = g_object_ref (runtime);
  self->clock = g_object_ref (clock);
  g_signal_connect_object (agent, "driven", G_CALLBACK (on_driven), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (agent, "detached", G_CALLBACK (on_detached), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (beckon_runtime_get_inbox (runtime), "settled", G_CALLBACK (long_runs_on_settled), self,
                           G_CONNECT_SWAPPED);
  return self;
}

static void
beckon_long_runs_dispose (GObject *object)
{
  BeckonLongRuns *self = BECKON_LONG_RUNS (object);

  g_clear_pointer (&self->since, g_hash_table_unref);
  g_clear_object (&self->clock);
  g_clear_object (&self->runtime);
  G_OBJECT_CLASS (beckon_long_runs_parent_class)->dispose (object);
}

static void
beckon_long_runs_class_init (BeckonLongRunsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_long_runs_dispose;

  signals[SIGNAL_ENDED] = g_signal_new ("ended", BECKON_TYPE_LONG_RUNS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                        1, BECKON_TYPE_CONVERSATION);
}

static void
beckon_long_runs_init (BeckonLongRuns *self)
{
  self->since = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}
