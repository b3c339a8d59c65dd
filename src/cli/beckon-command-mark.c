/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command-mark.h"

#include "base/beckon-text.h"
#include "beckon-command.h"
#include "beckon-cli-context.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>

#define MAX_TITLE_CHARS 500

typedef struct
{
  const char *id;
  void (*set) (BeckonBatch *batch, const char *conversation_id, gboolean mark);
  gboolean mark;
  const char *title; /* (nullable): instead of a mark */
} Mark;

static void
command_mark_on_written (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  beckon_store_commit_finish (BECKON_STORE (source), result, &error);
  beckon_cli_context_finish (user_data, error != NULL ? error->message : NULL);
}

static void
command_mark_on_found (BeckonCliContext *cli, BeckonConversation *header)
{
  const Mark *mark = cli->data;
  const char *id = beckon_conversation_get_id (header);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);

  if (mark->title != NULL)
    beckon_batch_set_title (batch, id, mark->title);
  else
    mark->set (batch, id, mark->mark);
  beckon_store_commit_async (cli->store, batch, NULL, command_mark_on_written, cli);
}

static void
command_mark_start (BeckonCliContext *cli)
{
  beckon_cli_context_find_async (cli, ((Mark *) cli->data)->id, command_mark_on_found);
}

static int
command_mark_run (int argc, char **argv, const char *summary, void (*set) (BeckonBatch *, const char *, gboolean),
                  gboolean value)
{
  Mark mark = { .set = set, .mark = value };
  const GOptionEntry entries[] = { G_OPTION_ENTRY_NULL };

  if (!beckon_cli_context_parse (_("ID"), summary, entries, &argc, &argv, 1, 1))
    return BECKON_COMMAND_MISUSED;

  mark.id = argv[1];

  return beckon_cli_context_run (argv[0], command_mark_start, &mark);
}

int
beckon_command_pin (int argc, char **argv)
{
  return command_mark_run (argc, argv, _("Pin a conversation"),
                           beckon_batch_set_pinned, TRUE);
}

int
beckon_command_unpin (int argc, char **argv)
{
  return command_mark_run (argc, argv, _("Unpin a conversation"),
                           beckon_batch_set_pinned, FALSE);
}

int
beckon_command_archive (int argc, char **argv)
{
  return command_mark_run (argc, argv, _("Archive a conversation"),
                           beckon_batch_set_archived, TRUE);
}

int
beckon_command_unarchive (int argc, char **argv)
{
  return command_mark_run (argc, argv, _("Unarchive a conversation"),
                           beckon_batch_set_archived, FALSE);
}

int
beckon_command_rename (int argc, char **argv)
{
  Mark mark = { 0 };
  const GOptionEntry entries[] = { G_OPTION_ENTRY_NULL };
  g_autofree char *words = NULL;
  g_autofree char *title = NULL;

  if (!beckon_cli_context_parse (_("ID TITLE…"), _("Rename a conversation"),
                                 entries, &argc, &argv, 2, G_MAXINT))
    return BECKON_COMMAND_MISUSED;

  words = g_strjoinv (" ", argv + 2);
  title = g_utf8_validate (words, -1, NULL) ? beckon_text_shorten (g_strstrip (words), MAX_TITLE_CHARS) : NULL;
  if (title == NULL || *title == '\0')
    {
      beckon_command_complain ("rename", _("The title is empty or isn't text."));
      return BECKON_COMMAND_MISUSED;
    }

  mark.id = argv[1];
  mark.title = title;

  return beckon_cli_context_run ("rename", command_mark_start, &mark);
}
