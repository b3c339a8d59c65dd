/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-run-phase.h"
#include "request/beckon-request.h"

G_BEGIN_DECLS

#define BECKON_TYPE_REQUEST_PROMPTER (beckon_request_prompter_get_type ())
G_DECLARE_FINAL_TYPE (BeckonRequestPrompter, beckon_request_prompter, BECKON, REQUEST_PROMPTER, GObject)

/**
 * BeckonRequestPrompterResult:
 * @BECKON_REQUEST_PROMPTER_MORE: nothing to send yet: another line is needed
 * @BECKON_REQUEST_PROMPTER_ANSWER: the answer is whole
 * @BECKON_REQUEST_PROMPTER_STOP: the person wants the run stopped
 */
typedef enum
{
  BECKON_REQUEST_PROMPTER_MORE,
  BECKON_REQUEST_PROMPTER_ANSWER,
  BECKON_REQUEST_PROMPTER_STOP,
} BeckonRequestPrompterResult;

/**
 * BeckonRequestPrompter:
 *
 * Leads through one request in a terminal, question by question, and puts the answer together. Main thread.
 */
BeckonRequestPrompter *beckon_request_prompter_new (BeckonRequest *request, gboolean colour) G_GNUC_WARN_UNUSED_RESULT;

/** Borrowed. */
BeckonRequest *beckon_request_prompter_get_request (BeckonRequestPrompter *asker);

/** Whether the next line is a masked answer. */
gboolean beckon_request_prompter_is_secret (BeckonRequestPrompter *asker);

/** Returns the text before the next line; %NULL if it was printed. Caller frees. */
char *beckon_request_prompter_next_text (BeckonRequestPrompter *asker);

/**
 * beckon_request_prompter_take_line:
 * @asker: the asker
 * @line: what the person typed, trimmed
 * @answer: (out) (transfer full) (nullable): the whole answer
 * @message: (out) (transfer full) (nullable): what to tell the person when the line could not be used
 */
BeckonRequestPrompterResult beckon_request_prompter_take_line (BeckonRequestPrompter *asker, const char *line,
                                                               BeckonAnswer **answer, char **message);

/** How a program ends whose run ended so. */
int beckon_request_prompter_get_exit_status (BeckonRunPhase phase);

/**
 * beckon_request_prompter_describe_end:
 * @phase: how it ended
 * @detail: (nullable): what goes with it
 * @id: (nullable): the conversation, where the program ends with the run; %NULL where something can be typed then
 *
 * Returns: (transfer full) (nullable): how a run ended, in words, with what can be done then; %NULL for a plain end
 */
char *beckon_request_prompter_describe_end (BeckonRunPhase phase, const char *detail, const char *id);

G_END_DECLS
