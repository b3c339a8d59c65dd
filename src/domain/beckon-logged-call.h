/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/**
 * BeckonCallDecider:
 * @BECKON_CALL_DECIDER_NONE: not decided yet, or nothing of it was logged
 * @BECKON_CALL_DECIDER_PERSON: a person, who was asked
 * @BECKON_CALL_DECIDER_RULE: a rule
 * @BECKON_CALL_DECIDER_MODE: the mode of the conversation
 */
typedef enum
{
  BECKON_CALL_DECIDER_NONE,
  BECKON_CALL_DECIDER_PERSON,
  BECKON_CALL_DECIDER_RULE,
  BECKON_CALL_DECIDER_MODE,
} BeckonCallDecider;

/**
 * BeckonCallOutcome:
 * @BECKON_CALL_OUTCOME_OPEN: it waits or runs
 * @BECKON_CALL_OUTCOME_DONE: it succeeded
 * @BECKON_CALL_OUTCOME_FAILED: it failed
 * @BECKON_CALL_OUTCOME_NOT_RUN: it was denied, refused or given up before it started
 * @BECKON_CALL_OUTCOME_UNKNOWN: its process ended while it ran
 * @BECKON_CALL_OUTCOME_UNDONE: it succeeded, and its changes were undone
 */
typedef enum
{
  BECKON_CALL_OUTCOME_OPEN,
  BECKON_CALL_OUTCOME_DONE,
  BECKON_CALL_OUTCOME_FAILED,
  BECKON_CALL_OUTCOME_NOT_RUN,
  BECKON_CALL_OUTCOME_UNKNOWN,
  BECKON_CALL_OUTCOME_UNDONE,
} BeckonCallOutcome;

/**
 * BeckonLoggedCall:
 * @id: (owned): of the call
 * @tool: (owned): its tool
 * @arguments: (owned) (nullable): its arguments as the log has them, without masked values; JSON
 * @conversation_id: (owned): where
 * @title: (owned) (nullable): that conversation's title
 * @message_id: (owned): the message that made the call
 * @at: when it was made, microseconds since the epoch
 * @seconds: how long it ran; 0 if it did not
 * @decider: who decided
 * @front_end: (owned) (nullable): where the person was: "window", "terminal"…
 * @actor: (owned) (nullable): the person, as the log has them
 * @answer: (owned) (nullable): how they answered: "answered", "declined"…
 * @outcome: how it ended
 * @exit_status: of a command; negative where there is none
 * @can_undo: its changes can be undone
 *
 * A call in the audit log, with all that was logged of it in one line.
 */
typedef struct
{
  char *id;
  char *tool;
  char *arguments;
  char *conversation_id;
  char *title;
  char *message_id;
  gint64 at;
  double seconds;
  BeckonCallDecider decider;
  char *front_end;
  char *actor;
  char *answer;
  BeckonCallOutcome outcome;
  int exit_status;
  gboolean can_undo;
} BeckonLoggedCall;

#define BECKON_TYPE_LOGGED_CALL (beckon_logged_call_get_type ())
GType beckon_logged_call_get_type (void) G_GNUC_CONST;

/** (transfer full): an empty one, to be filled before it is shared; counted by references. */
BeckonLoggedCall *beckon_logged_call_new (void) G_GNUC_WARN_UNUSED_RESULT;
BeckonLoggedCall *beckon_logged_call_ref (BeckonLoggedCall *call);
void              beckon_logged_call_unref (BeckonLoggedCall *call);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonLoggedCall, beckon_logged_call_unref)

/** "person", "rule", "mode" or "none"; static. */
const char *beckon_call_decider_to_string (BeckonCallDecider decider);

/** "open", "done", "failed", "not-run", "unknown" or "undone"; static. */
const char *beckon_call_outcome_to_string (BeckonCallOutcome outcome);

/** The call as one of JSON Lines, without its end; `at` is in the form of RFC 3339, in UTC. Caller frees. */
char *beckon_logged_call_to_json (const BeckonLoggedCall *call);

/** The call as a line of CSV with a comma between fields, without its end; %NULL gives the line of titles. Caller frees. */
char *beckon_logged_call_to_csv (const BeckonLoggedCall *call);

/**
 * BeckonProvenance:
 * @seq: its place in the log, larger is later
 * @at: when, microseconds since the epoch
 * @conversation_id: (owned): where
 * @title: (owned) (nullable): that conversation's title
 * @call_id: (owned) (nullable): which call
 * @tool: (owned) (nullable): of which tool
 * @event: (owned): "asked", "decided", "settled", "started", "finished", "failed", "looked"…
 * @data: (owned): what there is to say of it, a JSON object
 *
 * One line of the log of what was asked, decided and run.
 */
typedef struct
{
  gint64 seq;
  gint64 at;
  char *conversation_id;
  char *title;
  char *call_id;
  char *tool;
  char *event;
  char *data;
} BeckonProvenance;

#define BECKON_TYPE_PROVENANCE (beckon_provenance_get_type ())
GType beckon_provenance_get_type (void) G_GNUC_CONST;

/** (transfer full): an empty line, to be filled before it is shared; counted by references. */
BeckonProvenance *beckon_provenance_new (void) G_GNUC_WARN_UNUSED_RESULT;
BeckonProvenance *beckon_provenance_ref (BeckonProvenance *line);
void              beckon_provenance_unref (BeckonProvenance *line);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonProvenance, beckon_provenance_unref)

/** The line as one of JSON Lines, without its end: {seq, at, conversation, call, tool, event, data}; `at` is in the form
 *  of RFC 3339, in UTC. Caller frees. */
char *beckon_provenance_to_json (const BeckonProvenance *line);

G_END_DECLS
