/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-agent-fixture.h"
#include "beckon-agent-script.h"
#include "dbus/beckon-questions.h"

G_BEGIN_DECLS

/**
 * BeckonDbusFixture:
 * @runtime: a whole program but its front end, with a model at @server
 * @connection: its place on the bus
 * @questions: what it serves there
 * @output: what the last gdbus wrote to its standard output
 * @errors: and to its standard error
 */
typedef struct
{
  char *directory;
  BeckonFixtureServer *server;
  BeckonRuntime *runtime;
  GDBusConnection *connection;
  BeckonQuestions *questions;
  char *output;
  char *errors;
} BeckonDbusFixture;

/** Opens everything, and has the name when it returns. */
BeckonDbusFixture *beckon_dbus_fixture_new (void) G_GNUC_WARN_UNUSED_RESULT;
void               beckon_dbus_fixture_free (BeckonDbusFixture *fixture);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonDbusFixture, beckon_dbus_fixture_free)

/** Sends @text in a new conversation. Borrowed. */
BeckonConversation *beckon_dbus_fixture_send (BeckonDbusFixture *fixture, const char *text);

/** The same in a conversation that is there. */
void beckon_dbus_fixture_send_in (BeckonDbusFixture *fixture, BeckonConversation *conversation, const char *text);

/** Lets the model ask in a new conversation, and waits until it has. Borrowed. */
BeckonRequest *beckon_dbus_fixture_ask (BeckonDbusFixture *fixture, BeckonFixtureReply *question);

/** Waits until @n requests are pending. */
void beckon_dbus_fixture_wait_pending (BeckonDbusFixture *fixture, guint n);

/** Calls a method with gdbus, another process, and returns its exit status. The arguments are GVariant texts, up to %NULL. */
int beckon_dbus_fixture_call (BeckonDbusFixture *fixture, const char *method, ...) G_GNUC_NULL_TERMINATED;

/** Waits until another program has ended well, while ours goes on, and returns what it wrote. Caller frees. */
char *beckon_dbus_fixture_read (GSubprocess *process);

/** The single string of the last reply; asserts that the call succeeded. Caller frees. */
char *beckon_dbus_fixture_dup_string (BeckonDbusFixture *fixture);

/** The strings of the last reply. Caller frees. */
char **beckon_dbus_fixture_dup_strings (BeckonDbusFixture *fixture);

/** Asserts that the last call failed with our error of that name, and with a message that holds @words. */
void beckon_dbus_fixture_assert_error (BeckonDbusFixture *fixture, const char *name, const char *words);

G_END_DECLS
