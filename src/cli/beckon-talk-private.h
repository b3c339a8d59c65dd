/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-bus-host.h"
#include "beckon-talk.h"

G_BEGIN_DECLS

/* Between the talk (beckon-talk.c) and how an open run is found and resumed (beckon-talk-resume.c). */

typedef struct _BeckonTalkSession BeckonTalkSession;
struct _BeckonTalkSession
{
  const BeckonTalk *talk;
  GMainLoop *loop;
  BeckonRuntime *runtime;
  BeckonConversation *conversation; /* (owned) (nullable) */
  BeckonRequest *request;           /* (owned) (nullable): to be answered */
  BeckonAnswer *answer;             /* (owned) (nullable) */
  gboolean had_asked;               /* its turn had ended with the question, or before it */
  gboolean stops;                   /* the reply was that the run is to be stopped */
  gboolean was_refused;             /* the answer was not accepted, and the run here is for another's */
  gboolean was_sent;                /* the message of the command line */
  gboolean was_interrupted;         /* the person wants to leave */
  gboolean detached;                /* the talk ended with a question, which is printed */
  gboolean is_unread;               /* the reader of the standard output is gone */
  guint watch_source;               /* while it is talked */
  gint64 settled_at;                /* on the monotonic clock; 0 before */
  BeckonChat *chat;                 /* (owned) (nullable) */
  BeckonBusHost *host;              /* (owned) (nullable): while answers can come */
  void (*on_open) (BeckonTalkSession *session);
  int status;
};

/** Ends the session. */
void beckon_talk_finish (BeckonTalkSession *session, int status);
void beckon_talk_fail (BeckonTalkSession *session, const char *message);

/** Reads an earlier conversation, takes its run over if no process drives it, and calls @on_open. %NULL is an error. */
void beckon_talk_open (BeckonTalkSession *session, BeckonConversation *conversation,
                       void (*on_open) (BeckonTalkSession *session));

/** Makes the chat, which prints from then on, and lets it talk. */
void beckon_talk_make_chat (BeckonTalkSession *session);
void beckon_talk_start (BeckonTalkSession *session);

/** Finds the run that the talk is about, takes it over if no process drives it, answers, and talks. */
void beckon_talk_resume (BeckonTalkSession *session);

G_END_DECLS
