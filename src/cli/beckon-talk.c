/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-talk-private.h"

#include "base/beckon-error.h"
#include "beckon-cli-context.h"
#include "beckon-command.h"
#include "beckon-documents.h"
#include "beckon-last-message.h"
#include "beckon-profile-options.h"
#include "request/beckon-question-request.h"
#include "text/beckon-plain-text.h"

#include <errno.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* How often a check is made that the program that drives the run is alive. */
#define WATCH_MS (2 * 1000)

static void
talk_on_closed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonTalkSession *session = user_data;
  g_autoptr (GError) error = NULL;

  if (!beckon_runtime_close_finish (BECKON_RUNTIME (source), result, &error))
    beckon_command_complain (NULL, error->message);
  g_main_loop_quit (session->loop);
}

static GPtrArray *
list_open_requests (BeckonTalkSession *session)
{
  GListModel *inbox = G_LIST_MODEL (beckon_runtime_get_inbox (session->runtime));
  GPtrArray *requests = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < g_list_model_get_n_items (inbox); i++)
    {
      g_autoptr (BeckonRequest) request = g_list_model_get_item (inbox, i);

      if (g_strcmp0 (beckon_request_get_conversation_id (request), beckon_conversation_get_id (session->conversation)) == 0)
        g_ptr_array_add (requests, g_steal_pointer (&request));
    }
  return requests;
}

static void
say_how_to_answer (BeckonTalkSession *session)
{
  g_autoptr (GPtrArray) requests = list_open_requests (session);

  for (guint i = 0; i < requests->len; i++)
    {
      g_autofree char *code = beckon_plain_text_dup_code (g_ptr_array_index (requests, i));

      /* Translators: the command stays as it is; %s is a question's code */
      fprintf (stderr, _("The agent is waiting. Answer with: beckonctl answer %s …\n"), code);
    }
}

static void
on_printed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonTalkSession *session = user_data;
  g_autoptr (GError) error = NULL;

  if (beckon_documents_print_finish (BECKON_RUNTIME (source), result, &error))
    say_how_to_answer (session);
  else
    beckon_command_complain (NULL, error->message);
  if (error != NULL)
    session->status = 1;
  beckon_runtime_close_async (session->runtime, talk_on_closed, session);
}

/* An answer that another process gave meanwhile, and that was accepted because this one drives the run, is carried out before
 * this one ends. A person who wants to leave is not kept. */
static void
on_left (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonTalkSession *session = user_data;
  g_autoptr (GError) error = NULL;

  beckon_agent_leave_finish (BECKON_AGENT (source), result, &error);
  /* A run that could not be released for another reason, such as a full disk, is found by the next start. */
  if (g_error_matches (error, BECKON_ERROR, BECKON_ERROR_CONFLICT) && (session->talk->flags & BECKON_CHAT_DETACH) != 0
      && !session->was_interrupted)
    beckon_talk_start (session);
  else if (session->detached)
    {
      /* Each of the conversation's open requests, because its run waits for all of them. */
      g_autoptr (GPtrArray) requests = list_open_requests (session);
      BeckonRunEvents *events = session->chat != NULL ? beckon_chat_get_events (session->chat) : NULL;

      if (events != NULL)
        beckon_documents_add_to_events_async (session->runtime, requests, events, on_printed, session);
      else
        beckon_documents_print_async (session->runtime, requests, FALSE, on_printed, session);
    }
  else
    beckon_runtime_close_async (session->runtime, talk_on_closed, session);
}

static void
talk_leave (BeckonTalkSession *session)
{
  if (session->conversation != NULL)
    beckon_agent_leave_async (beckon_runtime_get_agent (session->runtime), session->conversation, on_left, session);
  else
    beckon_runtime_close_async (session->runtime, talk_on_closed, session);
}

/* Later answers on the bus would have no process to carry them out. */
static void
on_left_bus (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonTalkSession *session = user_data;

  beckon_bus_host_end_finish (BECKON_BUS_HOST (source), result);
  g_clear_object (&session->host);
  talk_leave (session);
}

void
beckon_talk_finish (BeckonTalkSession *session, int status)
{
  session->detached = status == BECKON_CHAT_DETACHED;
  session->status = session->was_refused ? 1 : status;
  if (session->host != NULL)
    beckon_bus_host_end_async (session->host, on_left_bus, session);
  else
    talk_leave (session);
}

void
beckon_talk_fail (BeckonTalkSession *session, const char *message)
{
  beckon_command_complain (NULL, message);
  beckon_talk_finish (session, 1);
}

/* Another program drove what is talked about here, and may have died. Nothing wakes up while nothing runs. */
static gboolean
on_watch_due (gpointer user_data)
{
  BeckonTalkSession *session = user_data;
  BeckonAgent *agent = beckon_runtime_get_agent (session->runtime);
  const gboolean is_busy = beckon_conversation_is_busy (session->conversation);

  if (is_busy && !beckon_agent_is_driving (agent, beckon_conversation_get_id (session->conversation)))
    beckon_agent_resume_async (agent, session->conversation, NULL, NULL, NULL);
  if (!is_busy)
    session->watch_source = 0;
  return is_busy;
}

static void
talk_on_phase (BeckonConversation *conversation, GParamSpec *pspec, BeckonTalkSession *session)
{
  if (session->watch_source == 0 && beckon_conversation_is_busy (conversation))
    session->watch_source = g_timeout_add (WATCH_MS, on_watch_due, session);
}

/* The run is over, and a question that its model did not wait for is not. */
static gboolean
has_left_open (BeckonTalkSession *session, int status)
{
  g_autoptr (GPtrArray) requests = list_open_requests (session);

  return requests->len > 0 && status != BECKON_CHAT_DETACHED && !beckon_conversation_is_busy (session->conversation)
         && beckon_conversation_get_phase (session->conversation) != BECKON_RUN_STOPPED;
}

static void
on_talked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonTalkSession *session = user_data;
  int status = beckon_chat_run_finish (BECKON_CHAT (source), result, NULL);

  g_signal_handlers_disconnect_by_func (session->conversation, talk_on_phase, session);
  g_clear_handle_id (&session->watch_source, g_source_remove);
  if (status == 3 || has_left_open (session, status))
    fprintf (stderr, _ ("A question is still open. Answer it with: beckonctl chat -c %s\n"),
             beckon_conversation_get_id (session->conversation));
  /* That the run ended, with what was rejected or at all, is what was asked for. */
  if (status == 130
      && (session->talk->stops || (session->answer != NULL && session->answer->kind == BECKON_ANSWER_DECLINED)))
    status = 0;
  beckon_talk_finish (session, status);
}

/* Answers by D-Bus to its requests are carried out by this program, not by one that is called for them. */
static void
set_conversation (BeckonTalkSession *session, BeckonConversation *conversation)
{
  g_set_object (&session->conversation, conversation);
  if (session->host != NULL)
    beckon_bus_host_set_conversation (session->host, beckon_conversation_get_id (conversation));
}

void
beckon_talk_make_chat (BeckonTalkSession *session)
{
  session->chat = beckon_chat_new (session->runtime, session->conversation, session->talk->flags);
}

void
beckon_talk_start (BeckonTalkSession *session)
{
  if (session->chat == NULL)
    beckon_talk_make_chat (session);
  /* Sent files and text are not sent again when the run resumes for another's answer. */
  beckon_chat_set_files (session->chat, session->was_sent ? NULL : session->talk->files);
  beckon_chat_run_async (session->chat, session->was_sent ? NULL : session->talk->message, NULL, on_talked, session);
  session->was_sent = TRUE;
  g_signal_connect (session->conversation, "notify::phase", G_CALLBACK (talk_on_phase), session);
  talk_on_phase (session->conversation, NULL, session);
}

static void
talk_on_resumed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonTalkSession *session = user_data;
  g_autoptr (GError) error = NULL;

  if (beckon_agent_resume_finish (BECKON_AGENT (source), result, &error))
    session->on_open (session);
  else
    beckon_talk_fail (session, error->message);
}

static void
on_conversation_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonTalkSession *session = user_data;
  g_autoptr (GError) error = NULL;

  if (beckon_library_open_finish (BECKON_LIBRARY (source), result, &error))
    beckon_agent_resume_async (beckon_runtime_get_agent (session->runtime), session->conversation, NULL, talk_on_resumed,
                               session);
  else
    beckon_talk_fail (session, error->message);
}

void
beckon_talk_open (BeckonTalkSession *session, BeckonConversation *conversation,
                  void (*on_open) (BeckonTalkSession *session))
{
  if (conversation == NULL)
    {
      beckon_talk_fail (session, _("Conversation not found. “beckonctl list” shows all of them."));
      return;
    }

  session->on_open = on_open;
  set_conversation (session, conversation);
  beckon_library_open_async (beckon_runtime_get_library (session->runtime), conversation, NULL, on_conversation_opened,
                             session);
}

/* By its id, or the beginning of it as long as no other begins so. @problem: (out): why it is none. */
static BeckonConversation *
find_by_id (GListModel *library, const char *id, const char **problem)
{
  BeckonConversation *found = NULL;

  for (guint i = 0; *id != '\0' && i < g_list_model_get_n_items (library); i++)
    {
      g_autoptr (BeckonConversation) conversation = g_list_model_get_item (library, i);

      if (g_ascii_strncasecmp (beckon_conversation_get_id (conversation), id, strlen (id)) != 0)
        continue;
      if (found != NULL)
        {
          *problem = _("More than one conversation begins with this id. Give more of it.");
          return NULL;
        }
      found = conversation;
    }
  if (found == NULL)
    *problem = _("Conversation not found. “beckonctl list” shows all of them.");
  return found;
}

static BeckonConversation *
find_conversation (BeckonTalkSession *session, const char **problem)
{
  GListModel *library = G_LIST_MODEL (beckon_runtime_get_library (session->runtime));
  g_autoptr (BeckonConversation) first = NULL;

  if (session->talk->conversation_id != NULL)
    return find_by_id (library, session->talk->conversation_id, problem);
  first = g_list_model_get_item (library, 0);
  if (first == NULL)
    *problem = _("There are no conversations yet.");
  return first;
}

/* %TRUE with no profile: the conversation's own is used. */
static gboolean
find_chosen_profile (BeckonTalkSession *session, BeckonProfile **profile)
{
  const char *name = session->talk->profile;

  *profile = name != NULL ? beckon_profile_find (beckon_runtime_get_profiles (session->runtime), name) : NULL;
  return name == NULL || *profile != NULL;
}

static void
set_place (BeckonTalkSession *session, BeckonConversation *conversation)
{
  const BeckonPlaceOptions *place = session->talk->place;
  BeckonLibrary *library = beckon_runtime_get_library (session->runtime);

  if (place == NULL)
    return;
  if (place->is_without_instructions)
    beckon_settings_leave_out_folder_instructions (beckon_runtime_get_settings (session->runtime));
  if (place->folder != NULL)
    beckon_library_set_folder (library, conversation, place->folder);
  if (place->mode_word != NULL)
    beckon_library_set_mode (library, conversation, place->mode);
  if (place->effort_word != NULL)
    beckon_library_set_effort (library, conversation, place->effort);
}

/* Questions that outlived their run keep no message waiting. */
static gboolean
is_held_up (BeckonTalkSession *session)
{
  g_autoptr (GPtrArray) requests = list_open_requests (session);
  gboolean is_busy = beckon_conversation_is_busy (session->conversation);

  for (guint i = 0; i < requests->len; i++)
    if (is_busy || !beckon_request_is_late (g_ptr_array_index (requests, i)))
      return TRUE;
  return FALSE;
}

/* A message is no answer, and would wait behind the question. */
static void
start_unless_asked (BeckonTalkSession *session)
{
  if (!is_held_up (session))
    {
      beckon_talk_start (session);
      return;
    }
  say_how_to_answer (session);
  beckon_talk_finish (session, 3);
}

static void
talk_begin (BeckonTalkSession *session)
{
  gboolean earlier = session->talk->last || session->talk->conversation_id != NULL;
  const char *problem = NULL;
  BeckonConversation *conversation;
  BeckonProfile *profile;

  if (!find_chosen_profile (session, &profile))
    {
      beckon_talk_fail (session, _("Profile not found. “beckonctl profile list” shows all of them."));
      return;
    }

  conversation = earlier ? find_conversation (session, &problem)
                         : beckon_library_create (beckon_runtime_get_library (session->runtime));
  if (conversation == NULL)
    {
      beckon_talk_fail (session, problem);
      return;
    }
  if (profile != NULL)
    beckon_conversation_set_profile_id (conversation, beckon_profile_get_id (profile));
  set_place (session, conversation);
  if (earlier)
    {
      beckon_talk_open (session, conversation, session->talk->message != NULL ? start_unless_asked : beckon_talk_start);
      return;
    }

  set_conversation (session, conversation);
  beckon_talk_start (session);
}

static void
talk_on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonTalkSession *session = user_data;
  g_autoptr (GError) error = NULL;

  if (!beckon_runtime_open_finish (BECKON_RUNTIME (source), result, &error))
    {
      beckon_talk_fail (session, error->message);
      return;
    }

  if (session->was_interrupted)
    {
      beckon_talk_finish (session, 130);
      return;
    }
  if (session->talk->has_person)
    session->host = beckon_bus_host_new (session->runtime);
  if (session->talk->resumes)
    beckon_talk_resume (session);
  else
    talk_begin (session);
}

static gboolean
on_interrupt (gpointer user_data)
{
  BeckonTalkSession *session = user_data;

  session->was_interrupted = TRUE;
  if (session->chat != NULL)
    beckon_chat_interrupt (session->chat);
  return G_SOURCE_CONTINUE;
}

/* The terminal was closed, or the program was told to end. That stops what runs here, as Ctrl+C does, and leaves alone what
 * another process drives. */
static gboolean
on_terminate (gpointer user_data)
{
  BeckonTalkSession *session = user_data;
  gboolean ours = session->conversation != NULL
                  && beckon_agent_is_driving (beckon_runtime_get_agent (session->runtime),
                                              beckon_conversation_get_id (session->conversation));

  session->was_interrupted = TRUE;
  if (session->chat != NULL)
    beckon_chat_end (session->chat, ours);
  return G_SOURCE_CONTINUE;
}

/* The reader has ended: the run here stops, and what came so far stays in the conversation. */
static gboolean
on_unread (int fd, GIOCondition condition, gpointer user_data)
{
  BeckonTalkSession *session = user_data;

  session->is_unread = TRUE;
  on_terminate (session);
  return G_SOURCE_REMOVE;
}

static void
write_last_message (BeckonTalkSession *session)
{
  const char *path = session->talk->last_message_path;
  g_autoptr (GError) error = NULL;

  if (path == NULL || beckon_last_message_write (session->conversation, path, &error))
    return;
  beckon_command_complain (NULL, error->message);
  session->status = BECKON_CLI_CONTEXT_FAILED;
}

static void
end_output (BeckonTalkSession *session)
{
  BeckonRunEvents *events = session->chat != NULL ? beckon_chat_get_events (session->chat) : NULL;

  write_last_message (session);
  if (session->is_unread)
    session->status = BECKON_COMMAND_UNREAD;
  else if (events != NULL)
    beckon_run_events_end (events, session->status, beckon_chat_get_problem (session->chat));

  /* Lost output must be reported, on a full disk for example. */
  if (fflush (stdout) == 0 && !ferror (stdout))
    return;
  if (session->is_unread || errno == EPIPE)
    session->status = BECKON_COMMAND_UNREAD;
  else
    {
      beckon_command_complain (NULL, _("Couldn't write the output."));
      session->status = BECKON_CLI_CONTEXT_FAILED;
    }
}

int
beckon_talk (const BeckonTalk *talk)
{
  BeckonTalkSession session = { .talk = talk };
  guint sources[4];

  session.loop = g_main_loop_new (NULL, FALSE);
  session.runtime = beckon_runtime_new (NULL);
  beckon_health_line_follow (session.runtime);
  sources[0] = g_unix_signal_add (SIGINT, on_interrupt, &session);
  sources[1] = g_unix_signal_add (SIGTERM, on_terminate, &session);
  sources[2] = g_unix_signal_add (SIGHUP, on_terminate, &session);
  signal (SIGPIPE, SIG_IGN);
  sources[3] = g_unix_fd_add (STDOUT_FILENO, G_IO_ERR, on_unread, &session);
  beckon_runtime_set_tour_place (session.runtime, BECKON_TOUR_TERMINAL);
  beckon_agent_set_has_person (beckon_runtime_get_agent (session.runtime), talk->has_person);
  /* A command for one turn leaves what is queued to the window. */
  beckon_agent_set_follows_queue (beckon_runtime_get_agent (session.runtime), (talk->flags & BECKON_CHAT_ONE_TURN) == 0);
  beckon_runtime_set_light (session.runtime, !talk->last && talk->conversation_id == NULL && !talk->resumes);
  beckon_runtime_open_async (session.runtime, NULL, talk_on_opened, &session);
  g_main_loop_run (session.loop);

  for (gsize i = 0; i < G_N_ELEMENTS (sources); i++)
    if (i < 3 || !session.is_unread)
      g_source_remove (sources[i]);
  end_output (&session);
  g_clear_object (&session.chat);
  g_clear_object (&session.host);
  g_clear_object (&session.conversation);
  g_clear_object (&session.request);
  g_clear_pointer (&session.answer, beckon_answer_unref);
  g_clear_object (&session.runtime);
  g_main_loop_unref (session.loop);
  return session.status;
}
