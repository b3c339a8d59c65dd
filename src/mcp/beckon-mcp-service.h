/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-mcp-server.h"
#include "library/beckon-argument-overrides.h"
#include "library/beckon-followed-list.h"
#include "library/beckon-rules.h"
#include "mcp/beckon-mcp-client.h"
#include "oauth/beckon-oauth.h"
#include "settings/beckon-secrets.h"
#include "store/db/beckon-store.h"
#include "tools/beckon-tool-registry.h"

G_BEGIN_DECLS

#define BECKON_TYPE_MCP_SERVICE (beckon_mcp_service_get_type ())
G_DECLARE_FINAL_TYPE (BeckonMcpService, beckon_mcp_service, BECKON, MCP_SERVICE, GObject)

/**
 * BeckonMcpServiceState:
 * @BECKON_MCP_SERVICE_OFF: switched off
 * @BECKON_MCP_SERVICE_IDLE: not running; starts when a tool is called
 * @BECKON_MCP_SERVICE_STARTING: being started
 * @BECKON_MCP_SERVICE_RUNNING: ready
 * @BECKON_MCP_SERVICE_FAILED: could not be started, or ended by itself; tried again when it is needed
 */
typedef enum
{
  BECKON_MCP_SERVICE_OFF,
  BECKON_MCP_SERVICE_IDLE,
  BECKON_MCP_SERVICE_STARTING,
  BECKON_MCP_SERVICE_RUNNING,
  BECKON_MCP_SERVICE_FAILED,
} BeckonMcpServiceState;

/**
 * BeckonMcpServiceParts:
 * @rules: (nullable): the person's rules; %NULL for none
 * @overrides: (nullable): the person's overrides; %NULL for none
 * @list: what is stored of all servers; set by #BeckonMcpServers
 *
 * What services stand on.
 */
typedef struct
{
  BeckonStore *store;
  BeckonSecrets *secrets;
  BeckonToolRegistry *registry;
  BeckonClock *clock;
  BeckonRules *rules;
  BeckonArgumentOverrides *overrides;
  BeckonFollowedList *list;
} BeckonMcpServiceParts;

/**
 * BeckonMcpService:
 *
 * A server that was set up, with its process or connection and its tools in the registry, whether it runs or not. Signal
 * `changed`: its state, error, tools or settings are others. Main thread.
 */

/** @parts: copied; its objects are referenced. */
BeckonMcpService *beckon_mcp_service_new (BeckonMcpServer *server,
                                          const BeckonMcpServiceParts *parts) G_GNUC_WARN_UNUSED_RESULT;

/** Reads what is known from its last use, and puts its tools into the registry. */
void     beckon_mcp_service_load_async (BeckonMcpService *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                                        gpointer user_data);
gboolean beckon_mcp_service_load_finish (BeckonMcpService *self, GAsyncResult *result, GError **error);

/** Takes changed settings. What is started or reached in another way ends. */
void beckon_mcp_service_set_server (BeckonMcpService *self, BeckonMcpServer *server);

/** Ends it; it starts again when it is needed. For what it does not see by itself, such as another value of a secret. */
void beckon_mcp_service_stop (BeckonMcpService *self);

BeckonMcpServer      *beckon_mcp_service_get_server (BeckonMcpService *self);
BeckonMcpServiceState beckon_mcp_service_get_state (BeckonMcpService *self);

/** (nullable): why it failed last, in words to be shown; while it starts, too. Borrowed. */
const char *beckon_mcp_service_get_error (BeckonMcpService *self);

/** When the program that runs now was started, microseconds since the epoch; 0 for none, or a server at an address. */
gint64 beckon_mcp_service_get_started_at (BeckonMcpService *self);

/** The state in words, in the person's language. Caller frees. */
char *beckon_mcp_service_dup_state_words (BeckonMcpService *self) G_GNUC_WARN_UNUSED_RESULT;

/** (element-type BeckonMcpToolInfo): all it listed last, those that are switched off, too. Borrowed. */
GPtrArray *beckon_mcp_service_get_infos (BeckonMcpService *self);

/** (nullable): the tools it listed last that can't be used, see beckon_mcp_client_get_left_out(). Borrowed. */
const char *beckon_mcp_service_get_left_out (BeckonMcpService *self);

/** (element-type BeckonMcpPrompt): those it listed last. Borrowed. */
GPtrArray *beckon_mcp_service_get_prompts (BeckonMcpService *self);

/** (element-type BeckonMcpResource): those it listed last, templates too. Borrowed. */
GPtrArray *beckon_mcp_service_get_resources (BeckonMcpService *self);

/** The name that a model calls the tool by. Caller frees. */
char *beckon_mcp_service_dup_tool_name (BeckonMcpService *self, const BeckonMcpToolInfo *info) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_mcp_service_get_previous:
 * @self: a service
 * @name: a tool, as the server calls it
 *
 * Returns: (nullable): the definition that a rule or an override of the person's was about, where the server changed it since
 *   and the person has not accepted that. Borrowed
 */
BeckonMcpToolInfo *beckon_mcp_service_get_previous (BeckonMcpService *self, const char *name);

/** The person has seen the change of a tool's definition, and lets it be used. */
void beckon_mcp_service_accept (BeckonMcpService *self, BeckonMcpToolInfo *info);

/**
 * beckon_mcp_service_review_async:
 * @self: a service
 * @callback: called when it is known
 * @user_data: for @callback
 *
 * Looks whether the program that would be started is what the person approved; one that runs is.
 */
void beckon_mcp_service_review_async (BeckonMcpService *self, GAsyncReadyCallback callback, gpointer user_data);

/** (transfer full) (nullable): as beckon_mcp_program_find_change(). */
char *beckon_mcp_service_review_finish (BeckonMcpService *self, GAsyncResult *result, char **stamps) G_GNUC_WARN_UNUSED_RESULT;

/** The person has seen how the program changed, and lets it be started as @stamps say that it is. */
void     beckon_mcp_service_approve_async (BeckonMcpService *self, const char *stamps, GAsyncReadyCallback callback,
                                           gpointer user_data);
gboolean beckon_mcp_service_approve_finish (BeckonMcpService *self, GAsyncResult *result, GError **error);

/** The server's words beside the protocol, now or in its last use; untrusted. Caller frees. */
char *beckon_mcp_service_dup_log (BeckonMcpService *self) G_GNUC_WARN_UNUSED_RESULT;

/** (nullable): what the server says of itself, while it runs. Borrowed. */
const BeckonMcpHello *beckon_mcp_service_get_hello (BeckonMcpService *self);

/**
 * beckon_mcp_service_open_async:
 * @self: a service
 * @is_test: start it though it failed a moment ago, or is switched off, and read its tools again
 * @cancellable: (nullable): ends the wait, not the start
 * @callback: called when it is ready, or can't be
 * @user_data: for @callback
 *
 * Starts it if it doesn't run. After a failure it is not tried again for a while that grows.
 */
void     beckon_mcp_service_open_async (BeckonMcpService *self, gboolean is_test, GCancellable *cancellable,
                                        GAsyncReadyCallback callback, gpointer user_data);
gboolean beckon_mcp_service_open_finish (BeckonMcpService *self, GAsyncResult *result, GError **error);

/** Whether it has ever listed its tools as it is set up now. */
gboolean beckon_mcp_service_has_listed (BeckonMcpService *self);

/** Whether it failed because the person has to sign in. */
gboolean beckon_mcp_service_needs_sign_in (BeckonMcpService *self);

/** The sign-in of a server at an address; %NULL for a program on this computer. After signing in it is tested. Borrowed. */
BeckonOauth *beckon_mcp_service_get_oauth (BeckonMcpService *self);

/** Calls a tool, and starts the server first if it doesn't run. As beckon_mcp_client_call_async(). */
void             beckon_mcp_service_call_async (BeckonMcpService *self, const BeckonMcpToolCall *call,
                                                GCancellable *cancellable, GAsyncReadyCallback callback,
                                                gpointer user_data);
BeckonMcpResult *beckon_mcp_service_call_finish (BeckonMcpService *self, GAsyncResult *result,
                                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_mcp_service_get_prompt_async:
 * @self: a service
 * @name: one of its prompts
 * @values: (nullable) (element-type utf8 utf8): see beckon_mcp_prompt_read_values()
 * @cancellable: (nullable)
 * @callback: called when the text is there
 * @user_data: for @callback
 *
 * Has a prompt filled in, and starts the server first if it doesn't run.
 */
void beckon_mcp_service_get_prompt_async (BeckonMcpService *self, const char *name, GHashTable *values,
                                          GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);

/** (transfer full): the text; %NULL with words to be shown. */
char *beckon_mcp_service_get_prompt_finish (BeckonMcpService *self, GAsyncResult *result,
                                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** Reads a resource, and starts the server first if it doesn't run. @uri: see beckon_mcp_resource_is_uri() */
void beckon_mcp_service_read_resource_async (BeckonMcpService *self, const char *uri, GCancellable *cancellable,
                                             GAsyncReadyCallback callback, gpointer user_data);

/** (transfer full) (element-type BeckonMcpContent): %NULL with words to be shown. */
GPtrArray *beckon_mcp_service_read_resource_finish (BeckonMcpService *self, GAsyncResult *result,
                                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** Values that the server proposes, as beckon_mcp_client_complete_async(); it is started first. @completion: copied. */
void beckon_mcp_service_complete_async (BeckonMcpService *self, const BeckonMcpCompletion *completion,
                                        GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);

/** (transfer full) (array zero-terminated=1): %NULL with words to be shown. */
char **beckon_mcp_service_complete_finish (BeckonMcpService *self, GAsyncResult *result,
                                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** Takes its tools out of the registry and ends it. @cancellable: (nullable): ends it at once */
void     beckon_mcp_service_close_async (BeckonMcpService *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                                         gpointer user_data);
gboolean beckon_mcp_service_close_finish (BeckonMcpService *self, GAsyncResult *result, GError **error);

/** The place that a server's secrets are kept for: its address, or that it is a program. Borrowed. */
const char *beckon_mcp_service_get_key_place (const BeckonMcpServer *server);

/** The id of a server's secret in the keyring. Caller frees. */
char *beckon_mcp_service_make_secret_id (const char *server_id, const char *variable) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
