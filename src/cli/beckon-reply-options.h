/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "request/beckon-request.h"

G_BEGIN_DECLS

/**
 * BeckonReplyOptions:
 * @words: (nullable): what is replied, as it would be typed; one for each of several questions
 * @lines: (nullable): what was read from the standard input: the reply, or a line for each of several questions
 * @texts: (nullable): the reply as it is, whatever numbers and choices there are; one for each of several questions
 * @json: (nullable): the answer as other programs give it on the bus
 * @ask_back: (nullable): a question back
 * @arguments: (nullable): the arguments that an approved call is to have instead, as a JSON object of changes
 * @reason: (nullable): with @rejects, why
 * @leaves_out: (nullable): changes and hunks that do not land, as the list numbers them: "2", "3.1"
 * @keeps: ordinary changes land, without @leaves_out
 * @keeps_all: the changes that need a look land too, without @leaves_out
 *
 * An answer that was given with the program. What answers a masked question must be in @lines: other programs can read the
 * command line.
 */
typedef struct
{
  char **words;
  char **texts;
  char *lines;
  char *json;
  char *ask_back;
  char *arguments;
  char *reason;
  char **leaves_out;
  gboolean keeps;
  gboolean keeps_all;
  gboolean skips;
  gboolean lets_choose;
  gboolean runs;
  gboolean rejects;
} BeckonReplyOptions;

/** How many of its forms are used; an answer has one. */
guint beckon_reply_options_count (const BeckonReplyOptions *options);

/**
 * beckon_reply_options_make:
 * @options: one of its forms is used
 * @request: what is answered
 * @stops: (out): the reply was that the run is to be stopped
 * @problem: (out) (transfer full) (nullable): why it is no answer to this, translated
 *
 * Returns: (transfer full) (nullable): an answer that fits; %NULL with @stops or @problem
 */
BeckonAnswer *beckon_reply_options_make (const BeckonReplyOptions *options, BeckonRequest *request, gboolean *stops,
                                         char **problem) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
