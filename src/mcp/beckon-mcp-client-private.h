/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-mcp-client.h"

G_BEGIN_DECLS

/* The files of the client share this: opening (beckon-mcp-client.c), lists (beckon-mcp-list.c), calls and what a server asks
 * while one of them runs (beckon-mcp-call.c). */

struct _BeckonMcpClient
{
  GObject parent_instance;

  char *name;
  BeckonMcpTransport *transport;
  BeckonClock *clock;
  BeckonMcpClientLimits limits;
  BeckonMcpHello hello;
  gboolean is_open;
  gboolean is_modern;
  gpointer opening; /* (nullable) */
  gboolean is_closing;
  guint joining; /* until `tools-changed` */
  GCancellable *listening;
  gint64 listening_since;
  guint pause;    /* until it is listened to again */
  guint n_pauses; /* since a stream that lasted */
  gint64 last_token;
  char *left_out;   /* (nullable): of its list of tools */
  GPtrArray *calls; /* (element-type BeckonMcpCall): in progress, the newest last; borrowed */
  guint n_asking;   /* how many forms a person has now */
};

/** @message: an error of the server's. @for_person: in the person's language, for the page; English for the model. */
GError *beckon_mcp_client_make_error (BeckonMcpClient *self, const BeckonRpcMessage *message, gboolean for_person);

/** Whether a request failed because all of the transport did: `ended` is told then, with more words. A request of HTTP fails
 *  alone. */
gboolean beckon_mcp_client_is_told_of (BeckonMcpClient *self, const GError *error);

typedef struct _BeckonMcpCall BeckonMcpCall;

/** The server says something about a call. */
void beckon_mcp_call_progress (BeckonMcpClient *self, const char *json);

/** %TRUE if a call took the request of the server's. */
gboolean beckon_mcp_call_serve (BeckonMcpClient *self, const BeckonRpcMessage *message, gconstpointer asker);

/** The server takes back what it asked. @json: params of `notifications/cancelled` */
void beckon_mcp_call_take_back (BeckonMcpClient *self, const char *json);

/** The person has done what an address was for. @json: params of `notifications/elicitation/complete` */
void beckon_mcp_call_complete (BeckonMcpClient *self, const char *json);

/** Ends the calls that the end of the server's process took with it. @status: its exit status; -1 where it isn't known */
void beckon_mcp_call_lose_all (BeckonMcpClient *self, int status);

/** (nullable): the folder of all calls in progress; %NULL if they differ: an older server does not say for which it asks. */
const char *beckon_mcp_call_get_folder (BeckonMcpClient *self);

G_END_DECLS
