/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-json-writer.h"
#include "base/beckon-json.h"
#include "beckon-event-log.h"

#include <string.h>

/* A random reply is written as each protocol's server would, cut anywhere, and has to come back as it was; then it is sent
 * back as history, and what the provider sealed has to be in the request byte by byte. */

#define N_REPLIES 300

typedef struct
{
  char *text; /* (nullable): of a text */
  char *seal; /* (nullable): of reasoning */
  char *name; /* (nullable): of a call */
  char *arguments;
  char *id;
} Piece;

static void
piece_free (Piece *piece)
{
  g_free (piece->text);
  g_free (piece->seal);
  g_free (piece->name);
  g_free (piece->arguments);
  g_free (piece->id);
  g_free (piece);
}

static char *
random_text (GRand *random)
{
  static const char *const words[] = {
    "a", " ", "\n", "\"", "\\", "é", "東京", "🌍", "{", "}", "data: ", "\t", "\x1b", "[DONE]", "\r\n", "</s>",
  };
  GString *text = g_string_new ("x");
  guint n = (guint) g_rand_int_range (random, 0, 12);

  for (guint i = 0; i < n; i++)
    g_string_append (text, words[g_rand_int_range (random, 0, G_N_ELEMENTS (words))]);
  return g_string_free (text, FALSE);
}

static char *
quote (const char *text)
{
  GString *json = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, json);
  beckon_json_writer_string (&writer, text, -1);
  return g_string_free (json, FALSE);
}

/* Seals, texts, then calls: the order in which models speak, and in which a message is kept. */
static GPtrArray *
random_reply (GRand *random)
{
  GPtrArray *pieces = g_ptr_array_new_with_free_func ((GDestroyNotify) piece_free);
  guint n_calls = (guint) g_rand_int_range (random, 0, 4);
  Piece *text = g_new0 (Piece, 1);

  if (g_rand_boolean (random))
    {
      Piece *seal = g_new0 (Piece, 1);

      seal->seal = g_strdup_printf ("sEaL+/%08x==", g_rand_int (random));
      g_ptr_array_add (pieces, seal);
    }
  text->text = random_text (random);
  g_ptr_array_add (pieces, text);
  for (guint i = 0; i < n_calls; i++)
    {
      Piece *call = g_new0 (Piece, 1);
      g_autofree char *value = random_text (random);
      g_autofree char *quoted = quote (value);

      call->name = g_strdup_printf ("tool_%u", (guint) g_rand_int_range (random, 0, 2));
      call->arguments = g_rand_boolean (random) ? g_strdup_printf ("{\"v\":%s,\"n\":[%u]}", quoted, i) : g_strdup ("{}");
      call->id = g_strdup_printf ("id_%u", i);
      g_ptr_array_add (pieces, call);
    }
  return pieces;
}

static void
write_chat (GString *out, const Piece *piece, guint index)
{
  g_autofree char *text = piece->text != NULL ? quote (piece->text) : NULL;
  g_autofree char *arguments = piece->arguments != NULL ? quote (piece->arguments) : NULL;

  if (text != NULL)
    g_string_append_printf (out, "data: {\"choices\":[{\"delta\":{\"content\":%s}}]}\n\n", text);
  if (piece->name != NULL)
    g_string_append_printf (out, "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":%u,\"id\":\"%s\",\"function\":"
                                 "{\"name\":\"%s\",\"arguments\":%s}}]}}]}\n\n",
                            index, piece->id, piece->name, arguments);
}

static void
write_responses (GString *out, const Piece *piece, guint index)
{
  g_autofree char *text = piece->text != NULL ? quote (piece->text) : NULL;
  g_autofree char *arguments = piece->arguments != NULL ? quote (piece->arguments) : NULL;

  if (piece->seal != NULL)
    g_string_append_printf (out, "data: {\"type\":\"response.output_item.done\",\"output_index\":%u,\"item\":{\"type\":"
                                 "\"reasoning\",\"encrypted_content\":\"%s\",\"summary\":[]}}\n\n",
                            index, piece->seal);
  if (text != NULL)
    g_string_append_printf (out, "data: {\"type\":\"response.output_text.delta\",\"output_index\":%u,\"delta\":%s}\n\n",
                            index, text);
  if (piece->name != NULL)
    g_string_append_printf (out, "data: {\"type\":\"response.output_item.done\",\"output_index\":%u,\"item\":{\"type\":"
                                 "\"function_call\",\"call_id\":\"%s\",\"name\":\"%s\",\"arguments\":%s}}\n\n",
                            index, piece->id, piece->name, arguments);
}

static void
write_anthropic (GString *out, const Piece *piece, guint index)
{
  g_autofree char *text = piece->text != NULL ? quote (piece->text) : NULL;
  g_autofree char *arguments = piece->arguments != NULL ? quote (piece->arguments) : NULL;

  if (piece->seal != NULL)
    g_string_append_printf (out, "data: {\"type\":\"content_block_start\",\"index\":%u,\"content_block\":{\"type\":"
                                 "\"redacted_thinking\",\"data\":\"%s\"}}\n\n", index, piece->seal);
  if (text != NULL)
    g_string_append_printf (out, "data: {\"type\":\"content_block_delta\",\"index\":%u,\"delta\":{\"type\":\"text_delta\","
                                 "\"text\":%s}}\n\n", index, text);
  if (piece->name != NULL)
    g_string_append_printf (out, "data: {\"type\":\"content_block_start\",\"index\":%u,\"content_block\":{\"type\":"
                                 "\"tool_use\",\"id\":\"%s\",\"name\":\"%s\",\"input\":{}}}\n\n"
                                 "data: {\"type\":\"content_block_delta\",\"index\":%u,\"delta\":{\"type\":"
                                 "\"input_json_delta\",\"partial_json\":%s}}\n\n",
                            index, piece->id, piece->name, index, arguments);
  g_string_append_printf (out, "data: {\"type\":\"content_block_stop\",\"index\":%u}\n\n", index);
}

static void
write_gemini (GString *out, const Piece *piece, guint index)
{
  g_autofree char *text = piece->text != NULL ? quote (piece->text) : NULL;
  g_autofree char *part = NULL;

  if (piece->seal != NULL)
    part = g_strdup_printf ("{\"text\":\"\",\"thoughtSignature\":\"%s\"}", piece->seal);
  else if (text != NULL)
    part = g_strdup_printf ("{\"text\":%s}", text);
  else
    part = g_strdup_printf ("{\"functionCall\":{\"id\":\"%s\",\"name\":\"%s\",\"args\":%s}}", piece->id, piece->name,
                            piece->arguments);
  g_string_append_printf (out, "data: {\"candidates\":[{\"content\":{\"parts\":[%s]}}]}\r\n\r\n", part);
}

static void
write_ollama (GString *out, const Piece *piece, guint index)
{
  g_autofree char *text = piece->text != NULL ? quote (piece->text) : NULL;

  if (text != NULL)
    g_string_append_printf (out, "{\"message\":{\"content\":%s},\"done\":false}\n", text);
  if (piece->name != NULL)
    g_string_append_printf (out, "{\"message\":{\"content\":\"\",\"tool_calls\":[{\"id\":\"%s\",\"function\":{\"name\":\"%s\","
                                 "\"arguments\":%s}}]},\"done\":false}\n", piece->id, piece->name, piece->arguments);
}

typedef struct
{
  BeckonProfileKind kind;
  void (*write) (GString *out, const Piece *piece, guint index);
  const char *end;
  gboolean has_seals;
} Server;

static const Server servers[] = {
  { BECKON_PROFILE_CHAT, write_chat,
    "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n", FALSE },
  { BECKON_PROFILE_RESPONSES, write_responses,
    "data: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\"}}\n\n", TRUE },
  { BECKON_PROFILE_ANTHROPIC, write_anthropic,
    "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}\n\ndata: {\"type\":\"message_stop\"}\n\n",
    TRUE },
  { BECKON_PROFILE_GEMINI, write_gemini, "data: {\"candidates\":[{\"finishReason\":\"STOP\"}]}\r\n\r\n", TRUE },
  { BECKON_PROFILE_OLLAMA, write_ollama, "{\"done\":true,\"done_reason\":\"stop\"}", FALSE },
};

static void
keep (const BeckonLlmEvent *event, gpointer user_data)
{
  BeckonMessage *message = user_data;
  g_autoptr (BeckonPart) part = NULL;

  if (event->type == BECKON_LLM_EVENT_TEXT || event->type == BECKON_LLM_EVENT_OPAQUE)
    {
      part = beckon_part_new (event->type == BECKON_LLM_EVENT_TEXT ? BECKON_PART_TEXT : BECKON_PART_OPAQUE, NULL);
      beckon_part_append (part, event->text, event->length);
      beckon_part_set_origin (part, beckon_message_get_id (message));
    }
  else if (event->type == BECKON_LLM_EVENT_CALL)
    {
      g_autoptr (BeckonToolCall) call = beckon_tool_call_new (NULL, event->id, event->name, event->arguments);

      beckon_tool_call_set_result (call, "done", FALSE);
      part = beckon_part_new_call (call);
    }
  if (part != NULL)
    beckon_message_add_part (message, part);
}

/* The message's id is the name of the protocol, so that its parts get it for their origin. */
static BeckonMessage *
receive (const Server *server, const GString *stream, GRand *random)
{
  const char *name = beckon_profile_kind_to_string (server->kind);
  BeckonMessage *message = beckon_message_new (name, BECKON_ROLE_ASSISTANT, 0);
  g_autoptr (BeckonDecoder) decoder = beckon_codec_lookup (name)->decoder_new (keep, message);

  for (gsize at = 0; at < stream->len;)
    {
      gsize most = (gsize) g_rand_int_range (random, 1, 60);
      gsize length = MIN (most, stream->len - at);

      g_assert_true (beckon_decoder_push (decoder, stream->str + at, length, NULL));
      at += length;
    }
  beckon_decoder_finish (decoder);
  return message;
}

static void
assert_received (BeckonMessage *message, GPtrArray *pieces)
{
  g_autofree char *text = beckon_message_dup_text (message);
  guint place = 0;

  for (guint i = 0; i < pieces->len; i++)
    {
      const Piece *piece = g_ptr_array_index (pieces, i);
      BeckonToolCall *call = NULL;

      if (piece->text != NULL)
        g_assert_cmpstr (text, ==, piece->text);
      if (piece->name == NULL)
        continue;
      for (; call == NULL; place++)
        call = beckon_part_get_call (beckon_message_get_part (message, place));
      g_assert_cmpstr (beckon_tool_call_get_name (call), ==, piece->name);
      g_assert_cmpstr (beckon_tool_call_get_arguments (call), ==, piece->arguments);
      g_assert_cmpstr (beckon_tool_call_get_provider_id (call), ==, piece->id);
    }
}

static char *
send_back (BeckonProfileKind kind, BeckonMessage *message)
{
  g_autoptr (BeckonProfile) profile = beckon_profile_new ("p", kind);
  g_autoptr (BeckonLlmRequest) request = beckon_llm_request_new (profile, NULL);
  g_autoptr (GBytes) body = NULL;
  gsize length;

  beckon_profile_set_model (profile, "m");
  beckon_llm_request_add_message (request, message);
  body = beckon_codec_for_profile (profile)->encode (request);
  g_assert_true (beckon_json_check (g_bytes_get_data (body, &length), (gssize) g_bytes_get_size (body), NULL));
  return g_strndup (g_bytes_get_data (body, NULL), g_bytes_get_size (body));
}

static void
assert_sent (const char *body, GPtrArray *pieces, gboolean with_seals, gboolean quoted)
{
  for (guint i = 0; i < pieces->len; i++)
    {
      const Piece *piece = g_ptr_array_index (pieces, i);
      g_autofree char *text = piece->text != NULL ? quote (piece->text) : NULL;
      g_autofree char *arguments = piece->arguments != NULL ? quote (piece->arguments) : NULL;

      if (piece->seal != NULL)
        g_assert_true ((strstr (body, piece->seal) != NULL) == with_seals);
      if (text != NULL)
        g_assert_nonnull (strstr (body, text));
      if (piece->name != NULL)
        g_assert_nonnull (strstr (body, quoted ? arguments : piece->arguments));
    }
}

static void
test_server (gconstpointer data)
{
  const Server *server = data;
  g_autoptr (GRand) random = g_rand_new_with_seed (4242);

  for (guint i = 0; i < N_REPLIES; i++)
    {
      g_autoptr (GPtrArray) pieces = random_reply (random);
      g_autoptr (GString) stream = g_string_new (NULL);
      g_autoptr (BeckonMessage) message = NULL;

      for (guint j = 0; j < pieces->len; j++)
        server->write (stream, g_ptr_array_index (pieces, j), j);
      g_string_append (stream, server->end);
      message = receive (server, stream, random);
      assert_received (message, pieces);
      /* To each provider, of which only the one it came from gets its seals. */
      for (guint j = 0; j < G_N_ELEMENTS (servers); j++)
        {
          g_autofree char *body = send_back (servers[j].kind, message);
          BeckonProfileKind kind = servers[j].kind;

          assert_sent (body, pieces, &servers[j] == server && server->has_seals,
                       kind == BECKON_PROFILE_CHAT || kind == BECKON_PROFILE_RESPONSES);
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (servers); i++)
    {
      g_autofree char *path = g_strdup_printf ("/round-trip/%s", beckon_profile_kind_to_string (servers[i].kind));

      g_test_add_data_func (path, &servers[i], test_server);
    }
  return g_test_run ();
}
