/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-errand.h"

#include "base/beckon-text.h"
#include "beckon-command.h"
#include "beckon-health-line.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>

typedef struct
{
  BeckonErrand *errand;
  char *id;
  void (*found) (BeckonErrand *errand, BeckonConversation *header);
} Finding;

static void
on_closed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonErrand *errand = user_data;
  g_autoptr (GError) error = NULL;

  if (!beckon_runtime_close_finish (BECKON_RUNTIME (source), result, &error))
    {
      fprintf (stderr, "beckonctl %s: %s\n", errand->command, error->message);
      errand->status = BECKON_ERRAND_FAILED;
    }
  g_main_loop_quit (errand->loop);
}

void
beckon_errand_finish (BeckonErrand *errand, const char *problem)
{
  beckon_errand_finish_with (errand, problem, BECKON_ERRAND_FAILED);
}

void
beckon_errand_finish_with (BeckonErrand *errand, const char *problem, int status)
{
  g_return_if_fail (errand != NULL);

  if (problem != NULL)
    {
      fprintf (stderr, "beckonctl %s: %s\n", errand->command, problem);
      errand->status = status;
    }
  beckon_runtime_close_async (errand->runtime, on_closed, errand);
}

static void
on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonErrand *errand = user_data;
  g_autoptr (GError) error = NULL;

  if (beckon_runtime_open_finish (BECKON_RUNTIME (source), result, &error))
    errand->start (errand);
  else
    beckon_errand_finish (errand, error->message);
}

/* Nothing that was printed may be lost without a word, on a full disk for example. */
static void
flush (BeckonErrand *errand)
{
  if (fflush (stdout) == 0 && !ferror (stdout))
    return;

  fprintf (stderr, "beckonctl %s: %s\n", errand->command, _("The output could not be written."));
  errand->status = BECKON_ERRAND_FAILED;
}

int
beckon_errand_run (const char *command, void (*start) (BeckonErrand *errand), gpointer data)
{
  BeckonErrand errand = { .command = command, .data = data, .start = start };

  g_return_val_if_fail (command != NULL && start != NULL, BECKON_ERRAND_FAILED);

  errand.loop = g_main_loop_new (NULL, FALSE);
  errand.runtime = beckon_runtime_new (NULL);
  errand.store = beckon_runtime_get_store (errand.runtime);
  beckon_health_line_follow (errand.runtime);
  beckon_runtime_set_light (errand.runtime, TRUE);
  beckon_runtime_open_async (errand.runtime, NULL, on_opened, &errand);
  g_main_loop_run (errand.loop);
  g_clear_object (&errand.runtime);
  g_main_loop_unref (errand.loop);
  flush (&errand);

  return errand.status;
}

static gboolean
begins_with (BeckonConversation *header, const char *id)
{
  return *id != '\0' && g_ascii_strncasecmp (beckon_conversation_get_id (header), id, strlen (id)) == 0;
}

static void
on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Finding *finding = user_data;
  g_autofree char *id = finding->id;
  BeckonConversation *match = NULL;
  guint n_matches = 0;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) headers = beckon_store_list_conversations_finish (BECKON_STORE (source), result, &error);

  for (guint i = 0; headers != NULL && i < headers->len; i++)
    if (begins_with (g_ptr_array_index (headers, i), id))
      {
        match = g_ptr_array_index (headers, i);
        n_matches++;
      }

  if (error != NULL)
    beckon_errand_finish (finding->errand, error->message);
  else if (n_matches == 1)
    finding->found (finding->errand, match);
  else if (n_matches > 1)
    beckon_errand_finish (finding->errand, _("More than one conversation begins with this id. Give more of it."));
  else
    beckon_errand_finish (finding->errand, _("There is no such conversation. “beckonctl list” shows which there are."));
}

void
beckon_errand_find_async (BeckonErrand *errand, const char *id,
                          void (*found) (BeckonErrand *errand, BeckonConversation *header))
{
  Finding *finding = g_new0 (Finding, 1);

  g_return_if_fail (errand != NULL && id != NULL && found != NULL);

  finding->errand = errand;
  finding->id = g_strdup (id);
  finding->found = found;
  beckon_store_list_conversations_async (errand->store, NULL, on_listed, finding);
}

gboolean
beckon_errand_parse (const char *usage, const char *summary, const GOptionEntry *entries, int *argc, char ***argv,
                     int least, int most)
{
  g_autoptr (GOptionContext) context = g_option_context_new (usage);
  g_autofree char *help = NULL;
  g_autoptr (GError) error = NULL;
  const char *command = (*argv)[0];

  g_option_context_set_summary (context, summary);
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  if (!g_option_context_parse (context, argc, argv, &error))
    {
      fprintf (stderr, "beckonctl %s: %s\n", command, error->message);
      return FALSE;
    }

  if (*argc - 1 >= least && *argc - 1 <= most)
    return TRUE;

  help = g_option_context_get_help (context, TRUE, NULL);
  fputs (help, stderr);

  return FALSE;
}

char *
beckon_errand_format_time (gint64 at)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (at / G_USEC_PER_SEC);

  return time != NULL ? g_date_time_format (time, "%Y-%m-%d %H:%M") : g_strdup ("");
}

char *
beckon_errand_make_safe (const char *text)
{
  return beckon_text_for_display (text, -1, BECKON_TEXT_EXACT);
}

void
beckon_errand_print_json (const char *document)
{
  g_autofree char *escaped = beckon_text_json_escape_hidden (document);

  puts (escaped);
}
