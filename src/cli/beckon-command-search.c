/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command-search.h"

#include "base/beckon-json-writer.h"
#include "beckon-cli-context.h"
#include "beckon-command.h"
#include "store/queries/beckon-search.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <unistd.h>

#define DEFAULT_LIMIT 20
#define MAX_LIMIT 1000

/* A history that was just converted is indexed by the searches themselves. */
#define INDEXING_PATIENCE_US (60 * G_TIME_SPAN_SECOND)

typedef struct
{
  char *words;
  int limit;
  gboolean json;
  gint64 began;
} Search;

/* The matches of a safe text are not where they were in the text, so each piece is made safe by itself. */
static void
print_piece (const char *text, gsize length, gboolean is_match)
{
  gboolean colour = is_match && isatty (STDOUT_FILENO) && g_getenv ("NO_COLOR") == NULL;
  g_autofree char *piece = g_strndup (text, length);
  g_autofree char *safe = beckon_cli_context_make_safe (piece);

  printf ("%s%s%s", colour ? "\033[1m" : "", safe, colour ? "\033[0m" : "");
}

static void
print_hit (const BeckonSearchHit *hit)
{
  g_autofree char *time = beckon_cli_context_format_time (hit->at);
  g_autofree char *title = beckon_cli_context_make_safe (hit->title);
  gsize at = 0;

  printf ("%s  %s  %s\n", hit->conversation_id, time, *title != '\0' ? title : _("Untitled conversation"));
  if (hit->message_id == NULL)
    return;

  fputs ("    ", stdout);
  for (guint i = 0; i < hit->matches->len; i++)
    {
      const BeckonSearchMatch *match = &g_array_index (hit->matches, BeckonSearchMatch, i);

      print_piece (hit->snippet + at, match->start - at, FALSE);
      print_piece (hit->snippet + match->start, match->length, TRUE);
      at = match->start + match->length;
    }
  print_piece (hit->snippet + at, strlen (hit->snippet + at), FALSE);
  putchar ('\n');
}

static void
write_matches (BeckonJsonWriter *writer, GArray *matches)
{
  beckon_json_writer_name (writer, "matches");
  beckon_json_writer_begin_array (writer);
  for (guint i = 0; i < matches->len; i++)
    {
      const BeckonSearchMatch *match = &g_array_index (matches, BeckonSearchMatch, i);

      beckon_json_writer_begin_object (writer);
      beckon_json_writer_member_int (writer, "start", match->start);
      beckon_json_writer_member_int (writer, "length", match->length);
      beckon_json_writer_end_object (writer);
    }
  beckon_json_writer_end_array (writer);
}

static void
write_hit (BeckonJsonWriter *writer, const BeckonSearchHit *hit)
{
  beckon_json_writer_begin_object (writer);
  beckon_json_writer_member_string (writer, "conversation", hit->conversation_id);
  beckon_json_writer_member_string (writer, "title", hit->title);
  beckon_json_writer_member_string (writer, "message", hit->message_id);
  beckon_json_writer_member_int (writer, "at", hit->at);
  beckon_json_writer_member_string (writer, "snippet", hit->snippet);
  write_matches (writer, hit->matches);
  beckon_json_writer_end_object (writer);
}

static void
command_search_print_json (GPtrArray *hits, gboolean is_complete)
{
  g_autoptr (GString) document = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, document);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_boolean (&writer, "complete", is_complete);
  beckon_json_writer_name (&writer, "hits");
  beckon_json_writer_begin_array (&writer);
  for (guint i = 0; i < hits->len; i++)
    write_hit (&writer, g_ptr_array_index (hits, i));
  beckon_json_writer_end_array (&writer);
  beckon_json_writer_end_object (&writer);
  beckon_cli_context_print_json (document->str);
}

static void command_search_start (BeckonCliContext *cli);

static void
command_search_on_searched (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonCliContext *cli = user_data;
  Search *search = cli->data;
  gboolean is_complete;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) hits = beckon_store_search_finish (BECKON_STORE (source), result, &is_complete, &error);

  if (hits == NULL)
    {
      beckon_cli_context_finish (cli, error->message);
      return;
    }
  if (!is_complete && !beckon_store_search_is_stuck (BECKON_STORE (source), result)
      && g_get_monotonic_time () - search->began < INDEXING_PATIENCE_US)
    {
      command_search_start (cli);
      return;
    }

  if (search->json)
    command_search_print_json (hits, is_complete);
  else
    {
      for (guint i = 0; i < hits->len; i++)
        print_hit (g_ptr_array_index (hits, i));
      if (hits->len == 0)
        fprintf (stderr, "%s\n", _("No results."));
      if (!is_complete)
        fprintf (stderr, "%s\n", _("Part of the history isn't indexed yet. There may be more results."));
    }
  beckon_cli_context_finish (cli, NULL);
}

static void
command_search_start (BeckonCliContext *cli)
{
  const Search *search = cli->data;

  beckon_store_search_async (cli->store, search->words, (guint) search->limit, NULL, command_search_on_searched, cli);
}

int
beckon_command_search (int argc, char **argv)
{
  Search search = { .limit = DEFAULT_LIMIT, .began = g_get_monotonic_time () };
  int status;
  const GOptionEntry entries[] = {
    { "limit", 'n', 0, G_OPTION_ARG_INT, &search.limit, N_("Show at most N results, 1 to 1000"), N_("N") },
    { "json", 0, 0, G_OPTION_ARG_NONE, &search.json, N_("Print JSON"), NULL },
    G_OPTION_ENTRY_NULL,
  };

  if (!beckon_cli_context_parse (_("WORDS…"),
                                 _("Search titles and messages"),
                                 entries, &argc, &argv, 1, G_MAXINT))
    return BECKON_COMMAND_MISUSED;
  if (search.limit < 1 || search.limit > MAX_LIMIT)
    {
      beckon_command_complain ("search", _("Set the limit to a number from 1 to 1000."));
      return BECKON_COMMAND_MISUSED;
    }

  search.words = g_strjoinv (" ", argv + 1);
  status = beckon_cli_context_run ("search", command_search_start, &search);
  g_free (search.words);

  return status;
}
