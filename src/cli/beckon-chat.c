/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-chat.h"

#include "agent/beckon-sent-files.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "beckon-command-policy.h"
#include "beckon-end-text.h"
#include "beckon-line-reader.h"
#include "beckon-printer.h"
#include "beckon-undo-print.h"
#include "domain/beckon-conversation.h"
#include "domain/beckon-landing.h"
#include "landing/beckon-landing-look.h"
#include "library/beckon-library.h"
#include "llm/beckon-effort-members.h"
#include "request/beckon-form-request.h"
#include "request/beckon-question-request.h"
#include "request/beckon-request.h"
#include "sandbox/beckon-working-folder.h"
#include "text/beckon-call-labels.h"
#include "text/beckon-dialogue.h"
#include "text/beckon-plain-text.h"
#include "tools/beckon-command.h"
#include "tools/beckon-rewind.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>

/* More files are counted. */
#define MOST_FILES 200

/* A call that takes longer than that is told below the next card. */
#define OUTCOME_MS 500

static void
chat_on_looked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  guint n_all = GPOINTER_TO_UINT (g_task_get_task_data (task));
  g_autoptr (BeckonLandingLook) look = beckon_landing_look_finish (result, NULL);
  guint n = look != NULL ? MIN (look->files->len, MOST_FILES) : 0;
  g_autoptr (GString) text = g_string_new (n == 0 ? _("The files can’t be listed.") : NULL);

  for (guint i = 0; i < n; i++)
    {
      const BeckonFileChange *file = g_ptr_array_index (look->files, i);
      g_autofree char *safe = beckon_text_for_display (file->path, -1, BECKON_TEXT_EXACT);

      g_string_append_printf (text, "%s     %s", i > 0 ? "\n" : "", safe);
    }
  if (n > 0 && n_all > n)
    {
      g_string_append (text, "\n");
      g_string_append_printf (text, ngettext ("… and %u more", "… and %u more", n_all - n), n_all - n);
    }
  g_task_return_pointer (task, g_string_free (g_steal_pointer (&text), FALSE), g_free);
}

/* Lists the files of a folder that a command made or deleted. Main thread; files are looked at on another one. */
static void
folder_list_async (BeckonConversation *conversation, BeckonRequest *request, guint change,
                   GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (conversation, NULL, callback, user_data);
  const char *call_id = beckon_request_get_call_id (request);
  BeckonToolCall *call = call_id != NULL ? beckon_conversation_find_call (conversation, call_id) : NULL;
  const BeckonLanding *landing = call != NULL ? beckon_tool_call_get_landing (call) : NULL;
  const BeckonFileChange *folder;

  g_task_set_source_tag (task, folder_list_async);
  if (landing == NULL || change >= beckon_change_set_get_n_changes (landing->changes))
    {
      g_task_return_pointer (task, g_strdup (_("The files can’t be listed.")), g_free);
      return;
    }
  folder = beckon_change_set_get (landing->changes, change);
  g_task_set_task_data (task, GUINT_TO_POINTER (folder->n_files), NULL);
  beckon_landing_look_async (landing, folder, NULL, chat_on_looked, g_object_ref (task));
}

/* Returns (transfer full): lines for a terminal; they say so where the files cannot be listed. */
static char *
folder_list_finish (BeckonConversation *conversation, GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}

/* (nullable): the words that make a difference to the model, where that is known. */
static char *
dup_offered (BeckonProfile *profile)
{
  g_autoptr (GString) words = g_string_new (NULL);
  guint n = 0;

  for (guint i = 0; profile != NULL && i < BECKON_EFFORT_N_EFFORTS; i++)
    if (beckon_effort_is_offered (profile, (BeckonEffort) i))
      {
        g_string_append_printf (words, "%s%s", n > 0 ? ", " : "", beckon_effort_to_string ((BeckonEffort) i));
        n++;
      }
  return n > 0 && n < BECKON_EFFORT_N_EFFORTS ? g_string_free (g_steal_pointer (&words), FALSE) : NULL;
}

/* Returns (transfer full): what the person is told */
static char *
effort_line_take (BeckonLibrary *library, BeckonConversation *conversation, BeckonProfile *profile, const char *word)
{
  BeckonEffort effort = beckon_conversation_get_effort (conversation);
  g_autofree char *offered = dup_offered (profile);

  if (*word != '\0' && !beckon_effort_from_string (word, &effort))
    return g_strdup (_ ("Choose the effort “off”, “low”, “medium”, “high”, “max” "
                        "or “default”."));
  if (*word != '\0')
    beckon_library_set_effort (library, conversation, effort);
  if (offered != NULL)
    /* Translators: the first is one of off, low, medium, high, max and default, as it is typed, the second several of them */
    return g_strdup_printf (_ ("Reasoning effort: %s (this model has: %s)"), beckon_effort_to_string (effort), offered);
  /* Translators: %s is one of off, low, medium, high, max and default, as it is typed */
  return g_strdup_printf (_ ("Reasoning effort: %s"), beckon_effort_to_string (effort));
}

/* A line answers what was on the screen when it was begun (beckon-line-reader.h); any other line is a message. */

typedef struct
{
  char *text;
  gboolean is_literal; /* it began with a space, so it is no command */
  guint card;
  gboolean is_pasted;
  gboolean is_hidden;
  gboolean is_early;
} TypedLine;

struct _BeckonChat
{
  GObject parent_instance;

  /* input */
  BeckonRuntime *runtime;           /* (owned) */
  BeckonConversation *conversation; /* (owned) */
  BeckonChatFlags flags;
  GPtrArray *files; /* (owned) (nullable): to go with the next message */
  FILE *notes; /* where everything goes that is not the agent's text */

  /* in progress */
  GTask *task;                  /* (owned) (nullable) */
  BeckonPrinter *printer;       /* (owned) */
  BeckonRunEvents *events;      /* (owned) (nullable) */
  char *problem;                /* (owned) (nullable): why the last message could not be sent */
  BeckonLineReader *lines;      /* (owned) (nullable) */
  GQueue typed;                 /* (owned) (element-type TypedLine): not looked at yet */
  BeckonDialogue *dialogue;     /* (owned): about what waits */
  guint card;                   /* which of the texts about it was printed last */
  guint sending;                /* messages and answers that are on their way to the store */
  gboolean is_compacting;       /* its summary was asked for: busy from when it begins, and told of by itself */
  GPtrArray *rewound;           /* (owned) (element-type GPtrArray): the calls of each /undo, the last one last */
  GHashTable *unanswered;       /* (owned) (element-type utf8): what is not waited for, by id */
  gboolean stopping;            /* the run was told to stop; its question is open until it has */
  gboolean resumes;             /* the run is over, and what was answered here begins the next one */
  gboolean at_end;              /* the input has ended */
  gboolean ending;              /* the program was told to end, as soon as the run has stopped */
  gboolean is_clearing;         /* it ends what runs in the background, whose changes may be asked about */
  guint step_source;
  BeckonToolCall *begun;        /* (owned) (nullable): approved here; the next card comes below what it did */
  guint begun_source;
};

G_DEFINE_FINAL_TYPE (BeckonChat, beckon_chat, G_TYPE_OBJECT)

static void step_later (BeckonChat *chat);

static void
typed_line_free (TypedLine *line)
{
  explicit_bzero (line->text, strlen (line->text));
  g_free (line->text);
  g_free (line);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TypedLine, typed_line_free)

static void
chat_say (BeckonChat *chat, const char *text)
{
  beckon_printer_break (chat->printer);
  fprintf (chat->notes, "%s\n", text);
  fflush (chat->notes);
}

/* The turn ended with a question: the run is over, and the next one begins with the answer. */
static gboolean
has_asked (BeckonChat *chat)
{
  return beckon_conversation_get_has_run (chat->conversation)
         && beckon_conversation_get_phase (chat->conversation) == BECKON_RUN_ASKED;
}

static int
exit_status (BeckonChat *chat)
{
  int status;

  if (beckon_conversation_is_busy (chat->conversation) || has_asked (chat))
    return (chat->flags & BECKON_CHAT_DETACH) != 0 ? BECKON_CHAT_DETACHED : 3;
  if (chat->problem != NULL)
    return 1;
  if (!beckon_conversation_get_has_run (chat->conversation))
    return 0;
  status = beckon_end_text_get_exit_status (chat->conversation);
  return status == 0 && (chat->flags & BECKON_CHAT_ONE_TURN) != 0 ? beckon_printer_get_status (chat->printer) : status;
}

static void
chat_end_begun (BeckonChat *chat)
{
  g_clear_handle_id (&chat->begun_source, g_source_remove);
  if (chat->begun != NULL)
    g_signal_handlers_disconnect_by_data (chat->begun, chat);
  g_clear_object (&chat->begun);
}

static void
chat_leave (BeckonChat *chat)
{
  g_autoptr (GTask) task = g_steal_pointer (&chat->task);

  if (task == NULL)
    return;
  g_signal_handlers_disconnect_by_data (chat->conversation, chat);
  g_signal_handlers_disconnect_by_data (beckon_runtime_get_inbox (chat->runtime), chat);
  g_clear_handle_id (&chat->step_source, g_source_remove);
  chat_end_begun (chat);
  beckon_printer_break (chat->printer);
  beckon_printer_set_lines (chat->printer, NULL);
  g_clear_pointer (&chat->lines, beckon_line_reader_free);
  g_task_return_int (task, exit_status (chat));
}

static BeckonProfile *
find_profile (BeckonChat *chat)
{
  g_autofree char *usual = beckon_settings_dup_default_profile (beckon_runtime_get_settings (chat->runtime));
  const char *own = beckon_conversation_get_profile_id (chat->conversation);

  return beckon_profiles_lookup (beckon_runtime_get_profiles (chat->runtime), own != NULL ? own : usual);
}

static void
chat_on_sent (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonChat) chat = user_data;
  g_autoptr (GError) error = NULL;

  chat->sending--;
  g_clear_pointer (&chat->problem, g_free);
  if (beckon_agent_send_finish (BECKON_AGENT (source), result, &error))
    {
      BeckonProfile *profile;

      /* A script reads it, so it is in no language. */
      if ((chat->flags & BECKON_CHAT_ONE_TURN) != 0 && (chat->flags & BECKON_CHAT_QUIET) == 0)
        fprintf (stderr, "conversation: %s\n", beckon_conversation_get_id (chat->conversation));

      /* A script that reads the reply would take it for a model's. */
      profile = find_profile (chat);
      if ((chat->flags & BECKON_CHAT_ONE_TURN) != 0
          && (profile == NULL || beckon_profile_get_kind (profile) == BECKON_PROFILE_TOUR))
        chat_say (chat, _("No model is set up, so the offline tour replies. Add one: beckonctl profile add --help"));
    }
  else
    {
      chat->problem = g_strdup (error->message);
      chat_say (chat, error->message);
    }
  step_later (chat);
}

static void
send_message (BeckonChat *chat, const char *text)
{
  g_autoptr (GPtrArray) files = g_steal_pointer (&chat->files);
  BeckonProfile *profile;
  g_autofree char *words = NULL;

  chat->sending++;
  if (files == NULL)
    files = g_ptr_array_new ();

  /* PDFs may go as text. */
  profile = find_profile (chat);
  words = profile != NULL ? beckon_sent_files_describe (files, profile) : NULL;
  if (words != NULL)
    chat_say (chat, words);

  beckon_agent_send_files_async (beckon_runtime_get_agent (chat->runtime), chat->conversation, text, files, NULL, chat_on_sent,
                                 g_object_ref (chat));
}

static void
chat_on_queued (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonChat) chat = user_data;
  g_autoptr (GError) error = NULL;

  chat->sending--;
  if (!beckon_agent_queue_finish (BECKON_AGENT (source), result, &error))
    chat_say (chat, error->message);
  else if (g_list_model_get_n_items (G_LIST_MODEL (beckon_conversation_get_queue (chat->conversation))) > 1)
    chat_say (chat, _("Queued for after this turn. Enter sends all that is queued with the agent's next step; Up takes the "
                      "last one back."));
  else
    chat_say (chat, _("Queued for after this turn. Enter sends it with the agent's next step; Up takes it back."));
  step_later (chat);
}

static void
on_queued_dropped (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonChat) chat = user_data;
  g_autoptr (GError) error = NULL;

  chat->sending--;
  if (!beckon_agent_remove_queued_finish (BECKON_AGENT (source), result, &error))
    chat_say (chat, error->message);
  step_later (chat);
}

/* A message that is taken back is typed on. */
typedef struct
{
  BeckonChat *chat;      /* (owned) */
  BeckonQueueItem *item; /* (owned) */
} Recall;

static void
on_recalled (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Recall *recall = user_data;
  g_autoptr (BeckonChat) chat = recall->chat;
  g_autoptr (BeckonQueueItem) item = recall->item;
  g_autoptr (GError) error = NULL;

  chat->sending--;
  if (!beckon_agent_remove_queued_finish (BECKON_AGENT (source), result, &error))
    chat_say (chat, error->message);
  else
    {
      if (chat->files == NULL && beckon_queue_item_get_files (item)->len > 0)
        chat->files = g_ptr_array_ref (beckon_queue_item_get_files (item));
      /* The line that was begun meanwhile stays; the message is in the history. */
      if (chat->lines != NULL && !beckon_line_reader_begin (chat->lines, beckon_queue_item_get_text (item)))
        beckon_line_reader_remember (chat->lines, beckon_queue_item_get_text (item));
    }
  step_later (chat);
}

static gboolean
on_up (gpointer user_data)
{
  BeckonChat *chat = user_data;
  GListModel *queue = G_LIST_MODEL (beckon_conversation_get_queue (chat->conversation));
  guint n = g_list_model_get_n_items (queue);
  Recall *recall;

  if (n == 0 || chat->sending > 0)
    return FALSE;
  recall = g_new (Recall, 1);
  recall->chat = g_object_ref (chat);
  recall->item = g_list_model_get_item (queue, n - 1);
  chat->sending++;
  beckon_agent_remove_queued_async (beckon_runtime_get_agent (chat->runtime), chat->conversation,
                                    beckon_queue_item_get_id (recall->item), NULL, NULL, on_recalled, recall);
  return TRUE;
}

static void
on_queued_sent (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonChat) chat = user_data;
  g_autoptr (GError) error = NULL;

  chat->sending--;
  if (!beckon_agent_send_queued_finish (BECKON_AGENT (source), result, &error))
    chat_say (chat, error->message);
  step_later (chat);
}

/* Enter alone: all of them, in the order in which they were typed. */
static void
send_queued (BeckonChat *chat)
{
  GListModel *queue = G_LIST_MODEL (beckon_conversation_get_queue (chat->conversation));

  for (guint i = 0; i < g_list_model_get_n_items (queue); i++)
    {
      g_autoptr (BeckonQueueItem) item = g_list_model_get_item (queue, i);

      /* The next step takes it. */
      if (beckon_queue_item_get_sends_now (item) && beckon_conversation_is_busy (chat->conversation))
        continue;
      chat->sending++;
      beckon_agent_send_queued_async (beckon_runtime_get_agent (chat->runtime), chat->conversation,
                                      beckon_queue_item_get_id (item), NULL, on_queued_sent, g_object_ref (chat));
    }
}

static void
drop_queued (BeckonChat *chat)
{
  GListModel *queue = G_LIST_MODEL (beckon_conversation_get_queue (chat->conversation));
  guint n = g_list_model_get_n_items (queue);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (BeckonQueueItem) item = g_list_model_get_item (queue, i);

      chat->sending++;
      beckon_agent_remove_queued_async (beckon_runtime_get_agent (chat->runtime), chat->conversation,
                                        beckon_queue_item_get_id (item), NULL, NULL, on_queued_dropped, g_object_ref (chat));
    }
  chat_say (chat, n > 0 ? _("Dropped the queued messages.") : _("Nothing is queued."));
}

/* Messages behind a turn that was stopped or failed go out with the next one, so they are seen. */
static void
say_queued (BeckonChat *chat)
{
  GListModel *queue = G_LIST_MODEL (beckon_conversation_get_queue (chat->conversation));
  BeckonRunPhase phase = beckon_conversation_get_phase (chat->conversation);
  g_autoptr (GString) text = g_string_new (_("Still queued:"));

  if ((chat->flags & BECKON_CHAT_ONE_TURN) != 0 || (phase != BECKON_RUN_STOPPED && phase != BECKON_RUN_FAILED))
    return;

  for (guint i = 0; i < g_list_model_get_n_items (queue); i++)
    {
      g_autoptr (BeckonQueueItem) item = g_list_model_get_item (queue, i);
      g_autofree char *line = g_strdelimit (g_strdup (beckon_queue_item_get_text (item)), "\r\n\t", ' ');
      g_autofree char *shown = beckon_text_shorten (line, 80);

      beckon_plain_text_append (text, "\n  ", shown);
    }
  /* Translators: /drop stays as it is */
  beckon_text_append (text, "\n%s", _("Enter sends this; /drop drops it."));
  if (g_list_model_get_n_items (queue) > 0)
    chat_say (chat, text->str);
}

void
beckon_chat_set_files (BeckonChat *chat, GPtrArray *files)
{
  g_clear_pointer (&chat->files, g_ptr_array_unref);
  chat->files = files != NULL ? g_ptr_array_ref (files) : NULL;
}

static void
on_continued (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonChat) chat = user_data;
  g_autoptr (GError) error = NULL;

  chat->sending--;
  if (!beckon_agent_continue_finish (BECKON_AGENT (source), result, &error))
    chat_say (chat, error->message);
  step_later (chat);
}

typedef struct
{
  BeckonChat *chat;
  BeckonAnswer *answer;
  BeckonRequest *request;
} Settling;

static void
chat_on_begun_state (BeckonToolCall *call, GParamSpec *pspec, BeckonChat *chat)
{
  if (!beckon_call_state_is_final (beckon_tool_call_get_state (call)))
    return;
  chat_end_begun (chat);
  step_later (chat);
}

static gboolean
on_begun_long (gpointer user_data)
{
  BeckonChat *chat = user_data;

  chat->begun_source = 0;
  chat_end_begun (chat);
  step_later (chat);
  return G_SOURCE_REMOVE;
}

static void
chat_await_begun (BeckonChat *chat, BeckonRequest *request)
{
  const char *id = beckon_request_get_call_id (request);
  BeckonToolCall *call = id != NULL ? beckon_conversation_find_call (chat->conversation, id) : NULL;

  chat_end_begun (chat);
  if (call == NULL || chat->task == NULL || beckon_call_state_is_final (beckon_tool_call_get_state (call)))
    return;
  chat->begun = g_object_ref (call);
  g_signal_connect (call, "notify::state", G_CALLBACK (chat_on_begun_state), chat);
  chat->begun_source = g_timeout_add (OUTCOME_MS, on_begun_long, chat);
}

static void
chat_on_settled (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Settling *settling = user_data;
  g_autoptr (BeckonChat) chat = settling->chat;
  g_autoptr (BeckonAnswer) answer = settling->answer;
  g_autoptr (BeckonRequest) request = settling->request;
  g_autofree char *remembered = beckon_command_policy_describe (answer->remember);
  g_autoptr (GError) error = NULL;

  chat->sending--;
  if (!beckon_inbox_settle_finish (BECKON_INBOX (source), result, &error))
    {
      chat->resumes = FALSE;
      chat_say (chat, error->message);
    }
  else
    {
      if (remembered != NULL)
        chat_say (chat, remembered);
      chat_await_begun (chat, request);
    }
  step_later (chat);
}

static void
stop_run (BeckonChat *chat)
{
  chat->stopping = TRUE;
  beckon_agent_stop (beckon_runtime_get_agent (chat->runtime), chat->conversation);
}

static void
chat_on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonChat) chat = user_data;
  g_autofree char *text = folder_list_finish (BECKON_CONVERSATION (source), result);

  chat->sending--;
  chat_say (chat, text);
  step_later (chat);
}

static void
chat_settle (BeckonChat *chat, GPtrArray *answers)
{
  for (guint i = 0; i < answers->len; i++)
    {
      const BeckonDialogueAnswer *answer = g_ptr_array_index (answers, i);
      Settling *settling = g_new (Settling, 1);

      settling->chat = g_object_ref (chat);
      settling->answer = beckon_answer_ref (answer->answer);
      settling->request = g_object_ref (answer->request);
      chat->sending++;
      chat->resumes = chat->resumes
                      || (!beckon_conversation_is_busy (chat->conversation) && beckon_request_is_late (answer->request)
                          && answer->answer->kind != BECKON_ANSWER_DECLINED);
      beckon_inbox_settle_async (beckon_runtime_get_inbox (chat->runtime), beckon_request_get_id (answer->request),
                                 answer->answer, "terminal", NULL, NULL, chat_on_settled, settling);
    }
}

/* A slash and a word, which is no path: the first word of @line; %NULL where it has none. */
static char *
dup_command (const char *line)
{
  gsize length = strcspn (line, " \t");
  g_autofree char *word = g_strndup (line, length);

  if (word[0] != '/' || !g_ascii_isalpha (word[1]) || strchr (word + 1, '/') != NULL || g_file_test (word, G_FILE_TEST_EXISTS))
    return NULL;
  return g_steal_pointer (&word);
}

static void
say_no_command (BeckonChat *chat, const char *command)
{
  /* Translators: %s is a word that begins with a slash; /help stays as it is */
  g_autofree char *text = beckon_text_printf (_("There is no command %s. /help lists them; begin with a space to send it."),
                                              command);

  chat_say (chat, text);
}

static void
take_answer_line (BeckonChat *chat, const char *line)
{
  g_auto (BeckonDialogueReply) reply = { 0 };

  switch (beckon_dialogue_take_line (chat->dialogue, line, &reply))
    {
    case BECKON_DIALOGUE_FOLDER:
      chat->sending++;
      folder_list_async (chat->conversation, beckon_dialogue_get_request (chat->dialogue), reply.folder, chat_on_listed,
                         g_object_ref (chat));
      break;
    case BECKON_DIALOGUE_ANSWERED:
      chat_settle (chat, reply.answers);
      break;
    case BECKON_DIALOGUE_STOP:
      stop_run (chat);
      break;
    case BECKON_DIALOGUE_MORE:
    case BECKON_DIALOGUE_STATUS:
    default:
      /* Its words are seen before a reply counts. */
      if (reply.message != NULL)
        {
          chat_say (chat, reply.message);
          chat->card++;
        }
      /* Others that could accept the plan see that it is being changed. */
      if (beckon_dialogue_get_changed_plan (chat->dialogue) != NULL)
        beckon_inbox_save_draft (beckon_runtime_get_inbox (chat->runtime), beckon_dialogue_get_request (chat->dialogue),
                                 beckon_dialogue_get_changed_plan (chat->dialogue));
      break;
    }
}

/* A reply that is whole is not replied to again. */
static void
continue_run (BeckonChat *chat)
{
  if (beckon_conversation_get_has_run (chat->conversation)
      && beckon_conversation_get_phase (chat->conversation) == BECKON_RUN_COMPLETE)
    {
      chat_say (chat, _("Nothing to resume."));
      return;
    }

  chat->sending++;
  beckon_agent_continue_async (beckon_runtime_get_agent (chat->runtime), chat->conversation, NULL, on_continued,
                               g_object_ref (chat));
}

static void
on_compacted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonChat) chat = user_data;
  g_autoptr (GError) error = NULL;

  chat->is_compacting = FALSE;
  if (!beckon_agent_compact_finish (BECKON_AGENT (source), result, &error))
    chat_say (chat, g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) ? _("Stopped.") : error->message);
  step_later (chat);
}

static void
say_rewound (BeckonChat *chat, const BeckonRewind *rewind, const GError *error)
{
  chat->sending--;
  beckon_printer_break (chat->printer);
  if (rewind != NULL)
    beckon_undo_print_rewind (rewind, FALSE, FALSE);
  else
    chat_say (chat, error->message);
  fflush (chat->notes);
  step_later (chat);
}

static void
chat_on_redone (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonChat) chat = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonRewind) rewind = beckon_rewind_redo_finish (BECKON_FILE_COPIES (source), result, &error);

  say_rewound (chat, rewind, error);
}

static void
on_rewound (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonChat) chat = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonRewind) rewind = beckon_rewind_finish (BECKON_FILE_COPIES (source), result, &error);

  say_rewound (chat, rewind, error);
  if (rewind == NULL || rewind->calls->len == 0)
    return;
  g_ptr_array_add (chat->rewound, g_ptr_array_ref (rewind->calls));
  chat_say (chat, _("/redo makes these changes again."));
}

/* Other processes undo, and make again, too: the store knows. */
static void
on_turns_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonChat) chat = user_data;
  const char *id = beckon_conversation_get_id (chat->conversation);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) messages = beckon_store_load_messages_finish (BECKON_STORE (source), result, &error);
  g_autoptr (BeckonConversation) stored = beckon_conversation_new (id, 0);
  g_autoptr (GPtrArray) calls = NULL;
  BeckonMessage *first = NULL;
  g_autofree char *text = NULL;
  g_autofree char *brief = NULL;
  g_autofree char *line = NULL;

  if (messages != NULL)
    beckon_conversation_set_messages (stored, messages);
  for (guint i = messages != NULL ? messages->len : 0; i > 0 && (calls == NULL || calls->len == 0); i--)
    {
      first = g_ptr_array_index (messages, i - 1);
      if (beckon_message_get_role (first) != BECKON_ROLE_USER)
        continue;
      g_clear_pointer (&calls, g_ptr_array_unref);
      calls = beckon_rewind_list_calls (stored, beckon_message_get_id (first));
    }
  if (messages == NULL || calls == NULL || calls->len == 0)
    {
      chat->sending--;
      chat_say (chat, messages == NULL ? error->message : _("There is nothing to undo here."));
      step_later (chat);
      return;
    }

  /* Calls that are shown here learn what becomes of them. */
  for (guint i = 0; i < calls->len; i++)
    {
      BeckonToolCall *shown
        = beckon_conversation_find_call (chat->conversation, beckon_tool_call_get_id (g_ptr_array_index (calls, i)));

      if (shown != NULL)
        g_set_object ((GObject **) &g_ptr_array_index (calls, i), G_OBJECT (shown));
    }
  text = g_strstrip (g_strdelimit (beckon_message_dup_text (first), "\r\n\t", ' '));
  brief = beckon_text_shorten (text, 60);
  /* Translators: %s is how the message begins whose turn is undone; what becomes of its files follows */
  line = beckon_text_printf (_("Undoing what followed “%s”:"), brief);
  chat_say (chat, line);
  beckon_rewind_async (BECKON_FILE_COPIES (source), id, calls, "terminal", NULL, on_rewound, g_object_ref (chat));
}

/* @is_redo: what was undone here last; otherwise the latest turn that changed something is undone. */
static void
undo_turn (BeckonChat *chat, gboolean is_redo)
{
  const char *id = beckon_conversation_get_id (chat->conversation);
  BeckonStore *store = beckon_runtime_get_store (chat->runtime);
  g_autoptr (GPtrArray) calls = NULL;

  if (beckon_conversation_is_busy (chat->conversation))
    chat_say (chat, _("The agent is still working here. Stop it first, or wait until it has finished."));
  else if (!is_redo && beckon_conversation_get_n_messages (chat->conversation) == 0)
    chat_say (chat, _("There is nothing to undo here."));
  else if (is_redo && chat->rewound->len == 0)
    chat_say (chat, _("There is nothing to redo here."));
  else
    {
      chat->sending++;
      calls = is_redo ? g_ptr_array_steal_index (chat->rewound, chat->rewound->len - 1) : NULL;
      if (is_redo)
        beckon_rewind_redo_async (BECKON_FILE_COPIES (store), id, calls, "terminal", NULL, chat_on_redone, g_object_ref (chat));
      else
        beckon_store_load_messages_async (store, id, NULL, on_turns_read, g_object_ref (chat));
    }
}

/* Says where the agent works and what it asks before, or that it has no files. */
static void
say_folder (BeckonChat *chat)
{
  const char *folder = beckon_conversation_get_folder (chat->conversation);
  g_autofree char *shown = folder != NULL ? beckon_call_labels_shorten_path (folder) : NULL;
  g_autofree char *text = NULL;

  if (folder == NULL)
    chat_say (chat, beckon_conversation_get_n_messages (chat->conversation) == 0
              /* Translators: /folder stays as it is, and the dot behind it */
              ? _("No folder: the model can’t read or write files. “/folder .” works in this folder.")
              : _("No folder: the model can’t read or write files."));
  if (folder == NULL)
    return;
  switch (beckon_conversation_get_mode (chat->conversation))
    {
    case BECKON_MODE_ASK_CHANGES:
      text = beckon_text_printf (_("Folder: %s · asks before changes"), shown);
      break;
    case BECKON_MODE_ASK_OUTSIDE:
      text = beckon_text_printf (_("Folder: %s · asks before reaching outside it"), shown);
      break;
    case BECKON_MODE_ASK_EVERYTHING:
    default:
      text = beckon_text_printf (_("Folder: %s · asks before everything"), shown);
      break;
    }
  chat_say (chat, text);
}

/* @path: empty to be told of it. A folder is chosen once, before the model has read what it can do. */
static void
take_folder (BeckonChat *chat, const char *path)
{
  gboolean is_home = path[0] == '~' && (path[1] == '/' || path[1] == '\0');
  g_autofree char *given = is_home ? g_build_filename (g_get_home_dir (), path + 1, NULL) : g_strdup (path);
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = NULL;

  if (*path == '\0')
    say_folder (chat);
  else if (beckon_conversation_get_folder (chat->conversation) != NULL
           || beckon_conversation_get_n_messages (chat->conversation) > 0)
    chat_say (chat, _("The folder is chosen before the first message: beckonctl chat --folder …"));
  else if ((folder = beckon_working_folder_resolve (given, &error)) == NULL)
    chat_say (chat, error->message);
  else
    {
      beckon_library_set_folder (beckon_runtime_get_library (chat->runtime), chat->conversation, folder);
      say_folder (chat);
    }
}

/* Commands of a person, which are no message. */
static gboolean
take_command (BeckonChat *chat, const char *line)
{
  g_autofree char *command = dup_command (line);
  g_autofree char *text = NULL;

  if (strcmp (line, "/continue") == 0)
    continue_run (chat);
  else if (strcmp (line, "/stop") == 0 && beckon_conversation_is_busy (chat->conversation))
    stop_run (chat);
  else if (strcmp (line, "/stop") == 0)
    chat_say (chat, _("Nothing is running."));
  else if (strcmp (line, "/end") == 0)
    {
      if (beckon_command_end_all (beckon_conversation_get_id (chat->conversation), "the user stopped it") == 0)
        chat_say (chat, _("Nothing runs in the background."));
    }
  else if (strcmp (line, "/drop") == 0)
    drop_queued (chat);
  else if (strcmp (line, "/undo") == 0 || strcmp (line, "/redo") == 0)
    undo_turn (chat, strcmp (line, "/redo") == 0);
  else if (strcmp (line, "/compact") == 0 && beckon_conversation_is_busy (chat->conversation))
    chat_say (chat, _("The agent is still working here. Stop it first, or wait until it has finished."));
  else if (strcmp (line, "/compact") == 0)
    {
      chat->is_compacting = TRUE;
      beckon_agent_compact_async (beckon_runtime_get_agent (chat->runtime), chat->conversation, on_compacted,
                                  g_object_ref (chat));
    }
  else if (strcmp (line, "/keep") == 0)
    chat_say (chat, beckon_command_keep_all (beckon_conversation_get_id (chat->conversation)) == 0
              ? _("Nothing runs in the background.")
              : _("Background commands keep running when the turn ends. /end ends them."));
  else if (strcmp (line, "/folder") == 0 || g_str_has_prefix (line, "/folder "))
    take_folder (chat, line + strspn (line + strlen ("/folder"), " ") + strlen ("/folder"));
  else if (strcmp (line, "/effort") == 0 || g_str_has_prefix (line, "/effort "))
    {
      text = effort_line_take (beckon_runtime_get_library (chat->runtime), chat->conversation, find_profile (chat),
                               line + strlen (line[7] == ' ' ? "/effort " : "/effort"));
      chat_say (chat, text);
    }
  else if (command != NULL)
    say_no_command (chat, command);
  else
    return FALSE;
  return TRUE;
}

static void
take_message_line (BeckonChat *chat, const char *line, gboolean is_literal)
{
  g_autofree char *unsent = NULL;

  if (*line == '\0')
    send_queued (chat);
  else if (!is_literal && take_command (chat, line))
    return;
  else if ((chat->flags & BECKON_CHAT_ONE_TURN) != 0)
    {
      unsent = beckon_text_printf (_("You typed this before the question was there, so it was not used: %s"), line);
      chat_say (chat, unsent);
    }
  else if (beckon_conversation_is_busy (chat->conversation) || has_asked (chat) || chat->resumes)
    {
      /* A message that is typed while the agent works, or waits for an answer, goes where the window puts it. */
      g_autoptr (GPtrArray) files = g_steal_pointer (&chat->files);

      chat->sending++;
      if (files == NULL)
        files = g_ptr_array_new ();
      beckon_agent_queue_async (beckon_runtime_get_agent (chat->runtime), chat->conversation, line, files, FALSE, NULL,
                                chat_on_queued, g_object_ref (chat));
    }
  else
    send_message (chat, line);
}

/* A word with a slash that the question does not know is a slip, unless it is masked, a choice, or meant so. */
static gboolean
is_unknown_to_question (BeckonChat *chat, const char *line)
{
  g_autofree char *command = dup_command (line);

  return command != NULL && strcmp (command, line) == 0 && !beckon_dialogue_is_secret (chat->dialogue)
         && !beckon_dialogue_has_word (chat->dialogue, line);
}

/* A typed answer is never taken for a message. @line: (nullable): it was masked. */
static void
say_too_late (BeckonChat *chat, const char *line)
{
  g_autofree char *text = line == NULL
                            ? g_strdup (_("That question is no longer open. Your reply was not sent."))
                            : g_strdup_printf (_("That question is no longer open. Your reply was not sent: %s"), line);

  chat_say (chat, text);
}

/* Commands that work everywhere. */
static gboolean
take_common_line (BeckonChat *chat, const char *line)
{
  if (strcmp (line, "/quit") == 0 || strcmp (line, "/exit") == 0)
    beckon_chat_end (chat, beckon_agent_is_driving (beckon_runtime_get_agent (chat->runtime),
                                                    beckon_conversation_get_id (chat->conversation)));
  else if (strcmp (line, "/help") == 0)
    chat_say (chat, _("/compact   Summarize earlier messages, to make room\n"
                      "/continue  Resume after a pause, a stop or a failure\n"
                      "/drop      Drop the messages that are queued\n"
                      "/effort    Set reasoning: off, low, medium, high, max, default\n"
                      "/end       End the commands that run in the background\n"
                      "/folder    Work in this folder, before the first message\n"
                      "/keep      Keep them running when the turn ends\n"
                      "/redo      Redo what /undo undid last\n"
                      "/stop      Stop the agent\n"
                      "/undo      Undo the changes of the latest turn\n"
                      "/quit      Quit, as does /exit; open questions stay open\n"
                      "Escape     Stop the agent while it works, on an empty line\n"
                      "Up         Take back the last queued message, on an empty line\n"
                      "Ctrl+C     Stop the agent; again to quit\n"
                      "At a call or changes: /here 2, /always 2 to stop being asked\n"
                      "At a plan: /pause 2, /skip 2, /json, /replan and what to change"));
  else
    return FALSE;
  return TRUE;
}

/* Whether what @card was about waits still, and is what was printed last. */
static gboolean
chat_is_open (BeckonChat *chat, guint card)
{
  BeckonRequest *request = beckon_dialogue_get_request (chat->dialogue);

  return card == chat->card && request != NULL && beckon_request_get_state (request) == BECKON_REQUEST_PENDING
         && !beckon_dialogue_is_preparing (chat->dialogue) && !chat->stopping;
}

static void
say_pasted (BeckonChat *chat)
{
  g_autofree char *code = beckon_plain_text_dup_code (beckon_dialogue_get_request (chat->dialogue));
  /* Translators: the command stays as it is; %s is a question's code */
  g_autofree char *text = g_strdup_printf (_("Pasted text decides nothing here. Type your reply, or give it in another "
                                             "terminal: beckonctl answer %s '…'"), code);

  chat_say (chat, text);
}

static void
chat_take_line (BeckonChat *chat, const TypedLine *line)
{
  if (line->is_early)
    chat_say (chat, _("That was typed before the question could be answered, so it was dropped. Type it again."));
  else if (!line->is_literal && take_common_line (chat, line->text))
    return;
  else if (line->card == 0)
    take_message_line (chat, line->text, line->is_literal);
  else if (!chat_is_open (chat, line->card))
    say_too_late (chat, line->is_hidden ? NULL : line->text);
  /* The run is over whose question is still open. */
  else if (!line->is_literal && strcmp (line->text, "/continue") == 0
           && !beckon_conversation_is_busy (chat->conversation) && !has_asked (chat)
           && !beckon_dialogue_has_word (chat->dialogue, line->text))
    continue_run (chat);
  else if (!line->is_literal && is_unknown_to_question (chat, line->text))
    say_no_command (chat, line->text);
  else if (line->is_pasted && beckon_dialogue_is_decision (chat->dialogue)
           && !beckon_dialogue_is_shown_first (chat->dialogue, line->text))
    say_pasted (chat);
  else
    take_answer_line (chat, line->text);
}

static void
on_typed (const BeckonTypedLine *typed, gpointer user_data)
{
  BeckonChat *chat = user_data;
  TypedLine *line;

  step_later (chat);
  if (typed->text == NULL)
    {
      chat->at_end = TRUE;
      return;
    }
  line = g_new0 (TypedLine, 1);
  line->is_literal = g_ascii_isspace (*typed->text);
  line->text = g_strstrip (g_strdup (typed->text));
  line->card = typed->card;
  line->is_pasted = typed->is_pasted;
  line->is_hidden = typed->is_hidden;
  line->is_early = typed->is_early;
  g_queue_push_tail (&chat->typed, line);
}

static void
chat_on_prompt (gpointer user_data)
{
  BeckonChat *chat = user_data;

  beckon_printer_break (chat->printer);
}

static gboolean
can_prompt (gpointer user_data)
{
  BeckonChat *chat = user_data;

  return !beckon_printer_is_in_line (chat->printer);
}

static void
on_escape (gpointer user_data)
{
  BeckonChat *chat = user_data;

  /* At a card it may be pressed to leave the card alone. */
  if (chat->lines != NULL && beckon_line_reader_has_card (chat->lines))
    chat_say (chat, _("The agent waits for your reply. /stop stops it."));
  else if (beckon_conversation_is_busy (chat->conversation) && !chat->stopping)
    stop_run (chat);
}

/* Late questions outlive their run, unless it was stopped: then they end in the store, and a moment later in the inbox. What
 * is typed in that moment is not for them. */
static gboolean
is_ending (BeckonChat *chat, BeckonRequest *request)
{
  return beckon_request_is_late (request) && beckon_conversation_get_has_run (chat->conversation)
         && beckon_conversation_get_phase (chat->conversation) == BECKON_RUN_STOPPED;
}

/* Lists the requests that wait in this conversation, oldest first; one that a rule just given is about to decide waits for
 * nobody. */
static GPtrArray *
list_pending (BeckonChat *chat)
{
  GListModel *inbox = G_LIST_MODEL (beckon_runtime_get_inbox (chat->runtime));
  const char *id = beckon_conversation_get_id (chat->conversation);
  GPtrArray *pending = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < g_list_model_get_n_items (inbox); i++)
    {
      g_autoptr (BeckonRequest) request = g_list_model_get_item (inbox, i);

      if (g_strcmp0 (beckon_request_get_conversation_id (request), id) == 0 && !is_ending (chat, request)
          && !beckon_inbox_is_settling (beckon_runtime_get_inbox (chat->runtime), beckon_request_get_id (request)))
        g_ptr_array_add (pending, g_steal_pointer (&request));
    }
  return pending;
}

static gboolean
has_late (BeckonChat *chat)
{
  g_autoptr (GPtrArray) pending = list_pending (chat);

  for (guint i = 0; i < pending->len; i++)
    if (beckon_request_is_late (g_ptr_array_index (pending, i)))
      return TRUE;
  return FALSE;
}

static void
say_end (BeckonChat *chat)
{
  const char *detail = beckon_conversation_get_detail (chat->conversation);
  const char *id = (chat->flags & BECKON_CHAT_ONE_TURN) != 0 ? beckon_conversation_get_id (chat->conversation) : NULL;
  g_autofree char *text = beckon_end_text_describe (beckon_conversation_get_phase (chat->conversation), detail, id);
  g_autofree char *remedy = beckon_end_text_dup_remedy (chat->conversation, find_profile (chat));

  if (text != NULL)
    chat_say (chat, text);
  if (remedy != NULL)
    chat_say (chat, remedy);
  say_queued (chat);
}

/* With the question it was said that the agent goes on, which ends here. */
static void
say_rest (BeckonChat *chat)
{
  BeckonRequest *request
    = !beckon_dialogue_is_table (chat->dialogue) ? beckon_dialogue_get_request (chat->dialogue) : NULL;

  if (request == NULL || !beckon_request_is_late (request))
    return;
  if (beckon_conversation_get_phase (chat->conversation) == BECKON_RUN_WAITING)
    /* Translators: behind a question, of the agent, which has nothing else left to do */
    chat_say (chat, _("It now waits for your answer."));
  else if (!beckon_conversation_is_busy (chat->conversation) && !is_ending (chat, request))
    /* Translators: behind a question, of the agent, whose run is over; /continue stays as it is */
    chat_say (chat, _("Your answer resumes it; /continue resumes it without one."));
}

/* Prints the open request, once. One that was answered elsewhere gives its place to the next. */
static void
follow_requests (BeckonChat *chat)
{
  g_autoptr (GPtrArray) pending = list_pending (chat);
  g_autofree char *text = NULL;

  beckon_dialogue_follow (chat->dialogue, pending);
  text = beckon_dialogue_next_text (chat->dialogue);
  if (text == NULL)
    return;
  if (pending->len > 1 && !beckon_dialogue_is_table (chat->dialogue))
    {
      guint n = pending->len - 1;
      /* Translators: a card is what the person is asked to decide, in a terminal */
      g_autofree char *more = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u more decision is waiting.",
                                                            "%u more decisions are waiting.", n),
                                               n);

      chat_say (chat, more);
    }
  chat_say (chat, text);
  say_rest (chat);
  chat->card++;
}

/* (nullable). */
static BeckonMessage *
get_last_message (BeckonChat *chat)
{
  guint n = beckon_conversation_get_n_messages (chat->conversation);

  return n > 0 ? beckon_conversation_get_message (chat->conversation, n - 1) : NULL;
}

/* Each call that runs waits for a form that another process can answer, and resume the call. */
static gboolean
waits_for_forms (BeckonChat *chat)
{
  BeckonMessage *last = get_last_message (chat);

  return last != NULL && beckon_conversation_get_phase (chat->conversation) == BECKON_RUN_CALLING
         && beckon_form_request_holds_up (last);
}

static void
on_unanswered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!beckon_inbox_settle_finish (BECKON_INBOX (source), result, &error))
    g_debug ("a question ended otherwise: %s", error->message);
}

/* This process does not wait. */
static void
leave_running_unanswered (BeckonChat *chat)
{
  BeckonMessage *last = get_last_message (chat);
  g_autoptr (GPtrArray) calls = last != NULL ? beckon_message_list_calls (last) : NULL;

  for (guint i = 0; calls != NULL && i < calls->len; i++)
    {
      BeckonToolCall *call = g_ptr_array_index (calls, i);
      GObject *request = beckon_tool_call_get_request (call);

      /* A running tool waits for it in this process, and no other could use the answer. */
      if (beckon_tool_call_get_state (call) == BECKON_CALL_STARTED && request != NULL
          && beckon_request_get_call_id (BECKON_REQUEST (request)) == NULL
          && beckon_request_get_state (BECKON_REQUEST (request)) == BECKON_REQUEST_PENDING
          && beckon_form_request_get_resumption (BECKON_REQUEST (request)) == NULL
          && g_hash_table_add (chat->unanswered, g_strdup (beckon_request_get_id (BECKON_REQUEST (request)))))
        {
          g_autoptr (BeckonAnswer) answer = beckon_answer_new (BECKON_ANSWER_UNAVAILABLE, NULL);

          beckon_inbox_settle_async (beckon_runtime_get_inbox (chat->runtime),
                                     beckon_request_get_id (BECKON_REQUEST (request)), answer, "agent", NULL, NULL,
                                     on_unanswered, NULL);
        }
    }
}

static gboolean
take_typed (BeckonChat *chat)
{
  g_autoptr (TypedLine) line = g_queue_pop_head (&chat->typed);

  if (line == NULL)
    return FALSE;
  step_later (chat);
  chat_take_line (chat, line);
  return TRUE;
}

static void
rest (BeckonChat *chat)
{
  if (chat->lines != NULL)
    beckon_line_reader_rest (chat->lines);
}

static void
chat_step (BeckonChat *chat)
{
  gboolean is_asked;

  if (chat->task == NULL || chat->sending || (chat->is_compacting && !beckon_conversation_is_busy (chat->conversation)))
    return;
  chat->stopping = chat->stopping && beckon_conversation_is_busy (chat->conversation);
  if (!chat->ending && take_typed (chat))
    return;
  if (chat->stopping
      && !(chat->is_clearing && beckon_inbox_count_for (beckon_runtime_get_inbox (chat->runtime),
                                                        beckon_conversation_get_id (chat->conversation)) > 0))
    return;
  if (chat->ending)
    {
      chat_leave (chat);
      return;
    }
  if ((chat->flags & BECKON_CHAT_DETACH) != 0 && (beckon_conversation_is_busy (chat->conversation) || has_asked (chat)))
    {
      /* All work without a person is done. */
      g_autoptr (GPtrArray) pending = list_pending (chat);

      if ((chat->flags & BECKON_CHAT_DETACH) != 0 && pending->len > 0
          && (has_asked (chat) || beckon_conversation_get_phase (chat->conversation) == BECKON_RUN_WAITING
              || waits_for_forms (chat)))
        chat_leave (chat);
      else
        leave_running_unanswered (chat);
      return;
    }
  if (chat->begun != NULL)
    return;
  follow_requests (chat);
  if (beckon_dialogue_is_preparing (chat->dialogue))
    {
      rest (chat);
      return;
    }
  is_asked = beckon_dialogue_get_request (chat->dialogue) != NULL;
  /* The answer is about to begin the next run. */
  if (!is_asked && (beckon_conversation_is_busy (chat->conversation) || has_asked (chat) || chat->resumes))
    {
      /* A run that only rests beside its background commands would never end by itself. */
      if (chat->at_end && beckon_conversation_get_phase (chat->conversation) == BECKON_RUN_WAITING)
        beckon_chat_end (chat, beckon_agent_is_driving (beckon_runtime_get_agent (chat->runtime),
                                                        beckon_conversation_get_id (chat->conversation)));
      else
        rest (chat);
      return;
    }
  /* The open question is one that the model did not wait for, and its run is over. */
  if ((!is_asked || (!beckon_conversation_is_busy (chat->conversation) && !has_asked (chat)))
      && (chat->flags & BECKON_CHAT_ONE_TURN) != 0 && beckon_conversation_get_has_run (chat->conversation))
    chat_leave (chat);
  else if (chat->at_end || (chat->flags & BECKON_CHAT_INTERACTIVE) == 0)
    chat_leave (chat);
  else
    beckon_line_reader_want (chat->lines, is_asked ? chat->card : 0, beckon_dialogue_is_secret (chat->dialogue));
}

static gboolean
on_step (gpointer user_data)
{
  BeckonChat *chat = user_data;

  chat->step_source = 0;
  chat_step (chat);
  return G_SOURCE_REMOVE;
}

/* Many things change together; what is next is decided once they all have. */
static void
step_later (BeckonChat *chat)
{
  if (chat->step_source == 0 && chat->task != NULL)
    chat->step_source = g_idle_add (on_step, chat);
}

static void
chat_on_phase (BeckonConversation *conversation, GParamSpec *pspec, BeckonChat *chat)
{
  if (beckon_conversation_is_busy (conversation))
    chat->resumes = FALSE;
  if (chat->is_compacting && beckon_conversation_get_phase (conversation) == BECKON_RUN_REQUESTING)
    chat_say (chat, _("Summarizing earlier messages…"));
  else if (chat->is_compacting)
    say_queued (chat);
  else if (!beckon_conversation_is_busy (conversation))
    {
      beckon_printer_break (chat->printer);
      say_end (chat);
    }
  say_rest (chat);
  step_later (chat);
}

static void
chat_on_inbox_changed (GListModel *inbox, guint position, guint removed, guint added, BeckonChat *chat)
{
  BeckonRequest *request
      = !beckon_dialogue_is_table (chat->dialogue) ? beckon_dialogue_get_request (chat->dialogue) : NULL;

  /* Another place answered, and the agent is about to speak. */
  if (request != NULL && beckon_inbox_lookup (BECKON_INBOX (inbox), beckon_request_get_id (request)) == NULL)
    beckon_printer_break (chat->printer);
  step_later (chat);
}

void
beckon_chat_run_async (BeckonChat *chat, const char *message, GCancellable *cancellable, GAsyncReadyCallback callback,
                       gpointer user_data)
{
  chat->task = g_task_new (chat, cancellable, callback, user_data);
  g_task_set_source_tag (chat->task, beckon_chat_run_async);
  if ((chat->flags & BECKON_CHAT_INTERACTIVE) != 0)
    {
      static const BeckonLineReaderClient client = { on_typed, chat_on_prompt, can_prompt, on_escape, on_up };

      chat->lines = beckon_line_reader_new (chat->notes, &client, chat);
      beckon_printer_set_lines (chat->printer, chat->lines);
      /* Keys pressed while a command for one turn works are for the shell. */
      if (beckon_line_reader_is_terminal (chat->lines) && (chat->flags & BECKON_CHAT_ONE_TURN) == 0)
        {
          say_folder (chat);
          beckon_line_reader_listen (chat->lines);
        }
    }
  g_signal_connect (chat->conversation, "notify::phase", G_CALLBACK (chat_on_phase), chat);
  g_signal_connect (beckon_runtime_get_inbox (chat->runtime), "items-changed", G_CALLBACK (chat_on_inbox_changed), chat);
  if (chat->events != NULL && message != NULL)
    beckon_run_events_begin (chat->events, find_profile (chat));
  if (message != NULL)
    send_message (chat, message);
  /* An end that came unseen has not been told of. */
  else if (beckon_conversation_get_has_run (chat->conversation) && !beckon_conversation_is_busy (chat->conversation))
    say_end (chat);
  step_later (chat);
}

int
beckon_chat_run_finish (BeckonChat *chat, GAsyncResult *result, GError **error)
{
  return (int) g_task_propagate_int (G_TASK (result), error);
}

BeckonRunEvents *
beckon_chat_get_events (BeckonChat *chat)
{
  return chat->events;
}

const char *
beckon_chat_get_problem (BeckonChat *chat)
{
  return chat->problem;
}

void
beckon_chat_interrupt (BeckonChat *chat)
{
  /* A run that doesn't stop, because its driver doesn't respond, must not keep the person here. */
  if (beckon_conversation_is_busy (chat->conversation) && !chat->stopping)
    stop_run (chat);
  else if (chat->stopping || chat->lines == NULL || !beckon_line_reader_drop_line (chat->lines))
    chat_leave (chat);
}

void
beckon_chat_end (BeckonChat *chat, gboolean stops)
{
  g_autoptr (GPtrArray) pending = list_pending (chat);

  chat->ending = TRUE;
  /* A run that waits for nobody rests beside what runs in its background, and is over when that has ended. */
  if (stops && beckon_conversation_get_phase (chat->conversation) == BECKON_RUN_WAITING && pending->len == 0
      && beckon_command_end_all (beckon_conversation_get_id (chat->conversation), "the program was ended") > 0)
    {
      chat->stopping = TRUE;
      chat->is_clearing = TRUE;
      return;
    }
  /* A question outlives the terminal it was asked in; a run that only waits for its answer is left to the one who gives it,
   * and one that works beside it is cut off, because a stop would end the question. */
  if (stops && beckon_conversation_is_busy (chat->conversation) && !chat->stopping
      && beckon_conversation_get_phase (chat->conversation) != BECKON_RUN_WAITING && !has_late (chat))
    stop_run (chat);
  else
    chat_leave (chat);
}

BeckonChat *
beckon_chat_new (BeckonRuntime *runtime, BeckonConversation *conversation, BeckonChatFlags flags)
{
  BeckonChat *chat = g_object_new (BECKON_TYPE_CHAT, NULL);

  chat->runtime = g_object_ref (runtime);
  chat->conversation = g_object_ref (conversation);
  chat->flags = flags;
  chat->dialogue = beckon_dialogue_new ((flags & BECKON_CHAT_COLOUR) != 0);
  beckon_dialogue_set_previewer (chat->dialogue, beckon_inbox_get_previewer (beckon_runtime_get_inbox (runtime)));
  g_signal_connect_object (chat->dialogue, "ready", G_CALLBACK (step_later), chat, G_CONNECT_SWAPPED);
  chat->notes = (flags & BECKON_CHAT_ONE_TURN) != 0 ? stderr : stdout;
  chat->printer = beckon_printer_new (conversation, (flags & BECKON_CHAT_JSON) != 0 ? NULL : stdout, chat->notes,
                                      (flags & BECKON_CHAT_COLOUR) != 0);
  beckon_printer_set_quiet (chat->printer, (flags & (BECKON_CHAT_JSON | BECKON_CHAT_QUIET)) != 0);
  if ((flags & BECKON_CHAT_ONE_TURN) == 0)
    beckon_printer_set_has_commands (chat->printer);
  if ((flags & BECKON_CHAT_JSON) != 0)
    chat->events = beckon_run_events_new (conversation, stdout);
  if ((flags & BECKON_CHAT_INTERACTIVE) == 0)
    {
      beckon_printer_set_unattended (chat->printer);
      if (chat->events != NULL)
        beckon_run_events_set_unattended (chat->events);
    }
  return chat;
}

static void
beckon_chat_dispose (GObject *object)
{
  BeckonChat *chat = BECKON_CHAT (object);

  g_assert (chat->task == NULL);
  g_clear_handle_id (&chat->step_source, g_source_remove);
  g_clear_pointer (&chat->files, g_ptr_array_unref);
  g_clear_pointer (&chat->rewound, g_ptr_array_unref);
  g_clear_pointer (&chat->unanswered, g_hash_table_unref);
  g_clear_object (&chat->dialogue);
  g_clear_object (&chat->printer);
  g_clear_object (&chat->events);
  g_clear_pointer (&chat->problem, g_free);
  g_queue_clear_full (&chat->typed, (GDestroyNotify) typed_line_free);
  g_clear_object (&chat->conversation);
  g_clear_object (&chat->runtime);
  G_OBJECT_CLASS (beckon_chat_parent_class)->dispose (object);
}

static void
beckon_chat_class_init (BeckonChatClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_chat_dispose;
}

static void
beckon_chat_init (BeckonChat *chat)
{
  chat->rewound = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  chat->unanswered = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}
