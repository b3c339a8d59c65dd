/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-agent-private.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "beckon-landing-upkeep.h"
#include "beckon-own-command.h"
#include "beckon-prompt.h"
#include "beckon-run-rest.h"
#include "beckon-run.h"
#include "domain/beckon-attachment.h"

#include <glib/gi18n-lib.h>

G_DEFINE_FINAL_TYPE_WITH_CODE (BeckonAgent, beckon_agent, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_PLAN_TOOLS, beckon_agent_plan_tools_init)
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_KEEP_CHECK, beckon_agent_keep_check_init)
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_CALL_PREVIEWER, beckon_agent_call_previewer_init))

enum
{
  SIGNAL_DRIVEN,
  SIGNAL_LET_GO,
  SIGNAL_IDLE,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

gboolean
beckon_agent_is_at_rest (BeckonAgent *agent)
{
  GHashTableIter iter;
  gpointer run;

  g_hash_table_iter_init (&iter, agent->runs);
  while (g_hash_table_iter_next (&iter, NULL, &run))
    if (run == NULL || beckon_conversation_get_phase (beckon_run_get_conversation (run)) != BECKON_RUN_WAITING)
      return FALSE;

  return TRUE;
}

static void
on_phase_changed (BeckonAgent *agent, GParamSpec *pspec, BeckonConversation *conversation)
{
  if (agent->titler != NULL && beckon_conversation_get_phase (conversation) == BECKON_RUN_WAITING)
    beckon_titler_work (agent->titler);
}

static void
on_driven (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonAgent) agent = user_data;
  BeckonRun *run = BECKON_RUN (source);
  const char *id = beckon_conversation_get_id (beckon_run_get_conversation (run));
  g_autoptr (GError) error = NULL;

  if (!beckon_run_drive_finish (run, result, &error))
    g_debug ("run of %s: %s", id, error->message);
  if (g_hash_table_lookup (agent->runs, id) == run)
    g_hash_table_remove (agent->runs, id);
  if (beckon_conversation_get_phase (beckon_run_get_conversation (run)) == BECKON_RUN_ASKED)
    g_hash_table_add (agent->asked, g_strdup (id));
  g_signal_handlers_disconnect_by_func (beckon_run_get_conversation (run), on_phase_changed, agent);
  if (agent->titler != NULL)
    beckon_titler_note (agent->titler, beckon_run_get_conversation (run));
  g_signal_emit (agent, signals[SIGNAL_LET_GO], 0, beckon_run_get_conversation (run));
  if (agent->titler != NULL)
    beckon_titler_work (agent->titler);
  if (g_hash_table_size (agent->runs) == 0)
    g_signal_emit (agent, signals[SIGNAL_IDLE], 0);
}

void
beckon_agent_drive (BeckonAgent *agent, BeckonRun *run)
{
  const char *id = beckon_conversation_get_id (beckon_run_get_conversation (run));

  g_hash_table_replace (agent->runs, g_strdup (id), g_object_ref (run));
  g_signal_connect_object (beckon_run_get_conversation (run), "notify::phase", G_CALLBACK (on_phase_changed), agent,
                           G_CONNECT_SWAPPED);
  g_signal_emit (agent, signals[SIGNAL_DRIVEN], 0, beckon_run_get_conversation (run));
  beckon_agent_watch_queue (agent, beckon_run_get_conversation (run));
  beckon_run_drive_async (run, agent->letting_go, on_driven, g_object_ref (agent));
}

static void
return_taken (GTask *task)
{
  g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_CONFLICT, "%s",
                           _ ("The agent is still working here. Stop it first, or wait until it has finished."));
}

typedef struct
{
  BeckonConversation *conversation;
  BeckonMessage *message; /* (nullable) */
  BeckonRunRecord *record;
  gboolean again; /* what was in the way was taken up before */
  char *left_id;  /* (nullable): a message of which there is to be another version */
  GPtrArray *files; /* (owned) (nullable) (element-type BeckonPart): as they were attached */
  BeckonQueueItem *queued; /* (owned) (nullable): what @message was */
} Begin;

static void
begin_free (Begin *begin)
{
  g_clear_object (&begin->conversation);
  g_clear_pointer (&begin->files, g_ptr_array_unref);
  g_clear_object (&begin->message);
  g_clear_object (&begin->queued);
  g_clear_pointer (&begin->record, beckon_run_record_free);
  g_free (begin->left_id);
  g_free (begin);
}

/* @message: (nullable). @files: (nullable) */
static Begin *
begin_new (BeckonConversation *conversation, BeckonMessage *message, GPtrArray *files, const char *left_id)
{
  Begin *begin = g_new0 (Begin, 1);

  begin->conversation = g_object_ref (conversation);
  g_set_object (&begin->message, message);
  begin->files = files != NULL ? g_ptr_array_ref (files) : NULL;
  begin->left_id = g_strdup (left_id);
  return begin;
}

/* The same, for another attempt. */
static Begin *
begin_new_again (const Begin *begin)
{
  Begin *again = begin_new (begin->conversation, begin->message, begin->files, begin->left_id);

  g_set_object (&again->queued, begin->queued);
  again->again = TRUE;
  return again;
}

static void begin_run (BeckonAgent *agent, GTask *task, Begin *begin);

/* The run that was in the way is driven again, or it is over now and makes way. To continue means either. */
static void
agent_on_resumed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonAgent *agent = BECKON_AGENT (source);
  Begin *begin = g_task_get_task_data (task);
  GError *error = NULL;

  if (!beckon_agent_resume_finish (agent, result, &error))
    g_task_return_error (task, error);
  else if (!g_hash_table_contains (agent->runs, beckon_conversation_get_id (begin->conversation)))
    begin_run (agent, task, begin_new_again (begin));
  else if (begin->message == NULL && begin->left_id == NULL)
    g_task_return_boolean (task, TRUE);
  else
    return_taken (task);
}

/* A run of this process that could not write its end is still open in the store, and nobody drives it. */
static gboolean
may_be_left (const Begin *begin, const GError *error)
{
  return !begin->again && g_error_matches (error, BECKON_ERROR, BECKON_ERROR_CONFLICT);
}

static void
begin_failed (BeckonAgent *agent, GTask *task, GError *error)
{
  Begin *begin = g_task_get_task_data (task);
  const char *id = beckon_conversation_get_id (begin->conversation);
  gboolean stopped = g_hash_table_remove (agent->stop_soon, id);

  g_hash_table_remove (agent->runs, id);
  if (stopped || !may_be_left (begin, error))
    {
      g_task_return_error (task, error);
      if (g_hash_table_size (agent->runs) == 0)
        g_signal_emit (agent, signals[SIGNAL_IDLE], 0);
      return;
    }
  g_error_free (error);
  beckon_agent_resume_async (agent, begin->conversation, g_task_get_cancellable (task), agent_on_resumed, g_object_ref (task));
}

/* The last turn's open questions are cancelled in the store by the added run. */
static void
cancel_asked (BeckonAgent *agent, BeckonConversation *conversation)
{
  GListModel *inbox = G_LIST_MODEL (agent->parts.inbox);
  const char *id = beckon_conversation_get_id (conversation);

  g_hash_table_remove (agent->asked, id);
  if (!beckon_conversation_get_has_run (conversation)
      || beckon_conversation_get_phase (conversation) != BECKON_RUN_ASKED)
    return;

  for (guint i = g_list_model_get_n_items (inbox); i > 0; i--)
    {
      g_autoptr (BeckonRequest) request = g_list_model_get_item (inbox, i - 1);

      if (request != NULL && g_strcmp0 (beckon_request_get_conversation_id (request), id) == 0)
        beckon_inbox_note_settled (agent->parts.inbox, request, BECKON_REQUEST_CANCELLED, NULL, "agent", g_get_user_name (),
                                   beckon_clock_get_real_time (agent->parts.clock));
    }
}

void
beckon_agent_empty_draft (BeckonConversation *conversation, GPtrArray *sent)
{
  GListStore *files = beckon_conversation_get_files (conversation);
  guint place;

  beckon_conversation_set_draft (conversation, NULL);
  for (guint i = 0; sent != NULL && i < sent->len; i++)
    if (g_list_store_find (files, g_ptr_array_index (sent, i), &place))
      g_list_store_remove (files, place);
}

static void
leave_message (BeckonConversation *conversation, const char *message_id)
{
  guint position;

  if (beckon_conversation_find_position (conversation, message_id, &position))
    beckon_conversation_leave (conversation, position);
}

static void
agent_on_begun (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonAgent *agent = g_task_get_source_object (task);
  Begin *begin = g_task_get_task_data (task);
  g_autoptr (BeckonRun) run = NULL;
  GError *error = NULL;

  if (!beckon_store_commit_finish (BECKON_STORE (source), result, &error))
    {
      begin_failed (agent, task, error);
      return;
    }
  if (begin->left_id != NULL)
    leave_message (begin->conversation, begin->left_id);
  if (begin->message != NULL)
    beckon_conversation_add_message (begin->conversation, begin->message);
  if (begin->queued != NULL)
    beckon_conversation_forget_queued (begin->conversation, beckon_queue_item_get_id (begin->queued));
  else if (begin->message != NULL && begin->left_id == NULL)
    beckon_agent_empty_draft (begin->conversation, begin->files);
  beckon_library_touch (agent->parts.library, begin->conversation);
  cancel_asked (agent, begin->conversation);
  if (begin->left_id != NULL)
    beckon_run_rest_tell_inbox (&agent->parts, beckon_conversation_get_id (begin->conversation));
  beckon_conversation_set_phase (begin->conversation, BECKON_RUN_QUEUED, NULL, 0);
  run = beckon_run_new (&agent->parts, begin->conversation, g_steal_pointer (&begin->record), agent->has_person);
  beckon_agent_drive (agent, run);
  if (g_hash_table_remove (agent->stop_soon, beckon_conversation_get_id (begin->conversation)))
    beckon_run_stop (run);
  g_task_return_boolean (task, TRUE);
}

BeckonRunRecord *
beckon_agent_make_record (BeckonAgent *agent, BeckonConversation *conversation)
{
  g_autofree char *fallback = beckon_settings_dup_default_profile (agent->parts.settings);
  BeckonProfile *profile = beckon_agent_parts_find_profile (&agent->parts, conversation);

  return beckon_run_record_new (beckon_conversation_get_id (conversation),
                                profile != NULL ? beckon_profile_get_id (profile) : fallback,
                                profile != NULL ? beckon_profile_get_effective_rounds (profile)
                                : BECKON_PROFILE_ROUNDS_DEFAULT);
}

static gboolean
has_files (BeckonMessage *message)
{
  return beckon_attachment_get_name (beckon_message_get_part (message, 0)) != NULL;
}

/* Something to find it by: the first words, or the name of a file. */
static char *
make_title (BeckonMessage *message)
{
  const char *source = "";

  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonPart *part = beckon_message_get_part (message, i);
      const char *name = beckon_attachment_get_name (part);

      if (name == NULL && beckon_part_get_kind (part) == BECKON_PART_TEXT && *beckon_part_get_text (part) != '\0')
        return beckon_prompt_title (beckon_part_get_text (part));
      if (*source == '\0' && name != NULL)
        source = name;
    }
  return beckon_prompt_title (source);
}

static void
name_conversation (BeckonConversation *conversation, BeckonMessage *message)
{
  g_autofree char *title = *beckon_conversation_get_title (conversation) == '\0' ? make_title (message) : NULL;

  if (title != NULL)
    beckon_conversation_set_title (conversation, title);
}

/* A title made from @left follows the new words. */
static void
follow_title (BeckonBatch *batch, BeckonConversation *conversation, BeckonMessage *left, BeckonMessage *message)
{
  g_autofree char *old = make_title (left);
  g_autofree char *title = make_title (message);

  if (beckon_conversation_get_title_source (conversation) != BECKON_TITLE_MESSAGE
      || !g_str_equal (beckon_conversation_get_title (conversation), old))
    return;
  beckon_conversation_set_title (conversation, title);
  beckon_batch_follow_title (batch, beckon_conversation_get_id (conversation), title);
}

/* A conversation stays with its provider when another is chosen for new ones. The tour was chosen by nobody. */
static void
keep_profile (BeckonAgent *agent, BeckonConversation *conversation, const BeckonRunRecord *record)
{
  BeckonProfile *profile = beckon_profiles_lookup (agent->parts.profiles, record->profile_id);

  if (beckon_conversation_get_profile_id (conversation) == NULL && profile != NULL
      && beckon_profile_get_kind (profile) != BECKON_PROFILE_TOUR)
    beckon_conversation_set_profile_id (conversation, record->profile_id);
}

static void
agent_write_message (BeckonBatch *batch, const Begin *begin)
{
  const char *id = beckon_conversation_get_id (begin->conversation);
  BeckonMessage *left
      = begin->left_id != NULL ? beckon_conversation_find_message (begin->conversation, begin->left_id) : NULL;

  if (left != NULL)
    follow_title (batch, begin->conversation, left, begin->message);
  beckon_message_set_seq (begin->message, left != NULL ? beckon_message_get_seq (left)
                          : beckon_conversation_get_next_seq (begin->conversation));
  beckon_batch_add_message (batch, id, begin->message);
  if (begin->queued != NULL)
    beckon_batch_remove_queued (batch, id, begin->queued);
  else if (begin->left_id == NULL)
    {
      beckon_batch_set_draft (batch, id, NULL);
      if (has_files (begin->message))
        beckon_batch_set_draft_files (batch, id, NULL);
    }
}

/* The conversation, the message and the queued run are one transaction; what is typed meanwhile stays the caller's. Takes
 * @begin. */
static void
begin_run (BeckonAgent *agent, GTask *task, Begin *begin)
{
  BeckonConversation *conversation = begin->conversation;
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  begin->record = beckon_agent_make_record (agent, conversation);
  keep_profile (agent, conversation, begin->record);
  g_task_set_task_data (task, begin, (GDestroyNotify) begin_free);
  /* Cancelled too late, it is stored all the same: then the caller must not think that the text is still his. */
  g_task_set_check_cancellable (task, FALSE);
  beckon_conversation_set_updated_at (conversation, beckon_clock_get_real_time (agent->parts.clock));
  beckon_batch_put_conversation (batch, conversation);
  if (begin->left_id != NULL)
    beckon_batch_leave_message (batch, beckon_conversation_get_id (conversation), begin->left_id);
  if (begin->message != NULL)
    agent_write_message (batch, begin);
  beckon_batch_add_run (batch, begin->record);
  g_hash_table_insert (agent->runs, g_strdup (beckon_conversation_get_id (conversation)), NULL);
  beckon_store_commit_async (agent->parts.store, batch, g_task_get_cancellable (task), agent_on_begun, g_object_ref (task));
}

gboolean
beckon_agent_is_free (BeckonAgent *agent, BeckonConversation *conversation)
{
  const char *id = beckon_conversation_get_id (conversation);
  BeckonRun *run = g_hash_table_lookup (agent->runs, id);

  return !g_hash_table_contains (agent->runs, id) || (run != NULL && beckon_run_is_over (run));
}

static gboolean
check_free (BeckonAgent *agent, BeckonConversation *conversation, GTask *task)
{
  if (beckon_agent_is_free (agent, conversation))
    return TRUE;
  return_taken (task);
  return FALSE;
}

void
beckon_agent_begin_queued (BeckonAgent *agent, BeckonConversation *conversation, BeckonQueueItem *item, GTask *task)
{
  g_autoptr (BeckonMessage) message
      = beckon_steering_make_message (agent->parts.clock, beckon_queue_item_get_id (item), beckon_queue_item_get_text (item),
                                      beckon_queue_item_get_files (item));
  Begin *begin;

  if (!check_free (agent, conversation, task))
    return;
  name_conversation (conversation, message);
  begin = begin_new (conversation, message, NULL, NULL);
  begin->queued = g_object_ref (item);
  begin_run (agent, task, begin);
}

/* A message whose files are looked at for secrets before there is one. */
typedef struct
{
  BeckonConversation *conversation; /* (owned) */
  char *text;                       /* (owned) */
  GPtrArray *files;                 /* (owned) */
  char *left_id;                    /* (owned) (nullable) */
} Sending;

static void
agent_sending_free (gpointer data)
{
  Sending *sending = data;

  g_object_unref (sending->conversation);
  g_free (sending->text);
  g_ptr_array_unref (sending->files);
  g_free (sending->left_id);
  g_free (sending);
}

/* @masked: the files as they go into the message. */
static void
send_message (BeckonAgent *agent, GTask *task, const Sending *sending, GPtrArray *masked)
{
  g_autoptr (BeckonMessage) message = beckon_steering_make_message (agent->parts.clock, NULL, sending->text, masked);

  if (sending->left_id == NULL)
    name_conversation (sending->conversation, message);
  begin_run (agent, task, begin_new (sending->conversation, message, sending->files, sending->left_id));
}

static void
on_files_masked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonAgent *agent = BECKON_AGENT (source);
  GError *error = NULL;
  g_autoptr (GPtrArray) masked = beckon_agent_mask_files_finish (agent, result, &error);
  Sending *sending = g_object_get_data (G_OBJECT (task), "beckon-sending");

  if (masked == NULL)
    g_task_return_error (task, error);
  else if (check_free (agent, sending->conversation, task))
    send_message (agent, task, sending, masked);
}

static void
send_expanded (BeckonAgent *agent, GTask *task)
{
  Sending *sending = g_object_get_data (G_OBJECT (task), "beckon-sending");

  if (beckon_agent_has_text_files (agent, sending->files))
    beckon_agent_mask_files_async (agent, sending->files, g_task_get_cancellable (task), on_files_masked, g_object_ref (task));
  else
    send_message (agent, task, sending, sending->files);
}

static void
on_command_expanded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonAgent *agent = g_task_get_source_object (task);
  Sending *sending = g_object_get_data (G_OBJECT (task), "beckon-sending");

  g_free (sending->text);
  sending->text = beckon_own_command_finish (result);
  if (check_free (agent, sending->conversation, task))
    send_expanded (agent, task);
}

/* Takes @sending. */
static void
begin_sending (BeckonAgent *agent, GTask *task, Sending *sending)
{
  g_object_set_data_full (G_OBJECT (task), "beckon-sending", sending, agent_sending_free);
  if (beckon_own_command_is_possible (sending->text))
    beckon_own_command_async (&agent->parts, sending->conversation, sending->text, on_command_expanded, g_object_ref (task));
  else
    send_expanded (agent, task);
}

static Sending *
sending_new (BeckonConversation *conversation, const char *text, GPtrArray *files, const char *left_id)
{
  Sending *sending = g_new0 (Sending, 1);

  sending->conversation = g_object_ref (conversation);
  sending->text = g_strdup (text);
  sending->files = g_ptr_array_copy (files, (GCopyFunc) (void (*) (void)) g_object_ref, NULL);
  g_ptr_array_set_free_func (sending->files, g_object_unref);
  sending->left_id = g_strdup (left_id);
  return sending;
}

void
beckon_agent_list_commands_async (BeckonAgent *agent, BeckonConversation *conversation, GCancellable *cancellable,
                                  GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_AGENT (agent));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation));

  beckon_own_command_list_async (&agent->parts, conversation, cancellable, callback, user_data);
}

BeckonFolderExtras *
beckon_agent_list_commands_finish (BeckonAgent *agent, GAsyncResult *result, GError **error)
{
  return beckon_own_command_list_finish (result, error);
}

void
beckon_agent_send_files_async (BeckonAgent *agent, BeckonConversation *conversation, const char *text, GPtrArray *files,
                               GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (agent, cancellable, callback, user_data);

  g_return_if_fail (BECKON_IS_AGENT (agent));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation) && beckon_conversation_get_loaded (conversation));
  g_return_if_fail (text != NULL && files != NULL);

  g_task_set_source_tag (task, beckon_agent_send_async);
  if (check_free (agent, conversation, task))
    begin_sending (agent, task, sending_new (conversation, text, files, NULL));
}

void
beckon_agent_edit_async (BeckonAgent *agent, BeckonConversation *conversation, const char *message_id, const char *text,
                         GPtrArray *files, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (agent, cancellable, callback, user_data);

  g_return_if_fail (BECKON_IS_AGENT (agent));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation) && beckon_conversation_get_loaded (conversation));
  g_return_if_fail (message_id != NULL && text != NULL && files != NULL);

  g_task_set_source_tag (task, beckon_agent_send_async);
  if (check_free (agent, conversation, task))
    begin_sending (agent, task, sending_new (conversation, text, files, message_id));
}

void
beckon_agent_regenerate_async (BeckonAgent *agent, BeckonConversation *conversation, const char *message_id,
                               GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (agent, cancellable, callback, user_data);

  g_return_if_fail (BECKON_IS_AGENT (agent));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation) && beckon_conversation_get_loaded (conversation));
  g_return_if_fail (message_id != NULL);

  g_task_set_source_tag (task, beckon_agent_send_async);
  if (check_free (agent, conversation, task))
    begin_run (agent, task, begin_new (conversation, NULL, NULL, message_id));
}

void
beckon_agent_send_async (BeckonAgent *agent, BeckonConversation *conversation, const char *text,
                         GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GPtrArray) none = g_ptr_array_new ();

  beckon_agent_send_files_async (agent, conversation, text, none, cancellable, callback, user_data);
}

BECKON_FINISH_BOOLEAN (beckon_agent_send, BeckonAgent)

/* The reply that is not to be gone on with; (nullable). */
static const char *
find_refused (BeckonConversation *conversation)
{
  guint n = beckon_conversation_get_n_messages (conversation);
  BeckonRunPhase phase = beckon_conversation_get_phase (conversation);
  BeckonMessage *last = n > 0 ? beckon_conversation_get_message (conversation, n - 1) : NULL;

  if (!beckon_conversation_get_has_run (conversation) || last == NULL
      || (phase != BECKON_RUN_REFUSED && phase != BECKON_RUN_FILTERED))
    return NULL;
  return beckon_message_get_role (last) == BECKON_ROLE_ASSISTANT ? beckon_message_get_id (last) : NULL;
}

void
beckon_agent_continue_async (BeckonAgent *agent, BeckonConversation *conversation, GCancellable *cancellable,
                             GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (agent, cancellable, callback, user_data);

  g_return_if_fail (BECKON_IS_AGENT (agent));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation) && beckon_conversation_get_loaded (conversation));

  g_task_set_source_tag (task, beckon_agent_continue_async);
  if (check_free (agent, conversation, task))
    begin_run (agent, task, begin_new (conversation, NULL, NULL, find_refused (conversation)));
}

BECKON_FINISH_BOOLEAN (beckon_agent_continue, BeckonAgent)

void
beckon_agent_stop (BeckonAgent *agent, BeckonConversation *conversation)
{
  const char *id;
  gpointer run;

  g_return_if_fail (BECKON_IS_AGENT (agent));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation));

  id = beckon_conversation_get_id (conversation);
  if (beckon_agent_stop_compacting (agent, id))
    return;
  if (!g_hash_table_lookup_extended (agent->runs, id, NULL, &run))
    beckon_agent_stop_elsewhere (agent, conversation);
  else if (run != NULL)
    beckon_run_stop (run);
  else
    g_hash_table_add (agent->stop_soon, g_strdup (id));
}

static void
on_landed_now (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  BeckonLandNow outcome = beckon_run_land_now_finish (result, &error);

  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_int (task, outcome);
}

void
beckon_agent_land_now_async (BeckonAgent *agent, BeckonConversation *conversation, BeckonToolCall *call,
                             GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  BeckonRun *run;

  g_return_if_fail (BECKON_IS_AGENT (agent));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation));
  g_return_if_fail (BECKON_IS_TOOL_CALL (call));

  task = g_task_new (agent, NULL, callback, user_data);
  g_task_set_source_tag (task, beckon_agent_land_now_async);
  run = g_hash_table_lookup (agent->runs, beckon_conversation_get_id (conversation));
  if (run == NULL)
    g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_CONFLICT, "%s", _("The command is no longer running."));
  else
    beckon_run_land_now_async (run, call, on_landed_now, g_object_ref (task));
}

BeckonLandNow
beckon_agent_land_now_finish (BeckonAgent *agent, GAsyncResult *result, GError **error)
{
  gssize outcome;

  g_return_val_if_fail (g_task_is_valid (result, agent), BECKON_LAND_NOW_FAILED);
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_agent_land_now_async), BECKON_LAND_NOW_FAILED);

  outcome = g_task_propagate_int (G_TASK (result), error);

  return outcome < 0 ? BECKON_LAND_NOW_FAILED : (BeckonLandNow) outcome;
}

guint
beckon_agent_count_runs (BeckonAgent *agent)
{
  g_return_val_if_fail (BECKON_IS_AGENT (agent), 0);

  return g_hash_table_size (agent->runs);
}

gboolean
beckon_agent_is_driving (BeckonAgent *agent, const char *conversation_id)
{
  g_return_val_if_fail (BECKON_IS_AGENT (agent), FALSE);

  return g_hash_table_contains (agent->runs, conversation_id);
}

static void
on_released (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (beckon_run_release_finish (BECKON_RUN (source), result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
beckon_agent_leave_async (BeckonAgent *agent, BeckonConversation *conversation, GAsyncReadyCallback callback,
                          gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (agent, NULL, callback, user_data);
  const char *id;
  gpointer run = NULL;

  g_return_if_fail (BECKON_IS_AGENT (agent));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation));

  g_task_set_source_tag (task, beckon_agent_leave_async);
  id = beckon_conversation_get_id (conversation);
  if (!g_hash_table_lookup_extended (agent->runs, id, NULL, &run))
    g_task_return_boolean (task, TRUE);
  else if (run == NULL)
    return_taken (task);
  else
    beckon_run_release_async (run, on_released, g_steal_pointer (&task));
}

BECKON_FINISH_BOOLEAN (beckon_agent_leave, BeckonAgent)

void
beckon_agent_detach (BeckonAgent *agent)
{
  g_return_if_fail (BECKON_IS_AGENT (agent));

  g_clear_pointer (&agent->titler, beckon_titler_free);
  beckon_agent_unwatch (agent);
  beckon_agent_stop_all_compacting (agent);
  g_cancellable_cancel (agent->letting_go);
}

void
beckon_agent_set_names_conversations (BeckonAgent *agent, gboolean names_conversations)
{
  g_return_if_fail (BECKON_IS_AGENT (agent));

  g_clear_pointer (&agent->titler, beckon_titler_free);
  if (names_conversations)
    agent->titler = beckon_titler_new (agent);
}

void
beckon_agent_set_has_person (BeckonAgent *agent, gboolean has_person)
{
  g_return_if_fail (BECKON_IS_AGENT (agent));

  agent->has_person = has_person;
}

/* Rules that came with an answer hold before its call starts, and before the next one is decided. */
static void
agent_on_settled (BeckonInbox *inbox, BeckonRequest *request, const BeckonSettlement *settlement, BeckonAgent *agent)
{
  const char *id = beckon_request_get_conversation_id (request);
  gpointer run = NULL;

  beckon_agent_remember (agent, request);
  if (!g_hash_table_lookup_extended (agent->runs, id, NULL, &run))
    beckon_agent_take_up_settled (agent, request);
  else if (run != NULL)
    beckon_run_follow_settlement (run, request, settlement);
}

BeckonAgent *
beckon_agent_new (const BeckonAgentParts *parts)
{
  BeckonAgent *agent = g_object_new (BECKON_TYPE_AGENT, NULL);

  beckon_agent_parts_init (&agent->parts, parts);
  beckon_store_set_place_remover (beckon_landing_upkeep_remove);
  beckon_inbox_set_plan_tools (agent->parts.inbox, BECKON_PLAN_TOOLS (agent));
  beckon_inbox_set_keep_check (agent->parts.inbox, BECKON_KEEP_CHECK (agent));
  beckon_inbox_set_previewer (agent->parts.inbox, BECKON_CALL_PREVIEWER (agent));
  g_signal_connect_object (agent->parts.inbox, "settled", G_CALLBACK (agent_on_settled), agent, 0);
  g_signal_connect_object (agent->parts.library, "items-changed", G_CALLBACK (beckon_agent_adopt_listed), agent,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (agent->parts.store, "changed-elsewhere", G_CALLBACK (beckon_agent_follow_store), agent,
                           G_CONNECT_SWAPPED);
  return agent;
}

static void
beckon_agent_dispose (GObject *object)
{
  BeckonAgent *agent = BECKON_AGENT (object);

  g_clear_pointer (&agent->titler, beckon_titler_free);
  beckon_agent_unwatch (agent);
  g_cancellable_cancel (agent->letting_go);
  g_clear_object (&agent->letting_go);
  g_clear_pointer (&agent->runs, g_hash_table_unref);
  g_clear_pointer (&agent->stop_soon, g_hash_table_unref);
  g_clear_pointer (&agent->compacting, g_hash_table_unref);
  g_clear_pointer (&agent->asked, g_hash_table_unref);
  g_clear_pointer (&agent->unlisted, g_hash_table_unref);
  beckon_agent_parts_clear (&agent->parts);
  G_OBJECT_CLASS (beckon_agent_parent_class)->dispose (object);
}

static void
run_unref (gpointer run)
{
  if (run != NULL)
    g_object_unref (run);
}

static void
beckon_agent_class_init (BeckonAgentClass *klass)
{
  signals[SIGNAL_DRIVEN] = g_signal_new ("driven", BECKON_TYPE_AGENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                         1, BECKON_TYPE_CONVERSATION);
  signals[SIGNAL_LET_GO] = g_signal_new ("detached", BECKON_TYPE_AGENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                         1, BECKON_TYPE_CONVERSATION);
  signals[SIGNAL_IDLE]
      = g_signal_new ("idle", BECKON_TYPE_AGENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  G_OBJECT_CLASS (klass)->dispose = beckon_agent_dispose;
}

static void
beckon_agent_init (BeckonAgent *agent)
{
  agent->has_person = TRUE;
  agent->follows_queue = TRUE;
  agent->runs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, run_unref);
  agent->stop_soon = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  agent->compacting = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  agent->asked = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  agent->unlisted = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  agent->letting_go = g_cancellable_new ();
}
