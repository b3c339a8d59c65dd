/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tour/beckon-tour.h"

#include "beckon-exchange.h"

#include "base/beckon-json.h"

#include <libsoup/soup.h>
#include <string.h>

/* The tour as a model among models: over HTTP, through the real provider and codec. */

typedef struct
{
  BeckonTour *tour;
  BeckonExchange *exchange;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->tour = beckon_tour_new ();
  beckon_tour_set_pace (fixture->tour, GPOINTER_TO_UINT (data));
  g_assert_null (beckon_tour_get_base_url (fixture->tour));
  g_assert_true (beckon_tour_start (fixture->tour, &error));
  g_assert_no_error (error);
  g_assert_true (beckon_tour_start (fixture->tour, &error));
  fixture->exchange = beckon_exchange_new_for_url (beckon_tour_get_base_url (fixture->tour),
                                                   beckon_tour_get_token (fixture->tour));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  beckon_exchange_free (fixture->exchange);
  beckon_exchange_settle ();
  g_assert_finalize_object (fixture->tour);
}

static void
offer (Fixture *fixture, const char *name)
{
  g_autoptr (BeckonToolDefinition) tool = beckon_tool_definition_new (name, "A tool.", "{\"type\":\"object\"}", TRUE);

  beckon_llm_request_add_tool (fixture->exchange->request, tool);
}

static void
add_text_message (Fixture *fixture, const char *text)
{
  g_autoptr (BeckonMessage) message = beckon_message_new (NULL, BECKON_ROLE_USER, 0);
  g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_TEXT, text);

  beckon_message_add_part (message, part);
  beckon_llm_request_add_message (fixture->exchange->request, message);
}

/* Adds the call of the last round with its result. */
static void
add_result (Fixture *fixture, const char *name, const char *result)
{
  g_autoptr (BeckonMessage) message = beckon_message_new (NULL, BECKON_ROLE_ASSISTANT, 0);
  g_autoptr (BeckonToolCall) call = NULL;
  g_autoptr (BeckonPart) part = NULL;
  g_autofree char *begin = g_strdup_printf (" %s {", name);
  const char *line = strstr (fixture->exchange->log->str, "call 0 tour-");
  const char *arguments;
  g_auto (GStrv) words = NULL;
  g_autofree char *json = NULL;

  g_assert_nonnull (line);
  words = g_strsplit (line, " ", 4);
  arguments = strstr (line, begin);
  g_assert_nonnull (arguments);
  arguments += strlen (begin) - 1;
  json = g_strndup (arguments, strcspn (arguments, "\n"));

  call = beckon_tool_call_new (NULL, words[2], name, json);
  beckon_tool_call_set_state (call, BECKON_CALL_DONE);
  beckon_tool_call_set_result (call, result, FALSE);
  part = beckon_part_new_call (call);
  beckon_message_add_part (message, part);
  beckon_llm_request_add_message (fixture->exchange->request, message);
}

static void
run (Fixture *fixture)
{
  beckon_exchange_start (fixture->exchange);
  beckon_exchange_wait (fixture->exchange);
  g_assert_no_error (fixture->exchange->error);
  g_assert_true (fixture->exchange->ok);
}

static void
assert_said (Fixture *fixture, const char *words)
{
  if (strstr (fixture->exchange->log->str, words) == NULL)
    g_error ("“%s” does not say “%s”", fixture->exchange->log->str, words);
}

/* From the first word to the last, as a run would do it. */
static void
test_whole (Fixture *fixture, gconstpointer data)
{
  offer (fixture, "ask_user");
  offer (fixture, "get_current_time");
  add_text_message (fixture, "Show me around");

  run (fixture);
  assert_said (fixture, "text Hello, and welcome to **Beckon**.");
  assert_said (fixture, "\"allow_freeform\":true");
  assert_said (fixture, "end tool_calls\n");
  /* The reply comes in pieces, as a model's does. */
  g_assert_cmpuint (fixture->exchange->n_events, >, 50);

  add_result (fixture, "ask_user", "Planning");
  run (fixture);
  assert_said (fixture, "You picked **Planning**.");
  assert_said (fixture, "end tool_calls\n");

  add_result (fixture, "get_current_time", "2026-06-02T12:00:00Z, Tuesday (UTC)");
  run (fixture);
  assert_said (fixture, "`2026-06-02T12:00:00Z, Tuesday (UTC)`");
  assert_said (fixture, "That was the tour");
  assert_said (fixture, "\nusage ");
  assert_said (fixture, "end complete\n");
}

static void
test_chinese (Fixture *fixture, gconstpointer data)
{
  offer (fixture, "ask_user");
  add_text_message (fixture, "带我看看");
  run (fixture);
  assert_said (fixture, "离线导览");
  assert_said (fixture, "\"做计划\"");
}

static void
test_honest (Fixture *fixture, gconstpointer data)
{
  offer (fixture, "ask_user");
  add_text_message (fixture, "Sort my photographs by year and place");
  run (fixture);
  assert_said (fixture, "not a model");
  assert_said (fixture, "end complete\n");
}

static void
on_piece (BeckonExchange *exchange, const BeckonLlmEvent *event)
{
  if (exchange->n_events == 3)
    g_cancellable_cancel (exchange->cancellable);
}

/* A reply that nobody listens to any more is not said to the end. */
static void
test_stopped (Fixture *fixture, gconstpointer data)
{
  offer (fixture, "ask_user");
  add_text_message (fixture, "Show me around");
  fixture->exchange->on_event = on_piece;
  beckon_exchange_start (fixture->exchange);
  beckon_exchange_wait (fixture->exchange);
  g_assert_error (fixture->exchange->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  fixture->exchange->on_event = NULL;
  run (fixture);
  assert_said (fixture, "welcome to **Beckon**");
}

/* --- Strangers ---------------------------------------------------------------------------------------------------- */

static void
on_sent (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GBytes **body = user_data;

  *body = soup_session_send_and_read_finish (SOUP_SESSION (source), result, NULL);
  g_assert_nonnull (*body);
}

static guint
ask_as_stranger (Fixture *fixture, const char *method, const char *path, const char *token, const char *body)
{
  g_autoptr (SoupSession) session = soup_session_new ();
  g_autofree char *url = g_strconcat (beckon_tour_get_base_url (fixture->tour), path, NULL);
  g_autoptr (SoupMessage) message = soup_message_new (method, url);
  g_autoptr (GBytes) sent = g_bytes_new (body, strlen (body));
  g_autoptr (GBytes) got = NULL;
  g_autoptr (GError) error = NULL;

  if (token != NULL)
    {
      g_autofree char *bearer = g_strconcat ("Bearer ", token, NULL);

      soup_message_headers_append (soup_message_get_request_headers (message), "Authorization", bearer);
    }
  if (strcmp (method, "POST") == 0)
    soup_message_set_request_body_from_bytes (message, "application/json", sent);
  soup_session_send_and_read_async (session, message, G_PRIORITY_DEFAULT, NULL, on_sent, &got);
  beckon_exchange_wait_until (got != NULL);
  if (soup_message_get_status (message) >= 400)
    {
      g_autoptr (JsonObject) object = beckon_json_parse_object (g_bytes_get_data (got, NULL), (gssize) g_bytes_get_size (got),
                                                                &error);

      g_assert_no_error (error);
      g_assert_nonnull (beckon_json_get_string (beckon_json_get_object (object, "error"), "message"));
    }
  return soup_message_get_status (message);
}

static void
test_strangers (Fixture *fixture, gconstpointer data)
{
  static const char good[] = "{\"messages\":[]}";
  const char *token = beckon_tour_get_token (fixture->tour);
  g_autoptr (BeckonTour) other = beckon_tour_new ();

  g_assert_cmpstr (token, !=, beckon_tour_get_token (other));
  g_assert_cmpuint (strlen (token), >=, 32);
  g_assert_cmpuint (ask_as_stranger (fixture, "POST", "/chat/completions", NULL, good), ==, 401);
  g_assert_cmpuint (ask_as_stranger (fixture, "POST", "/chat/completions", beckon_tour_get_token (other), good), ==, 401);
  g_assert_cmpuint (ask_as_stranger (fixture, "POST", "/chat/completions", "", good), ==, 401);
  g_assert_cmpuint (ask_as_stranger (fixture, "POST", "/chat/completions", token, good), ==, 200);
  g_assert_cmpuint (ask_as_stranger (fixture, "POST", "/chat/completions", token, "nonsense"), ==, 400);
  g_assert_cmpuint (ask_as_stranger (fixture, "GET", "/chat/completions", token, ""), ==, 405);
  g_assert_cmpuint (ask_as_stranger (fixture, "POST", "/responses", token, good), ==, 404);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add ("/tour/http/whole", Fixture, GUINT_TO_POINTER (0), set_up, test_whole, tear_down);
  g_test_add ("/tour/http/at-a-pace", Fixture, GUINT_TO_POINTER (1), set_up, test_whole, tear_down);
  g_test_add ("/tour/http/chinese", Fixture, GUINT_TO_POINTER (0), set_up, test_chinese, tear_down);
  g_test_add ("/tour/http/honest", Fixture, GUINT_TO_POINTER (0), set_up, test_honest, tear_down);
  g_test_add ("/tour/http/stopped", Fixture, GUINT_TO_POINTER (1), set_up, test_stopped, tear_down);
  g_test_add ("/tour/http/strangers", Fixture, GUINT_TO_POINTER (0), set_up, test_strangers, tear_down);
  return g_test_run ();
}
