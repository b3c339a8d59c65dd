/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-fixture-server.h"
#include "domain/beckon-conversation.h"
#include "request/beckon-answer.h"

G_BEGIN_DECLS

/* Replies of a scripted model, and conversations as text that a test can compare. */

typedef struct
{
  const char *id;
  const char *name;
  const char *arguments;
} BeckonScriptCall;

/** A whole reply with @n calls and, unless %NULL, @text before them. */
BeckonFixtureReply *beckon_script_calls (const char *text, const BeckonScriptCall *calls, guint n,
                                         const char *finish) G_GNUC_WARN_UNUSED_RESULT;

/** The same with one call and the usual end. */
BeckonFixtureReply *beckon_script_call (const char *id, const char *name,
                                        const char *arguments) G_GNUC_WARN_UNUSED_RESULT;

/** A question in the simple form: "Which port?", 8080 or 9090, or anything else. */
BeckonFixtureReply *beckon_script_ask (const char *id) G_GNUC_WARN_UNUSED_RESULT;
#define BECKON_SCRIPT_QUESTION "{\"question\":\"Which port?\",\"choices\":[\"8080\",\"9090\"]}"

/** Streams @text, then waits at @gate, then streams @rest and ends as it should. */
BeckonFixtureReply *beckon_script_held (const char *text, const char *gate, const char *rest) G_GNUC_WARN_UNUSED_RESULT;

/** Says nothing at all, not even a head, until @gate is released. */
BeckonFixtureReply *beckon_script_silent (const char *gate) G_GNUC_WARN_UNUSED_RESULT;

/** Streams @text and ends the connection without the protocol's end. */
BeckonFixtureReply *beckon_script_cut (const char *text) G_GNUC_WARN_UNUSED_RESULT;

/** An error response with a JSON body; @headers may be %NULL. */
BeckonFixtureReply *beckon_script_error (guint status, const char *headers,
                                         const char *message) G_GNUC_WARN_UNUSED_RESULT;

/** Answers, all to a question with one item. */
BeckonAnswer *beckon_script_pick (const char *label) G_GNUC_WARN_UNUSED_RESULT;
BeckonAnswer *beckon_script_type (const char *text) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_agent_dump:
 *
 * Messages as lines: "user complete", "  text Hello", "  call c1 ask_user done {…} → 8080". An error's arrow is "⇒".
 */
char *beckon_agent_dump (GListModel *messages);
char *beckon_agent_dump_array (GPtrArray *messages);

/**
 * beckon_agent_dump_request:
 *
 * The history of a request but the system prompt, as lines: "user Hello", "assistant Which one?", "  call c1 ask_user {…}",
 * "tool c1 8080".
 */
char *beckon_agent_dump_request (const BeckonFixtureRequest *request);

/** The names of the advertised tools that tests are about (ask_user, get_current_time, a test's own), separated by spaces. */
char *beckon_agent_dump_tools (const BeckonFixtureRequest *request);

/** The system prompt of a request. */
char *beckon_agent_dup_system (const BeckonFixtureRequest *request);

/** The content of the result for a provider's call id; asserts that there is exactly one. */
char *beckon_agent_dup_result (const BeckonFixtureRequest *request, const char *call_id);

G_END_DECLS
