/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-call-state.h"
#include "domain/beckon-folder-extras.h"
#include "domain/beckon-tool-call.h"
#include "request/beckon-request.h"

G_BEGIN_DECLS

/**
 * BeckonSettlement:
 * @request_id: which request
 * @state: what it becomes
 * @answer: (nullable): the answer as JSON
 * @given: (nullable): the same itself
 * @front_end: "window", "terminal", "notification", "dbus", "agent"…
 * @actor: who, such as the user's name
 * @at: microseconds since the epoch
 * @call_event: what happens to the call that waits, %BECKON_CALL_EVENT_SETTLED_GO, …_RESULT, …_LOOK, …_LAND or …_STOPPED
 * @result: (nullable): the call's one result, when @call_event gives it one
 * @is_error: for @result
 * @arguments: (nullable): the arguments that run instead, for an edited approval
 * @digest: (nullable): for a call that may run: the SHA-256 of the arguments that were shown, or put in their place
 * @rules: (nullable) (element-type BeckonRule): what is remembered with it
 * @plan: (nullable): the document of the plan that is carried out from now on: of the call, or of the plan it is a step of
 * @outcome: what this makes of the call, if it is a step of a plan
 * @trust: (nullable): what was said of what a folder brings
 * @channel_id: (nullable): the account of the text channel that the answer came by
 * @inbound_id: (nullable): its message, which is handled with this
 *
 * Everything that commits together when a request is settled. It is derived once, where the request ends, and goes to
 * everybody with the signal that tells of it; see #BeckonInbox::settled.
 */
struct _BeckonSettlement
{
  char *request_id;
  BeckonRequestState state;
  char *answer;
  BeckonAnswer *given;
  char *front_end;
  char *actor;
  gint64 at;
  BeckonCallEvent call_event;
  char *result;
  gboolean is_error;
  char *arguments;
  char *digest;
  GPtrArray *rules;
  char *plan;
  BeckonStepOutcome outcome;
  BeckonFolderTrust *trust;
  char *channel_id;
  char *inbound_id;
};

/** A result's words on a call that was not run, and on one whose fate is not known. */
#define BECKON_SETTLEMENT_NOT_RUN "was not run; nothing was changed."
#define BECKON_SETTLEMENT_NOT_KNOWN \
  "was running when the program ended; whether it took effect is not known. It was not run again."

/** Derives the settlement of @request by @answer: state, call event and result. Caller owns. */
BeckonSettlement *beckon_settlement_new (BeckonRequest *request, const BeckonAnswer *answer, const char *front_end,
                                         const char *actor, gint64 at) G_GNUC_WARN_UNUSED_RESULT;
/**
 * beckon_settlement_new_recorded:
 * @request: the request, here
 * @state: how it ended
 * @answer: (nullable): what was answered; without one its call ends like that of a request that was cancelled
 * @front_end: (nullable): where
 * @actor: (nullable): by whom
 * @at: when
 *
 * Returns: (transfer full): the settlement of a request that ended elsewhere, from what is recorded of it
 */
BeckonSettlement *beckon_settlement_new_recorded (BeckonRequest *request, BeckonRequestState state, const BeckonAnswer *answer,
                                                  const char *front_end, const char *actor,
                                                  gint64 at) G_GNUC_WARN_UNUSED_RESULT;

#define BECKON_TYPE_SETTLEMENT (beckon_settlement_get_type ())
GType             beckon_settlement_get_type (void) G_GNUC_CONST;
BeckonSettlement *beckon_settlement_copy (const BeckonSettlement *settlement) G_GNUC_WARN_UNUSED_RESULT;
void              beckon_settlement_free (BeckonSettlement *settlement);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonSettlement, beckon_settlement_free)

G_END_DECLS
