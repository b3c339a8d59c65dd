/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-fixture-server.h"
#include "beckon-telegram-emulator.h"
#include "beckon-wechat-emulator.h"
#include "channels/beckon-channel-kind.h"
#ifdef WITH_XMPP
#include "beckon-prosody.h"
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* Text channels while nothing happens: the cost of an account of each kind, connected to a server of its own that holds their polls;
 * and whether a message leaves at once meanwhile. The servers are the program that is started, and the channels are a second
 * one: bench-channels KIND CONFIG SECRET…, so that only these are measured. */

#define IDLE_S 30

static void
on_ready (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

/* --- The channels ------------------------------------------------------------------------------------------------- */

static long
read_private_kb (void)
{
  g_autofree char *rollup = NULL;
  g_auto (GStrv) lines = NULL;
  long total = 0;

  if (!g_file_get_contents ("/proc/self/smaps_rollup", &rollup, NULL, NULL))
    exit (1);
  lines = g_strsplit (rollup, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i], "Private_Clean:") || g_str_has_prefix (lines[i], "Private_Dirty:"))
      total += atol (strchr (lines[i], ':') + 1);
  return total;
}

static double
get_cpu_ms (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000
         + (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000;
}

static gboolean
on_over (gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
  return G_SOURCE_REMOVE;
}

static void
run_for (guint milliseconds)
{
  gboolean is_over = FALSE;

  g_timeout_add (milliseconds, on_over, &is_over);
  while (!is_over)
    g_main_context_iteration (NULL, TRUE);
}

static BeckonChannelAdapter *
start (const char *kind, const char *config, const char *secret)
{
  BeckonChannelAdapter *adapter = beckon_channel_kind_make_adapter (beckon_channel_kind_find (kind));
  g_autoptr (JsonNode) node = json_from_string (config, NULL);
  const BeckonChannelStart how = { .config = json_node_get_object (node), .secret = *secret != '\0' ? secret : NULL };

  beckon_channel_adapter_start (adapter, &how);
  while (beckon_channel_adapter_get_state (adapter) != BECKON_CHANNEL_CONNECTED)
    g_main_context_iteration (NULL, TRUE);
  return adapter;
}

/* @address: whom it goes to. */
static void
print_send (const char *kind, BeckonChannelAdapter *adapter, const char *address)
{
  g_autoptr (BeckonChannelOutgoing) outgoing = beckon_channel_outgoing_new (NULL, address, "A question", "Which port?");
  g_autoptr (GAsyncResult) result = NULL;
  g_autofree char *id = NULL;
  gint64 began = g_get_monotonic_time ();

  beckon_channel_adapter_send_async (adapter, outgoing, NULL, on_ready, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  id = beckon_channel_adapter_send_finish (adapter, result, NULL);
  printf ("# %s: %s after %.1f ms, while all polls are held\n", kind, id != NULL ? "sent" : "NOT SENT",
          (double) (g_get_monotonic_time () - began) / 1000);
}

static gboolean
report (const char *name, double value, const char *unit, double goal)
{
  printf ("bench %s = %.3f %s, goal <= %g: %s\n", name, value, unit, goal, value <= goal ? "holds" : "falls short");
  return value <= goal;
}

/* The libraries are there before: a program that uses the network has them. */
static int
measure (int argc, char **argv)
{
  BeckonChannelAdapter *adapters[8];
  int n = (argc - 1) / 4;
  long before, after;
  double cpu, idle_cpu;
  gboolean holds;

  run_for (200);
  before = read_private_kb ();
  for (int i = 0; i < n; i++)
    adapters[i] = start (argv[1 + i * 4], argv[2 + i * 4], argv[3 + i * 4]);
  run_for (2000);
  after = read_private_kb ();
  cpu = get_cpu_ms ();
  run_for (IDLE_S * 1000);
  idle_cpu = get_cpu_ms () - cpu;
  printf ("# %d channels, idle for %d s\n", n, IDLE_S);
  holds = report ("channels-idle-cpu", idle_cpu / (IDLE_S * 10.0), "% of a core", 0.5);
  holds = report ("channels-idle-memory", (double) (after - before) / 1024, "MB", 4) && holds;
  for (int i = 0; i < n; i++)
    print_send (argv[1 + i * 4], adapters[i], argv[4 + i * 4]);
  for (int i = 0; i < n; i++)
    {
      beckon_channel_adapter_stop (adapters[i]);
      g_object_unref (adapters[i]);
    }
  return holds ? 0 : 1;
}

/* --- Their servers ------------------------------------------------------------------------------------------------ */

static BeckonFixtureReply *
on_published (BeckonFixtureServer *server, const BeckonFixtureRequest *request, gpointer user_data)
{
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_response (reply, 200, NULL, "application/json", "{\"id\":\"1\"}");
  return reply;
}

static void
add (GPtrArray *arguments, const char *kind, char *config, const char *secret, const char *address)
{
  g_ptr_array_add (arguments, g_strdup (kind));
  g_ptr_array_add (arguments, config);
  g_ptr_array_add (arguments, g_strdup (secret));
  g_ptr_array_add (arguments, g_strdup (address));
}

int
main (int argc, char **argv)
{
  g_autoptr (GPtrArray) arguments = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (BeckonTelegramEmulator) telegram = NULL;
  g_autoptr (BeckonWechatEmulator) wechat = NULL;
  g_autoptr (BeckonFixtureServer) push = NULL;
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GAsyncResult) ended = NULL;
  g_autoptr (GError) error = NULL;
#ifdef WITH_XMPP
  BeckonProsody *prosody = NULL;
#endif

  if (argc > 1)
    return measure (argc, argv);
  g_ptr_array_add (arguments, g_canonicalize_filename (argv[0], NULL));
#ifdef WITH_XMPP
  if (g_find_program_in_path ("prosody") != NULL)
    {
      prosody = beckon_prosody_new ("good", NULL);
      add (arguments, "xmpp",
           g_strdup_printf ("{\"address\":\"beckon@" BECKON_PROSODY_DOMAIN "\",\"host\":\"127.0.0.1\",\"port\":\"%u\"}", prosody->port),
           "correct-horse", "anna@" BECKON_PROSODY_PEERS);
    }
#endif
  telegram = beckon_telegram_emulator_new ();
  wechat = beckon_wechat_emulator_new ();
  push = beckon_fixture_server_new (0);
  beckon_fixture_server_set_handler (push, on_published, NULL);
  add (arguments, "telegram", g_strdup_printf ("{\"server\":\"%s\"}", beckon_telegram_emulator_get_address (telegram)),
       BECKON_TELEGRAM_EMULATOR_TOKEN, "42");
  add (arguments, "wechat", g_strdup_printf ("{\"server\":\"%s\"}", beckon_wechat_emulator_get_base (wechat)),
       BECKON_WECHAT_EMULATOR_TOKEN, BECKON_WECHAT_EMULATOR_USER);
  add (arguments, "push", g_strdup_printf ("{\"address\":\"http://127.0.0.1:%u/topic\"}", beckon_fixture_server_get_port (push)),
       "", "push");
  g_ptr_array_add (arguments, NULL);
  process = g_subprocess_newv ((const char *const *) arguments->pdata, G_SUBPROCESS_FLAGS_NONE, &error);
  if (process == NULL)
    {
      fprintf (stderr, "%s\n", error->message);
      return 1;
    }
  g_subprocess_wait_async (process, NULL, on_ready, &ended);
  while (ended == NULL)
    g_main_context_iteration (NULL, TRUE);
#ifdef WITH_XMPP
  g_clear_pointer (&prosody, beckon_prosody_free);
#endif
  return g_subprocess_get_exit_status (process);
}
