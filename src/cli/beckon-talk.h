/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-chat.h"

G_BEGIN_DECLS

/**
 * BeckonTalk:
 * @flags: how to talk
 * @has_person: whether the model may ask: somebody is there who can answer
 * @message: (nullable): a first message
 * @profile: (nullable): a profile's name or id; %NULL is the default one
 * @conversation_id: (nullable): an earlier conversation to go on with
 * @last: go on with the last conversation
 *
 * What `beckonctl chat` and `beckonctl run` have in common: a program that opens the store, talks, and closes it.
 */
typedef struct
{
  BeckonChatFlags flags;
  gboolean has_person;
  const char *message;
  const char *profile;
  const char *conversation_id;
  gboolean last;
} BeckonTalk;

/** Runs a main loop until the talk is over. Returns the exit status of the program. */
int beckon_talk (const BeckonTalk *talk);

G_END_DECLS
