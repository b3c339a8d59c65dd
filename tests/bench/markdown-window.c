/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * markdown-window FOLDER stream ORDER: the real window on a store that knows a model; sends ORDER to it and shows the
 * reply. Prints `cpu S`, the processor time from sending to the end, and `memory MB`, what memory the process has more.
 *
 * markdown-window FOLDER watch ORDER: the same; prints `gap MS` and `p99 MS`, how long the main loop stood still
 * between two turns while the reply came, and `busy MS`, the most processor time between two turns. Looking costs time,
 * too.
 *
 * markdown-window FOLDER open: a message of 1 MB of Markdown, in a conversation that is opened. Prints `gap MS` and
 * `busy MS` until all of it is there, and `whole MS`, how long that takes.
 *
 * markdown-window FOLDER bare: `gap MS` and `p99 MS` of an empty window.
 */

#include "beckon-config.h"

#include "history-look.h"
#include "history-store.h"
#include "turns.h"

#include "base/beckon-id.h"
#include "ui/application/beckon-application.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define LARGE (1024 * 1024)
#define BARE_MS 5000

static double
get_cpu (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
         + (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static void
print_gaps (Turns *turns)
{
  printf ("gap %.2f\np99 %.2f\nbusy %.2f\n", turns_get_longest (turns), turns_get_percentile (turns, 0.99),
          turns_get_longest_cpu (turns));
}

/* A reply */

static void
on_sent (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!beckon_agent_send_finish (BECKON_AGENT (source), result, &error))
    g_error ("%s", error->message);
}

static gboolean
is_reply_over (BeckonConversation *conversation)
{
  guint n = beckon_conversation_get_n_messages (conversation);
  BeckonMessage *last = n > 1 ? beckon_conversation_get_message (conversation, n - 1) : NULL;

  return last != NULL && beckon_message_get_role (last) == BECKON_ROLE_ASSISTANT
         && beckon_message_get_status (last) != BECKON_MESSAGE_STREAMING;
}

/* The bytes show there was a reply. */
static double
count_bytes (BeckonConversation *conversation)
{
  guint n = beckon_conversation_get_n_messages (conversation);
  g_autofree char *text = n > 0 ? beckon_message_dup_text (beckon_conversation_get_message (conversation, n - 1)) : NULL;

  return text != NULL ? (double) strlen (text) : 0;
}

/* The one that is not built in. */
static BeckonProfile *
find_profile (BeckonRuntime *runtime)
{
  GListModel *profiles = G_LIST_MODEL (beckon_runtime_get_profiles (runtime));

  for (guint i = 0; i < g_list_model_get_n_items (profiles); i++)
    {
      g_autoptr (BeckonProfile) profile = g_list_model_get_item (profiles, i);

      if (g_str_equal (beckon_profile_get_name (profile), "bench"))
        return profile;
    }
  g_error ("no profile is called bench");
}

static void
measure_stream (BeckonRuntime *runtime, const char *order, gboolean watch)
{
  BeckonWindow *window = history_look_show (runtime);
  g_autoptr (BeckonConversation) conversation = beckon_library_create (beckon_runtime_get_library (runtime));
  double memory, cpu;
  g_autoptr (Turns) turns = NULL;

  beckon_library_set_profile (beckon_runtime_get_library (runtime), conversation,
                              beckon_profile_get_id (find_profile (runtime)));
  beckon_window_open_conversation (window, conversation, TRUE);
  turns_rest (1500);
  memory = history_look_get_private_mb ();
  cpu = get_cpu ();
  turns = watch ? turns_watch () : NULL;
  beckon_agent_send_async (beckon_runtime_get_agent (runtime), conversation, order, NULL, on_sent, NULL);
  while (!is_reply_over (conversation))
    g_main_context_iteration (NULL, TRUE);
  printf ("cpu %.3f\n", get_cpu () - cpu);
  if (watch)
    print_gaps (turns);
  turns_rest (1000);
  printf ("bytes %.0f\n", count_bytes (conversation));
  printf ("memory %.2f\n", history_look_get_private_mb () - memory);
}

/* A large message */

static char *
write_large (void)
{
  static const char piece[] =
      "## Heading\n\nA paragraph with **bold** and `code`, and more of it so that it wraps once or twice, as text does in a "
      "window of this width, when it is not too wide.\n\n- one\n- two\n  - three\n\n```c\nint x = 1; /* comment */\nreturn x;\n"
      "```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n";
  GString *text = g_string_new (NULL);

  while (text->len < LARGE)
    g_string_append (text, piece);
  return g_string_free (text, FALSE);
}

static void
put_large (BeckonRuntime *runtime, BeckonConversation *conversation)
{
  g_autofree char *text = write_large ();
  g_autoptr (BeckonMessage) message = beckon_message_new (NULL, BECKON_ROLE_ASSISTANT, g_get_real_time ());
  g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_TEXT, text);

  beckon_message_add_part (message, part);
  beckon_conversation_add_message (conversation, message);
}

static void
measure_opening (BeckonRuntime *runtime)
{
  BeckonWindow *window = history_look_show (runtime);
  g_autoptr (BeckonConversation) conversation = beckon_library_create (beckon_runtime_get_library (runtime));
  g_autoptr (Turns) turns = NULL;
  double memory = history_look_get_private_mb (), cpu, before;
  gint64 began;

  put_large (runtime, conversation);
  turns_rest (500);
  turns = turns_watch ();
  began = g_get_monotonic_time ();
  cpu = get_cpu ();
  beckon_window_open_conversation (window, conversation, TRUE);
  /* Until nothing happens any more. */
  do
    {
      before = get_cpu ();
      turns_rest (500);
    }
  while (get_cpu () - before > 0.05);
  printf ("whole %.0f\ncpu %.2f\n", (double) (g_get_monotonic_time () - began) / 1000.0 - 500, get_cpu () - cpu);
  print_gaps (turns);
  printf ("memory %.2f\n", history_look_get_private_mb () - memory);
}

static void
measure_bare (void)
{
  GtkWidget *window = adw_window_new ();
  g_autoptr (Turns) turns = NULL;

  gtk_window_present (GTK_WINDOW (window));
  turns_rest (1500);
  turns = turns_watch ();
  turns_rest (BARE_MS);
  print_gaps (turns);
}

int
main (int argc, char **argv)
{
  BeckonRuntime *runtime;

  if (argc < 3)
    return 2;
  adw_init ();
  beckon_application_register_resources ();
  if (g_str_equal (argv[2], "bare"))
    {
      measure_bare ();
      return 0;
    }
  runtime = history_look_open_runtime (argv[1]);
  if (g_str_equal (argv[2], "open"))
    measure_opening (runtime);
  else if (argc == 4)
    measure_stream (runtime, argv[3], g_str_equal (argv[2], "watch"));
  fflush (stdout);
  /* The measurement is over. */
  _Exit (0);
}
