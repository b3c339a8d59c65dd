/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command-copies.h"

#include "base/beckon-json-writer.h"
#include "base/beckon-text-printf.h"
#include "beckon-cli-context.h"
#include "beckon-command.h"
#include "store/repair/beckon-history-copies.h"
#include "store/repair/beckon-salvage.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Works where the history itself can't be opened. */

static void
command_copies_print_json (GPtrArray *copies)
{
  g_autoptr (GString) document = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, document);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_name (&writer, "copies");
  beckon_json_writer_begin_array (&writer);
  for (guint i = 0; i < copies->len; i++)
    {
      const BeckonHistoryCopy *copy = g_ptr_array_index (copies, i);

      beckon_json_writer_begin_object (&writer);
      beckon_json_writer_member_string (&writer, "date", copy->date);
      beckon_json_writer_member_string (&writer, "file", copy->name);
      beckon_json_writer_member_int (&writer, "size", copy->size);
      beckon_json_writer_member_int (&writer, "conversations", copy->n_conversations);
      beckon_json_writer_end_object (&writer);
    }
  beckon_json_writer_end_array (&writer);
  beckon_json_writer_end_object (&writer);
  beckon_cli_context_print_json (document->str);
}

static void
command_copies_print (GPtrArray *copies)
{
  for (guint i = 0; i < copies->len; i++)
    {
      const BeckonHistoryCopy *copy = g_ptr_array_index (copies, i);
      g_autofree char *size = g_format_size ((guint64) copy->size);
      const guint n = (guint) MAX (copy->n_conversations, 0);

      printf ("%s  %s  ", copy->date, size);
      if (copy->n_conversations < 0)
        fputs (_("Can’t be read"), stdout);
      else
        printf (ngettext ("%u conversation", "%u conversations", n), n);
      putchar ('\n');
    }
  if (copies->len == 0)
    fprintf (stderr, "%s\n", _("There are no copies yet. Beckon makes one each day while it runs."));
}

static gboolean
command_copies_ask (const BeckonHistoryCopy *copy)
{
  g_autofree char *question = beckon_text_printf (_("Replace your history with the copy from %s?"), copy->date);
  char line[64] = "";

  puts (question);
  puts (_("• It does not include anything added or changed since then: messages, answers, rules, profiles and everything "
          "else."));
  puts (_("• What was under way when it was made is stopped, and text channels are off."));
  puts (_("• The present file is kept in the same folder."));
  /* Translators: the word in quotes is what has to be typed; it is the translation of “yes”. */
  printf ("%s ", _("Type “yes” to open it:"));
  fflush (stdout);

  return fgets (line, sizeof line, stdin) != NULL
         && (strcmp (g_strstrip (line), "yes") == 0 || strcmp (line, _("yes")) == 0);
}

/* By the time that the store is open the copy is the history, and a notice has said so. */
static void
command_copies_on_open (BeckonCliContext *cli)
{
  beckon_cli_context_finish (cli, NULL);
}

static int
command_copies_open (const char *directory, GPtrArray *copies, const char *date, gboolean yes)
{
  const BeckonHistoryCopy *copy = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < copies->len && copy == NULL; i++)
    if (g_str_equal (((BeckonHistoryCopy *) g_ptr_array_index (copies, i))->date, date))
      copy = g_ptr_array_index (copies, i);
  if (copy == NULL)
    {
      beckon_command_complain ("copies", _("There is no copy from that date. “beckonctl copies” lists them."));
      return BECKON_CLI_CONTEXT_FAILED;
    }
  if (!yes && !isatty (STDIN_FILENO))
    {
      beckon_command_complain ("copies", _("You can't be asked here. Add “--yes” to open it without asking."));
      return BECKON_COMMAND_MISUSED;
    }
  if (!yes && !command_copies_ask (copy))
    {
      puts (_("Nothing was changed."));
      return BECKON_CLI_CONTEXT_FAILED;
    }
  if (!beckon_salvage_request_copy (directory, copy->name, &error))
    {
      beckon_command_complain ("copies", error->message);
      return BECKON_CLI_CONTEXT_FAILED;
    }

  return beckon_cli_context_run ("copies", command_copies_on_open, NULL);
}

int
beckon_command_copies (int argc, char **argv)
{
  gboolean json = FALSE, yes = FALSE;
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, N_("Print JSON"), NULL },
    { "yes", 0, 0, G_OPTION_ARG_NONE, &yes, N_("Don't ask before opening a copy"), NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (BeckonStore) store = NULL;
  g_autoptr (GPtrArray) copies = NULL;
  gboolean opens;

  if (!beckon_cli_context_parse (_("[open DATE]"), _("List the daily copies of the history, or open one"), entries, &argc,
                                 &argv, 0, 2))
    return BECKON_COMMAND_MISUSED;
  opens = argc == 3 && g_str_equal (argv[1], "open");
  if ((argc > 1 && !opens) || (opens && json) || (yes && !opens))
    return beckon_command_misused ("beckonctl copies", _("“copies open DATE” opens a copy; “copies” alone lists them."));

  store = beckon_store_new (NULL, beckon_clock_get_system ());
  copies = beckon_history_copies_list (beckon_store_get_directory (store));
  if (opens)
    return command_copies_open (beckon_store_get_directory (store), copies, argv[2], yes);
  if (json)
    command_copies_print_json (copies);
  else
    command_copies_print (copies);

  return 0;
}
