/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-call-state.h"
#include "domain/beckon-landing.h"
#include "domain/beckon-plan.h"

#include <glib-object.h>

G_BEGIN_DECLS

/**
 * BeckonCallChange:
 * @BECKON_CALL_CHANGE_NONE: it changed no file, or what the file was before is not kept
 * @BECKON_CALL_CHANGE_KEPT: it changed a file, or several, which can be put back
 * @BECKON_CALL_CHANGE_UNDONE: the person put them back
 * @BECKON_CALL_CHANGE_WITHHELD: it changed a file that held a secret of the person's, so that no copy was kept
 */
typedef enum
{
  BECKON_CALL_CHANGE_NONE,
  BECKON_CALL_CHANGE_KEPT,
  BECKON_CALL_CHANGE_UNDONE,
  BECKON_CALL_CHANGE_WITHHELD,
} BeckonCallChange;

/** The most pictures of one result; what comes after them is left out. */
#define BECKON_TOOL_CALL_MOST_IMAGES 8

/* A part knows its call. */
typedef struct _BeckonPart BeckonPart;

#define BECKON_TYPE_TOOL_CALL (beckon_tool_call_get_type ())
G_DECLARE_FINAL_TYPE (BeckonToolCall, beckon_tool_call, BECKON, TOOL_CALL, GObject)

/**
 * BeckonToolCall:
 *
 * One call of a tool by the model, with its state and, once it has one, its only result. Main thread. Properties, each
 * notified: `state` (int, a #BeckonCallState), `result` (string), `is-error` (boolean), `request` (GObject),
 * `output` (string: live output while it runs), `can-land` (boolean), `background` (string), `change` (int, a
 * #BeckonCallChange; notified for its landings as well), `plan` (pointer: the step that a call is).
 */

/**
 * beckon_tool_call_new:
 * @id: (nullable): our unique id; %NULL makes one
 * @provider_id: (nullable): the id the provider gave, which need not be unique; %NULL when it gave none
 * @name: the tool's name, as the model wrote it
 * @arguments: the raw JSON text of the arguments, as the model wrote it
 *
 * Returns: (transfer full): a proposed call
 */
BeckonToolCall *beckon_tool_call_new (const char *id, const char *provider_id, const char *name,
                                      const char *arguments) G_GNUC_WARN_UNUSED_RESULT;

const char *beckon_tool_call_get_id (BeckonToolCall *call);

/** The id to send back to the provider: its own, or ours where it gave none. */
const char *beckon_tool_call_get_provider_id (BeckonToolCall *call);

const char *beckon_tool_call_get_name (BeckonToolCall *call);
const char *beckon_tool_call_get_arguments (BeckonToolCall *call);

/** The arguments that a person put in their place, as JSON text; %NULL when nobody changed them. */
const char *beckon_tool_call_get_edited_arguments (BeckonToolCall *call);
void        beckon_tool_call_set_edited_arguments (BeckonToolCall *call, const char *arguments);

/** The model's arguments with what the person settled once and for all put in; %NULL where that changes nothing. */
const char *beckon_tool_call_get_settled_arguments (BeckonToolCall *call);
void        beckon_tool_call_set_settled_arguments (BeckonToolCall *call, const char *arguments);

/** Which arguments are not to be seen, as JSON that the room request understands; %NULL where all may be. */
const char *beckon_tool_call_get_redacted (BeckonToolCall *call);
void        beckon_tool_call_set_redacted (BeckonToolCall *call, const char *redacted);

/** The arguments that run: the edited ones, or the settled ones, or the model's. */
const char *beckon_tool_call_get_effective_arguments (BeckonToolCall *call);

/** The SHA-256 of the arguments that run, in hexadecimal digits: what a decision about them is bound to. Caller frees. */
char *beckon_tool_call_dup_digest (BeckonToolCall *call);

/** The id of the decision by which it may run; %NULL without one. A start takes it. */
const char *beckon_tool_call_get_permit_id (BeckonToolCall *call);
void        beckon_tool_call_set_permit_id (BeckonToolCall *call, const char *permit_id);

/** The complaint of the border when the arguments are not whole, strict JSON; %NULL otherwise. Such a call never runs. */
const char *beckon_tool_call_get_fault (BeckonToolCall *call);
void        beckon_tool_call_set_fault (BeckonToolCall *call, const char *fault);

/** (nullable): why it did not run, or failed, as a sentence for the person, translated; its result says so to the model. Not
 *  stored: only the process that made it knows. Set before the result. */
const char *beckon_tool_call_get_reason (BeckonToolCall *call);
void        beckon_tool_call_set_reason (BeckonToolCall *call, const char *reason);

gboolean beckon_tool_call_get_read_only (BeckonToolCall *call);
void     beckon_tool_call_set_read_only (BeckonToolCall *call, gboolean read_only);

BeckonCallState beckon_tool_call_get_state (BeckonToolCall *call);

/** Moves without the table, for loading; a run uses beckon_tool_call_apply(). */
void beckon_tool_call_set_state (BeckonToolCall *call, BeckonCallState state);

/** Moves by the table; a pair that is not in it is a programming error and aborts. Returns the new state. */
BeckonCallState beckon_tool_call_apply (BeckonToolCall *call, BeckonCallEvent event);

/** The one result as the model gets it; %NULL until there is one. */
const char *beckon_tool_call_get_result (BeckonToolCall *call);
gboolean    beckon_tool_call_get_is_error (BeckonToolCall *call);

/** The exit status of a command, by the shell's rule; -1 for a call that ran none, or is not over. */
int beckon_tool_call_get_exit_status (BeckonToolCall *call);

/** The bytes of its result that are what it gave; behind them is only how it ended, for the model. At most those there are. */
gsize beckon_tool_call_get_output_length (BeckonToolCall *call);

/** Before its result is set. @exit_status: -1 for none. @output_length: %G_MAXSIZE for all of the result. */
void beckon_tool_call_set_end (BeckonToolCall *call, int exit_status, gsize output_length);

/** Sets the one result; a second one is a programming error. */
void beckon_tool_call_set_result (BeckonToolCall *call, const char *result, gboolean is_error);

/** The pictures that came with the result, each an image part; borrowed. */
guint       beckon_tool_call_get_n_images (BeckonToolCall *call);
BeckonPart *beckon_tool_call_get_image (BeckonToolCall *call, guint index);

/** Adds one, before the result is set, whose notification tells of both. One too many is left out. */
void beckon_tool_call_add_image (BeckonToolCall *call, BeckonPart *image);

/** Adds those of @from, likewise. */
void beckon_tool_call_add_images_of (BeckonToolCall *call, BeckonToolCall *from);

/** Microseconds since the epoch, 0 while unset. */
gint64 beckon_tool_call_get_started_at (BeckonToolCall *call);
gint64 beckon_tool_call_get_finished_at (BeckonToolCall *call);
void   beckon_tool_call_set_times (BeckonToolCall *call, gint64 started_at, gint64 finished_at);

/** The #BeckonRequest this call waits or waited on, as a plain object because this room knows no requests; %NULL if none. */
GObject *beckon_tool_call_get_request (BeckonToolCall *call);
void     beckon_tool_call_set_request (BeckonToolCall *call, GObject *request);

/** The most that a call remembers of what it asked. */
#define BECKON_TOOL_CALL_MOST_ASKED 32

/** Requests that it asked while it ran and that are over, in turn, up to the bound. */
void     beckon_tool_call_add_asked (BeckonToolCall *call, GObject *request);
guint    beckon_tool_call_get_n_asked (BeckonToolCall *call);
GObject *beckon_tool_call_get_asked (BeckonToolCall *call, guint index);

/** Microseconds in which it waited for a person while it ran; they are no part of how long it took. */
void   beckon_tool_call_add_waited (BeckonToolCall *call, gint64 duration);
gint64 beckon_tool_call_get_waited (BeckonToolCall *call);

/** Whether it changed a file that can be put back. */
BeckonCallChange beckon_tool_call_get_change (BeckonToolCall *call);
void             beckon_tool_call_set_change (BeckonToolCall *call, BeckonCallChange change);

/**
 * The changes of a command in its folder at its end, and how far they are; %NULL for a call without. Borrowed, until the next
 * change.
 */
const BeckonLanding *beckon_tool_call_get_landing (BeckonToolCall *call);

/**
 * @landing: (transfer full) (nullable): that of its end, or an early one, which replaces the one of its id. Sets the call's
 * change with it, and notifies `change` in any case.
 */
void beckon_tool_call_take_landing (BeckonToolCall *call, BeckonLanding *landing);

/** How many landings it has of the time when it still ran. */
guint beckon_tool_call_get_n_early (BeckonToolCall *call);

/** The landing at @index, 0 the oldest. Borrowed, until the next change. */
const BeckonLanding *beckon_tool_call_get_early (BeckonToolCall *call, guint index);

/** (nullable): any landing of it. Borrowed, until the next change. */
const BeckonLanding *beckon_tool_call_find_landing (BeckonToolCall *call, const char *id);

/** Removes a landing that came to nothing. Does nothing if there is none with @id. */
void beckon_tool_call_drop_early (BeckonToolCall *call, const char *id);

/** Whether it changed something, and nothing of that is or was saved in the folder. */
gboolean beckon_tool_call_is_not_saved (BeckonToolCall *call);

/** (transfer container) (element-type BeckonLanding): all of its landings, the newest first; borrowed until the next change. */
GPtrArray *beckon_tool_call_list_landings (BeckonToolCall *call) G_GNUC_WARN_UNUSED_RESULT;

/** Whether it runs in this process so that what it changed until now can land. */
gboolean beckon_tool_call_get_can_land (BeckonToolCall *call);
void     beckon_tool_call_set_can_land (BeckonToolCall *call, gboolean can_land);

/** (nullable): what the model is told of it while it runs in the background, where its run does not wait for it; kept when it
 *  has ended, and not stored. Borrowed. */
const char *beckon_tool_call_get_background (BeckonToolCall *call);
void        beckon_tool_call_set_background (BeckonToolCall *call, const char *told);

/** Whether a person lets it run on in the background when the model's turn is over. Told of as `background` is. */
gboolean beckon_tool_call_get_is_kept (BeckonToolCall *call);
void     beckon_tool_call_keep (BeckonToolCall *call);

/** Live output while it runs, for people to watch; not stored. %NULL: none. */
const char *beckon_tool_call_get_output (BeckonToolCall *call);
void        beckon_tool_call_set_output (BeckonToolCall *call, const char *output);

/*
 * The call that proposed a plan holds it once it is accepted, and each step that is begun is a call of its own: it goes
 * through what every call goes through. It is in no message, because the model did not make it.
 */
/**
 * BeckonStepOutcome:
 * @BECKON_STEP_OUTCOME_NONE: what its state says
 * @BECKON_STEP_OUTCOME_SKIPPED: the person skipped or denied it when it was next, or it uses the result of such a step
 * @BECKON_STEP_OUTCOME_REPLACED: the person changed the plan when it was next; as if it had not been
 * @BECKON_STEP_OUTCOME_REPLAN: the person wants another plan; this one ends here
 *
 * Why a step's call is over although nothing ran.
 */
typedef enum
{
  BECKON_STEP_OUTCOME_NONE,
  BECKON_STEP_OUTCOME_SKIPPED,
  BECKON_STEP_OUTCOME_REPLACED,
  BECKON_STEP_OUTCOME_REPLAN,
} BeckonStepOutcome;

/**
 * beckon_tool_call_new_step:
 * @id: (nullable): its own; %NULL makes one
 * @planned: the call that holds the plan, which keeps it once beckon_tool_call_add_step() was called
 * @step_id: which step it is
 * @tool: the tool's name
 * @arguments: the arguments, with references resolved
 *
 * Returns: (transfer full): a proposed call
 */
BeckonToolCall *beckon_tool_call_new_step (const char *id, BeckonToolCall *planned, const char *step_id, const char *tool,
                                           const char *arguments) G_GNUC_WARN_UNUSED_RESULT;

/** Joins it to its plan, whose steps follow what becomes of it. */
void beckon_tool_call_add_step (BeckonToolCall *planned, BeckonToolCall *step);

guint           beckon_tool_call_get_n_steps (BeckonToolCall *planned);

BeckonToolCall *beckon_tool_call_get_step (BeckonToolCall *planned, guint index);

/** The one that is not over; %NULL if there is none. Then the last one of a step, over or not, that was not replaced. */
BeckonToolCall *beckon_tool_call_get_open_step (BeckonToolCall *planned);

BeckonToolCall *beckon_tool_call_find_step (BeckonToolCall *planned, const char *step_id);

/** The plan as it stands, with the status and the result of each step; %NULL unless one was accepted. Setting it copies
 *  it. Notifies `plan`, as every change of a step does. */
const BeckonPlan *beckon_tool_call_get_plan (BeckonToolCall *planned);

void              beckon_tool_call_set_plan (BeckonToolCall *planned, const BeckonPlan *plan);

/** For a step: the call that holds the plan, and which step it is; %NULL for any other call. */
BeckonToolCall *beckon_tool_call_get_planned_by (BeckonToolCall *step);

const char     *beckon_tool_call_get_step_id (BeckonToolCall *step);

BeckonStepOutcome beckon_tool_call_get_step_outcome (BeckonToolCall *step);

void              beckon_tool_call_set_step_outcome (BeckonToolCall *step, BeckonStepOutcome outcome);

/** The word it is stored as; %NULL for none. */
const char       *beckon_step_outcome_to_string (BeckonStepOutcome outcome);

BeckonStepOutcome beckon_step_outcome_from_string (const char *word);

G_END_DECLS
