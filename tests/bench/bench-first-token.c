/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * From the moment a request is made to the first word of its reply: what we add over the least client on libsoup, with TLS and
 * without. Both keep their connection, ask the same server in this process for the same reply, and take turns.
 */

#include "beckon-fixture-server.h"
#include "beckon-tls-front.h"
#include "floor-client.h"
#include "llm/beckon-provider.h"
#include "runtime/beckon-endpoints.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N_SAMPLES 300
#define N_WARM 20
#define READ_SIZE 65536
#define GOAL_MS 1.0

typedef struct
{
  GMainLoop *loop;
  gint64 began;
  gint64 first; /* how long it took, in µs; -1 before */
  char buffer[READ_SIZE];
  gsize size;
  GInputStream *input;
} Sample;

static void
begin (Sample *sample)
{
  sample->size = 0;
  sample->first = -1;
  sample->began = g_get_monotonic_time ();
}

static void
note_first (Sample *sample)
{
  if (sample->first < 0)
    sample->first = g_get_monotonic_time () - sample->began;
}

/* --- Ours --------------------------------------------------------------------------------------------------------- */

static void
on_event (const BeckonLlmEvent *event, gpointer user_data)
{
  if (event->type == BECKON_LLM_EVENT_TEXT)
    note_first (user_data);
}

static void
on_streamed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Sample *sample = user_data;
  g_autoptr (GError) error = NULL;

  if (!beckon_provider_stream_finish (BECKON_PROVIDER (source), result, NULL, &error))
    g_error ("%s", error->message);
  g_main_loop_quit (sample->loop);
}

static BeckonLlmRequest *
make_request (const char *base_url)
{
  g_autoptr (BeckonProfile) profile = beckon_profile_new ("bench", BECKON_PROFILE_CHAT);
  g_autoptr (BeckonMessage) message = beckon_message_new (NULL, BECKON_ROLE_USER, 0);
  g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_TEXT, "Hello");
  BeckonLlmRequest *request;

  beckon_profile_set_base_url (profile, base_url);
  beckon_profile_set_model (profile, "bench");
  beckon_message_add_part (message, part);
  request = beckon_llm_request_new (profile, NULL);
  beckon_llm_request_add_message (request, message);
  return request;
}

static double
take_ours (Sample *sample, BeckonProvider *provider, const char *base_url)
{
  g_autoptr (BeckonLlmRequest) request = NULL;

  begin (sample);
  request = make_request (base_url);
  beckon_provider_stream_async (provider, request, on_event, sample, NULL, on_streamed, sample);
  g_main_loop_run (sample->loop);
  return (double) sample->first;
}

/* --- The least ---------------------------------------------------------------------------------------------------- */

static void
on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Sample *sample = user_data;
  gssize size = g_input_stream_read_finish (G_INPUT_STREAM (source), result, NULL);

  if (size > 0)
    {
      sample->size += (gsize) size;
      if (g_strstr_len (sample->buffer, (gssize) sample->size, "Hello") != NULL)
        note_first (sample);
      g_input_stream_read_async (sample->input, sample->buffer + sample->size, READ_SIZE - sample->size, G_PRIORITY_DEFAULT,
                                 NULL, on_read, sample);
      return;
    }
  g_clear_object (&sample->input);
  g_main_loop_quit (sample->loop);
}

static void
on_sent (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Sample *sample = user_data;

  sample->input = soup_session_send_finish (SOUP_SESSION (source), result, NULL);
  if (sample->input == NULL)
    g_error ("no reply");
  g_input_stream_read_async (sample->input, sample->buffer, READ_SIZE, G_PRIORITY_DEFAULT, NULL, on_read, sample);
}

static double
take_floor (Sample *sample, SoupSession *session, const char *url)
{
  g_autoptr (SoupMessage) message = NULL;

  begin (sample);
  message = floor_client_message_new (url, 0);
  soup_session_send_async (session, message, G_PRIORITY_DEFAULT, NULL, on_sent, sample);
  g_main_loop_run (sample->loop);
  return (double) sample->first;
}

/* --- Both --------------------------------------------------------------------------------------------------------- */

static int
compare (gconstpointer a, gconstpointer b)
{
  double one = *(const double *) a;
  double other = *(const double *) b;

  return one < other ? -1 : one > other;
}

static double
median (double *samples)
{
  qsort (samples, N_SAMPLES, sizeof (double), compare);
  return samples[N_SAMPLES / 2];
}

static BeckonFixtureReply *
reply (BeckonFixtureServer *server, const BeckonFixtureRequest *request, gpointer user_data)
{
  return beckon_fixture_reply_new_chat ("Hello");
}

static gboolean
measure (const char *name, const char *base_url)
{
  static Sample sample;
  g_autoptr (BeckonEnteredEndpoint) endpoint = beckon_entered_endpoint_new ("bench");
  g_autoptr (BeckonProvider) provider
      = beckon_provider_new (BECKON_ENDPOINT_SOURCE (endpoint), beckon_clock_get_system ());
  g_autoptr (SoupSession) session = soup_session_new ();
  g_autofree char *url = g_strconcat (base_url, "/chat/completions", NULL);
  double ours[N_SAMPLES], floor[N_SAMPLES], added[N_SAMPLES];
  double delay;

  sample.loop = g_main_loop_new (NULL, FALSE);
  for (int i = -N_WARM; i < N_SAMPLES; i++)
    {
      double one = take_ours (&sample, provider, base_url);
      double other = take_floor (&sample, session, url);

      if (i < 0)
        continue;
      ours[i] = one;
      floor[i] = other;
      added[i] = one - other;
    }
  g_main_loop_unref (sample.loop);
  delay = median (added) / 1000;
  printf ("# ours %.3f ms, libsoup alone %.3f ms, %d replies each\n", median (ours) / 1000, median (floor) / 1000, N_SAMPLES);
  printf ("bench %s = %.3f ms added, goal <= %g: %s\n", name, delay, GOAL_MS, delay <= GOAL_MS ? "holds" : "falls short");
  return delay <= GOAL_MS;
}

int
main (int argc, char **argv)
{
  g_autoptr (BeckonFixtureServer) server = NULL;
  g_autoptr (BeckonTlsFront) front = NULL;
  g_autofree char *url = NULL;
  gboolean holds;

  g_setenv ("BECKON_TEST_TLS_FOLDER", TLS_FOLDER, TRUE);
  server = beckon_fixture_server_new (0);
  beckon_fixture_server_set_handler (server, reply, NULL);
  holds = measure ("first-token-http", beckon_fixture_server_get_base_url (server));
  front = beckon_tls_front_new ("good.pem", beckon_fixture_server_get_port (server));
  url = g_strdup_printf ("https://127.0.0.1:%u/v1", beckon_tls_front_get_port (front));
  return measure ("first-token-tls", url) && holds ? 0 : 1;
}
