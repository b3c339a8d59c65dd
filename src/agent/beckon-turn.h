/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "agent/beckon-reply.h"
#include "agent/beckon-round.h"
#include "agent/beckon-run-scope.h"

G_BEGIN_DECLS

/**
 * BeckonTurn:
 *
 * The rounds of a run, one after another: which profile is asked, what requests begin with, and when it has to end because of
 * what it spends or how long its replies become. Main thread.
 */
typedef struct _BeckonTurn BeckonTurn;

/** @run: whose it is; outlives the turn */
BeckonTurn *beckon_turn_new (const BeckonRunScope *scope, const char *profile_id,
                             BeckonRun *run) G_GNUC_WARN_UNUSED_RESULT;
void        beckon_turn_free (BeckonTurn *self);

/** The beginning of requests has to be read before the first round; and again where another process may have sent some. */
gboolean beckon_turn_has_prefix (const BeckonTurn *self);
/** @stored: (transfer full). @notes, @surroundings: (nullable): see beckon_prompt_prefix_set_beginning(). */
void     beckon_turn_take_prefixes (BeckonTurn *self, BeckonPrefixes *stored, const char *notes, const char *surroundings);
void     beckon_turn_forget_prefix (BeckonTurn *self);

/** Says what the folder brings, from the next request on: see beckon_prompt_prefix_set_extras(). */
void beckon_turn_set_extras (BeckonTurn *self, const char *instructions, const char *skills, const char *extras);

/** Has the conversation say something; @note is borrowed. */
void beckon_turn_add_note (BeckonTurn *self, BeckonMessage *note);

/** Makes a round. @is_first: of the run. Then sends its request; %FALSE if it has ended already. */
void     beckon_turn_add_round (BeckonTurn *self, gboolean is_first, GCancellable *cancellable);
gboolean beckon_turn_begin_round (BeckonTurn *self);

/** The round has ended so. */
void beckon_turn_take_result (BeckonTurn *self, const BeckonRoundResult *result);

/** Takes back what is under way; the reply stays. */
void beckon_turn_cancel_round (BeckonTurn *self);

/** Forgets the round, which is stored. */
void beckon_turn_forget_round (BeckonTurn *self);

/** (nullable): what the round has received and is not stored with its calls yet; borrowed. */
BeckonReply *beckon_turn_get_reply (const BeckonTurn *self);

/** Ends the message that is being received: in @batch, then on the screen. */
void beckon_turn_write_end (BeckonTurn *self, BeckonBatch *batch, BeckonMessageStatus status);
void beckon_turn_show_end (BeckonTurn *self, BeckonMessageStatus status);

/** Whether no other round may begin. @event: (out): the end; @detail: (out) (transfer full): why */
gboolean beckon_turn_is_limited (BeckonTurn *self, BeckonRunEvent *event, char **detail);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonTurn, beckon_turn_free)

G_END_DECLS
