/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command-undo.h"

#include "base/beckon-error.h"
#include "beckon-command.h"
#include "beckon-cli-context.h"
#include "beckon-undo-print.h"
#include "tools/beckon-undo.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>

typedef struct
{
  const char *id; /* (nullable): of a call; %NULL to show what there is */
  char *since;    /* (owned) (nullable): of a message */
  char *turn;     /* (owned) (nullable): of a conversation */
  gboolean is_redo;
  gboolean is_preview;
  gboolean json;

  BeckonChange *change;             /* (owned) (nullable): of the call */
  BeckonToolCall *call;             /* (owned) (nullable) */
  BeckonConversation *conversation; /* (owned) (nullable): of the message */
  char *message_id;                 /* (owned) (nullable): the message itself */
} Undo;

static BeckonFileCopies *
get_copies (BeckonCliContext *cli)
{
  return BECKON_FILE_COPIES (cli->store);
}

/* An undo of which nothing is done because of later changes has left files alone, like one of which a part is done. */
static void
command_undo_fail (BeckonCliContext *cli, const GError *error)
{
  const Undo *undo = cli->data;
  gboolean is_done_already = undo->change != NULL && (undo->change->undone_at > 0) != undo->is_redo;
  gboolean is_conflict = g_error_matches (error, BECKON_ERROR, BECKON_ERROR_CONFLICT) && !is_done_already;

  beckon_cli_context_finish_with (cli, error != NULL ? error->message : NULL,
                                  is_conflict ? BECKON_COMMAND_LEFT_ALONE : BECKON_CLI_CONTEXT_FAILED);
}

/* Several calls. */

static void
finish_rewind (BeckonCliContext *cli, BeckonRewind *rewind, const GError *error)
{
  const Undo *undo = cli->data;

  if (rewind != NULL)
    beckon_undo_print_rewind (rewind, undo->is_preview, undo->json);
  if (rewind != NULL && beckon_rewind_has_refused (rewind) && !undo->is_preview)
    beckon_cli_context_finish_with (cli, _("Some files were left as they are."), BECKON_COMMAND_LEFT_ALONE);
  else
    command_undo_fail (cli, error);
}

static void
on_foreseen (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonRewind) rewind = beckon_rewind_preview_finish (BECKON_FILE_COPIES (source), result, &error);

  finish_rewind (user_data, rewind, error);
}

static void
on_rewound (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonRewind) rewind = beckon_rewind_finish (BECKON_FILE_COPIES (source), result, &error);

  finish_rewind (user_data, rewind, error);
}

static void
on_redone (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonRewind) rewind = beckon_rewind_redo_finish (BECKON_FILE_COPIES (source), result, &error);

  finish_rewind (user_data, rewind, error);
}

/* The last message of the person begins the turn. */
static const char *
find_turn (BeckonConversation *conversation)
{
  for (guint i = beckon_conversation_get_n_messages (conversation); i > 0; i--)
    {
      BeckonMessage *message = beckon_conversation_get_message (conversation, i - 1);

      if (beckon_message_get_role (message) == BECKON_ROLE_USER)
        return beckon_message_get_id (message);
    }
  return NULL;
}

static void
rewind_folder (BeckonCliContext *cli)
{
  const Undo *undo = cli->data;
  const char *conversation_id = beckon_conversation_get_id (undo->conversation);
  const char *message_id = undo->message_id != NULL ? undo->message_id : find_turn (undo->conversation);
  g_autoptr (GPtrArray) calls = NULL;
  g_autofree char *problem = NULL;
  guint position;

  if (beckon_conversation_is_busy (undo->conversation) && !undo->is_preview)
    {
      /* Translators: “%s” is the id of a conversation; the command stays as it is */
      problem = g_strdup_printf (_("The agent isn't done here: it is working, waits for an answer, or was interrupted. Let it "
                                   "end first (beckonctl resume %s), then rewind the folder."),
                                 conversation_id);
      beckon_cli_context_finish (cli, problem);
      return;
    }
  if (message_id == NULL || !beckon_conversation_find_position (undo->conversation, message_id, &position))
    {
      beckon_cli_context_finish (cli, _("The message is on another branch. Switch to that branch first."));
      return;
    }

  calls = undo->is_redo ? beckon_rewind_list_undone (undo->conversation, message_id)
                        : beckon_rewind_list_calls (undo->conversation, message_id);
  if (undo->is_preview)
    beckon_rewind_preview_async (get_copies (cli), calls, NULL, on_foreseen, cli);
  else if (undo->is_redo)
    beckon_rewind_redo_async (get_copies (cli), conversation_id, calls, "terminal", NULL, on_redone, cli);
  else
    beckon_rewind_async (get_copies (cli), conversation_id, calls, "terminal", NULL, on_rewound, cli);
}

static void
command_undo_on_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonCliContext *cli = user_data;
  Undo *undo = cli->data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) messages = beckon_store_load_messages_finish (BECKON_STORE (source), result, &error);

  if (messages == NULL)
    {
      beckon_cli_context_finish (cli, error->message);
      return;
    }
  beckon_conversation_set_messages (undo->conversation, messages);
  rewind_folder (cli);
}

static void
on_conversation (BeckonCliContext *cli, BeckonConversation *header)
{
  ((Undo *) cli->data)->conversation = g_object_ref (header);
  beckon_store_load_messages_async (cli->store, beckon_conversation_get_id (header), NULL, command_undo_on_loaded, cli);
}

static void
on_message (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonCliContext *cli = user_data;
  Undo *undo = cli->data;
  g_autofree char *conversation_id = NULL;
  g_autoptr (GError) error = NULL;

  undo->message_id = beckon_store_find_message_finish (BECKON_STORE (source), result, &conversation_id, &error);
  if (undo->message_id == NULL)
    beckon_cli_context_finish (cli, error->message);
  else
    beckon_cli_context_find_async (cli, conversation_id, on_conversation);
}

/* A single call. */

static void
command_undo_on_undone (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonCliContext *cli = user_data;
  Undo *undo = cli->data;
  g_autoptr (GPtrArray) changes = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  BeckonFileCopies *copies = BECKON_FILE_COPIES (source);
  g_autoptr (GPtrArray) landings = NULL;
  gboolean is_whole;

  if (!(undo->is_redo ? beckon_redo_finish (copies, result, &error) : beckon_undo_finish (copies, result, &error)))
    {
      beckon_undo_print_refused (undo->call);
      command_undo_fail (cli, error);
      return;
    }

  landings = beckon_tool_call_list_landings (undo->call);
  for (guint i = 0; i < landings->len; i++)
    {
      const BeckonLanding *landing = g_ptr_array_index (landings, i);

      if (i > 0)
        {
          beckon_change_set_add_older (undo->change->changes, landing->changes);
          continue;
        }
      g_clear_pointer (&undo->change->changes, beckon_change_set_unref);
      undo->change->changes = beckon_change_set_copy (landing->changes);
    }
  g_ptr_array_add (changes, undo->change);
  if (undo->json)
    beckon_undo_print_json (undo->is_redo ? "redone" : "undone", changes);
  else
    beckon_undo_print_done (undo->change, undo->is_redo);
  is_whole = beckon_undo_print_refused (undo->call);
  beckon_cli_context_finish_with (cli, is_whole ? NULL : _("Some files were left as they are."), BECKON_COMMAND_LEFT_ALONE);
}

/* A file is put back whoever made the call, and whether it is still being worked on: what was changed since stays. */
static void
undo_one (BeckonCliContext *cli, BeckonChange *change)
{
  Undo *undo = cli->data;
  g_autoptr (GPtrArray) calls = g_ptr_array_new ();

  undo->change = change;
  undo->call = beckon_tool_call_new (change->call_id, NULL, "", "{}");
  g_ptr_array_add (calls, undo->call);
  if (undo->is_preview)
    beckon_rewind_preview_async (get_copies (cli), calls, NULL, on_foreseen, cli);
  else
    (undo->is_redo ? beckon_redo_async : beckon_undo_async) (get_copies (cli), change->conversation_id, undo->call,
                                                             "terminal", NULL, command_undo_on_undone, cli);
}

static void
command_undo_on_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonCliContext *cli = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) changes = beckon_store_list_changes_finish (BECKON_STORE (source), result, &error);

  if (changes == NULL)
    beckon_cli_context_finish (cli, error->message);
  else if (changes->len > 1)
    beckon_cli_context_finish (cli, _("More than one change begins with this id. Give more of it."));
  else if (changes->len == 0)
    beckon_cli_context_finish (cli, _("Change not found. “beckonctl undo” shows all that can be undone."));
  else
    undo_one (cli, g_ptr_array_steal_index (changes, 0));
}

/* The list. */

static void
command_undo_on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonCliContext *cli = user_data;
  const Undo *undo = cli->data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) changes = beckon_store_list_changes_finish (BECKON_STORE (source), result, &error);

  for (guint i = changes != NULL ? changes->len : 0; i > 0; i--)
    if ((((BeckonChange *) g_ptr_array_index (changes, i - 1))->undone_at > 0) != undo->is_redo)
      g_ptr_array_remove_index (changes, i - 1);
  if (changes != NULL && undo->json)
    beckon_undo_print_json ("changes", changes);
  for (guint i = 0; changes != NULL && !undo->json && i < changes->len; i++)
    beckon_undo_print_change (g_ptr_array_index (changes, i));
  beckon_cli_context_finish (cli, error != NULL ? error->message : NULL);
}

static void
command_undo_start (BeckonCliContext *cli)
{
  const Undo *undo = cli->data;

  if (undo->since != NULL)
    beckon_store_find_message_async (cli->store, undo->since, NULL, on_message, cli);
  else if (undo->turn != NULL)
    beckon_cli_context_find_async (cli, undo->turn, on_conversation);
  else if (undo->id != NULL)
    beckon_store_list_changes_async (cli->store, undo->id, 2, NULL, command_undo_on_found, cli);
  else
    beckon_store_list_changes_async (cli->store, NULL, 0, NULL, command_undo_on_listed, cli);
}

static gboolean
is_misused (const Undo *undo)
{
  guint n_targets = (undo->id != NULL) + (undo->since != NULL) + (undo->turn != NULL);

  if (n_targets > 1)
    beckon_command_complain ("undo", _("Name only one: a call, a message or a conversation."));
  else if (undo->is_preview && (n_targets == 0 || undo->is_redo))
    beckon_command_complain ("undo",
                             _("“--dry-run” shows what undoing a call, a message or a turn would do; name one, without "
                               "“--redo”."));
  else
    return FALSE;
  return TRUE;
}

int
beckon_command_undo (int argc, char **argv)
{
  Undo undo = { 0 };
  int status = BECKON_COMMAND_MISUSED;
  const GOptionEntry entries[] = {
    { "since", 0, 0, G_OPTION_ARG_STRING, &undo.since, N_("Undo everything since this message"), N_("MESSAGE") },
    { "turn", 0, 0, G_OPTION_ARG_STRING, &undo.turn, N_("Undo the last turn of this conversation"), N_("CONVERSATION") },
    { "redo", 0, 0, G_OPTION_ARG_NONE, &undo.is_redo, N_("Redo undone changes"), NULL },
    { "dry-run", 'n', 0, G_OPTION_ARG_NONE, &undo.is_preview, N_("Show what would happen to each file"), NULL },
    { "json", 0, 0, G_OPTION_ARG_NONE, &undo.json, N_("Print JSON"), NULL },
    G_OPTION_ENTRY_NULL,
  };

  if (!beckon_cli_context_parse (_("[ID]"),
                                 _("Undo what tool calls changed"),
                                 entries, &argc, &argv, 0, 1))
    return BECKON_COMMAND_MISUSED;

  undo.id = argc == 2 ? argv[1] : NULL;
  if (!is_misused (&undo))
    status = beckon_cli_context_run ("undo", command_undo_start, &undo);
  beckon_change_free (undo.change);
  g_clear_object (&undo.call);
  g_clear_object (&undo.conversation);
  g_free (undo.message_id);
  g_free (undo.since);
  g_free (undo.turn);
  return status;
}
