/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-run-phase.h"
#include "request/beckon-request.h"

G_BEGIN_DECLS

#define BECKON_TYPE_ASKER (beckon_asker_get_type ())
G_DECLARE_FINAL_TYPE (BeckonAsker, beckon_asker, BECKON, ASKER, GObject)

/**
 * BeckonAskerResult:
 * @BECKON_ASKER_MORE: nothing to send yet: another line is needed
 * @BECKON_ASKER_ANSWER: the answer is whole
 * @BECKON_ASKER_STOP: the person wants the run stopped
 */
typedef enum
{
  BECKON_ASKER_MORE,
  BECKON_ASKER_ANSWER,
  BECKON_ASKER_STOP,
} BeckonAskerResult;

/**
 * BeckonAsker:
 *
 * Leads through one request in a terminal, question by question, and puts the answer together. Main thread.
 */
BeckonAsker *beckon_asker_new (BeckonRequest *request, gboolean colour) G_GNUC_WARN_UNUSED_RESULT;

/** Borrowed. */
BeckonRequest *beckon_asker_get_request (BeckonAsker *asker);

/** Whether the next line is a masked answer. */
gboolean beckon_asker_is_secret (BeckonAsker *asker);

/** What to print before the next line is read; %NULL if it was printed already. Caller frees. */
char *beckon_asker_next_text (BeckonAsker *asker);

/**
 * beckon_asker_take_line:
 * @asker: the asker
 * @line: what the person typed, trimmed
 * @answer: (out) (transfer full) (nullable): the whole answer
 * @message: (out) (transfer full) (nullable): what to tell the person when the line could not be used
 */
BeckonAskerResult beckon_asker_take_line (BeckonAsker *asker, const char *line, BeckonAnswer **answer, char **message);

/** How a program ends whose run ended so. */
int beckon_asker_get_exit_status (BeckonRunPhase phase);

/**
 * beckon_asker_describe_end:
 * @phase: how it ended
 * @detail: (nullable): what goes with it
 * @id: (nullable): the conversation, where the program ends with the run; %NULL where something can be typed then
 *
 * Returns: (transfer full) (nullable): how a run ended, in words, with what can be done then; %NULL for a plain end
 */
char *beckon_asker_describe_end (BeckonRunPhase phase, const char *detail, const char *id);

G_END_DECLS
