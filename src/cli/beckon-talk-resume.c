/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A run that waits, or whose process is gone, is resumed here. This process takes the run over before its request is answered:
 * then it is certain who continues it, this process or the one that drives it already. */

#include "beckon-config.h"

#include "beckon-talk-private.h"

#include "base/beckon-text.h"
#include "beckon-command-policy.h"
#include "beckon-command.h"
#include "beckon-documents.h"
#include "domain/beckon-request-error.h"
#include "request/beckon-question-request.h"
#include "text/beckon-plain-landed.h"
#include "text/beckon-plain-text.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>

/* How often, and for how long, a check is made that an answer is carried out. */
#define CHECK_MS 100
#define PATIENCE_US (10 * G_TIME_SPAN_SECOND)

static gboolean
is_ours (BeckonTalkSession *session)
{
  return beckon_agent_is_driving (beckon_runtime_get_agent (session->runtime),
                                  beckon_conversation_get_id (session->conversation));
}

/* A decision waits for a running call before it, and for every question of its reply. */
static gboolean
is_held_up (BeckonTalkSession *session)
{
  GListModel *inbox = G_LIST_MODEL (beckon_runtime_get_inbox (session->runtime));
  const char *message_id = beckon_request_get_message_id (session->request);
  BeckonMessage *message
    = message_id != NULL ? beckon_conversation_find_message (session->conversation, message_id) : NULL;

  for (guint i = 0; message != NULL && i < beckon_message_get_n_parts (message); i++)
    {
      BeckonToolCall *call = beckon_part_get_call (beckon_message_get_part (message, i));

      /* A call whose changes were asked about is started until they have landed. */
      if (call != NULL && beckon_tool_call_get_state (call) == BECKON_CALL_STARTED
          && g_strcmp0 (beckon_tool_call_get_id (call), beckon_request_get_call_id (session->request)) != 0)
        return TRUE;
    }
  for (guint i = 0; i < g_list_model_get_n_items (inbox); i++)
    {
      g_autoptr (BeckonRequest) request = g_list_model_get_item (inbox, i);

      if (g_strcmp0 (beckon_request_get_conversation_id (request), beckon_conversation_get_id (session->conversation)) == 0
          && (BECKON_IS_QUESTION_REQUEST (request)
              || BECKON_IS_QUESTION_REQUEST (session->request)))
        return TRUE;
    }

  return FALSE;
}

/* Whether the run has moved on with the answer, in whichever process. */
static gboolean
is_carried_out (BeckonTalkSession *session)
{
  BeckonConversation *conversation = session->conversation;
  const char *call_id = beckon_request_get_call_id (session->request);
  BeckonToolCall *call = call_id != NULL ? beckon_conversation_find_call (conversation, call_id) : NULL;

  if (!beckon_conversation_is_busy (conversation) || is_held_up (session))
    return TRUE;
  if (BECKON_IS_QUESTION_REQUEST (session->request) || call == NULL)
    return beckon_conversation_get_phase (conversation) != BECKON_RUN_WAITING;

  return beckon_call_state_is_final (beckon_tool_call_get_state (call));
}

/* The changes that did not land, where another process lands them. Returns the exit status. */
static int
tell_losses (BeckonTalkSession *session)
{
  const char *call_id = beckon_request_get_call_id (session->request);
  BeckonToolCall *call = call_id != NULL ? beckon_conversation_find_call (session->conversation, call_id) : NULL;
  BeckonPlainLoss loss;
  g_auto (GStrv) lines
    = beckon_plain_landed_describe (call != NULL ? beckon_tool_call_get_landing (call) : NULL, session->request, &loss);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autofree char *safe = beckon_plain_text_for_terminal (lines[i], -1);

      fprintf (stderr, "%s\n", safe);
    }
  return loss != BECKON_PLAIN_LOSS_NONE ? BECKON_COMMAND_LEFT_ALONE : 0;
}

static void talk_resume_check (BeckonTalkSession *session);

static gboolean
on_check_due (gpointer user_data)
{
  talk_resume_check (user_data);
  return G_SOURCE_REMOVE;
}

/* The run is driven here, or another process continues it, or its driver left meanwhile and the next check takes it over. */
static void
talk_resume_on_checked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonTalkSession *session = user_data;
  g_autoptr (GError) error = NULL;

  if (!beckon_agent_resume_finish (BECKON_AGENT (source), result, &error))
    {
      beckon_talk_fail (session, error->message);
      return;
    }
  if (is_ours (session))
    {
      beckon_talk_start (session);
      return;
    }
  if (is_carried_out (session))
    {
      if (!session->had_asked || session->answer->kind != BECKON_ANSWER_DECLINED)
        fputs (_("Answered. The agent resumes in the Beckon window or terminal that runs it.\n"), stderr);
      beckon_talk_finish (session, tell_losses (session));
      return;
    }
  if (g_get_monotonic_time () - session->settled_at > PATIENCE_US || session->was_interrupted)
    {
      fprintf (stderr,
               /* Translators: “%s” is the id of a conversation; the command stays as it is */
               _("Answered, but the Beckon window or terminal that runs the agent isn't responding. The agent resumes when it "
                 "responds. If it ends instead, resume with: beckonctl resume %s\n"),
               beckon_conversation_get_id (session->conversation));
      beckon_talk_finish (session, 0);
      return;
    }
  g_timeout_add (CHECK_MS, on_check_due, session);
}

static void
talk_resume_check (BeckonTalkSession *session)
{
  beckon_agent_resume_async (beckon_runtime_get_agent (session->runtime), session->conversation, NULL, talk_resume_on_checked,
                             session);
}

static void
talk_resume_on_settled (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonTalkSession *session = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *remembered = NULL;
  gboolean settled = beckon_inbox_settle_finish (BECKON_INBOX (source), result, &error);

  session->was_refused = !settled;
  session->settled_at = g_get_monotonic_time ();
  if (!settled
      && ((!g_error_matches (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_ALREADY_SETTLED)
           && !g_error_matches (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_UNKNOWN))
          || !is_ours (session)))
    {
      beckon_talk_fail (session, error->message);
      return;
    }
  /* Another process was faster, and was told that its answer is carried out here. */
  if (!settled)
    beckon_command_complain (NULL, error->message);
  remembered = settled ? beckon_command_policy_describe (session->answer->remember) : NULL;
  if (remembered != NULL)
    fprintf (stderr, "%s\n", remembered);
  if (is_ours (session))
    beckon_talk_start (session);
  else
    talk_resume_check (session);
}

static gboolean
on_stop_due (gpointer user_data)
{
  BeckonTalkSession *session = user_data;

  if (!beckon_conversation_is_busy (session->conversation))
    beckon_talk_start (session);
  else if (g_get_monotonic_time () - session->settled_at > PATIENCE_US || session->was_interrupted)
    beckon_talk_fail (session, _("The Beckon window or terminal that runs the agent isn't responding. The agent stops when "
                                 "it responds or ends."));
  else
    return G_SOURCE_CONTINUE;
  return G_SOURCE_REMOVE;
}

static void
on_continued (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonTalkSession *session = user_data;
  g_autoptr (GError) error = NULL;

  if (beckon_agent_continue_finish (BECKON_AGENT (source), result, &error))
    beckon_talk_start (session);
  else
    beckon_talk_fail (session, error->message);
}

static gboolean
has_asked (BeckonTalkSession *session)
{
  return beckon_conversation_get_has_run (session->conversation)
         && beckon_conversation_get_phase (session->conversation) == BECKON_RUN_ASKED;
}

static void
talk_resume_on_open (BeckonTalkSession *session)
{
  if (session->stops)
    {
      beckon_agent_stop (beckon_runtime_get_agent (session->runtime), session->conversation);
      session->settled_at = g_get_monotonic_time ();
      g_timeout_add (CHECK_MS, on_stop_due, session);
    }
  else if (session->answer != NULL)
    {
      /* The question outlived its run, and the answer begins the next one. */
      session->had_asked
          = has_asked (session)
            || (!beckon_conversation_is_busy (session->conversation) && beckon_request_is_late (session->request));
      /* A run driven by another process is not printed: this one leaves at any moment of the reply. */
      if (is_ours (session) || session->had_asked)
        beckon_talk_make_chat (session);
      beckon_inbox_settle_async (beckon_runtime_get_inbox (session->runtime), beckon_request_get_id (session->request),
                                 session->answer, "terminal", NULL, NULL, talk_resume_on_settled, session);
    }
  else if (session->request != NULL)
    beckon_talk_start (session);
  else
    {
      /* No request is to be answered. */
      if (is_ours (session) || has_asked (session))
        beckon_talk_start (session);
      else if (beckon_conversation_is_busy (session->conversation))
        beckon_talk_fail (session, _("Another Beckon window or terminal is already running this."));
      else if (beckon_conversation_get_has_run (session->conversation)
               && beckon_run_phase_can_continue (beckon_conversation_get_phase (session->conversation)))
        {
          beckon_talk_make_chat (session);
          beckon_agent_continue_async (beckon_runtime_get_agent (session->runtime), session->conversation, NULL,
                                       on_continued, session);
        }
      else
        beckon_talk_fail (session, _("Nothing to resume."));
    }
}

static void
open_conversation (BeckonTalkSession *session, const char *conversation_id)
{
  beckon_talk_open (session, beckon_library_lookup (beckon_runtime_get_library (session->runtime), conversation_id),
                    talk_resume_on_open);
}

static void
talk_resume_answer (BeckonTalkSession *session)
{
  g_autofree char *problem = NULL;

  if (session->talk->reply != NULL)
    session->answer = beckon_reply_options_make (session->talk->reply, session->request, &session->stops, &problem);
  if (problem != NULL)
    beckon_talk_fail (session, problem);
  else
    open_conversation (session, beckon_request_get_conversation_id (session->request));
}

/* Reports why it isn't pending. */
static void
talk_resume_on_looked_up (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonTalkSession *session = user_data;
  g_autoptr (GError) error = NULL;

  session->request = beckon_request_store_lookup_finish (BECKON_REQUEST_STORE (source), result, &error);
  if (session->request != NULL && beckon_request_check_pending (session->request, &error))
    talk_resume_answer (session);
  else
    beckon_talk_fail (session, error->message);
}

static gboolean
begins (const char *whole, const char *id)
{
  return *id != '\0' && g_ascii_strncasecmp (whole, id, strlen (id)) == 0;
}

/* Those of the open runs that are meant. */
static GPtrArray *
choose_runs (BeckonTalkSession *session, GPtrArray *records)
{
  const char *id = session->talk->run_id;
  GPtrArray *chosen = g_ptr_array_new ();

  for (guint i = 0; i < records->len; i++)
    {
      BeckonRunRecord *record = g_ptr_array_index (records, i);

      if (id != NULL ? begins (record->id, id) || begins (record->conversation_id, id)
          : !record->held || session->talk->stops)
        g_ptr_array_add (chosen, record);
    }
  return chosen;
}

/* Ended runs can resume too, when named. */
static BeckonConversation *
find_ended (BeckonTalkSession *session)
{
  GListModel *library = G_LIST_MODEL (beckon_runtime_get_library (session->runtime));

  for (guint i = 0; session->talk->run_id != NULL && i < g_list_model_get_n_items (library); i++)
    {
      g_autoptr (BeckonConversation) conversation = g_list_model_get_item (library, i);

      if (begins (beckon_conversation_get_id (conversation), session->talk->run_id))
        return conversation;
    }
  return NULL;
}

static void
say_which (BeckonTalkSession *session, GPtrArray *runs)
{
  for (guint i = 0; i < runs->len; i++)
    {
      BeckonRunRecord *record = g_ptr_array_index (runs, i);
      BeckonConversation *conversation
          = beckon_library_lookup (beckon_runtime_get_library (session->runtime), record->conversation_id);
      g_autofree char *title = beckon_text_for_display (
          conversation != NULL ? beckon_conversation_get_title (conversation) : NULL, -1, BECKON_TEXT_EXACT);

      fprintf (stderr, "%s  %s\n", record->conversation_id, title);
    }
  beckon_talk_fail (session, session->talk->stops ? _("More than one run is open. Give the id of the one to stop.")
                    : _("More than one run is open. Give the id of the one to resume."));
}

static void
talk_resume_on_runs (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonTalkSession *session = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) records = beckon_store_list_open_runs_finish (BECKON_STORE (source), result, &error);
  g_autoptr (GPtrArray) chosen = records != NULL ? choose_runs (session, records) : NULL;
  BeckonConversation *ended
    = chosen != NULL && chosen->len == 0 && !session->talk->stops ? find_ended (session) : NULL;

  if (chosen == NULL)
    beckon_talk_fail (session, error->message);
  else if (chosen->len > 1)
    say_which (session, chosen);
  else if (chosen->len == 1)
    open_conversation (session, ((BeckonRunRecord *) g_ptr_array_index (chosen, 0))->conversation_id);
  else if (ended != NULL)
    open_conversation (session, beckon_conversation_get_id (ended));
  else
    beckon_talk_fail (session, session->talk->stops ? _("Nothing is running.") : _("Nothing to resume."));
}

void
beckon_talk_resume (BeckonTalkSession *session)
{
  session->stops = session->talk->stops;
  if (session->talk->request_id != NULL)
    {
      BeckonInbox *inbox = beckon_runtime_get_inbox (session->runtime);
      const char *id = session->talk->request_id;
      gboolean several;

      session->request = beckon_documents_find (G_LIST_MODEL (inbox), id, &several);
      if (session->request != NULL)
        talk_resume_answer (session);
      else if (several)
        beckon_talk_fail (session, _("More than one question matches. Give the whole id from “beckonctl questions”."));
      else
        beckon_request_store_lookup_async (BECKON_REQUEST_STORE (beckon_runtime_get_store (session->runtime)),
                                           *id == '#' ? id + 1 : id, NULL, talk_resume_on_looked_up, session);
    }
  else
    beckon_store_list_open_runs_async (beckon_runtime_get_store (session->runtime), NULL, talk_resume_on_runs, session);
}
