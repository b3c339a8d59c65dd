/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-llama.h"

#include <gio/gio.h>
#include <stdarg.h>
#include <string.h>

/* The program that tries the client against a server by its address, against servers that are known. */

#define KEY "sk-right-0123456789"

static char *program;

typedef struct
{
  char *output;
  int status;
  gboolean done;
} Outcome;

static void
on_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Outcome *outcome = user_data;
  g_autoptr (GError) error = NULL;

  g_subprocess_communicate_utf8_finish (G_SUBPROCESS (source), result, &outcome->output, NULL, &error);
  g_assert_no_error (error);
  outcome->status = g_subprocess_get_exit_status (G_SUBPROCESS (source));
  outcome->done = TRUE;
}

static void
check (BeckonFixtureServer *server, const char *kind, Outcome *outcome)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE);
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;

  g_subprocess_launcher_setenv (launcher, "BECKON_WIRE_KEY", KEY, TRUE);
  process = g_subprocess_launcher_spawn (launcher, &error, program, beckon_fixture_server_get_base_url (server), kind, "m", NULL);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8_async (process, NULL, NULL, on_done, outcome);
  while (!outcome->done)
    g_main_context_iteration (NULL, TRUE);
}

static void
assert_lines (Outcome *outcome, int status, const char *first, ...)
{
  va_list lines;

  va_start (lines, first);
  for (const char *line = first; line != NULL; line = va_arg (lines, const char *))
    if (strstr (outcome->output, line) == NULL)
      g_error ("“%s” is not in:\n%s", line, outcome->output);
  va_end (lines);
  if (outcome->status != status)
    g_error ("%d: %s", outcome->status, outcome->output);
  g_free (outcome->output);
}

static void
test_llama (void)
{
  g_autoptr (BeckonFixtureServer) server = beckon_fixture_server_new (0);
  g_autoptr (BeckonLlama) llama = beckon_llama_new ();
  Outcome outcome = { 0 };

  beckon_fixture_server_set_handler (server, beckon_llama_play, llama);
  beckon_llama_set_key (llama, KEY);
  beckon_llama_set_sight (llama, TRUE);
  beckon_llama_set_reasoning (llama, TRUE);
  check (server, "chat", &outcome);
  assert_lines (&outcome, 0, "passes     list of models: 1 models, m not among them\n", "passes     reply\n", "passes     stream\n",
                "passes     usage\n", "passes     call of a tool\n", "passes     two calls at once\n", "passes     reasoning\n",
                "passes     cut at the limit\n", "passes     picture\n", "passes     wrong key\n", "passes     cancel in the middle\n",
                NULL);
}

/* A feature that a server lacks is no failure; a mistake is. */
static void
test_less (void)
{
  g_autoptr (BeckonFixtureServer) server = beckon_fixture_server_new (0);
  g_autoptr (BeckonLlama) llama = beckon_llama_new ();
  Outcome outcome = { 0 }, cut = { 0 }, responses = { 0 };

  beckon_fixture_server_set_handler (server, beckon_llama_play, llama);
  check (server, "chat", &outcome);
  assert_lines (&outcome, 0, "not there  reasoning: no reasoning came\n", "not there  picture: ", "does not see pictures",
                "not there  wrong key: the server takes any key\n", NULL);
  check (server, "responses", &responses);
  assert_lines (&responses, 1, "passes     two calls at once\n",
                "fails      cut at the limit: a reply of no more than 24 tokens ended as “complete”\n", NULL);
  beckon_llama_set_jinja (llama, FALSE);
  beckon_llama_set_cut (llama, 2);
  check (server, "chat", &cut);
  assert_lines (&cut, 1, "fails      reply: ", "fails      stream: ", "passes     usage\n", "fails      call of a tool: ",
                "tools param requires --jinja flag", NULL);
}

static void
test_usage (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process
    = g_subprocess_new (G_SUBPROCESS_FLAGS_STDERR_SILENCE, &error, program, "http://127.0.0.1:9", "tour", "m", NULL);

  g_assert_no_error (error);
  g_assert_true (g_subprocess_wait (process, NULL, NULL));
  g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 2);
}

/* --- Servers of the other protocols -------------------------------------------------------------------------------- */

/* How one writes what it says: each piece is a format for what comes in it. */
typedef struct
{
  const char *kind;
  const char *list;
  const char *type;
  const char *begin;
  const char *text;   /* %s: words */
  const char *call;   /* %u: which; %s: the city */
  const char *finish; /* %s: why */
  const char *why[3]; /* whole, with calls, at the limit */
  const char *result; /* what a request with results has */
  const char *limit;
} Speech;

#define EVENT(name, json) "event: " name "\ndata: {\"type\":\"" name "\"," json "}\n\n"

static const Speech speeches[] = {
  { "anthropic", "{\"data\":[{\"type\":\"model\",\"id\":\"m\",\"display_name\":\"M\"}],\"has_more\":false}", "text/event-stream",
    EVENT ("message_start", "\"message\":{\"usage\":{\"input_tokens\":9,\"output_tokens\":1}}")
      EVENT ("content_block_start", "\"index\":9,\"content_block\":{\"type\":\"text\",\"text\":\"\"}"),
    EVENT ("content_block_delta", "\"index\":9,\"delta\":{\"type\":\"text_delta\",\"text\":\"%s\"}"),
    "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":%u,\"content_block\":{\"type\":\"tool_use\","
    "\"id\":\"toolu_%s\",\"name\":\"get_forecast\",\"input\":{}}}\n\n",
    "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"%s\"},\"usage\":{\"output_tokens\":7}}\n\n"
    "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
    { "end_turn", "tool_use", "max_tokens" }, "\"tool_result\"", "\"max_tokens\":24," },
  { "gemini", "{\"models\":[{\"name\":\"models/m\",\"supportedGenerationMethods\":[\"generateContent\"]}]}", "text/event-stream", "",
    "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"%s\"}],\"role\":\"model\"},\"index\":0}]}\n\n",
    "data: {\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":{\"id\":\"c%u\",\"name\":\"get_forecast\",\"args\":{\"city\":"
    "\"%s\"}}}],\"role\":\"model\"},\"index\":0}]}\n\n",
    "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"\"}],\"role\":\"model\"},\"finishReason\":\"%s\",\"index\":0}],"
    "\"usageMetadata\":{\"promptTokenCount\":9,\"candidatesTokenCount\":7,\"totalTokenCount\":16}}\n\n",
    { "STOP", "STOP", "MAX_TOKENS" }, "\"functionResponse\"", "\"maxOutputTokens\":24" },
  { "ollama", "{\"models\":[{\"name\":\"m\",\"model\":\"m\"}]}", "application/x-ndjson", "",
    "{\"model\":\"m\",\"message\":{\"role\":\"assistant\",\"content\":\"%s\"},\"done\":false}\n",
    "{\"model\":\"m\",\"message\":{\"role\":\"assistant\",\"content\":\"\",\"tool_calls\":[{\"function\":{\"index\":%u,\"name\":"
    "\"get_forecast\",\"arguments\":{\"city\":\"%s\"}}}]},\"done\":false}\n",
    "{\"model\":\"m\",\"message\":{\"role\":\"assistant\",\"content\":\"\"},\"done_reason\":\"%s\",\"done\":true,"
    "\"prompt_eval_count\":9,\"eval_count\":7}\n",
    { "stop", "stop", "length" }, "\"role\":\"tool\"", "\"num_predict\":24" },
};

static void add_piece (BeckonFixtureReply *reply, const char *piece);

static void
add_piece (BeckonFixtureReply *reply, const char *piece)
{
  if (*piece != '\0')
    beckon_fixture_reply_add_chunk (reply, piece, -1);
  beckon_fixture_reply_add_pause (reply, 2);
}

static char *
fill (const char *format, const char *word)
{
  g_autoptr (GString) text = g_string_new (format);

  g_string_replace (text, "%s", word, 0);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
add_call (BeckonFixtureReply *reply, const Speech *speech, guint which, const char *city)
{
  g_autofree char *place = g_strdup_printf ("%u", which);
  g_autofree char *named = fill (speech->call, city);
  g_autoptr (GString) call = g_string_new (named);

  g_string_replace (call, "%u", place, 0);
  add_piece (reply, call->str);
  if (g_str_equal (speech->kind, "anthropic"))
    {
      g_autofree char *input = g_strdup_printf ("event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":%u,"
                                                "\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"city\\\":\\\"%s\\\"}"
                                                "\"}}\n\nevent: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":"
                                                "%u}\n\n", which, city, which);

      add_piece (reply, input);
    }
}

static BeckonFixtureReply *
speak (BeckonFixtureServer *server, const BeckonFixtureRequest *request, gpointer data)
{
  const Speech *speech = data;
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();
  gboolean calls = strstr (request->body, "get_forecast({") != NULL && strstr (request->body, speech->result) == NULL;
  gboolean is_short = strstr (request->body, speech->limit) != NULL;
  g_autofree char *head = g_strdup_printf ("Content-Type: %s\r\nTransfer-Encoding: chunked\r\n", speech->type);
  g_autofree char *finish = fill (speech->finish, speech->why[calls ? 1 : is_short ? 2 : 0]);

  if (g_str_equal (request->method, "GET") || strstr (request->head, "sk-wrong") != NULL)
    {
      gboolean is_wrong = strstr (request->head, "sk-wrong") != NULL;

      beckon_fixture_reply_add_response (reply, is_wrong ? 401 : 200, NULL, "application/json",
                                         is_wrong ? "{\"error\":{\"message\":\"No such key\"}}" : speech->list);
      return reply;
    }
  beckon_fixture_reply_add_head (reply, 200, head);
  add_piece (reply, speech->begin);
  for (guint i = 0; !calls && i < 20; i++)
    {
      g_autofree char *text = fill (speech->text, "It is red. ");

      add_piece (reply, text);
    }
  if (calls)
    add_call (reply, speech, 0, "Paris");
  if (calls && strstr (request->body, "Rome") != NULL)
    add_call (reply, speech, 1, "Rome");
  add_piece (reply, finish);
  beckon_fixture_reply_add_last_chunk (reply);
  return reply;
}

static void
test_protocol (gconstpointer speech)
{
  g_autoptr (BeckonFixtureServer) server = beckon_fixture_server_new (0);
  Outcome outcome = { 0 };

  beckon_fixture_server_set_handler (server, speak, (gpointer) speech);
  check (server, ((const Speech *) speech)->kind, &outcome);
  assert_lines (&outcome, 0, "passes     list of models: 1 models\n", "passes     reply\n", "passes     stream\n",
                "passes     usage\n", "passes     call of a tool\n", "passes     two calls at once\n", "not there  reasoning",
                "passes     cut at the limit\n", "passes     picture\n", "passes     wrong key\n", "passes     cancel in the middle\n",
                NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  program = argv[1];
  g_test_add_func ("/llm/wire-check/llama", test_llama);
  g_test_add_func ("/llm/wire-check/less", test_less);
  g_test_add_func ("/llm/wire-check/usage", test_usage);
  for (guint i = 0; i < G_N_ELEMENTS (speeches); i++)
    {
      g_autofree char *path = g_strconcat ("/llm/wire-check/", speeches[i].kind, NULL);

      g_test_add_data_func (path, &speeches[i], test_protocol);
    }
  return g_test_run ();
}
