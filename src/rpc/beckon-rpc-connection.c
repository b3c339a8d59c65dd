/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-rpc-connection.h"

#include "base/beckon-finish.h"
#include "base/beckon-priority.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "base/beckon-worker.h"
#include "beckon-rpc-message.h"

#include <gio/gfiledescriptorbased.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <signal.h>

/*
 @connection: (unowned) (nullable): clears this when it ends
 */
struct _BeckonRpcRequest
{
  BeckonRpcMessage *message;
  BeckonRpcConnection *connection;
};

/*
 * Both directions are sources on pollable streams: nothing is in flight that would have to be cancelled, and dropping a
 * source is all that it takes to stop. Reading has one source at a time: the stream's, or an idle one while lines that were
 * read wait for their turn; so a peer that floods is not read any faster than its messages are handled. While a long message
 * is parsed there is none, so that those behind it wait for it.
 *
 * The end comes in two steps. connection_stop() is for our own side: no call is open, no answer goes anywhere, nothing new is
 * taken. hang_up() is for the peer: the streams are closed. A failure does both at once, closing sends what is queued in
 * between. Writing happens in turns of its own, so that sending never calls anybody back.
 */

#define READ_SIZE (64 * 1024)
#define WRITE_SIZE (64 * 1024)
#define LINES_PER_TURN 64

/* A longer message may take a tenth of a second: it is parsed in a thread, and nothing is read meanwhile. */
#define LONG_LINE (256 * 1024)

/* More than this is given back once it is empty. */
#define KEPT_SIZE (1024 * 1024)
#define EXCERPT_SIZE 256

/* A message that was sent, parsed. */
typedef struct
{
  BeckonRpcConnection *connection; /* (nullable) once it is gone */
  const char *line;
  gsize length;
  char *copy; /* (nullable): of the line, for a thread */
  BeckonRpcMessage *message; /* (nullable) */
  char *response_id;         /* (nullable): of a faulty one */
  GError *error;             /* (nullable): what is wrong with it */
} Parsed;

struct _BeckonRpcConnection
{
  GObject parent_instance;

  char *name;
  GInputStream *input;
  GOutputStream *output;
  BeckonClock *clock;
  BeckonRpcLimits limits;
  const BeckonRpcHandler *handler; /* (nullable) once it is closed */
  gpointer user_data;

  GString *received;
  gsize taken;   /* how much of it was handled */
  gsize scanned; /* how much of it has no line end beyond what was taken */
  GString *queue;
  gsize sent; /* how much of it is written */
  GSource *reading;
  GSource *writing;
  Parsed *parsing; /* (nullable): in a thread, which it belongs to */
  gboolean stuck;

  GHashTable *calls; /* (element-type utf8 GTask) by their ids, as JSON text */
  guint64 last_id;
  GHashTable *requests; /* (element-type utf8 BeckonRpcRequest) borrowed, unanswered ones */
  gsize request_bytes;
  guint n_rejected; /* in a row */

  GError *error; /* (nullable) once it is stopped */
  gboolean hung_up;
  GTask *closing; /* (owned) (nullable) */
  GSource *close_cancelled;
};

/* The data of a call's task. */
typedef struct
{
  char *id;
  char *method;
  guint timeout_ms;
  guint timeout;
  GSource *cancelled; /* (nullable) */
} Call;

G_DEFINE_FINAL_TYPE (BeckonRpcConnection, beckon_rpc_connection, G_TYPE_OBJECT)

static void read_on (BeckonRpcConnection *self);
static gboolean on_more (gpointer user_data);

static void
clear_source (GSource **source)
{
  if (*source == NULL)
    return;
  g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}

static void
attach (BeckonRpcConnection *self, GSource **place, GSource *source, GSourceFunc function)
{
  clear_source (place);
  *place = source;
  g_source_set_priority (source, BECKON_PRIORITY_SHARED);
  g_source_set_callback (source, function, self, NULL);
  g_source_attach (source, g_main_context_get_thread_default ());
}

/* Drops the first @length bytes, and the memory of what was much. */
static void
drop_front (GString **bytes, gsize *length)
{
  g_string_erase (*bytes, 0, (gssize) *length);
  *length = 0;
  if ((*bytes)->len > 0 || (*bytes)->allocated_len <= KEPT_SIZE)
    return;
  g_string_free (*bytes, TRUE);
  *bytes = g_string_new (NULL);
}

/* --- Ends --------------------------------------------------------------------------------------------------------- */

static void
connection_call_free (gpointer data)
{
  Call *call = data;

  g_free (call->id);
  g_free (call->method);
  g_free (call);
}

/* Takes the call out of the pending ones; the caller returns the task, as the last thing that it does with it. */
static GTask *
connection_take_call (BeckonRpcConnection *self, const char *id)
{
  GTask *task = NULL;
  Call *call;

  if (id == NULL || !g_hash_table_steal_extended (self->calls, id, NULL, (gpointer *) &task))
    return NULL;
  call = g_task_get_task_data (task);
  beckon_clock_remove (self->clock, call->timeout);
  call->timeout = 0;
  clear_source (&call->cancelled);
  return task;
}

static void
connection_stop (BeckonRpcConnection *self, const GError *error)
{
  GHashTableIter iter;
  gpointer id;
  gpointer request;

  self->error = g_error_copy (error);
  clear_source (&self->reading);
  g_hash_table_iter_init (&iter, self->requests);
  while (g_hash_table_iter_next (&iter, NULL, &request))
    ((BeckonRpcRequest *) request)->connection = NULL;
  g_hash_table_remove_all (self->requests);
  while (g_hash_table_iter_init (&iter, self->calls), g_hash_table_iter_next (&iter, &id, NULL))
    {
      g_autoptr (GTask) task = connection_take_call (self, id);

      g_task_return_error (task, g_error_copy (error));
    }
}

static void
hang_up (BeckonRpcConnection *self)
{
  g_autoptr (GTask) closing = g_steal_pointer (&self->closing);

  self->hung_up = TRUE;
  clear_source (&self->reading);
  clear_source (&self->writing);
  clear_source (&self->close_cancelled);
  g_output_stream_close_async (self->output, G_PRIORITY_DEFAULT, NULL, NULL, NULL);
  g_input_stream_close_async (self->input, G_PRIORITY_DEFAULT, NULL, NULL, NULL);
  if (closing != NULL)
    g_task_return_boolean (closing, TRUE);
}

G_GNUC_PRINTF (3, 4)
static void
connection_fail (BeckonRpcConnection *self, BeckonRpcError code, const char *format, ...)
{
  g_autoptr (BeckonRpcConnection) alive = g_object_ref (self);
  g_autoptr (GError) error = NULL;
  va_list arguments;

  va_start (arguments, format);
  error = g_error_new_valist (BECKON_RPC_ERROR, code, format, arguments);
  va_end (arguments);
  if (self->error == NULL)
    connection_stop (self, error);
  if (!self->hung_up)
    hang_up (self);
  if (self->handler != NULL && self->handler->ended != NULL)
    self->handler->ended (self, self->error, self->user_data);
  self->handler = NULL;
}

/* --- Sending ------------------------------------------------------------------------------------------------------ */

static gboolean
on_writable (GObject *stream, gpointer user_data)
{
  BeckonRpcConnection *self = user_data;
  g_autoptr (GError) error = NULL;
  gssize n_written
      = g_pollable_output_stream_write_nonblocking (G_POLLABLE_OUTPUT_STREAM (stream), self->queue->str + self->sent,
                                                    MIN (self->queue->len - self->sent, WRITE_SIZE), NULL, &error);

  if (n_written < 0)
    {
      if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK))
        return G_SOURCE_CONTINUE;
      /* Translators: the name of a server or program, and the system's reason */
      connection_fail (self, BECKON_RPC_ERROR_CLOSED, _("The connection to “%1$s” was lost: %2$s"), self->name, error->message);
      return G_SOURCE_REMOVE;
    }
  self->sent += (gsize) n_written;
  if (self->sent < self->queue->len)
    return G_SOURCE_CONTINUE;

  drop_front (&self->queue, &self->sent);
  clear_source (&self->writing);
  if (self->closing != NULL)
    hang_up (self);
  return G_SOURCE_REMOVE;
}

/* @message: (transfer full). */
static gboolean
send (BeckonRpcConnection *self, BeckonRpcMessage *message, GError **error)
{
  g_autoptr (BeckonRpcMessage) owned = message;
  g_autofree char *line = NULL;
  gsize length;

  if (self->error != NULL)
    {
      g_propagate_error (error, g_error_copy (self->error));
      return FALSE;
    }
  line = beckon_rpc_message_print (message);
  length = strlen (line) + 1;
  if (length > self->limits.max_queue)
    {
      g_autofree char *size = g_format_size (self->limits.max_queue);

      beckon_text_set_error (error, BECKON_RPC_ERROR, BECKON_RPC_ERROR_TOO_LARGE, _("A message to “%1$s” is longer than %2$s."),
                             self->name, size);
      return FALSE;
    }
  if (self->stuck || self->queue->len - self->sent > self->limits.max_queue - length)
    {
      self->stuck = TRUE;
      read_on (self);
      beckon_text_set_error (error, BECKON_RPC_ERROR, BECKON_RPC_ERROR_STUCK,
                             _("“%s” has stopped reading what is sent to it."), self->name);
      return FALSE;
    }

  drop_front (&self->queue, &self->sent);
  line[length - 1] = '\n';
  g_string_append_len (self->queue, line, (gssize) length);
  if (self->writing == NULL)
    attach (self, &self->writing, g_pollable_output_stream_create_source (G_POLLABLE_OUTPUT_STREAM (self->output), NULL),
            G_SOURCE_FUNC (on_writable));
  return TRUE;
}

/* An answer that is too long is an error that says so, and never silence. */
static void
connection_answer (BeckonRpcConnection *self, BeckonRpcMessage *message)
{
  g_autofree char *id = g_strdup (message->id);
  g_autoptr (GError) error = NULL;

  if (!send (self, message, &error) && g_error_matches (error, BECKON_RPC_ERROR, BECKON_RPC_ERROR_TOO_LARGE))
    send (self, beckon_rpc_message_new_error (id, BECKON_RPC_ERROR_INTERNAL, "The answer is too long to be sent", NULL), NULL);
}

/* --- What the peer sends ------------------------------------------------------------------------------------------ */

static void
reject (BeckonRpcConnection *self, const char *line, gsize length, const GError *error)
{
  g_autofree char *excerpt = beckon_text_make_valid (line, (gssize) MIN (length, EXCERPT_SIZE), NULL);

  if (self->handler != NULL && self->handler->rejected != NULL)
    self->handler->rejected (self, excerpt, error, self->user_data);
  self->n_rejected++;
  if (self->error == NULL && self->n_rejected > self->limits.max_rejected)
    {
      g_autofree char *exact = beckon_text_for_display (excerpt, -1, BECKON_TEXT_EXACT);
      g_autofree char *shown = beckon_text_shorten (exact, 80);

      /* Translators: the name of a server or program, and the beginning of what it sent */
      connection_fail (self, BECKON_RPC_ERROR_PROTOCOL, _("“%1$s” sent something other than JSON-RPC messages: %2$s"),
                       self->name, shown);
    }
}

static void
take_response (BeckonRpcConnection *self, BeckonRpcMessage *message, const char *line, gsize length)
{
  g_autoptr (BeckonRpcMessage) owned = message;
  g_autoptr (GTask) task = connection_take_call (self, message->id);
  g_autoptr (GError) error = NULL;

  if (task != NULL)
    {
      g_task_return_pointer (task, g_steal_pointer (&owned), (GDestroyNotify) beckon_rpc_message_free);
      return;
    }
  /* A response that comes after its call was abandoned, or comes again, is dropped in silence. */
  if (message->id != NULL && self->last_id > 0 && g_ascii_string_to_unsigned (message->id, 10, 1, self->last_id, NULL, NULL))
    return;
  error = g_error_new (BECKON_RPC_ERROR, BECKON_RPC_ERROR_PROTOCOL, "A response that answers no call%s%s",
                       message->text != NULL ? ": " : "", message->text != NULL ? message->text : "");
  reject (self, line, length, error);
}

static void
clear_parsed (Parsed *parsed)
{
  g_free (parsed->copy);
  beckon_rpc_message_free (parsed->message);
  g_free (parsed->response_id);
  g_clear_error (&parsed->error);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Parsed, clear_parsed)

static void
parsed_free (gpointer parsed)
{
  clear_parsed (parsed);
  g_free (parsed);
}

static void
connection_parse (Parsed *parsed)
{
  parsed->message = beckon_rpc_message_parse (parsed->line, parsed->length, &parsed->response_id, &parsed->error);
}

static void
take_parsed (BeckonRpcConnection *self, Parsed *parsed)
{
  BeckonRpcMessage *message = g_steal_pointer (&parsed->message);
  guint n_rejected = self->n_rejected;

  if (message == NULL)
    {
      g_autoptr (GTask) task = connection_take_call (self, parsed->response_id);

      reject (self, parsed->line, parsed->length, parsed->error);
      if (task != NULL)
        g_task_return_new_error (task, BECKON_RPC_ERROR, BECKON_RPC_ERROR_PROTOCOL, _("“%1$s” sent an invalid response: %2$s"),
                                 self->name, parsed->error->message);
    }
  else if (message->kind == BECKON_RPC_MESSAGE_REQUEST)
    {
      gsize length = message->json != NULL ? strlen (message->json) : 0;
      const char *refused = NULL;

      if (g_hash_table_contains (self->requests, message->id))
        refused = "A request with this id is not answered yet";
      else if (g_hash_table_size (self->requests) >= self->limits.max_requests
               || self->request_bytes + length > self->limits.max_line)
        refused = "Too many requests are not answered yet";
      if (refused != NULL || self->handler->request == NULL)
        {
          connection_answer (self, refused != NULL
                                       ? beckon_rpc_message_new_error (message->id, BECKON_RPC_ERROR_INTERNAL, refused, NULL)
                                       : beckon_rpc_message_new_error (message->id, BECKON_RPC_ERROR_METHOD_NOT_FOUND,
                                                                       "Method not found", NULL));
          beckon_rpc_message_free (message);
        }
      else
        {
          BeckonRpcRequest *request = g_new0 (BeckonRpcRequest, 1);

          request->message = message;
          request->connection = self;
          g_hash_table_insert (self->requests, message->id, request);
          self->request_bytes += length;
          self->handler->request (self, request, self->user_data);
        }
    }
  else if (message->kind != BECKON_RPC_MESSAGE_NOTIFICATION)
    take_response (self, message, parsed->line, parsed->length);
  else
    {
      if (self->handler->notification != NULL)
        self->handler->notification (self, message, self->user_data);
      beckon_rpc_message_free (message);
    }
  if (self->n_rejected == n_rejected)
    self->n_rejected = 0;
}

static void
parse_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  connection_parse (data);
  g_task_return_boolean (task, TRUE);
}

static void
on_parsed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Parsed *parsed = g_task_get_task_data (G_TASK (result));
  g_autoptr (BeckonRpcConnection) self = parsed->connection != NULL ? g_object_ref (parsed->connection) : NULL;

  if (self == NULL)
    return;
  self->parsing = NULL;
  if (self->error == NULL)
    take_parsed (self, parsed);
  if (self->error == NULL)
    on_more (self);
}

/* The connection may be gone before the thread is done. */
static void
parse_later (BeckonRpcConnection *self, const char *line, gsize length)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, on_parsed, NULL);
  Parsed *parsed = g_new0 (Parsed, 1);

  parsed->connection = self;
  parsed->copy = g_memdup2 (line, length);
  parsed->line = parsed->copy;
  parsed->length = length;
  self->parsing = parsed;
  g_task_set_source_tag (task, parse_later);
  g_task_set_priority (task, BECKON_PRIORITY_SHARED);
  g_task_set_task_data (task, parsed, parsed_free);
  beckon_worker_run_for_person (task, parse_in_thread);
}

/* --- Reading ------------------------------------------------------------------------------------------------------ */

static gboolean
connection_is_blank (const char *line, gsize length)
{
  while (length > 0 && g_ascii_isspace (line[length - 1]))
    length--;
  return length == 0;
}

/* %FALSE when there is no whole line any more. */
static gboolean
connection_take_line (BeckonRpcConnection *self)
{
  const char *from = self->received->str + self->taken;
  const char *end = memchr (self->received->str + self->scanned, '\n', self->received->len - self->scanned);
  gsize length = end != NULL ? (gsize) (end - from) : self->received->len - self->taken;

  if (length > self->limits.max_line)
    {
      g_autofree char *size = g_format_size (self->limits.max_line);

      connection_fail (self, BECKON_RPC_ERROR_TOO_LARGE, _("“%1$s” sent a message that is longer than %2$s."), self->name,
                       size);
      return FALSE;
    }
  self->scanned = self->taken + length + (end != NULL ? 1 : 0);
  if (end == NULL)
    return FALSE;
  self->taken = self->scanned;
  if (!connection_is_blank (from, length))
    {
      g_auto (Parsed) parsed = { .line = from, .length = length };

      if (length > LONG_LINE)
        parse_later (self, from, length);
      else
        {
          connection_parse (&parsed);
          take_parsed (self, &parsed);
        }
    }
  return TRUE;
}

static void
take_lines (BeckonRpcConnection *self)
{
  g_autoptr (BeckonRpcConnection) alive = g_object_ref (self);
  guint n_lines = 0;

  while (self->error == NULL && self->parsing == NULL && n_lines < LINES_PER_TURN && connection_take_line (self))
    n_lines++;
  if (self->error != NULL)
    return;
  if (n_lines < LINES_PER_TURN)
    {
      self->scanned -= self->taken;
      drop_front (&self->received, &self->taken);
    }
  read_on (self);
}

static gboolean
on_more (gpointer user_data)
{
  BeckonRpcConnection *self = user_data;

  if (self->stuck)
    connection_fail (self, BECKON_RPC_ERROR_STUCK, _("“%s” has stopped reading what is sent to it."), self->name);
  else
    take_lines (self);
  return G_SOURCE_REMOVE;
}

static gboolean
on_readable (GObject *stream, gpointer user_data)
{
  BeckonRpcConnection *self = user_data;
  g_autoptr (GError) error = NULL;
  char piece[READ_SIZE];
  gssize n_read
      = g_pollable_input_stream_read_nonblocking (G_POLLABLE_INPUT_STREAM (stream), piece, sizeof piece, NULL, &error);

  if (n_read < 0 && g_error_matches (error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK))
    return G_SOURCE_CONTINUE;
  if (n_read < 0)
    connection_fail (self, BECKON_RPC_ERROR_CLOSED, _("The connection to “%1$s” was lost: %2$s"), self->name, error->message);
  else if (n_read == 0 && self->received->len > 0)
    connection_fail (self, BECKON_RPC_ERROR_CLOSED, _("“%s” closed the connection in the middle of a message."), self->name);
  else if (n_read == 0)
    connection_fail (self, BECKON_RPC_ERROR_CLOSED, _("“%s” closed the connection."), self->name);
  else if (self->error == NULL)
    {
      g_string_append_len (self->received, piece, n_read);
      take_lines (self);
      return G_SOURCE_REMOVE;
    }
  return n_read > 0 ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

static void
read_on (BeckonRpcConnection *self)
{
  if (self->parsing != NULL)
    return;
  if (self->error == NULL && (self->stuck || self->taken > 0))
    attach (self, &self->reading, g_idle_source_new (), on_more);
  else
    attach (self, &self->reading, g_pollable_input_stream_create_source (G_POLLABLE_INPUT_STREAM (self->input), NULL),
            G_SOURCE_FUNC (on_readable));
}

/* --- Object ------------------------------------------------------------------------------------------------------- */

static void
beckon_rpc_connection_dispose (GObject *object)
{
  BeckonRpcConnection *self = BECKON_RPC_CONNECTION (object);
  g_autoptr (GError) error = g_error_new_literal (BECKON_RPC_ERROR, BECKON_RPC_ERROR_CLOSED, "Dropped");

  self->handler = NULL;
  if (self->parsing != NULL)
    self->parsing->connection = NULL;
  self->parsing = NULL;
  if (self->error == NULL)
    connection_stop (self, error);
  if (!self->hung_up)
    hang_up (self);
  G_OBJECT_CLASS (beckon_rpc_connection_parent_class)->dispose (object);
}

static void
beckon_rpc_connection_finalize (GObject *object)
{
  BeckonRpcConnection *self = BECKON_RPC_CONNECTION (object);

  g_free (self->name);
  g_object_unref (self->input);
  g_object_unref (self->output);
  g_object_unref (self->clock);
  g_string_free (self->received, TRUE);
  g_string_free (self->queue, TRUE);
  g_hash_table_unref (self->calls);
  g_hash_table_unref (self->requests);
  g_error_free (self->error);
  G_OBJECT_CLASS (beckon_rpc_connection_parent_class)->finalize (object);
}

static void
beckon_rpc_connection_class_init (BeckonRpcConnectionClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = beckon_rpc_connection_dispose;
  object_class->finalize = beckon_rpc_connection_finalize;
  /* A peer that is gone is an error of write(), and not the end of this program; GSocket does the same. */
  signal (SIGPIPE, SIG_IGN);
}

static void
beckon_rpc_connection_init (BeckonRpcConnection *self)
{
  self->received = g_string_new (NULL);
  self->queue = g_string_new (NULL);
  self->calls = g_hash_table_new (g_str_hash, g_str_equal);
  self->requests = g_hash_table_new (g_str_hash, g_str_equal);
}

BeckonRpcConnection *
beckon_rpc_connection_new (const char *name, GInputStream *input, GOutputStream *output, BeckonClock *clock,
                           const BeckonRpcLimits *limits, const BeckonRpcHandler *handler, gpointer user_data)
{
  static const BeckonRpcLimits usual = BECKON_RPC_LIMITS_INIT;
  BeckonRpcConnection *self;

  g_return_val_if_fail (name != NULL && handler != NULL, NULL);
  g_return_val_if_fail (G_IS_POLLABLE_INPUT_STREAM (input) && G_IS_POLLABLE_OUTPUT_STREAM (output), NULL);

  self = g_object_new (BECKON_TYPE_RPC_CONNECTION, NULL);
  self->name = g_strdup (name);
  self->input = g_object_ref (input);
  self->output = g_object_ref (output);
  self->clock = g_object_ref (clock);
  self->limits = limits != NULL ? *limits : usual;
  self->handler = handler;
  self->user_data = user_data;
  /* A pipe that blocks is called writable when it takes some bytes, and then waits until it has taken all. */
  if (G_IS_FILE_DESCRIPTOR_BASED (output))
    g_unix_set_fd_nonblocking (g_file_descriptor_based_get_fd (G_FILE_DESCRIPTOR_BASED (output)), TRUE, NULL);
  read_on (self);
  return self;
}

/* --- Calls -------------------------------------------------------------------------------------------------------- */

static void
abandon (GTask *task, GError *error)
{
  BeckonRpcConnection *self = g_task_get_source_object (task);
  Call *call = g_task_get_task_data (task);
  g_autoptr (GTask) taken = connection_take_call (self, call->id);

  if (self->handler != NULL && self->handler->abandoned != NULL)
    self->handler->abandoned (self, call->id, call->method, self->user_data);
  g_task_return_error (taken, error);
}

static gboolean
on_call_timeout (gpointer user_data)
{
  GTask *task = user_data;
  BeckonRpcConnection *self = g_task_get_source_object (task);
  Call *call = g_task_get_task_data (task);
  guint seconds = MAX (1, call->timeout_ms / 1000);

  call->timeout = 0;
  abandon (task, beckon_text_error_new (BECKON_RPC_ERROR, BECKON_RPC_ERROR_TIMEOUT,
                                        g_dngettext (GETTEXT_PACKAGE, "“%1$s” did not answer within %2$u second.",
                                                     "“%1$s” did not answer within %2$u seconds.", seconds),
                                        self->name, seconds));
  return G_SOURCE_REMOVE;
}

static gboolean
on_call_cancelled (GCancellable *cancellable, gpointer user_data)
{
  abandon (user_data, g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, "Cancelled"));
  return G_SOURCE_REMOVE;
}

static void
watch_call (BeckonRpcConnection *self, GTask *task, Call *call)
{
  GCancellable *cancellable = g_task_get_cancellable (task);

  g_hash_table_insert (self->calls, call->id, task);
  if (call->timeout_ms > 0)
    call->timeout = beckon_clock_add_timeout (self->clock, call->timeout_ms, on_call_timeout, task);
  if (cancellable != NULL)
    {
      call->cancelled = g_cancellable_source_new (cancellable);
      g_task_attach_source (task, call->cancelled, G_SOURCE_FUNC (on_call_cancelled));
    }
}

void
beckon_rpc_connection_call_async (BeckonRpcConnection *connection, const char *method, const char *params, guint timeout_ms,
                                  GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  g_autofree char *id = NULL;
  GError *error = NULL;
  Call *call;

  g_return_if_fail (BECKON_IS_RPC_CONNECTION (connection));
  g_return_if_fail (method != NULL);

  task = g_task_new (connection, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_rpc_connection_call_async);
  if (g_task_return_error_if_cancelled (task))
    return;
  id = g_strdup_printf ("%" G_GUINT64_FORMAT, connection->last_id + 1);
  if (!send (connection, beckon_rpc_message_new_request (id, method, params), &error))
    {
      g_task_return_error (task, error);
      return;
    }
  connection->last_id++;
  call = g_new0 (Call, 1);
  call->id = g_steal_pointer (&id);
  call->method = g_strdup (method);
  call->timeout_ms = timeout_ms;
  g_task_set_task_data (task, call, connection_call_free);
  watch_call (connection, g_steal_pointer (&task), call);
}

BECKON_FINISH_POINTER (BeckonRpcMessage *, beckon_rpc_connection_call, BeckonRpcConnection)

gboolean
beckon_rpc_connection_notify (BeckonRpcConnection *connection, const char *method, const char *params, GError **error)
{
  g_return_val_if_fail (BECKON_IS_RPC_CONNECTION (connection), FALSE);
  g_return_val_if_fail (method != NULL, FALSE);

  return send (connection, beckon_rpc_message_new_notification (method, params), error);
}

/* --- Closing ------------------------------------------------------------------------------------------------------ */

static gboolean
on_close_cancelled (GCancellable *cancellable, gpointer user_data)
{
  hang_up (g_task_get_source_object (user_data));
  return G_SOURCE_REMOVE;
}

void
beckon_rpc_connection_close_async (BeckonRpcConnection *connection, GCancellable *cancellable, GAsyncReadyCallback callback,
                                   gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  g_autoptr (GError) error = NULL;

  g_return_if_fail (BECKON_IS_RPC_CONNECTION (connection));

  task = g_task_new (connection, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_rpc_connection_close_async);
  connection->handler = NULL;
  if (connection->closing != NULL || connection->hung_up)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  connection->closing = g_object_ref (task);
  error = beckon_text_error_new (BECKON_RPC_ERROR, BECKON_RPC_ERROR_CLOSED, _("The connection to “%s” was closed."),
                                 connection->name);
  if (connection->error == NULL)
    connection_stop (connection, error);
  if (connection->queue->len > 0)
    {
      /* A peer that waits for us to read does not read either, so what it sends is read and thrown away. */
      read_on (connection);
      if (cancellable == NULL)
        return;
      connection->close_cancelled = g_cancellable_source_new (cancellable);
      g_task_attach_source (connection->closing, connection->close_cancelled, G_SOURCE_FUNC (on_close_cancelled));
    }
  else
    hang_up (connection);
}

BECKON_FINISH_BOOLEAN (beckon_rpc_connection_close, BeckonRpcConnection)

static void
rpc_request_settle (BeckonRpcRequest *request, BeckonRpcMessage *answer)
{
  if (request->connection != NULL)
    {
      g_hash_table_remove (request->connection->requests, request->message->id);
      request->connection->request_bytes -= request->message->json != NULL ? strlen (request->message->json) : 0;
      if (answer != NULL)
        connection_answer (request->connection, answer);
    }
  else
    beckon_rpc_message_free (answer);
  beckon_rpc_message_free (request->message);
  g_free (request);
}

const BeckonRpcMessage *
beckon_rpc_request_get_message (BeckonRpcRequest *request)
{
  g_return_val_if_fail (request != NULL, NULL);

  return request->message;
}

void
beckon_rpc_request_answer (BeckonRpcRequest *request, const char *result)
{
  g_return_if_fail (request != NULL);
  g_return_if_fail (result != NULL);

  rpc_request_settle (request, beckon_rpc_message_new_result (request->message->id, result));
}

void
beckon_rpc_request_fail (BeckonRpcRequest *request, int code, const char *text, const char *data)
{
  g_return_if_fail (request != NULL);

  rpc_request_settle (request, beckon_rpc_message_new_error (request->message->id, code, text, data));
}

void
beckon_rpc_request_forget (BeckonRpcRequest *request)
{
  g_return_if_fail (request != NULL);

  rpc_request_settle (request, NULL);
}

void
beckon_rpc_request_free (BeckonRpcRequest *request)
{
  if (request != NULL)
    beckon_rpc_request_fail (request, BECKON_RPC_ERROR_INTERNAL, "The request was not answered", NULL);
}
