/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-mcp-servers.h"

#include "base/beckon-error.h"
#include "base/beckon-finish.h"
#include "base/beckon-id.h"
#include "base/beckon-list-model.h"
#include "base/beckon-text-printf.h"
#include "base/beckon-wipe.h"
#include "base/beckon-worker.h"
#include "beckon-mcp-program.h"
#include "library/beckon-server-list.h"
#include "tools/beckon-file-stamp.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _BeckonMcpServers
{
  GObject parent_instance;

  BeckonMcpServiceParts parts;
  BeckonServerList *list;
  GPtrArray *services; /* (element-type BeckonMcpService) */
  guint n_loading;
  GTask *loading; /* (owned) (nullable): until the services of the first snapshot are loaded */
};

BECKON_LIST_MODEL (BeckonMcpServers, beckon_mcp_servers, BECKON_TYPE_MCP_SERVICE, services)

G_DEFINE_FINAL_TYPE_WITH_CODE (BeckonMcpServers, beckon_mcp_servers, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, beckon_mcp_servers_model_init))

/* --- Following the store ------------------------------------------------------------------------------------------ */

static int
find_id (BeckonMcpServers *self, const char *id)
{
  for (guint i = 0; i < self->services->len; i++)
    if (g_strcmp0 (beckon_mcp_service_get_server (g_ptr_array_index (self->services, i))->id, id) == 0)
      return (int) i;
  return -1;
}

static void
end_loading (BeckonMcpServers *self)
{
  g_autoptr (GTask) task = NULL;

  if (self->n_loading > 0 || self->loading == NULL)
    return;
  task = g_steal_pointer (&self->loading);
  g_task_return_boolean (task, TRUE);
}

static void
on_service_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonMcpServers) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!beckon_mcp_service_load_finish (BECKON_MCP_SERVICE (source), result, &error))
    g_message ("what is known of a server was not read: %s", error->message);
  self->n_loading--;
  end_loading (self);
}

static void
load_service (BeckonMcpServers *self, BeckonMcpService *service)
{
  self->n_loading++;
  beckon_mcp_service_load_async (service, NULL, on_service_loaded, g_object_ref (self));
}

static void
on_service_changed (BeckonMcpServers *self, BeckonMcpService *service)
{
  guint index;

  if (g_ptr_array_find (self->services, service, &index))
    g_list_model_items_changed (G_LIST_MODEL (self), index, 1, 1);
}

static void
on_service_closed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  beckon_mcp_service_close_finish (BECKON_MCP_SERVICE (source), result, NULL);
}

static gboolean
mcp_servers_is_listed (GPtrArray *snapshot, const char *id)
{
  for (guint i = 0; i < snapshot->len; i++)
    if (g_strcmp0 (((BeckonMcpServer *) g_ptr_array_index (snapshot, i))->id, id) == 0)
      return TRUE;
  return FALSE;
}

static void
on_list_changed (BeckonMcpServers *self)
{
  GPtrArray *snapshot = beckon_followed_list_get_snapshot (BECKON_FOLLOWED_LIST (self->list));

  if (snapshot == NULL)
    return;
  for (guint i = self->services->len; i > 0; i--)
    {
      g_autoptr (BeckonMcpService) service = g_object_ref (g_ptr_array_index (self->services, i - 1));

      if (mcp_servers_is_listed (snapshot, beckon_mcp_service_get_server (service)->id))
        continue;
      g_signal_handlers_disconnect_by_data (service, self);
      g_ptr_array_remove_index (self->services, i - 1);
      g_list_model_items_changed (G_LIST_MODEL (self), i - 1, 1, 0);
      beckon_mcp_service_close_async (service, NULL, on_service_closed, NULL);
    }
  for (guint i = 0; i < snapshot->len; i++)
    {
      BeckonMcpServer *server = g_ptr_array_index (snapshot, i);
      int found = find_id (self, server->id);
      BeckonMcpService *service;

      /* The two lists are in the order of their names. */
      if (found >= 0)
        {
          gboolean has_news;

          service = g_ptr_array_index (self->services, found);
          has_news = server->listed_at > beckon_mcp_service_get_server (service)->listed_at;
          beckon_mcp_service_set_server (service, server);
          if (has_news)
            load_service (self, service);
        }
      else
        {
          service = beckon_mcp_service_new (server, &self->parts);
          g_signal_connect_object (service, "changed", G_CALLBACK (on_service_changed), self, G_CONNECT_SWAPPED);
          g_ptr_array_insert (self->services, (int) MIN (i, self->services->len), service);
          g_list_model_items_changed (G_LIST_MODEL (self), MIN (i, self->services->len - 1), 0, 1);
          load_service (self, service);
        }
    }
}

static void
on_list_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonMcpServers) self = user_data;
  g_autoptr (GTask) task = NULL;
  GError *error = NULL;

  if (beckon_followed_list_load_finish (BECKON_FOLLOWED_LIST (source), result, &error))
    {
      end_loading (self);
      return;
    }
  task = g_steal_pointer (&self->loading);
  g_task_return_error (task, error);
}

void
beckon_mcp_servers_load_async (BeckonMcpServers *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                               gpointer user_data)
{
  g_return_if_fail (BECKON_IS_MCP_SERVERS (self));
  g_return_if_fail (self->loading == NULL);

  self->loading = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (self->loading, beckon_mcp_servers_load_async);
  beckon_followed_list_load_async (BECKON_FOLLOWED_LIST (self->list), cancellable, on_list_loaded, g_object_ref (self));
}

gboolean
beckon_mcp_servers_load_finish (BeckonMcpServers *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

BeckonMcpService *
beckon_mcp_servers_find (BeckonMcpServers *self, const char *name)
{
  g_return_val_if_fail (BECKON_IS_MCP_SERVERS (self), NULL);

  for (guint i = 0; name != NULL && i < self->services->len; i++)
    {
      BeckonMcpService *service = g_ptr_array_index (self->services, i);
      const BeckonMcpServer *server = beckon_mcp_service_get_server (service);

      if (g_str_equal (server->name, name) || g_strcmp0 (server->id, name) == 0)
        return service;
    }
  return NULL;
}

/* --- Saving ------------------------------------------------------------------------------------------------------- */

typedef struct
{
  BeckonMcpServer *server;
  BeckonMcpServer *before; /* (nullable): as it was stored */
  guint n_stored; /* of its secrets */
  gboolean has_new_secrets;
  GError *error; /* (nullable): why it is not saved */
  gboolean is_new;
} Saving;

static void
saving_free (Saving *saving)
{
  beckon_mcp_server_unref (saving->server);
  g_clear_pointer (&saving->before, beckon_mcp_server_unref);
  g_clear_error (&saving->error);
  g_free (saving);
}

static void store_secrets (GTask *task);

static GPtrArray *
mcp_servers_get_variables (const BeckonMcpServer *server)
{
  return server->kind == BECKON_MCP_KIND_HTTP ? server->headers : server->variables;
}

/* Items that are taken out of the keyring, all at once, before their task goes on. */
typedef struct
{
  GTask *task; /* (owned) */
  void (*done) (GTask *task);
  guint n_left;
} Cleaning;

static void
end_one (Cleaning *cleaning)
{
  g_autoptr (GTask) task = NULL;

  if (--cleaning->n_left > 0)
    return;
  task = cleaning->task;
  cleaning->done (task);
  g_free (cleaning);
}

static void
on_secret_removed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!beckon_secrets_store_finish (BECKON_SECRETS (source), result, &error))
    g_message ("a server's secret stays in the keyring: %s", error->message);
  end_one (user_data);
}

static void
remove_secret (Cleaning *cleaning, const BeckonMcpServer *server, const char *name)
{
  BeckonMcpServers *self = g_task_get_source_object (cleaning->task);
  g_autofree char *id = beckon_mcp_service_make_secret_id (server->id, name);

  cleaning->n_left++;
  beckon_secrets_store_async (self->parts.secrets, id, NULL, NULL, NULL, NULL, on_secret_removed, cleaning);
}

static gboolean
has_secret (const BeckonMcpServer *server, const char *name)
{
  GPtrArray *variables = mcp_servers_get_variables (server);

  for (guint i = 0; i < variables->len; i++)
    {
      const BeckonMcpVariable *variable = g_ptr_array_index (variables, i);

      if (variable->source == BECKON_MCP_VALUE_SECRET && strcmp (variable->name, name) == 0)
        return TRUE;
    }
  return FALSE;
}

/* Until end_one() is called for it. @done: goes on with the task. */
static Cleaning *
begin_cleaning (GTask *task, void (*done) (GTask *task))
{
  Cleaning *cleaning = g_new0 (Cleaning, 1);

  cleaning->task = g_object_ref (task);
  cleaning->done = done;
  cleaning->n_left = 1;
  return cleaning;
}

/* Those that the server does not have any more. @after: (nullable) */
static void
remove_secrets (Cleaning *cleaning, const BeckonMcpServer *server, const BeckonMcpServer *after)
{
  GPtrArray *variables = mcp_servers_get_variables (server);
  const BeckonLogin *login = after != NULL ? after->login : NULL;
  static const char *const old[] = { BECKON_LOGIN_OLD_SECRET_NAMES };

  for (guint i = 0; i < variables->len; i++)
    {
      const BeckonMcpVariable *variable = g_ptr_array_index (variables, i);

      if (variable->source == BECKON_MCP_VALUE_SECRET && (after == NULL || !has_secret (after, variable->name)))
        remove_secret (cleaning, server, variable->name);
    }
  if (server->login != NULL && server->login->has_secret && (login == NULL || !login->has_secret))
    remove_secret (cleaning, server, BECKON_LOGIN_SECRET_NAME);
  for (guint i = 0; server->login != NULL && server->login->has_old_secrets && i < G_N_ELEMENTS (old); i++)
    remove_secret (cleaning, server, old[i]);
}

static void
clean (GTask *task, const BeckonMcpServer *server, const BeckonMcpServer *after, void (*done) (GTask *task))
{
  Cleaning *cleaning = begin_cleaning (task, done);

  remove_secrets (cleaning, server, after);
  end_one (cleaning);
}

static void
return_failure (GTask *task)
{
  Saving *saving = g_task_get_task_data (task);

  g_task_return_error (task, g_steal_pointer (&saving->error));
}

/* A server that isn't there leaves nothing in the keyring; one that was there before keeps what was entered. @error: (transfer
 * full). */
static void
mcp_servers_give_up (GTask *task, GError *error)
{
  Saving *saving = g_task_get_task_data (task);

  saving->error = error;
  if (saving->is_new || g_error_matches (error, BECKON_ERROR, BECKON_ERROR_CONFLICT))
    clean (task, saving->server, NULL, return_failure);
  else
    return_failure (task);
}

static void
return_saved (GTask *task)
{
  BeckonMcpServers *self = g_task_get_source_object (task);
  Saving *saving = g_task_get_task_data (task);
  int index = find_id (self, saving->server->id);

  if (index < 0)
    {
      g_task_return_error (task, beckon_text_error_new (BECKON_ERROR, BECKON_ERROR_CONFLICT,
                                                        _("The server “%s” was removed meanwhile. Add it again."),
                                                        saving->server->name));
      return;
    }
  if (saving->has_new_secrets)
    beckon_mcp_service_stop (g_ptr_array_index (self->services, index));
  g_task_return_pointer (task, g_object_ref (g_ptr_array_index (self->services, index)), g_object_unref);
}

static void
mcp_servers_on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonMcpServers *self = g_task_get_source_object (task);
  Saving *saving = g_task_get_task_data (task);
  GError *error = NULL;
  BeckonMcpServer *server;
  GPtrArray *before;
  g_autoptr (GPtrArray) after = NULL;
  gboolean is_added = FALSE;

  if (!beckon_followed_list_commit_finish (BECKON_FOLLOWED_LIST (source), result, &error))
    {
      mcp_servers_give_up (task, error);
      return;
    }
  /* Values of secrets are nowhere but in the keyring from here on. */
  server = saving->server;
  before = beckon_followed_list_get_snapshot (BECKON_FOLLOWED_LIST (self->list));
  after = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_mcp_server_unref);
  for (guint i = 0; before != NULL && i < before->len; i++)
    {
      BeckonMcpServer *other = g_ptr_array_index (before, i);

      if (g_str_equal (other->id, server->id))
        continue;
      if (!is_added && strcmp (other->name, server->name) > 0)
        {
          g_ptr_array_add (after, beckon_mcp_server_ref (server));
          is_added = TRUE;
        }
      g_ptr_array_add (after, beckon_mcp_server_ref (other));
    }
  if (!is_added)
    g_ptr_array_add (after, beckon_mcp_server_ref (server));
  beckon_followed_list_replace (BECKON_FOLLOWED_LIST (self->list), g_steal_pointer (&after));
  if (saving->before != NULL)
    clean (task, saving->before, saving->server, return_saved);
  else
    return_saved (task);
}

/* The keyring's own advice is for a model's key. @error: (transfer full) */
static GError *
explain_unkept (const BeckonMcpServer *server, guint index, GError *error)
{
  const BeckonMcpVariable *variable = server->kind == BECKON_MCP_KIND_STDIO && index < server->variables->len
                                        ? g_ptr_array_index (server->variables, index) : NULL;
  g_autofree char *name = NULL;

  if (variable == NULL || !g_error_matches (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE))
    return error;
  g_error_free (error);
  name = beckon_mcp_program_quote (server->name);
  return beckon_text_error_new (BECKON_ERROR, BECKON_ERROR_UNAVAILABLE,
                                /* Translators: %1$s is a variable, %2$s a server’s name; the commands stay as they are */
                                _("No keyring here can keep the value of %1$s. Unlock or start one, such as GNOME Keyring, or "
                                  "pass the variable by its name alone: export %1$s=…; beckonctl mcp add %2$s -e %1$s -- …"),
                                variable->name, name);
}

static void
on_secret_stored (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Saving *saving = g_task_get_task_data (task);
  GError *error = NULL;

  if (beckon_secrets_store_finish (BECKON_SECRETS (source), result, &error))
    store_secrets (task);
  else
    mcp_servers_give_up (task, explain_unkept (saving->server, saving->n_stored - 1, error));
}

/* The next value that belongs into the keyring; %NULL if that was the last one. @name: its name, borrowed. */
static char *
take_secret (Saving *saving, const char **name)
{
  GPtrArray *variables = mcp_servers_get_variables (saving->server);
  BeckonLogin *login = saving->server->login;

  while (saving->n_stored < variables->len)
    {
      BeckonMcpVariable *variable = g_ptr_array_index (variables, saving->n_stored++);

      if (variable->source == BECKON_MCP_VALUE_SECRET && variable->value != NULL)
        {
          *name = variable->name;
          return g_steal_pointer (&variable->value);
        }
    }
  *name = BECKON_LOGIN_SECRET_NAME;
  return login != NULL ? g_steal_pointer (&login->secret) : NULL;
}

static void
store_secrets (GTask *task)
{
  BeckonMcpServers *self = g_task_get_source_object (task);
  Saving *saving = g_task_get_task_data (task);
  const char *name = NULL;
  beckon_autowipe char *value = take_secret (saving, &name);
  BeckonBatch *batch;

  if (value != NULL)
    {
      g_autofree char *id = beckon_mcp_service_make_secret_id (saving->server->id, name);
      /* Translators: a name in the keyring: a server's variable */
      g_autofree char *label = beckon_text_printf (_("%1$s of the server %2$s"), name, saving->server->name);

      saving->has_new_secrets = TRUE;
      beckon_secrets_store_line_async (self->parts.secrets, id, beckon_mcp_service_get_key_place (saving->server), label,
                                       value, g_task_get_cancellable (task), on_secret_stored, g_object_ref (task));
      return;
    }
  batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  beckon_batch_put_server (batch, saving->server, saving->is_new);
  beckon_followed_list_commit_async (BECKON_FOLLOWED_LIST (self->list), batch, g_task_get_cancellable (task),
                                     mcp_servers_on_saved,
                                     g_object_ref (task));
}

static gboolean
check_name (BeckonMcpServers *self, const BeckonMcpServer *server, GError **error)
{
  g_autofree char *prefix = beckon_mcp_server_dup_prefix (server);

  for (guint i = 0; i < self->services->len; i++)
    {
      const BeckonMcpServer *other = beckon_mcp_service_get_server (g_ptr_array_index (self->services, i));
      g_autofree char *other_prefix = beckon_mcp_server_dup_prefix (other);

      if (g_strcmp0 (other->id, server->id) == 0)
        {
          if (g_str_equal (other->name, server->name))
            continue;
          g_set_error_literal (error, BECKON_ERROR, BECKON_ERROR_INVALID,
                               _("The name of a server can't be changed, as its rules go by it. Add it again with another "
                                 "name."));
          return FALSE;
        }
      if (g_str_equal (other_prefix, prefix))
        {
          beckon_text_set_error (error, BECKON_ERROR, BECKON_ERROR_CONFLICT,
                                 _("There is already a server “%s”. Choose another name."), other->name);
          return FALSE;
        }
    }
  return TRUE;
}

static void
take_stamps (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Saving *saving = data;
  g_auto (GStrv) files = beckon_mcp_program_list_files (saving->server);

  g_free (saving->server->stamps);
  saving->server->stamps = beckon_file_stamps_take_dated ((const char *const *) files);
  g_task_return_boolean (task, TRUE);
}

static void
on_stamped (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  g_task_propagate_boolean (G_TASK (result), NULL);
  store_secrets (task);
}

/* A person who adds a server, sets how it starts or switches it on approves its program as it is then; other changes say
 * nothing of it. */
static gboolean
approves_program (const Saving *saving)
{
  const BeckonMcpServer *server = saving->server;
  const BeckonMcpServer *before = saving->before;

  return server->kind == BECKON_MCP_KIND_STDIO && !server->is_sandboxed
         && (before == NULL || (server->is_on && !before->is_on) || !beckon_mcp_server_starts_alike (before, server));
}

void
beckon_mcp_servers_save_async (BeckonMcpServers *self, BeckonMcpServer *server, GCancellable *cancellable,
                               GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Saving *saving;
  GError *error = NULL;
  int index;

  g_return_if_fail (BECKON_IS_MCP_SERVERS (self));
  g_return_if_fail (server != NULL);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_mcp_servers_save_async);
  if (!beckon_mcp_server_check (server, &error) || !check_name (self, server, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  saving = g_new0 (Saving, 1);
  saving->server = beckon_mcp_server_copy (server);
  if (saving->server->id == NULL)
    {
      saving->is_new = TRUE;
      saving->server->id = beckon_id_new ();
      saving->server->created_at = beckon_clock_get_real_time (self->parts.clock);
    }
  index = find_id (self, saving->server->id);
  saving->before
      = index >= 0 ? beckon_mcp_server_ref (beckon_mcp_service_get_server (g_ptr_array_index (self->services, index))) : NULL;
  g_task_set_task_data (task, saving, (GDestroyNotify) saving_free);
  if (approves_program (saving))
    {
      g_autoptr (GTask) stamping = g_task_new (self, NULL, on_stamped, g_object_ref (task));

      g_task_set_source_tag (stamping, approves_program);
      g_task_set_task_data (stamping, saving, NULL);
      beckon_worker_run (stamping, take_stamps);
      return;
    }
  if (saving->before != NULL && saving->server->stamps == NULL)
    saving->server->stamps = g_strdup (saving->before->stamps);
  store_secrets (task);
}

BECKON_FINISH_POINTER (BeckonMcpService *, beckon_mcp_servers_save, BeckonMcpServers)

BeckonRules *
beckon_mcp_servers_get_rules (BeckonMcpServers *self)
{
  return self->parts.rules;
}

/* --- Removing ----------------------------------------------------------------------------------------------------- */

static void
on_signed_out (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree char *notice = NULL;
  g_autoptr (GError) error = NULL;

  if (!beckon_oauth_sign_out_finish (BECKON_OAUTH (source), result, &notice, &error))
    g_message ("a server's sign-in stays in the keyring: %s", error->message);
  else if (notice != NULL)
    g_message ("a server's sign-in was not revoked: %s", notice);
  end_one (user_data);
}

static void
return_removed (GTask *task)
{
  g_task_return_boolean (task, TRUE);
}

static void
mcp_servers_on_removed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  BeckonMcpServers *self = g_task_get_source_object (task);
  BeckonMcpService *service = g_task_get_task_data (task);
  const BeckonMcpServer *server = beckon_mcp_service_get_server (service);
  GPtrArray *before = beckon_followed_list_get_snapshot (BECKON_FOLLOWED_LIST (self->list));
  g_autoptr (BeckonMcpServer) kept = NULL;
  GPtrArray *after;
  Cleaning *cleaning;
  GError *error = NULL;
  BeckonOauth *oauth;

  if (!beckon_followed_list_commit_finish (BECKON_FOLLOWED_LIST (source), result, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  after = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_mcp_server_unref);
  for (guint i = 0; i < before->len; i++)
    if (!g_str_equal (((BeckonMcpServer *) g_ptr_array_index (before, i))->id, server->id))
      g_ptr_array_add (after, beckon_mcp_server_ref (g_ptr_array_index (before, i)));
  kept = beckon_mcp_server_ref ((BeckonMcpServer *) server);
  beckon_followed_list_replace (BECKON_FOLLOWED_LIST (self->list), after);
  cleaning = begin_cleaning (task, return_removed);
  oauth = beckon_mcp_service_get_oauth (service);
  if (oauth != NULL)
    {
      cleaning->n_left++;
      beckon_oauth_sign_out_async (oauth, NULL, on_signed_out, cleaning);
    }
  remove_secrets (cleaning, kept, NULL);
  end_one (cleaning);
}

void
beckon_mcp_servers_remove_async (BeckonMcpServers *self, BeckonMcpService *service, GCancellable *cancellable,
                                 GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;
  BeckonBatch *batch;

  g_return_if_fail (BECKON_IS_MCP_SERVERS (self));
  g_return_if_fail (BECKON_IS_MCP_SERVICE (service));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_mcp_servers_remove_async);
  g_task_set_task_data (task, g_object_ref (service), g_object_unref);
  batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  beckon_batch_delete_server (batch, beckon_mcp_service_get_server (service));
  beckon_followed_list_commit_async (BECKON_FOLLOWED_LIST (self->list), batch, cancellable, mcp_servers_on_removed, task);
}

BECKON_FINISH_BOOLEAN (beckon_mcp_servers_remove, BeckonMcpServers)

/* --- The end ------------------------------------------------------------------------------------------------------ */

static void
on_one_closed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  guint *left = g_task_get_task_data (task);

  beckon_mcp_service_close_finish (BECKON_MCP_SERVICE (source), result, NULL);
  if (--*left == 0)
    g_task_return_boolean (task, TRUE);
}

void
beckon_mcp_servers_close_async (BeckonMcpServers *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  guint *left;

  g_return_if_fail (BECKON_IS_MCP_SERVERS (self));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, beckon_mcp_servers_close_async);
  left = g_new (guint, 1);
  *left = self->services->len;
  g_task_set_task_data (task, left, g_free);
  if (self->services->len == 0)
    g_task_return_boolean (task, TRUE);
  for (guint i = 0; i < self->services->len; i++)
    beckon_mcp_service_close_async (g_ptr_array_index (self->services, i), cancellable, on_one_closed, g_object_ref (task));
}

BECKON_FINISH_BOOLEAN (beckon_mcp_servers_close, BeckonMcpServers)

static void
beckon_mcp_servers_finalize (GObject *object)
{
  BeckonMcpServers *self = BECKON_MCP_SERVERS (object);

  g_ptr_array_unref (self->services);
  g_clear_object (&self->list);
  g_clear_object (&self->parts.store);
  g_clear_object (&self->parts.secrets);
  g_clear_object (&self->parts.registry);
  g_clear_object (&self->parts.clock);
  g_clear_object (&self->parts.rules);
  g_clear_object (&self->parts.overrides);

  G_OBJECT_CLASS (beckon_mcp_servers_parent_class)->finalize (object);
}

static void
beckon_mcp_servers_class_init (BeckonMcpServersClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_mcp_servers_finalize;
}

static void
beckon_mcp_servers_init (BeckonMcpServers *self)
{
  self->services = g_ptr_array_new_with_free_func (g_object_unref);
}

BeckonMcpServers *
beckon_mcp_servers_new (const BeckonMcpServiceParts *parts)
{
  BeckonMcpServers *self;

  g_return_val_if_fail (parts != NULL, NULL);

  self = g_object_new (BECKON_TYPE_MCP_SERVERS, NULL);
  self->parts = *parts;
  g_object_ref (parts->store);
  g_object_ref (parts->secrets);
  g_object_ref (parts->registry);
  g_object_ref (parts->clock);
  if (parts->rules != NULL)
    g_object_ref (parts->rules);
  if (parts->overrides != NULL)
    g_object_ref (parts->overrides);
  self->list = beckon_server_list_new (parts->store);
  self->parts.list = BECKON_FOLLOWED_LIST (self->list);
  g_signal_connect_object (self->list, "changed", G_CALLBACK (on_list_changed), self, G_CONNECT_SWAPPED);
  return self;
}
