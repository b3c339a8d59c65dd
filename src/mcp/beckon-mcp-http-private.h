/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-mcp-http.h"

#include "beckon-mcp-log.h"
#include "net/beckon-http-exchange.h"
#include "net/beckon-sse-parser.h"

G_BEGIN_DECLS

/* The files of the transport share this: requests of HTTP (beckon-mcp-http.c), their long messages (beckon-mcp-http-long.c),
 * and servers of 2024-11-05 (beckon-mcp-http-legacy.c). */

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

/** @body: (nullable): a message; %NULL for a GET. Belongs to the transport until it ends. */
BeckonMcpPost *beckon_mcp_post_new (BeckonMcpHttp *self, const char *body);

/** Sends it with a token, if there is one; as it is. */
void beckon_mcp_post_begin (BeckonMcpPost *post);
void beckon_mcp_post_send (BeckonMcpPost *post);

/** Ends it. @message, @error: (transfer full) (nullable): for a call. */
void beckon_mcp_post_end (BeckonMcpPost *post, BeckonRpcMessage *message, GError *error);

/** Gives back a reference of those that are taken with `n_refs`. */
void beckon_mcp_post_unref (BeckonMcpPost *post);

/** Takes a message of its response, at once or, where it or one before it is long, later. */
void beckon_mcp_post_hear (BeckonMcpPost *post, const char *text, gsize length);

/** Gives the response to the call; %TRUE if it was one. @message: (transfer full) (nullable): %NULL with @error */
gboolean beckon_mcp_post_take (BeckonMcpPost *post, BeckonRpcMessage *message, const GError *error);

/** Ends it because too much came. */
void beckon_mcp_post_end_long (BeckonMcpPost *post);

/** The response has ended, and beckon_mcp_post_on_end() is told once its long messages were read. */
void beckon_mcp_post_keep_outcome (BeckonMcpPost *post, const BeckonHttpOutcome *outcome);
void beckon_mcp_post_on_end (const BeckonHttpOutcome *outcome, gpointer user_data);

/** Frees what waits for a long message. */
void beckon_mcp_post_forget_held (BeckonMcpPost *post);

/** (transfer full): what its status says. */
BeckonRpcMessage *beckon_mcp_post_make_refusal (BeckonMcpPost *post) G_GNUC_WARN_UNUSED_RESULT;

/** Whether a refused request may be one of a server of 2024-11-05; opens its stream and waits. */
gboolean beckon_mcp_legacy_may_try (const BeckonMcpPost *post);
void     beckon_mcp_legacy_begin (BeckonMcpPost *post);

/** Takes what is no message; %FALSE if it is one. */
gboolean beckon_mcp_legacy_take_event (BeckonMcpPost *stream, const BeckonSseEvent *event);

/** (nullable): the call that a message of the stream answers. */
BeckonMcpPost *beckon_mcp_legacy_find (BeckonMcpHttp *self, const char *id);

/** The message was taken; an answer comes by the stream. */
void beckon_mcp_legacy_wait (BeckonMcpPost *post);

/** The stream has ended. */
void beckon_mcp_legacy_lose (BeckonMcpPost *stream);

/** A request ends. */
void beckon_mcp_legacy_forget (BeckonMcpPost *post);

G_END_DECLS
