/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * provider-stream BASE_URL ORDER: one reply through our provider, as a run receives it, and nothing else: what came is counted
 * and let go. Prints how many bytes of text there were. The cap of a stream is taken off, because it is longer than any reply.
 */

#include "llm/beckon-provider.h"
#include "runtime/beckon-endpoints.h"

#include <stdio.h>

static void
count_bytes (const BeckonLlmEvent *event, gpointer user_data)
{
  gsize *bytes = user_data;

  if (event->type == BECKON_LLM_EVENT_TEXT)
    *bytes += event->length;
  if (event->type == BECKON_LLM_EVENT_END && event->end != BECKON_LLM_END_COMPLETE)
    g_error ("The reply ended as %s", beckon_llm_end_to_string (event->end));
}

static void
on_streamed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!beckon_provider_stream_finish (BECKON_PROVIDER (source), result, NULL, &error))
    g_error ("%s", error->message);
  g_main_loop_quit (user_data);
}

static BeckonLlmRequest *
make_request (const char *base_url, const char *order)
{
  g_autoptr (BeckonProfile) profile = beckon_profile_new ("bench", BECKON_PROFILE_CHAT);
  g_autoptr (BeckonMessage) message = beckon_message_new (NULL, BECKON_ROLE_USER, 0);
  g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_TEXT, order);
  BeckonLlmRequest *request;

  beckon_profile_set_base_url (profile, base_url);
  beckon_profile_set_model (profile, "bench");
  beckon_message_add_part (message, part);
  request = beckon_llm_request_new (profile, NULL);
  beckon_llm_request_add_message (request, message);
  return request;
}

int
main (int argc, char **argv)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (BeckonEnteredEndpoint) endpoint = beckon_entered_endpoint_new ("bench");
  g_autoptr (BeckonProvider) provider = NULL;
  g_autoptr (BeckonLlmRequest) request = NULL;
  BeckonProviderLimits limits;
  gsize bytes = 0;

  if (argc != 3)
    g_error ("usage: provider-stream BASE_URL ORDER");
  provider = beckon_provider_new (BECKON_ENDPOINT_SOURCE (endpoint), beckon_clock_get_system ());
  beckon_provider_limits_default (&limits);
  limits.stream_bytes = G_MAXSIZE / 2;
  beckon_provider_set_limits (provider, &limits);
  request = make_request (argv[1], argv[2]);
  beckon_provider_stream_async (provider, request, count_bytes, &bytes, NULL, on_streamed, loop);
  g_main_loop_run (loop);
  printf ("%" G_GSIZE_FORMAT "\n", bytes);
  return 0;
}
