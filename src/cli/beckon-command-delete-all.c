/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command-delete-all.h"

#include "agent/beckon-landing-upkeep.h"
#include "base/beckon-json-writer.h"
#include "base/beckon-text.h"
#include "beckon-cli-context.h"
#include "beckon-command.h"
#include "store/queries/beckon-delete-all.h"
#include "store/queries/beckon-store-secrets.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct
{
  gboolean json;
  guint position;     /* the profile whose key goes next */
  gboolean is_told;   /* that keys may stay */
  GPtrArray *headers; /* (element-type BeckonConversation): those that are there */
} Deletion;

void
beckon_command_print_deleted (const char *const *ids)
{
  g_autoptr (GString) document = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, document);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_name (&writer, "deleted");
  beckon_json_writer_begin_array (&writer);
  for (guint i = 0; ids[i] != NULL; i++)
    beckon_json_writer_string (&writer, ids[i], -1);
  beckon_json_writer_end_array (&writer);
  beckon_json_writer_end_object (&writer);
  beckon_cli_context_print_json (document->str);
}

static void
on_places_removed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonCliContext *cli = user_data;
  const Deletion *deletion = cli->data;

  if (deletion->json)
    {
      g_autoptr (GPtrArray) ids = g_ptr_array_new ();

      for (guint i = 0; i < deletion->headers->len; i++)
        g_ptr_array_add (ids, (char *) beckon_conversation_get_id (g_ptr_array_index (deletion->headers, i)));
      g_ptr_array_add (ids, NULL);
      beckon_command_print_deleted ((const char *const *) ids->pdata);
    }
  beckon_cli_context_finish (cli, NULL);
}

static void
on_all_deleted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (beckon_store_delete_all_finish (BECKON_STORE (source), result, &error))
    beckon_landing_upkeep_remove_all_async (on_places_removed, user_data);
  else
    beckon_cli_context_finish (user_data, error->message);
}

static void delete_next_key (BeckonCliContext *cli);

static void
on_key_deleted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonCliContext *cli = user_data;
  Deletion *deletion = cli->data;
  g_autoptr (GError) error = NULL;

  if (!beckon_secrets_store_finish (BECKON_SECRETS (source), result, &error))
    {
      /* The same keyring has all of them. */
      g_autofree char *problem = beckon_text_join_sentences (_("Keys may stay in the keyring."), error->message);

      if (!deletion->is_told)
        beckon_command_complain ("delete", problem);
      deletion->is_told = TRUE;
    }
  delete_next_key (cli);
}

/* Keys go first: without the profile its key could not be found any longer. */
static void
delete_next_key (BeckonCliContext *cli)
{
  Deletion *deletion = cli->data;
  GListModel *profiles = G_LIST_MODEL (beckon_runtime_get_profiles (cli->runtime));
  g_autoptr (BeckonProfile) profile = g_list_model_get_item (profiles, deletion->position++);

  if (profile == NULL)
    {
      beckon_store_forget_secrets (cli->store, beckon_inbox_get_vault (beckon_runtime_get_inbox (cli->runtime)), NULL);
      beckon_store_delete_all_async (cli->store, on_all_deleted, cli);
    }
  else if (beckon_profile_get_kind (profile) == BECKON_PROFILE_TOUR)
    delete_next_key (cli);
  else
    beckon_secrets_store_async (beckon_runtime_get_secrets (cli->runtime), beckon_profile_get_id (profile), NULL, NULL,
                                NULL, NULL, on_key_deleted, cli);
}

static void
command_delete_all_on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonCliContext *cli = user_data;
  Deletion *deletion = cli->data;
  g_autoptr (GError) error = NULL;

  deletion->headers = beckon_store_list_conversations_finish (BECKON_STORE (source), result, &error);
  if (deletion->headers != NULL)
    delete_next_key (cli);
  else
    beckon_cli_context_finish (cli, error->message);
}

static void
command_delete_all_start (BeckonCliContext *cli)
{
  beckon_store_list_conversations_async (cli->store, NULL, command_delete_all_on_listed, cli);
}

static gboolean
command_delete_all_ask (void)
{
  char line[64] = "";

  puts (_("This permanently deletes:"));
  puts (_("• every conversation with its messages, questions, answers and drafts, and the search index"));
  puts (_("• the audit log and all rules"));
  puts (_("• all profiles, and their keys in the keyring"));
  puts (_("• copies of your history, and damaged or replaced files of it"));
  puts (_("• what is kept so that changes of commands can be undone"));
  puts (_("Settings stay, and so do files you exported."));
  /* Translators: the word in quotes is what has to be typed; it is the translation of “yes”. */
  printf ("%s ", _("Type “yes” to delete everything:"));
  fflush (stdout);

  return fgets (line, sizeof line, stdin) != NULL
         && (strcmp (g_strstrip (line), "yes") == 0 || strcmp (line, _("yes")) == 0);
}

int
beckon_command_delete_all (gboolean yes, gboolean json)
{
  Deletion deletion = { .json = json };
  int status;

  if (!yes && !isatty (STDIN_FILENO))
    {
      beckon_command_complain ("delete", _("You can't be asked here. Add “--yes” to delete without asking."));
      return BECKON_COMMAND_MISUSED;
    }
  if (!yes && !command_delete_all_ask ())
    {
      puts (_("Nothing was deleted."));
      return BECKON_CLI_CONTEXT_FAILED;
    }

  status = beckon_cli_context_run ("delete", command_delete_all_start, &deletion);
  g_clear_pointer (&deletion.headers, g_ptr_array_unref);
  return status;
}
