/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dbus/beckon-questions.h"
#include "request/beckon-request-context.h"

G_BEGIN_DECLS

/** Whether this process has the name: not known yet, no, yes. */
typedef enum
{
  BECKON_QUESTIONS_UNDECIDED,
  BECKON_QUESTIONS_SILENT,
  BECKON_QUESTIONS_SPEAKING,
} BeckonQuestionsVoice;

struct _BeckonQuestions
{
  GObject parent_instance;

  /* input */
  GApplication *application; /* (unowned) (nullable) */
  BeckonRuntime *runtime;    /* (owned) (nullable) */

  /* on the bus */
  GDBusConnection *connection; /* (owned) (nullable) */
  guint object_id;
  guint name_id;
  BeckonQuestionsVoice voice;

  /* in progress */
  GQueue calls;     /* (element-type GDBusMethodInvocation): that came before the runtime */
  GQueue announced; /* (element-type BeckonRequest): that came before it was known who speaks */
  guint n_announcing;
  GQueue flushing; /* (element-type GTask) */
  gulong changed_handler;
  gulong settled_handler;
};

/** Answers one call; the runtime is there. @invocation is taken, as GDBus hands it out. */
void beckon_questions_answer_call (BeckonQuestions *questions, GDBusMethodInvocation *invocation);

/** Lets the application end again; after every call. */
void beckon_questions_end_call (BeckonQuestions *questions);

/** Follows the inbox, and stops doing so. */
void beckon_questions_follow (BeckonQuestions *questions);
void beckon_questions_unfollow (BeckonQuestions *questions);

/** Emits what waited until it was known who speaks. */
void beckon_questions_speak (BeckonQuestions *questions);

/** Continues flushing if nothing that was announced is on its way any longer. */
void beckon_questions_check_flushed (BeckonQuestions *questions);

/** Says that another program settled it. */
void beckon_questions_say_replied (BeckonQuestions *questions, BeckonRequest *request);

/** Fills in who asks. @context: (nullable). */
void beckon_questions_name_asker (BeckonQuestions *questions, BeckonRequestContext *context);

/** Whether the person's settings let other programs answer it. */
gboolean beckon_questions_may_answer (BeckonQuestions *questions, BeckonRequest *request);

G_END_DECLS
