/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-request-error.h"
#include "request/beckon-answer.h"
#include "request/beckon-asked-by.h"

#include <glib-object.h>

G_BEGIN_DECLS

/** The state of a request: pending, then exactly one of the others. */
typedef enum
{
  BECKON_REQUEST_PENDING,
  BECKON_REQUEST_ANSWERED,
  BECKON_REQUEST_SKIPPED,
  BECKON_REQUEST_DELEGATED,
  BECKON_REQUEST_ASKED_BACK,
  BECKON_REQUEST_DECLINED,
  BECKON_REQUEST_CANCELLED,
  BECKON_REQUEST_TIMED_OUT,
  BECKON_REQUEST_UNAVAILABLE,
} BeckonRequestState;

#define BECKON_REQUEST_N_STATES (BECKON_REQUEST_UNAVAILABLE + 1)

typedef struct _BeckonSettlement BeckonSettlement;

#define BECKON_TYPE_REQUEST (beckon_request_get_type ())
G_DECLARE_DERIVABLE_TYPE (BeckonRequest, beckon_request, BECKON, REQUEST, GObject)

/**
 * BeckonRequest:
 *
 * One thing an agent needs from a person. One object per request and process. Main thread. Properties, notified: `state`
 * (int, a #BeckonRequestState), `draft` (string), `due-at` (int64).
 *
 * What is asked is a class: #BeckonQuestionRequest, #BeckonFormRequest, and of those about a call (#BeckonCallRequest)
 * #BeckonApprovalRequest, #BeckonPlanRequest, #BeckonOutcomeRequest and #BeckonChangesRequest. A new class adds its type to
 * beckon-request-body.c, and an entry to the tables of the rooms that show requests: text/beckon-plain-class.c,
 * ui/cards/beckon-request-card.c, ui/cards/beckon-request-words.c.
 */

/**
 * BeckonRequestClass:
 * @kind: the name that is stored, and published on D-Bus
 * @form: (nullable): the member "form" of the body, which tells classes apart that are stored under one name
 * @answers: which answers a person can give, as bits `1 << #BeckonAnswerKind`; an end that nobody gives is always possible
 * @refusal: why any other answer is refused, to be translated
 * @decides: see beckon_request_decides(); by default it does
 * @read_body: fills in what @body, as @dup_body wrote it, says was asked
 * @dup_body: what the store keeps
 * @dup_logged: what was asked as it may be kept in the log, as JSON
 * @takes: whether a person can give such an answer; by default @answers says so
 * @check_answer: the rest of beckon_request_check_answer(), for an answer that it takes; by default any
 * @settle_call: what @answer makes of the call that waits, or of its plan, into @settlement
 * @dup_summary: how it ended, in one line for people
 */
struct _BeckonRequestClass
{
  GObjectClass parent_class;

  const char *kind;
  const char *form;
  guint answers;
  const char *refusal;

  gboolean (*decides) (BeckonRequest *self);
  gboolean (*read_body) (BeckonRequest *self, const char *body, GError **error);
  char *(*dup_body) (BeckonRequest *self);
  char *(*dup_logged) (BeckonRequest *self);
  gboolean (*takes) (BeckonRequest *self, BeckonAnswerKind kind);
  gboolean (*check_answer) (BeckonRequest *self, const BeckonAnswer *answer, GError **error);
  void (*settle_call) (BeckonRequest *self, const BeckonAnswer *answer, BeckonSettlement *settlement);
  char *(*dup_summary) (BeckonRequest *self, const BeckonAnswer *answer);
};

/** Rebuilds a stored one from the name of its class and its body. %NULL with an error when the body cannot be read. */
BeckonRequest *beckon_request_new_from_body (const char *id, const char *conversation_id, const char *message_id,
                                             const char *call_id, const char *kind, const char *body, gint64 asked_at,
                                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

const char        *beckon_request_get_id (BeckonRequest *request);
const char        *beckon_request_get_conversation_id (BeckonRequest *request);
const char        *beckon_request_get_message_id (BeckonRequest *request);
const char        *beckon_request_get_call_id (BeckonRequest *request);
gint64             beckon_request_get_asked_at (BeckonRequest *request);
BeckonRequestState beckon_request_get_state (BeckonRequest *request);

/** Whether its answer lets something happen, as an approval does; %FALSE for what is only to be known. */
gboolean beckon_request_decides (BeckonRequest *request);

/** The name of its class as it is stored, and published on D-Bus; static. */
const char *beckon_request_get_kind_name (BeckonRequest *request);

/** Its asker; our own run by default. Borrowed. */
const BeckonAskedBy *beckon_request_get_asked_by (BeckonRequest *request);

/** @asked_by: (transfer full): before it is stored, with which it is. */
void beckon_request_take_asked_by (BeckonRequest *request, BeckonAskedBy *asked_by);

/** Whether only the process that stores it has a use for the answer: a tool that runs there waits. Its end is the request's.
 *  Known until it is stored. */
gboolean beckon_request_is_bound (BeckonRequest *request);
void     beckon_request_bind (BeckonRequest *request);

/** The request as the log may keep it, as JSON: a question, a plan, or the arguments of a call. Caller frees. */
char *beckon_request_dup_logged (BeckonRequest *request);

/** The body that the store keeps, as JSON. Caller frees. */
char *beckon_request_dup_body (BeckonRequest *request);

/** A half-made answer as JSON that only the card understands; %NULL if there is none. */
const char *beckon_request_get_draft (BeckonRequest *request);
void        beckon_request_set_draft (BeckonRequest *request, const char *draft);

/** When it times out, in microseconds since the epoch; 0 while nothing ends it. Known to this process alone; #BeckonDeadlines
 *  sets it. */
gint64 beckon_request_get_due_at (BeckonRequest *request);
void   beckon_request_set_due_at (BeckonRequest *request, gint64 due_at);

/** Once settled: what was answered (%NULL for some ends), in which front end ("window", "terminal"…), by whom, when. */
BeckonAnswer *beckon_request_get_answer (BeckonRequest *request);
const char   *beckon_request_get_front_end (BeckonRequest *request);
const char   *beckon_request_get_actor (BeckonRequest *request);
gint64        beckon_request_get_settled_at (BeckonRequest *request);

/** Marks it settled; once. The inbox and the store call this, nobody else. */
void beckon_request_settle (BeckonRequest *request, BeckonRequestState state, BeckonAnswer *answer,
                            const char *front_end, const char *actor, gint64 at);

/** Whether a person can give an answer of that kind. */
gboolean beckon_request_takes (BeckonRequest *request, BeckonAnswerKind kind);

/**
 * beckon_request_check_answer:
 * @request: a request
 * @answer: an answer
 * @error: return location
 *
 * Checks that @answer is one that this kind of request can have; for a question as beckon_answer_check() does.
 *
 * Returns: %FALSE with %BECKON_REQUEST_ERROR_INVALID and a translated message
 */
gboolean beckon_request_check_answer (BeckonRequest *request, const BeckonAnswer *answer, GError **error);

/** Whether it is an end without an answer. */
gboolean beckon_request_state_is_end (BeckonRequestState state);

/** %TRUE while it waits; %FALSE with %BECKON_REQUEST_ERROR_ALREADY_SETTLED, which says who settled it, where and when. */
gboolean beckon_request_check_pending (BeckonRequest *request, GError **error);

/** How it ended, in one line for people, whether somebody answered or not; %NULL while it is pending. Caller frees. */
char *beckon_request_dup_summary (BeckonRequest *request);

/**
 * beckon_request_check_outcome:
 * @request: a settled request
 * @error: return location
 *
 * For whoever waits for an answer and nothing else will do.
 *
 * Returns: %TRUE if somebody answered, skipped, delegated or asked back; %FALSE with %BECKON_REQUEST_ERROR_DECLINED,
 *   _CANCELLED, _TIMED_OUT or _UNAVAILABLE and a translated message
 */
gboolean beckon_request_check_outcome (BeckonRequest *request, GError **error);

/** The state an answer leads to. */
BeckonRequestState beckon_request_state_for_answer (const BeckonAnswer *answer);

const char *beckon_request_state_to_string (BeckonRequestState state);
gboolean    beckon_request_state_from_string (const char *word, BeckonRequestState *state);

/** For classes: what every constructor says of a request. @id: (nullable): %NULL makes one. */
void beckon_request_set_place (BeckonRequest *request, const char *id, const char *conversation_id, const char *message_id,
                               const char *call_id, gint64 asked_at);

/** For classes: refuses an answer with a translated message. Returns %FALSE. */
gboolean beckon_request_refuse (GError **error, const char *message);

G_END_DECLS
