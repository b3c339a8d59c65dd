/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-chat.h"
#include "beckon-place-options.h"
#include "beckon-reply-options.h"

G_BEGIN_DECLS

/**
 * BeckonTalk:
 * @flags: how to talk
 * @has_person: whether the model may ask: a person is there who can answer
 * @message: (nullable): a first message
 * @files: (nullable) (element-type BeckonPart): what is sent with the first message
 * @last_message_path: (nullable): the file that gets the last message of the reply
 * @profile: (nullable): a profile's name or id; %NULL is the default one
 * @place: (nullable): where it works from now on, how much it asks and reasons; %NULL leaves all as they are
 * @conversation_id: (nullable): an earlier conversation to continue
 * @last: continue the last conversation
 * @resumes: resume an open run instead of beginning one
 * @stops: with @resumes: the run is only found to be stopped, whichever process drives it
 * @run_id: (nullable): with @resumes: which, by its id or its conversation's; %NULL is the only one that no process drives
 * @request_id: (nullable): with @resumes: the run that waits for this request
 * @reply: (nullable): with @request_id: its answer; %NULL asks for it in the terminal
 *
 * What `beckonctl chat`, `run`, `answer`, `reject` and `resume` have in common: a program
 * that opens the store, talks, and closes it.
 */
typedef struct
{
  BeckonChatFlags flags;
  gboolean has_person;
  const char *message;
  GPtrArray *files;
  const char *last_message_path;
  const char *profile;
  const BeckonPlaceOptions *place;
  const char *conversation_id;
  gboolean last;
  gboolean resumes;
  gboolean stops;
  const char *run_id;
  const char *request_id;
  const BeckonReplyOptions *reply;
} BeckonTalk;

/** Runs a main loop until the talk is over. Returns the exit status of the program. */
int beckon_talk (const BeckonTalk *talk);

G_END_DECLS
