/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-key-programs.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "base/beckon-json.h"
#include "base/beckon-mask.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "base/beckon-wipe.h"
#include "base/beckon-worker.h"
#include "beckon-secrets.h"
#include "domain/beckon-profile.h"

#include <glib/gi18n-lib.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* Errors of a program are kept to the first length, and shown to the second. */
#define COMPLAINT_MAX 4096
#define SHOWN_MAX 400

/* As much as a pipe may hold, which a program that has ended can have left in it. */
#define PIPE_MAX (1024 * 1024)

#define PIECE 4096

/* A key is not sent when it has no longer than this. */
#define MARGIN_US (30 * G_USEC_PER_SEC)

struct _BeckonKeyPrograms
{
  GObject parent_instance;

  BeckonClock *clock;  /* (owned) */
  GHashTable *printed; /* (element-type utf8 Printed): by the command */
  GHashTable *running; /* (element-type utf8 Running): by the command; borrowed */
  GHashTable *failures; /* (element-type utf8 utf8): of the last run of a command, with the program's words */
};

G_DEFINE_FINAL_TYPE (BeckonKeyPrograms, beckon_key_programs, G_TYPE_OBJECT)

typedef struct
{
  char *key;
  gint64 until; /* real time, microseconds; %G_MAXINT64: the program did not say */
} Printed;

/* A program in a reference-counted box: its end and each wait that is under way has a reference. */
typedef struct
{
  BeckonKeyPrograms *programs; /* (owned) */
  char *command;               /* (owned) */
  char *name;                  /* (owned) */
  GSubprocess *process;        /* (owned) */
  GCancellable *io;            /* (owned) */
  GSource *reads[2];           /* (owned) (nullable): of its output and its words, while they are open */
  GByteArray *output;
  GByteArray *complaint;
  char *details; /* (owned) (nullable): of a failure, with the program's words */
  pid_t pid;     /* its own and of its session; 0: it is not there */
  guint timeout;
  gboolean ended;
  GPtrArray *waiting; /* (element-type Waiting) */
} Running;

typedef struct
{
  GTask *task;
  Running *running; /* borrowed: it has this */
  GSource *cancelled;
} Waiting;

static void
printed_free (Printed *printed)
{
  beckon_wipe (printed->key);
  g_free (printed);
}

static void
programs_waiting_free (Waiting *waiting)
{
  if (waiting->cancelled != NULL)
    g_source_destroy (waiting->cancelled);
  g_clear_pointer (&waiting->cancelled, g_source_unref);
  g_object_unref (waiting->task);
  g_free (waiting);
}

static void
stop_reading (Running *running)
{
  for (guint i = 0; i < G_N_ELEMENTS (running->reads); i++)
    {
      if (running->reads[i] != NULL)
        g_source_destroy (running->reads[i]);
      g_clear_pointer (&running->reads[i], g_source_unref);
    }
}

static void
running_clear (gpointer data)
{
  Running *running = data;

  stop_reading (running);
  if (running->output->len > 0)
    explicit_bzero (running->output->data, running->output->len);
  g_byte_array_unref (running->output);
  g_byte_array_unref (running->complaint);
  g_ptr_array_unref (running->waiting);
  g_clear_object (&running->process);
  g_object_unref (running->io);
  g_object_unref (running->programs);
  g_free (running->command);
  g_free (running->name);
  g_free (running->details);
}

static void
running_release (Running *running)
{
  g_rc_box_release_full (running, running_clear);
}

static void
beckon_key_programs_finalize (GObject *object)
{
  BeckonKeyPrograms *self = BECKON_KEY_PROGRAMS (object);

  g_hash_table_unref (self->printed);
  g_hash_table_unref (self->running);
  g_hash_table_unref (self->failures);
  g_object_unref (self->clock);
  G_OBJECT_CLASS (beckon_key_programs_parent_class)->finalize (object);
}

static void
beckon_key_programs_class_init (BeckonKeyProgramsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_key_programs_finalize;
}

static void
beckon_key_programs_init (BeckonKeyPrograms *self)
{
  self->printed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) printed_free);
  self->running = g_hash_table_new (g_str_hash, g_str_equal);
  self->failures = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

BeckonKeyPrograms *
beckon_key_programs_new (BeckonClock *clock)
{
  BeckonKeyPrograms *self;

  g_return_val_if_fail (BECKON_IS_CLOCK (clock), NULL);

  self = g_object_new (BECKON_TYPE_KEY_PROGRAMS, NULL);
  self->clock = g_object_ref (clock);
  return self;
}

/* --- What it printed ---------------------------------------------------------------------------------------------- */

static char *
dup_first_line (const char *text)
{
  return g_strstrip (g_strndup (text, strcspn (text, "\r\n")));
}

static const char *
programs_get_text (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
           ? json_node_get_string (node)
           : NULL;
}

/* Programs write numbers as texts, too. */
static gboolean
programs_get_number (JsonObject *object, const char *name, gint64 *number)
{
  JsonNode *node = json_object_get_member (object, name);
  const char *text = programs_get_text (object, name);

  if (text != NULL)
    return g_ascii_string_to_signed (text, 10, 0, G_MAXINT32 * G_GINT64_CONSTANT (8), number, NULL);
  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node)
      || (json_node_get_value_type (node) != G_TYPE_INT64 && json_node_get_value_type (node) != G_TYPE_DOUBLE))
    return FALSE;
  *number = (gint64) CLAMP (json_node_get_double (node), 0, G_MAXINT32 * 8.0);
  return TRUE;
}

static gint64
read_end (JsonObject *object, gint64 now)
{
  const char *text = programs_get_text (object, "expires_at");
  g_autoptr (GTimeZone) utc = g_time_zone_new_utc ();
  g_autoptr (GDateTime) when = text != NULL ? g_date_time_new_from_iso8601 (text, utc) : NULL;
  gint64 seconds;

  if (when != NULL)
    return g_date_time_to_unix (when) * G_USEC_PER_SEC;
  if (programs_get_number (object, "expires_at", &seconds))
    return seconds * G_USEC_PER_SEC;
  return programs_get_number (object, "expires_in", &seconds) ? now + seconds * G_USEC_PER_SEC : G_MAXINT64;
}

/* %NULL for what is no key. */
static Printed *
read_printed (const char *text, gint64 now, GError **error)
{
  g_autoptr (JsonObject) object = NULL;
  gboolean is_object;
  Printed *printed = g_new0 (Printed, 1);

  printed->until = G_MAXINT64;
  while (g_ascii_isspace (*text))
    text++;
  is_object = *text == '{';
  if (!is_object)
    printed->key = dup_first_line (text);
  else if ((object = beckon_json_parse_object (text, -1, NULL)) != NULL)
    {
      const char *own = programs_get_text (object, "key");
      const char *key = own != NULL ? own : programs_get_text (object, "access_token");

      printed->key = key != NULL ? g_strstrip (g_strdup (key)) : NULL;
      printed->until = read_end (object, now);
    }

  if (is_object && object == NULL)
    g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, _("The output begins like a JSON object but isn’t "
                                                                          "one."));
  else if (printed->key == NULL)
    g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                         _("The JSON has neither “key” nor “access_token”."));
  else if (*printed->key == '\0')
    g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, _("It printed nothing."));
  else if (beckon_secrets_check (printed->key, error))
    return printed;
  printed_free (printed);
  return NULL;
}

/* --- What it said ------------------------------------------------------------------------------------------------- */

static gboolean
is_random (const char *word)
{
  gboolean lower = FALSE, upper = FALSE, digit = FALSE;

  for (const char *c = word; *c != '\0'; c++)
    {
      lower = lower || g_ascii_islower (*c);
      upper = upper || g_ascii_isupper (*c);
      digit = digit || g_ascii_isdigit (*c);
    }
  return strlen (word) >= 24 && lower + upper + digit >= 2 && digit;
}

#define ALPHANUMERIC "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

/* A path may read like base64, but begins with a slash or has other signs in it. */
static gsize
get_base64_length (const char *text)
{
  gsize length = strspn (text, ALPHANUMERIC "+/");
  gboolean is_whole = *text != '/' && (text[length] == '\0' || strchr ("-_.~", text[length]) == NULL);
  g_autofree char *word = g_strndup (text, length);

  return is_whole && is_random (word) ? length + strspn (text + length, "=") : 0;
}

/* An array that is empty has no bytes at all. */
static char *
programs_dup_text (GByteArray *bytes)
{
  return g_strndup (bytes->len > 0 ? (const char *) bytes->data : "", bytes->len);
}

static char *
dup_complaint (Running *running)
{
  g_autofree char *bytes = programs_dup_text (running->complaint);
  g_autofree char *said = g_utf8_make_valid (bytes, -1);
  g_autofree char *printed = programs_dup_text (running->output);
  g_autofree char *line = dup_first_line (printed);
  const Printed *kept = g_hash_table_lookup (running->programs->printed, running->command);
  g_autoptr (BeckonMask) mask = beckon_mask_new ();
  g_autofree char *masked = NULL;
  g_autofree char *shown = NULL;
  const char *text;

  if (strlen (line) >= 8)
    beckon_mask_add (mask, line, "…");
  if (kept != NULL)
    beckon_mask_add (mask, kept->key, "…");
  text = said;
  /* A program that fails may print what it was about to hand out. */
  while (*text != '\0')
    {
      gsize whole = get_base64_length (text);
      gsize length = whole > 0 ? whole : strspn (text, ALPHANUMERIC "-_.+~");
      g_autofree char *word = g_strndup (text, length);

      if (whole > 0 || beckon_profile_looks_like_key (word) || is_random (word))
        beckon_mask_add (mask, word, "…");
      text += MAX (length, 1);
    }
  masked = beckon_mask_is_empty (mask) ? g_strdup (said) : beckon_mask_apply (mask, said);
  shown = beckon_text_for_display (g_strstrip (g_strdelimit (masked, "\r\n\t", ' ')), -1, BECKON_TEXT_EXACT);
  explicit_bzero (printed, strlen (printed));
  explicit_bzero (line, strlen (line));
  return beckon_text_shorten (shown, SHOWN_MAX);
}

/* The program's own words may hold a secret, and errors are stored: none has them. */
static GError *
make_failure (Running *running, const char *sentence)
{
  g_autofree char *said = dup_complaint (running);

  g_clear_pointer (&running->details, g_free);
  if (*said == '\0')
    return g_error_new_literal (BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, sentence);

  running->details = g_strdup_printf ("%s %s", sentence, said);
  return beckon_text_error_new (BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, "%s %s", sentence,
                                _("Test the profile to read what the program says."));
}

/* Whether it worked; else %FALSE, with a sentence. */
static gboolean
check_end (Running *running, GError **error)
{
  g_autofree char *sentence = NULL;

  if (g_subprocess_get_successful (running->process))
    return TRUE;
  if (g_subprocess_get_if_exited (running->process))
    /* Translators: a program and a number */
    sentence = beckon_text_printf (_("“%1$s”, which prints the key, ended with status %2$d."), running->name,
                                   g_subprocess_get_exit_status (running->process));
  else
    /* Translators: a program */
    sentence = beckon_text_printf (_("“%s”, which prints the key, was stopped by another program."), running->name);
  g_propagate_error (error, make_failure (running, sentence));
  return FALSE;
}

static Printed *
read_output (Running *running, GError **error)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) local_error = NULL;
  Printed *printed;

  if (!check_end (running, error))
    return NULL;
  text = programs_dup_text (running->output);
  printed = read_printed (text, beckon_clock_get_real_time (running->programs->clock), &local_error);
  explicit_bzero (text, strlen (text));
  if (printed == NULL)
    beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                           /* Translators: a program, and what is wrong with what it printed, as a sentence */
                           _("“%1$s” did not print a key: %2$s"), running->name, local_error->message);
  return printed;
}

/* --- Running it --------------------------------------------------------------------------------------------------- */

/* The program has a session of its own, so its children go with it. */
static void
stop_process (Running *running)
{
  if (running->pid > 0)
    kill (-running->pid, SIGKILL);
  running->pid = 0;
}

/* The last call for a program: everybody who waits gets the key, or @error. */
static void
programs_end (Running *running, Printed *printed, const GError *error)
{
  BeckonKeyPrograms *self = running->programs;
  g_autoptr (GPtrArray) waiting = g_steal_pointer (&running->waiting);
  beckon_autowipe char *key = printed != NULL ? g_strdup (printed->key) : NULL;

  running->waiting = g_ptr_array_new_with_free_func ((GDestroyNotify) programs_waiting_free);
  running->ended = TRUE;
  beckon_clock_remove (self->clock, running->timeout);
  running->timeout = 0;
  g_hash_table_remove (self->running, running->command);
  g_cancellable_cancel (running->io);
  stop_reading (running);
  if (printed != NULL)
    g_hash_table_replace (self->printed, g_strdup (running->command), printed);
  if (running->details != NULL)
    g_hash_table_replace (self->failures, g_strdup (running->command), g_steal_pointer (&running->details));
  else
    g_hash_table_remove (self->failures, running->command);
  /* A task that gets the key may refuse it at once. */
  for (guint i = 0; i < waiting->len; i++)
    {
      GTask *task = ((Waiting *) g_ptr_array_index (waiting, i))->task;

      if (key != NULL)
        g_task_return_pointer (task, g_strdup (key), (GDestroyNotify) beckon_wipe);
      else
        g_task_return_error (task, g_error_copy (error));
    }
  running_release (running);
}

static void
programs_fail (Running *running, GError *error)
{
  g_autoptr (GError) owned = error;

  stop_process (running);
  programs_end (running, NULL, owned);
}

static gboolean
on_time_over (gpointer user_data)
{
  Running *running = user_data;
  /* Translators: a program, and a number of seconds */
  g_autofree char *sentence = beckon_text_printf (_("“%1$s” was asked for the key and did not end within %2$d seconds."),
                                                  running->name, BECKON_KEY_PROGRAM_TIMEOUT_S);

  running->timeout = 0;
  programs_fail (running, make_failure (running, sentence));
  return G_SOURCE_REMOVE;
}

/* Takes what is there now. %FALSE where it is not read any further: nothing comes any more, or it was too much, which ended the
 * program. */
static gboolean
read_piece (Running *running, GInputStream *stream, gssize *n_read)
{
  gboolean is_output = stream == g_subprocess_get_stdout_pipe (running->process);
  GByteArray *kept = is_output ? running->output : running->complaint;
  gsize room = (is_output ? BECKON_KEY_PROGRAM_OUTPUT_MAX : COMPLAINT_MAX) - kept->len;
  char piece[PIECE];
  g_autoptr (GError) error = NULL;

  *n_read = g_pollable_input_stream_read_nonblocking (G_POLLABLE_INPUT_STREAM (stream), piece, sizeof piece, NULL, &error);
  if (*n_read > 0)
    {
      g_byte_array_append (kept, (const guint8 *) piece, (guint) MIN ((gsize) *n_read, room));
      explicit_bzero (piece, sizeof piece);
    }
  if (is_output && *n_read > (gssize) room)
    programs_fail (running, beckon_text_error_new (BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                                                   _("“%s” printed more than a key. Enter a program that prints nothing else."),
                                                   running->name));
  return !running->ended && (*n_read > 0 || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK));
}

static gboolean
on_readable (GObject *stream, gpointer user_data)
{
  gssize n_read;

  return read_piece (user_data, G_INPUT_STREAM (stream), &n_read) ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

/* All output of the program is there when it has ended; a process that it left behind may keep the pipe open. */
static void
read_rest (Running *running, GInputStream *stream)
{
  gsize total = 0;
  gssize n_read = 1;

  while (!running->ended && total < PIPE_MAX && n_read > 0)
    {
      read_piece (running, stream, &n_read);
      total += (gsize) MAX (n_read, 0);
    }
}

static void
programs_on_ended (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Running *running = user_data;
  g_autoptr (GError) error = NULL;
  Printed *printed;

  g_subprocess_wait_finish (G_SUBPROCESS (source), result, NULL);
  running->pid = 0;
  if (!running->ended)
    read_rest (running, g_subprocess_get_stderr_pipe (running->process));
  if (!running->ended)
    read_rest (running, g_subprocess_get_stdout_pipe (running->process));
  if (!running->ended)
    {
      printed = read_output (running, &error);
      programs_end (running, printed, error);
    }
  running_release (running);
}

static void
read_on (Running *running, guint i, GInputStream *stream)
{
  running->reads[i] = g_pollable_input_stream_create_source (G_POLLABLE_INPUT_STREAM (stream), NULL);
  g_source_set_callback (running->reads[i], G_SOURCE_FUNC (on_readable), g_rc_box_acquire (running),
                         (GDestroyNotify) running_release);
  g_source_attach (running->reads[i], g_main_context_get_thread_default ());
}

/* Away from the terminal: it can ask no one there, and no key of the terminal reaches it. */
static void
leave_session (gpointer user_data)
{
  setsid ();
}

/* To fork takes as long as this process is large, so that is not done on the main loop. */
static void
spawn (GTask *task, gpointer source, gpointer argv, GCancellable *cancellable)
{
  g_autoptr (GSubprocessLauncher) launcher
      = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  GSubprocess *process;
  GError *error = NULL;

  /* A name with a path in it, or a "." in PATH, must not mean another program in every folder. */
  g_subprocess_launcher_set_cwd (launcher, g_get_home_dir ());
  g_subprocess_launcher_set_child_setup (launcher, leave_session, NULL, NULL);
  process = g_subprocess_launcher_spawnv (launcher, argv, &error);
  if (process != NULL)
    g_task_return_pointer (task, process, g_object_unref);
  else
    g_task_return_error (task, error);
}

/* Read at once: there is none any more when the program has ended. */
static pid_t
get_pid (GSubprocess *process)
{
  const char *identifier = g_subprocess_get_identifier (process);
  gint64 pid = 0;

  return identifier != NULL && g_ascii_string_to_signed (identifier, 10, 2, G_MAXINT, &pid, NULL) ? (pid_t) pid : 0;
}

static void
on_spawned (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Running *running = user_data;
  g_autoptr (GError) error = NULL;

  running->process = g_task_propagate_pointer (G_TASK (result), &error);
  running->pid = running->process != NULL ? get_pid (running->process) : 0;
  if (running->ended)
    stop_process (running);
  else if (running->process != NULL)
    {
      read_on (running, 0, g_subprocess_get_stdout_pipe (running->process));
      read_on (running, 1, g_subprocess_get_stderr_pipe (running->process));
      g_subprocess_wait_async (running->process, running->io, programs_on_ended, g_rc_box_acquire (running));
    }
  else
    programs_fail (running, beckon_text_error_new (BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                                                   /* Translators: a program, and why, in the system's words */
                                                   _("“%1$s”, which prints the key, could not be started: %2$s"), running->name,
                                                   error->message));
  running_release (running);
}

static Running *
programs_start (BeckonKeyPrograms *self, const char *const *argv, char *command)
{
  Running *running = g_rc_box_new0 (Running);
  g_autoptr (GTask) task = g_task_new (NULL, NULL, on_spawned, g_rc_box_acquire (running));

  running->programs = g_object_ref (self);
  running->command = command;
  running->name = beckon_text_for_display (argv[0], -1, BECKON_TEXT_EXACT);
  running->io = g_cancellable_new ();
  running->output = g_byte_array_new ();
  running->complaint = g_byte_array_new ();
  running->waiting = g_ptr_array_new_with_free_func ((GDestroyNotify) programs_waiting_free);
  running->timeout = beckon_clock_add_timeout (self->clock, BECKON_KEY_PROGRAM_TIMEOUT_S * 1000, on_time_over, running);
  g_hash_table_insert (self->running, running->command, running);
  g_task_set_source_tag (task, programs_start);
  g_task_set_task_data (task, g_strdupv ((char **) argv), (GDestroyNotify) g_strfreev);
  beckon_worker_run_for_person (task, spawn);
  return running;
}

/* --- Asking ------------------------------------------------------------------------------------------------------- */

/* A program that is no longer waited for is stopped. */
static gboolean
programs_on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  Waiting *waiting = user_data;
  Running *running = waiting->running;
  g_autoptr (GTask) task = g_object_ref (waiting->task);

  g_ptr_array_remove (running->waiting, waiting);
  if (running->waiting->len == 0)
    programs_fail (running, g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, "nobody waits"));
  g_task_return_error_if_cancelled (task);
  return G_SOURCE_REMOVE;
}

/* No argument has this in it. */
static char *
programs_join (const char *const *argv)
{
  return g_strjoinv ("\x1f", (char **) argv);
}

void
beckon_key_programs_ask_async (BeckonKeyPrograms *self, const char *const *argv, GCancellable *cancellable,
                               GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  g_autofree char *command = NULL;
  const char *key;
  Running *running;
  const Printed *printed;
  Waiting *waiting;

  g_return_if_fail (BECKON_IS_KEY_PROGRAMS (self));
  g_return_if_fail (argv != NULL && argv[0] != NULL);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_key_programs_ask_async);
  if (g_task_return_error_if_cancelled (task))
    return;
  command = programs_join (argv);
  printed = g_hash_table_lookup (self->printed, command);
  key = printed != NULL && beckon_clock_get_real_time (self->clock) < printed->until - MARGIN_US ? printed->key : NULL;
  if (key != NULL)
    {
      g_task_return_pointer (task, g_strdup (key), (GDestroyNotify) beckon_wipe);
      return;
    }
  running = g_hash_table_lookup (self->running, command);
  if (running == NULL)
    running = programs_start (self, argv, g_steal_pointer (&command));

  waiting = g_new0 (Waiting, 1);
  waiting->task = g_object_ref (task);
  waiting->running = running;
  if (cancellable != NULL)
    {
      waiting->cancelled = g_cancellable_source_new (cancellable);
      g_source_set_callback (waiting->cancelled, G_SOURCE_FUNC (programs_on_cancelled), waiting, NULL);
      g_source_attach (waiting->cancelled, g_main_context_get_thread_default ());
    }
  g_ptr_array_add (running->waiting, waiting);
}

BECKON_FINISH_POINTER (char *, beckon_key_programs_ask, BeckonKeyPrograms)

char *
beckon_key_programs_dup_failure (BeckonKeyPrograms *self, const char *const *argv)
{
  g_autofree char *command = NULL;

  g_return_val_if_fail (BECKON_IS_KEY_PROGRAMS (self), NULL);
  g_return_val_if_fail (argv != NULL, NULL);

  command = programs_join (argv);
  return g_strdup (g_hash_table_lookup (self->failures, command));
}

void
beckon_key_programs_refuse (BeckonKeyPrograms *self, const char *const *argv, const char *key)
{
  g_autofree char *command = NULL;
  const Printed *printed;

  g_return_if_fail (BECKON_IS_KEY_PROGRAMS (self));
  g_return_if_fail (argv != NULL && key != NULL);

  command = programs_join (argv);
  printed = g_hash_table_lookup (self->printed, command);
  if (printed != NULL && g_str_equal (printed->key, key))
    g_hash_table_remove (self->printed, command);
}
