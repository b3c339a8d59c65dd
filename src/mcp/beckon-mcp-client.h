/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-clock.h"
#include "mcp/beckon-mcp-codec.h"
#include "mcp/beckon-mcp-prompt.h"
#include "mcp/beckon-mcp-resource.h"
#include "mcp/beckon-mcp-result.h"
#include "mcp/beckon-mcp-tool-info.h"
#include "mcp/beckon-mcp-transport.h"

G_BEGIN_DECLS

/** Most values that are offered, and the characters of one. */
#define BECKON_MCP_COMPLETIONS_MAX 20
#define BECKON_MCP_COMPLETION_TEXT_MAX 200

/**
 * BeckonMcpCompletion:
 * @is_template: @name is the pattern of a resource's addresses, not the name of a prompt
 * @name: the prompt or pattern
 * @argument: the name of one of its arguments or variables
 * @typed: what stands there
 * @values: (nullable) (element-type utf8 utf8): of the others
 *
 * Which values are wanted; static.
 */
typedef struct
{
  gboolean is_template;
  const char *name;
  const char *argument;
  const char *typed;
  GHashTable *values;
} BeckonMcpCompletion;

#define BECKON_TYPE_MCP_CLIENT (beckon_mcp_client_get_type ())
G_DECLARE_FINAL_TYPE (BeckonMcpClient, beckon_mcp_client, BECKON, MCP_CLIENT, GObject)

/**
 * BeckonMcpClient:
 *
 * A server's tools, spoken to in revision 2026-07-28 or in the older ones with a session. Signals: `tools-changed`, a moment
 * after the server said that its tools, prompts or resources are others, once for several; `ended` (GError), when it is no
 * longer open without having been closed, after which it may be opened again. Main thread.
 */

/**
 * BeckonMcpClientLimits:
 * @probe_ms: how long a server may be silent until it counts as one of an older revision
 * @open_ms: how long the opening may take; a server that has to be fetched first may take %BECKON_MCP_CLIENT_FETCH_MS
 * @page_ms: how long a page of a list may take
 * @call_ms: how long a call may go without a sign of life, not counting what a person takes to answer
 * @call_max_ms: how long it may take in all, likewise
 * @link_ms: how long the server may take to say that an address was dealt with, before the call is sent again
 */
typedef struct
{
  guint probe_ms;
  guint open_ms;
  guint page_ms;
  guint call_ms;
  guint call_max_ms;
  guint link_ms;
} BeckonMcpClientLimits;

#define BECKON_MCP_CLIENT_FETCH_MS 120000
#define BECKON_MCP_CLIENT_LIMITS_INIT { 3000, 20000, 30000, 300000, 3600000, 60000 }

/** @name: the server's, for errors. @limits: (nullable): %NULL for the default. Takes no reference on @limits. */
BeckonMcpClient *beckon_mcp_client_new (const char *name, BeckonMcpTransport *transport, BeckonClock *clock,
                                        const BeckonMcpClientLimits *limits) G_GNUC_WARN_UNUSED_RESULT;

/** Opens the transport and agrees on a revision. Not while it is open or opening. */
void     beckon_mcp_client_open_async (BeckonMcpClient *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                                       gpointer user_data);
gboolean beckon_mcp_client_open_finish (BeckonMcpClient *self, GAsyncResult *result, GError **error);

/** The server's word of itself; empty until it is open. Borrowed. */
const BeckonMcpHello *beckon_mcp_client_get_hello (BeckonMcpClient *self);
gboolean              beckon_mcp_client_is_open (BeckonMcpClient *self);
BeckonMcpTransport   *beckon_mcp_client_get_transport (BeckonMcpClient *self);

/** Reads all pages of the server's tools, bounded. What can't be used is left out, see beckon_mcp_client_get_left_out(). */
void       beckon_mcp_client_list_tools_async (BeckonMcpClient *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                                               gpointer user_data);

/** (transfer full) (element-type BeckonMcpToolInfo) */
GPtrArray *beckon_mcp_client_list_tools_finish (BeckonMcpClient *self, GAsyncResult *result,
                                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** (nullable): the tools of the last list that can't be used, each with the reason in a line of its own, in words to be shown;
 *  %NULL if there were none. Borrowed. */
const char *beckon_mcp_client_get_left_out (BeckonMcpClient *self);

/** Reads all pages of the server's prompts, bounded; none where it has none. Errors are in words to be shown. */
void       beckon_mcp_client_list_prompts_async (BeckonMcpClient *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                                                 gpointer user_data);

/** (transfer full) (element-type BeckonMcpPrompt) */
GPtrArray *beckon_mcp_client_list_prompts_finish (BeckonMcpClient *self, GAsyncResult *result,
                                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** Fills in a prompt. @values: (element-type utf8 utf8): by the names of its arguments. Errors are in words to be shown. */
void  beckon_mcp_client_get_prompt_async (BeckonMcpClient *self, const char *name, GHashTable *values,
                                          GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);

/** (transfer full): see beckon_mcp_prompt_read_text(). */
char *beckon_mcp_client_get_prompt_finish (BeckonMcpClient *self, GAsyncResult *result,
                                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** Reads all pages of the server's resources, or of its templates, bounded; none where it has none. Errors are in words to be
 *  shown. */
void beckon_mcp_client_list_resources_async (BeckonMcpClient *self, gboolean are_templates, GCancellable *cancellable,
                                             GAsyncReadyCallback callback, gpointer user_data);

/** (transfer full) (element-type BeckonMcpResource) */
GPtrArray *beckon_mcp_client_list_resources_finish (BeckonMcpClient *self, GAsyncResult *result,
                                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** Reads a resource. Errors are in words to be shown. */
void beckon_mcp_client_read_resource_async (BeckonMcpClient *self, const char *uri, GCancellable *cancellable,
                                            GAsyncReadyCallback callback, gpointer user_data);

/** (transfer full) (element-type BeckonMcpContent) */
GPtrArray *beckon_mcp_client_read_resource_finish (BeckonMcpClient *self, GAsyncResult *result,
                                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** Asks for values of an argument of a prompt, or of a variable of a template. None where the server proposes none. */
void beckon_mcp_client_complete_async (BeckonMcpClient *self, const BeckonMcpCompletion *completion,
                                       GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);

/** (transfer full) (array zero-terminated=1) */
char **beckon_mcp_client_complete_finish (BeckonMcpClient *self, GAsyncResult *result,
                                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * BeckonMcpCallHandler:
 * @progress: (nullable): one line to be shown
 * @elicit: (nullable): asks the person, once for each form: @params is what the server sent, @key its name in the call's
 *   inputs (%NULL in older revisions), @resumption from what the call could be sent again (%NULL where it can't); @callback
 *   gets a #GTask with an ElicitResult as JSON text, or %BECKON_ERROR_INVALID, English, for what can't be asked at all,
 *   or %BECKON_ERROR_STORE, English, for an answer that can't be had, which ends the call
 * @hand_over: (nullable): notes that the answers to the forms that were asked with @resumption leave now; @callback gets a
 *   #GTask with a boolean, or an error, English, and then they don't leave
 * @completed: (nullable): the server says that the person has done what an address was for; @id is as the server wrote it
 *
 * Whom a call in progress speaks to; static. All is called on the main thread, until the call has ended.
 */
typedef struct
{
  void (*progress) (const char *text, gpointer data);
  void (*elicit) (const char *params, const char *key, const char *resumption, GCancellable *cancellable,
                  GAsyncReadyCallback callback, gpointer user_data, gpointer data);
  void (*hand_over) (const char *resumption, GAsyncReadyCallback callback, gpointer user_data, gpointer data);
  void (*completed) (const char *id, gpointer data);
} BeckonMcpCallHandler;

/**
 * BeckonMcpToolCall:
 * @tool: which one
 * @arguments: a JSON object
 * @headers: (nullable) (array zero-terminated=1): see #BeckonMcpExchange
 * @folder: (nullable): the working folder, which a server may ask for
 * @resumption: (nullable): what @elicit was given in a process that is gone: the call goes on there
 * @handler: (nullable): whom it speaks to
 * @data: for @handler
 *
 * A call. All but @handler and @data is borrowed for the time of the call of the function.
 */
typedef struct
{
  BeckonMcpToolInfo *tool;
  const char *arguments;
  const char *const *headers;
  const char *folder;
  const char *resumption;
  const BeckonMcpCallHandler *handler;
  gpointer data;
} BeckonMcpToolCall;

void             beckon_mcp_client_call_async (BeckonMcpClient *self, const BeckonMcpToolCall *call, GCancellable *cancellable,
                                               GAsyncReadyCallback callback, gpointer user_data);

/** (transfer full): errors are English, for the model. */
BeckonMcpResult *beckon_mcp_client_call_finish (BeckonMcpClient *self, GAsyncResult *result,
                                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** Closes it in order. Calls end with an error. */
void     beckon_mcp_client_close_async (BeckonMcpClient *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                                        gpointer user_data);
gboolean beckon_mcp_client_close_finish (BeckonMcpClient *self, GAsyncResult *result, GError **error);

/** (transfer full): members of the params of `completion/complete`, as JSON. */
char *beckon_mcp_completion_make_members (const BeckonMcpCompletion *completion) G_GNUC_WARN_UNUSED_RESULT;

/** (transfer full) (nullable): the values in a result of `completion/complete`, a few of them; %NULL if it is none. Those that
 *  would not be seen as they are, are left out. */
char **beckon_mcp_completion_read (const char *json) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
