/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-agent-private.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "beckon-compaction.h"
#include "beckon-context.h"
#include "beckon-prompt-facts.h"
#include "beckon-sent-files.h"
#include "beckon-summary.h"

#include <glib/gi18n-lib.h>

/* A summary that the person asked for, between runs. It is the same note that a run writes when its request would not fit.
 * While it is on its way the conversation is busy for everybody here. What is done in it meanwhile all the same, by another
 * process, or by a person who deletes a message or goes to another version, is found out by the transaction that stores the
 * note, which then stores nothing: a summary must not keep what was taken away. */

/* Shares of all, and of the budget, that stay as they were said. */
#define KEEP_SHARE_OF_ALL 0.25
#define KEEP_SHARE_OF_BUDGET 0.1

/* Less is not worth a request. */
#define LEAST_TOKENS 1000

typedef struct
{
  BeckonConversation *conversation; /* (owned) */
  BeckonRunPhase phase;             /* as it was before */
  char *detail;                     /* (nullable) */
  GStrv ids;                        /* (nullable): of all messages, as they were at the beginning */
  BeckonMessage *note;              /* (owned) (nullable) */
} Compacting;

static void
compacting_free (Compacting *compacting)
{
  g_object_unref (compacting->conversation);
  g_clear_object (&compacting->note);
  g_strfreev (compacting->ids);
  g_free (compacting->detail);
  g_free (compacting);
}

/* The one return. It is not busy any more; what its last run said is said again. */
static void
return_result (GTask *task, GError *error)
{
  BeckonAgent *agent = g_task_get_source_object (task);
  Compacting *compacting = g_task_get_task_data (task);
  const char *id = beckon_conversation_get_id (compacting->conversation);

  g_hash_table_remove (agent->compacting, id);
  g_hash_table_remove (agent->runs, id);
  beckon_conversation_set_phase (compacting->conversation, compacting->phase, compacting->detail, 0);
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
  if (g_hash_table_size (agent->runs) == 0)
    g_signal_emit_by_name (agent, "idle");
}

static void
agent_compact_on_stored (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonAgent *agent = g_task_get_source_object (task);
  Compacting *compacting = g_task_get_task_data (task);
  GError *error = NULL;

  if (beckon_store_commit_finish (BECKON_STORE (source), result, &error))
    {
      beckon_conversation_add_message (compacting->conversation, compacting->note);
      beckon_library_touch (agent->parts.library, compacting->conversation);
    }
  return_result (task, error);
}

static GStrv
list_ids (BeckonConversation *conversation)
{
  guint n = beckon_conversation_get_n_messages (conversation);
  GStrv ids = g_new0 (char *, n + 1);

  for (guint i = 0; i < n; i++)
    ids[i] = g_strdup (beckon_message_get_id (beckon_conversation_get_message (conversation, i)));
  return ids;
}

static void
agent_compact_on_written (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonAgent *agent = g_task_get_source_object (task);
  Compacting *compacting = g_task_get_task_data (task);
  const char *id = beckon_conversation_get_id (compacting->conversation);
  BeckonBatch *batch;
  GError *error = NULL;

  compacting->note = beckon_summary_write_finish (result, NULL, &error);
  if (compacting->note == NULL)
    {
      return_result (task, error);
      return;
    }
  batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  beckon_message_set_seq (compacting->note, beckon_conversation_get_next_seq (compacting->conversation));
  beckon_batch_expect_shown (batch, id, compacting->ids);
  beckon_batch_add_message (batch, id, compacting->note);
  beckon_store_commit_async (agent->parts.store, batch, NULL, agent_compact_on_stored, g_object_ref (task));
}

/* As long as they are for this profile. */
static GPtrArray *
list_messages (BeckonConversation *conversation, BeckonProfile *profile, BeckonPrefixes *prefixes)
{
  GPtrArray *messages = beckon_context_list (conversation);
  g_autoptr (BeckonPromptFacts) facts = NULL;
  const BeckonPrefix *prefix;

  if (profile == NULL)
    return messages;
  prefix = g_hash_table_lookup (prefixes->by_profile, beckon_profile_get_id (profile));
  facts = beckon_prompt_facts_new (prefix != NULL ? prefix->facts : NULL);
  beckon_sent_files_bound (messages, profile, beckon_prompt_facts_refuses_files (facts, profile));
  return messages;
}

/* How many of the first messages; 0: it is short as it is. */
static guint
agent_compact_choose (GPtrArray *messages, gint64 budget)
{
  gint64 all = beckon_tokens_of_messages (messages);

  if (all < LEAST_TOKENS)
    return 0;
  return beckon_compaction_choose (messages, (gint64) MIN (KEEP_SHARE_OF_ALL * (double) all,
                                                           KEEP_SHARE_OF_BUDGET * (double) budget));
}

static void
agent_compact_begin (BeckonAgent *agent, GTask *task, const BeckonSummaryTask *what)
{
  Compacting *compacting = g_task_get_task_data (task);
  const char *id = beckon_conversation_get_id (what->conversation);
  GCancellable *cancellable = g_cancellable_new ();

  compacting->phase = beckon_conversation_get_phase (what->conversation);
  compacting->detail = g_strdup (beckon_conversation_get_stored_detail (what->conversation));
  compacting->ids = list_ids (what->conversation);
  g_hash_table_insert (agent->runs, g_strdup (id), NULL);
  g_hash_table_insert (agent->compacting, g_strdup (id), cancellable);
  beckon_conversation_set_phase (what->conversation, BECKON_RUN_REQUESTING, _("Summarizing earlier messages…"), 0);
  beckon_summary_write_async (&agent->parts, what, cancellable, agent_compact_on_written, g_object_ref (task));
}

static void
return_words (GTask *task, int code, const char *words)
{
  g_task_return_new_error (task, BECKON_ERROR, code, "%s", words);
}

static void
try_to_begin (GTask *task, BeckonPrefixes *prefixes)
{
  BeckonAgent *agent = g_task_get_source_object (task);
  BeckonConversation *conversation = ((Compacting *) g_task_get_task_data (task))->conversation;
  BeckonProfile *profile = beckon_agent_parts_find_profile (&agent->parts, conversation);
  g_autoptr (GPtrArray) messages = list_messages (conversation, profile, prefixes);
  gint64 budget = profile != NULL ? beckon_token_meter_get_budget (agent->parts.meter, profile) : 0;
  const BeckonSummaryTask what = { profile, conversation, messages, agent_compact_choose (messages, budget), budget, budget };

  if (g_hash_table_contains (agent->runs, beckon_conversation_get_id (conversation))
      || beckon_conversation_is_busy (conversation))
    return_words (task, BECKON_ERROR_CONFLICT,
                  _("The agent is still working here. Stop it first, or wait until it has finished."));
  else if (beckon_conversation_get_phase (conversation) == BECKON_RUN_ASKED)
    return_words (task, BECKON_ERROR_CONFLICT, _("A question is waiting for you here. Answer or dismiss it first."));
  else if (profile == NULL)
    return_words (task, BECKON_ERROR_UNAVAILABLE, _("No model is set up. Add one in Preferences."));
  else if (beckon_profile_get_kind (profile) == BECKON_PROFILE_TOUR || what.n == 0)
    return_words (task, BECKON_ERROR_INVALID, _("There is nothing here yet that a summary would make shorter."));
  else if (!beckon_summary_has_room (budget))
    return_words (task, BECKON_ERROR_INVALID,
                  _("The conversation is too long for this model, and what is left of it cannot be made shorter."));
  else
    agent_compact_begin (agent, task, &what);
}

static void
on_prefixes_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  g_autoptr (BeckonPrefixes) prefixes = beckon_store_load_prefixes_finish (BECKON_STORE (source), result, &error);

  if (prefixes != NULL)
    try_to_begin (task, prefixes);
  else
    g_task_return_error (task, error);
}

/* A server may have refused PDFs of the conversation. */
static void
agent_compact_on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonAgent *agent = g_task_get_source_object (task);
  Compacting *compacting = g_task_get_task_data (task);
  GError *error = NULL;

  if (beckon_library_open_finish (BECKON_LIBRARY (source), result, &error))
    beckon_store_load_prefixes_async (agent->parts.store, beckon_conversation_get_id (compacting->conversation), NULL,
                                      on_prefixes_read, g_object_ref (task));
  else
    g_task_return_error (task, error);
}

void
beckon_agent_compact_async (BeckonAgent *agent, BeckonConversation *conversation, GAsyncReadyCallback callback,
                            gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (agent, NULL, callback, user_data);
  Compacting *compacting = g_new0 (Compacting, 1);

  g_return_if_fail (BECKON_IS_AGENT (agent));
  g_return_if_fail (BECKON_IS_CONVERSATION (conversation));

  g_task_set_source_tag (task, beckon_agent_compact_async);
  compacting->conversation = g_object_ref (conversation);
  g_task_set_task_data (task, compacting, (GDestroyNotify) compacting_free);
  beckon_library_open_async (agent->parts.library, conversation, NULL, agent_compact_on_read, g_object_ref (task));
}

BECKON_FINISH_BOOLEAN (beckon_agent_compact, BeckonAgent)

gboolean
beckon_agent_stop_compacting (BeckonAgent *agent, const char *conversation_id)
{
  GCancellable *cancellable = g_hash_table_lookup (agent->compacting, conversation_id);

  if (cancellable != NULL)
    g_cancellable_cancel (cancellable);
  return cancellable != NULL;
}

void
beckon_agent_stop_all_compacting (BeckonAgent *agent)
{
  g_autoptr (GList) all = g_hash_table_get_values (agent->compacting);

  for (GList *at = all; at != NULL; at = at->next)
    g_cancellable_cancel (at->data);
}
