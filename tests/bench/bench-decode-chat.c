/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llm/beckon-codec.h"

#include <json-glib/json-glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/*
 * A reply of 200,000 deltas through the decoder, framing included, against a tree of json-glib for each payload. The two take
 * turns; the first turn of each is thrown away.
 */

#define N_CHUNKS 200000
#define N_SAMPLES 5
#define READ_SIZE 65536
#define GOAL 0.2

static GString *
make_stream (void)
{
  static const char *const words[] = {
    "Hello", " the", " of", " conversation", ",", "\\n\\n", " naïve", " 東京", " \\\"so\\\"",
  };
  GString *stream = g_string_new (NULL);

  for (guint i = 0; i < N_CHUNKS; i++)
    g_string_append_printf (
      stream,
      "data: {\"id\":\"chatcmpl-AbCdEfGhIjKlMnOpQrStUvWxYz012\",\"object\":\"chat.completion.chunk\","
      "\"created\":1718000000,\"model\":\"gpt-4o-mini-2024-07-18\",\"service_tier\":\"default\","
      "\"system_fingerprint\":\"fp_44709d6fcb\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"%s\"},"
      "\"logprobs\":null,\"finish_reason\":null}],\"usage\":null}\n\n",
      words[i % G_N_ELEMENTS (words)]);
  g_string_append (stream, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
                           "data: [DONE]\n\n");
  return stream;
}

static double
cpu_seconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

static void
count_bytes (const BeckonLlmEvent *event, gpointer user_data)
{
  *(gsize *) user_data += event->type == BECKON_LLM_EVENT_TEXT ? event->length : 0;
}

static double
measure_decoder (const GString *stream, gsize *bytes)
{
  double start = cpu_seconds ();
  g_autoptr (BeckonDecoder) decoder = beckon_codec_lookup ("chat")->decoder_new (count_bytes, bytes);

  *bytes = 0;
  for (gsize at = 0; at < stream->len; at += READ_SIZE)
    g_assert_true (beckon_decoder_push (decoder, stream->str + at, MIN (READ_SIZE, stream->len - at), NULL));
  beckon_decoder_finish (decoder);
  return cpu_seconds () - start;
}

static gsize
count_tree (JsonNode *root)
{
  JsonArray *choices = json_object_get_array_member (json_node_get_object (root), "choices");
  JsonObject *choice = json_array_get_object_element (choices, 0);
  JsonObject *delta = json_object_get_object_member (choice, "delta");

  return json_object_has_member (delta, "content") ? strlen (json_object_get_string_member (delta, "content")) : 0;
}

static double
measure_trees (const GString *stream, gsize *bytes)
{
  double start = cpu_seconds ();
  g_autoptr (JsonParser) parser = json_parser_new ();
  const char *at = stream->str;

  *bytes = 0;
  while (g_str_has_prefix (at, "data: {"))
    {
      const char *end = strchr (at, '\n');

      g_assert_true (json_parser_load_from_data (parser, at + 6, end - at - 6, NULL));
      *bytes += count_tree (json_parser_get_root (parser));
      at = end + 2;
    }
  return cpu_seconds () - start;
}

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

int
main (void)
{
  g_autoptr (GString) stream = make_stream ();
  double ours[N_SAMPLES], floor[N_SAMPLES];
  double ratio;

  for (int i = -1; i < N_SAMPLES; i++)
    {
      gsize decoded, expected;
      double decoder = measure_decoder (stream, &decoded);
      double trees = measure_trees (stream, &expected);

      g_assert_cmpuint (decoded, ==, expected);
      if (i < 0)
        continue;
      ours[i] = decoder;
      floor[i] = trees;
    }

  ratio = median (ours) / median (floor);
  printf ("# %.2f µs a chunk, json-glib's tree %.2f µs\n", median (ours) * 1e6 / N_CHUNKS,
          median (floor) * 1e6 / N_CHUNKS);
  printf ("bench decode-chat = %.2f times the floor, goal <= %.1f: %s\n", ratio, GOAL,
          ratio <= GOAL ? "holds" : "falls short");
  return ratio <= GOAL ? 0 : 1;
}
