/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-mcp-http.h"

#include "base/beckon-error.h"
#include "base/beckon-origin.h"
#include "base/beckon-priority.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-wipe.h"
#include "base/beckon-worker.h"
#include "beckon-mcp-codec.h"
#include "beckon-mcp-log.h"
#include "beckon-mcp-transport.h"
#include "llm/beckon-llm-failure.h"
#include "net/beckon-http-exchange.h"
#include "net/beckon-sse-parser.h"
#include "rpc/beckon-rpc-message.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* As much as a response may have. */
#define BECKON_MCP_MAX_BODY BECKON_RPC_MESSAGE_MAX

/* A longer message may take a tenth of a second: it is parsed in a thread, and what is behind it waits. */
#define BECKON_MCP_LONG_MESSAGE (256 * 1024)

typedef struct _BeckonMcpPost BeckonMcpPost;

struct _BeckonMcpHttp
{
  GObject parent_instance;

  BeckonMcpServer *server;
  GHashTable *secrets; /* (nullable) */
  BeckonMask *mask;    /* (nullable): of them, and of the token */
  BeckonClock *clock;
  BeckonMcpLog *log;
  SoupSession *session;
  BeckonOauth *oauth; /* (nullable) */
  char *token;        /* (nullable): the last one */
  GUri *uri;
  char *host;
  const BeckonMcpPeer *peer; /* (nullable) */
  gpointer peer_data;
  char *revision;   /* (nullable) */
  char *session_id; /* (nullable) */
  guint64 last_id;
  gboolean is_open;
  GPtrArray *posts; /* (element-type BeckonMcpPost): under way; borrowed */
  gboolean is_listening;
  guint n_answers; /* to requests of the server's, under way */
  gboolean has_flooded;

  /* A server of 2024-11-05 has more. */
  BeckonMcpPost *stream;  /* (nullable): what it says, and its answers; borrowed */
  BeckonMcpPost *opening; /* (nullable): waits for the address that messages are sent to; borrowed */
  GUri *endpoint;         /* (nullable): that address */
};

/* A request of HTTP. */
struct _BeckonMcpPost
{
  BeckonMcpHttp *self; /* (owned) */
  GTask *task;         /* (owned) (nullable): of a call that has no answer yet */
  char *id;            /* (nullable): of a call */
  GBytes *body;        /* (nullable): %NULL for a GET */
  char *method;        /* (nullable): of the message */
  char *name;
  char **headers;
  BeckonHttpExchange *exchange;
  BeckonSseParser *parser; /* (nullable) */
  GString *received;
  guint status;
  gboolean is_initialize;
  gboolean is_stream; /* see `stream` */
  gboolean has_streamed; /* a stream had begun */
  gboolean is_answer; /* to a request of the server's */
  char *challenge; /* (nullable): of a refusal */
  char *token;     /* (nullable): what it was sent with */
  guint n_tokens;  /* how often it got another one */
  GCancellable *gaining; /* (nullable): while it waits for a token */
  char *last_event; /* (nullable) */
  gint64 retry_ms;
  guint n_retries;
  guint timer;
  GSource *cancelled; /* (nullable) */
  gboolean is_over;
  gboolean is_parsing;       /* a long message, in a thread */
  GQueue held;               /* (element-type GBytes): messages behind it */
  gsize n_held;              /* their bytes */
  gboolean has_ended;        /* behind that */
  BeckonHttpOutcome outcome; /* how, then; its error is owned */
  guint n_refs; /* its own one, and while events are read */
};

static BeckonMcpPost *mcp_post_new (BeckonMcpHttp *self, const char *body);
static void mcp_post_begin (BeckonMcpPost *post);
static void mcp_post_send (BeckonMcpPost *post);
static void mcp_post_end (BeckonMcpPost *post, BeckonRpcMessage *message, GError *error);
static void mcp_post_hear (BeckonMcpPost *post, const char *text, gsize length);
static void mcp_post_keep_outcome (BeckonMcpPost *post, const BeckonHttpOutcome *outcome);
static void mcp_post_forget_held (BeckonMcpPost *post);
static BeckonRpcMessage *mcp_post_make_refusal (BeckonMcpPost *post);

/*
 * Servers of 2024-11-05 have two addresses: a stream with everything that they say, and another one, which its first event
 * names, that messages are sent to. They refuse the first message of any newer revision by the status alone.
 */

#define ENDPOINT_MS 5000
#define MAX_ENDPOINT 4096

/* The first message is refused as it was; its end is the stream's. */
static void
legacy_give_up (BeckonMcpHttp *self)
{
  mcp_post_end (self->opening, mcp_post_make_refusal (self->opening), NULL);
}

static gboolean
on_no_endpoint (gpointer user_data)
{
  BeckonMcpPost *post = user_data;

  post->timer = 0;
  legacy_give_up (post->self);
  return G_SOURCE_REMOVE;
}

/* Takes what is no message; %FALSE if it is one. */
static gboolean
mcp_legacy_take_event (BeckonMcpPost *stream, const BeckonSseEvent *event)
{
  if (strcmp (event->type, "endpoint") != 0)
    return FALSE;
  if (stream->self->opening != NULL)
    {
      BeckonMcpHttp *self = stream->self;
      BeckonMcpPost *opening = self->opening;
      g_autofree char *text = g_strndup (event->data, MIN (event->length, MAX_ENDPOINT + 1));
      g_autofree char *own = g_uri_to_string (self->uri);
      g_autoptr (GUri) uri = g_uri_parse_relative (self->uri, text, SOUP_HTTP_URI_FLAGS, NULL);
      g_autofree char *whole = uri != NULL ? g_uri_to_string (uri) : NULL;

      /* A message to one server goes to no other. */
      if (event->length > MAX_ENDPOINT || whole == NULL || g_uri_get_userinfo (uri) != NULL
          || !beckon_uri_same_origin (own, whole))
        self->endpoint = NULL;
      else
        self->endpoint = g_steal_pointer (&uri);
      if (self->endpoint == NULL)
        {
          beckon_mcp_log_say (self->log, "The stream names an address that is not on this server");
          legacy_give_up (self);
        }
      else
        {
          self->opening = NULL;
          beckon_clock_remove (self->clock, opening->timer);
          opening->timer = 0;
          mcp_post_send (opening);
        }
    }
  return TRUE;
}

/* (nullable): the call that a message of the stream answers. */
static BeckonMcpPost *
mcp_legacy_find (BeckonMcpHttp *self, const char *id)
{
  for (guint i = 0; id != NULL && i < self->posts->len; i++)
    {
      BeckonMcpPost *post = g_ptr_array_index (self->posts, i);

      if (post->task != NULL && g_strcmp0 (post->id, id) == 0)
        return post;
    }
  return NULL;
}

/* The stream has ended. */
static void
mcp_legacy_lose (BeckonMcpPost *stream)
{
  g_autoptr (BeckonMcpHttp) self = g_object_ref (stream->self);
  g_autoptr (GError) error = NULL;

  if (self->opening != NULL)
    {
      legacy_give_up (self);
      return;
    }
  error = beckon_text_error_new (BECKON_RPC_ERROR, BECKON_RPC_ERROR_CLOSED, _("“%s” has ended the session."),
                                 self->server->name);
  self->is_open = FALSE;
  while (self->posts->len > 0)
    mcp_post_end (g_ptr_array_index (self->posts, self->posts->len - 1), NULL, g_error_copy (error));
  if (self->peer != NULL)
    self->peer->ended (error, -1, self->peer_data);
}

/* Each message is a request of HTTP of its own. In older revisions a stream that breaks off before the answer is asked for
 * again, from the last event on; in the newest one nothing is, because nobody knows whether the tool ran. */

#define CONNECT_S 30
#define MAX_BODY BECKON_MCP_MAX_BODY
#define MAX_PER_HOST 16
#define RETRY_MS 1000
#define RETRY_MAX_MS 30000
#define MAX_RETRIES 8

/* The stream of news is opened again for as long as the session lasts, less and less often. */
#define NEWS_RETRY_MAX_MS (5 * 60 * 1000)

/* How long the end of a session is waited for. */
#define DELETE_MS 3000
#define MAX_SESSION_ID 1024
#define MAX_ANSWERS 16 /* under way */

/* A request that is refused even with the third token will be with the next: sign in, ask for more, once more. */
#define MAX_TOKENS 3

static void beckon_mcp_http_transport_init (BeckonMcpTransportInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (BeckonMcpHttp, beckon_mcp_http, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (BECKON_TYPE_MCP_TRANSPORT, beckon_mcp_http_transport_init))

/* --- Headers ------------------------------------------------------------------------------------------------------ */

char *
beckon_mcp_http_encode (const char *value)
{
  static const char before[] = "=?base64?";
  gsize length = strlen (value);
  gboolean is_plain = length > 0 && value[0] != ' ' && value[0] != '\t' && value[length - 1] != ' ' && value[length - 1] != '\t'
                      && !(g_str_has_prefix (value, before) && g_str_has_suffix (value, "?="));
  g_autofree char *encoded = NULL;

  for (const char *at = value; *at != '\0' && is_plain; at++)
    is_plain = (*at >= 0x20 && *at < 0x7f) || *at == '\t';
  if (is_plain || length == 0)
    return g_strdup (value);
  encoded = g_base64_encode ((const guchar *) value, length);
  return g_strconcat (before, encoded, "?=", NULL);
}

static gboolean
is_modern (BeckonMcpHttp *self)
{
  return g_strcmp0 (self->revision, BECKON_MCP_REVISION_MODERN) == 0;
}

static void
add_own_headers (BeckonMcpHttp *self, SoupMessageHeaders *headers)
{
  for (guint i = 0; i < self->server->headers->len; i++)
    {
      const BeckonMcpVariable *header = g_ptr_array_index (self->server->headers, i);
      const char *value = header->source == BECKON_MCP_VALUE_PLAIN       ? header->value
                          : header->source == BECKON_MCP_VALUE_INHERITED ? g_getenv (header->name)
                          : self->secrets != NULL                        ? g_hash_table_lookup (self->secrets, header->name)
                                                                         : NULL;

      if (value != NULL)
        soup_message_headers_replace (headers, header->name, value);
    }
}

static void
add_token (const char *token, SoupMessage *message)
{
  beckon_autowipe char *value = token != NULL ? g_strconcat ("Bearer ", token, NULL) : NULL;

  if (value != NULL)
    soup_message_headers_replace (soup_message_get_request_headers (message), "Authorization", value);
}

static SoupMessage *
mcp_http_make_message (gpointer user_data)
{
  BeckonMcpPost *post = user_data;
  BeckonMcpHttp *self = post->self;
  SoupMessage *message;
  SoupMessageHeaders *headers;

  /* A kept connection that was dead: a tool may have run all the same. */
  if (post->exchange != NULL && beckon_http_exchange_get_message (post->exchange) != NULL)
    return NULL;
  message = soup_message_new_from_uri (post->body != NULL ? SOUP_METHOD_POST : SOUP_METHOD_GET,
                                       post->body != NULL && self->endpoint != NULL ? self->endpoint : self->uri);
  headers = soup_message_get_request_headers (message);
  soup_message_headers_replace (headers, "Accept",
                                post->body != NULL ? "application/json, text/event-stream" : "text/event-stream");
  if (post->body != NULL)
    soup_message_set_request_body_from_bytes (message, "application/json", post->body);
  if (self->revision != NULL && !post->is_initialize)
    soup_message_headers_replace (headers, "MCP-Protocol-Version", self->revision);
  if (self->session_id != NULL)
    soup_message_headers_replace (headers, "Mcp-Session-Id", self->session_id);
  if (post->last_event != NULL && post->body == NULL)
    soup_message_headers_replace (headers, "Last-Event-ID", post->last_event);
  if (is_modern (self) && post->method != NULL)
    {
      soup_message_headers_replace (headers, "Mcp-Method", post->method);
      if (post->name != NULL)
        {
          g_autofree char *encoded = beckon_mcp_http_encode (post->name);

          soup_message_headers_replace (headers, "Mcp-Name", encoded);
        }
      for (guint i = 0; post->headers != NULL && post->headers[i] != NULL && post->headers[i + 1] != NULL; i += 2)
        {
          g_autofree char *encoded = beckon_mcp_http_encode (post->headers[i + 1]);

          soup_message_headers_replace (headers, post->headers[i], encoded);
        }
    }
  add_token (post->token, message);
  add_own_headers (self, headers);
  return message;
}

/* Secrets that are sent from here on. */
static void
make_mask (BeckonMcpHttp *self)
{
  g_clear_pointer (&self->mask, beckon_mask_unref);
  self->mask = beckon_mcp_mask_new (self->server->headers, self->secrets, self->token);
  beckon_mcp_log_set_mask (self->log, self->mask);
}

/* --- A request and its answer ------------------------------------------------------------------------------------- */

static void
mcp_post_unref (BeckonMcpPost *post)
{
  if (--post->n_refs > 0)
    return;
  g_clear_pointer (&post->parser, beckon_sse_parser_free);
  g_clear_pointer (&post->body, g_bytes_unref);
  g_string_free (post->received, TRUE);
  mcp_post_forget_held (post);
  g_free (post->id);
  g_free (post->method);
  g_free (post->name);
  g_strfreev (post->headers);
  g_free (post->last_event);
  g_free (post->challenge);
  beckon_wipe (post->token);
  g_clear_object (&post->gaining);
  g_object_unref (post->self);
  g_free (post);
}

/* Ends it. @message, @error: (transfer full) (nullable): for a call. */
static void
mcp_post_end (BeckonMcpPost *post, BeckonRpcMessage *message, GError *error)
{
  g_autoptr (GTask) task = g_steal_pointer (&post->task);
  BeckonMcpHttp *self = post->self;

  if (post->body == NULL && post->id == NULL)
    self->is_listening = FALSE;
  post->is_over = TRUE;
  if (post->is_answer)
    self->n_answers--;
  g_ptr_array_remove (self->posts, post);
  beckon_clock_remove (self->clock, post->timer);
  if (post->cancelled != NULL)
    g_source_destroy (post->cancelled);
  g_clear_pointer (&post->cancelled, g_source_unref);
  if (post->exchange != NULL)
    beckon_http_exchange_stop (post->exchange);
  g_clear_object (&post->exchange);
  if (post->gaining != NULL)
    g_cancellable_cancel (post->gaining);

  if (self->stream == post)
    self->stream = NULL;
  if (self->opening == post)
    {
      self->opening = NULL;
      if (self->stream != NULL)
        mcp_post_end (self->stream, NULL, NULL);
    }
  mcp_post_unref (post);
  if (task == NULL)
    {
      beckon_rpc_message_free (message);
      g_clear_error (&error);
    }
  else if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, message, (GDestroyNotify) beckon_rpc_message_free);
}

/* (transfer full): what its status says. */
static BeckonRpcMessage *
mcp_post_make_refusal (BeckonMcpPost *post)
{
  g_autofree char *text = g_strdup_printf ("HTTP status %u (%s)", post->status, soup_status_get_phrase (post->status));

  return beckon_rpc_message_new_error (post->id != NULL ? post->id : "0", BECKON_RPC_ERROR_INVALID_REQUEST, text, NULL);
}

/* Each answer is a request of ours: a server that asks without end gets none beyond these. */
static gboolean
may_answer (BeckonMcpHttp *self)
{
  if (self->n_answers < MAX_ANSWERS)
    return TRUE;
  if (!self->has_flooded)
    beckon_mcp_log_say (self->log, "The server asks faster than it takes answers; some of it is not answered");
  self->has_flooded = TRUE;
  return FALSE;
}

/* (nullable): the call in whose stream something comes. */
static gconstpointer
get_asker (const BeckonMcpPost *post)
{
  return post->task != NULL ? g_async_result_get_user_data (G_ASYNC_RESULT (post->task)) : NULL;
}

/* Gives the response to the call; %TRUE if it was one. @message: (transfer full) (nullable): %NULL with @error */
static gboolean
mcp_post_take (BeckonMcpPost *post, BeckonRpcMessage *message, const GError *error)
{
  BeckonMcpHttp *self = post->self;
  BeckonMcpPost *asked = post;

  if (message == NULL)
    {
      beckon_mcp_log_say (self->log, "Not a message: %s", error->message);
      return FALSE;
    }
  switch (message->kind)
    {
    case BECKON_RPC_MESSAGE_REQUEST:
      if (self->peer != NULL && may_answer (self))
        self->peer->request (message, get_asker (post), self->peer_data);
      break;

    case BECKON_RPC_MESSAGE_NOTIFICATION:
      if (self->peer != NULL)
        self->peer->notification (message, self->peer_data);
      break;

    case BECKON_RPC_MESSAGE_RESULT:
    case BECKON_RPC_MESSAGE_ERROR:
    default:
      if (post->is_stream)
        asked = mcp_legacy_find (self, message->id);
      if (asked != NULL && asked->task != NULL && (message->id == NULL || g_strcmp0 (message->id, asked->id) == 0))
        {
          mcp_post_end (asked, message, NULL);
          return TRUE;
        }
      beckon_mcp_log_say (self->log, "A response to nothing");
      break;
    }
  beckon_rpc_message_free (message);
  return FALSE;
}

static gboolean
mcp_http_take_message (BeckonMcpPost *post, const char *text, gsize length)
{
  g_autoptr (GError) error = NULL;
  BeckonRpcMessage *message = beckon_rpc_message_parse (text, length, NULL, &error);

  return mcp_post_take (post, message, error);
}

/* Ends it because too much came. */
static void
mcp_post_end_long (BeckonMcpPost *post)
{
  mcp_post_end (post, NULL, beckon_text_error_new (BECKON_RPC_ERROR, BECKON_RPC_ERROR_TOO_LARGE,
                                                   _("“%s” sent a response that is too long."),
                                                   post->self->server->name));
}

static void
mcp_http_on_event (const BeckonSseEvent *event, gpointer user_data)
{
  BeckonMcpPost *post = user_data;

  if (post->is_over)
    return;
  if (post->task == NULL)
    post->n_retries = 0;
  if (*event->id != '\0')
    {
      g_free (post->last_event);
      post->last_event = g_strdup (event->id);
    }
  if (post->is_stream && mcp_legacy_take_event (post, event))
    return;
  /* Some servers begin with an event without data, for its id. */
  if (event->length > 0)
    mcp_post_hear (post, event->data, event->length);
}

/* Visible letters of ASCII, by the specification. */
static gboolean
is_session_id (const char *id)
{
  gsize length = 0;

  while (g_ascii_isgraph (id[length]) && length < MAX_SESSION_ID)
    length++;
  return id[length] == '\0' && length > 0;
}

/* The server speaks by itself there, not about any call. */
static gboolean
is_news (const BeckonMcpPost *post)
{
  return post->task == NULL && post->body == NULL && !post->is_stream;
}

static gboolean
mcp_http_on_head (SoupMessage *message, gpointer user_data)
{
  BeckonMcpPost *post = user_data;
  BeckonMcpHttp *self = post->self;
  SoupMessageHeaders *headers = soup_message_get_response_headers (message);
  const char *type = soup_message_headers_get_content_type (headers, NULL);
  const char *session = soup_message_headers_get_one (headers, "Mcp-Session-Id");

  post->status = soup_message_get_status (message);
  g_free (post->challenge);
  post->challenge = g_strdup (soup_message_headers_get_list (headers, "WWW-Authenticate"));
  if (post->is_initialize && session != NULL && is_session_id (session))
    {
      g_free (self->session_id);
      self->session_id = g_strdup (session);
    }
  if (post->status == SOUP_STATUS_OK && type != NULL && g_ascii_strcasecmp (type, "text/event-stream") == 0)
    {
      post->parser = beckon_sse_parser_new (mcp_http_on_event, NULL, post);
      /* News of meanwhile are lost. */
      if (is_news (post) && post->has_streamed && self->peer != NULL)
        self->peer->resumed (self->peer_data);
      post->has_streamed = TRUE;
    }
  return TRUE;
}

static gboolean
mcp_http_on_body (const char *data, gsize length, gpointer user_data)
{
  BeckonMcpPost *post = user_data;

  if (post->parser != NULL)
    {
      g_autoptr (GError) error = NULL;
      gboolean is_over;

      post->n_refs++;
      if (!beckon_sse_parser_push (post->parser, data, length, &error) && !post->is_over)
        {
          GError *fault = g_steal_pointer (&error);

          if (!post->is_stream)
            mcp_post_end (post, NULL, fault);
          else
            {
              beckon_mcp_log_say (post->self->log, "%s", fault->message);
              g_error_free (fault);
              mcp_legacy_lose (post);
            }
        }
      if (!post->is_over && beckon_sse_parser_get_retry (post->parser) >= 0)
        post->retry_ms = MIN (beckon_sse_parser_get_retry (post->parser), RETRY_MAX_MS);
      is_over = post->is_over;
      mcp_post_unref (post);
      return !is_over;
    }
  if (post->received->len + length > MAX_BODY)
    {
      mcp_post_end_long (post);
      return FALSE;
    }
  g_string_append_len (post->received, data, (gssize) length);
  return TRUE;
}

static gboolean
on_retry (gpointer user_data)
{
  BeckonMcpPost *post = user_data;

  post->timer = 0;
  mcp_post_begin (post);
  return G_SOURCE_REMOVE;
}

/* From the last event on, with another request. News are wanted for as long as there is a session. */
static gboolean
may_resume (BeckonMcpPost *post)
{
  if (is_news (post))
    return post->has_streamed && post->self->is_open && !is_modern (post->self);
  return post->status == SOUP_STATUS_OK && !is_modern (post->self) && post->self->is_open && !post->is_stream
         && post->last_event != NULL && post->n_retries < MAX_RETRIES && post->task != NULL;
}

/* --- Signing in --------------------------------------------------------------------------------------------------- */

static void
on_token (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonMcpPost *post = user_data;
  GError *error = NULL;
  char *token = post->n_tokens > 0 ? beckon_oauth_refused_finish (BECKON_OAUTH (source), result, &error)
                                   : beckon_oauth_get_token_finish (BECKON_OAUTH (source), result, &error);

  g_clear_object (&post->gaining);
  if (post->is_over)
    {
      beckon_wipe (token);
      g_clear_error (&error);
    }
  else if (error != NULL)
    {
      beckon_mcp_log_say (post->self->log, "%s", error->message);
      mcp_post_end (post, NULL, error);
    }
  else
    {
      BeckonMcpHttp *self = post->self;

      beckon_wipe (post->token);
      post->token = token;
      if (g_strcmp0 (self->token, token) != 0)
        {
          beckon_wipe (self->token);
          self->token = g_strdup (token);
          make_mask (self);
        }
      mcp_post_send (post);
    }
  mcp_post_unref (post);
}

/* Another token may be enough. */
static gboolean
may_gain (BeckonMcpPost *post)
{
  return post->self->oauth != NULL && post->n_tokens < MAX_TOKENS
         && (post->status == SOUP_STATUS_UNAUTHORIZED
             || (post->status == SOUP_STATUS_FORBIDDEN && post->challenge != NULL));
}

static void
gain (BeckonMcpPost *post)
{
  post->n_tokens++;
  post->n_refs++;
  g_clear_object (&post->exchange);
  g_string_truncate (post->received, 0);
  post->gaining = g_cancellable_new ();
  beckon_oauth_refused_async (post->self->oauth, post->status, post->challenge, post->token, post->gaining, on_token, post);
}

/* A message of JSON-RPC says more than the status; one that is too long to be read at once is none that refuses. */
static void
take_refusal (BeckonMcpPost *post)
{
  BeckonMcpHttp *self = post->self;
  gboolean is_lost = post->status == SOUP_STATUS_NOT_FOUND && self->session_id != NULL;
  g_autoptr (BeckonMcpHttp) alive = g_object_ref (self);

  if (post->task == NULL || post->received->len == 0 || post->received->len > BECKON_MCP_LONG_MESSAGE
      || !mcp_http_take_message (post, post->received->str, post->received->len))
    {
      beckon_mcp_log_say (self->log, "HTTP status %u", post->status);
      if (post->is_initialize && post->task != NULL && post->self->stream == NULL && post->self->session_id == NULL
          && (post->status == SOUP_STATUS_BAD_REQUEST || post->status == SOUP_STATUS_NOT_FOUND
              || post->status == SOUP_STATUS_METHOD_NOT_ALLOWED))
        {
          g_clear_object (&post->exchange);
          g_string_truncate (post->received, 0);
          post->timer = beckon_clock_add_timeout (self->clock, ENDPOINT_MS, on_no_endpoint, post);
          self->opening = post;
          self->stream = mcp_post_new (self, NULL);
          self->stream->is_stream = TRUE;
          self->is_listening = TRUE;
          mcp_post_begin (self->stream);
          return;
        }
      mcp_post_end (post, post->task != NULL ? mcp_post_make_refusal (post) : NULL, NULL);
    }
  if (is_lost)
    {
      g_autoptr (GError) error = beckon_text_error_new (BECKON_RPC_ERROR, BECKON_RPC_ERROR_CLOSED,
                                                        _("“%s” has ended the session."), self->server->name);

      g_clear_pointer (&self->session_id, g_free);
      self->is_open = FALSE;
      if (self->peer != NULL)
        self->peer->ended (error, -1, self->peer_data);
    }
}

static void
mcp_post_on_end (const BeckonHttpOutcome *outcome, gpointer user_data)
{
  BeckonMcpPost *post = user_data;
  BeckonMcpHttp *self = post->self;

  if (post->is_parsing)
    mcp_post_keep_outcome (post, outcome);
  else if (outcome->end == BECKON_HTTP_END_WHOLE && may_gain (post))
    gain (post);
  else if (post->is_stream)
    mcp_legacy_lose (post);
  else if (outcome->end == BECKON_HTTP_END_WHOLE && !SOUP_STATUS_IS_SUCCESSFUL (post->status))
    take_refusal (post);
  else if (outcome->end == BECKON_HTTP_END_WHOLE && self->endpoint != NULL)
    {
      /* The message was taken; an answer comes by the stream. */
      if (post->task != NULL)
        g_clear_object (&post->exchange);
      else
        mcp_post_end (post, NULL, NULL);
    }
  else if (may_resume (post))
    {
      gint64 pause_ms = MAX (post->retry_ms, 1);

      if (is_news (post))
        pause_ms = MIN (pause_ms << MIN (post->n_retries, 20), NEWS_RETRY_MAX_MS);
      post->n_retries++;
      g_clear_object (&post->exchange);
      g_clear_pointer (&post->parser, beckon_sse_parser_free);
      g_clear_pointer (&post->body, g_bytes_unref);
      post->timer = beckon_clock_add_timeout (post->self->clock, (guint) pause_ms, on_retry, post);
    }
  else if (outcome->end != BECKON_HTTP_END_WHOLE)
    {
      GError *error = beckon_llm_failure_from_outcome (self->host, outcome);

      if (error != NULL)
        beckon_mcp_log_say (self->log, "%s", error->message);
      mcp_post_end (post, NULL, error);
    }
  else if (post->task == NULL)
    mcp_post_end (post, NULL, NULL);
  else if (post->parser == NULL && post->received->len > BECKON_MCP_LONG_MESSAGE)
    {
      mcp_post_hear (post, post->received->str, post->received->len);
      g_string_truncate (post->received, 0);
      mcp_post_keep_outcome (post, outcome);
    }
  else if (post->parser != NULL || post->received->len == 0
           || !mcp_http_take_message (post, post->received->str, post->received->len))
    mcp_post_end (post, NULL, beckon_text_error_new (BECKON_RPC_ERROR, BECKON_RPC_ERROR_PROTOCOL,
                                                     _("“%s” ended its response without an answer."),
                                                     self->server->name));
}

static const BeckonHttpHandler handler
    = { .make_message = mcp_http_make_message, .on_head = mcp_http_on_head, .on_body = mcp_http_on_body,
        .on_end = mcp_post_on_end };

static void
mcp_post_send (BeckonMcpPost *post)
{
  const BeckonHttpLimits limits = { .connect_s = CONNECT_S };

  post->status = 0;
  post->exchange = beckon_http_exchange_new (post->self->session, post->self->clock, &limits, &handler, post);
  beckon_http_exchange_begin (post->exchange, NULL);
}

/* Sends it with a token, if there is one; as it is. */
static void
mcp_post_begin (BeckonMcpPost *post)
{
  if (post->self->oauth == NULL)
    {
      mcp_post_send (post);
      return;
    }
  post->n_refs++;
  post->n_tokens = 0;
  post->gaining = g_cancellable_new ();
  beckon_oauth_get_token_async (post->self->oauth, post->gaining, on_token, post);
}

/* Secrets may be in it. */
static GBytes *
make_body (const char *body)
{
  char *copy = g_strdup (body);

  return g_bytes_new_with_free_func (copy, strlen (copy), (GDestroyNotify) beckon_wipe, copy);
}

static BeckonMcpPost *
mcp_post_new (BeckonMcpHttp *self, const char *body)
{
  BeckonMcpPost *post = g_new0 (BeckonMcpPost, 1);

  post->n_refs = 1;
  post->self = g_object_ref (self);
  post->body = body != NULL ? make_body (body) : NULL;
  post->received = g_string_new (NULL);
  post->retry_ms = RETRY_MS;
  g_ptr_array_add (self->posts, post);
  return post;
}

/* --- The transport ------------------------------------------------------------------------------------------------ */

static void
set_peer (BeckonMcpTransport *transport, const BeckonMcpPeer *peer, gpointer data)
{
  BeckonMcpHttp *self = BECKON_MCP_HTTP (transport);

  self->peer = peer;
  self->peer_data = data;
}

static void
open_async (BeckonMcpTransport *transport, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonMcpHttp *self = BECKON_MCP_HTTP (transport);
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, open_async);
  g_clear_pointer (&self->session_id, g_free);
  g_clear_pointer (&self->revision, g_free);
  g_clear_pointer (&self->endpoint, g_uri_unref);
  self->is_open = TRUE;
  g_task_return_boolean (task, TRUE);
}

static gboolean
open_finish (BeckonMcpTransport *transport, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* The closed stream tells a server of the newest revision; older ones have to be told. */
static gboolean
mcp_http_on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  BeckonMcpPost *post = user_data;
  g_autoptr (BeckonMcpHttp) self = g_object_ref (post->self);
  g_autofree char *params = g_strdup_printf ("{\"requestId\":%s,\"reason\":\"No longer needed\"}", post->id);
  gboolean is_told = !is_modern (self) && !post->is_initialize;

  mcp_post_end (post, NULL, g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, _("It was stopped.")));
  if (is_told && self->is_open)
    beckon_mcp_transport_notify (BECKON_MCP_TRANSPORT (self), "notifications/cancelled", params, NULL);
  return G_SOURCE_REMOVE;
}

static void
call_async (BeckonMcpTransport *transport, const BeckonMcpExchange *exchange, GCancellable *cancellable,
            GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonMcpHttp *self = BECKON_MCP_HTTP (transport);
  g_autofree char *id = g_strdup_printf ("%" G_GUINT64_FORMAT, ++self->last_id);
  g_autoptr (BeckonRpcMessage) message = beckon_rpc_message_new_request (id, exchange->method, exchange->params);
  g_autofree char *text = beckon_rpc_message_print (message);
  BeckonMcpPost *post = mcp_post_new (self, text);

  post->task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (post->task, call_async);
  post->id = g_steal_pointer (&id);
  post->method = g_strdup (exchange->method);
  post->name = g_strdup (exchange->name);
  post->headers = g_strdupv ((char **) exchange->headers);
  post->is_initialize = g_str_equal (exchange->method, "initialize");
  if (cancellable != NULL)
    {
      post->cancelled = g_cancellable_source_new (cancellable);
      g_source_set_callback (post->cancelled, G_SOURCE_FUNC (mcp_http_on_cancelled), post, NULL);
      g_source_attach (post->cancelled, NULL);
    }
  mcp_post_begin (post);
}

static BeckonRpcMessage *
call_finish (BeckonMcpTransport *transport, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
send_alone (BeckonMcpHttp *self, const BeckonRpcMessage *message, gboolean is_answer)
{
  g_autofree char *text = beckon_rpc_message_print (message);
  BeckonMcpPost *post = mcp_post_new (self, text);

  post->method = g_strdup (message->method);
  post->is_answer = is_answer;
  if (is_answer)
    self->n_answers++;
  mcp_post_begin (post);
}

static gboolean
notify (BeckonMcpTransport *transport, const char *method, const char *params, GError **error)
{
  BeckonMcpHttp *self = BECKON_MCP_HTTP (transport);
  g_autoptr (BeckonRpcMessage) message = beckon_rpc_message_new_notification (method, params);

  send_alone (self, message, FALSE);
  if (g_str_equal (method, "notifications/initialized"))
    {
      /* A stream for what a server of an older revision says by itself; not every one has it. */
      if (!self->is_listening)
        {
          self->is_listening = TRUE;
          mcp_post_begin (mcp_post_new (self, NULL));
        }
    }
  return TRUE;
}

static void
mcp_http_answer (BeckonMcpTransport *transport, BeckonRpcMessage *response)
{
  BeckonMcpHttp *self = BECKON_MCP_HTTP (transport);
  g_autoptr (BeckonRpcMessage) message = response;

  send_alone (self, message, TRUE);
}

static void
set_revision (BeckonMcpTransport *transport, const char *revision)
{
  BeckonMcpHttp *self = BECKON_MCP_HTTP (transport);

  g_free (self->revision);
  self->revision = g_strdup (revision);
}

typedef struct
{
  GCancellable *inner;
  GSource *cancelled; /* (nullable) */
  guint patience;
} Deletion;

static void
deletion_free (Deletion *deletion)
{
  g_object_unref (deletion->inner);
  g_free (deletion);
}

static void
on_deleted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GInputStream) stream = soup_session_send_finish (SOUP_SESSION (source), result, NULL);
  BeckonMcpHttp *self = g_task_get_source_object (task);
  Deletion *deletion = g_task_get_task_data (task);

  beckon_clock_remove (self->clock, deletion->patience);
  if (deletion->cancelled != NULL)
    g_source_destroy (deletion->cancelled);
  g_clear_pointer (&deletion->cancelled, g_source_unref);
  g_task_return_boolean (task, TRUE);
}

static gboolean
on_deletion_cancelled (GCancellable *cancellable, gpointer user_data)
{
  g_cancellable_cancel (((Deletion *) g_task_get_task_data (user_data))->inner);
  return G_SOURCE_REMOVE;
}

static gboolean
on_deletion_late (gpointer user_data)
{
  Deletion *deletion = g_task_get_task_data (user_data);

  deletion->patience = 0;
  g_cancellable_cancel (deletion->inner);
  return G_SOURCE_REMOVE;
}

/* A courtesy: nothing waits long for it. @task: (transfer full) */
static void
delete_session (BeckonMcpHttp *self, GTask *task, SoupMessage *message)
{
  Deletion *deletion = g_new0 (Deletion, 1);
  GCancellable *cancellable = g_task_get_cancellable (task);

  deletion->inner = g_cancellable_new ();
  g_task_set_task_data (task, deletion, (GDestroyNotify) deletion_free);
  deletion->patience = beckon_clock_add_timeout (self->clock, DELETE_MS, on_deletion_late, task);
  if (cancellable != NULL)
    {
      deletion->cancelled = g_cancellable_source_new (cancellable);
      g_task_attach_source (task, deletion->cancelled, G_SOURCE_FUNC (on_deletion_cancelled));
    }
  soup_session_send_async (self->session, message, G_PRIORITY_DEFAULT, deletion->inner, on_deleted, task);
}

/* A session is ended by name. */
static void
close_async (BeckonMcpTransport *transport, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  BeckonMcpHttp *self = BECKON_MCP_HTTP (transport);
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);
  g_autofree char *session = g_steal_pointer (&self->session_id);
  g_autoptr (SoupMessage) message = NULL;

  g_task_set_source_tag (task, close_async);
  self->is_open = FALSE;
  while (self->posts->len > 0)
    mcp_post_end (g_ptr_array_index (self->posts, self->posts->len - 1), NULL,
                  g_error_new_literal (BECKON_RPC_ERROR, BECKON_RPC_ERROR_CLOSED, _("The server is not running.")));
  if (session == NULL)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  message = soup_message_new_from_uri ("DELETE", self->uri);
  soup_message_headers_replace (soup_message_get_request_headers (message), "Mcp-Session-Id", session);
  if (self->revision != NULL)
    soup_message_headers_replace (soup_message_get_request_headers (message), "MCP-Protocol-Version", self->revision);
  add_token (self->token, message);
  add_own_headers (self, soup_message_get_request_headers (message));
  soup_message_add_flags (message, SOUP_MESSAGE_NO_REDIRECT);
  delete_session (self, g_steal_pointer (&task), message);
}

static gboolean
close_finish (BeckonMcpTransport *transport, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static char *
dup_log (BeckonMcpTransport *transport)
{
  return beckon_mcp_log_dup_text (BECKON_MCP_HTTP (transport)->log);
}

static BeckonMask *
get_mask (BeckonMcpTransport *transport)
{
  return BECKON_MCP_HTTP (transport)->mask;
}

static void
beckon_mcp_http_transport_init (BeckonMcpTransportInterface *iface)
{
  iface->set_peer = set_peer;
  iface->open_async = open_async;
  iface->open_finish = open_finish;
  iface->call_async = call_async;
  iface->call_finish = call_finish;
  iface->notify = notify;
  iface->answer = mcp_http_answer;
  iface->set_revision = set_revision;
  iface->close_async = close_async;
  iface->close_finish = close_finish;
  iface->dup_log = dup_log;
  iface->get_mask = get_mask;
}

static void
beckon_mcp_http_finalize (GObject *object)
{
  BeckonMcpHttp *self = BECKON_MCP_HTTP (object);

  beckon_mcp_server_unref (self->server);
  g_clear_pointer (&self->secrets, g_hash_table_unref);
  g_clear_pointer (&self->mask, beckon_mask_unref);
  g_object_unref (self->clock);
  beckon_mcp_log_unref (self->log);
  g_object_unref (self->session);
  g_clear_object (&self->oauth);
  beckon_wipe (self->token);
  g_uri_unref (self->uri);
  g_clear_pointer (&self->endpoint, g_uri_unref);
  g_free (self->host);
  g_free (self->revision);
  g_free (self->session_id);
  g_ptr_array_unref (self->posts);

  G_OBJECT_CLASS (beckon_mcp_http_parent_class)->finalize (object);
}

static void
beckon_mcp_http_class_init (BeckonMcpHttpClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_mcp_http_finalize;
}

static void
beckon_mcp_http_init (BeckonMcpHttp *self)
{
  self->log = beckon_mcp_log_new ();
  self->posts = g_ptr_array_new ();
  self->session = beckon_http_exchange_make_session (MAX_PER_HOST);
}

BeckonMcpTransport *
beckon_mcp_http_new (BeckonMcpServer *server, GHashTable *secrets, BeckonClock *clock)
{
  BeckonMcpHttp *self;
  g_autoptr (GUri) uri = NULL;

  g_return_val_if_fail (server != NULL && server->kind == BECKON_MCP_KIND_HTTP && server->address != NULL, NULL);
  g_return_val_if_fail (BECKON_IS_CLOCK (clock), NULL);

  uri = g_uri_parse (server->address, SOUP_HTTP_URI_FLAGS, NULL);
  g_return_val_if_fail (uri != NULL, NULL);

  self = g_object_new (BECKON_TYPE_MCP_HTTP, NULL);
  self->server = beckon_mcp_server_ref (server);
  self->secrets = secrets != NULL ? g_hash_table_ref (secrets) : NULL;
  make_mask (self);
  self->clock = g_object_ref (clock);
  self->uri = g_steal_pointer (&uri);
  self->host = beckon_http_dup_host (self->uri);
  return BECKON_MCP_TRANSPORT (self);
}

static gboolean
has_authorization (const BeckonMcpServer *server)
{
  for (guint i = 0; i < server->headers->len; i++)
    if (g_ascii_strcasecmp (((const BeckonMcpVariable *) g_ptr_array_index (server->headers, i))->name, "Authorization") == 0)
      return TRUE;
  return FALSE;
}

void
beckon_mcp_http_set_oauth (BeckonMcpHttp *self, BeckonOauth *oauth)
{
  g_return_if_fail (BECKON_IS_MCP_HTTP (self));
  g_return_if_fail (!self->is_open);

  if (!has_authorization (self->server))
    g_set_object (&self->oauth, oauth);
}

/*
 * Messages of a request of HTTP: one that is long is parsed in a thread, and what is behind it, the end of the response too,
 * waits for it.
 */

static void
forget_outcome (BeckonMcpPost *post)
{
  g_clear_error ((GError **) &post->outcome.error);
  post->has_ended = FALSE;
}

/* Frees what waits for a long message. */
static void
mcp_post_forget_held (BeckonMcpPost *post)
{
  g_queue_clear_full (&post->held, (GDestroyNotify) g_bytes_unref);
  forget_outcome (post);
}

/* A message that is parsed in a thread. */
typedef struct
{
  BeckonMcpPost *post; /* (owned): given back on the main thread */
  char *text;
  gsize length;
  BeckonRpcMessage *message; /* (nullable) */
  GError *error;             /* (nullable) */
} Parsing;

static void
parsing_free (gpointer data)
{
  Parsing *parsing = data;

  g_free (parsing->text);
  beckon_rpc_message_free (parsing->message);
  g_clear_error (&parsing->error);
  g_free (parsing);
}

static void
mcp_http_long_parse (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Parsing *parsing = task_data;

  parsing->message = beckon_rpc_message_parse (parsing->text, parsing->length, NULL, &parsing->error);
  g_task_return_boolean (task, TRUE);
}

static void
on_parsed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Parsing *parsing = g_task_get_task_data (G_TASK (result));
  BeckonMcpPost *post = g_steal_pointer (&parsing->post);

  post->is_parsing = FALSE;
  if (!post->is_over)
    mcp_post_take (post, g_steal_pointer (&parsing->message), parsing->error);
  while (!post->is_over && !post->is_parsing && !g_queue_is_empty (&post->held))
    {
      g_autoptr (GBytes) held = g_queue_pop_head (&post->held);

      post->n_held -= g_bytes_get_size (held);
      mcp_post_hear (post, g_bytes_get_data (held, NULL), g_bytes_get_size (held));
    }
  if (!post->is_over && !post->is_parsing && post->has_ended)
    {
      BeckonHttpOutcome outcome = post->outcome;
      g_autoptr (GError) error = (GError *) g_steal_pointer (&post->outcome.error);

      post->has_ended = FALSE;
      mcp_post_on_end (&outcome, post);
    }
  mcp_post_unref (post);
}

static void
parse_later (BeckonMcpPost *post, const char *text, gsize length)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, on_parsed, NULL);
  Parsing *parsing = g_new0 (Parsing, 1);

  post->n_refs++;
  post->is_parsing = TRUE;
  parsing->post = post;
  parsing->text = g_memdup2 (text, length);
  parsing->length = length;
  g_task_set_source_tag (task, parse_later);
  g_task_set_priority (task, BECKON_PRIORITY_SHARED);
  g_task_set_task_data (task, parsing, parsing_free);
  beckon_worker_run_for_person (task, mcp_http_long_parse);
}

/* Messages of a stream keep their order. */
static void
mcp_post_hear (BeckonMcpPost *post, const char *text, gsize length)
{
  if (post->is_parsing && post->n_held + length > BECKON_MCP_MAX_BODY)
    {
      mcp_post_end_long (post);
    }
  else if (post->is_parsing)
    {
      g_queue_push_tail (&post->held, g_bytes_new (text, length));
      post->n_held += length;
    }
  else if (length > BECKON_MCP_LONG_MESSAGE)
    {
      parse_later (post, text, length);
    }
  else
    {
      g_autoptr (GError) error = NULL;
      BeckonRpcMessage *message = beckon_rpc_message_parse (text, length, NULL, &error);

      mcp_post_take (post, message, error);
    }
}

/* A response that came whole is read before its end counts. */
static void
mcp_post_keep_outcome (BeckonMcpPost *post, const BeckonHttpOutcome *outcome)
{
  forget_outcome (post);
  post->outcome = *outcome;
  post->outcome.error = outcome->error != NULL ? g_error_copy (outcome->error) : NULL;
  post->has_ended = TRUE;
}
