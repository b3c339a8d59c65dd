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

/* Times what a tree costs. */
#define GOAL 0.1

/* How a protocol says a word, and where in the tree of its payload that is. */
typedef struct
{
  const char *name;
  const char *prefix; /* of a payload's line */
  const char *before;
  const char *after;
  const char *end;
  const char *path[8]; /* names; a list is stepped into at its first element */
} Protocol;

static const Protocol protocols[] = {
  { "chat", "data: ",
    "{\"id\":\"chatcmpl-AbCdEfGhIjKlMnOpQrStUvWxYz012\",\"object\":\"chat.completion.chunk\",\"created\":1718000000,"
    "\"model\":\"gpt-4o-mini-2024-07-18\",\"service_tier\":\"default\",\"system_fingerprint\":\"fp_44709d6fcb\","
    "\"choices\":[{\"index\":0,\"delta\":{\"content\":\"",
    "\"},\"logprobs\":null,\"finish_reason\":null}],\"usage\":null}\n\n",
    "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
    { "choices", "delta", "content" } },
  { "responses", "data: ",
    "{\"type\":\"response.output_text.delta\",\"sequence_number\":22,\"item_id\":\"msg_05500b38c2cd9bfc00691c7c9d222481\","
    "\"output_index\":1,\"content_index\":0,\"delta\":\"",
    "\",\"logprobs\":[],\"obfuscation\":\"aJ3kPq8Zx1\"}\n\n",
    "data: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\"}}\n\n",
    { "delta" } },
  { "anthropic", "data: ",
    "{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"",
    "\"}       }\n\n",
    "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}\n\ndata: {\"type\":\"message_stop\"}\n\n",
    { "delta", "text" } },
  { "gemini", "data: ",
    "{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"",
    "\"}],\"role\":\"model\"},\"index\":0}],\"usageMetadata\":{\"promptTokenCount\":54,\"candidatesTokenCount\":74,"
    "\"totalTokenCount\":249,\"promptTokensDetails\":[{\"modality\":\"TEXT\",\"tokenCount\":54}]},\"modelVersion\":"
    "\"gemini-3-flash-preview\",\"responseId\":\"3noMaojQL_2s6tkPiO26qQ4\"}\n\n",
    "data: {\"candidates\":[{\"finishReason\":\"STOP\"}]}\n\n",
    { "candidates", "content", "parts", "text" } },
  { "ollama", "",
    "{\"model\":\"qwen3:4b\",\"created_at\":\"2026-08-05T08:10:56.372032Z\",\"message\":{\"role\":\"assistant\",\"content\":\"",
    "\"},\"done\":false}\n",
    "{\"done\":true,\"done_reason\":\"stop\"}\n",
    { "message", "content" } },
};

static const Protocol *protocol;

static GString *
make_stream (void)
{
  static const char *const words[] = {
    "Hello", " the", " of", " conversation", ",", "\\n\\n", " naïve", " 東京", " \\\"so\\\"",
  };
  GString *stream = g_string_new (NULL);

  for (guint i = 0; i < N_CHUNKS; i++)
    g_string_append_printf (stream, "%s%s%s%s", protocol->prefix, protocol->before, words[i % G_N_ELEMENTS (words)],
                            protocol->after);
  g_string_append (stream, protocol->end);
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
  g_autoptr (BeckonDecoder) decoder = beckon_codec_lookup (protocol->name)->decoder_new (count_bytes, bytes);

  *bytes = 0;
  for (gsize at = 0; at < stream->len; at += READ_SIZE)
    g_assert_true (beckon_decoder_push (decoder, stream->str + at, MIN (READ_SIZE, stream->len - at), NULL));
  beckon_decoder_finish (decoder);
  return cpu_seconds () - start;
}

static gsize
count_tree (JsonNode *node)
{
  for (guint i = 0; protocol->path[i] != NULL; i++)
    {
      JsonObject *object = json_node_get_object (node);

      if (!json_object_has_member (object, protocol->path[i]))
        return 0;
      node = json_object_get_member (object, protocol->path[i]);
      if (JSON_NODE_HOLDS_ARRAY (node))
        node = json_array_get_element (json_node_get_array (node), 0);
    }
  return strlen (json_node_get_string (node));
}

static double
measure_trees (const GString *stream, gsize *bytes)
{
  double start = cpu_seconds ();
  g_autoptr (JsonParser) parser = json_parser_new ();
  const char *at = stream->str;
  gsize prefix = strlen (protocol->prefix);

  *bytes = 0;
  while (at[prefix] == '{')
    {
      const char *end = strchr (at, '\n');

      g_assert_true (json_parser_load_from_data (parser, at + prefix, end - at - (gssize) prefix, NULL));
      *bytes += count_tree (json_parser_get_root (parser));
      at = end + strspn (end, "\n");
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

static void
find_protocol (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (protocols); i++)
    if (strcmp (protocols[i].name, PROTOCOL) == 0)
      protocol = &protocols[i];
  g_assert_nonnull (protocol);
}

int
main (void)
{
  g_autoptr (GString) stream = NULL;
  double ours[N_SAMPLES], floor[N_SAMPLES];
  double ratio;

  find_protocol ();
  stream = make_stream ();
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
  printf ("bench decode-%s = %.2f times the floor, goal <= %.2f: %s\n", protocol->name, ratio, GOAL,
          ratio <= GOAL ? "holds" : "falls short");
  return ratio <= GOAL ? 0 : 1;
}
