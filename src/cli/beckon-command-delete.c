/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command-delete.h"

#include "beckon-cli-context.h"
#include "beckon-command-delete-all.h"
#include "beckon-command.h"
#include "store/queries/beckon-store-secrets.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>

/* Fewer characters of an id are typed by mistake. */
#define LEAST_CHARACTERS 6

typedef struct
{
  const char *id;
  gboolean json;
  char *deleted; /* (owned) (nullable): the whole id */
  char *title;   /* (owned) (nullable) */
} Deletion;

static void
on_deleted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonCliContext *cli = user_data;
  const Deletion *deletion = cli->data;
  g_autoptr (GError) error = NULL;

  if (beckon_store_commit_finish (BECKON_STORE (source), result, &error))
    {
      if (deletion->json)
        beckon_command_print_deleted ((const char *const[]){ deletion->deleted, NULL });
      else
        /* Translators: an id and a title */
        printf (_("Deleted: %s  %s\n"), deletion->deleted,
                *deletion->title != '\0' ? deletion->title : _("Untitled conversation"));
    }
  beckon_cli_context_finish (cli, error != NULL ? error->message : NULL);
}

static void
delete (BeckonCliContext *cli)
{
  Deletion *deletion = cli->data;
  g_autoptr (BeckonBatch) batch = NULL;

  beckon_store_forget_secrets (cli->store, beckon_inbox_get_vault (beckon_runtime_get_inbox (cli->runtime)),
                               deletion->deleted);
  batch = beckon_batch_new (BECKON_DURABILITY_FULL);
  beckon_batch_delete_conversation (batch, deletion->deleted);
  beckon_store_commit_async (cli->store, g_steal_pointer (&batch), NULL, on_deleted, cli);
}

/* Another process may be working on it right now; it must not continue behind a person's back. A run whose process died is
 * deleted with its conversation. */
static void
command_delete_on_runs (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonCliContext *cli = user_data;
  Deletion *deletion = cli->data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) records = beckon_store_list_open_runs_finish (BECKON_STORE (source), result, &error);

  for (guint i = 0; records != NULL && i < records->len; i++)
    {
      const BeckonRunRecord *record = g_ptr_array_index (records, i);

      if (record->held && g_strcmp0 (record->conversation_id, deletion->deleted) == 0)
        {
          beckon_cli_context_finish (cli, _("The agent is still working on this conversation. Stop it first, then delete the "
                                            "conversation."));
          return;
        }
    }
  if (records == NULL)
    beckon_cli_context_finish (cli, error->message);
  else
    delete (cli);
}

static void
command_delete_on_found (BeckonCliContext *cli, BeckonConversation *header)
{
  Deletion *deletion = cli->data;

  deletion->deleted = g_strdup (beckon_conversation_get_id (header));
  deletion->title = beckon_cli_context_make_safe (beckon_conversation_get_title (header));
  if (beckon_conversation_is_busy (header))
    beckon_store_list_open_runs_async (cli->store, NULL, command_delete_on_runs, cli);
  else
    delete (cli);
}

static void
command_delete_start (BeckonCliContext *cli)
{
  beckon_cli_context_find_async (cli, ((Deletion *) cli->data)->id, command_delete_on_found);
}

int
beckon_command_delete (int argc, char **argv)
{
  Deletion deletion = { 0 };
  gboolean all = FALSE, yes = FALSE;
  int status;
  const GOptionEntry entries[] = {
    { "all", 0, 0, G_OPTION_ARG_NONE, &all, N_("Delete all conversations, profiles and keys"), NULL },
    { "yes", 0, 0, G_OPTION_ARG_NONE, &yes, N_("Don't ask before deleting everything"), NULL },
    { "json", 0, 0, G_OPTION_ARG_NONE, &deletion.json, N_("Print JSON"), NULL },
    G_OPTION_ENTRY_NULL,
  };

  if (!beckon_cli_context_parse (_("ID"),
                                 _("Delete a conversation or everything"),
                                 entries, &argc, &argv, 0, 1)
      || (argc == 2) == all)
    {
      if (argc <= 2)
        beckon_command_complain ("delete", _("Name a conversation, or use --all."));
      return BECKON_COMMAND_MISUSED;
    }
  if (all)
    return beckon_command_delete_all (yes, deletion.json);

  deletion.id = argv[1];
  if (strlen (deletion.id) < LEAST_CHARACTERS)
    {
      beckon_command_complain ("delete", _("Give at least six characters of the id."));
      return BECKON_COMMAND_MISUSED;
    }

  status = beckon_cli_context_run ("delete", command_delete_start, &deletion);
  g_free (deletion.deleted);
  g_free (deletion.title);

  return status;
}
