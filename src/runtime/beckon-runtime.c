/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-runtime.h"

#include "agent/beckon-landing-upkeep.h"
#include "beckon-endpoints.h"
#include "base/beckon-finish.h"
#include "domain/beckon-model-table.h"
#include "landing/beckon-runners.h"
#include "request/beckon-deadlines.h"
#include "settings/beckon-secret-vault.h"
#include "store/queries/beckon-store-secrets.h"

/* How long the end of the program waits for the keyring to give up what was deleted. */
#define KEYRING_PATIENCE_MS (3 * 1000)

struct _BeckonRuntime
{
  GObject parent_instance;

  gboolean light;
  gboolean gradual;
  BeckonSettings *settings;
  BeckonSecrets *secrets;
  BeckonTour *tour;
  BeckonEndpoints *endpoints;
  BeckonProfileTester *tester;
  BeckonStore *store;
  BeckonInbox *inbox;
  BeckonVault *vault;
  BeckonDeadlines *deadlines;
  BeckonLibrary *library;
  BeckonProfiles *profiles;
  BeckonRules *rules;
  BeckonArgumentOverrides *parameters;
  BeckonProvider *provider;
  BeckonOutputStore *spool;
  BeckonToolRegistry *tools;
  BeckonMcpServers *servers;
  BeckonAgent *agent;
};

G_DEFINE_FINAL_TYPE (BeckonRuntime, beckon_runtime, G_TYPE_OBJECT)

typedef enum
{
  SIGNAL_USABLE,
} BeckonRuntimeSignal;

static guint signals[SIGNAL_USABLE + 1];

/* The lists are asked for at once; the store reads them in order, and the last to come back ends the task, or the first step
 * of it. */
typedef struct
{
  guint left;
  gboolean has_rest;
  GError *error;
} Opening;

static void
opening_free (Opening *opening)
{
  g_clear_error (&opening->error);
  g_free (opening);
}

static void read_rest (GTask *task);

static void
loaded (GTask *task, GError *error)
{
  Opening *opening = g_task_get_task_data (task);

  if (error != NULL && opening->error == NULL)
    opening->error = error;
  else
    g_clear_error (&error);
  if (--opening->left > 0)
    return;
  if (opening->error != NULL)
    g_task_return_error (task, g_steal_pointer (&opening->error));
  else if (opening->has_rest)
    read_rest (task);
  else
    g_task_return_boolean (task, TRUE);
}

static void
on_library_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  beckon_library_load_finish (BECKON_LIBRARY (source), result, &error);
  loaded (task, error);
}

/* Without their list the tools of servers are absent, and everything else works. */
static void
on_servers_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;

  if (!beckon_mcp_servers_load_finish (BECKON_MCP_SERVERS (source), result, &error))
    g_message ("%s", error->message);
  loaded (task, NULL);
}

static void
load_servers (GTask *task)
{
  BeckonRuntime *self = g_task_get_source_object (task);

  beckon_mcp_servers_load_async (self->servers, g_task_get_cancellable (task), on_servers_loaded, g_object_ref (task));
}

/* Behind what a window then asks for. */
static gboolean
load_rest (gpointer user_data)
{
  GTask *task = user_data;
  BeckonRuntime *self = g_task_get_source_object (task);

  load_servers (task);
  beckon_library_load_async (self->library, g_task_get_cancellable (task), on_library_loaded, g_object_ref (task));
  return G_SOURCE_REMOVE;
}

static void
read_rest (GTask *task)
{
  Opening *opening = g_task_get_task_data (task);

  opening->has_rest = FALSE;
  opening->left = 2;
  g_signal_emit (g_task_get_source_object (task), signals[SIGNAL_USABLE], 0);
  g_idle_add_full (G_PRIORITY_LOW, load_rest, g_object_ref (task), g_object_unref);
}

static void
on_profiles_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  BeckonRuntime *self;
  g_autofree char *chosen = NULL;
  BeckonProfile *profile;
  const char *url;

  beckon_profiles_load_finish (BECKON_PROFILES (source), result, &error);
  /* The key that was set before the start is for the server that was chosen before it. Neither a later choice nor a profile
   * that is named in a command moves it to another server. */
  self = g_task_get_source_object (task);
  chosen = beckon_settings_dup_default_profile (self->settings);
  profile = beckon_profiles_lookup (self->profiles, chosen);
  url = g_getenv (BECKON_SECRETS_URL_VARIABLE);
  if (url != NULL && *url != '\0')
    beckon_endpoints_bind_environment (self->endpoints, url);
  else if (profile != NULL && beckon_profile_get_kind (profile) != BECKON_PROFILE_TOUR)
    beckon_endpoints_bind_environment (self->endpoints, beckon_profile_get_base_url (profile));
  loaded (task, error);
}

static void
on_rules_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  beckon_rules_load_finish (BECKON_RULES (source), result, &error);
  loaded (task, error);
}

static void
on_parameters_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  beckon_followed_list_load_finish (BECKON_FOLLOWED_LIST (source), result, &error);
  loaded (task, error);
}

static void
on_inbox_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  beckon_inbox_load_finish (BECKON_INBOX (source), result, &error);
  loaded (task, error);
}

/* Callers that are not gradual wait until folders are whole again. */
static void
on_landings_recovered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;

  if (!beckon_landing_upkeep_recover_finish (BECKON_STORE (source), result, &error))
    g_message ("%s", error->message);
  if (!((BeckonRuntime *) g_task_get_source_object (task))->gradual)
    loaded (task, NULL);
}

static void
on_store_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonRuntime *self = g_task_get_source_object (task);
  GCancellable *cancellable = g_task_get_cancellable (task);
  GError *error = NULL;

  if (!beckon_store_open_finish (BECKON_STORE (source), result, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  beckon_landing_upkeep_recover_async (self->store, on_landings_recovered, g_object_ref (task));
  beckon_profiles_load_async (self->profiles, cancellable, on_profiles_loaded, g_object_ref (task));
  beckon_rules_load_async (self->rules, cancellable, on_rules_loaded, g_object_ref (task));
  beckon_followed_list_load_async (BECKON_FOLLOWED_LIST (self->parameters), cancellable, on_parameters_loaded,
                                   g_object_ref (task));
  if (self->light || !self->gradual)
    load_servers (task);
  if (self->light)
    return;
  beckon_inbox_load_async (self->inbox, cancellable, on_inbox_loaded, g_object_ref (task));
  if (self->gradual)
    beckon_library_load_first_async (self->library, cancellable, on_library_loaded, g_object_ref (task));
  else
    beckon_library_load_async (self->library, cancellable, on_library_loaded, g_object_ref (task));
}

void
beckon_runtime_set_gradual (BeckonRuntime *self, gboolean gradual)
{
  g_return_if_fail (BECKON_IS_RUNTIME (self));

  self->gradual = gradual;
}

void
beckon_runtime_set_light (BeckonRuntime *self, gboolean light)
{
  g_return_if_fail (BECKON_IS_RUNTIME (self));

  self->light = light;
}

void
beckon_runtime_set_tour_place (BeckonRuntime *self, BeckonTourPlace place)
{
  g_return_if_fail (BECKON_IS_RUNTIME (self));

  beckon_tour_set_place (self->tour, place);
}

void
beckon_runtime_open_async (BeckonRuntime *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                           gpointer user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);
  Opening *opening = g_new0 (Opening, 1);

  g_return_if_fail (BECKON_IS_RUNTIME (self));

  g_task_set_source_tag (task, beckon_runtime_open_async);
  opening->left = (self->light ? 3 : 5) + (self->gradual ? 0 : 1) + (self->light || !self->gradual ? 1 : 0);
  opening->has_rest = self->gradual && !self->light;
  g_task_set_task_data (task, opening, (GDestroyNotify) opening_free);
  beckon_store_open_async (self->store, cancellable, on_store_opened, task);
}

BECKON_FINISH_BOOLEAN (beckon_runtime_open, BeckonRuntime)

typedef struct
{
  GCancellable *patience; /* (owned): with the keyring */
  guint timeout_id;
  GError *error; /* (owned) (nullable): the store's */
} Closing;

static void
closing_free (Closing *closing)
{
  g_clear_handle_id (&closing->timeout_id, g_source_remove);
  g_object_unref (closing->patience);
  g_clear_error (&closing->error);
  g_free (closing);
}

static void
on_vault_flushed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Closing *closing = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  if (!beckon_vault_flush_finish (BECKON_VAULT (source), result, &error))
    g_message ("masked answers may stay in the keyring: %s", error->message);
  if (closing->error != NULL)
    g_task_return_error (task, g_steal_pointer (&closing->error));
  else
    g_task_return_boolean (task, TRUE);
}

static gboolean
runtime_on_patience_over (gpointer user_data)
{
  Closing *closing = user_data;

  closing->timeout_id = 0;
  g_cancellable_cancel (closing->patience);
  return G_SOURCE_REMOVE;
}

static void
on_store_closed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonRuntime *self = g_task_get_source_object (task);
  Closing *closing = g_new0 (Closing, 1);

  beckon_store_close_finish (BECKON_STORE (source), result, &closing->error);
  closing->patience = g_cancellable_new ();
  closing->timeout_id = g_timeout_add (KEYRING_PATIENCE_MS, runtime_on_patience_over, closing);
  g_task_set_task_data (task, closing, (GDestroyNotify) closing_free);
  beckon_vault_flush_async (self->vault, closing->patience, on_vault_flushed, g_object_ref (task));
}

/* Last writes of a run come in an idle of high priority, so the closing goes behind it. */
static gboolean
close_store (gpointer user_data)
{
  GTask *task = user_data;
  BeckonRuntime *self = g_task_get_source_object (task);

  beckon_store_close_async (self->store, on_store_closed, g_object_ref (task));
  return G_SOURCE_REMOVE;
}

/* The last words of servers are stored before the store closes. */
static void
on_servers_closed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GTask *task = user_data;

  beckon_mcp_servers_close_finish (BECKON_MCP_SERVERS (source), result, NULL);
  g_idle_add_full (G_PRIORITY_DEFAULT, close_store, task, g_object_unref);
}

void
beckon_runtime_close_async (BeckonRuntime *self, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (self, NULL, callback, user_data);

  g_return_if_fail (BECKON_IS_RUNTIME (self));

  g_task_set_source_tag (task, beckon_runtime_close_async);
  beckon_deadlines_set_minutes (self->deadlines, 0);
  beckon_inbox_flush (self->inbox);
  beckon_library_flush (self->library);
  beckon_store_forget_temporary_secrets (self->store, self->vault);
  beckon_agent_detach (self->agent);
  beckon_mcp_servers_close_async (self->servers, NULL, on_servers_closed, task);
}

BECKON_FINISH_BOOLEAN (beckon_runtime_close, BeckonRuntime)

static void
apply_tools (BeckonRuntime *self)
{
  g_autofree char *search_address = beckon_settings_dup_search_address (self->settings);
  g_auto (GStrv) tool_chains = beckon_settings_dup_tool_chains (self->settings);
  g_auto (GStrv) disabled = beckon_settings_dup_disabled_tools (self->settings);

  beckon_tool_registry_set_web (self->tools, beckon_settings_get_fetch_private_addresses (self->settings), search_address);
  beckon_tool_registry_set_tool_chains (self->tools, (const char *const *) tool_chains);
  beckon_tool_registry_set_disabled (self->tools, (const char *const *) disabled);
}

static void
apply_limits (BeckonRuntime *self)
{
  BeckonProviderLimits limits;

  beckon_provider_limits_default (&limits);
  limits.connect_s = beckon_settings_get_connect_timeout (self->settings);
  limits.first_byte_s = beckon_settings_get_first_byte_timeout (self->settings);
  limits.idle_s = beckon_settings_get_idle_timeout (self->settings);
  limits.local_first_byte_s = beckon_settings_get_local_first_byte_timeout (self->settings);
  limits.local_idle_s = beckon_settings_get_local_idle_timeout (self->settings);
  beckon_provider_set_limits (self->provider, &limits);
}

static void
set_deadlines (BeckonRuntime *self)
{
  guint minutes = beckon_settings_get_request_timeout (self->settings);

  beckon_deadlines_set_minutes (self->deadlines, MIN (minutes, BECKON_DEADLINES_MINUTES_MAX));
}

static void
set_mode (BeckonRuntime *self)
{
  beckon_library_set_default_mode (self->library, beckon_settings_get_default_mode (self->settings));
}

/* Programs that print a key and servers of one's own run outside of the sandbox, so no change of them lands unasked. */
static void
guard_programs (BeckonRuntime *self)
{
  g_autoptr (GArray) programs = g_array_new (FALSE, FALSE, sizeof (BeckonRunnerProgram));
  g_autoptr (GPtrArray) kept = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  guint n_servers = self->servers != NULL ? g_list_model_get_n_items (G_LIST_MODEL (self->servers)) : 0;

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->profiles)); i++)
    {
      g_autoptr (BeckonProfile) profile = g_list_model_get_item (G_LIST_MODEL (self->profiles), i);
      BeckonRunnerProgram program = { .argv = (const char *const *) beckon_profile_dup_key_argv (profile) };

      if (program.argv == NULL)
        continue;
      g_ptr_array_add (kept, (gpointer) program.argv);
      g_array_append_val (programs, program);
    }
  for (guint i = 0; i < n_servers; i++)
    {
      g_autoptr (BeckonMcpService) service = g_list_model_get_item (G_LIST_MODEL (self->servers), i);
      const BeckonMcpServer *server = beckon_mcp_service_get_server (service);
      BeckonRunnerProgram program = { server->name, server->directory, NULL };

      if (server->kind != BECKON_MCP_KIND_STDIO || server->is_sandboxed || server->program == NULL)
        continue;
      program.argv = (const char *const *) beckon_mcp_server_list_words (server);
      g_ptr_array_add (kept, (gpointer) program.argv);
      g_array_append_val (programs, program);
    }
  beckon_runners_set_programs ((const BeckonRunnerProgram *) (gpointer) programs->data, programs->len);
}

BeckonRuntime *
beckon_runtime_new (const char *directory)
{
  BeckonRuntime *self = g_object_new (BECKON_TYPE_RUNTIME, NULL);
  BeckonClock *clock = beckon_clock_get_system ();

  beckon_model_table_read_own ();
  self->settings = beckon_settings_new ();
  self->secrets = beckon_secrets_new ();
  self->tour = beckon_tour_new ();
  self->endpoints = beckon_endpoints_new (self->secrets, self->tour);
  self->tester = beckon_profile_tester_new (BECKON_ENDPOINT_SOURCE (self->endpoints));
  self->store = beckon_store_new (directory, clock);
  self->inbox = beckon_inbox_new (BECKON_REQUEST_STORE (self->store), clock);
  self->vault = beckon_secret_vault_new ();
  beckon_inbox_set_vault (self->inbox, self->vault);
  self->deadlines = beckon_deadlines_new (self->inbox, BECKON_REQUEST_STORE (self->store), clock);
  set_deadlines (self);
  g_signal_connect_object (self->settings, "changed", G_CALLBACK (set_deadlines), self, G_CONNECT_SWAPPED);
  self->library = beckon_library_new (self->store, clock);
  beckon_library_set_vault (self->library, self->vault);
  set_mode (self);
  g_signal_connect_object (self->settings, "changed", G_CALLBACK (set_mode), self, G_CONNECT_SWAPPED);
  self->profiles = beckon_profiles_new (self->store);
  g_signal_connect_object (self->profiles, "changed", G_CALLBACK (guard_programs), self, G_CONNECT_SWAPPED);
  self->rules = beckon_rules_new (self->store);
  self->parameters = beckon_argument_overrides_new (self->store);
  self->provider = beckon_provider_new (BECKON_ENDPOINT_SOURCE (self->endpoints), clock);
  self->tools = beckon_tool_registry_new ();
  beckon_tool_registry_add_builtin (self->tools);
  self->spool = beckon_output_store_new ();
  g_signal_connect_object (self->library, "gone", G_CALLBACK (beckon_output_store_remove), self->spool, G_CONNECT_SWAPPED);
  beckon_tool_registry_add_working (self->tools, &(BeckonToolParts){
                                                   .copies = BECKON_FILE_COPIES (self->store),
                                                   .memory = BECKON_MEMORY (self->store),
                                                   .outputs = self->spool,
                                                 });
  self->servers = beckon_mcp_servers_new (&(BeckonMcpServiceParts){
      .store = self->store,
      .secrets = self->secrets,
      .registry = self->tools,
      .clock = clock,
      .rules = self->rules,
      .overrides = self->parameters,
  });
  g_signal_connect_object (self->servers, "items-changed", G_CALLBACK (guard_programs), self, G_CONNECT_SWAPPED);
  self->agent = beckon_agent_new (&(BeckonAgentParts){
      .store = self->store,
      .library = self->library,
      .profiles = self->profiles,
      .rules = self->rules,
      .parameters = self->parameters,
      .inbox = self->inbox,
      .provider = self->provider,
      .tools = self->tools,
      .servers = self->servers,
      .settings = self->settings,
      .clock = clock,
  });
  apply_limits (self);
  g_signal_connect_object (self->settings, "changed", G_CALLBACK (apply_limits), self, G_CONNECT_SWAPPED);
  apply_tools (self);
  g_signal_connect_object (self->settings, "changed", G_CALLBACK (apply_tools), self, G_CONNECT_SWAPPED);
  return self;
}

static void
beckon_runtime_dispose (GObject *object)
{
  BeckonRuntime *self = BECKON_RUNTIME (object);

  g_clear_pointer (&self->deadlines, beckon_deadlines_free);
  g_clear_object (&self->agent);
  g_clear_object (&self->servers);
  g_clear_object (&self->tools);
  g_clear_object (&self->spool);
  g_clear_object (&self->provider);
  g_clear_object (&self->parameters);
  g_clear_object (&self->rules);
  g_clear_object (&self->profiles);
  g_clear_object (&self->library);
  g_clear_object (&self->inbox);
  g_clear_object (&self->vault);
  g_clear_object (&self->store);
  g_clear_object (&self->tester);
  g_clear_object (&self->endpoints);
  g_clear_object (&self->tour);
  g_clear_object (&self->secrets);
  g_clear_object (&self->settings);
  G_OBJECT_CLASS (beckon_runtime_parent_class)->dispose (object);
}

static void
beckon_runtime_class_init (BeckonRuntimeClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_runtime_dispose;
  signals[SIGNAL_USABLE] = g_signal_new ("usable", BECKON_TYPE_RUNTIME, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                         G_TYPE_NONE, 0);
}

static void
beckon_runtime_init (BeckonRuntime *self)
{
}

BeckonAgent *
beckon_runtime_get_agent (BeckonRuntime *self)
{
  return self->agent;
}

BeckonProfileTester *
beckon_runtime_get_tester (BeckonRuntime *self)
{
  return self->tester;
}

BeckonInbox *
beckon_runtime_get_inbox (BeckonRuntime *self)
{
  return self->inbox;
}

BeckonLibrary *
beckon_runtime_get_library (BeckonRuntime *self)
{
  return self->library;
}

BeckonProfiles *
beckon_runtime_get_profiles (BeckonRuntime *self)
{
  return self->profiles;
}

BeckonRules *
beckon_runtime_get_rules (BeckonRuntime *self)
{
  return self->rules;
}

BeckonArgumentOverrides *
beckon_runtime_get_parameters (BeckonRuntime *self)
{
  return self->parameters;
}

BeckonSecrets *
beckon_runtime_get_secrets (BeckonRuntime *self)
{
  return self->secrets;
}

BeckonMcpServers *
beckon_runtime_get_servers (BeckonRuntime *self)
{
  return self->servers;
}

BeckonSettings *
beckon_runtime_get_settings (BeckonRuntime *self)
{
  return self->settings;
}

BeckonStore *
beckon_runtime_get_store (BeckonRuntime *self)
{
  return self->store;
}

BeckonToolRegistry *
beckon_runtime_get_tools (BeckonRuntime *self)
{
  return self->tools;
}
