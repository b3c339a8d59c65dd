/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The program without a window: runs, the inbox and the requests on the session bus, in a process of its own that can be
 * measured. `questions-host BASE_URL` reads commands and answers each with a line:
 *
 *   send COUNT PENDING ORDER   begins COUNT conversations with ORDER; `pending N` once PENDING requests wait
 *
 * and ends with its standard input.
 */

#include "dbus/beckon-questions.h"

#include <gio/gunixinputstream.h>
#include <stdio.h>
#include <unistd.h>

#define PROFILE "bench"

typedef struct
{
  BeckonRuntime *runtime;
  BeckonQuestions *questions;
  GDataInputStream *commands;
  GMainLoop *loop;
  guint expected; /* 0: nobody waits for it */
} Host;

static void
check (gboolean ok, const GError *error)
{
  if (!ok)
    g_error ("%s", error->message);
}

static void
on_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GAsyncResult **slot = user_data;

  *slot = g_object_ref (result);
}

static void
wait_for (GAsyncResult **result)
{
  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);
}

static void
tell_pending (Host *host)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (beckon_runtime_get_inbox (host->runtime)));

  if (host->expected == 0 || n != host->expected)
    return;
  host->expected = 0;
  printf ("pending %u\n", n);
}

static void
on_sent (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  check (beckon_agent_send_finish (BECKON_AGENT (source), result, &error), error);
}

static void
begin_conversations (Host *host, const char *line)
{
  guint count = 0;
  char order[128];

  if (sscanf (line, "send %u %u %127s", &count, &host->expected, order) != 3)
    g_error ("No such command: %s", line);
  for (guint i = 0; i < count; i++)
    beckon_agent_send_async (beckon_runtime_get_agent (host->runtime),
                             beckon_library_create (beckon_runtime_get_library (host->runtime)), order, NULL, on_sent,
                             NULL);
}

static void
on_line (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Host *host = user_data;
  g_autofree char *line = g_data_input_stream_read_line_finish (host->commands, result, NULL, NULL);

  if (line == NULL)
    {
      g_main_loop_quit (host->loop);
      return;
    }
  begin_conversations (host, line);
  g_data_input_stream_read_line_async (host->commands, G_PRIORITY_DEFAULT, NULL, on_line, host);
}

static void
open_runtime (Host *host, const char *base_url)
{
  BeckonProfiles *profiles = beckon_runtime_get_profiles (host->runtime);
  g_autoptr (BeckonProfile) profile = beckon_profile_new (PROFILE, BECKON_PROFILE_CHAT);
  g_autoptr (GAsyncResult) opened = NULL;
  g_autoptr (GAsyncResult) saved = NULL;
  g_autoptr (GError) error = NULL;

  beckon_runtime_open_async (host->runtime, NULL, on_result, &opened);
  wait_for (&opened);
  check (beckon_runtime_open_finish (host->runtime, opened, &error), error);

  beckon_profile_set_name (profile, "Bench");
  beckon_profile_set_model (profile, "bench");
  beckon_profile_set_base_url (profile, base_url);
  beckon_profiles_save_async (profiles, profile, NULL, on_result, &saved);
  wait_for (&saved);
  check (beckon_profiles_save_finish (profiles, saved, &error), error);
  beckon_settings_set_default_profile (beckon_runtime_get_settings (host->runtime), PROFILE);
}

static void
serve (Host *host)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GDBusConnection) connection = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, &error);

  check (connection != NULL, error);
  host->questions = beckon_questions_new (NULL);
  check (beckon_questions_export (host->questions, connection, &error), error);
  beckon_questions_own_name (host->questions);
  beckon_questions_set_runtime (host->questions, host->runtime);
}

static void
close_host (Host *host)
{
  g_autoptr (GAsyncResult) closed = NULL;
  g_autoptr (GError) error = NULL;

  beckon_questions_set_runtime (host->questions, NULL);
  beckon_questions_withdraw (host->questions);
  beckon_runtime_close_async (host->runtime, on_result, &closed);
  wait_for (&closed);
  check (beckon_runtime_close_finish (host->runtime, closed, &error), error);
}

int
main (int argc, char **argv)
{
  Host host = { 0 };
  g_autoptr (GInputStream) input = g_unix_input_stream_new (STDIN_FILENO, FALSE);

  if (argc != 2)
    return 2;
  setvbuf (stdout, NULL, _IOLBF, 0);
  host.loop = g_main_loop_new (NULL, FALSE);
  host.runtime = beckon_runtime_new (NULL);
  open_runtime (&host, argv[1]);
  serve (&host);
  g_signal_connect_swapped (beckon_runtime_get_inbox (host.runtime), "items-changed", G_CALLBACK (tell_pending), &host);

  host.commands = g_data_input_stream_new (input);
  g_data_input_stream_read_line_async (host.commands, G_PRIORITY_DEFAULT, NULL, on_line, &host);
  g_main_loop_run (host.loop);

  close_host (&host);
  g_object_unref (host.commands);
  g_object_unref (host.questions);
  g_object_unref (host.runtime);
  g_main_loop_unref (host.loop);
  return 0;
}
