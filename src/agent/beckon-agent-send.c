/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-agent-private.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "base/beckon-id.h"
#include "beckon-own-command.h"
#include "domain/beckon-attachment.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define TITLE_CHARS 60

/*
 * The way of a message to its turn, which it begins, or to the queue while the agent works, where each is a row of its own
 * until it is a message.
 */

/* --- Attached files ------------------------------------------------------------------------------------------------ */

/* Their content is treated like a tool's reading: a secret in it goes to no model, and into no history. */

static gboolean
is_text (BeckonPart *part)
{
  return beckon_attachment_get_name (part) != NULL && beckon_part_get_kind (part) == BECKON_PART_TEXT;
}

static gboolean
agent_has_text_files (BeckonAgent *agent, GPtrArray *files)
{
  gboolean has_some = FALSE;

  for (guint i = 0; i < files->len; i++)
    has_some = has_some || is_text (g_ptr_array_index (files, i));
  return has_some && beckon_inbox_get_vault (agent->parts.inbox) != NULL;
}

/* A page breaks its lines where they are full: within a long secret, and between the words of one that has several. */
static gboolean
finds_across_lines (BeckonMask *mask, BeckonPart *part, const char *between)
{
  const char *text = beckon_part_get_text (part);
  g_autoptr (GString) joined = g_string_sized_new (beckon_part_get_length (part));

  for (gsize i = 0; i < beckon_part_get_length (part); i++)
    if (!g_ascii_isspace (text[i]))
      g_string_append_c (joined, text[i]);
    else if (i > 0 && !g_ascii_isspace (text[i - 1]))
      g_string_append (joined, between);
  return beckon_mask_finds (mask, joined->str, joined->len);
}

static gboolean
finds_broken (BeckonMask *mask, BeckonPart *part)
{
  return finds_across_lines (mask, part, "") || finds_across_lines (mask, part, " ");
}

/* The file itself can't be masked, so that its text goes alone. @mask: (nullable) */
static BeckonPart *
mask_pdf (BeckonMask *mask, BeckonPart *part)
{
  gsize length;
  const char *content = beckon_attachment_get_content (part, &length);
  g_autofree char *text = g_strndup (content, length);
  g_autofree char *masked = mask != NULL ? beckon_mask_apply (mask, text) : g_strdup (text);
  g_autoptr (BeckonPart) copy = beckon_attachment_new_masked_pdf (part, masked);

  if (mask != NULL && finds_broken (mask, copy))
    return beckon_attachment_new_masked_pdf (part, NULL);
  return g_steal_pointer (&copy);
}

static gboolean
finds (BeckonMask *mask, BeckonPart *part)
{
  return mask != NULL && beckon_mask_finds (mask, beckon_part_get_text (part), beckon_part_get_length (part));
}

/* @mask: (nullable): nothing is known. @has_hole: what is not found may be a secret all the same */
static BeckonPart *
mask_part (BeckonMask *mask, gboolean has_hole, BeckonPart *part)
{
  g_autofree char *masked = NULL;
  BeckonPart *copy;

  if (!is_text (part))
    return g_object_ref (part);
  if (beckon_part_get_file (part) != NULL)
    return has_hole || finds (mask, part) || (mask != NULL && finds_broken (mask, part)) ? mask_pdf (mask, part)
                                                                                        : g_object_ref (part);
  if (!finds (mask, part))
    return g_object_ref (part);
  masked = beckon_mask_apply (mask, beckon_part_get_text (part));
  copy = beckon_part_new (BECKON_PART_TEXT, masked);
  beckon_part_set_origin (copy, beckon_part_get_origin (part));
  return copy;
}

static void
agent_files_on_mask_made (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GPtrArray *files = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (BeckonMask) mask = beckon_known_secrets_make_mask_finish (BECKON_KNOWN_SECRETS (source), result, &error);
  gboolean has_hole = beckon_known_secrets_has_hole (BECKON_KNOWN_SECRETS (source));
  GPtrArray *masked;

  if (error != NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  masked = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < files->len; i++)
    g_ptr_array_add (masked, mask_part (mask, has_hole, g_ptr_array_index (files, i)));
  g_task_return_pointer (task, masked, (GDestroyNotify) g_ptr_array_unref);
}

static void
agent_mask_files_async (BeckonAgent *agent, GPtrArray *files, GCancellable *cancellable, GAsyncReadyCallback callback,
                               gpointer user_data)
{
  g_autoptr (GPtrArray) no_handles = g_ptr_array_new ();
  GTask *task = g_task_new (agent, cancellable, callback, user_data);

  g_task_set_source_tag (task, agent_mask_files_async);
  g_task_set_task_data (task, g_ptr_array_ref (files), (GDestroyNotify) g_ptr_array_unref);
  beckon_known_secrets_make_mask_async (agent->parts.secrets, no_handles, cancellable, agent_files_on_mask_made, task);
}

static BECKON_FINISH_POINTER (GPtrArray *, agent_mask_files, BeckonAgent)

/* --- The beginning of a turn --------------------------------------------------------------------------------------- */

void
beckon_agent_return_taken (GTask *task)
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
    {
      Begin *again = begin_new (begin->conversation, begin->message, begin->files, begin->left_id);

      g_set_object (&again->queued, begin->queued);
      again->again = TRUE;
      begin_run (agent, task, again);
    }
  else if (begin->message == NULL && begin->left_id == NULL)
    g_task_return_boolean (task, TRUE);
  else
    beckon_agent_return_taken (task);
}

static void
begin_failed (BeckonAgent *agent, GTask *task, GError *error)
{
  Begin *begin = g_task_get_task_data (task);
  const char *id = beckon_conversation_get_id (begin->conversation);
  gboolean stopped = g_hash_table_remove (agent->stop_soon, id);

  g_hash_table_remove (agent->runs, id);
  /* A run of this process that could not write its end is still open in the store, and nobody drives it. */
  if (stopped || begin->again || !g_error_matches (error, BECKON_ERROR, BECKON_ERROR_CONFLICT))
    {
      g_task_return_error (task, error);
      if (g_hash_table_size (agent->runs) == 0)
        g_signal_emit_by_name (agent, "idle");
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

static void
agent_empty_draft (BeckonConversation *conversation, GPtrArray *sent)
{
  GListStore *files = beckon_conversation_get_files (conversation);
  guint place;

  beckon_conversation_set_draft (conversation, NULL);
  for (guint i = 0; sent != NULL && i < sent->len; i++)
    if (g_list_store_find (files, g_ptr_array_index (sent, i), &place))
      g_list_store_remove (files, place);
}

static void
agent_on_begun (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonAgent *agent = g_task_get_source_object (task);
  Begin *begin = g_task_get_task_data (task);
  g_autoptr (BeckonRun) run = NULL;
  GError *error = NULL;
  guint position;

  if (!beckon_store_commit_finish (BECKON_STORE (source), result, &error))
    {
      begin_failed (agent, task, error);
      return;
    }
  if (begin->left_id != NULL && beckon_conversation_find_position (begin->conversation, begin->left_id, &position))
    beckon_conversation_leave (begin->conversation, position);
  if (begin->message != NULL)
    beckon_conversation_add_message (begin->conversation, begin->message);
  if (begin->queued != NULL)
    beckon_conversation_forget_queued (begin->conversation, beckon_queue_item_get_id (begin->queued));
  else if (begin->message != NULL && begin->left_id == NULL)
    agent_empty_draft (begin->conversation, begin->files);
  beckon_library_touch (agent->parts.library, begin->conversation);
  cancel_asked (agent, begin->conversation);
  if (begin->left_id != NULL)
    beckon_run_tell_inbox (&agent->parts, beckon_conversation_get_id (begin->conversation));
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

/* (transfer full): the first line, cut. */
static char *
agent_cut_title (const char *text)
{
  g_autofree char *line = g_strstrip (g_strdup (text));
  char *end = strpbrk (line, "\r\n");

  if (end != NULL)
    *end = '\0';
  if (g_utf8_strlen (line, -1) <= TITLE_CHARS)
    return g_steal_pointer (&line);
  *g_utf8_offset_to_pointer (line, TITLE_CHARS - 1) = '\0';
  return g_strconcat (g_strchomp (line), "…", NULL);
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
        return agent_cut_title (beckon_part_get_text (part));
      if (*source == '\0' && name != NULL)
        source = name;
    }
  return agent_cut_title (source);
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
  BeckonProfile *profile;

  begin->record = beckon_agent_make_record (agent, conversation);
  /* A conversation stays with its provider when another is chosen for new ones. The tour was chosen by nobody. */
  profile = beckon_profiles_lookup (agent->parts.profiles, begin->record->profile_id);
  if (beckon_conversation_get_profile_id (conversation) == NULL && profile != NULL
      && beckon_profile_get_kind (profile) != BECKON_PROFILE_TOUR)
    beckon_conversation_set_profile_id (conversation, begin->record->profile_id);
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

/* As far as this process knows. */
static gboolean
agent_is_free (BeckonAgent *agent, BeckonConversation *conversation)
{
  const char *id = beckon_conversation_get_id (conversation);
  BeckonRun *run = g_hash_table_lookup (agent->runs, id);

  return !g_hash_table_contains (agent->runs, id) || (run != NULL && beckon_run_is_over (run));
}

static gboolean
check_free (BeckonAgent *agent, BeckonConversation *conversation, GTask *task)
{
  if (agent_is_free (agent, conversation))
    return TRUE;
  beckon_agent_return_taken (task);
  return FALSE;
}

static void
agent_begin_queued (BeckonAgent *agent, BeckonConversation *conversation, BeckonQueueItem *item, GTask *task)
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
agent_on_sent_files_masked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonAgent *agent = BECKON_AGENT (source);
  GError *error = NULL;
  g_autoptr (GPtrArray) masked = agent_mask_files_finish (agent, result, &error);
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

  if (agent_has_text_files (agent, sending->files))
    agent_mask_files_async (agent, sending->files, g_task_get_cancellable (task), agent_on_sent_files_masked,
                            g_object_ref (task));
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

/* --- The queue ----------------------------------------------------------------------------------------------------- */

typedef struct
{
  BeckonConversation *conversation; /* (owned) */
  BeckonQueueItem *item;            /* (owned) */
  GPtrArray *files;                 /* (owned) (nullable): as they were attached */
  char *draft;                      /* (owned) (nullable) */
  BeckonBatch *with;                /* (owned) (nullable) */
  gboolean keeps_draft;
} Queueing;

static void
queueing_free (gpointer data)
{
  Queueing *queueing = data;

  g_object_unref (queueing->conversation);
  g_clear_object (&queueing->item);
  g_clear_pointer (&queueing->files, g_ptr_array_unref);
  g_free (queueing->draft);
  g_clear_pointer (&queueing->with, beckon_batch_free);
  g_free (queueing);
}

static GTask *
task_new (BeckonAgent *agent, BeckonConversation *conversation, BeckonQueueItem *item, GCancellable *cancellable,
          GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (agent, cancellable, callback, user_data);
  Queueing *queueing = g_new0 (Queueing, 1);

  queueing->conversation = g_object_ref (conversation);
  g_set_object (&queueing->item, item);
  g_task_set_task_data (task, queueing, queueing_free);
  /* Cancelled too late, it is stored all the same. */
  g_task_set_check_cancellable (task, FALSE);
  return task;
}

static void
return_gone (GTask *task)
{
  g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_NOT_FOUND, "%s", _("This message was already sent or removed."));
}

/* --- The end of a turn --------------------------------------------------------------------------------------------- */

static gboolean
may_follow (BeckonConversation *conversation, BeckonQueueItem *item)
{
  switch (beckon_conversation_get_phase (conversation))
    {
    case BECKON_RUN_COMPLETE:
    case BECKON_RUN_DISMISSED:
      return TRUE;
    case BECKON_RUN_CUT_OFF:
    case BECKON_RUN_LENGTH:
    case BECKON_RUN_ROUND_LIMIT:
    case BECKON_RUN_REFUSED:
    case BECKON_RUN_FILTERED:
    case BECKON_RUN_PAUSED:
      return beckon_queue_item_get_sends_now (item);
    case BECKON_RUN_STOPPED:
    case BECKON_RUN_FAILED:
    case BECKON_RUN_ASKED:
    case BECKON_RUN_QUEUED:
    case BECKON_RUN_REQUESTING:
    case BECKON_RUN_RETRY_WAIT:
    case BECKON_RUN_RECEIVING:
    case BECKON_RUN_CALLING:
    case BECKON_RUN_WAITING:
    default:
      return FALSE;
    }
}

/* (nullable): the first one that is to be sent now, or the first one of all. */
static BeckonQueueItem *
dup_next (BeckonConversation *conversation)
{
  GListModel *queue = G_LIST_MODEL (beckon_conversation_get_queue (conversation));

  for (guint i = 0; i < g_list_model_get_n_items (queue); i++)
    {
      g_autoptr (BeckonQueueItem) item = g_list_model_get_item (queue, i);

      if (beckon_queue_item_get_sends_now (item))
        return g_steal_pointer (&item);
    }
  return g_list_model_get_item (queue, 0);
}

typedef struct
{
  BeckonConversation *conversation; /* (owned) */
  BeckonQueueItem *item;            /* (owned) */
} Following;

static void
following_free (Following *following)
{
  g_object_unref (following->conversation);
  g_object_unref (following->item);
  g_free (following);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Following, following_free)

static void agent_queue_follow (BeckonAgent *agent, BeckonConversation *conversation);

/* A message that was removed meanwhile keeps none behind it waiting. */
static void
on_followed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Following) following = user_data;
  g_autoptr (GError) error = NULL;

  if (g_task_propagate_boolean (G_TASK (result), &error))
    return;
  g_debug ("a queued message was not sent: %s", error->message);
  if (!g_error_matches (error, BECKON_ERROR, BECKON_ERROR_NOT_FOUND))
    return;
  beckon_conversation_forget_queued (following->conversation, beckon_queue_item_get_id (following->item));
  agent_queue_follow (BECKON_AGENT (source), following->conversation);
}

/* Several windows may hear of the end: the row lets only one of them send it. */
static void
agent_queue_follow (BeckonAgent *agent, BeckonConversation *conversation)
{
  g_autoptr (BeckonQueueItem) item = dup_next (conversation);
  g_autoptr (GTask) task = NULL;
  Following *following;

  if (item == NULL || g_cancellable_is_cancelled (agent->letting_go) || !agent_is_free (agent, conversation)
      || !may_follow (conversation, item))
    return;
  following = g_new (Following, 1);
  following->conversation = g_object_ref (conversation);
  following->item = g_object_ref (item);
  task = g_task_new (agent, NULL, on_followed, following);
  g_task_set_source_tag (task, agent_queue_follow);
  agent_begin_queued (agent, conversation, item, task);
}

/* A message to be seen now begins the next round of a turn that rests; or the turn has ended meanwhile. */
static void
agent_queue_go_on (BeckonAgent *agent, BeckonConversation *conversation)
{
  BeckonRun *run = g_hash_table_lookup (agent->runs, beckon_conversation_get_id (conversation));

  if (run != NULL)
    beckon_run_note_news (run);
  agent_queue_follow (agent, conversation);
}

static void
agent_queue_on_phase (BeckonAgent *agent, GParamSpec *pspec, BeckonConversation *conversation)
{
  if (agent->follows_queue && !beckon_conversation_is_busy (conversation))
    agent_queue_follow (agent, conversation);
}

void
beckon_agent_watch_queue (BeckonAgent *agent, BeckonConversation *conversation)
{
  if (g_list_model_get_n_items (G_LIST_MODEL (beckon_conversation_get_queue (conversation))) == 0)
    return;
  g_signal_handlers_disconnect_by_func (conversation, agent_queue_on_phase, agent);
  g_signal_connect_object (conversation, "notify::phase", G_CALLBACK (agent_queue_on_phase), agent, G_CONNECT_SWAPPED);
}

/* --- Queueing ------------------------------------------------------------------------------------------------------ */

static void
agent_queue_on_queued (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonAgent *agent = g_task_get_source_object (task);
  Queueing *queueing = g_task_get_task_data (task);
  GError *error = NULL;

  if (!beckon_store_commit_finish (BECKON_STORE (source), result, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  if (!queueing->keeps_draft)
    agent_empty_draft (queueing->conversation, queueing->files);
  if (beckon_conversation_find_queued (queueing->conversation, beckon_queue_item_get_id (queueing->item)) == NULL)
    g_list_store_append (beckon_conversation_get_queue (queueing->conversation), queueing->item);
  beckon_agent_watch_queue (agent, queueing->conversation);
  agent_queue_go_on (agent, queueing->conversation);
  g_task_return_boolean (task, TRUE);
}

/* @files: as they go into the message. */
static void
store_queued (BeckonAgent *agent, GTask *task, GPtrArray *files)
{
  Queueing *queueing = g_task_get_task_data (task);
  const char *id = beckon_conversation_get_id (queueing->conversation);
  BeckonBatch *batch = queueing->with != NULL ? g_steal_pointer (&queueing->with)
                                              : beckon_batch_new (BECKON_DURABILITY_NORMAL);
  g_autoptr (BeckonQueueItem) typed = g_steal_pointer (&queueing->item);

  queueing->item = beckon_queue_item_new (beckon_queue_item_get_id (typed), beckon_queue_item_get_text (typed), files,
                                          beckon_queue_item_get_sends_now (typed));
  beckon_batch_put_conversation (batch, queueing->conversation);
  beckon_batch_add_queued (batch, id, queueing->item);
  if (!queueing->keeps_draft)
    beckon_batch_set_draft (batch, id, NULL);
  if (!queueing->keeps_draft && files->len > 0)
    beckon_batch_set_draft_files (batch, id, NULL);
  beckon_store_commit_async (agent->parts.store, batch, g_task_get_cancellable (task), agent_queue_on_queued,
                             g_object_ref (task));
}

static void
agent_on_queued_files_masked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonAgent *agent = BECKON_AGENT (source);
  GError *error = NULL;
  g_autoptr (GPtrArray) masked = agent_mask_files_finish (agent, result, &error);

  if (masked == NULL)
    g_task_return_error (task, error);
  else
    store_queued (agent, task, masked);
}

void
beckon_agent_queue_async (BeckonAgent *agent, BeckonConversation *conversation, const char *text, GPtrArray *files,
                          gboolean sends_now, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autofree char *id = beckon_id_new ();

  beckon_agent_queue_with_async (agent, conversation, id, text, files, sends_now, NULL, cancellable, callback, user_data);
}

void
beckon_agent_queue_with_async (BeckonAgent *agent, BeckonConversation *conversation, const char *id, const char *text,
                               GPtrArray *files, gboolean sends_now, BeckonBatch *with, GCancellable *cancellable,
                               GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  g_autoptr (BeckonQueueItem) item = NULL;
  Queueing *queueing;

  g_return_if_fail (BECKON_IS_AGENT (agent));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation) && beckon_conversation_get_loaded (conversation));
  g_return_if_fail (id != NULL && text != NULL && files != NULL);

  item = beckon_queue_item_new (id, text, files, sends_now);
  task = task_new (agent, conversation, item, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_agent_queue_async);
  queueing = g_task_get_task_data (task);
  queueing->files = g_ptr_array_ref (beckon_queue_item_get_files (item));
  queueing->with = with;
  queueing->keeps_draft = with != NULL;
  if (agent_has_text_files (agent, queueing->files))
    agent_mask_files_async (agent, queueing->files, cancellable, agent_on_queued_files_masked, g_object_ref (task));
  else
    store_queued (agent, task, queueing->files);
}

BECKON_FINISH_BOOLEAN (beckon_agent_queue, BeckonAgent)

/* --- Sending now --------------------------------------------------------------------------------------------------- */

static void
on_marked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonAgent *agent = g_task_get_source_object (task);
  Queueing *queueing = g_task_get_task_data (task);
  GError *error = NULL;

  if (!beckon_store_commit_finish (BECKON_STORE (source), result, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  beckon_queue_item_set_sends_now (queueing->item, TRUE);
  beckon_agent_watch_queue (agent, queueing->conversation);
  agent_queue_go_on (agent, queueing->conversation);
  g_task_return_boolean (task, TRUE);
}

void
beckon_agent_send_queued_async (BeckonAgent *agent, BeckonConversation *conversation, const char *item_id,
                                GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  BeckonQueueItem *item;
  BeckonBatch *batch;

  g_return_if_fail (BECKON_IS_AGENT (agent));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation) && item_id != NULL);

  item = beckon_conversation_find_queued (conversation, item_id);
  task = task_new (agent, conversation, item, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_agent_send_queued_async);
  if (item == NULL)
    {
      return_gone (task);
      return;
    }
  if (!beckon_conversation_is_busy (conversation) && agent_is_free (agent, conversation))
    {
      agent_begin_queued (agent, conversation, item, task);
      return;
    }
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_batch_send_queued_now (batch, beckon_conversation_get_id (conversation), item);
  beckon_store_commit_async (agent->parts.store, batch, cancellable, on_marked, g_steal_pointer (&task));
}

BECKON_FINISH_BOOLEAN (beckon_agent_send_queued, BeckonAgent)

/* --- Removing ------------------------------------------------------------------------------------------------------ */

/* (transfer full): the draft's files, with those of @item. */
static GListStore *
join_files (BeckonConversation *conversation, BeckonQueueItem *item)
{
  GListModel *files = G_LIST_MODEL (beckon_conversation_get_files (conversation));
  GPtrArray *added = beckon_queue_item_get_files (item);
  GListStore *joined = g_list_store_new (BECKON_TYPE_PART);

  for (guint i = 0; i < g_list_model_get_n_items (files); i++)
    {
      g_autoptr (BeckonPart) part = g_list_model_get_item (files, i);

      g_list_store_append (joined, part);
    }
  for (guint i = 0; i < added->len; i++)
    g_list_store_append (joined, g_ptr_array_index (added, i));
  return joined;
}

static void
agent_queue_on_removed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Queueing *queueing = g_task_get_task_data (task);
  GPtrArray *added = beckon_queue_item_get_files (queueing->item);
  GError *error = NULL;

  if (!beckon_store_commit_finish (BECKON_STORE (source), result, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  beckon_conversation_forget_queued (queueing->conversation, beckon_queue_item_get_id (queueing->item));
  if (queueing->draft != NULL)
    {
      beckon_conversation_set_draft (queueing->conversation, queueing->draft);
      for (guint i = 0; i < added->len; i++)
        g_list_store_append (beckon_conversation_get_files (queueing->conversation), g_ptr_array_index (added, i));
    }
  g_task_return_boolean (task, TRUE);
}

void
beckon_agent_remove_queued_async (BeckonAgent *agent, BeckonConversation *conversation, const char *item_id,
                                  const char *draft, GCancellable *cancellable, GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  BeckonQueueItem *item;
  BeckonBatch *batch;
  const char *id;

  g_return_if_fail (BECKON_IS_AGENT (agent));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation) && item_id != NULL);

  id = beckon_conversation_get_id (conversation);
  item = beckon_conversation_find_queued (conversation, item_id);
  task = task_new (agent, conversation, item, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_agent_remove_queued_async);
  if (item == NULL)
    {
      return_gone (task);
      return;
    }
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_batch_remove_queued (batch, id, item);
  if (draft != NULL)
    {
      g_autoptr (GListStore) files = join_files (conversation, item);

      ((Queueing *) g_task_get_task_data (task))->draft = g_strdup (draft);
      beckon_batch_set_draft (batch, id, draft);
      beckon_batch_set_draft_files (batch, id, G_LIST_MODEL (files));
    }
  beckon_store_commit_async (agent->parts.store, batch, cancellable, agent_queue_on_removed, g_steal_pointer (&task));
}

BECKON_FINISH_BOOLEAN (beckon_agent_remove_queued, BeckonAgent)
