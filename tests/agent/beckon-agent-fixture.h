/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-agent.h"
#include "beckon-agent-script.h"
#include "beckon-fixture-server.h"
#include "beckon-test-endpoint.h"

G_BEGIN_DECLS

/**
 * BeckonAgentFixture:
 * @directory: where the store lies
 * @clock: a manual one, unless the fixture was made with the system's
 * @server: the model; %NULL where another process has it
 * @conversation: the conversation that most cases need; (owned)
 *
 * A whole agent on a store of its own: everything is the real thing, but for the model, which is a script behind real HTTP.
 */
typedef struct
{
  char *directory;
  gboolean owns_directory;
  BeckonClock *clock;
  BeckonFixtureServer *server;
  gboolean owns_server;
  BeckonTestEndpoint *endpoint;
  BeckonStore *store;
  BeckonInbox *inbox;
  BeckonLibrary *library;
  BeckonProfiles *profiles;
  BeckonRules *rules;
  BeckonArgumentOverrides *parameters;
  BeckonProvider *provider;
  BeckonToolRegistry *tools;
  BeckonSettings *settings;
  BeckonAgent *agent;
  BeckonConversation *conversation;
} BeckonAgentFixture;

/** With a server, a new directory, a manual clock, the built-in tools and an empty conversation. */
BeckonAgentFixture *beckon_agent_fixture_new (void) G_GNUC_WARN_UNUSED_RESULT;

/** Over a directory that exists, with another's server, on the system's clock; no conversation is made or opened. */
BeckonAgentFixture *beckon_agent_fixture_new_over (const char *directory, const char *base_url) G_GNUC_WARN_UNUSED_RESULT;

/** Lets go of what still runs, closes the store, and asserts that none of the objects outlives it. */
void beckon_agent_fixture_free (BeckonAgentFixture *fixture);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonAgentFixture, beckon_agent_fixture_free)

/** Closes the store, forgets everything and opens it again, as the next process does. Only the built-in tools are there then. */
void beckon_agent_fixture_restart (BeckonAgentFixture *fixture);

/** Another conversation with a profile of @rounds. Borrowed; the library has it. */
BeckonConversation *beckon_agent_fixture_create (BeckonAgentFixture *fixture);

/** Change the profile that new runs use. */
void beckon_agent_fixture_set_rounds (BeckonAgentFixture *fixture, guint rounds);

void beckon_agent_fixture_set_window (BeckonAgentFixture *fixture, guint tokens);
void beckon_agent_fixture_set_output (BeckonAgentFixture *fixture, guint tokens);

/** Opens a conversation that is in the store and makes it the fixture's. */
void beckon_agent_fixture_open (BeckonAgentFixture *fixture, const char *conversation_id);

/** Queues @reply, which is taken. */
void beckon_agent_fixture_script (BeckonAgentFixture *fixture, BeckonFixtureReply *reply);

/** Sends to a conversation and waits until it is stored; asserts that it is. */
void beckon_agent_fixture_send (BeckonAgentFixture *fixture, BeckonConversation *conversation, const char *text);

/** The same, but returns what came of it. */
gboolean beckon_agent_fixture_try_send (BeckonAgentFixture *fixture, BeckonConversation *conversation, const char *text,
                                        GError **error);
gboolean beckon_agent_fixture_try_continue (BeckonAgentFixture *fixture, BeckonConversation *conversation,
                                            GError **error);
void     beckon_agent_fixture_continue (BeckonAgentFixture *fixture);
void     beckon_agent_fixture_recover (BeckonAgentFixture *fixture);

/** Waits until the fixture's conversation stands at @phase. */
void beckon_agent_fixture_wait_phase (BeckonAgentFixture *fixture, BeckonRunPhase phase);

/** Waits for an end and asserts that it is @phase, then that the store has what the screen has. */
void beckon_agent_fixture_wait_end (BeckonAgentFixture *fixture, BeckonRunPhase phase);

/** Waits until @n requests are pending and returns the oldest. Borrowed. */
BeckonRequest *beckon_agent_fixture_wait_pending (BeckonAgentFixture *fixture, guint n);

/** The @index-th pending request, oldest first. Borrowed. */
BeckonRequest *beckon_agent_fixture_get_pending (BeckonAgentFixture *fixture, guint index);

/** Answers and waits until it is stored. @answer is taken. */
gboolean beckon_agent_fixture_try_answer (BeckonInbox *inbox, const char *request_id, BeckonAnswer *answer,
                                          GError **error);
void     beckon_agent_fixture_answer (BeckonAgentFixture *fixture, BeckonRequest *request, BeckonAnswer *answer);

/** Stops, waits for the end, and asserts that it came within 100 ms, apart from what the machine had else to do. */
void beckon_agent_fixture_stop (BeckonAgentFixture *fixture);

/** Stores @n messages, a person's and a model's in turn, which say "Past 0" and so on, behind those of a conversation that is
 *  stored; then a summary, "THE-SUMMARY", of all up to the @through-th of them, unless that is -1. Only the end of it all stays
 *  loaded. */
void beckon_agent_fixture_add_past (BeckonAgentFixture *fixture, guint n, int through);

/** Carries out whatever was given to the store so far. */
void beckon_agent_fixture_sync (BeckonAgentFixture *fixture);

/** The messages of a conversation as the store has them, as text; see beckon_agent_dump(). */
char *beckon_agent_fixture_dump_stored (BeckonStore *store, const char *conversation_id);

/** How many runs are open in the store, and the phase of the only one. */
guint          beckon_agent_fixture_count_open (BeckonStore *store);
BeckonRunPhase beckon_agent_fixture_get_open_phase (BeckonStore *store);

/** Asserts that messages, calls and results in the store are those on the screen. */
void beckon_agent_fixture_assert_same (BeckonAgentFixture *fixture, BeckonConversation *conversation);

/** The same, and that nothing is left open: no run, no request, one result for each call. */
void beckon_agent_fixture_assert_closed (BeckonAgentFixture *fixture, BeckonConversation *conversation);

/** Asserts what the @index-th request told the model of the history; see beckon_agent_dump_request(). */
void beckon_agent_fixture_assert_sent (BeckonAgentFixture *fixture, guint index, const char *history);

/** Asserts the names of the tools that the @index-th request advertised, separated by spaces. */
void beckon_agent_fixture_assert_tools (BeckonAgentFixture *fixture, guint index, const char *names);

/** Asserts the conversation's messages; see beckon_agent_dump(). */
void beckon_agent_fixture_assert_shown (BeckonAgentFixture *fixture, const char *messages);

/** For the macro: after 20 seconds the test fails, saying what it waited for. */
guint beckon_agent_fixture_arm_deadline (const char *where, const char *condition);

/** Iterates the main context, blocking, until @condition holds; another thread or process may make it hold. */
#define beckon_agent_wait_until(condition)                                                                              \
  G_STMT_START                                                                                                          \
  {                                                                                                                     \
    guint deadline_id_ = beckon_agent_fixture_arm_deadline (G_STRLOC, #condition);                                      \
                                                                                                                        \
    while (!(condition))                                                                                                \
      g_main_context_iteration (NULL, TRUE);                                                                            \
    g_source_remove (deadline_id_);                                                                                     \
  }                                                                                                                     \
  G_STMT_END

/** Iterates the main context until nothing is ready. */
void beckon_agent_fixture_settle (void);

/** Edits the message at @index of the open conversation and sends it again. */
gboolean beckon_agent_fixture_try_edit (BeckonAgentFixture *fixture, guint index, const char *text, GError **error);

/** Shows another version of the message at @index. */
gboolean beckon_agent_fixture_try_show (BeckonAgentFixture *fixture, guint index, guint version, GError **error);

G_END_DECLS
