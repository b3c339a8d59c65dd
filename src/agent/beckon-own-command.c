/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-own-command.h"

#include "base/beckon-finish.h"
#include "tools/beckon-command-template.h"
#include "tools/beckon-extras-reader.h"

/* Commands and more that the person has, and that the folder brings and they use. */
typedef struct
{
  BeckonStore *store; /* (owned) */
  char *folder;       /* (nullable) */
  BeckonFolderExtras *brought; /* (owned) (nullable): %NULL unless it counts */
  BeckonFolderExtras *own;     /* (owned) (nullable) */
} Reading;

static void
own_command_reading_free (gpointer data)
{
  Reading *reading = data;

  g_object_unref (reading->store);
  g_free (reading->folder);
  g_clear_pointer (&reading->brought, beckon_folder_extras_unref);
  g_clear_pointer (&reading->own, beckon_folder_extras_unref);
  g_free (reading);
}

static void
on_trust_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Reading *reading = g_task_get_task_data (task);
  g_autoptr (BeckonFolderTrust) trust = beckon_store_load_trust_finish (BECKON_STORE (source), result, NULL);
  g_autofree char *hash = beckon_folder_extras_dup_hash (reading->brought);

  if (trust == NULL || !trust->is_trusted || !g_str_equal (trust->hash, hash))
    g_clear_pointer (&reading->brought, beckon_folder_extras_unref);
  g_task_return_boolean (task, TRUE);
}

static void
own_command_on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Reading *reading = g_task_get_task_data (task);

  if (beckon_extras_read_finish (result, &reading->brought, &reading->own, NULL) && reading->folder != NULL)
    beckon_store_load_trust_async (reading->store, reading->folder, NULL, on_trust_loaded, g_object_ref (task));
  else
    g_task_return_boolean (task, TRUE);
}

/* @callback: for a task with a #Reading as its data */
static void
read_async (const BeckonAgentParts *parts, BeckonConversation *conversation, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  Reading *reading = g_new0 (Reading, 1);

  g_task_set_source_tag (task, read_async);
  g_task_set_task_data (task, reading, own_command_reading_free);
  reading->store = g_object_ref (parts->store);
  if (beckon_settings_get_folder_instructions (parts->settings))
    reading->folder = g_strdup (beckon_conversation_get_folder (conversation));
  beckon_extras_read_async (reading->folder, own_command_on_read, g_steal_pointer (&task));
}

/* --- Expanding ----------------------------------------------------------------------------------------------------- */

gboolean
beckon_own_command_is_possible (const char *text)
{
  const char *arguments;
  g_autofree char *name = beckon_command_template_split (text, &arguments);

  return name != NULL;
}

/* (nullable): the message that the command is in @extras. @extras: (nullable) */
static char *
expand (BeckonFolderExtras *extras, const char *text)
{
  const char *arguments = NULL;
  g_autofree char *name = beckon_command_template_split (text, &arguments);
  const BeckonFolderExtra *command
    = name != NULL && extras != NULL ? beckon_folder_extras_find (extras, BECKON_FOLDER_EXTRA_COMMAND, name) : NULL;

  return command != NULL ? beckon_command_template_expand (command->text, arguments) : NULL;
}

static void
on_read_to_expand (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  const Reading *reading = g_task_get_task_data (G_TASK (result));
  const char *text = g_task_get_task_data (task);
  char *expanded = expand (reading->own, text);

  if (expanded == NULL)
    expanded = expand (reading->brought, text);
  g_task_return_pointer (task, expanded != NULL ? expanded : g_strdup (text), g_free);
}

void
beckon_own_command_async (const BeckonAgentParts *parts, BeckonConversation *conversation, const char *text,
                          GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (NULL, NULL, callback, user_data);

  g_task_set_source_tag (task, beckon_own_command_async);
  g_task_set_task_data (task, g_strdup (text), g_free);
  read_async (parts, conversation, on_read_to_expand, task);
}

char *
beckon_own_command_finish (GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}

/* --- Listing ------------------------------------------------------------------------------------------------------- */

static void
add_commands (BeckonFolderExtras *list, BeckonFolderExtras *from)
{
  for (guint i = 0; from != NULL && i < beckon_folder_extras_get_n (from); i++)
    {
      const BeckonFolderExtra *extra = beckon_folder_extras_get (from, i);

      if (extra->kind == BECKON_FOLDER_EXTRA_COMMAND && extra->fault == NULL
          && beckon_folder_extras_find (list, BECKON_FOLDER_EXTRA_COMMAND, extra->name) == NULL)
        beckon_folder_extras_take (list, beckon_folder_extra_new (extra->kind, extra->path, extra->name, extra->description,
                                                                  NULL, extra->size));
    }
}

static void
on_read_to_list (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  const Reading *reading = g_task_get_task_data (G_TASK (result));
  BeckonFolderExtras *list = beckon_folder_extras_new ("");

  add_commands (list, reading->own);
  add_commands (list, reading->brought);
  g_task_return_pointer (task, list, (GDestroyNotify) beckon_folder_extras_unref);
}

void
beckon_own_command_list_async (const BeckonAgentParts *parts, BeckonConversation *conversation, GCancellable *cancellable,
                               GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, beckon_own_command_list_async);
  read_async (parts, conversation, on_read_to_list, task);
}

BECKON_FINISH_LONE_POINTER (BeckonFolderExtras *, beckon_own_command_list)
