/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-tour.h"

#include "beckon-tour-script.h"

#include "base/beckon-id.h"
#include "base/beckon-json-writer.h"

#include <errno.h>
#include <libsoup/soup.h>
#include <string.h>
#include <sys/random.h>

#define PATH "/v1/chat/completions"
#define PACE_MS 20

/* A history of the tour is short; whatever is longer is not one. */
#define BODY_MAX (4 * 1024 * 1024)

/* A piece is a word or two, or a few characters of a script that has no spaces. */
#define PIECE_MIN_CHARS 4
#define PIECE_MAX_BYTES 16
#define ARGUMENTS_PIECE_BYTES 24

#define TOKEN_BYTES 24

struct _BeckonTour
{
  GObject parent_instance;

  SoupServer *server; /* (owned) (nullable) until it is started */
  char *base_url;
  char *token;
  guint pace_ms;
  BeckonTourPlace place;
  GList *speeches; /* (element-type Speech) replies that are being given */
};

G_DEFINE_FINAL_TYPE (BeckonTour, beckon_tour, G_TYPE_OBJECT)

/* A reply being sent. */
typedef struct
{
  BeckonTour *tour;
  SoupServerMessage *message;
  GPtrArray *events;
  guint next;
  guint timer;
} Speech;

static void
speech_free (Speech *speech)
{
  g_clear_handle_id (&speech->timer, g_source_remove);
  g_signal_handlers_disconnect_by_data (speech->message, speech);
  g_object_unref (speech->message);
  g_ptr_array_unref (speech->events);
  g_free (speech);
}

/* --- Events ------------------------------------------------------------------------------------------------------- */

static void
begin_chunk (BeckonJsonWriter *writer, GString *event)
{
  g_string_append (event, "data: ");
  beckon_json_writer_init (writer, event);
  beckon_json_writer_begin_object (writer);
  beckon_json_writer_member_string (writer, "id", "tour");
  beckon_json_writer_member_string (writer, "object", "chat.completion.chunk");
  beckon_json_writer_member_string (writer, "model", "tour");
  beckon_json_writer_name (writer, "choices");
  beckon_json_writer_begin_array (writer);
}

static void
begin_choice (BeckonJsonWriter *writer)
{
  beckon_json_writer_begin_object (writer);
  beckon_json_writer_member_int (writer, "index", 0);
  beckon_json_writer_name (writer, "delta");
  beckon_json_writer_begin_object (writer);
}

static void
end_choice (BeckonJsonWriter *writer, const char *finish_reason)
{
  beckon_json_writer_end_object (writer);
  beckon_json_writer_member_string (writer, "finish_reason", finish_reason);
  beckon_json_writer_end_object (writer);
}

static void
end_chunk (BeckonJsonWriter *writer, GString *event, GPtrArray *events)
{
  beckon_json_writer_end_object (writer);
  g_string_append (event, "\n\n");
  g_ptr_array_add (events, g_string_free_to_bytes (event));
}

/* The first piece has the id and the name, as services send it. */
static void
add_call_piece (GPtrArray *events, const char *id, const char *name, const char *arguments, gsize length)
{
  GString *event = g_string_new (NULL);
  BeckonJsonWriter writer;

  begin_chunk (&writer, event);
  begin_choice (&writer);
  beckon_json_writer_name (&writer, "tool_calls");
  beckon_json_writer_begin_array (&writer);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_int (&writer, "index", 0);
  if (id != NULL)
    {
      beckon_json_writer_member_string (&writer, "id", id);
      beckon_json_writer_member_string (&writer, "type", "function");
    }
  beckon_json_writer_name (&writer, "function");
  beckon_json_writer_begin_object (&writer);
  if (name != NULL)
    beckon_json_writer_member_string (&writer, "name", name);
  beckon_json_writer_name (&writer, "arguments");
  beckon_json_writer_string (&writer, arguments, (gssize) length);
  beckon_json_writer_end_object (&writer);
  beckon_json_writer_end_object (&writer);
  beckon_json_writer_end_array (&writer);
  end_choice (&writer, NULL);
  beckon_json_writer_end_array (&writer);
  end_chunk (&writer, event, events);
}

static void
add_finish (GPtrArray *events, const char *reason)
{
  GString *event = g_string_new (NULL);
  BeckonJsonWriter writer;

  begin_chunk (&writer, event);
  begin_choice (&writer);
  end_choice (&writer, reason);
  beckon_json_writer_end_array (&writer);
  end_chunk (&writer, event, events);
}

/* There are no tokens here; pieces are what comes nearest. */
static void
add_usage (GPtrArray *events, gsize request_length)
{
  gint64 input = (gint64) request_length / 4;
  gint64 output = events->len;
  GString *event = g_string_new (NULL);
  BeckonJsonWriter writer;

  begin_chunk (&writer, event);
  beckon_json_writer_end_array (&writer);
  beckon_json_writer_name (&writer, "usage");
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_int (&writer, "prompt_tokens", input);
  beckon_json_writer_member_int (&writer, "completion_tokens", output);
  beckon_json_writer_member_int (&writer, "total_tokens", input + output);
  beckon_json_writer_end_object (&writer);
  end_chunk (&writer, event, events);
}

static void
tour_add_call (GPtrArray *events, const BeckonTourReply *reply)
{
  g_autofree char *unique = beckon_id_new ();
  g_autofree char *id = g_strconcat ("tour-", unique, NULL);
  const char *rest = reply->arguments;

  add_call_piece (events, id, reply->tool, "", 0);
  while (*rest != '\0')
    {
      gsize length = MIN (strlen (rest), ARGUMENTS_PIECE_BYTES);

      while (length > 0 && (rest[length] & 0xc0) == 0x80)
        length--;

      add_call_piece (events, NULL, NULL, rest, length);
      rest += length;
    }
}

static GPtrArray *
make_events (const BeckonTourReply *reply, gsize request_length)
{
  GPtrArray *events = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  const char *rest = reply->text;

  while (*rest != '\0')
    {
      const char *p = rest;
      guint chars = 0;
      gsize length;
      GString *event;
      BeckonJsonWriter writer;

      while (*p != '\0' && p - rest < PIECE_MAX_BYTES)
        {
          gboolean is_space = *p == ' ' || *p == '\n';

          p = g_utf8_next_char (p);
          if (++chars >= PIECE_MIN_CHARS && is_space)
            break;
        }
      length = (gsize) (p - rest);
      event = g_string_new (NULL);
      begin_chunk (&writer, event);
      begin_choice (&writer);
      beckon_json_writer_name (&writer, "content");
      beckon_json_writer_string (&writer, rest, (gssize) length);
      end_choice (&writer, NULL);
      beckon_json_writer_end_array (&writer);
      end_chunk (&writer, event, events);
      rest += length;
    }
  if (reply->tool != NULL)
    tour_add_call (events, reply);
  add_finish (events, reply->tool != NULL ? "tool_calls" : "stop");
  add_usage (events, request_length);
  g_ptr_array_add (events, g_bytes_new_static ("data: [DONE]\n\n", strlen ("data: [DONE]\n\n")));
  return events;
}

/* --- Giving a reply ----------------------------------------------------------------------------------------------- */

static void
on_finished (SoupServerMessage *message, gpointer user_data)
{
  Speech *speech = user_data;

  speech->tour->speeches = g_list_remove (speech->tour->speeches, speech);
  speech_free (speech);
}

static void
give_next (Speech *speech)
{
  SoupMessageBody *body = soup_server_message_get_response_body (speech->message);

  soup_message_body_append_bytes (body, g_ptr_array_index (speech->events, speech->next++));
  if (speech->next == speech->events->len)
    soup_message_body_complete (body);
}

static gboolean
on_pace (gpointer user_data)
{
  Speech *speech = user_data;
  gboolean more;

  give_next (speech);
  more = speech->next < speech->events->len;
  if (!more)
    speech->timer = 0;
  soup_server_message_unpause (speech->message);
  return more ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

/* --- Requests ----------------------------------------------------------------------------------------------------- */

static void
tour_refuse (SoupServerMessage *message, guint status, const char *words)
{
  g_autoptr (GString) body = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, body);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_name (&writer, "error");
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "message", words);
  beckon_json_writer_end_object (&writer);
  beckon_json_writer_end_object (&writer);
  soup_server_message_set_status (message, status, NULL);
  soup_server_message_set_response (message, "application/json", SOUP_MEMORY_COPY, body->str, body->len);
}

static gboolean
is_authorized (BeckonTour *self, SoupServerMessage *message)
{
  const char *found = soup_message_headers_get_one (soup_server_message_get_request_headers (message), "Authorization");
  g_autofree char *wanted = g_strconcat ("Bearer ", self->token, NULL);

  return g_strcmp0 (found, wanted) == 0;
}

/* Before the body is read: other programs on this computer can reach the port, but do not know the token. */
static void
on_early_request (SoupServer *server, SoupServerMessage *message, const char *path, GHashTable *query,
                  gpointer user_data)
{
  BeckonTour *self = BECKON_TOUR (user_data);
  SoupMessageHeaders *headers = soup_server_message_get_request_headers (message);

  if (!is_authorized (self, message))
    tour_refuse (message, SOUP_STATUS_UNAUTHORIZED, "The token is missing or wrong.");
  else if (strcmp (path, PATH) != 0)
    tour_refuse (message, SOUP_STATUS_NOT_FOUND, "The tour has only " PATH ".");
  else if (soup_server_message_get_method (message) != SOUP_METHOD_POST)
    tour_refuse (message, SOUP_STATUS_METHOD_NOT_ALLOWED, "The tour takes only POST.");
  else if (soup_message_headers_get_encoding (headers) != SOUP_ENCODING_CONTENT_LENGTH
           || soup_message_headers_get_content_length (headers) > BODY_MAX)
    tour_refuse (message, SOUP_STATUS_REQUEST_ENTITY_TOO_LARGE, "The request is too large for the tour.");
}

static void
on_request (SoupServer *server, SoupServerMessage *message, const char *path, GHashTable *query, gpointer user_data)
{
  BeckonTour *self = BECKON_TOUR (user_data);
  SoupMessageBody *body = soup_server_message_get_request_body (message);
  g_autoptr (GBytes) bytes = soup_message_body_flatten (body);
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonTourReply) reply = NULL;

  reply = beckon_tour_script_reply (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), self->place, &error);
  if (reply != NULL)
    {
      gsize request_length = g_bytes_get_size (bytes);
      SoupMessageHeaders *headers = soup_server_message_get_response_headers (message);
      Speech *speech = g_new0 (Speech, 1);

      speech->tour = self;
      speech->message = g_object_ref (message);
      speech->events = make_events (reply, request_length);
      self->speeches = g_list_prepend (self->speeches, speech);
      g_signal_connect (message, "finished", G_CALLBACK (on_finished), speech);

      soup_server_message_set_status (message, SOUP_STATUS_OK, NULL);
      soup_message_headers_set_encoding (headers, SOUP_ENCODING_CHUNKED);
      soup_message_headers_set_content_type (headers, "text/event-stream", NULL);
      soup_message_body_set_accumulate (soup_server_message_get_response_body (message), FALSE);
      if (self->pace_ms > 0)
        speech->timer = g_timeout_add (self->pace_ms, on_pace, speech);
      else
        while (speech->next < speech->events->len)
          give_next (speech);
    }
  else
    tour_refuse (message, SOUP_STATUS_BAD_REQUEST, error->message);
}

/* --- The object --------------------------------------------------------------------------------------------------- */

static void
beckon_tour_dispose (GObject *object)
{
  BeckonTour *self = BECKON_TOUR (object);

  g_list_free_full (g_steal_pointer (&self->speeches), (GDestroyNotify) speech_free);
  if (self->server != NULL)
    soup_server_disconnect (self->server);
  g_clear_object (&self->server);

  G_OBJECT_CLASS (beckon_tour_parent_class)->dispose (object);
}

static void
beckon_tour_finalize (GObject *object)
{
  BeckonTour *self = BECKON_TOUR (object);

  g_free (self->base_url);
  g_free (self->token);

  G_OBJECT_CLASS (beckon_tour_parent_class)->finalize (object);
}

static void
beckon_tour_class_init (BeckonTourClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_tour_dispose;
  G_OBJECT_CLASS (klass)->finalize = beckon_tour_finalize;
}

static void
beckon_tour_init (BeckonTour *self)
{
  guint8 random[TOKEN_BYTES];
  g_autoptr (GString) token = g_string_new (NULL);

  if (getrandom (random, sizeof random, 0) != sizeof random)
    g_error ("No random bytes for the token of the tour: %s", g_strerror (errno));
  for (gsize i = 0; i < sizeof random; i++)
    g_string_append_printf (token, "%02x", random[i]);
  self->token = g_string_free (g_steal_pointer (&token), FALSE);
  self->pace_ms = PACE_MS;
}

BeckonTour *
beckon_tour_new (void)
{
  return g_object_new (BECKON_TYPE_TOUR, NULL);
}

void
beckon_tour_set_place (BeckonTour *tour, BeckonTourPlace place)
{
  g_return_if_fail (BECKON_IS_TOUR (tour));

  tour->place = place;
}

gboolean
beckon_tour_start (BeckonTour *tour, GError **error)
{
  g_autoptr (SoupServer) server = NULL;
  g_autoptr (GInetAddress) loopback = NULL;
  g_autoptr (GSocketAddress) address = NULL;
  GSList *uris;
  guint port;

  g_return_val_if_fail (BECKON_IS_TOUR (tour), FALSE);

  if (tour->server != NULL)
    return TRUE;

  server = soup_server_new ("server-header", "beckon-tour", NULL);
  loopback = g_inet_address_new_loopback (G_SOCKET_FAMILY_IPV4);
  address = g_inet_socket_address_new (loopback, 0);
  if (!soup_server_listen (server, address, 0, error))
    return FALSE;

  soup_server_add_early_handler (server, NULL, on_early_request, tour, NULL);
  soup_server_add_handler (server, NULL, on_request, tour, NULL);
  uris = soup_server_get_uris (server);
  port = (guint) g_uri_get_port (uris->data);
  g_slist_free_full (uris, (GDestroyNotify) g_uri_unref);
  tour->base_url = g_strdup_printf ("http://127.0.0.1:%u/v1", port);
  tour->server = g_steal_pointer (&server);
  return TRUE;
}

const char *
beckon_tour_get_base_url (BeckonTour *tour)
{
  g_return_val_if_fail (BECKON_IS_TOUR (tour), NULL);

  return tour->base_url;
}

const char *
beckon_tour_get_token (BeckonTour *tour)
{
  g_return_val_if_fail (BECKON_IS_TOUR (tour), NULL);

  return tour->token;
}

void
beckon_tour_set_pace (BeckonTour *tour, guint milliseconds)
{
  g_return_if_fail (BECKON_IS_TOUR (tour));

  tour->pace_ms = milliseconds;
}
