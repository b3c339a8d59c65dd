/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-call-survey.h"
#include "agent/beckon-run-scope.h"
#include "domain/beckon-message.h"

G_BEGIN_DECLS

/**
 * BeckonCallBatch:
 *
 * The calls of one message while they are carried out: what is known of each, what is being done to it just now, how much of
 * that a stop has to wait for, and the way to their run. Main thread.
 */
typedef struct _BeckonCallBatch BeckonCallBatch;

typedef struct _BeckonRun BeckonRun;

typedef void (*BeckonCallBatchReady) (BeckonCallBatch *self, gpointer user_data);
typedef void (*BeckonCallBatchWritten) (BeckonCallBatch *self, gpointer user_data);

/** @run: (nullable): whose calls they are; see beckon_call_batch_detach() */
BeckonCallBatch *beckon_call_batch_new (const BeckonRunScope *scope, BeckonRun *run) G_GNUC_WARN_UNUSED_RESULT;
BeckonCallBatch *beckon_call_batch_ref (BeckonCallBatch *self);
void             beckon_call_batch_unref (BeckonCallBatch *self);

/** The run ends; work that is under way still has the batch. */
void beckon_call_batch_detach (BeckonCallBatch *self);

/**
 * beckon_call_batch_split:
 * @self: a batch
 * @call: a call of it that goes on in the background
 * @told: what the model is told of it meanwhile
 *
 * Its run waits no longer for @call, which gets a batch of its own, with what is known of it.
 *
 * Returns: (transfer none) (nullable): the run's; %NULL while something of it is landing
 */
BeckonCallBatch *beckon_call_batch_split (BeckonCallBatch *self, BeckonToolCall *call, const char *told);

/** Takes back the call of @background, which is reset: whatever ends all calls then ends it, too. */
void beckon_call_batch_take_back (BeckonCallBatch *self, BeckonCallBatch *background);

/** (nullable): the call that it was split off for; %NULL of the calls of a reply. Borrowed. */
BeckonToolCall *beckon_call_batch_get_only (const BeckonCallBatch *self);

/** Borrowed. */
const BeckonRunScope *beckon_call_batch_get_scope (const BeckonCallBatch *self);

/** Forgets what is being done, all of which is taken back elsewhere, and invalidates tickets. The message stays. */
void beckon_call_batch_reset (BeckonCallBatch *self);

/** Identifies work that begins now: it still counts while beckon_call_batch_is_current(). */
guint    beckon_call_batch_get_ticket (const BeckonCallBatch *self);
gboolean beckon_call_batch_is_current (const BeckonCallBatch *self, guint ticket);

/* --- The run, as long as it is there: see the functions of the same names there --- */

void          beckon_call_batch_commit (BeckonCallBatch *self, BeckonBatch *batch, BeckonCallBatchWritten written,
                                        gpointer user_data, GDestroyNotify destroy);
void          beckon_call_batch_step (BeckonCallBatch *self);
void          beckon_call_batch_stop (BeckonCallBatch *self);
void          beckon_call_batch_dismiss (BeckonCallBatch *self);
gboolean      beckon_call_batch_is_driven (const BeckonCallBatch *self);
gboolean      beckon_call_batch_is_stopping (const BeckonCallBatch *self);
GCancellable *beckon_call_batch_get_cancellable (const BeckonCallBatch *self);
GPtrArray    *beckon_call_batch_get_siblings (const BeckonCallBatch *self);

/* --- The message --- */

/** @message: (nullable): %NULL when all calls have results. */
void beckon_call_batch_set_message (BeckonCallBatch *self, BeckonMessage *message);

/** (nullable): borrowed. */
BeckonMessage *beckon_call_batch_get_message (const BeckonCallBatch *self);

/** Whether calls run, and each of them waits for a form that a person may answer in another process. */
gboolean beckon_call_batch_waits_for_forms (const BeckonCallBatch *self);

/** (nullable): its id; borrowed. */
const char *beckon_call_batch_get_message_id (const BeckonCallBatch *self);

/** (transfer container) (element-type BeckonToolCall): those of its message and of plans that do not run in the background, and
 *  those that were taken back; of a batch that was split off its call. */
GPtrArray *beckon_call_batch_list (const BeckonCallBatch *self) G_GNUC_WARN_UNUSED_RESULT;

/* --- Surveys --- */

/**
 * beckon_call_batch_survey:
 * @self: a batch that surveys nothing
 * @calls: (element-type BeckonToolCall): calls that are to be decided, or started
 * @is_start: %FALSE: looks at those of which nothing is known; %TRUE: at all, as they are now
 * @ready: called when there is a survey of each that a tool carries out; at once where nothing is to be looked at
 * @user_data: (transfer full): for @ready, which has it from there on
 * @destroy: (nullable): for @user_data, where the surveys are abandoned and @ready is never called
 *
 * Has calls looked at on worker threads.
 */
void beckon_call_batch_survey (BeckonCallBatch *self, GPtrArray *calls, gboolean is_start, BeckonCallBatchReady ready,
                               gpointer user_data, GDestroyNotify destroy);
gboolean beckon_call_batch_is_surveying (const BeckonCallBatch *self);

/** However long a file system takes: what comes of it later is dropped. */
void beckon_call_batch_abandon_survey (BeckonCallBatch *self);

/** (nullable): what is known of a call, as it stands now; %NULL where no tool carries it out. Borrowed. */
BeckonCallSurvey *beckon_call_batch_get_survey (const BeckonCallBatch *self, BeckonToolCall *call);

/** The next survey looks at @call anew. */
void beckon_call_batch_forget_survey (BeckonCallBatch *self, BeckonToolCall *call);

/** (nullable): what the arguments @given of a proposed call were completed to, where it was looked at. Borrowed. */
const char *beckon_call_batch_get_completed (const BeckonCallBatch *self, BeckonToolCall *call, const char *given);

/** (nullable): of what was shown to a person who changed it, where its start was looked at. Borrowed. */
BeckonCallSurvey *beckon_call_batch_get_shown_survey (const BeckonCallBatch *self, BeckonToolCall *call);

/* --- Work --- */

/**
 * BeckonCallMark:
 * @BECKON_CALL_MARK_VERIFY: its tool looks what became of it
 * @BECKON_CALL_MARK_LAND: what it changed is being landed
 * @BECKON_CALL_MARK_LAND_NOW: something of that lands while it runs
 * @BECKON_CALL_MARK_ON_VIEW: what it changes lands, and it reaches nothing else: it was decided so, or found
 * @BECKON_CALL_MARK_FOUND: it was looked whether that is so
 */
typedef enum
{
  BECKON_CALL_MARK_VERIFY = 1 << 0,
  BECKON_CALL_MARK_LAND = 1 << 1,
  BECKON_CALL_MARK_LAND_NOW = 1 << 2,
  BECKON_CALL_MARK_ON_VIEW = 1 << 3,
  BECKON_CALL_MARK_FOUND = 1 << 4,
} BeckonCallMark;

/** %FALSE if @call had @mark already. */
gboolean beckon_call_batch_mark (BeckonCallBatch *self, BeckonToolCall *call, BeckonCallMark mark);
void     beckon_call_batch_unmark (BeckonCallBatch *self, BeckonToolCall *call, BeckonCallMark mark);
gboolean beckon_call_batch_is_marked (const BeckonCallBatch *self, BeckonToolCall *call, BeckonCallMark mark);

/** A tool begins to work on a call, or to look what became of one. Returns: for the two below */
guint beckon_call_batch_enter_tool (BeckonCallBatch *self);

/** The tool is done. Returns: %FALSE if it was given up */
gboolean beckon_call_batch_leave_tool (BeckonCallBatch *self, guint entered);
gboolean beckon_call_batch_is_heard (const BeckonCallBatch *self, guint entered);

/** Tools that were cancelled hang where nothing cancels them. What comes of them later is dropped. */
void     beckon_call_batch_give_up_tools (BeckonCallBatch *self);
gboolean beckon_call_batch_has_tools (const BeckonCallBatch *self);

/** A landing is not given up: whatever a stop says, the folder is left whole. */
void beckon_call_batch_enter_landing (BeckonCallBatch *self);
void beckon_call_batch_end_landing (BeckonCallBatch *self);

/** Whether a tool works, or something is landing. */
gboolean beckon_call_batch_is_busy (const BeckonCallBatch *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonCallBatch, beckon_call_batch_unref)

G_END_DECLS
