/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE

#include "beckon-config.h"

#include "beckon-command.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "base/beckon-json-writer.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "base/beckon-worker.h"
#include "beckon-folder-tool.h"
#include "beckon-run-command.h"
#include "landing/beckon-landing-place.h"
#include "landing/beckon-landing-root.h"
#include "landing/beckon-landing-survey.h"
#include "request/beckon-question-request.h"
#include "sandbox/beckon-launch.h"
#include "sandbox/beckon-sandbox-portal.h"
#include "sandbox/beckon-sandbox-variables.h"
#include "sandbox/beckon-sandbox-view.h"

#include <fcntl.h>
#include <gio/gunixoutputstream.h>
#include <glib/gi18n-lib.h>
#include <locale.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define TICK_MS 100

/* A failure at once is told as what it is, and what a server says first with its handle. */
#define BACKGROUND_AFTER G_USEC_PER_SEC
#define MAX_BACKGROUND 4
#define LINES_SHOWN 30
#define LINES_ASKED 8
#define CHARS_ASKED 80
#define MAX_END 4096

/* At first the sandbox is prepared. While the job runs: ticks show its output and look at the clock. */
typedef struct
{
  BeckonJob *job; /* (nullable): while it is prepared */
  char *line;
  BeckonSandboxOptions options;
  char **tool_chains; /* (nullable): the names of those that it is shown */
  BeckonReadSkill *skills; /* (owned) (nullable) */
  guint seconds;
  BeckonToolReport report;
  gpointer report_data;
  BeckonToolPrompt prompt;
  gpointer prompt_data;
  BeckonDeniedPaths *denied; /* (nullable) */
  BeckonOutputStore *outputs; /* (nullable): what holds a secret is kept nowhere */
  BeckonOutputStore *shared;  /* (nullable): has /tmp; a command that is given a secret has one of its own */
  char *conversation_id;
  guint last_output;
  char *message_id; /* (nullable) */

  /* in the background */
  BeckonToolLeave leave;  /* (nullable): while its run waits for it */
  gboolean is_background;
  gboolean is_fixed;   /* its line is its tool's own */
  const char *why;        /* (nullable): why it was ended */
  GArray *views;          /* (owned) (element-type int): processes that run in the background in views of the folder */

  guint tick;
  guint64 n_shown;
  gint64 begun;
  gint64 deadline;
  GCancellable *asking; /* (nullable): while the person is asked */
  BeckonQuestion *question; /* (nullable): what was asked last */

  gboolean is_over_time;
  char *file_size; /* the largest that is let be */
  char *kept; /* (nullable): the name of its whole output */
  BeckonToolEnd end;
  BeckonMask *mask; /* (owned) (nullable) */

  /* where there is a view */
  gboolean must_land;     /* without one it does not run */
  char *call_id;
  BeckonToolCall *call;   /* (owned) */
  gboolean is_overlay;    /* what it changed can land while it runs */
  gboolean is_held;       /* that is just being done */
  gboolean has_ended;     /* meanwhile */
  gint64 base;            /* see BeckonLanding */
  char *text;             /* (owned) (nullable): the result, while it is found out what it changed */
  BeckonLanding *landing; /* (owned) (nullable) */
} Command;

static void
command_free (gpointer data)
{
  Command *command = data;

  g_assert (command->tick == 0);
  g_clear_object (&command->job);
  beckon_mask_unref (command->mask);
  g_free ((char *) command->options.folder);
  g_free ((char *) command->options.directory);
  g_free ((char *) command->options.place);
  g_free (command->call_id);
  g_clear_object (&command->call);
  g_free (command->text);
  g_clear_pointer (&command->landing, beckon_landing_free);
  if (command->options.loopback > 0)
    close (command->options.loopback);
  g_array_unref (command->views);
  g_strfreev ((char **) command->options.hosts);
  g_strfreev (command->tool_chains);
  g_strfreev ((char **) command->options.shown);
  g_clear_object (&command->skills);
  g_clear_pointer (&command->options.tool_chains, beckon_tool_chain_view_free);
  g_clear_pointer (&command->options.git, beckon_git_elsewhere_free);
  g_clear_pointer (&command->options.denied, beckon_denied_view_free);
  g_clear_pointer (&command->denied, beckon_denied_paths_unref);
  g_clear_object (&command->outputs);
  g_clear_object (&command->shared);
  g_free ((char *) command->options.temporary);
  g_clear_object (&command->asking);
  g_clear_pointer (&command->question, beckon_question_unref);
  g_free (command->line);
  g_free (command->conversation_id);
  g_free (command->message_id);
  g_free (command->file_size);
  g_free (command->kept);
  g_free (command);
}

static GOutputStream *
open_copy (gpointer data)
{
  Command *command = data;
  int fd = beckon_output_store_add (command->outputs, command->conversation_id, command->last_output, &command->kept);

  return fd >= 0 ? g_unix_output_stream_new (fd, TRUE) : NULL;
}

static void
end_for_time (Command *command)
{
  command->is_over_time = TRUE;
  beckon_job_kill (command->job);
}

static BeckonQuestion *
make_question (Command *command)
{
  g_autofree char *line = beckon_text_for_display (command->line, -1, BECKON_TEXT_EXACT);
  g_autofree char *shown = beckon_text_shorten (line, CHARS_ASKED);
  g_autofree char *tail = beckon_output_get_tail (beckon_job_get_output (command->job), LINES_ASKED);
  g_autofree char *head = NULL;
  guint seconds = (guint) ((g_get_monotonic_time () - command->begun) / G_USEC_PER_SEC);
  g_autofree char *question = NULL;
  g_autoptr (GString) json = NULL;
  BeckonJsonWriter writer;

  if (seconds < 60)
    head = beckon_text_printf (/* Translators: %s is a command line */
                               ngettext ("“%s” has been running for %u second. Keep it running?",
                                         "“%s” has been running for %u seconds. Keep it running?", seconds),
                               shown, seconds);
  else
    head = beckon_text_printf (/* Translators: %s is a command line */
                               ngettext ("“%s” has been running for %u minute. Keep it running?",
                                         "“%s” has been running for %u minutes. Keep it running?", seconds / 60),
                               shown, seconds / 60);
  json = g_string_new (NULL);
  question = *tail == '\0' ? beckon_text_printf ("%s\n%s", head, _("No output yet."))
                           /* Translators: %s is the question above, the second one what a command put out */
                           : beckon_text_printf (_("%s\nLast output:\n%s"), head, tail);
  beckon_json_writer_init (&writer, json);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "question", question);
  beckon_json_writer_name (&writer, "choices");
  beckon_json_writer_begin_array (&writer);
  beckon_json_writer_string (&writer, _("Keep it running for 10 minutes"), -1);
  beckon_json_writer_string (&writer, _("End it"), -1);
  beckon_json_writer_end_array (&writer);
  beckon_json_writer_name (&writer, "allow_freeform");
  beckon_json_writer_boolean (&writer, FALSE);
  beckon_json_writer_end_object (&writer);
  return beckon_question_parse (json->str, NULL);
}

/* Only a person's word lets it go on, which is the first choice; leaving the choice to the agent is one, too. */
static gboolean
lets_go_on (const BeckonQuestion *question, BeckonAnswer *answer)
{
  const BeckonQuestionItem *asked = g_ptr_array_index (question->items, 0);
  const BeckonQuestionOption *go_on = g_ptr_array_index (asked->options, 0);
  const BeckonAnswerItem *item = answer->items != NULL && answer->items->len > 0 ? g_ptr_array_index (answer->items, 0)
                                                                                 : NULL;

  if (answer->kind == BECKON_ANSWER_DELEGATED)
    return TRUE;
  return answer->kind == BECKON_ANSWER_QUESTION && item != NULL && item->selected->len > 0
         && strcmp (g_ptr_array_index (item->selected, 0), go_on->label) == 0;
}

static void
command_on_answered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Command *command = g_task_get_task_data (task);
  gboolean is_taken_back = g_cancellable_is_cancelled (command->asking);
  g_autoptr (BeckonAnswer) answer = beckon_tool_prompt_finish (result, NULL);

  g_clear_object (&command->asking);
  if (is_taken_back)
    return;
  if (answer != NULL && lets_go_on (command->question, answer))
    command->deadline = g_get_monotonic_time () + BECKON_COMMAND_MORE * G_USEC_PER_SEC;
  else
    end_for_time (command);
}

/* Commands without a network are in one of their own together, so that a server is reached by those behind it. */
static const char *
describe_network (const Command *command)
{
  if (command->options.loopback != 0)
    return "Commands without network reach its ports at 127.0.0.1; the user's browser only does if it is started with "
           "local_network.";
  return beckon_sandbox_shares_network (&command->options)
           ? "The user's browser reaches its ports, and so do commands with local_network."
           : "With network set, it is in a network of its own: neither other commands nor the user's browser reach its ports.";
}

/* Overlays look at the folder anew when another command begins. */
static const char *
describe_view (const Command *command)
{
  if (command->is_overlay)
    return "Files that are changed after its start reach it when the next command begins; what it has loaded by then, such as "
           "its own program, it keeps: end it and start it again.";
  return command->options.place != NULL ? "Files that are changed after its start don't reach it: end it and start it again."
                                        : "It works in the folder itself.";
}

static gboolean
command_on_tick (gpointer user_data)
{
  Command *command = g_task_get_task_data (G_TASK (user_data));
  BeckonOutput *output = beckon_job_get_output (command->job);
  guint64 length = beckon_output_get_length (output);

  if (command->report != NULL && length != command->n_shown)
    {
      g_autofree char *tail = NULL;

      command->n_shown = length;
      tail = beckon_output_get_tail (output, LINES_SHOWN);
      command->report (tail, command->report_data);
    }
  if (command->is_background && command->leave != NULL && g_get_monotonic_time () > command->begun + BACKGROUND_AFTER)
    {
      static const char changes[]
          = " What it changes itself is in the folder when it has ended; a log that other commands read is "
            "best in /tmp.";
      g_autofree char *written = beckon_output_get_text (beckon_job_get_output (command->job));
      gboolean is_line = *written == '\0' || g_str_has_suffix (written, "\n");
      g_autofree char *told
          = g_strdup_printf ("%s%s[It goes on in the background as %s: read_file with that path reads its output. It ends with "
                             "end_command, or with your turn unless the user keeps it running. %s %s%s]",
                             written, is_line ? "" : "\n", command->kept, describe_network (command), describe_view (command),
                             command->options.place != NULL ? changes : "");

      if (command->leave (told, command->prompt_data))
        {
          command->leave = NULL;
          beckon_command_note_left (command->call, command->conversation_id, command->kept);
        }
    }
  if (g_get_monotonic_time () > command->deadline)
    {
      /* The command runs on meanwhile. */
      g_clear_pointer (&command->question, beckon_question_unref);
      command->question = command->prompt != NULL ? make_question (command) : NULL;
      command->deadline = G_MAXINT64;
      if (command->question == NULL)
        end_for_time (command);
      else
        {
          g_autoptr (BeckonRequest) request = NULL;

          command->asking = g_cancellable_new ();
          request = beckon_question_request_new (NULL, command->conversation_id, command->message_id, NULL, command->question,
                                                 g_get_real_time ());
          command->prompt (request, command->asking, command_on_answered, g_object_ref (G_TASK (user_data)),
                           command->prompt_data);
        }
    }
  return G_SOURCE_CONTINUE;
}

/* (nullable): why it was ended. */
static char *
describe_limit (Command *command)
{
  const BeckonJobLimits *limits = beckon_job_get_limits (command->job);
  g_autofree char *memory = g_format_size_full (limits->memory_bytes, G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *written = g_format_size_full (limits->written_bytes, G_FORMAT_SIZE_IEC_UNITS);

  if (command->is_over_time)
    return g_strdup ("it ran out of time");
  if (command->why != NULL)
    return g_strdup (command->why);
  switch (beckon_job_get_limit (command->job))
    {
    case BECKON_JOB_LIMIT_MEMORY:
      return g_strdup_printf ("it used more memory than the limit of %s, temporary files in /tmp included", memory);
    case BECKON_JOB_LIMIT_PROCESSES:
      return g_strdup_printf ("it started more processes than the limit of %u", limits->n_processes);
    case BECKON_JOB_LIMIT_WRITTEN:
      return g_strdup_printf ("it wrote more to the disk than the limit of %s", written);
    case BECKON_JOB_LIMIT_DISK:
      return g_strdup ("the disk that its folder is on was almost full");
    case BECKON_JOB_LIMIT_NONE:
    default:
      return NULL;
    }
}

/* A call of which the model was told that it goes on, until it is told of its end. */
typedef struct
{
  BeckonToolCall *call; /* (owned) */
  char *conversation_id;
  char *name;
} Left;

static void
left_free (gpointer data)
{
  Left *left = data;

  g_object_unref (left->call);
  g_free (left->conversation_id);
  g_free (left->name);
  g_free (left);
}

/* (element-type Left): in order. Main thread. */
static GPtrArray *
get_left (void)
{
  static GPtrArray *all;

  if (all == NULL)
    all = g_ptr_array_new_with_free_func (left_free);
  return all;
}

void
beckon_command_note_left (BeckonToolCall *call, const char *conversation_id, const char *name)
{
  Left *left = g_new0 (Left, 1);

  left->call = g_object_ref (call);
  left->conversation_id = g_strdup (conversation_id);
  left->name = g_strdup (name);
  g_ptr_array_add (get_left (), left);
}

void
beckon_command_forget_left (BeckonToolCall *call)
{
  for (guint i = get_left ()->len; i > 0; i--)
    if (((const Left *) g_ptr_array_index (get_left (), i - 1))->call == call)
      g_ptr_array_remove_index (get_left (), i - 1);
}

char *
beckon_command_take_ends (const char *conversation_id)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < get_left ()->len; i++)
    {
      const Left *left = g_ptr_array_index (get_left (), i);
      const char *result;
      gsize length;
      gsize output;
      gboolean is_whole;
      const char *rest;

      if (!g_str_equal (left->conversation_id, conversation_id)
          || !beckon_call_state_is_final (beckon_tool_call_get_state (left->call)))
        continue;
      /* The output is read by its name; how it ended and what became of its changes stands behind that. */
      result = beckon_tool_call_get_result (left->call);
      length = result != NULL ? strlen (result) : 0;
      output = beckon_tool_call_get_output_length (left->call);
      is_whole = output >= length || beckon_tool_call_get_state (left->call) != BECKON_CALL_DONE;
      rest = result == NULL ? "" : is_whole ? result : result + output;
      if (strlen (rest) > MAX_END)
        rest = g_utf8_find_next_char (rest + strlen (rest) - MAX_END, NULL);
      rest += *rest == '\n';
      /* How it ended is said of it by name, as another command's end may stand above. */
      if (*rest == '[')
        g_string_append_printf (text, "\n[%s, which ran in the background, has ended. %s", left->name, rest + 1);
      else
        g_string_append_printf (text, "\n[%s, which ran in the background, has ended.]%s%s", left->name,
                                *rest == '\0' ? "" : "\n", rest);
      g_ptr_array_remove_index (get_left (), i--);
    }
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

static void
note_end (Command *command)
{
  g_autofree char *limit = describe_limit (command);
  g_autofree char *end
    = limit != NULL ? g_strdup_printf ("[%s, which ran in the background, was ended, because %s.]", command->kept, limit)
                    : g_strdup_printf ("[%s, which ran in the background, has ended with exit status %d.]", command->kept,
                                       command->end.exit_status);

  beckon_output_store_set_end (command->outputs, command->kept, end);
}

static void
command_append_end (GString *text, Command *command)
{
  int status = beckon_job_get_status (command->job);
  double seconds = (double) (g_get_monotonic_time () - command->begun) / G_USEC_PER_SEC;
  g_autofree char *limit = describe_limit (command);
  gboolean is_whole;
  guint64 copied;

  if (text->len > 0 && text->str[text->len - 1] != '\n')
    g_string_append_c (text, '\n');
  if (limit != NULL)
    g_string_append_printf (text, "[It was ended, because %s", limit);
  else
    g_string_append_printf (text, "[Exit status %d", status);
  if (limit == NULL && status == 128 + SIGXFSZ)
    g_string_append_printf (text, ": a file became larger than the limit of %s", command->file_size);
  g_string_append_printf (text, ", after %.1f s.]", seconds);
  copied = beckon_job_get_copied (command->job, &is_whole);
  if (command->kept == NULL || copied == 0)
    return;
  if (is_whole && beckon_output_get_left_out (beckon_job_get_output (command->job)) == 0)
    g_string_append_printf (text, "\n" BECKON_OUTPUT_STORE_WHOLE "%s, for read_file and search_files.]", command->kept);
  else if (is_whole)
    g_string_append_printf (text, "\n[All of the output: read_file with path %s.]", command->kept);
  else
    g_string_append_printf (text,
                            "\n[The first %" G_GUINT64_FORMAT " bytes of the output, and no more of it: read_file with "
                            "path %s.]",
                            copied, command->kept);
}

/* A command ended by a limit has failed. */
static void
set_end (Command *command, gsize output_length)
{
  command->end.exit_status = command->why != NULL ? -1 : beckon_job_get_status (command->job);
  command->end.is_failure = (command->why == NULL && command->end.exit_status != 0) || command->is_over_time
                            || beckon_job_get_limit (command->job) != BECKON_JOB_LIMIT_NONE;
  /* A tool that is a command underneath says itself what it did. */
  if (command->is_fixed && !command->end.is_failure)
    command->end.exit_status = -1;
  command->end.output_length = output_length;
  if (command->is_over_time)
    beckon_tool_call_set_reason (command->call, _("It was stopped because it ran out of time."));
  else if (beckon_job_get_limit (command->job) != BECKON_JOB_LIMIT_NONE)
    beckon_tool_call_set_reason (command->call,
                                 _("It was stopped because it used more memory, processes or disk space than allowed."));
}

/* Changes that are not known cannot land. */
static void
find_changes (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Command *command = task_data;
  g_autoptr (GError) error = NULL;
  /* A person reads why a change waits. */
  locale_t english = uselocale (LC_GLOBAL_LOCALE);
  g_autoptr (BeckonChangeSet) changes
    = beckon_landing_survey (command->options.place, command->options.folder, command->base, command->denied, command->mask,
                             cancellable, &error);

  uselocale (english);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  if (changes == NULL)
    {
      g_autofree char *before = g_steal_pointer (&command->text);

      command->end.is_failure = TRUE;
      command->text = g_strdup_printf ("%s\n[What it changed could not be read, and none of it is in the folder: %s]", before,
                                       error->message);
    }
  else if (beckon_change_set_get_n_changes (changes) > 0)
    {
      command->landing = beckon_landing_new (command->call_id, command->options.folder, command->options.place, command->base,
                                             changes);
      command->landing->git = beckon_landing_root_dup_git (command->options.place);
    }
  g_task_return_boolean (task, TRUE);
}

static void
on_changes_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Command *command = g_task_get_task_data (task);
  GError *error = NULL;

  if (g_task_propagate_boolean (G_TASK (result), &error))
    g_task_return_pointer (task, g_steal_pointer (&command->text), g_free);
  else
    g_task_return_error (task, error);
}

/* A part of the work on a worker thread, while nothing else touches the command. */
static void
command_run_phase (GTask *task, GTaskThreadFunc function, GAsyncReadyCallback callback)
{
  g_autoptr (GTask) phase
    = g_task_new (g_task_get_source_object (task), g_task_get_cancellable (task), callback, g_object_ref (task));

  g_task_set_source_tag (phase, command_run_phase);
  g_task_set_task_data (phase, g_task_get_task_data (task), NULL);
  beckon_worker_run (phase, function);
}

/* Commands that run on an overlay or in the background, by the ids of their calls. Main thread. */
static GHashTable *
get_running (void)
{
  static GHashTable *running; /* (element-type utf8 GTask) */

  if (running == NULL)
    running = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);

  return running;
}

/* Commands of a conversation that began in the background. @handle: (nullable): only the one with that */
static GPtrArray *
list_background (const char *conversation_id, const char *handle)
{
  GPtrArray *list = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer task;

  g_hash_table_iter_init (&iter, get_running ());
  while (g_hash_table_iter_next (&iter, NULL, &task))
    {
      Command *command = g_task_get_task_data (task);

      if (command->is_background && g_str_equal (command->conversation_id, conversation_id)
          && (handle == NULL || g_strcmp0 (command->kept, handle) == 0))
        g_ptr_array_add (list, command);
    }
  return list;
}

static gboolean
names_computer (const char *text)
{
  return strstr (text, "localhost") != NULL || strstr (text, "127.0.0.1") != NULL || strstr (text, "[::1]") != NULL;
}

/* Why nothing was reached. Pipes hide the exit status, and "curl -s" says nothing. A server that shares the user's network is
 * not in the one that commands without a network have together. */
static void
append_network (GString *text, const Command *command)
{
  g_autoptr (GPtrArray) others = list_background (command->conversation_id, NULL);
  g_autofree char *output = g_strndup (text->str, command->end.output_length);
  const char *remark = beckon_job_get_remark (command->job);
  gboolean says_so = (strcasestr (output, "refused") != NULL || strcasestr (output, "failed to connect") != NULL)
                     && (names_computer (command->line) || names_computer (output));
  gboolean is_alone = TRUE;

  for (guint i = 0; !command->options.local_network && i < others->len; i++)
    {
      const Command *other = g_ptr_array_index (others, i);

      is_alone = is_alone && other == command;
      if (other == command || !beckon_sandbox_shares_network (&other->options)
          || (!says_so && (!command->end.is_failure || !names_computer (command->line))))
        continue;
      remark = NULL;
      g_string_append_printf (text, "\n[The ports of %s are reached only with local_network, as it was started with it.]",
                              other->kept);
    }
  if (says_so && is_alone && !command->options.local_network)
    g_string_append (text, "\n[The sandbox has a 127.0.0.1 of its own. Services of the user's computer and network are reached "
                     "only with local_network; the user is asked.]");
  else if (remark != NULL)
    g_string_append_printf (text, "\n%s", remark);
}

BeckonToolCall *
beckon_command_find (const char *conversation_id, const char *handle)
{
  g_autoptr (GPtrArray) list = list_background (conversation_id, handle);

  return list->len > 0 ? ((Command *) g_ptr_array_index (list, 0))->call : NULL;
}

guint
beckon_command_end_all (const char *conversation_id, const char *why)
{
  g_autoptr (GPtrArray) list = list_background (conversation_id, NULL);

  for (guint i = 0; i < list->len; i++)
    beckon_command_end (((Command *) g_ptr_array_index (list, i))->call, why);
  return list->len;
}

guint
beckon_command_keep_all (const char *conversation_id)
{
  g_autoptr (GPtrArray) list = list_background (conversation_id, NULL);

  for (guint i = 0; i < list->len; i++)
    beckon_tool_call_keep (((Command *) g_ptr_array_index (list, i))->call);
  return list->len;
}

gboolean
beckon_command_ended_with_turn (BeckonToolCall *call)
{
  const char *result = beckon_tool_call_get_result (call);

  return beckon_tool_call_get_background (call) != NULL && result != NULL
         && strstr (result, "[It was ended, because " BECKON_COMMAND_TURN_OVER ", after ") != NULL;
}

void
beckon_command_end (BeckonToolCall *call, const char *why)
{
  GTask *running = g_hash_table_lookup (get_running (), beckon_tool_call_get_id (call));
  Command *command = running != NULL ? g_task_get_task_data (running) : NULL;

  if (command == NULL || !command->is_background || command->has_ended || command->why != NULL)
    return;
  command->why = why;
  beckon_job_kill (command->job);
}

static void
finish_command (GTask *task)
{
  Command *command = g_task_get_task_data (task);

  g_hash_table_remove (get_running (), command->call_id);
  if (command->options.place != NULL)
    command_run_phase (task, find_changes, on_changes_found);
  else
    g_task_return_pointer (task, g_steal_pointer (&command->text), g_free);
}

static void
command_on_ended (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Command *command = g_task_get_task_data (task);
  g_autofree char *output = NULL;
  GString *text;
  GError *error = NULL;
  gsize output_length;
  g_autofree char *line = NULL;

  g_clear_handle_id (&command->tick, g_source_remove);
  if (command->asking != NULL)
    g_cancellable_cancel (command->asking);
  beckon_tool_call_set_can_land (command->call, FALSE);
  if (!beckon_job_wait_finish (command->job, result, &error))
    {
      if (command->is_background)
        beckon_output_store_set_end (command->outputs, command->kept, "[It was ended.]");
      g_hash_table_remove (get_running (), command->call_id);
      g_task_return_error (task, error);
      return;
    }

  output = beckon_output_get_text (beckon_job_get_output (command->job));
  text = g_string_new (output);
  set_end (command, text->len);
  if (!command->is_fixed || command->end.is_failure)
    command_append_end (text, command);
  /* An overlay cannot move a folder that is below it, and the system's words for that say nothing of why; nor do those for what
   * of a repository lies elsewhere. */
  output_length = command->end.output_length;
  line = g_strchomp (g_strdup (command->line));
  /* As in a terminal: the shell ends at once, and with it the sandbox. */
  if (g_str_has_suffix (line, "&") && !g_str_has_suffix (line, "&&"))
    g_string_append (text, "\n[What the shell left running has ended with it. A server runs on if background is set instead of "
                           "&.]");
  if (command->options.git != NULL && command->end.is_failure && !beckon_sandbox_view_has_git (command->options.place)
      && g_strstr_len (text->str, (gssize) output_length, "Read-only file system") != NULL)
    g_string_append_printf (text,
                            "\n[The Git data of this folder is outside it, in %s, and is read-only here. "
                            "Commits and other "
                            "changes to it must be made in the repository itself or by the user.]",
                            command->options.git->paths[0]);
  if (command->options.place != NULL && command->end.is_failure
      && (g_strstr_len (text->str, (gssize) output_length, "Invalid cross-device link") != NULL
          || g_strstr_len (text->str, (gssize) output_length, "EXDEV") != NULL))
    g_string_append (text, "\n[Folders that were there before a command can't be renamed by it, only copied and deleted, as mv "
                           "does: instead of git mv, use mv and then git add -A.]");
  append_network (text, command);
  if (command->is_background)
    note_end (command);
  command->text = g_string_free (text, FALSE);
  command->has_ended = TRUE;
  if (!command->is_held)
    finish_command (task);
}

/* The wait hears of a stop that came meanwhile, and ends the job. */
static void
command_on_started (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Command *command = g_task_get_task_data (task);
  GError *error = NULL;

  command->job = beckon_sandbox_start_finish (result, &error);
  if (command->job == NULL)
    {
      g_task_return_error (task, error);
      return;
    }

  if (command->mask != NULL)
    beckon_job_set_mask (command->job, command->mask);
  if (command->outputs != NULL)
    beckon_job_set_copy (command->job, open_copy, command, BECKON_OUTPUT_STORE_MAX_BYTES);
  command->begun = g_get_monotonic_time ();
  command->is_background = command->is_background && beckon_job_begin_copy (command->job);
  if (command->is_background)
    beckon_output_store_set_end (command->outputs, command->kept, NULL);
  if (command->is_background && command->options.loopback == -1)
    command->options.loopback = beckon_job_open_network (command->job);
  command->deadline = command->is_background ? G_MAXINT64 : command->begun + command->seconds * G_USEC_PER_SEC;
  command->tick = g_timeout_add (TICK_MS, command_on_tick, task);
  if (command->is_overlay || command->is_background)
    g_hash_table_replace (get_running (), g_strdup (command->call_id), g_object_ref (task));
  if (command->is_overlay)
    beckon_tool_call_set_can_land (command->call, TRUE);
  beckon_job_wait_async (command->job, g_task_get_cancellable (task), command_on_ended, g_object_ref (task));
}

/* A decision about a view does not hold for the folder itself. */
static gboolean
make_view (Command *command, GCancellable *cancellable, GError **error)
{
  g_autofree char *place = NULL;

  if (beckon_sandbox_view_get (command->options.folder) == BECKON_VIEW_DIRECT)
    {
      if (!command->must_land)
        return TRUE;
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                           "Not run, and nothing was changed: commands can only work in the folder itself now, which the user "
                           "is asked about. Call it again if it is still wanted.");
      return FALSE;
    }

  place = beckon_landing_place_make (command->call_id, error);
  command->base = beckon_landing_survey_now ();
  if (place == NULL || !beckon_landing_place_bind (place, command->options.folder, error)
      || !beckon_sandbox_view_make (command->options.folder, place, command->options.denied, cancellable, error))
    {
      g_prefix_error_literal (error, "Not run, and nothing was changed: no view of the folder could be made. ");
      return FALSE;
    }
  command->options.place = g_steal_pointer (&place);
  command->is_overlay = beckon_sandbox_view_get (command->options.folder) == BECKON_VIEW_OVERLAY;

  if (command->is_overlay && command->options.git != NULL
      && !beckon_sandbox_view_make_git (command->options.git, command->options.folder, command->options.place, error))
    return FALSE;
  beckon_landing_root_note_index (command->options.folder, command->options.place);
  return TRUE;
}

/* With links resolved. */
static gboolean
find_directory (Command *command, GError **error)
{
  const char *root = command->options.folder;
  g_autofree char *written = g_steal_pointer ((char **) &command->options.directory);
  g_autofree char *relative = NULL;
  g_autoptr (BeckonFolder) folder = beckon_folder_tool_open (root, written, &relative, error);

  if (folder != NULL)
    command->options.directory = beckon_folder_resolve (root, relative, NULL);
  return folder != NULL;
}

/* (transfer container): folders of which a command is shown what it is not denied by name. */
static const char **
list_beside (const Command *command)
{
  const char *const *const lists[] = {
    beckon_tool_chain_view_list_shown (command->options.tool_chains),
    command->options.git != NULL ? (const char *const *) command->options.git->paths : NULL,
  };
  GPtrArray *beside = g_ptr_array_new ();

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    for (guint j = 0; lists[i] != NULL && lists[i][j] != NULL; j++)
      g_ptr_array_add (beside, (gpointer) lists[i][j]);
  g_ptr_array_add (beside, NULL);
  return (const char **) g_ptr_array_free (beside, FALSE);
}

/* Denied files are kept from the command as they are now. */
static void
look_at_folder (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Command *command = task_data;
  g_autofree const char **beside = NULL;
  const char *git;
  GError *error = NULL;
  static const char *const none[] = { NULL };
  const char *const *names = (const char *const *) command->tool_chains;
  gboolean network = command->options.network || command->options.local_network;
  BeckonGitElsewhere *elsewhere;
  gboolean is_fine;

  /* A Flatpak has no home of the person's. */
  command->options.tool_chains
      = beckon_tool_chains_look (g_get_home_dir (), names != NULL && !beckon_sandbox_portal_is_needed () ? names : none,
                                 command->options.folder, network);
  /* Scripts of skills are run where they lie. */
  if (command->skills != NULL && !beckon_sandbox_portal_is_needed ())
    command->options.shown = (const char *const *) beckon_read_skill_list_folders (command->skills, command->conversation_id,
                                                                                   command->options.folder);
  command->options.temporary
    = command->shared != NULL ? beckon_output_store_get_temporary (command->shared, command->conversation_id) : NULL;
  /* A repository of the whole home tells more than its folder does. */
  elsewhere = beckon_sandbox_portal_is_needed () ? NULL : beckon_git_elsewhere_find (command->options.folder);
  is_fine = elsewhere != NULL && !beckon_sandbox_holds_more (elsewhere->work_tree);
  for (guint i = 0; is_fine && elsewhere->paths[i] != NULL; i++)
    is_fine = !beckon_sandbox_holds_more (elsewhere->paths[i]);
  if (!is_fine)
    g_clear_pointer (&elsewhere, beckon_git_elsewhere_free);
  command->options.git = elsewhere;
  git = command->options.git != NULL ? command->options.git->git : NULL;
  for (guint i = 0; i < command->views->len; i++)
    {
      beckon_launch_refresh_overlay (g_array_index (command->views, int, i), command->options.folder);
      if (git != NULL && beckon_sandbox_view_get (git) == BECKON_VIEW_OVERLAY)
        beckon_launch_refresh_overlay (g_array_index (command->views, int, i), git);
    }
  beside = list_beside (command);
  if (find_directory (command, &error) && command->denied != NULL)
    command->options.denied
      = beckon_denied_view_look_beside (command->denied, command->options.folder, command->options.shown, beside, &error);
  if (error == NULL && make_view (command, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
on_folder_looked_at (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Command *command = g_task_get_task_data (task);
  const char *argv[] = { beckon_sandbox_get_shell (), "-c", command->line, NULL };
  GError *error = NULL;

  if (g_task_propagate_boolean (G_TASK (result), &error))
    beckon_sandbox_start_async (argv, &command->options, command_on_started, g_object_ref (task));
  else
    g_task_return_error (task, error);
}

/* Those that run keep the network in being for whoever is in it. */
static gboolean
prepare_background (Command *command, GError **error)
{
  g_autoptr (GPtrArray) others = list_background (command->conversation_id, NULL);

  for (guint i = 0; i < others->len; i++)
    {
      const Command *other = g_ptr_array_index (others, i);
      int pid = other->is_overlay ? beckon_job_get_pid (other->job) : 0;

      if (pid > 0)
        g_array_append_val (command->views, pid);
      if (command->options.loopback == 0 && other->options.loopback > 0 && !command->options.network
          && !command->options.local_network)
        command->options.loopback = fcntl (other->options.loopback, F_DUPFD_CLOEXEC, 0);
    }
  if (!command->is_background)
    return TRUE;
  if (command->leave == NULL || command->outputs == NULL || beckon_sandbox_portal_is_needed ())
    {
      g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                           "This can't run in the background here. Call it without background.");
      return FALSE;
    }
  if (others->len >= MAX_BACKGROUND)
    {
      g_autoptr (GString) handles = g_string_new (NULL);

      for (guint i = 0; i < others->len; i++)
        g_string_append_printf (handles, "%s%s", i > 0 ? ", " : "", ((Command *) g_ptr_array_index (others, i))->kept);
      g_set_error (error, BECKON_ERROR, BECKON_ERROR_CONFLICT,
                   "%u commands run in the background already, and more can't: %s. End one by end_command.", others->len,
                   handles->str);
      return FALSE;
    }
  if (command->options.loopback == 0 && !command->options.network && !command->options.local_network)
    command->options.loopback = -1;
  return TRUE;
}

void
beckon_command_run_async (BeckonTool *tool, const BeckonToolContext *context, const char *line, guint seconds,
                          gboolean is_background, const BeckonSandboxOptions *options, const char *const *tool_chains,
                          BeckonReadSkill *skills, BeckonOutputStore *outputs, GCancellable *cancellable,
                          GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (tool, cancellable, callback, user_data);
  Command *command = g_new0 (Command, 1);
  GError *error = NULL;
  gboolean has_secret;

  g_task_set_source_tag (task, beckon_command_run_async);
  g_task_set_task_data (task, command, command_free);
  command->views = g_array_new (FALSE, FALSE, sizeof (int));
  command->line = g_strdup (line);
  command->seconds = seconds;
  command->options = *options;
  command->options.folder = g_strdup (options->folder);
  command->options.directory = g_strdup (options->directory);
  command->tool_chains = g_strdupv ((char **) tool_chains);
  command->skills = skills != NULL ? g_object_ref (skills) : NULL;
  command->options.hosts = (const char *const *) g_strdupv ((char **) options->hosts);
  command->file_size = g_format_size_full (beckon_sandbox_get_file_size (options), G_FORMAT_SIZE_IEC_UNITS);
  command->report = context->report;
  command->report_data = context->report_data;
  command->prompt = context->prompt;
  command->leave = context->leave;
  command->prompt_data = context->prompt_data;
  command->is_background = is_background;
  command->is_fixed = beckon_run_command_is_fixed (tool);
  command->conversation_id = g_strdup (context->conversation_id);
  command->last_output = context->last_output;
  command->message_id = g_strdup (context->message_id);
  command->mask = context->mask != NULL ? beckon_mask_ref (context->mask) : NULL;
  command->denied = context->denied != NULL ? beckon_denied_paths_ref (context->denied) : NULL;
  command->must_land = context->lands;
  command->call_id = g_strdup (beckon_tool_call_get_id (context->call));
  command->call = g_object_ref (context->call);
  has_secret = strcmp (context->arguments, beckon_tool_call_get_effective_arguments (context->call)) != 0;
  /* Without a mask what is given a secret might print it into the copy. */
  if (!has_secret || context->mask != NULL)
    command->outputs = g_object_ref (outputs);
  if (!has_secret && !beckon_sandbox_portal_is_needed ())
    command->shared = g_object_ref (outputs);
  if (prepare_background (command, &error))
    command_run_phase (task, look_at_folder, on_folder_looked_at);
  else
    g_task_return_error (task, error);
}

char *
beckon_command_run_finish (BeckonTool *tool, GAsyncResult *result, BeckonToolEnd *end, BeckonLanding **landing,
                           GError **error)
{
  Command *command;

  command = g_task_get_task_data (G_TASK (result));
  *end = command->end;
  *landing = g_steal_pointer (&command->landing);
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* The changes of a command that still runs. */

typedef struct
{
  GTask *task; /* (owned): of the command */
  char *id;
} Survey;

static void
survey_free (gpointer data)
{
  Survey *survey = data;

  g_object_unref (survey->task);
  g_free (survey->id);
  g_free (survey);
}

static void
survey_on_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  const Survey *survey = task_data;
  const Command *command = g_task_get_task_data (survey->task);
  g_autofree char *place = NULL;
  g_autoptr (BeckonChangeSet) changes = NULL;
  BeckonLanding *landing;
  GError *error = NULL;

  place = beckon_landing_place_copy (command->options.place, survey->id, &error);
  if (place != NULL)
    changes = beckon_landing_survey (place, command->options.folder, command->base, command->denied, command->mask, cancellable,
                                     &error);
  if (changes == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  if (beckon_change_set_get_n_changes (changes) == 0)
    {
      g_task_return_pointer (task, NULL, NULL);
      return;
    }

  landing = beckon_landing_new (command->call_id, command->options.folder, place, command->base, changes);
  landing->git = beckon_landing_root_dup_git (place);
  beckon_landing_set_id (landing, survey->id);
  g_task_return_pointer (task, landing, (GDestroyNotify) beckon_landing_free);
}

void
beckon_command_survey_async (BeckonTool *tool, BeckonToolCall *call, const char *id, GAsyncReadyCallback callback,
                             gpointer user_data)
{
  GTask *running = g_hash_table_lookup (get_running (), beckon_tool_call_get_id (call));
  GCancellable *cancellable = running != NULL ? g_task_get_cancellable (running) : NULL;
  g_autoptr (GTask) task = g_task_new (tool, cancellable, callback, user_data);
  Command *command = running != NULL ? g_task_get_task_data (running) : NULL;
  Survey *survey;

  g_task_set_source_tag (task, beckon_command_survey_async);
  if (command == NULL || command->has_ended || command->is_held)
    {
      g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_CONFLICT, "%s", _("The command is no longer running."));
      return;
    }

  command->is_held = TRUE;
  survey = g_new0 (Survey, 1);
  survey->task = g_object_ref (running);
  survey->id = g_strdup (id);
  g_task_set_task_data (task, survey, survey_free);
  beckon_worker_run_for_person (task, survey_on_thread);
}

BECKON_FINISH_POINTER (BeckonLanding *, beckon_command_survey, BeckonTool)

gboolean
beckon_command_hold (BeckonToolCall *call)
{
  GTask *running = g_hash_table_lookup (get_running (), beckon_tool_call_get_id (call));
  Command *command = running != NULL ? g_task_get_task_data (running) : NULL;

  if (command == NULL || command->has_ended || command->is_held)
    return FALSE;
  command->is_held = TRUE;

  return TRUE;
}

void
beckon_command_release (BeckonToolCall *call)
{
  GTask *found = g_hash_table_lookup (get_running (), beckon_tool_call_get_id (call));
  g_autoptr (GTask) task = found != NULL ? g_object_ref (found) : NULL;
  Command *command = task != NULL ? g_task_get_task_data (task) : NULL;

  if (command == NULL || !command->is_held)
    return;
  command->is_held = FALSE;
  if (command->has_ended)
    finish_command (task);
}
