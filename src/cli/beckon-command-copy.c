/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command-copy.h"

#include "beckon-cli-context.h"
#include "beckon-command.h"
#include "store/transfer/beckon-copy.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>

typedef struct
{
  const char *id;
  const char *message; /* (nullable): a number from 1, or an id; %NULL copies all of it */
  BeckonConversation *header; /* (owned) (nullable) */
} Copy;

static void
on_copied (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonConversation) command_copy_copy = beckon_store_copy_finish (BECKON_STORE (source), result, &error);

  if (command_copy_copy != NULL)
    puts (beckon_conversation_get_id (command_copy_copy));
  beckon_cli_context_finish (user_data, error != NULL ? error->message : NULL);
}

static void
command_copy_copy (BeckonCliContext *cli, const char *message_id, const char *title)
{
  const Copy *task = cli->data;

  beckon_store_copy_async (cli->store, beckon_conversation_get_id (task->header), message_id, title, g_get_real_time (),
                           NULL, on_copied, cli);
}

static BeckonMessage *
find_message (GPtrArray *messages, const char *word)
{
  guint64 number;

  if (g_ascii_string_to_unsigned (word, 10, 1, messages->len, &number, NULL))
    return g_ptr_array_index (messages, number - 1);

  for (guint i = 0; i < messages->len; i++)
    if (g_ascii_strcasecmp (beckon_message_get_id (g_ptr_array_index (messages, i)), word) == 0)
      return g_ptr_array_index (messages, i);

  return NULL;
}

static void
command_copy_on_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonCliContext *cli = user_data;
  const Copy *task = cli->data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) messages = beckon_store_load_messages_finish (BECKON_STORE (source), result, &error);
  BeckonMessage *message = messages != NULL ? find_message (messages, task->message) : NULL;

  if (error != NULL)
    beckon_cli_context_finish (cli, error->message);
  else if (message == NULL)
    beckon_cli_context_finish (cli, _("This conversation has no such message. “beckonctl show --json” shows their ids."));
  else
    command_copy_copy (cli, beckon_message_get_id (message), beckon_conversation_get_title (task->header));
}

static void
command_copy_on_found (BeckonCliContext *cli, BeckonConversation *header)
{
  Copy *task = cli->data;
  g_autofree char *title = NULL;

  task->header = g_object_ref (header);
  if (task->message != NULL)
    {
      beckon_store_load_messages_async (cli->store, beckon_conversation_get_id (header), NULL, command_copy_on_loaded, cli);
      return;
    }

  /* Translators: the title of a copy of a conversation. */
  title = g_strdup_printf (_("%s (copy)"), beckon_conversation_get_title (header));
  command_copy_copy (cli, NULL, title);
}

static void
command_copy_start (BeckonCliContext *cli)
{
  beckon_cli_context_find_async (cli, ((Copy *) cli->data)->id, command_copy_on_found);
}

static int
command_copy_run (const char *command, const char *id, const char *message)
{
  Copy task = { .id = id, .message = message };
  int status = beckon_cli_context_run (command, command_copy_start, &task);

  g_clear_object (&task.header);

  return status;
}

int
beckon_command_duplicate (int argc, char **argv)
{
  const GOptionEntry entries[] = { G_OPTION_ENTRY_NULL };

  if (!beckon_cli_context_parse (_("ID"), _("Duplicate a conversation"),
                                 entries, &argc, &argv, 1, 1))
    return BECKON_COMMAND_MISUSED;

  return command_copy_run ("duplicate", argv[1], NULL);
}

int
beckon_command_branch (int argc, char **argv)
{
  const GOptionEntry entries[] = { G_OPTION_ENTRY_NULL };

  if (!beckon_cli_context_parse (_("ID MESSAGE"), _("Copy a conversation up to a message"),
                                 entries, &argc, &argv, 2, 2))
    return BECKON_COMMAND_MISUSED;

  return command_copy_run ("branch", argv[1], argv[2]);
}
