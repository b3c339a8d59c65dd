/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-chat-cases.h"
#include "beckon-exchange.h"

#include <string.h>

#define PIECE 1000

static const struct
{
  const char *protocol;
  BeckonProfileKind kind;
} kinds[] = {
  { "chat", BECKON_PROFILE_CHAT },
  { "anthropic", BECKON_PROFILE_ANTHROPIC },
};

static EventLog *current;

static BeckonProfileKind
find_kind (const char *protocol)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_str_equal (kinds[i].protocol, protocol))
      return kinds[i].kind;

  g_error ("no kind of profile speaks %s", protocol);
}

static void
on_event (BeckonExchange *exchange, const BeckonLlmEvent *event)
{
  event_log_add (event, current);
}

static BeckonFixtureReply *
make_reply (const char *text, gsize length)
{
  BeckonFixtureReply *reply = beckon_fixture_reply_new ();

  beckon_fixture_reply_add_stream_head (reply);
  for (gsize at = 0; at < length; at += PIECE)
    beckon_fixture_reply_add_chunk (reply, text + at, (gssize) MIN (PIECE, length - at));
  beckon_fixture_reply_add_last_chunk (reply);
  return reply;
}

static gboolean
shows_anything (const char *lines)
{
  return strstr (lines, "\ntext ") != NULL || strstr (lines, "\nreasoning ") != NULL || strstr (lines, "\ncall ") != NULL
         || strstr (lines, "\nbad ") != NULL || strstr (lines, "\nend complete") != NULL;
}

/* A reply that goes wrong before it showed anything is an error of the request, which may be sent again. */
void
chat_case_try (const char *protocol, const char *text, gsize length, const char *lines)
{
  g_autoptr (BeckonExchange) exchange = beckon_exchange_new ();
  g_autoptr (EventLog) log = event_log_new ();

  current = log;
  beckon_profile_set_kind (exchange->request->profile, find_kind (protocol));
  exchange->on_event = on_event;
  beckon_exchange_run (exchange, make_reply (text, length));
  if (exchange->ok)
    {
      g_assert_cmpstr (log->lines->str, ==, lines);
      return;
    }
  if (shows_anything (lines))
    g_error ("%s: %s", lines, exchange->error->message);
  g_assert_cmpint (exchange->error->domain, ==, BECKON_LLM_ERROR);
  g_assert_true (g_str_has_prefix (lines, log->lines->str));
}
