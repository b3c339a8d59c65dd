/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-talk.h"

G_BEGIN_DECLS

/* Between the talk (beckon-talk.c) and how an open run is found and taken up (beckon-talk-take-up.c). */

typedef struct
{
  const BeckonTalk *talk;
  GMainLoop *loop;
  BeckonRuntime *runtime;
  BeckonConversation *conversation; /* (owned) (nullable) */
  BeckonRequest *request;           /* (owned) (nullable): to be answered */
  BeckonAnswer *answer;             /* (owned) (nullable) */
  gboolean had_asked;               /* its turn had ended with the question */
  gboolean stops;                   /* the reply was that the run is to be stopped */
  BeckonChat *chat;                 /* (owned) (nullable) */
  int status;
} BeckonTalkSession;

/** Ends the session. */
void beckon_talk_finish (BeckonTalkSession *session, int status);
void beckon_talk_fail (BeckonTalkSession *session, const char *message);

/** Makes the chat, which prints from then on, and lets it talk. */
void beckon_talk_make_chat (BeckonTalkSession *session);
void beckon_talk_start (BeckonTalkSession *session);

/** Finds the run that the talk is about, takes it up if nobody drives it, answers, and talks. */
void beckon_talk_take_up (BeckonTalkSession *session);

G_END_DECLS
