/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-mcp-service.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-wipe.h"
#include "base/beckon-worker.h"
#include "beckon-mcp-http.h"
#include "beckon-mcp-log.h"
#include "beckon-mcp-offers.h"
#include "beckon-mcp-program.h"
#include "beckon-mcp-stdio.h"
#include "beckon-mcp-tool.h"
#include "beckon-mcp-wallet.h"
#include "mcp/beckon-mcp-service.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Each way to reach a server is made here. */

/* (transfer full): a way to reach the server, not open; %NULL with words to be shown. @secrets: (nullable): by name */
static BeckonMcpTransport *
mcp_service_make_transport (BeckonMcpService *self, const BeckonMcpServiceParts *parts, GHashTable *secrets,
                            GError **error)
{
  BeckonMcpServer *server = beckon_mcp_service_get_server (self);
  BeckonMcpTransport *transport;

  if (server->kind == BECKON_MCP_KIND_STDIO)
    {
      GPtrArray *snapshot = parts->rules != NULL ? beckon_rules_get_snapshot (parts->rules) : NULL;
      g_autoptr (BeckonRuleSet) rules = snapshot != NULL ? beckon_rule_set_new (snapshot) : NULL;
      BeckonMcpTransport *stdio;

      /* Until they were read it isn't known what is denied. */
      if (server->is_sandboxed && parts->rules != NULL && rules == NULL)
        {
          g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                               _("The rules were not read yet. Try again in a moment."));
          return NULL;
        }
      stdio = beckon_mcp_stdio_new (server, secrets, parts->clock);
      beckon_mcp_stdio_set_rules (BECKON_MCP_STDIO (stdio), rules);
      beckon_mcp_stdio_set_tool_chains (BECKON_MCP_STDIO (stdio), beckon_tool_registry_get_tool_chains (parts->registry));
      return stdio;
    }
  transport = beckon_mcp_http_new (server, secrets, parts->clock);
  beckon_mcp_http_set_oauth (BECKON_MCP_HTTP (transport), beckon_mcp_service_get_oauth (self));
  return transport;
}

/* A service for people. */

char *
beckon_mcp_service_dup_state_words (BeckonMcpService *self)
{
  g_return_val_if_fail (BECKON_IS_MCP_SERVICE (self), NULL);

  switch (beckon_mcp_service_get_state (self))
    {
    case BECKON_MCP_SERVICE_STARTING:
      return g_strdup (_("Starting…"));

    case BECKON_MCP_SERVICE_RUNNING:
      return g_strdup (_("Running"));

    case BECKON_MCP_SERVICE_FAILED:
      return g_strdup (_("Failed"));

    case BECKON_MCP_SERVICE_IDLE:
      return g_strdup (beckon_mcp_service_get_error (self) != NULL ? _("Failed last time") : _("Starts when needed"));

    case BECKON_MCP_SERVICE_OFF:
    default:
      if (beckon_mcp_service_get_server (self)->is_suspended)
        return g_strdup (_("Off: the folder's files changed, or were not accepted"));
      return g_strdup (_("Off"));
    }
}

static gboolean
has_rule (const BeckonMcpServiceParts *parts, const BeckonMcpServer *server, const char *name)
{
  GPtrArray *rules = parts->rules != NULL ? beckon_rules_get_snapshot (parts->rules) : NULL;

  for (guint i = 0; rules != NULL && i < rules->len; i++)
    {
      const BeckonRule *rule = g_ptr_array_index (rules, i);

      if (g_strcmp0 (rule->server, server->name) == 0 && (rule->tool == NULL || g_str_equal (rule->tool, name)))
        return TRUE;
    }
  return FALSE;
}

static gboolean
has_override (const BeckonMcpServiceParts *parts, const BeckonMcpServer *server, const char *name)
{
  GPtrArray *overrides = parts->overrides != NULL
                           ? beckon_followed_list_get_snapshot (BECKON_FOLLOWED_LIST (parts->overrides)) : NULL;

  for (guint i = 0; overrides != NULL && i < overrides->len; i++)
    {
      const BeckonToolParameter *override = g_ptr_array_index (overrides, i);

      if (g_strcmp0 (override->server, server->name) == 0 && g_strcmp0 (override->tool, name) == 0)
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_trusted (const BeckonMcpServiceParts *parts, const BeckonMcpServer *server, const BeckonMcpToolInfo *info)
{
  g_autofree char *prefix = beckon_mcp_server_dup_prefix (server);
  g_autofree char *name = beckon_mcp_tool_info_make_name (info, prefix);

  return has_rule (parts, server, name) || has_override (parts, server, name);
}

static void
mcp_service_keep (GHashTable *previous, BeckonMcpToolInfo *info)
{
  g_hash_table_replace (previous, g_strdup (info->name), beckon_mcp_tool_info_ref (info));
}

/* Brings the definitions that a rule or an override was about, and that the server has changed, in step with a new list. A
 * tool that may run unseen, or with values of the person's, is used in its new form only when they have looked at it. */
static void
mcp_tool_changes_note (GHashTable *previous, GPtrArray *before, GPtrArray *now, const BeckonMcpServer *server,
                       const BeckonMcpServiceParts *parts)
{
  /* A tool that goes and comes back is compared with what it was. */
  for (guint i = 0; i < before->len; i++)
    {
      BeckonMcpToolInfo *gone = g_ptr_array_index (before, i);

      if (beckon_mcp_tool_infos_find (now, gone->name) == NULL && !g_hash_table_contains (previous, gone->name)
          && is_trusted (parts, server, gone))
        mcp_service_keep (previous, gone);
    }
  for (guint i = 0; i < now->len; i++)
    {
      const BeckonMcpToolInfo *new_info = g_ptr_array_index (now, i);
      const BeckonMcpToolInfo *kept = g_hash_table_lookup (previous, new_info->name);
      BeckonMcpToolInfo *old_info = beckon_mcp_tool_infos_find (before, new_info->name);

      if (kept != NULL && g_str_equal (kept->digest, new_info->digest))
        g_hash_table_remove (previous, new_info->name);
      else if (kept == NULL && old_info != NULL && !g_str_equal (old_info->digest, new_info->digest)
               && is_trusted (parts, server, new_info))
        mcp_service_keep (previous, old_info);
    }
}

/* Takes over what another process noted. What a person accepted there is asked about here all the same. Returns whether a
 * tool is here as it was before its change, so that the server has to be asked again */
static gboolean
mcp_tool_changes_follow (GHashTable *previous, GPtrArray *now, GPtrArray *stored)
{
  gboolean is_behind = FALSE;

  for (guint i = 0; i < stored->len; i++)
    {
      BeckonMcpToolInfo *trusted = g_ptr_array_index (stored, i);
      const BeckonMcpToolInfo *info = beckon_mcp_tool_infos_find (now, trusted->name);

      if (info == NULL || g_hash_table_contains (previous, trusted->name))
        continue;
      if (g_str_equal (info->digest, trusted->digest))
        is_behind = TRUE;
      else
        mcp_service_keep (previous, trusted);
    }
  return is_behind;
}

/* Whether two lists have the same definitions in the same order. */
static gboolean
mcp_tool_changes_are_none (GPtrArray *one, GPtrArray *other)
{
  if (one->len != other->len)
    return FALSE;
  for (guint i = 0; i < one->len; i++)
    if (!g_str_equal (((BeckonMcpToolInfo *) g_ptr_array_index (one, i))->digest,
                      ((BeckonMcpToolInfo *) g_ptr_array_index (other, i))->digest))
      return FALSE;
  return TRUE;
}

/* A server that failed is left alone for twice as long each time. */
#define BACKOFF_MS 500
#define BACKOFF_MAX_MS 60000

/* Bytes: why the process before ended stays in the log of the next one. */
#define EARLIER_LOG_MAX (16 * 1024)

struct _BeckonMcpService
{
  GObject parent_instance;

  BeckonMcpServer *server;
  BeckonMcpServiceParts parts;
  BeckonMcpServiceState state;
  char *error; /* (nullable) */
  GPtrArray *infos;
  char *left_out; /* (nullable): what it listed beside these */
  GHashTable *previous; /* (element-type utf8 BeckonMcpToolInfo): definitions that were trusted and changed, by name */
  GHashTable *tools; /* (element-type utf8 BeckonTool): those in the registry, by the model's name */
  BeckonMcpOffers *offers; /* beside its tools */
  gboolean has_new_offers; /* they are not stored yet */
  guint n_listing;         /* lists that it is asked for */
  char *instructions; /* (nullable): what it said about itself last, for models */
  char *last_log;    /* (nullable): of its uses before */
  BeckonMcpClient *client; /* (nullable) */
  gint64 started_at;  /* of @client's program; 0 for none */
  GPtrArray *waiting; /* (element-type GTask): for it to be ready */
  GHashTable *secrets; /* (nullable) */
  guint n_looked_up;
  guint n_failures; /* in a row */
  gint64 retry_at;  /* monotonic */
  gboolean is_listed; /* what it lists is stored */
  gboolean is_known;  /* what is stored of it was read */
  GCancellable *opening; /* (nullable) */
  BeckonOauth *oauth; /* (nullable): for its address */
  gboolean needs_sign_in;
};

G_DEFINE_FINAL_TYPE (BeckonMcpService, beckon_mcp_service, G_TYPE_OBJECT)

static guint changed_signal;

static void look_up_secrets (BeckonMcpService *self);

static void
mcp_service_tell (BeckonMcpService *self)
{
  g_signal_emit (self, changed_signal, 0);
}

char *
beckon_mcp_service_make_secret_id (const char *server_id, const char *variable)
{
  return g_strdup_printf ("mcp-%s-%s", server_id, variable);
}

const char *
beckon_mcp_service_get_key_place (const BeckonMcpServer *server)
{
  return server->kind == BECKON_MCP_KIND_HTTP ? server->address : BECKON_SECRETS_PROGRAM;
}

/* --- Tools -------------------------------------------------------------------------------------------------------- */

char *
beckon_mcp_service_dup_tool_name (BeckonMcpService *self, const BeckonMcpToolInfo *info)
{
  g_autofree char *prefix = beckon_mcp_server_dup_prefix (self->server);

  return beckon_mcp_tool_info_make_name (info, prefix);
}

static gboolean
is_offered (BeckonMcpService *self, const BeckonMcpToolInfo *info)
{
  return beckon_mcp_server_is_used (self->server)
         && (self->server->tools_off == NULL || !g_strv_contains ((const char *const *) self->server->tools_off, info->name));
}

static void
say_instructions (BeckonMcpService *self, const char *instructions)
{
  beckon_server_instructions_set (beckon_tool_registry_get_instructions (self->parts.registry), self->server, instructions);
}

static void
drop_tools (BeckonMcpService *self)
{
  GHashTableIter iter;
  gpointer tool;

  say_instructions (self, NULL);
  g_hash_table_iter_init (&iter, self->tools);
  while (g_hash_table_iter_next (&iter, NULL, &tool))
    {
      beckon_tool_registry_remove (self->parts.registry, BECKON_TOOL (tool));
      g_hash_table_iter_remove (&iter);
    }
}

/* Tools that are as they were stay the same objects. */
static void
offer_tools (BeckonMcpService *self)
{
  g_autoptr (GHashTable) offered = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GHashTableIter iter;
  gpointer name, tool;

  for (guint i = 0; i < self->infos->len; i++)
    {
      BeckonMcpToolInfo *info = g_ptr_array_index (self->infos, i);

      if (is_offered (self, info))
        g_hash_table_replace (offered, beckon_mcp_service_dup_tool_name (self, info), info);
    }
  g_hash_table_iter_init (&iter, self->tools);
  while (g_hash_table_iter_next (&iter, &name, &tool))
    {
      const BeckonMcpToolInfo *info = g_hash_table_lookup (offered, name);

      if (info == NULL || !g_str_equal (info->digest, beckon_mcp_tool_get_info (BECKON_MCP_TOOL (tool))->digest))
        {
          beckon_tool_registry_remove (self->parts.registry, BECKON_TOOL (tool));
          g_hash_table_iter_remove (&iter);
        }
    }
  for (guint i = 0; i < self->infos->len; i++)
    {
      BeckonMcpToolInfo *info = g_ptr_array_index (self->infos, i);
      g_autofree char *own_name = beckon_mcp_service_dup_tool_name (self, info);

      if (!is_offered (self, info) || g_hash_table_contains (self->tools, own_name)
          || beckon_tool_registry_lookup (self->parts.registry, own_name) != NULL)
        continue;
      tool = beckon_mcp_tool_new (self, info, own_name);
      beckon_tool_registry_add (self->parts.registry, BECKON_TOOL (tool));
      g_hash_table_insert (self->tools, g_steal_pointer (&own_name), tool);
    }
  /* Words about tools that a model hasn't are of no use; a server without any may be there for something else. */
  say_instructions (self, self->infos->len == 0 || g_hash_table_size (self->tools) > 0 ? self->instructions : NULL);
}

static void
mcp_service_on_stored (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!beckon_store_commit_finish (BECKON_STORE (source), result, &error))
    g_message ("what is known of a server was not stored: %s", error->message);
}

/* (nullable): as they are stored. */
static char *
print_previous (BeckonMcpService *self)
{
  g_autoptr (GPtrArray) infos = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer info;

  if (g_hash_table_size (self->previous) == 0)
    return NULL;
  g_hash_table_iter_init (&iter, self->previous);
  while (g_hash_table_iter_next (&iter, NULL, &info))
    g_ptr_array_add (infos, info);
  return beckon_mcp_tool_infos_print (infos, NULL);
}

static void
store_tools (BeckonMcpService *self)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  g_autofree char *definitions = beckon_mcp_tool_infos_print (self->infos, self->left_out);
  g_autofree char *previous = print_previous (self);
  g_autofree char *prompts = beckon_mcp_prompts_print (self->offers->prompts);
  g_autofree char *resources = beckon_mcp_resources_print (self->offers->resources);
  const BeckonMcpServerState state = { .definitions = definitions,
                                       .previous = previous,
                                       .instructions = self->instructions,
                                       .prompts = prompts,
                                       .resources = resources };

  beckon_batch_put_server_tools (batch, self->server->id, &state, beckon_clock_get_real_time (self->parts.clock));
  beckon_store_commit_async (self->parts.store, batch, NULL, mcp_service_on_stored, NULL);
}

static void
store_log (BeckonMcpService *self)
{
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  g_autofree char *log = beckon_mcp_service_dup_log (self);

  beckon_batch_put_server_log (batch, self->server->id, self->error, log);
  beckon_store_commit_async (self->parts.store, batch, NULL, mcp_service_on_stored, NULL);
}

BeckonMcpToolInfo *
beckon_mcp_service_get_previous (BeckonMcpService *self, const char *name)
{
  g_return_val_if_fail (BECKON_IS_MCP_SERVICE (self), NULL);

  return g_hash_table_lookup (self->previous, name);
}

void
beckon_mcp_service_accept (BeckonMcpService *self, BeckonMcpToolInfo *info)
{
  const BeckonMcpToolInfo *now;

  g_return_if_fail (BECKON_IS_MCP_SERVICE (self));
  g_return_if_fail (info != NULL);

  if (!g_hash_table_contains (self->previous, info->name))
    return;
  /* Another change that came in the meantime was not shown: it is compared with what was accepted. */
  now = beckon_mcp_tool_infos_find (self->infos, info->name);
  if (now != NULL && g_str_equal (now->digest, info->digest))
    g_hash_table_remove (self->previous, info->name);
  else
    g_hash_table_replace (self->previous, g_strdup (info->name), beckon_mcp_tool_info_ref (info));
  store_tools (self);
  mcp_service_tell (self);
}

/* --- Opening ------------------------------------------------------------------------------------------------------ */

static void
mcp_service_set_state (BeckonMcpService *self, BeckonMcpServiceState state, const char *error)
{
  g_autofree char *before = self->error;

  self->state = state;
  self->error = g_strdup (error);
  mcp_service_tell (self);
}

/* @error: (nullable). */
static void
answer_waiting (BeckonMcpService *self, const GError *error)
{
  g_autoptr (GPtrArray) waiting = self->waiting;

  self->waiting = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < waiting->len; i++)
    {
      GTask *task = g_ptr_array_index (waiting, i);

      if (error != NULL)
        g_task_return_error (task, g_error_copy (error));
      else
        g_task_return_boolean (task, TRUE);
    }
}

/* @end: (nullable): how, where the log doesn't say it yet */
static void
drop_client (BeckonMcpService *self, const char *end)
{
  g_autofree char *text = NULL;
  g_autofree char *log = NULL;

  if (self->client == NULL)
    return;
  self->n_listing = 0;
  text = beckon_mcp_service_dup_log (self);
  log = end != NULL ? beckon_mcp_log_dup_with (text, end) : g_steal_pointer (&text);
  g_free (self->last_log);
  self->last_log = beckon_mcp_log_dup_tail (log, BECKON_MCP_LOG_MAX);
  g_signal_handlers_disconnect_by_data (self->client, self);
  g_clear_object (&self->client);
  self->started_at = 0;
}

static void
mcp_service_fail (BeckonMcpService *self, const GError *cause)
{
  gint64 wait_ms = MIN ((gint64) BACKOFF_MS << MIN (self->n_failures, 16), BACKOFF_MAX_MS);
  BeckonMcpTransport *transport = self->client != NULL ? beckon_mcp_client_get_transport (self->client) : NULL;
  g_autoptr (GError) error = g_error_copy (cause);

  if (transport != NULL)
    error->message = beckon_mcp_transport_mask (transport, error->message);
  self->needs_sign_in = g_error_matches (error, BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_NEEDED);
  self->n_failures++;
  self->retry_at = beckon_clock_get_monotonic_time (self->parts.clock) + wait_ms * 1000;
  drop_client (self, self->state == BECKON_MCP_SERVICE_STARTING ? error->message : NULL);
  error->message = beckon_mcp_program_explain (self->server, error->message);
  mcp_service_set_state (self, BECKON_MCP_SERVICE_FAILED, error->message);
  store_log (self);
  answer_waiting (self, error);
}

/* Other lists are read beside its tools. */
static void
end_listing (BeckonMcpService *self)
{
  if (--self->n_listing > 0)
    return;
  if (self->has_new_offers)
    store_tools (self);
  self->has_new_offers = FALSE;
  mcp_service_set_state (self, BECKON_MCP_SERVICE_RUNNING, NULL);
  answer_waiting (self, NULL);
}

static void
on_offers_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonMcpService) self = user_data;
  g_autoptr (BeckonMcpOffers) offers = beckon_mcp_offers_list_finish (result);

  if (self->client != BECKON_MCP_CLIENT (source))
    return;
  self->has_new_offers = beckon_mcp_offers_take (self->offers, offers) || self->has_new_offers;
  end_listing (self);
}

static void
mcp_service_on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonMcpService) self = user_data;
  g_autoptr (GError) error = NULL;
  GPtrArray *infos = beckon_mcp_client_list_tools_finish (BECKON_MCP_CLIENT (source), result, &error);

  if (self->client != BECKON_MCP_CLIENT (source))
    {
      g_clear_pointer (&infos, g_ptr_array_unref);
      return;
    }
  /* A test of one that runs waits for this list, and is told the truth. */
  if (infos == NULL && (self->state == BECKON_MCP_SERVICE_STARTING || self->waiting->len > 0))
    {
      beckon_mcp_client_close_async (self->client, NULL, NULL, NULL);
      mcp_service_fail (self, error);
      return;
    }
  if (infos != NULL)
    {
      const char *instructions = beckon_mcp_client_get_hello (self->client)->instructions;
      const char *left_out = beckon_mcp_client_get_left_out (self->client);
      gboolean is_new = !self->is_listed || !mcp_tool_changes_are_none (self->infos, infos)
                        || g_strcmp0 (instructions, self->instructions) != 0 || g_strcmp0 (left_out, self->left_out) != 0;

      g_free (self->instructions);
      self->instructions = g_strdup (instructions);
      g_free (self->left_out);
      self->left_out = g_strdup (left_out);
      mcp_tool_changes_note (self->previous, self->infos, infos, self->server, &self->parts);
      g_ptr_array_unref (self->infos);
      self->infos = infos;
      self->is_listed = TRUE;
      if (is_new)
        store_tools (self);
      offer_tools (self);
    }
  else
    g_message ("the tools of %s were not listed again: %s", self->server->name, error->message);
  end_listing (self);
}

static void
list_tools (BeckonMcpService *self)
{
  self->n_listing += 2;
  beckon_mcp_client_list_tools_async (self->client, self->opening, mcp_service_on_listed, g_object_ref (self));
  beckon_mcp_offers_list_async (self->client, self->server->name, self->opening, on_offers_listed, g_object_ref (self));
}

/* Calls that wait for a list of before don't wait for this one. */
static void
on_tools_changed (BeckonMcpService *self)
{
  if (self->state == BECKON_MCP_SERVICE_RUNNING)
    list_tools (self);
}

static void
on_client_ended (BeckonMcpClient *client, const GError *error, gpointer user_data)
{
  g_autoptr (BeckonMcpService) self = g_object_ref (user_data);

  mcp_service_fail (self, error);
}

static void
mcp_service_on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonMcpService) self = user_data;
  g_autoptr (GError) error = NULL;
  gboolean is_open = beckon_mcp_client_open_finish (BECKON_MCP_CLIENT (source), result, &error);

  if (self->client != BECKON_MCP_CLIENT (source))
    return;
  if (!is_open)
    {
      mcp_service_fail (self, error);
      return;
    }
  self->n_failures = 0;
  self->needs_sign_in = FALSE;
  if (self->server->kind == BECKON_MCP_KIND_STDIO)
    self->started_at = beckon_clock_get_real_time (self->parts.clock);
  list_tools (self);
}

static GPtrArray *
mcp_service_get_variables (const BeckonMcpServer *server)
{
  return server->kind == BECKON_MCP_KIND_HTTP ? server->headers : server->variables;
}

static void
mcp_service_on_secret (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonMcpService) self = user_data;
  g_autoptr (GError) error = NULL;
  char *value = beckon_secrets_lookup_finish (BECKON_SECRETS (source), result, &error);
  GPtrArray *variables = mcp_service_get_variables (self->server);
  const BeckonMcpVariable *variable;

  if (self->state != BECKON_MCP_SERVICE_STARTING || self->client != NULL || self->n_looked_up >= variables->len)
    {
      beckon_wipe (value);
      return;
    }
  variable = g_ptr_array_index (variables, self->n_looked_up++);
  if (value == NULL && error == NULL)
    error = beckon_text_error_new (BECKON_ERROR, BECKON_ERROR_NOT_FOUND,
                                   _("The value of %s is not in the keyring. Enter it again."), variable->name);
  if (error != NULL)
    {
      mcp_service_fail (self, error);
      return;
    }
  g_hash_table_replace (self->secrets, g_strdup (variable->name), value);
  look_up_secrets (self);
}

/* They are looked up one after the other: there are few, and the keyring may ask for its password. */
static void
look_up_secrets (BeckonMcpService *self)
{
  GPtrArray *variables = mcp_service_get_variables (self->server);
  BeckonMcpClientLimits limits;
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonMcpTransport) transport = NULL;
  const BeckonMcpServer *server;

  for (; self->n_looked_up < variables->len; self->n_looked_up++)
    {
      const BeckonMcpVariable *variable = g_ptr_array_index (variables, self->n_looked_up);
      g_autofree char *id = beckon_mcp_service_make_secret_id (self->server->id, variable->name);

      if (variable->source != BECKON_MCP_VALUE_SECRET)
        continue;
      beckon_secrets_lookup_async (self->parts.secrets, id, beckon_mcp_service_get_key_place (self->server), FALSE,
                                   self->opening, mcp_service_on_secret, g_object_ref (self));
      return;
    }
  transport = mcp_service_make_transport (self, &self->parts, self->secrets, &error);
  if (transport == NULL)
    {
      mcp_service_fail (self, error);
      return;
    }
  /* How long the client may wait. */
  server = self->server;
  limits = (BeckonMcpClientLimits) BECKON_MCP_CLIENT_LIMITS_INIT;
  if (beckon_mcp_program_fetches (server) && (!server->is_sandboxed || server->has_network))
    limits.open_ms = BECKON_MCP_CLIENT_FETCH_MS;
  if (server->timeout_s != 0)
    {
      limits.call_ms = server->timeout_s * 1000;
      limits.call_max_ms = MAX (limits.call_max_ms, limits.call_ms);
    }
  self->client = beckon_mcp_client_new (self->server->name, transport, self->parts.clock, &limits);
  g_signal_connect_object (self->client, "tools-changed", G_CALLBACK (on_tools_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->client, "ended", G_CALLBACK (on_client_ended), self, 0);
  beckon_mcp_client_open_async (self->client, self->opening, mcp_service_on_opened, g_object_ref (self));
}

/* The data of a task that waits. */
static void
mcp_service_waiting_free (gpointer data)
{
  g_source_destroy (data);
  g_source_unref (data);
}

static gboolean
on_wait_cancelled (GCancellable *cancellable, gpointer user_data)
{
  g_autoptr (GTask) task = g_object_ref (user_data);
  BeckonMcpService *self = g_task_get_source_object (task);

  if (g_ptr_array_remove (self->waiting, task))
    g_task_return_error_if_cancelled (task);
  return G_SOURCE_REMOVE;
}

/* @task: (transfer full). */
static void
wait (BeckonMcpService *self, GTask *task)
{
  GCancellable *cancellable = g_task_get_cancellable (task);

  g_ptr_array_add (self->waiting, task);
  if (cancellable == NULL)
    return;
  g_task_set_task_data (task, g_cancellable_source_new (cancellable), mcp_service_waiting_free);
  g_source_set_callback (g_task_get_task_data (task), G_SOURCE_FUNC (on_wait_cancelled), task, NULL);
  g_source_attach (g_task_get_task_data (task), NULL);
}

static void
on_known (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonMcpService *self = BECKON_MCP_SERVICE (source);
  g_autoptr (GCancellable) opening = user_data;
  g_autoptr (GError) error = NULL;
  gboolean is_known = beckon_mcp_service_load_finish (self, result, &error);

  if (self->opening != opening || self->state != BECKON_MCP_SERVICE_STARTING)
    return;
  if (is_known)
    look_up_secrets (self);
  else
    mcp_service_fail (self, error);
}

void
beckon_mcp_service_open_async (BeckonMcpService *self, gboolean is_test, GCancellable *cancellable,
                               GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (BECKON_IS_MCP_SERVICE (self));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_mcp_service_open_async);
  if (self->state == BECKON_MCP_SERVICE_RUNNING && !is_test)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  if (!beckon_mcp_server_is_used (self->server) && (!is_test || self->server->is_suspended))
    {
      g_task_return_error (task, beckon_text_error_new (BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                                                        _("The server “%s” is switched off."), self->server->name));
      return;
    }
  if (self->state == BECKON_MCP_SERVICE_FAILED && !is_test
      && beckon_clock_get_monotonic_time (self->parts.clock) < self->retry_at)
    {
      g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE, "%s", self->error);
      return;
    }
  wait (self, g_steal_pointer (&task));
  if (self->state == BECKON_MCP_SERVICE_RUNNING)
    list_tools (self);
  else if (self->state != BECKON_MCP_SERVICE_STARTING)
    {
      /* A server whose tools could not be compared with those that were trusted is not used. */
      g_clear_object (&self->opening);
      self->opening = g_cancellable_new ();
      self->n_looked_up = 0;
      self->needs_sign_in = FALSE;
      g_clear_pointer (&self->secrets, g_hash_table_unref);
      self->secrets = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) beckon_wipe);
      mcp_service_set_state (self, BECKON_MCP_SERVICE_STARTING, self->error);
      if (self->is_known)
        look_up_secrets (self);
      else
        beckon_mcp_service_load_async (self, self->opening, on_known, g_object_ref (self->opening));
    }
}

BECKON_FINISH_BOOLEAN (beckon_mcp_service_open, BeckonMcpService)

/* --- Settings and the end ----------------------------------------------------------------------------------------- */

static void
mcp_service_stop (BeckonMcpService *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (BeckonMcpClient) client = self->client != NULL ? g_object_ref (self->client) : NULL;
  g_autoptr (GError) error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, _("The server was stopped."));
  gboolean was_used = client != NULL;

  if (self->opening != NULL)
    g_cancellable_cancel (self->opening);
  /* Translators: a line of the log of a server that was running, or was starting */
  drop_client (self, _("Ended by Beckon"));
  if (was_used)
    store_log (self);
  self->state = beckon_mcp_server_is_used (self->server) ? BECKON_MCP_SERVICE_IDLE : BECKON_MCP_SERVICE_OFF;
  self->n_failures = 0;
  answer_waiting (self, error);
  if (client != NULL)
    beckon_mcp_client_close_async (client, cancellable, callback, user_data);
}

void
beckon_mcp_service_stop (BeckonMcpService *self)
{
  g_return_if_fail (BECKON_IS_MCP_SERVICE (self));

  mcp_service_stop (self, NULL, NULL, NULL);
  mcp_service_tell (self);
}

void
beckon_mcp_service_set_server (BeckonMcpService *self, BeckonMcpServer *server)
{
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  gboolean was_on, is_on, starts_alike;

  before = beckon_mcp_server_print_config (self->server);
  after = beckon_mcp_server_print_config (server);
  was_on = beckon_mcp_server_is_used (self->server);
  is_on = beckon_mcp_server_is_used (server);
  if (g_str_equal (before, after) && was_on == is_on && self->server->listed_at == server->listed_at)
    return;
  starts_alike = beckon_mcp_server_starts_alike (self->server, server);
  if (g_strcmp0 (self->server->address, server->address) != 0 || !beckon_login_equal (self->server->login, server->login))
    g_clear_object (&self->oauth);
  beckon_mcp_server_ref (server);
  beckon_mcp_server_unref (self->server);
  self->server = server;
  if (!g_str_equal (before, after) || was_on != is_on)
    drop_tools (self);
  if (!starts_alike || was_on != is_on)
    mcp_service_stop (self, NULL, NULL, NULL);
  offer_tools (self);
  mcp_service_tell (self);
}

/* --- A changed program -------------------------------------------------------------------------------------------- */

typedef struct
{
  BeckonMcpServer *server;
  char *stamps; /* (nullable) */
} Review;

static void
review_free (gpointer data)
{
  Review *review = data;

  beckon_mcp_server_unref (review->server);
  g_free (review->stamps);
  g_free (review);
}

static void
review_program (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Review *review = data;

  g_task_return_pointer (task, beckon_mcp_program_find_change (review->server, &review->stamps), g_free);
}

void
beckon_mcp_service_review_async (BeckonMcpService *self, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);
  Review *review = g_new0 (Review, 1);

  g_task_set_source_tag (task, beckon_mcp_service_review_async);
  review->server = beckon_mcp_server_ref (self->server);
  g_task_set_task_data (task, review, review_free);
  if (self->state == BECKON_MCP_SERVICE_RUNNING)
    g_task_return_pointer (task, NULL, NULL);
  else
    beckon_worker_run_for_person (task, review_program);
}

char *
beckon_mcp_service_review_finish (BeckonMcpService *self, GAsyncResult *result, char **stamps)
{
  Review *review = g_task_get_task_data (G_TASK (result));

  *stamps = g_steal_pointer (&review->stamps);
  return g_task_propagate_pointer (G_TASK (result), NULL);
}

/* A failed service may have failed because of the change. */
static void
on_approved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonMcpService *self = g_task_get_source_object (task);
  GError *error = NULL;

  if (!beckon_followed_list_commit_finish (BECKON_FOLLOWED_LIST (source), result, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  beckon_mcp_service_set_server (self, g_task_get_task_data (task));
  if (self->state == BECKON_MCP_SERVICE_FAILED)
    beckon_mcp_service_stop (self);
  g_task_return_boolean (task, TRUE);
}

void
beckon_mcp_service_approve_async (BeckonMcpService *self, const char *stamps, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (self, NULL, callback, user_data);
  BeckonMcpServer *server = beckon_mcp_server_copy (self->server);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_FULL);

  g_task_set_source_tag (task, beckon_mcp_service_approve_async);
  g_free (server->stamps);
  server->stamps = g_strdup (stamps);
  g_task_set_task_data (task, server, (GDestroyNotify) beckon_mcp_server_unref);
  beckon_batch_put_server (batch, server, FALSE);
  beckon_followed_list_commit_async (self->parts.list, batch, NULL, on_approved, task);
}

BECKON_FINISH_BOOLEAN (beckon_mcp_service_approve, BeckonMcpService)

/* --- What is stored ----------------------------------------------------------------------------------------------- */

typedef struct
{
  GPtrArray *infos;
  char *left_out;
  GPtrArray *previous;
  BeckonMcpOffers *offers;
  BeckonMcpServerState *state;
} Loaded;

static void
loaded_free (Loaded *loaded)
{
  g_clear_pointer (&loaded->infos, g_ptr_array_unref);
  g_free (loaded->left_out);
  g_clear_pointer (&loaded->previous, g_ptr_array_unref);
  beckon_mcp_offers_free (loaded->offers);
  beckon_mcp_server_state_free (loaded->state);
  g_free (loaded);
}

static void
parse_state (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Loaded *loaded = data;

  loaded->infos = beckon_mcp_tool_infos_parse (loaded->state->definitions, &loaded->left_out);
  loaded->previous = beckon_mcp_tool_infos_parse (loaded->state->previous, NULL);
  loaded->offers = beckon_mcp_offers_new ();
  beckon_mcp_prompts_read (loaded->offers->prompts, loaded->state->prompts, NULL);
  beckon_mcp_resources_read (loaded->offers->resources, loaded->state->resources, NULL);
  g_task_return_boolean (task, TRUE);
}

static void
on_state_parsed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonMcpService *self = g_task_get_source_object (task);
  Loaded *loaded = g_task_get_task_data (G_TASK (result));

  if (self->client == NULL)
    {
      g_ptr_array_unref (self->infos);
      self->infos = g_steal_pointer (&loaded->infos);
      g_free (self->left_out);
      self->left_out = g_steal_pointer (&loaded->left_out);
      self->is_listed = loaded->state->definitions != NULL;
      g_hash_table_remove_all (self->previous);
      for (guint i = 0; i < loaded->previous->len; i++)
        {
          BeckonMcpToolInfo *info = g_ptr_array_index (loaded->previous, i);

          g_hash_table_replace (self->previous, g_strdup (info->name), beckon_mcp_tool_info_ref (info));
        }
      self->is_known = TRUE;
      beckon_mcp_offers_take (self->offers, loaded->offers);
      g_free (self->instructions);
      self->instructions = g_steal_pointer (&loaded->state->instructions);
      g_free (self->last_log);
      self->last_log = g_steal_pointer (&loaded->state->log);
      g_free (self->error);
      self->error = g_steal_pointer (&loaded->state->error);
      offer_tools (self);
      mcp_service_tell (self);
    }
  else if (mcp_tool_changes_follow (self->previous, self->infos, loaded->previous))
    on_tools_changed (self);
  g_task_return_boolean (task, TRUE);
}

static void
on_state_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  BeckonMcpServerState *state = beckon_store_load_server_state_finish (BECKON_STORE (source), result, &error);
  g_autoptr (GTask) parsing = NULL;
  Loaded *loaded;

  if (state == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  loaded = g_new0 (Loaded, 1);
  loaded->state = state;
  parsing = g_task_new (NULL, NULL, on_state_parsed, g_object_ref (task));
  g_task_set_task_data (parsing, loaded, (GDestroyNotify) loaded_free);
  beckon_worker_run_for_person (parsing, parse_state);
}

void
beckon_mcp_service_load_async (BeckonMcpService *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                               gpointer user_data)
{
  GTask *task;

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_mcp_service_load_async);
  beckon_store_load_server_state_async (self->parts.store, self->server->id, cancellable, on_state_loaded, task);
}

BECKON_FINISH_BOOLEAN (beckon_mcp_service_load, BeckonMcpService)

static void
mcp_service_on_closed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  beckon_mcp_client_close_finish (BECKON_MCP_CLIENT (source), result, NULL);
  g_task_return_boolean (task, TRUE);
}

void
beckon_mcp_service_close_async (BeckonMcpService *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, beckon_mcp_service_close_async);
  drop_tools (self);
  if (self->client == NULL)
    {
      mcp_service_stop (self, NULL, NULL, NULL);
      g_task_return_boolean (task, TRUE);
      return;
    }
  mcp_service_stop (self, cancellable, mcp_service_on_closed, g_steal_pointer (&task));
}

BECKON_FINISH_BOOLEAN (beckon_mcp_service_close, BeckonMcpService)

/* --- The object --------------------------------------------------------------------------------------------------- */

static void
beckon_mcp_service_finalize (GObject *object)
{
  BeckonMcpService *self = BECKON_MCP_SERVICE (object);

  g_clear_object (&self->client);
  beckon_mcp_server_unref (self->server);
  g_ptr_array_unref (self->infos);
  g_free (self->left_out);
  g_ptr_array_unref (self->waiting);
  g_hash_table_unref (self->tools);
  g_hash_table_unref (self->previous);
  g_clear_pointer (&self->secrets, g_hash_table_unref);
  g_clear_object (&self->opening);
  g_clear_object (&self->oauth);
  g_free (self->error);
  g_free (self->instructions);
  beckon_mcp_offers_free (self->offers);
  g_free (self->last_log);
  g_clear_object (&self->parts.store);
  g_clear_object (&self->parts.secrets);
  g_clear_object (&self->parts.registry);
  g_clear_object (&self->parts.clock);
  g_clear_object (&self->parts.list);
  g_clear_object (&self->parts.rules);
  g_clear_object (&self->parts.overrides);

  G_OBJECT_CLASS (beckon_mcp_service_parent_class)->finalize (object);
}

static void
beckon_mcp_service_class_init (BeckonMcpServiceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_mcp_service_finalize;

  changed_signal = g_signal_new ("changed", BECKON_TYPE_MCP_SERVICE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
beckon_mcp_service_init (BeckonMcpService *self)
{
  self->infos = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_mcp_tool_info_unref);
  self->offers = beckon_mcp_offers_new ();
  self->waiting = g_ptr_array_new_with_free_func (g_object_unref);
  self->tools = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  self->previous = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) beckon_mcp_tool_info_unref);
}

BeckonMcpService *
beckon_mcp_service_new (BeckonMcpServer *server, const BeckonMcpServiceParts *parts)
{
  BeckonMcpService *self;

  self = g_object_new (BECKON_TYPE_MCP_SERVICE, NULL);
  self->server = beckon_mcp_server_ref (server);
  self->parts = *parts;
  g_object_ref (parts->store);
  g_object_ref (parts->secrets);
  g_object_ref (parts->registry);
  g_object_ref (parts->clock);
  g_object_ref (parts->list);
  if (parts->rules != NULL)
    g_object_ref (parts->rules);
  if (parts->overrides != NULL)
    g_object_ref (parts->overrides);
  self->state = beckon_mcp_server_is_used (server) ? BECKON_MCP_SERVICE_IDLE : BECKON_MCP_SERVICE_OFF;
  return self;
}

BeckonMcpServer *
beckon_mcp_service_get_server (BeckonMcpService *self)
{
  g_return_val_if_fail (BECKON_IS_MCP_SERVICE (self), NULL);

  return self->server;
}

BeckonMcpServiceState
beckon_mcp_service_get_state (BeckonMcpService *self)
{
  g_return_val_if_fail (BECKON_IS_MCP_SERVICE (self), BECKON_MCP_SERVICE_OFF);

  return self->state;
}

const char *
beckon_mcp_service_get_error (BeckonMcpService *self)
{
  g_return_val_if_fail (BECKON_IS_MCP_SERVICE (self), NULL);

  return self->error;
}

gint64
beckon_mcp_service_get_started_at (BeckonMcpService *self)
{
  g_return_val_if_fail (BECKON_IS_MCP_SERVICE (self), 0);

  return self->started_at;
}

GPtrArray *
beckon_mcp_service_get_prompts (BeckonMcpService *self)
{
  g_return_val_if_fail (BECKON_IS_MCP_SERVICE (self), NULL);

  return self->offers->prompts;
}

GPtrArray *
beckon_mcp_service_get_resources (BeckonMcpService *self)
{
  g_return_val_if_fail (BECKON_IS_MCP_SERVICE (self), NULL);

  return self->offers->resources;
}

GPtrArray *
beckon_mcp_service_get_infos (BeckonMcpService *self)
{
  g_return_val_if_fail (BECKON_IS_MCP_SERVICE (self), NULL);

  return self->infos;
}

const char *
beckon_mcp_service_get_left_out (BeckonMcpService *self)
{
  return self->left_out;
}

char *
beckon_mcp_service_dup_log (BeckonMcpService *self)
{
  g_autofree char *earlier = NULL;
  g_autofree char *now = NULL;

  g_return_val_if_fail (BECKON_IS_MCP_SERVICE (self), NULL);

  if (self->client == NULL)
    return g_strdup (self->last_log != NULL ? self->last_log : "");
  earlier = beckon_mcp_log_dup_tail (self->last_log != NULL ? self->last_log : "", EARLIER_LOG_MAX);
  now = beckon_mcp_transport_dup_log (beckon_mcp_client_get_transport (self->client));
  return g_strconcat (earlier, *earlier != '\0' && !g_str_has_suffix (earlier, "\n") ? "\n" : "", now, NULL);
}

/* %NULL while the server is not in use. Borrowed. */
static BeckonMcpClient *
mcp_service_get_client (BeckonMcpService *self)
{
  return self->client;
}

const BeckonMcpHello *
beckon_mcp_service_get_hello (BeckonMcpService *self)
{
  g_return_val_if_fail (BECKON_IS_MCP_SERVICE (self), NULL);

  return self->client != NULL && beckon_mcp_client_is_open (self->client) ? beckon_mcp_client_get_hello (self->client) : NULL;
}

gboolean
beckon_mcp_service_has_listed (BeckonMcpService *self)
{
  return self->is_listed;
}

gboolean
beckon_mcp_service_needs_sign_in (BeckonMcpService *self)
{
  g_return_val_if_fail (BECKON_IS_MCP_SERVICE (self), FALSE);

  return self->needs_sign_in;
}

BeckonOauth *
beckon_mcp_service_get_oauth (BeckonMcpService *self)
{
  g_return_val_if_fail (BECKON_IS_MCP_SERVICE (self), NULL);

  if (self->oauth == NULL && self->server->kind == BECKON_MCP_KIND_HTTP)
    self->oauth = beckon_mcp_wallet_make_oauth (self->server, self->parts.secrets, self->parts.clock);
  return self->oauth;
}

/* Calls of a server's tools, which start it where that is needed. */

typedef struct
{
  BeckonMcpToolCall call;
  char *arguments;
  char *folder;
  char *resumption;
} Waiting;

static void
service_call_waiting_free (Waiting *waiting)
{
  beckon_mcp_tool_info_unref (waiting->call.tool);
  g_strfreev ((char **) waiting->call.headers);
  beckon_wipe (waiting->arguments);
  g_free (waiting->folder);
  g_free (waiting->resumption);
  g_free (waiting);
}

static void
on_called (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  BeckonMcpResult *read = beckon_mcp_client_call_finish (BECKON_MCP_CLIENT (source), result, &error);

  if (read != NULL)
    g_task_return_pointer (task, read, (GDestroyNotify) beckon_mcp_result_free);
  else
    g_task_return_error (task, error);
}

/* A model reads it; why it can't be reached is in words for people, on the server's page. */
static GError *
make_refusal (BeckonMcpService *self, const GError *error)
{
  const char *name = beckon_mcp_service_get_server (self)->name;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, "The call was cancelled.");
  if (beckon_mcp_service_needs_sign_in (self))
    return g_error_new (BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                        "Not run: the user has to sign in to the server “%s” first, on the page Servers of the preferences.",
                        name);
  return g_error_new (BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                      "Not run: the server “%s” could not be started or reached. The page Servers of the preferences says why.",
                      name);
}

/* The person approved the tool as it was: another one of its name is not what they saw. */
static void
on_ready (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonMcpService *self = BECKON_MCP_SERVICE (source);
  Waiting *waiting = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  const BeckonMcpToolInfo *now;

  if (!beckon_mcp_service_open_finish (self, result, &error))
    {
      g_task_return_error (task, make_refusal (self, error));
      return;
    }
  now = beckon_mcp_tool_infos_find (beckon_mcp_service_get_infos (self), waiting->call.tool->name);
  if (now == NULL || !g_str_equal (now->digest, waiting->call.tool->digest))
    g_task_return_new_error (task, BECKON_ERROR, BECKON_ERROR_CONFLICT,
                             "Not run: the server has changed this tool, or no longer has it. Look at its definition and call "
                             "it again if it is still needed.");
  else
    beckon_mcp_client_call_async (mcp_service_get_client (self), &waiting->call, g_task_get_cancellable (task),
                                  on_called, g_object_ref (task));
}

void
beckon_mcp_service_call_async (BeckonMcpService *self, const BeckonMcpToolCall *call, GCancellable *cancellable,
                               GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;
  Waiting *waiting;

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_mcp_service_call_async);
  g_task_set_check_cancellable (task, FALSE);
  waiting = g_new0 (Waiting, 1);
  waiting->call = *call;
  beckon_mcp_tool_info_ref (call->tool);
  waiting->call.headers = (const char *const *) g_strdupv ((char **) call->headers);
  waiting->call.arguments = waiting->arguments = g_strdup (call->arguments);
  waiting->call.folder = waiting->folder = g_strdup (call->folder);
  waiting->call.resumption = waiting->resumption = g_strdup (call->resumption);
  g_task_set_task_data (task, waiting, (GDestroyNotify) service_call_waiting_free);
  beckon_mcp_service_open_async (self, FALSE, cancellable, on_ready, task);
}

BECKON_FINISH_POINTER (BeckonMcpResult *, beckon_mcp_service_call, BeckonMcpService)

/* Prompts and resources of a server, which start it where that is needed. */

/* Asks a server that runs now. */
typedef void (*Ask) (BeckonMcpService *self, GTask *task);

typedef struct
{
  Ask ask;
  char *name;         /* of a prompt, or the address of a resource or their pattern */
  gboolean is_template; /* it is a pattern */
  char *argument;     /* (nullable): of it, which is to be completed */
  char *typed;        /* (nullable) */
  GHashTable *values; /* (nullable) */
} PromptWaiting;

static void
service_prompt_waiting_free (gpointer data)
{
  PromptWaiting *waiting = data;

  g_free (waiting->name);
  g_free (waiting->argument);
  g_free (waiting->typed);
  g_clear_pointer (&waiting->values, g_hash_table_unref);
  g_free (waiting);
}

static void
service_prompt_on_text (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  char *text = beckon_mcp_client_get_prompt_finish (BECKON_MCP_CLIENT (source), result, &error);

  if (text != NULL)
    g_task_return_pointer (task, text, g_free);
  else
    g_task_return_error (task, error);
}

/* A prompt that is known from the last use may be gone. */
static void
ask_for_prompt (BeckonMcpService *self, GTask *task)
{
  const PromptWaiting *waiting = g_task_get_task_data (task);

  if (beckon_mcp_prompts_find (beckon_mcp_service_get_prompts (self), waiting->name) == NULL)
    g_task_return_error (task, beckon_text_error_new (BECKON_ERROR, BECKON_ERROR_NOT_FOUND,
                                                      _("“%1$s” has no prompt “%2$s” any more."),
                                                      beckon_mcp_service_get_server (self)->name, waiting->name));
  else
    beckon_mcp_client_get_prompt_async (mcp_service_get_client (self), waiting->name, waiting->values,
                                        g_task_get_cancellable (task), service_prompt_on_text, g_object_ref (task));
}

static void
prompt_on_ready (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  const PromptWaiting *waiting = g_task_get_task_data (task);
  GError *error = NULL;

  if (beckon_mcp_service_open_finish (BECKON_MCP_SERVICE (source), result, &error))
    waiting->ask (BECKON_MCP_SERVICE (source), task);
  else
    g_task_return_error (task, error);
}

/* @values: (nullable). (transfer full) */
static GTask *
task_new (BeckonMcpService *self, gpointer tag, Ask ask, const char *name, GHashTable *values, GCancellable *cancellable,
          GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);
  PromptWaiting *waiting = g_new0 (PromptWaiting, 1);

  g_task_set_source_tag (task, tag);
  waiting->ask = ask;
  waiting->name = g_strdup (name);
  waiting->values = values != NULL ? g_hash_table_ref (values) : NULL;
  g_task_set_task_data (task, waiting, service_prompt_waiting_free);
  return task;
}

void
beckon_mcp_service_get_prompt_async (BeckonMcpService *self, const char *name, GHashTable *values, GCancellable *cancellable,
                                     GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_MCP_SERVICE (self));
  g_return_if_fail (name != NULL);

  beckon_mcp_service_open_async (self, FALSE, cancellable, prompt_on_ready,
                                 task_new (self, beckon_mcp_service_get_prompt_async, ask_for_prompt, name, values,
                                           cancellable, callback, user_data));
}

char *
beckon_mcp_service_get_prompt_finish (BeckonMcpService *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/* --- Values of arguments ------------------------------------------------------------------------------------------ */

static void
on_completed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  char **values = beckon_mcp_client_complete_finish (BECKON_MCP_CLIENT (source), result, &error);

  if (values != NULL)
    g_task_return_pointer (task, values, (GDestroyNotify) g_strfreev);
  else
    g_task_return_error (task, error);
}

static void
ask_to_complete (BeckonMcpService *self, GTask *task)
{
  const PromptWaiting *waiting = g_task_get_task_data (task);
  const BeckonMcpCompletion completion = { .is_template = waiting->is_template,
                                           .name = waiting->name,
                                           .argument = waiting->argument,
                                           .typed = waiting->typed,
                                           .values = waiting->values };

  beckon_mcp_client_complete_async (mcp_service_get_client (self), &completion, g_task_get_cancellable (task),
                                    on_completed, g_object_ref (task));
}

void
beckon_mcp_service_complete_async (BeckonMcpService *self, const BeckonMcpCompletion *completion, GCancellable *cancellable,
                                   GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;
  PromptWaiting *waiting;

  g_return_if_fail (BECKON_IS_MCP_SERVICE (self));
  g_return_if_fail (completion->name != NULL && completion->argument != NULL && completion->typed != NULL);

  task = task_new (self, beckon_mcp_service_complete_async, ask_to_complete, completion->name, completion->values, cancellable,
                   callback, user_data);
  waiting = g_task_get_task_data (task);
  waiting->is_template = completion->is_template;
  waiting->argument = g_strdup (completion->argument);
  waiting->typed = g_strdup (completion->typed);
  beckon_mcp_service_open_async (self, FALSE, cancellable, prompt_on_ready, task);
}

char **
beckon_mcp_service_complete_finish (BeckonMcpService *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/* --- Resources ---------------------------------------------------------------------------------------------------- */

static void
service_prompt_on_resource (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  GPtrArray *contents = beckon_mcp_client_read_resource_finish (BECKON_MCP_CLIENT (source), result, &error);

  if (contents != NULL)
    g_task_return_pointer (task, contents, (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_error (task, error);
}

static void
ask_for_resource (BeckonMcpService *self, GTask *task)
{
  const PromptWaiting *waiting = g_task_get_task_data (task);

  beckon_mcp_client_read_resource_async (mcp_service_get_client (self), waiting->name, g_task_get_cancellable (task),
                                         service_prompt_on_resource, g_object_ref (task));
}

void
beckon_mcp_service_read_resource_async (BeckonMcpService *self, const char *uri, GCancellable *cancellable,
                                        GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_MCP_SERVICE (self));
  g_return_if_fail (uri != NULL);

  beckon_mcp_service_open_async (self, FALSE, cancellable, prompt_on_ready,
                                 task_new (self, beckon_mcp_service_read_resource_async, ask_for_resource, uri, NULL,
                                           cancellable, callback, user_data));
}

GPtrArray *
beckon_mcp_service_read_resource_finish (BeckonMcpService *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
