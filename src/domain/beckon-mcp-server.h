/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-login.h"
#include <glib.h>

G_BEGIN_DECLS

/** The most characters of a server's name. */
#define BECKON_MCP_SERVER_NAME_MAX 64

typedef enum
{
  BECKON_MCP_KIND_STDIO,
  BECKON_MCP_KIND_HTTP,
} BeckonMcpTransportKind;

/**
 * BeckonMcpValueSource:
 * @BECKON_MCP_VALUE_PLAIN: stored with the server
 * @BECKON_MCP_VALUE_INHERITED: the variable of the same name of this program
 * @BECKON_MCP_VALUE_SECRET: kept in the keyring
 *
 * The source of an environment variable's or header's value.
 */
typedef enum
{
  BECKON_MCP_VALUE_PLAIN,
  BECKON_MCP_VALUE_INHERITED,
  BECKON_MCP_VALUE_SECRET,
} BeckonMcpValueSource;

/**
 * BeckonMcpVariable:
 * @name: an environment variable's or header's name
 * @value: (nullable): of a plain one; of a secret one only between entering and storing it, never in the store
 * @source: where the value comes from
 */
typedef struct
{
  char *name;
  char *value;
  BeckonMcpValueSource source;
} BeckonMcpVariable;

BeckonMcpVariable *beckon_mcp_variable_new (const char *name, const char *value,
                                            BeckonMcpValueSource source) G_GNUC_WARN_UNUSED_RESULT;
void               beckon_mcp_variable_free (BeckonMcpVariable *variable);

/** Whether a variable of this name usually holds a key or password, so that its value belongs into the keyring. */
gboolean beckon_mcp_variable_is_secret_name (const char *name);

/**
 * BeckonMcpOffer:
 * @BECKON_MCP_OFFER_AUTO: all of them, or by a search where a conversation has many tools
 * @BECKON_MCP_OFFER_ALWAYS: all of them
 * @BECKON_MCP_OFFER_SEARCH: those that the model has searched for
 *
 * The tools of a server that models are told of.
 */
typedef enum
{
  BECKON_MCP_OFFER_AUTO,
  BECKON_MCP_OFFER_ALWAYS,
  BECKON_MCP_OFFER_SEARCH,
} BeckonMcpOffer;

#define BECKON_MCP_N_OFFERS (BECKON_MCP_OFFER_SEARCH + 1)

/** %FALSE if @text is none of "auto", "always" and "search". @text: (nullable) */
gboolean beckon_mcp_offer_from_string (const char *text, BeckonMcpOffer *offer);

/**
 * BeckonMcpServer:
 * @id: (nullable): its own id; %NULL until it is stored
 * @name: as a person knows it
 * @kind: how it is reached
 * @program: (nullable): of stdio: a path, or a name to look for in its PATH
 * @arguments: (nullable) (array zero-terminated=1): of stdio
 * @directory: (nullable): of stdio: where it runs; %NULL for the home folder
 * @variables: (element-type BeckonMcpVariable): of stdio: its environment, beside the few names that any program needs
 * @is_sandboxed: of stdio: it runs in a sandbox, as commands do, and sees @directory, which has to be given then, or @folder
 * @has_network: of a sandboxed one: it may use the internet
 * @can_write: of a sandboxed one: it may change the folder that it sees there, which it can only read otherwise
 * @ignores_instructions: models are not given what it says about itself
 * @address: (nullable): of HTTP: the URL of its endpoint
 * @headers: (element-type BeckonMcpVariable): of HTTP: sent with each request
 * @login: (nullable): of HTTP: how it is signed in to; %NULL where a person does, as the server says
 * @folder: (nullable): only in conversations whose working folder is this one or below it
 * @timeout_s: seconds without any sign of life until a call fails; 0 for the default
 * @tools_off: (nullable) (array zero-terminated=1): names of its tools that are not offered, as the server calls them
 * @offer: which of the others models are told of
 * @came_with: (nullable): its name in the files of @folder, with which it came
 * @stamps: (nullable): of one that runs without a sandbox: stamps of its program and of the files that it is given, as they
 *   were when the person approved it
 * @is_suspended: of one that came with a folder: what the folder brings now was not accepted, or is without it
 * @is_on: whether its tools are offered
 * @listed_at: when its tools were last stored, microseconds since the epoch; 0 for never
 * @created_at: microseconds since the epoch
 *
 * A server of tools (MCP) as a person set it up. Immutable once it is shared; counted by references; any thread.
 */
typedef struct
{
  char *id;
  char *name;
  BeckonMcpTransportKind kind;
  char *program;
  char **arguments;
  char *directory;
  GPtrArray *variables;
  gboolean is_sandboxed;
  gboolean has_network;
  gboolean can_write;
  gboolean ignores_instructions;
  char *address;
  GPtrArray *headers;
  BeckonLogin *login;
  char *folder;
  guint timeout_s;
  char **tools_off;
  BeckonMcpOffer offer;
  char *came_with;
  char *stamps;
  gboolean is_suspended;
  gboolean is_on;
  gint64 listed_at;
  gint64 created_at;
} BeckonMcpServer;

/**
 * BeckonMcpServerState:
 * @definitions: (nullable): the tools that it listed last: a JSON array of them, as the server wrote each
 * @previous: (nullable): definitions as they were trusted, of tools that changed since; likewise
 * @instructions: (nullable): what it says about itself, for models; untrusted, bounded
 * @prompts: (nullable): the prompts that it listed last, as JSON
 * @resources: (nullable): likewise
 * @error: (nullable): why it could not be used last, in words to be shown
 * @log: (nullable): the last of what it said beside the protocol; untrusted
 *
 * A server as its last use left it.
 */
typedef struct
{
  char *definitions;
  char *previous;
  char *instructions;
  char *prompts;
  char *resources;
  char *error;
  char *log;
} BeckonMcpServerState;

void beckon_mcp_server_state_free (BeckonMcpServerState *state);

/** (transfer full): a server that is on, with nothing else in it, to be filled before it is shared. */
BeckonMcpServer *beckon_mcp_server_new (const char *name, BeckonMcpTransportKind kind) G_GNUC_WARN_UNUSED_RESULT;

/** (transfer full): another one with the same in it, to be changed before it is shared. */
BeckonMcpServer *beckon_mcp_server_copy (const BeckonMcpServer *server) G_GNUC_WARN_UNUSED_RESULT;
BeckonMcpServer *beckon_mcp_server_ref (BeckonMcpServer *server);
void             beckon_mcp_server_unref (BeckonMcpServer *server);

/** %FALSE with %BECKON_ERROR_INVALID, in words to be shown, if @server can't be stored. */
gboolean beckon_mcp_server_check (const BeckonMcpServer *server, GError **error);

/** The name in [a-z0-9_], in front of the names of its tools; two servers never share it. At most 32 bytes. Caller frees. */
char *beckon_mcp_server_dup_prefix (const BeckonMcpServer *server);

/** Whether it may be used: it is on, and not suspended. */
gboolean beckon_mcp_server_is_used (const BeckonMcpServer *server);

/** Whether it is for conversations in @folder. @folder: (nullable): a conversation's working folder, an absolute path */
gboolean beckon_mcp_server_is_for_folder (const BeckonMcpServer *server, const char *folder);

/** The command line or address, for people. Caller frees. */
char *beckon_mcp_server_dup_summary (const BeckonMcpServer *server);

/**
 * beckon_mcp_server_list_words:
 * @server: of stdio
 *
 * All that may name a file of what is started: the program, its arguments, and its variables with their values, as far as those
 * are no secrets.
 *
 * Returns: (transfer full): the words, those of variables as "NAME=value"
 */
GStrv beckon_mcp_server_list_words (const BeckonMcpServer *server) G_GNUC_WARN_UNUSED_RESULT;

/** All but id, name, state and time, as a JSON object; without values of secrets. Caller frees. */
char *beckon_mcp_server_print_config (const BeckonMcpServer *server);

/** Whether both are started and reached in the same way: which tools are offered, and where, needs no other process. */
gboolean beckon_mcp_server_starts_alike (const BeckonMcpServer *one, const BeckonMcpServer *other);

/** Fills @server, which is new, with what beckon_mcp_server_print_config() gave. %FALSE if @text is nothing such. */
gboolean beckon_mcp_server_read_config (BeckonMcpServer *server, const char *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonMcpVariable, beckon_mcp_variable_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonMcpServerState, beckon_mcp_server_state_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonMcpServer, beckon_mcp_server_unref)

/**
 * BeckonServerReach:
 * @name: the server's name in the files of the folder that it comes with
 * @directory: (nullable): the folder that its sandbox shows; %NULL for a server at an address
 * @has_network: it can use the internet from there
 * @can_write: it can change the folder
 * @loses_permissions: the person allowed it more before, and that ends with the acceptance, because something else is started
 *   or reached now
 *
 * What a server (MCP) that comes with a folder may do once it is accepted.
 */
typedef struct
{
  char *name;
  char *directory;
  gboolean has_network;
  gboolean can_write;
  gboolean loses_permissions;
} BeckonServerReach;

/** Without any permission. Both are copied; @directory: (nullable). Caller owns. */
BeckonServerReach *beckon_server_reach_new (const char *name, const char *directory) G_GNUC_WARN_UNUSED_RESULT;
BeckonServerReach *beckon_server_reach_copy (const BeckonServerReach *reach) G_GNUC_WARN_UNUSED_RESULT;
gboolean           beckon_server_reach_equal (const BeckonServerReach *one, const BeckonServerReach *other);
void               beckon_server_reach_free (BeckonServerReach *reach);

/** In translated words, safe to be shown. Caller frees. */
char *beckon_server_reach_describe (const BeckonServerReach *reach) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonServerReach, beckon_server_reach_free)

G_END_DECLS
