/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The inbox is a view of the journal, never a second truth: a request is in the list while the journal says that it is
 * pending, and what ended it is what the journal recorded. Three things make that less simple than it sounds.
 *
 * Answers race. Two front ends, or two processes, may answer at once; the journal takes one. The loser learns of the winner
 * by its error, looks the settlement up, and takes the request off the list as if it had been told.
 *
 * Listings are old when they arrive. A request may be added, or settled here, between the moment a listing was taken and
 * the moment it comes back. So what left the list while a listing was under way is remembered in `left` and not taken in
 * again, and what a listing lacks is looked up by itself before it is believed to be over.
 *
 * Everything calls out: to the signal's handlers, to the list's views, to a task's callback. State is changed before. */

#include "beckon-inbox-private.h"

#include "beckon-form-request.h"
#include "base/beckon-finish.h"
#include "base/beckon-list-model.h"
#include "domain/beckon-request-error.h"

/* The longest a draft waits to be stored. */
#define DRAFT_DELAY_MS 500

struct _BeckonInbox
{
  GObject parent_instance;

  BeckonRequestStore *journal;
  BeckonClock *clock;
  BeckonVault *vault; /* (nullable) */
  BeckonPlanTools *plan_tools; /* (nullable): not owned */
  BeckonKeepCheck *keep_check; /* (nullable): not owned */
  BeckonCallPreviewer *previewer; /* (nullable): not owned */
  gulong changed_handler; /* 0 until it was loaded, or has something */

  GPtrArray *requests; /* pending, oldest first */

  /* In progress. */
  guint n_listings;
  gboolean list_again;
  GHashTable *left;     /* (element-type utf8): ids */
  GHashTable *answered; /* (element-type utf8): ids that an answer of ours was given to and has not come back, with how many */
  GHashTable *settling; /* (element-type utf8): ids of which the journal is writing a settlement of ours, with how many */
  GHashTable *settled;  /* (element-type utf8): ids that were settled through this inbox */
  GPtrArray *resumable; /* (element-type BeckonRequest): forms whose call can be sent again with them */

  /* Half-made answers: every stroke is kept in the request at once and stored a little later, many together. */
  GHashTable *drafted;  /* (element-type utf8 BeckonRequest): by id; not stored yet */
  guint draft_timeout;
};

typedef struct
{
  BeckonInbox *inbox;
  char *request_id;
} RequestOperation;

enum
{
  SIGNAL_SETTLED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

BECKON_LIST_MODEL (BeckonInbox, beckon_inbox, BECKON_TYPE_REQUEST, requests)

G_DEFINE_FINAL_TYPE_WITH_CODE (BeckonInbox, beckon_inbox, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, beckon_inbox_model_init))

static RequestOperation *
request_operation_new (BeckonInbox *self, const char *request_id)
{
  RequestOperation *op = g_new0 (RequestOperation, 1);

  op->inbox = g_object_ref (self);
  op->request_id = g_strdup (request_id);
  return op;
}

static void
request_operation_free (RequestOperation *op)
{
  g_object_unref (op->inbox);
  g_free (op->request_id);
  g_free (op);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RequestOperation, request_operation_free)

static void
beckon_inbox_dispose (GObject *object)
{
  BeckonInbox *self = BECKON_INBOX (object);

  /* Operations hold a reference. */
  g_assert (self->n_listings == 0);
  g_assert (g_hash_table_size (self->answered) == 0);
  g_assert (g_hash_table_size (self->settling) == 0);

  if (self->journal != NULL)
    beckon_inbox_flush (self);
  if (self->journal != NULL)
    g_clear_signal_handler (&self->changed_handler, self->journal);
  g_clear_object (&self->journal);
  g_clear_object (&self->clock);
  g_clear_object (&self->vault);
  g_clear_weak_pointer (&self->plan_tools);
  g_clear_weak_pointer (&self->keep_check);
  g_clear_weak_pointer (&self->previewer);

  G_OBJECT_CLASS (beckon_inbox_parent_class)->dispose (object);
}

static void
beckon_inbox_finalize (GObject *object)
{
  BeckonInbox *self = BECKON_INBOX (object);

  g_ptr_array_unref (self->requests);
  g_hash_table_unref (self->left);
  g_hash_table_unref (self->answered);
  g_hash_table_unref (self->settling);
  g_hash_table_unref (self->settled);
  g_ptr_array_unref (self->resumable);
  g_hash_table_unref (self->drafted);

  G_OBJECT_CLASS (beckon_inbox_parent_class)->finalize (object);
}

static void
beckon_inbox_class_init (BeckonInboxClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = beckon_inbox_dispose;
  object_class->finalize = beckon_inbox_finalize;

  signals[SIGNAL_SETTLED] = g_signal_new ("settled", BECKON_TYPE_INBOX, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                          G_TYPE_NONE, 2, BECKON_TYPE_REQUEST,
                                          BECKON_TYPE_SETTLEMENT | G_SIGNAL_TYPE_STATIC_SCOPE);
}

static void
beckon_inbox_init (BeckonInbox *self)
{
  self->requests = g_ptr_array_new_with_free_func (g_object_unref);
  self->left = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->answered = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->settling = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->resumable = g_ptr_array_new_with_free_func (g_object_unref);
  self->settled = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->drafted = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
}

BeckonInbox *
beckon_inbox_new (BeckonRequestStore *journal, BeckonClock *clock)
{
  BeckonInbox *self;

  g_return_val_if_fail (BECKON_IS_REQUEST_STORE (journal), NULL);
  g_return_val_if_fail (BECKON_IS_CLOCK (clock), NULL);

  self = g_object_new (BECKON_TYPE_INBOX, NULL);
  self->journal = g_object_ref (journal);
  self->clock = g_object_ref (clock);
  return self;
}

void
beckon_inbox_set_vault (BeckonInbox *inbox, BeckonVault *vault)
{
  g_return_if_fail (BECKON_IS_INBOX (inbox));

  g_set_object (&inbox->vault, vault);
}

void
beckon_inbox_set_previewer (BeckonInbox *inbox, BeckonCallPreviewer *previewer)
{
  g_return_if_fail (BECKON_IS_INBOX (inbox));
  g_return_if_fail (BECKON_IS_CALL_PREVIEWER (previewer));

  g_set_weak_pointer (&inbox->previewer, previewer);
}

BeckonCallPreviewer *
beckon_inbox_get_previewer (BeckonInbox *inbox)
{
  g_return_val_if_fail (BECKON_IS_INBOX (inbox), NULL);

  return inbox->previewer;
}

void
beckon_inbox_set_plan_tools (BeckonInbox *inbox, BeckonPlanTools *tools)
{
  g_return_if_fail (BECKON_IS_INBOX (inbox));
  g_return_if_fail (BECKON_IS_PLAN_TOOLS (tools));

  g_set_weak_pointer (&inbox->plan_tools, tools);
}

void
beckon_inbox_set_keep_check (BeckonInbox *inbox, BeckonKeepCheck *check)
{
  g_return_if_fail (BECKON_IS_INBOX (inbox));
  g_return_if_fail (BECKON_IS_KEEP_CHECK (check));

  g_set_weak_pointer (&inbox->keep_check, check);
}

BeckonKeepCheck *
beckon_inbox_get_keep_check (BeckonInbox *self)
{
  return self->keep_check;
}

BeckonPlanTools *
beckon_inbox_get_plan_tools (BeckonInbox *inbox)
{
  g_return_val_if_fail (BECKON_IS_INBOX (inbox), NULL);

  return inbox->plan_tools;
}

BeckonVault *
beckon_inbox_get_vault (BeckonInbox *inbox)
{
  g_return_val_if_fail (BECKON_IS_INBOX (inbox), NULL);

  return inbox->vault;
}

/* The list. */

static gboolean
inbox_find (BeckonInbox *self, const char *request_id, guint *position)
{
  for (guint i = 0; i < self->requests->len; i++)
    if (g_str_equal (beckon_request_get_id (g_ptr_array_index (self->requests, i)), request_id))
      {
        if (position != NULL)
          *position = i;
        return TRUE;
      }

  return FALSE;
}

static gboolean
is_older (BeckonRequest *a, BeckonRequest *b)
{
  if (beckon_request_get_asked_at (a) != beckon_request_get_asked_at (b))
    return beckon_request_get_asked_at (a) < beckon_request_get_asked_at (b);

  return g_strcmp0 (beckon_request_get_id (a), beckon_request_get_id (b)) < 0;
}

static void
inbox_insert (BeckonInbox *self, BeckonRequest *request)
{
  guint position = self->requests->len;

  while (position > 0 && is_older (request, g_ptr_array_index (self->requests, position - 1)))
    position--;

  g_ptr_array_insert (self->requests, (gint) position, g_object_ref (request));
  g_list_model_items_changed (G_LIST_MODEL (self), position, 0, 1);
}

static void
inbox_settle (BeckonRequest *request, const BeckonSettlement *settlement)
{
  if (beckon_request_get_state (request) == BECKON_REQUEST_PENDING)
    beckon_request_settle (request, settlement->state, settlement->given, settlement->front_end, settlement->actor,
                           settlement->at);
}

/* The one way out of the list. A journal may have settled the object already, which it shares; then it only leaves. */
static void
inbox_leave (BeckonInbox *self, BeckonRequest *request, const BeckonSettlement *settlement)
{
  G_GNUC_UNUSED g_autoptr (BeckonRequest) held = g_object_ref (request);
  const char *id = beckon_request_get_id (request);
  guint position;

  if (self->n_listings > 0)
    g_hash_table_add (self->left, g_strdup (id));
  if (inbox_find (self, id, &position))
    {
      g_ptr_array_remove_index (self->requests, position);
      g_list_model_items_changed (G_LIST_MODEL (self), position, 1, 0);
    }
  else if (beckon_request_get_state (request) != BECKON_REQUEST_PENDING)
    return;

  inbox_settle (request, settlement);
  g_signal_emit (self, signals[SIGNAL_SETTLED], 0, request, settlement);
}

/* The same for whoever holds another object of a request than the list does. */
void
beckon_inbox_leave (BeckonInbox *self, BeckonRequest *request, const BeckonSettlement *settlement)
{
  BeckonRequest *ours = beckon_inbox_lookup (self, beckon_request_get_id (request));

  if (ours != NULL && ours != request)
    inbox_settle (request, settlement);

  inbox_leave (self, ours != NULL ? ours : request, settlement);
}

static void on_changed_elsewhere (BeckonInbox *self);

static void
inbox_watch (BeckonInbox *self)
{
  if (self->changed_handler == 0)
    self->changed_handler = g_signal_connect_object (self->journal, "changed-elsewhere",
                                                     G_CALLBACK (on_changed_elsewhere), self, G_CONNECT_SWAPPED);
}

void
beckon_inbox_add (BeckonInbox *inbox, BeckonRequest *request)
{
  guint position;

  g_return_if_fail (BECKON_IS_INBOX (inbox));
  g_return_if_fail (BECKON_IS_REQUEST (request));

  if (beckon_request_get_state (request) != BECKON_REQUEST_PENDING)
    return;

  /* A program that never listed what is pending asks all the same, and its question may be answered elsewhere. */
  inbox_watch (inbox);
  if (!inbox_find (inbox, beckon_request_get_id (request), &position))
    {
      inbox_insert (inbox, request);
      return;
    }

  /* A listing was faster; the object of whoever asked is the one that is watched. */
  if (g_ptr_array_index (inbox->requests, position) == request)
    return;
  g_object_unref (g_ptr_array_index (inbox->requests, position));
  g_ptr_array_index (inbox->requests, position) = g_object_ref (request);
  g_list_model_items_changed (G_LIST_MODEL (inbox), position, 1, 1);
}

BeckonRequest *
beckon_inbox_lookup (BeckonInbox *inbox, const char *request_id)
{
  guint position;

  g_return_val_if_fail (BECKON_IS_INBOX (inbox), NULL);
  g_return_val_if_fail (request_id != NULL, NULL);

  return inbox_find (inbox, request_id, &position) ? g_ptr_array_index (inbox->requests, position) : NULL;
}

guint
beckon_inbox_count_for (BeckonInbox *inbox, const char *conversation_id)
{
  guint n = 0;

  g_return_val_if_fail (BECKON_IS_INBOX (inbox), 0);

  for (guint i = 0; i < inbox->requests->len; i++)
    if (g_strcmp0 (beckon_request_get_conversation_id (g_ptr_array_index (inbox->requests, i)), conversation_id) == 0)
      n++;

  return n;
}

void
beckon_inbox_note_settled (BeckonInbox *inbox, BeckonRequest *request, BeckonRequestState state, BeckonAnswer *answer,
                           const char *front_end, const char *actor, gint64 at)
{
  g_autoptr (BeckonSettlement) settlement = NULL;

  g_return_if_fail (BECKON_IS_INBOX (inbox));
  g_return_if_fail (BECKON_IS_REQUEST (request));
  g_return_if_fail (state != BECKON_REQUEST_PENDING);

  settlement = beckon_settlement_new_recorded (request, state, answer, front_end, actor, at);
  beckon_inbox_leave (inbox, request, settlement);
}

void
beckon_inbox_note_settlement (BeckonInbox *inbox, BeckonRequest *request, const BeckonSettlement *settlement)
{
  g_return_if_fail (BECKON_IS_INBOX (inbox));
  g_return_if_fail (BECKON_IS_REQUEST (request));
  g_return_if_fail (settlement != NULL);

  beckon_inbox_leave (inbox, request, settlement);
}

/* Reading what is pending. */

void
beckon_inbox_believe (BeckonInbox *self, const char *request_id, BeckonRequest *stored, const GError *error)
{
  BeckonRequest *ours = beckon_inbox_lookup (self, request_id);

  if (ours == NULL)
    return;

  if (stored != NULL)
    {
      if (beckon_request_get_state (stored) != BECKON_REQUEST_PENDING)
        beckon_inbox_note_settled (self, ours, beckon_request_get_state (stored), beckon_request_get_answer (stored),
                                   beckon_request_get_front_end (stored), beckon_request_get_actor (stored),
                                   beckon_request_get_settled_at (stored));
    }
  else if (g_error_matches (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_UNKNOWN))
    {
      /* Deleted with the conversation. */
      beckon_inbox_note_settled (self, ours, BECKON_REQUEST_CANCELLED, NULL, NULL, NULL,
                                 beckon_clock_get_real_time (self->clock));
    }
}

static void
on_missing_looked_up (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (RequestOperation) op = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonRequest) stored = beckon_request_store_lookup_finish (BECKON_REQUEST_STORE (source), result, &error);

  beckon_inbox_believe (op->inbox, op->request_id, stored, error);
}

static void
inbox_list (BeckonInbox *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  self->n_listings++;
  beckon_request_store_list_pending_async (self->journal, cancellable, callback, user_data);
}

static void on_listed_again (GObject *source, GAsyncResult *result, gpointer user_data);

static gboolean
end_listing (BeckonInbox *self, GAsyncResult *result, GError **error)
{
  g_autoptr (GPtrArray) listed = beckon_request_store_list_pending_finish (self->journal, result, error);

  if (listed != NULL)
    {
      g_autoptr (GHashTable) set = g_hash_table_new (g_str_hash, g_str_equal);

      for (guint i = 0; i < listed->len; i++)
        g_hash_table_add (set, (gpointer) beckon_request_get_id (g_ptr_array_index (listed, i)));

      for (guint i = 0; i < self->requests->len; i++)
        {
          const char *id = beckon_request_get_id (g_ptr_array_index (self->requests, i));

          /* Requests being settled here tell by themselves. */
          if (!g_hash_table_contains (set, id) && !g_hash_table_contains (self->settling, id))
            beckon_request_store_lookup_async (self->journal, id, NULL, on_missing_looked_up, request_operation_new (self, id));
        }

      for (guint i = 0; i < listed->len; i++)
        {
          BeckonRequest *request = g_ptr_array_index (listed, i);

          /* A journal may hand out an object that it shares, and that knows more than the listing. */
          if (beckon_request_get_state (request) == BECKON_REQUEST_PENDING
              && !g_hash_table_contains (self->left, beckon_request_get_id (request))
              && !inbox_find (self, beckon_request_get_id (request), NULL))
            inbox_insert (self, request);
        }
    }

  self->n_listings--;
  if (self->n_listings > 0)
    return listed != NULL;

  g_hash_table_remove_all (self->left);
  if (self->list_again)
    {
      self->list_again = FALSE;
      inbox_list (self, NULL, on_listed_again, g_object_ref (self));
    }

  return listed != NULL;
}

static void
on_listed_again (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonInbox) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!end_listing (self, result, &error))
    g_info ("The pending requests could not be read: %s", error->message);
}

static void
on_changed_elsewhere (BeckonInbox *self)
{
  if (self->n_listings > 0)
    self->list_again = TRUE;
  else
    inbox_list (self, NULL, on_listed_again, g_object_ref (self));
}

static void
inbox_on_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;

  if (end_listing (g_task_get_source_object (task), result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

void
beckon_inbox_load_async (BeckonInbox *inbox, GCancellable *cancellable, GAsyncReadyCallback callback,
                         gpointer user_data)
{
  GTask *task;

  g_return_if_fail (BECKON_IS_INBOX (inbox));

  task = g_task_new (inbox, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_inbox_load_async);

  /* Before the listing is taken, so that no change falls between the two. */
  inbox_watch (inbox);
  inbox_list (inbox, cancellable, inbox_on_loaded, task);
}

BECKON_FINISH_BOOLEAN (beckon_inbox_load, BeckonInbox)

/* For the settling. */

static void
inbox_count (GHashTable *table, const char *id, int by)
{
  int n = GPOINTER_TO_INT (g_hash_table_lookup (table, id)) + by;

  g_assert (n >= 0);
  if (n == 0)
    g_hash_table_remove (table, id);
  else
    g_hash_table_replace (table, g_strdup (id), GINT_TO_POINTER (n));
}

void
beckon_inbox_begin_answer (BeckonInbox *self, const char *request_id)
{
  inbox_count (self->answered, request_id, 1);
}

void
beckon_inbox_end_answer (BeckonInbox *self, const char *request_id)
{
  inbox_count (self->answered, request_id, -1);
}

void
beckon_inbox_begin_settling (BeckonInbox *self, const char *request_id)
{
  inbox_count (self->settling, request_id, 1);
}

void
beckon_inbox_end_settling (BeckonInbox *self, const char *request_id)
{
  inbox_count (self->settling, request_id, -1);
}

void
beckon_inbox_note_ours (BeckonInbox *self, BeckonRequest *request)
{
  g_hash_table_add (self->settled, g_strdup (beckon_request_get_id (request)));
}

/* Forms of a server: what a person said, or may still say. */
static gboolean
is_resumable (BeckonRequest *request)
{
  BeckonRequestState state = beckon_request_get_state (request);

  return beckon_form_request_get_resumption (request) != NULL && !beckon_form_request_is_delivered (request)
         && (state == BECKON_REQUEST_PENDING || state == BECKON_REQUEST_ANSWERED || state == BECKON_REQUEST_DECLINED
             || state == BECKON_REQUEST_SKIPPED);
}

void
beckon_inbox_hold (BeckonInbox *inbox, BeckonRequest *request)
{
  g_return_if_fail (BECKON_IS_INBOX (inbox));
  g_return_if_fail (BECKON_IS_REQUEST (request));

  if (is_resumable (request) && !g_ptr_array_find (inbox->resumable, request, NULL))
    g_ptr_array_add (inbox->resumable, g_object_ref (request));
}

void
beckon_inbox_drop (BeckonInbox *inbox, BeckonRequest *request)
{
  g_return_if_fail (BECKON_IS_INBOX (inbox));

  g_ptr_array_remove (inbox->resumable, request);
}

/* Requests that are listed as pending may have been settled where this was not heard of yet. */
void
beckon_inbox_take_forms (BeckonInbox *inbox, const char *conversation_id, GPtrArray *forms)
{
  g_return_if_fail (BECKON_IS_INBOX (inbox));
  g_return_if_fail (conversation_id != NULL && forms != NULL);

  for (guint i = inbox->resumable->len; i > 0; i--)
    if (g_strcmp0 (beckon_request_get_conversation_id (g_ptr_array_index (inbox->resumable, i - 1)), conversation_id) == 0)
      g_ptr_array_remove_index (inbox->resumable, i - 1);
  for (guint i = 0; i < forms->len; i++)
    {
      BeckonRequest *form = g_ptr_array_index (forms, i);

      if (beckon_request_get_state (form) == BECKON_REQUEST_PENDING)
        beckon_inbox_add (inbox, form);
      else
        beckon_inbox_believe (inbox, beckon_request_get_id (form), form, NULL);
      beckon_inbox_hold (inbox, form);
    }
}

GPtrArray *
beckon_inbox_list_resumable (BeckonInbox *inbox, const char *conversation_id, const char *call_id)
{
  GPtrArray *found = g_ptr_array_new_with_free_func (g_object_unref);

  g_return_val_if_fail (BECKON_IS_INBOX (inbox) && conversation_id != NULL, found);

  for (guint i = 0; i < inbox->resumable->len; i++)
    {
      BeckonRequest *request = g_ptr_array_index (inbox->resumable, i);

      if (is_resumable (request) && g_strcmp0 (beckon_request_get_conversation_id (request), conversation_id) == 0
          && (call_id == NULL || g_strcmp0 (beckon_form_request_get_asking_call (request), call_id) == 0))
        g_ptr_array_add (found, g_object_ref (request));
    }
  return found;
}

gboolean
beckon_inbox_is_settling (BeckonInbox *inbox, const char *request_id)
{
  g_return_val_if_fail (BECKON_IS_INBOX (inbox), FALSE);

  return g_hash_table_contains (inbox->answered, request_id);
}

gboolean
beckon_inbox_was_settled_here (BeckonInbox *inbox, const char *request_id)
{
  g_return_val_if_fail (BECKON_IS_INBOX (inbox), FALSE);
  g_return_val_if_fail (request_id != NULL, FALSE);

  return g_hash_table_contains (inbox->settled, request_id);
}

BeckonRequestStore *
beckon_inbox_get_store (BeckonInbox *self)
{
  return self->journal;
}

BeckonClock *
beckon_inbox_get_clock (BeckonInbox *self)
{
  return self->clock;
}

static void
inbox_on_draft_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  /* The object still has it, and the next stroke tries again. */
  if (!beckon_request_store_save_draft_finish (BECKON_REQUEST_STORE (source), result, &error))
    g_info ("A draft could not be stored: %s", error->message);
}

void
beckon_inbox_flush (BeckonInbox *inbox)
{
  GHashTableIter iter;
  gpointer id;
  gpointer request;

  g_return_if_fail (BECKON_IS_INBOX (inbox));

  beckon_clock_remove (inbox->clock, inbox->draft_timeout);
  inbox->draft_timeout = 0;

  g_hash_table_iter_init (&iter, inbox->drafted);
  while (g_hash_table_iter_next (&iter, &id, &request))
    {
      beckon_request_store_save_draft_async (inbox->journal, id, beckon_request_get_draft (request), NULL,
                                             inbox_on_draft_saved, NULL);
      g_hash_table_iter_remove (&iter);
    }
}

static gboolean
inbox_on_draft_due (gpointer user_data)
{
  BeckonInbox *self = user_data;

  self->draft_timeout = 0;
  beckon_inbox_flush (self);
  return G_SOURCE_REMOVE;
}

void
beckon_inbox_save_draft (BeckonInbox *inbox, BeckonRequest *request, const char *draft)
{
  g_return_if_fail (BECKON_IS_INBOX (inbox));
  g_return_if_fail (BECKON_IS_REQUEST (request));

  if (g_strcmp0 (beckon_request_get_draft (request), draft) == 0)
    return;

  g_hash_table_replace (inbox->drafted, g_strdup (beckon_request_get_id (request)), g_object_ref (request));
  if (inbox->draft_timeout == 0)
    inbox->draft_timeout = beckon_clock_add_timeout (inbox->clock, DRAFT_DELAY_MS, inbox_on_draft_due, inbox);

  beckon_request_set_draft (request, draft);
}

static void
on_earlier_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  GHashTable *values = beckon_request_store_list_earlier_finish (BECKON_REQUEST_STORE (source), result, &error);

  if (values != NULL)
    g_task_return_pointer (task, values, (GDestroyNotify) g_hash_table_unref);
  else
    g_task_return_error (task, error);
}

void
beckon_inbox_list_earlier_async (BeckonInbox *self, const char *tool, GCancellable *cancellable,
                                 GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;

  g_return_if_fail (BECKON_IS_INBOX (self));
  g_return_if_fail (tool != NULL);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_inbox_list_earlier_async);
  beckon_request_store_list_earlier_async (beckon_inbox_get_store (self), tool, cancellable, on_earlier_listed, task);
}

BECKON_FINISH_POINTER (GHashTable *, beckon_inbox_list_earlier, BeckonInbox)
