/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-exchange.h"

#include "beckon-tls-front.h"

#include <string.h>

#define DEADLINE_S 20

/* Tuesday, 2 June 2026, 12:00:00 UTC. */
#define NOW (G_GINT64_CONSTANT (1780401600) * G_TIME_SPAN_SECOND)

static BeckonLlmRequest *
make_request (void)
{
  g_autoptr (BeckonProfile) profile = beckon_profile_new ("test", BECKON_PROFILE_CHAT);
  g_autoptr (BeckonMessage) message = beckon_message_new (NULL, BECKON_ROLE_USER, NOW);
  g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_TEXT, "Hello");
  BeckonLlmRequest *request;

  beckon_profile_set_name (profile, "Test");
  beckon_profile_set_model (profile, "fixture-1");
  beckon_message_add_part (message, part);
  request = beckon_llm_request_new (profile, "You are tested.");
  beckon_llm_request_add_message (request, message);
  return request;
}

/* The same cases run a second time, with TLS before the server. */
static char *
make_base_url (BeckonExchange *self)
{
  if (g_getenv ("BECKON_TEST_TLS") == NULL)
    return g_strdup (beckon_fixture_server_get_base_url (self->server));
  self->front = beckon_tls_front_new ("good.pem", beckon_fixture_server_get_port (self->server));
  return g_strdup_printf ("https://127.0.0.1:%u/v1", beckon_tls_front_get_port (self->front));
}

BeckonExchange *
beckon_exchange_new_for_url (const char *base_url, const char *key)
{
  BeckonExchange *self = g_new0 (BeckonExchange, 1);
  g_autofree char *own_url = NULL;

  self->server = beckon_fixture_server_new (0);
  self->clock = beckon_clock_new_manual (NOW);
  if (base_url == NULL)
    base_url = own_url = make_base_url (self);
  self->endpoint = beckon_test_endpoint_new (base_url, key);
  self->provider = beckon_provider_new (BECKON_ENDPOINT_SOURCE (self->endpoint), self->clock);
  self->request = make_request ();
  self->log = g_string_new (NULL);
  return self;
}

BeckonExchange *
beckon_exchange_new (void)
{
  return beckon_exchange_new_for_url (NULL, BECKON_EXCHANGE_KEY);
}

void
beckon_exchange_free (BeckonExchange *exchange)
{
  GWeakRef weak;
  gpointer alive;

  beckon_exchange_settle ();
  g_weak_ref_init (&weak, exchange->provider);
  g_clear_object (&exchange->provider);
  beckon_exchange_wait_until (beckon_fixture_server_count_open (exchange->server) == 0);
  /* The end of a connection may be on its way to an exchange that waits for it. */
  beckon_exchange_wait_until (G_OBJECT (exchange->clock)->ref_count == 1);
  alive = g_weak_ref_get (&weak);
  g_assert_null (alive);
  g_weak_ref_clear (&weak);

  g_clear_error (&exchange->error);
  g_clear_object (&exchange->cancellable);
  beckon_llm_request_free (exchange->request);
  g_object_unref (exchange->endpoint);
  g_assert_finalize_object (exchange->clock);
  g_clear_pointer (&exchange->front, beckon_tls_front_free);
  beckon_fixture_server_free (exchange->server);
  g_string_free (exchange->log, TRUE);
  g_free (exchange);
}

/* --- Events ------------------------------------------------------------------------------------------------------- */

static void
log_text (BeckonExchange *self, const char *kind, const BeckonLlmEvent *event)
{
  if (self->log->len > 0 && self->last_type == event->type)
    g_string_truncate (self->log, self->log->len - 1);
  else
    g_string_append_printf (self->log, "%s ", kind);
  g_string_append_len (self->log, event->text, (gssize) event->length);
  g_string_append_c (self->log, '\n');
}

static void
log_event (BeckonExchange *self, const BeckonLlmEvent *event)
{
  switch (event->type)
    {
    case BECKON_LLM_EVENT_TEXT:
      log_text (self, "text", event);
      break;
    case BECKON_LLM_EVENT_REASONING:
      log_text (self, "reasoning", event);
      break;
    case BECKON_LLM_EVENT_OPAQUE:
      g_string_append_printf (self->log, "opaque %.*s\n", (int) event->length, event->text);
      break;
    case BECKON_LLM_EVENT_CALL_STARTED:
      break;
    case BECKON_LLM_EVENT_CALL:
      g_string_append_printf (self->log, "call %u %s %s %s\n", event->index, event->id, event->name, event->arguments);
      break;
    case BECKON_LLM_EVENT_BAD_CALL:
      g_string_append_printf (self->log, "bad call %u %s\n", event->index, event->name);
      break;
    case BECKON_LLM_EVENT_USAGE:
      g_string_append_printf (self->log, "usage %" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n", event->usage.input,
                              event->usage.output);
      break;
    case BECKON_LLM_EVENT_ERROR:
      g_string_append_printf (self->log, "error %.*s\n", (int) event->length, event->text);
      break;
    case BECKON_LLM_EVENT_END:
      g_string_append_printf (self->log, "end %s\n", beckon_llm_end_to_string (event->end));
      break;
    default:
      g_assert_not_reached ();
    }
}

static void
on_event (const BeckonLlmEvent *event, gpointer user_data)
{
  BeckonExchange *self = user_data;

  g_assert_false (self->done);
  g_assert_false (g_cancellable_is_cancelled (self->cancellable));
  g_assert_false (self->n_events > 0 && self->last_type == BECKON_LLM_EVENT_END);
  if (self->on_event != NULL)
    self->on_event (self, event);
  log_event (self, event);
  self->last_type = event->type;
  self->n_events++;
}

static void
on_streamed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonExchange *self = user_data;

  g_assert_false (self->done);
  self->done = TRUE;
  self->ok = beckon_provider_stream_finish (BECKON_PROVIDER (source), result, &self->retry_after_ms, &self->error);
  g_assert_true (self->ok == (self->error == NULL));
}

/* --- Running ------------------------------------------------------------------------------------------------------ */

void
beckon_exchange_take_each_piece (BeckonExchange *exchange)
{
  BeckonProviderLimits limits;

  beckon_provider_limits_default (&limits);
  limits.pace_ms = 0;
  beckon_provider_set_limits (exchange->provider, &limits);
}

void
beckon_exchange_wait_at (BeckonExchange *exchange, const char *gate)
{
  beckon_exchange_wait_until (beckon_fixture_server_count_held (exchange->server, gate) == 1);
  if (exchange->front != NULL)
    beckon_exchange_wait_until (beckon_tls_front_has_passed_on (exchange->front));
  beckon_exchange_settle ();
}

void
beckon_exchange_start (BeckonExchange *exchange)
{
  g_clear_error (&exchange->error);
  g_clear_object (&exchange->cancellable);
  exchange->cancellable = g_cancellable_new ();
  g_string_truncate (exchange->log, 0);
  exchange->n_events = 0;
  exchange->done = FALSE;
  beckon_provider_stream_async (exchange->provider, exchange->request, on_event, exchange, exchange->cancellable,
                                on_streamed, exchange);
  g_assert_false (exchange->done);
}

void
beckon_exchange_wait (BeckonExchange *exchange)
{
  beckon_exchange_wait_until (exchange->done);
}

void
beckon_exchange_wait_drained (BeckonExchange *exchange)
{
  /* The clock belongs to us, to the provider, and to each exchange that is alive. */
  beckon_exchange_wait_until (G_OBJECT (exchange->clock)->ref_count == 2);
}

void
beckon_exchange_run (BeckonExchange *exchange, BeckonFixtureReply *reply)
{
  beckon_fixture_server_queue (exchange->server, reply);
  beckon_exchange_start (exchange);
  beckon_exchange_wait (exchange);
}

void
beckon_exchange_assert_log (BeckonExchange *exchange, const char *log)
{
  beckon_exchange_settle ();
  g_assert_no_error (exchange->error);
  g_assert_true (exchange->ok);
  g_assert_cmpstr (exchange->log->str, ==, log);
}

void
beckon_exchange_assert_failed (BeckonExchange *exchange, const char *log, BeckonLlmError code, const char *words)
{
  beckon_exchange_settle ();
  g_assert_error (exchange->error, BECKON_LLM_ERROR, (int) code);
  g_assert_cmpstr (exchange->log->str, ==, log);
  if (strstr (exchange->error->message, words) == NULL)
    g_error ("“%s” does not say “%s”", exchange->error->message, words);
  g_assert_true (g_utf8_validate (exchange->error->message, -1, NULL));
  g_assert_null (strstr (exchange->error->message, BECKON_EXCHANGE_KEY));
}

static gboolean
on_deadline (gpointer user_data)
{
  g_error ("Nothing came of it in %d s: %s", DEADLINE_S, (const char *) user_data);
  return G_SOURCE_REMOVE;
}

guint
beckon_exchange_arm_deadline (const char *where, const char *condition)
{
  return g_timeout_add_full (G_PRIORITY_HIGH, DEADLINE_S * 1000, on_deadline, g_strconcat (where, ": ", condition, NULL),
                             g_free);
}

void
beckon_exchange_settle (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
}
