/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-deadlines.h"
#include "beckon-question-request.h"

struct _BeckonDeadlines
{
  BeckonInbox *inbox;
  BeckonRequestStore *journal;
  BeckonClock *clock;
  guint minutes;
  GHashTable *running; /* (element-type utf8 Deadline): by the request's id */
  gulong changed_handler;
  gulong settled_handler;
};

typedef struct
{
  BeckonDeadlines *deadlines;
  BeckonRequest *request;
  guint timeout;
} Deadline;

/* The expiry of a time-out outlives the deadline. */
typedef struct
{
  BeckonInbox *inbox;
  char *request_id;
} Expiry;

static void deadlines_on_draft_changed (BeckonRequest *request, GParamSpec *pspec, gpointer user_data);

static void
deadline_free (Deadline *deadline)
{
  beckon_clock_remove (deadline->deadlines->clock, deadline->timeout);
  beckon_request_set_due_at (deadline->request, 0);
  g_signal_handlers_disconnect_by_func (deadline->request, deadlines_on_draft_changed, deadline->deadlines);
  g_object_unref (deadline->request);
  g_free (deadline);
}

static void
expiry_free (Expiry *expiry)
{
  g_object_unref (expiry->inbox);
  g_free (expiry->request_id);
  g_free (expiry);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Expiry, expiry_free)

static gboolean
is_begun (BeckonRequest *request)
{
  const char *draft = beckon_request_get_draft (request);

  return draft != NULL && *draft != '\0';
}

static void
deadlines_on_draft_changed (BeckonRequest *request, GParamSpec *pspec, gpointer user_data)
{
  BeckonDeadlines *deadlines = user_data;

  if (is_begun (request))
    g_hash_table_remove (deadlines->running, beckon_request_get_id (request));
}

static void
deadlines_on_settled (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  /* The person was faster, or only a person can end it. */
  if (!beckon_inbox_settle_finish (BECKON_INBOX (source), result, &error))
    g_info ("A request did not time out: %s", error->message);
}

static void
deadlines_on_looked_up (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Expiry) expiry = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonRequest) stored = beckon_request_store_lookup_finish (BECKON_REQUEST_STORE (source), result, &error);
  BeckonRequest *ours = beckon_inbox_lookup (expiry->inbox, expiry->request_id);
  g_autoptr (BeckonAnswer) answer = NULL;

  if (stored == NULL)
    {
      g_info ("A request did not time out: %s", error->message);
      return;
    }
  if (ours != NULL && is_begun (stored))
    beckon_request_set_due_at (ours, 0);
  if (ours == NULL || is_begun (ours) || is_begun (stored))
    return;

  answer = beckon_answer_new (BECKON_ANSWER_TIMED_OUT, NULL);
  beckon_inbox_settle_async (expiry->inbox, expiry->request_id, answer, "agent", NULL, NULL, deadlines_on_settled, NULL);
}

/* Another process may have begun an answer, which only the store knows. */
static gboolean
on_due (gpointer user_data)
{
  Deadline *deadline = user_data;
  BeckonDeadlines *deadlines = deadline->deadlines;
  Expiry *expiry = g_new0 (Expiry, 1);

  deadline->timeout = 0;
  expiry->inbox = g_object_ref (deadlines->inbox);
  expiry->request_id = g_strdup (beckon_request_get_id (deadline->request));
  beckon_request_store_lookup_async (deadlines->journal, expiry->request_id, NULL, deadlines_on_looked_up, expiry);
  return G_SOURCE_REMOVE;
}

static void
deadlines_start (BeckonDeadlines *deadlines, BeckonRequest *request, gint64 from)
{
  Deadline *known = g_hash_table_lookup (deadlines->running, beckon_request_get_id (request));
  /* The real time may have jumped since the question was asked, in either direction. */
  gint64 whole = (gint64) deadlines->minutes * 60 * 1000;
  gint64 passed = (beckon_clock_get_real_time (deadlines->clock) - from) / 1000;
  guint left = (guint) CLAMP (whole - passed, BECKON_DEADLINES_GRACE_MS, whole);
  Deadline *deadline;

  if (known != NULL && known->request == request)
    return;
  if (is_begun (request))
    {
      g_hash_table_remove (deadlines->running, beckon_request_get_id (request));
      return;
    }

  deadline = g_new0 (Deadline, 1);
  deadline->deadlines = deadlines;
  deadline->request = g_object_ref (request);
  deadline->timeout = beckon_clock_add_timeout (deadlines->clock, left, on_due, deadline);
  g_signal_connect (request, "notify::draft", G_CALLBACK (deadlines_on_draft_changed), deadlines);
  g_hash_table_replace (deadlines->running, g_strdup (beckon_request_get_id (request)), deadline);
  beckon_request_set_due_at (request, beckon_clock_get_real_time (deadlines->clock) + (gint64) left * 1000);
}

/* @from: (nullable): since when their time runs; %NULL is since they were asked. */
static void
start_range (BeckonDeadlines *deadlines, guint position, guint n, const gint64 *from)
{
  if (deadlines->minutes == 0)
    return;

  for (guint i = position; i < position + n; i++)
    {
      g_autoptr (BeckonRequest) request = g_list_model_get_item (G_LIST_MODEL (deadlines->inbox), i);

      if (BECKON_IS_QUESTION_REQUEST (request))
        deadlines_start (deadlines, request, from != NULL ? *from : beckon_request_get_asked_at (request));
    }
}

static void
deadlines_on_items_changed (GListModel *model, guint position, guint removed, guint added, gpointer user_data)
{
  start_range (user_data, position, added, NULL);
}

static void
on_request_settled (BeckonInbox *inbox, BeckonRequest *request, const BeckonSettlement *settlement, gpointer user_data)
{
  BeckonDeadlines *deadlines = user_data;

  g_hash_table_remove (deadlines->running, beckon_request_get_id (request));
}

BeckonDeadlines *
beckon_deadlines_new (BeckonInbox *inbox, BeckonRequestStore *journal, BeckonClock *clock)
{
  BeckonDeadlines *deadlines;

  g_return_val_if_fail (BECKON_IS_INBOX (inbox), NULL);
  g_return_val_if_fail (BECKON_IS_REQUEST_STORE (journal), NULL);
  g_return_val_if_fail (BECKON_IS_CLOCK (clock), NULL);

  deadlines = g_new0 (BeckonDeadlines, 1);
  deadlines->inbox = g_object_ref (inbox);
  deadlines->journal = g_object_ref (journal);
  deadlines->clock = g_object_ref (clock);
  deadlines->running = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) deadline_free);
  deadlines->changed_handler = g_signal_connect (inbox, "items-changed", G_CALLBACK (deadlines_on_items_changed), deadlines);
  deadlines->settled_handler = g_signal_connect (inbox, "settled", G_CALLBACK (on_request_settled), deadlines);
  return deadlines;
}

void
beckon_deadlines_free (BeckonDeadlines *deadlines)
{
  g_signal_handler_disconnect (deadlines->inbox, deadlines->changed_handler);
  g_signal_handler_disconnect (deadlines->inbox, deadlines->settled_handler);
  g_hash_table_unref (deadlines->running);
  g_object_unref (deadlines->inbox);
  g_object_unref (deadlines->journal);
  g_object_unref (deadlines->clock);
  g_free (deadlines);
}

void
beckon_deadlines_set_minutes (BeckonDeadlines *deadlines, guint minutes)
{
  gint64 now;

  g_return_if_fail (deadlines != NULL);
  g_return_if_fail (minutes <= BECKON_DEADLINES_MINUTES_MAX);

  if (deadlines->minutes == minutes)
    return;

  now = beckon_clock_get_real_time (deadlines->clock);
  deadlines->minutes = minutes;
  g_hash_table_remove_all (deadlines->running);
  start_range (deadlines, 0, g_list_model_get_n_items (G_LIST_MODEL (deadlines->inbox)), &now);
}
