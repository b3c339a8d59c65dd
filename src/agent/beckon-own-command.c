/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-own-command.h"

#include "tools/beckon-command-template.h"
#include "tools/beckon-extras-reader.h"

typedef struct
{
  BeckonStore *store; /* (owned) */
  char *folder;       /* (nullable) */
  char *text;
  BeckonFolderExtras *brought; /* (owned) (nullable) */
} Expansion;

static void
expansion_free (gpointer data)
{
  Expansion *expansion = data;

  g_object_unref (expansion->store);
  g_free (expansion->folder);
  g_free (expansion->text);
  g_clear_pointer (&expansion->brought, beckon_folder_extras_unref);
  g_free (expansion);
}

gboolean
beckon_own_command_is_possible (const char *text)
{
  const char *arguments;
  g_autofree char *name = beckon_command_template_split (text, &arguments);

  return name != NULL;
}

/* (nullable): the message that the command is in @extras. */
static char *
expand (BeckonFolderExtras *extras, const char *text)
{
  const char *arguments = NULL;
  g_autofree char *name = beckon_command_template_split (text, &arguments);
  const BeckonFolderExtra *command
    = name != NULL ? beckon_folder_extras_find (extras, BECKON_FOLDER_EXTRA_COMMAND, name) : NULL;

  return command != NULL ? beckon_command_template_expand (command->text, arguments) : NULL;
}

static void
return_text (GTask *task, char *expanded)
{
  const Expansion *expansion = g_task_get_task_data (task);

  g_task_return_pointer (task, expanded != NULL ? expanded : g_strdup (expansion->text), g_free);
}

static void
on_trust_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  const Expansion *expansion = g_task_get_task_data (task);
  g_autoptr (BeckonFolderTrust) trust = beckon_store_load_trust_finish (BECKON_STORE (source), result, NULL);
  g_autofree char *hash = beckon_folder_extras_dup_hash (expansion->brought);
  gboolean is_used = trust != NULL && trust->is_trusted && g_str_equal (trust->hash, hash);

  return_text (task, is_used ? expand (expansion->brought, expansion->text) : NULL);
}

static void
on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Expansion *expansion = g_task_get_task_data (task);
  g_autoptr (BeckonFolderExtras) own = NULL;
  char *expanded = NULL;

  if (beckon_extras_read_finish (result, &expansion->brought, &own, NULL))
    expanded = expand (own, expansion->text);
  if (expanded != NULL || expansion->folder == NULL || expansion->brought == NULL)
    return_text (task, expanded);
  else
    beckon_store_load_trust_async (expansion->store, expansion->folder, NULL, on_trust_loaded, g_object_ref (task));
}

void
beckon_own_command_async (const BeckonAgentParts *parts, BeckonConversation *conversation, const char *text,
                          GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  Expansion *expansion = g_new0 (Expansion, 1);

  g_task_set_source_tag (task, beckon_own_command_async);
  g_task_set_task_data (task, expansion, expansion_free);
  expansion->store = g_object_ref (parts->store);
  expansion->text = g_strdup (text);
  if (beckon_settings_get_folder_instructions (parts->settings))
    expansion->folder = g_strdup (beckon_conversation_get_folder (conversation));
  beckon_extras_read_async (expansion->folder, on_read, g_steal_pointer (&task));
}

char *
beckon_own_command_finish (GAsyncResult *result)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, beckon_own_command_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), NULL);
}
