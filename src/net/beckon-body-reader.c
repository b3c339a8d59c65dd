/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-body-reader.h"

#include "base/beckon-priority.h"

#include <string.h>

/* How a body is read: into one buffer, everything that is there already first, then waiting.
 *
 * Waiting is g_input_stream_read_async(), which costs a task, a source and a turn of the main loop. A source on the
 * stream itself would be cheaper, but spins on libsoup's chunked bodies. So while data flows a piece at a time, the
 * reader waits a moment by a timer instead and finds several pieces at once. The first piece after a silence is never
 * kept waiting.
 *
 * What is there already is taken only for so long in one turn: a flood must not keep the main loop from drawing.
 */

#define BUFFER_SIZE (256 * 1024)
#define TURN_US (4 * 1000)

/* Pieces that are closer than this flow. */
#define FLOW_US (20 * 1000)

struct _BeckonBodyReader
{
  grefcount references;
  GInputStream *input;
  guint pace_ms;
  BeckonBodyFunc function; /* %NULL once it is stopped */
  gpointer user_data;

  GCancellable *cancellable;
  char *buffer;
  guint source;
  gint64 last_turn; /* when data came last */
};

static void take_turn (BeckonBodyReader *self, gboolean found);

static BeckonBodyReader *
reader_ref (BeckonBodyReader *self)
{
  g_ref_count_inc (&self->references);
  return self;
}

static void
reader_unref (BeckonBodyReader *self)
{
  if (!g_ref_count_dec (&self->references))
    return;

  g_object_unref (self->input);
  g_object_unref (self->cancellable);
  g_free (self->buffer);
  g_free (self);
}

BeckonBodyReader *
beckon_body_reader_new (GInputStream *input, guint pace_ms, BeckonBodyFunc function, gpointer user_data)
{
  BeckonBodyReader *self;

  self = g_new0 (BeckonBodyReader, 1);
  g_ref_count_init (&self->references);
  self->input = g_object_ref (input);
  self->pace_ms = pace_ms;
  self->function = function;
  self->user_data = user_data;
  self->cancellable = g_cancellable_new ();
  self->buffer = g_malloc (BUFFER_SIZE);
  return self;
}

void
beckon_body_reader_start (BeckonBodyReader *reader)
{
  take_turn (reader, FALSE);
}

static void
close_input (BeckonBodyReader *self)
{
  if (!g_input_stream_is_closed (self->input) && !g_input_stream_has_pending (self->input))
    g_input_stream_close_async (self->input, G_PRIORITY_DEFAULT, NULL, NULL, NULL);
}

void
beckon_body_reader_free (BeckonBodyReader *reader)
{
  reader->function = NULL;
  g_clear_handle_id (&reader->source, g_source_remove);
  g_cancellable_cancel (reader->cancellable);
  close_input (reader);
  reader_unref (reader);
}

/* %TRUE if there is more to read. */
static gboolean
body_reader_take (BeckonBodyReader *self, gssize length, const GError *error)
{
  gboolean more = FALSE;

  /* At its end closing does no I/O, and gives the connection back before the next request looks for one. */
  if (length == 0)
    g_input_stream_close (self->input, NULL, NULL);
  if (self->function != NULL)
    more = self->function (self->buffer, length, error, self->user_data);
  return more && length > 0 && self->function != NULL;
}

static void
body_reader_on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonBodyReader *self = user_data;
  g_autoptr (GError) error = NULL;
  gssize length = g_input_stream_read_finish (G_INPUT_STREAM (source), result, &error);

  if (self->function == NULL)
    close_input (self);
  else if (body_reader_take (self, length, error))
    take_turn (self, TRUE);
  reader_unref (self);
}

static gboolean
on_source (gpointer user_data)
{
  BeckonBodyReader *self = reader_ref (user_data);

  self->source = 0;
  take_turn (self, FALSE);
  reader_unref (self);
  return G_SOURCE_REMOVE;
}

/* Fills the buffer as far as there is data: libsoup gives no more than a chunk at a time, and its parser likes it
 * whole. %TRUE if something came: data, or what ended it in @end, which is 0 or -1 then and 1 otherwise. */
static gboolean
read_now (BeckonBodyReader *self, gsize *filled, gssize *end, GError **error)
{
  GPollableInputStream *input = G_POLLABLE_INPUT_STREAM (self->input);
  gssize length = 1;

  *filled = 0;
  while (*filled < BUFFER_SIZE && length > 0)
    {
      length = g_pollable_input_stream_read_nonblocking (input, self->buffer + *filled, BUFFER_SIZE - *filled, NULL, error);
      *filled += (gsize) MAX (length, 0);
    }
  *end = MIN (length, 1);
  if (!g_error_matches (*error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK))
    return TRUE;
  g_clear_error (error);
  *end = 1;
  return *filled > 0;
}

/* %TRUE once there is nothing more just now, %FALSE if this turn is over for another reason. */
static gboolean
drain (BeckonBodyReader *self, gint64 until, gboolean *found)
{
  g_autoptr (GError) error = NULL;
  gsize filled;
  gssize end;

  while (read_now (self, &filled, &end, &error))
    {
      *found = TRUE;
      if (filled > 0 && !body_reader_take (self, (gssize) filled, NULL))
        return FALSE;
      if (end <= 0 && !body_reader_take (self, end, error))
        return FALSE;
      if (g_get_monotonic_time () >= until)
        {
          self->source = g_idle_add_full (BECKON_PRIORITY_SHARED, on_source, self, NULL);
          return FALSE;
        }
    }
  return TRUE;
}

/* @found: data came in this turn already. */
static void
take_turn (BeckonBodyReader *self, gboolean found)
{
  gint64 now = g_get_monotonic_time ();
  gboolean flows = self->last_turn != 0 && now - self->last_turn < FLOW_US;

  reader_ref (self);
  if (drain (self, now + TURN_US, &found))
    {
      if (flows && found && self->pace_ms > 0)
        self->source = g_timeout_add (self->pace_ms, on_source, self);
      else
        g_input_stream_read_async (self->input, self->buffer, BUFFER_SIZE, G_PRIORITY_DEFAULT, self->cancellable,
                                   body_reader_on_read, reader_ref (self));
    }
  if (found)
    self->last_turn = now;
  reader_unref (self);
}

/* @data may be cut within the word. */
static gboolean
begins_with (const char *data, gsize length, const char *word)
{
  return strncmp (data, word, MIN (length, strlen (word))) == 0;
}

static gboolean
begins_like_a_stream (const char *data, gsize length)
{
  static const char *const beginnings[] = { "data:", "event:", "id:", "retry:", "error:", ":", "\xef\xbb\xbf" };

  for (guint i = 0; i < G_N_ELEMENTS (beginnings); i++)
    if (begins_with (data, length, beginnings[i]))
      return TRUE;
  return FALSE;
}

BeckonBodyKind
beckon_body_kind_guess (const char *type, const char *data, gsize length)
{
  while (length > 0 && g_ascii_isspace (*data))
    {
      data++;
      length--;
    }
  if (length == 0)
    return BECKON_BODY_UNKNOWN;

  if (*data == '<')
    return BECKON_BODY_OTHER;
  if (*data == '{' || *data == '[')
    return BECKON_BODY_JSON;
  if (g_strcmp0 (type, "text/event-stream") == 0 || begins_like_a_stream (data, length))
    return BECKON_BODY_STREAM;
  return BECKON_BODY_OTHER;
}
