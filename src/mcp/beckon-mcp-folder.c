/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-mcp-folder.h"

#include "base/beckon-finish.h"
#include "base/beckon-path.h"
#include "base/beckon-worker.h"
#include "beckon-mcp-paste.h"
#include "beckon-mcp-program.h"

#include <stdlib.h>
#include <string.h>

/*
 * Servers that came with a folder. They are saved one after the other. Of several calls each is done when the one before is,
 * since it looks at what that one made of the servers.
 */

typedef struct
{
  char *folder;
  BeckonFolderExtras *extras; /* (nullable) */
  GPtrArray *read;            /* (element-type BeckonMcpServer): as the files have them */
  GPtrArray *changed;         /* (element-type BeckonMcpServer): to be saved */
  GPtrArray *ended;           /* (element-type utf8): ids of rules that were about other programs */
  guint next;
  guint n_opening;            /* servers whose tools are waited for; one more until all are asked */
  GError *error; /* (nullable): the last problem */
} Applying;

static Applying *
applying_new (const char *folder, BeckonFolderExtras *extras)
{
  Applying *applying = g_new0 (Applying, 1);

  applying->folder = g_strdup (folder);
  applying->extras = extras != NULL ? beckon_folder_extras_ref (extras) : NULL;
  applying->read = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_mcp_server_unref);
  applying->changed = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_mcp_server_unref);
  applying->ended = g_ptr_array_new_with_free_func (g_free);
  return applying;
}

static void
applying_free (gpointer data)
{
  Applying *applying = data;

  g_free (applying->folder);
  g_clear_pointer (&applying->extras, beckon_folder_extras_unref);
  g_ptr_array_unref (applying->read);
  g_ptr_array_unref (applying->changed);
  g_ptr_array_unref (applying->ended);
  g_clear_error (&applying->error);
  g_free (applying);
}

/* @error: (transfer full) */
static void
note_problem (Applying *applying, const char *name, GError *error)
{
  g_message ("the server “%s” of a folder is not used: %s", name, error->message);
  g_clear_error (&applying->error);
  applying->error = error;
}

/* --- One server --------------------------------------------------------------------------------------------------- */

/* (transfer full) (nullable) (element-type BeckonMcpDraft) */
static GPtrArray *
read_drafts (BeckonFolderExtras *extras, const BeckonFolderExtra *extra, char **directory, GError **error)
{
  g_autofree char *file = g_build_filename (beckon_folder_extras_get_root (extras), extra->path, NULL);
  BeckonMcpPasteContext context = { .is_foreign = TRUE };

  *directory = g_path_get_dirname (file);
  context.folder = *directory;
  return beckon_mcp_paste_read_json (extra->text, strlen (extra->text), &context, error);
}

GPtrArray *
beckon_mcp_folder_list_missing (BeckonFolderExtras *extras, const BeckonFolderExtra *extra)
{
  GPtrArray *missing = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *directory = NULL;
  g_autoptr (GPtrArray) drafts = extra->fault == NULL ? read_drafts (extras, extra, &directory, NULL) : NULL;
  const BeckonMcpDraft *draft = drafts != NULL ? g_ptr_array_index (drafts, 0) : NULL;

  for (guint i = 0; draft != NULL && i < draft->blanks->len; i++)
    {
      const BeckonMcpBlank *blank = g_ptr_array_index (draft->blanks, i);

      if (blank->value != NULL)
        continue;
      g_ptr_array_add (missing, strstr (blank->token, blank->title) != NULL
                       ? g_strdup (blank->token) : g_strdup_printf ("%s (%s)", blank->title, blank->token));
    }
  return missing;
}

/* (transfer full) (nullable): as the file has it. */
static BeckonMcpServer *
mcp_folder_read_server (Applying *applying, const BeckonFolderExtra *extra)
{
  const char *root = beckon_folder_extras_get_root (applying->extras);
  g_autofree char *directory = NULL;
  GError *error = NULL;
  g_autoptr (GPtrArray) drafts = read_drafts (applying->extras, extra, &directory, &error);
  BeckonMcpServer *server = drafts != NULL ? beckon_mcp_draft_make_server (g_ptr_array_index (drafts, 0), NULL, &error) : NULL;

  if (server == NULL)
    {
      note_problem (applying, extra->name, error);
      return NULL;
    }
  g_free (server->name);
  server->name = g_strdup (extra->name);
  g_free (server->folder);
  server->folder = g_strdup (applying->folder);
  g_free (server->came_with);
  server->came_with = g_strdup (extra->name);
  server->is_sandboxed = server->kind == BECKON_MCP_KIND_STDIO;
  server->has_network = FALSE;
  server->can_write = FALSE;
  if (server->kind == BECKON_MCP_KIND_STDIO)
    {
      char *real_root = realpath (root, NULL);
      char *real = server->directory != NULL ? realpath (server->directory, NULL) : NULL;
      gboolean is_outside = server->directory == NULL || !beckon_path_is_within (server->directory, root);

      /* The sandbox shows the folder that the server runs in, so that is none of the file's choice outside the repository,
       * neither by its name nor by links on the way. Links within are resolved: a server is not started where there is one. */
      if (is_outside || (real != NULL && (real_root == NULL || !beckon_path_is_within (real, real_root))))
        {
          free (real);
          real = realpath (directory, NULL);
          g_free (server->directory);
          server->directory = g_strdup (directory);
        }
      if (real != NULL && real_root != NULL && beckon_path_is_within (real, real_root))
        {
          g_free (server->directory);
          server->directory = g_strdup (real);
        }
      free (real);
      free (real_root);
    }
  return server;
}

static gboolean
came_with (const BeckonMcpServer *server, const char *folder)
{
  return server->came_with != NULL && g_strcmp0 (server->folder, folder) == 0;
}

/* (nullable): borrowed. */
static const BeckonMcpServer *
find_existing (BeckonMcpServers *self, const char *folder, const char *name)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self)); i++)
    {
      g_autoptr (BeckonMcpService) service = g_list_model_get_item (G_LIST_MODEL (self), i);
      const BeckonMcpServer *server = beckon_mcp_service_get_server (service);

      if (came_with (server, folder) && g_str_equal (server->came_with, name))
        return server;
    }
  return NULL;
}

static gboolean
is_taken (BeckonMcpServers *self, const BeckonMcpServer *server)
{
  g_autofree char *prefix = beckon_mcp_server_dup_prefix (server);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self)); i++)
    {
      g_autoptr (BeckonMcpService) service = g_list_model_get_item (G_LIST_MODEL (self), i);
      g_autofree char *other = beckon_mcp_server_dup_prefix (beckon_mcp_service_get_server (service));

      if (g_strcmp0 (prefix, other) == 0)
        return TRUE;
    }
  return FALSE;
}

/* Whether the same program is started in the same place, or the same address reached, with the same environment. */
static gboolean
is_same_program (const BeckonMcpServer *one, const BeckonMcpServer *other)
{
  g_autoptr (BeckonMcpServer) alike = beckon_mcp_server_copy (other);

  alike->has_network = one->has_network;
  alike->can_write = one->can_write;
  alike->ignores_instructions = one->ignores_instructions;
  g_clear_pointer (&alike->login, beckon_login_free);
  alike->login = beckon_login_copy (one->login);
  g_free (alike->folder);
  alike->folder = g_strdup (one->folder);
  alike->timeout_s = one->timeout_s;
  return beckon_mcp_server_starts_alike (one, alike);
}

static gboolean
mcp_folder_is_same (const BeckonMcpServer *one, const BeckonMcpServer *other)
{
  g_autofree char *config = beckon_mcp_server_print_config (one);
  g_autofree char *other_config = beckon_mcp_server_print_config (other);

  return g_str_equal (config, other_config);
}

/* @server: as the file has it */
static void
take_server (BeckonMcpServers *self, Applying *applying, BeckonMcpServer *server)
{
  const BeckonMcpServer *before = find_existing (self, applying->folder, server->came_with);

  if (before == NULL)
    {
      g_autofree char *base = g_path_get_basename (server->folder);

      /* Another server may have the name: the folder's name tells them apart. */
      if (is_taken (self, server))
        {
          g_free (server->name);
          server->name = g_strdup_printf ("%s %s", server->came_with, base);
        }
    }
  else if (is_same_program (server, before))
    {
      /* The permissions of a server are those of its program. */
      server->has_network = before->has_network;
      server->can_write = before->can_write;
      g_clear_pointer (&server->login, beckon_login_free);
      server->login = beckon_login_copy (before->login);
    }
  else
    {
      BeckonRules *rules = beckon_mcp_servers_get_rules (self);
      GPtrArray *all = rules != NULL ? beckon_rules_get_snapshot (rules) : NULL;

      /* Permissions of another program end: its rules that allow. A rule that forbids stays. */
      for (guint i = 0; all != NULL && i < all->len; i++)
        {
          const BeckonRule *rule = g_ptr_array_index (all, i);

          if (g_strcmp0 (rule->server, before->name) == 0 && rule->verdict == BECKON_VERDICT_ALLOW)
            g_ptr_array_add (applying->ended, g_strdup (rule->id));
        }
    }
  if (before != NULL)
    {
      /* The person's own settings stay. */
      g_free (server->id);
      server->id = g_strdup (before->id);
      g_free (server->name);
      server->name = g_strdup (before->name);
      server->is_on = before->is_on;
      server->ignores_instructions = before->ignores_instructions;
      server->offer = before->offer;
      server->timeout_s = before->timeout_s;
      g_strfreev (server->tools_off);
      server->tools_off = g_strdupv (before->tools_off);
      server->listed_at = before->listed_at;
      server->created_at = before->created_at;
    }
  if (before == NULL || !mcp_folder_is_same (server, before))
    g_ptr_array_add (applying->changed, beckon_mcp_server_ref (server));
}

/* --- All of them -------------------------------------------------------------------------------------------------- */

static gboolean
is_brought (const Applying *applying, const char *name)
{
  return applying->extras != NULL && beckon_folder_extras_find (applying->extras, BECKON_FOLDER_EXTRA_SERVER, name) != NULL;
}

/* --- Their tools -------------------------------------------------------------------------------------------------- */

static void
end_opening (GTask *task)
{
  Applying *applying = g_task_get_task_data (task);

  if (--applying->n_opening > 0)
    return;
  if (applying->error != NULL)
    g_task_return_error (task, g_steal_pointer (&applying->error));
  else
    g_task_return_boolean (task, TRUE);
}

/* Why a server could not be started is on its page. */
static void
mcp_folder_on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  beckon_mcp_service_open_finish (BECKON_MCP_SERVICE (source), result, NULL);
  end_opening (task);
}

static gboolean
was_saved (const Applying *applying, const BeckonMcpServer *server)
{
  for (guint i = 0; i < applying->changed->len; i++)
    if (g_str_equal (((BeckonMcpServer *) g_ptr_array_index (applying->changed, i))->name, server->name))
      return TRUE;
  return FALSE;
}

/* A server whose tools are not known is asked for them; a person has accepted that it starts. A server that failed is not
 * tried again in each turn. */
static gboolean
wants_tools (const Applying *applying, BeckonMcpService *service)
{
  const BeckonMcpServer *server = beckon_mcp_service_get_server (service);

  return came_with (server, applying->folder) && beckon_mcp_server_is_used (server)
         && (was_saved (applying, server)
             || (!beckon_mcp_service_has_listed (service)
                 && beckon_mcp_service_get_state (service) != BECKON_MCP_SERVICE_FAILED));
}

/* Such a server starts all the same, beside what needs its tools: it failed the last time, or can hardly start as it is. */
static gboolean
is_doubtful (const Applying *applying, BeckonMcpService *service)
{
  const BeckonMcpServer *server = beckon_mcp_service_get_server (service);
  g_autofree char *advice = beckon_mcp_program_dup_network_advice (server);

  return advice != NULL || (beckon_mcp_service_get_error (service) != NULL && !was_saved (applying, server));
}

/* --- In turn ------------------------------------------------------------------------------------------------------ */

static void find_changes (GTask *task);
static void end_next_rule (GTask *task);
static void save_next (GTask *task);

/* (element-type GTask): those that wait, behind the one that is being done. */
static GQueue *
get_queue (BeckonMcpServers *self)
{
  GQueue *queue = g_object_get_data (G_OBJECT (self), "beckon-mcp-folder-queue");

  if (queue == NULL)
    {
      queue = g_queue_new ();
      g_object_set_data_full (G_OBJECT (self), "beckon-mcp-folder-queue", queue, (GDestroyNotify) g_queue_free);
    }
  return queue;
}

static void
mcp_folder_on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Applying *applying = g_task_get_task_data (task);
  const BeckonMcpServer *saved = g_ptr_array_index (applying->changed, applying->next - 1);
  GError *error = NULL;
  g_autoptr (BeckonMcpService) service = beckon_mcp_servers_save_finish (BECKON_MCP_SERVERS (source), result, &error);

  if (service == NULL)
    note_problem (applying, saved->name, error);
  save_next (task);
}

static void
save_next (GTask *task)
{
  BeckonMcpServers *self = g_task_get_source_object (task);
  Applying *applying = g_task_get_task_data (task);
  g_autoptr (GTask) alive = g_object_ref (task);
  GQueue *queue;

  if (applying->next < applying->changed->len)
    {
      beckon_mcp_servers_save_async (self, g_ptr_array_index (applying->changed, applying->next++), NULL, mcp_folder_on_saved,
                                     g_object_ref (task));
      return;
    }
  queue = get_queue (self);
  g_object_unref (g_queue_pop_head (queue));
  if (!g_queue_is_empty (queue))
    find_changes (g_queue_peek_head (queue));

  applying->n_opening = 1;
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self)); i++)
    {
      g_autoptr (BeckonMcpService) service = g_list_model_get_item (G_LIST_MODEL (self), i);

      if (!wants_tools (applying, service))
        continue;
      if (is_doubtful (applying, service))
        {
          beckon_mcp_service_open_async (service, FALSE, NULL, NULL, NULL);
          continue;
        }
      applying->n_opening++;
      beckon_mcp_service_open_async (service, FALSE, g_task_get_cancellable (task), mcp_folder_on_opened, g_object_ref (task));
    }
  end_opening (task);
}

static void
on_rule_ended (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Applying *applying = g_task_get_task_data (task);
  GError *error = NULL;

  if (beckon_rules_remove_finish (BECKON_RULES (source), result, &error))
    {
      end_next_rule (task);
      return;
    }
  /* With its rules the program would do what nobody allowed it. */
  note_problem (applying, applying->folder, error);
  g_ptr_array_set_size (applying->changed, 0);
  save_next (task);
}

/* Before the programs change. */
static void
end_next_rule (GTask *task)
{
  BeckonMcpServers *self = g_task_get_source_object (task);
  Applying *applying = g_task_get_task_data (task);
  g_autofree char *id = applying->ended->len > 0 ? g_ptr_array_steal_index (applying->ended, 0) : NULL;

  if (id != NULL)
    beckon_rules_remove_async (beckon_mcp_servers_get_rules (self), id, NULL, on_rule_ended, g_object_ref (task));
  else
    save_next (task);
}

static void
take_all (GTask *task)
{
  BeckonMcpServers *self = g_task_get_source_object (task);
  Applying *applying = g_task_get_task_data (task);

  for (guint i = 0; i < applying->read->len; i++)
    take_server (self, applying, g_ptr_array_index (applying->read, i));
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self)); i++)
    {
      g_autoptr (BeckonMcpService) service = g_list_model_get_item (G_LIST_MODEL (self), i);
      const BeckonMcpServer *server = beckon_mcp_service_get_server (service);
      BeckonMcpServer *suspended;

      if (!came_with (server, applying->folder) || server->is_suspended || is_brought (applying, server->came_with))
        continue;
      suspended = beckon_mcp_server_copy (server);
      suspended->is_suspended = TRUE;
      g_ptr_array_add (applying->changed, suspended);
    }
  end_next_rule (task);
}

static void
mcp_folder_on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  take_all (task);
}

/* Links are looked at, which takes as long as the file system does. */
static void
mcp_folder_read_all (GTask *reading, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Applying *applying = g_task_get_task_data (task_data);

  for (guint i = 0; i < beckon_folder_extras_get_n (applying->extras); i++)
    {
      const BeckonFolderExtra *extra = beckon_folder_extras_get (applying->extras, i);
      BeckonMcpServer *server = extra->kind == BECKON_FOLDER_EXTRA_SERVER && extra->fault == NULL
                                  ? mcp_folder_read_server (applying, extra) : NULL;

      if (server != NULL)
        g_ptr_array_add (applying->read, server);
    }
  g_task_return_boolean (reading, TRUE);
}

/* @task: held by the callback until then */
static void
read_then (GTask *task, GAsyncReadyCallback callback)
{
  g_autoptr (GTask) reading = g_task_new (NULL, NULL, callback, g_object_ref (task));

  g_task_set_source_tag (reading, read_then);
  g_task_set_task_data (reading, task, NULL);
  beckon_worker_run (reading, mcp_folder_read_all);
}

static void
find_changes (GTask *task)
{
  Applying *applying = g_task_get_task_data (task);

  if (applying->extras == NULL)
    take_all (task);
  else
    read_then (task, mcp_folder_on_read);
}

void
beckon_mcp_folder_apply_async (BeckonMcpServers *self, const char *folder, BeckonFolderExtras *extras,
                               GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;

  g_return_if_fail (BECKON_IS_MCP_SERVERS (self));
  g_return_if_fail (folder != NULL);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, beckon_mcp_folder_apply_async);
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, applying_new (folder, extras), applying_free);
  g_queue_push_tail (get_queue (self), task);
  if (g_queue_get_length (get_queue (self)) == 1)
    find_changes (task);
}

BECKON_FINISH_BOOLEAN (beckon_mcp_folder_apply, BeckonMcpServers)

/* --- What a server may do ----------------------------------------------------------------------------------------- */

/* (transfer full): once the person accepts it. @server: as the file has it */
static BeckonServerReach *
foresee (BeckonMcpServers *self, const char *folder, const BeckonMcpServer *server)
{
  const BeckonMcpServer *before = find_existing (self, folder, server->came_with);
  BeckonServerReach *reach = beckon_server_reach_new (server->came_with, server->directory);

  if (before == NULL)
    return reach;
  if (!is_same_program (server, before))
    {
      reach->loses_permissions = before->has_network || before->can_write;
      return reach;
    }
  reach->has_network = before->has_network;
  reach->can_write = before->can_write;
  return reach;
}

static void
on_read_to_foresee (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Applying *applying = g_task_get_task_data (task);
  BeckonMcpServers *self = g_task_get_source_object (task);
  GPtrArray *reaches = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_server_reach_free);

  for (guint i = 0; i < applying->read->len; i++)
    g_ptr_array_add (reaches, foresee (self, applying->folder, g_ptr_array_index (applying->read, i)));
  g_task_return_pointer (task, reaches, (GDestroyNotify) g_ptr_array_unref);
}

void
beckon_mcp_folder_foresee_async (BeckonMcpServers *self, const char *folder, BeckonFolderExtras *extras,
                                 GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (BECKON_IS_MCP_SERVERS (self));
  g_return_if_fail (folder != NULL && extras != NULL);

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, beckon_mcp_folder_foresee_async);
  g_task_set_task_data (task, applying_new (folder, extras), applying_free);
  read_then (task, on_read_to_foresee);
}

GPtrArray *
beckon_mcp_folder_foresee_finish (BeckonMcpServers *self, GAsyncResult *result)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), NULL);
}
