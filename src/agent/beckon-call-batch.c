/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-call-batch.h"

#include "beckon-call-confirmation.h"
#include "beckon-call-decision.h"
#include "beckon-run.h"
#include "request/beckon-form-request.h"
#include "tools/beckon-propose-plan.h"

/* A call with its surveys and marks. */
typedef struct
{
  BeckonCallSurvey *last;  /* (owned) (nullable): of the arguments that would run */
  BeckonCallSurvey *shown; /* (owned) (nullable): of those that a person changed since they were shown */
  guint marks;             /* BeckonCallMark */
} Entry;

/* Calls that are looked at together. */
typedef struct
{
  BeckonCallBatch *batch; /* (nullable): %NULL once it is over, or abandoned */
  guint left;             /* looks that have not come back, and one for itself */
  gboolean is_start;
  GPtrArray *calls; /* (owned) (element-type BeckonToolCall) */
  BeckonCallBatchReady ready;
  gpointer user_data;
  GDestroyNotify destroy;
} Surveying;

struct _BeckonCallBatch
{
  guint n_refs;
  BeckonRunScope *scope; /* (owned) */
  BeckonRun *run;        /* (nullable): %NULL once it is gone */
  guint ticket;

  BeckonMessage *message; /* (owned) (nullable) */
  BeckonToolCall *only;   /* (owned) (nullable): of a batch that was split off */
  GPtrArray *taken_back;  /* (owned) (nullable) (element-type BeckonToolCall) */
  GHashTable *entries;    /* (owned) (element-type utf8 Entry): by the ids of calls */
  Surveying *surveying;   /* (nullable) */
  guint n_tools;
  guint n_landings;
  guint n_given_up; /* how often tools were */
};

static void
call_batch_entry_free (gpointer data)
{
  Entry *entry = data;

  g_clear_pointer (&entry->last, beckon_call_survey_unref);
  g_clear_pointer (&entry->shown, beckon_call_survey_unref);
  g_free (entry);
}

BeckonCallBatch *
beckon_call_batch_new (const BeckonRunScope *scope, BeckonRun *run)
{
  BeckonCallBatch *self = g_new0 (BeckonCallBatch, 1);

  self->n_refs = 1;
  self->scope = beckon_run_scope_ref (scope);
  self->run = run;
  self->entries = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, call_batch_entry_free);
  return self;
}

BeckonCallBatch *
beckon_call_batch_ref (BeckonCallBatch *self)
{
  self->n_refs++;
  return self;
}

void
beckon_call_batch_unref (BeckonCallBatch *self)
{
  if (--self->n_refs > 0)
    return;
  beckon_call_batch_abandon_survey (self);
  g_clear_object (&self->message);
  g_clear_object (&self->only);
  g_clear_pointer (&self->taken_back, g_ptr_array_unref);
  beckon_run_scope_unref (self->scope);
  g_hash_table_unref (self->entries);
  g_free (self);
}

void
beckon_call_batch_detach (BeckonCallBatch *self)
{
  beckon_call_batch_reset (self);
  self->run = NULL;
}

BeckonCallBatch *
beckon_call_batch_split (BeckonCallBatch *self, BeckonToolCall *call, const char *told)
{
  g_autoptr (BeckonCallBatch) background = NULL;
  gpointer id, entry;

  if (self->run == NULL || beckon_call_batch_is_marked (self, call, BECKON_CALL_MARK_LAND_NOW))
    return NULL;
  background = beckon_call_batch_new (self->scope, self->run);
  background->message = g_object_ref (self->message);
  background->only = g_object_ref (call);
  if (g_hash_table_steal_extended (self->entries, beckon_tool_call_get_id (call), &id, &entry))
    g_hash_table_insert (background->entries, id, entry);
  beckon_tool_call_set_background (call, told);
  beckon_run_adopt (self->run, background);
  return background;
}

void
beckon_call_batch_take_back (BeckonCallBatch *self, BeckonCallBatch *background)
{
  BeckonToolCall *call = background->only;
  gpointer id, entry;

  if (self->taken_back == NULL)
    self->taken_back = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (self->taken_back, g_object_ref (call));
  if (g_hash_table_steal_extended (background->entries, beckon_tool_call_get_id (call), &id, &entry))
    g_hash_table_insert (self->entries, id, entry);
  beckon_call_batch_detach (background);
}

BeckonToolCall *
beckon_call_batch_get_only (const BeckonCallBatch *self)
{
  return self->only;
}

const BeckonRunScope *
beckon_call_batch_get_scope (const BeckonCallBatch *self)
{
  return self->scope;
}

void
beckon_call_batch_reset (BeckonCallBatch *self)
{
  beckon_call_batch_abandon_survey (self);
  g_hash_table_remove_all (self->entries);
  self->ticket++;
  self->n_tools = 0;
  self->n_landings = 0;
}

guint
beckon_call_batch_get_ticket (const BeckonCallBatch *self)
{
  return self->ticket;
}

gboolean
beckon_call_batch_is_current (const BeckonCallBatch *self, guint ticket)
{
  return self->ticket == ticket;
}

gboolean
beckon_call_batch_waits_for_forms (const BeckonCallBatch *self)
{
  return self->message != NULL && beckon_form_request_holds_up (self->message);
}

/* --- The run ------------------------------------------------------------------------------------------------------- */

void
beckon_call_batch_commit (BeckonCallBatch *self, BeckonBatch *batch, BeckonCallBatchWritten written, gpointer user_data,
                          GDestroyNotify destroy)
{
  g_assert (self->run != NULL);

  beckon_run_commit_calls (self->run, self, batch, written, user_data, destroy);
}

void
beckon_call_batch_step (BeckonCallBatch *self)
{
  if (self->run != NULL)
    beckon_run_step (self->run);
}

void
beckon_call_batch_stop (BeckonCallBatch *self)
{
  if (self->run != NULL)
    beckon_run_stop (self->run);
}

void
beckon_call_batch_dismiss (BeckonCallBatch *self)
{
  if (self->run != NULL)
    beckon_run_dismiss (self->run);
}

gboolean
beckon_call_batch_is_driven (const BeckonCallBatch *self)
{
  return self->run != NULL && beckon_run_is_driven (self->run);
}

gboolean
beckon_call_batch_is_stopping (const BeckonCallBatch *self)
{
  return self->run == NULL || beckon_run_is_stopping (self->run);
}

GCancellable *
beckon_call_batch_get_cancellable (const BeckonCallBatch *self)
{
  return self->run != NULL ? beckon_run_get_cancellable (self->run) : NULL;
}

GPtrArray *
beckon_call_batch_get_siblings (const BeckonCallBatch *self)
{
  return self->run != NULL ? beckon_run_get_siblings (self->run) : NULL;
}

/* --- The message --------------------------------------------------------------------------------------------------- */

void
beckon_call_batch_set_message (BeckonCallBatch *self, BeckonMessage *message)
{
  g_set_object (&self->message, message);
}

BeckonMessage *
beckon_call_batch_get_message (const BeckonCallBatch *self)
{
  return self->message;
}

const char *
beckon_call_batch_get_message_id (const BeckonCallBatch *self)
{
  return self->message != NULL ? beckon_message_get_id (self->message) : NULL;
}

GPtrArray *
beckon_call_batch_list (const BeckonCallBatch *self)
{
  g_autoptr (GPtrArray) all = self->only == NULL && self->message != NULL ? beckon_message_list_calls (self->message) : NULL;
  GPtrArray *list = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; all != NULL && i < all->len; i++)
    if (beckon_tool_call_get_background (g_ptr_array_index (all, i)) == NULL)
      g_ptr_array_add (list, g_object_ref (g_ptr_array_index (all, i)));
  for (guint i = 0; self->taken_back != NULL && i < self->taken_back->len; i++)
    g_ptr_array_add (list, g_object_ref (g_ptr_array_index (self->taken_back, i)));
  if (self->only != NULL)
    g_ptr_array_add (list, g_object_ref (self->only));
  return list;
}

static Entry *
find_entry (const BeckonCallBatch *self, BeckonToolCall *call)
{
  return g_hash_table_lookup (self->entries, beckon_tool_call_get_id (call));
}

static Entry *
take_entry (BeckonCallBatch *self, BeckonToolCall *call)
{
  Entry *entry = find_entry (self, call);

  if (entry == NULL)
    {
      entry = g_new0 (Entry, 1);
      g_hash_table_insert (self->entries, g_strdup (beckon_tool_call_get_id (call)), entry);
    }
  return entry;
}

/* --- Surveys ------------------------------------------------------------------------------------------------------- */

static void
surveying_unref (Surveying *surveying)
{
  if (--surveying->left > 0)
    return;
  g_ptr_array_unref (surveying->calls);
  if (surveying->destroy != NULL && surveying->user_data != NULL)
    surveying->destroy (surveying->user_data);
  g_free (surveying);
}

typedef struct
{
  Surveying *surveying;
  BeckonToolCall *call; /* (owned) */
  gboolean is_shown;
} Look;

static void
call_batch_look_free (Look *look)
{
  surveying_unref (look->surveying);
  g_object_unref (look->call);
  g_free (look);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Look, call_batch_look_free)

/* (nullable): what carries a call out; %NULL for one that only asks a person, or is not there. A plan is shown with what the
 * files of its steps are. */
static BeckonTool *
call_batch_find_tool (const BeckonCallBatch *self, BeckonToolCall *call)
{
  BeckonTool *tool = beckon_run_scope_find_tool (self->scope, call);

  return tool != NULL && (!beckon_tool_needs_person (tool) || BECKON_IS_PROPOSE_PLAN (tool)) ? tool : NULL;
}

BeckonCallSurvey *
beckon_call_batch_get_survey (const BeckonCallBatch *self, BeckonToolCall *call)
{
  const Entry *entry = find_entry (self, call);
  BeckonToolContext context;

  if (entry == NULL || entry->last == NULL || call_batch_find_tool (self, call) == NULL)
    return NULL;
  context = beckon_call_make_context (self->scope, NULL, call);
  return beckon_call_survey_fits (entry->last, context.arguments, context.folder) ? entry->last : NULL;
}

const char *
beckon_call_batch_get_completed (const BeckonCallBatch *self, BeckonToolCall *call, const char *given)
{
  const Entry *entry = find_entry (self, call);

  return entry != NULL && entry->last != NULL ? beckon_call_survey_get_completed (entry->last, given) : NULL;
}

BeckonCallSurvey *
beckon_call_batch_get_shown_survey (const BeckonCallBatch *self, BeckonToolCall *call)
{
  const Entry *entry = find_entry (self, call);

  return entry != NULL ? entry->shown : NULL;
}

static void proceed (Surveying *surveying);

static void
on_surveyed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Look) look = user_data;
  Surveying *surveying = look->surveying;
  BeckonCallSurvey *survey = beckon_call_survey_finish (result);
  BeckonCallSurvey **place;
  Entry *entry;

  if (surveying->batch == NULL)
    {
      beckon_call_survey_unref (survey);
      return;
    }
  entry = take_entry (surveying->batch, look->call);
  place = look->is_shown ? &entry->shown : &entry->last;
  g_clear_pointer (place, beckon_call_survey_unref);
  *place = survey;
  /* The look itself counts until it is freed. */
  if (surveying->left == 2)
    proceed (surveying);
}

static void
begin_look (Surveying *surveying, BeckonToolCall *call, const BeckonToolContext *context, const char *bound, gboolean is_shown)
{
  BeckonCallBatch *self = surveying->batch;
  const Entry *entry = find_entry (self, call);
  BeckonCallSurvey *before = entry == NULL ? NULL : is_shown ? entry->shown : entry->last;
  const gboolean follows = surveying->is_start || beckon_tool_call_get_planned_by (call) != NULL;
  BeckonFileCopies *copies = follows ? BECKON_FILE_COPIES (self->scope->parts.store) : NULL;
  BeckonKnownSecrets *secrets = !surveying->is_start || bound != NULL ? self->scope->parts.secrets : NULL;
  BeckonToolContext whole = *context;
  g_autoptr (BeckonDeniedPaths) denied
    = secrets != NULL ? beckon_denied_paths_new (beckon_run_scope_get_rules (self->scope), context->folder,
                                                 context->conversation_id, context->now) : NULL;
  Look *look = g_new0 (Look, 1);

  surveying->left++;
  look->surveying = surveying;
  look->call = g_object_ref (call);
  look->is_shown = is_shown;
  whole.parsed = before != NULL ? beckon_call_survey_get_parsed (before, context->arguments) : NULL;
  whole.denied = denied;
  if (self->message != NULL)
    whole.message_id = beckon_message_get_id (self->message);
  beckon_call_survey_async (call_batch_find_tool (self, call), &whole, bound, copies, secrets, on_surveyed, look);
}

static gboolean
is_unknown (BeckonCallBatch *self, BeckonToolCall *call)
{
  return call_batch_find_tool (self, call) != NULL && beckon_tool_call_get_fault (call) == NULL
         && !beckon_call_state_is_final (beckon_tool_call_get_state (call))
         && (beckon_tool_call_get_state (call) != BECKON_CALL_PROPOSED || beckon_call_prepare (self, call, NULL))
         && beckon_call_batch_get_survey (self, call) == NULL;
}

static void
call_batch_look_at (Surveying *surveying, BeckonToolCall *call)
{
  BeckonToolContext context = beckon_call_make_context (surveying->batch->scope, NULL, call);
  const char *shown = surveying->is_start ? beckon_call_get_shown_arguments (call) : NULL;

  begin_look (surveying, call, &context, beckon_call_get_bound_files (call), FALSE);
  if (shown == NULL)
    return;
  context.arguments = shown;
  begin_look (surveying, call, &context, NULL, TRUE);
}

/* A start whose folder changed while it was surveyed is surveyed again. */
static gboolean
needs_look (const Surveying *surveying, BeckonToolCall *call)
{
  if (!surveying->is_start)
    return is_unknown (surveying->batch, call);
  return call_batch_find_tool (surveying->batch, call) != NULL && beckon_call_batch_get_survey (surveying->batch, call) == NULL;
}

/* More may have been settled about arguments since they were looked at. */
static void
proceed (Surveying *surveying)
{
  BeckonCallBatch *self = surveying->batch;
  guint before = surveying->left;

  for (guint i = 0; i < surveying->calls->len; i++)
    if (needs_look (surveying, g_ptr_array_index (surveying->calls, i)))
      call_batch_look_at (surveying, g_ptr_array_index (surveying->calls, i));
  if (surveying->left > before)
    return;
  surveying->batch = NULL;
  self->surveying = NULL;
  surveying->ready (self, g_steal_pointer (&surveying->user_data));
  surveying_unref (surveying);
}

void
beckon_call_batch_survey (BeckonCallBatch *self, GPtrArray *calls, gboolean is_start, BeckonCallBatchReady ready,
                          gpointer user_data, GDestroyNotify destroy)
{
  Surveying *surveying = g_new0 (Surveying, 1);

  g_assert (self->surveying == NULL);

  surveying->batch = self;
  surveying->left = 1;
  surveying->is_start = is_start;
  surveying->calls = g_ptr_array_new_with_free_func (g_object_unref);
  surveying->ready = ready;
  surveying->user_data = user_data;
  surveying->destroy = destroy;
  self->surveying = surveying;
  for (guint i = 0; i < calls->len; i++)
    {
      BeckonToolCall *call = g_ptr_array_index (calls, i);

      g_ptr_array_add (surveying->calls, g_object_ref (call));
      if (is_start && call_batch_find_tool (self, call) != NULL)
        call_batch_look_at (surveying, call);
    }
  if (surveying->left == 1)
    proceed (surveying);
}

gboolean
beckon_call_batch_is_surveying (const BeckonCallBatch *self)
{
  return self->surveying != NULL;
}

void
beckon_call_batch_abandon_survey (BeckonCallBatch *self)
{
  Surveying *surveying = g_steal_pointer (&self->surveying);

  if (surveying == NULL)
    return;
  surveying->batch = NULL;
  surveying_unref (surveying);
}

void
beckon_call_batch_forget_survey (BeckonCallBatch *self, BeckonToolCall *call)
{
  g_hash_table_remove (self->entries, beckon_tool_call_get_id (call));
}

/* --- Work ---------------------------------------------------------------------------------------------------------- */

gboolean
beckon_call_batch_mark (BeckonCallBatch *self, BeckonToolCall *call, BeckonCallMark mark)
{
  Entry *entry = take_entry (self, call);
  gboolean is_new = (entry->marks & mark) == 0;

  entry->marks |= mark;
  return is_new;
}

void
beckon_call_batch_unmark (BeckonCallBatch *self, BeckonToolCall *call, BeckonCallMark mark)
{
  Entry *entry = find_entry (self, call);

  if (entry != NULL)
    entry->marks &= ~(guint) mark;
}

gboolean
beckon_call_batch_is_marked (const BeckonCallBatch *self, BeckonToolCall *call, BeckonCallMark mark)
{
  const Entry *entry = find_entry (self, call);

  return entry != NULL && (entry->marks & mark) != 0;
}

guint
beckon_call_batch_enter_tool (BeckonCallBatch *self)
{
  self->n_tools++;
  return self->n_given_up;
}

gboolean
beckon_call_batch_is_heard (const BeckonCallBatch *self, guint entered)
{
  return entered == self->n_given_up;
}

gboolean
beckon_call_batch_leave_tool (BeckonCallBatch *self, guint entered)
{
  if (!beckon_call_batch_is_heard (self, entered))
    return FALSE;
  self->n_tools--;
  return TRUE;
}

void
beckon_call_batch_give_up_tools (BeckonCallBatch *self)
{
  self->n_tools = 0;
  self->n_given_up++;
}

gboolean
beckon_call_batch_has_tools (const BeckonCallBatch *self)
{
  return self->n_tools > 0;
}

void
beckon_call_batch_enter_landing (BeckonCallBatch *self)
{
  self->n_landings++;
}

void
beckon_call_batch_end_landing (BeckonCallBatch *self)
{
  self->n_landings--;
}

gboolean
beckon_call_batch_is_busy (const BeckonCallBatch *self)
{
  return self->n_tools > 0 || self->n_landings > 0;
}
