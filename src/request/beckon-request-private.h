/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-request.h"

G_BEGIN_DECLS

/* beckon-request.c has the life of a request, beckon-request-body.c what the store keeps of it. */
struct _BeckonRequest
{
  GObject parent_instance;

  /* What was asked. */
  char *id;
  char *conversation_id;
  char *message_id;
  char *call_id;
  BeckonRequestKind kind;
  gint64 asked_at;
  BeckonQuestion *question; /* (nullable): for a question */
  char *tool;               /* (nullable): these two for an approval and a form */
  char *arguments;
  char *redacted;          /* (nullable): which of the arguments are not to be seen */
  char *reason;             /* (nullable): for an approval */
  BeckonApprovalReason *ground; /* (nullable): likewise */
  gboolean outcome_unknown;
  gint64 started_at;        /* these two for a form */
  gboolean can_verify;
  BeckonPlan *plan;         /* (nullable): for a plan, and for a step of one */
  char *step;               /* (nullable): which step that is */
  char *plan_redacted;     /* (nullable): for a step: what of the plan is not to be seen; of a plan concealed is that */
  BeckonApprovalDetails *details; /* (nullable): for an approval */
  BeckonChangeSet *changes; /* (nullable): for changes */

  /* While it is open. */
  char *draft;
  gint64 due_at; /* microseconds since the epoch; 0: nothing ends it */

  /* How it ended. */
  BeckonRequestState state;
  BeckonAnswer *answer;
  char *front_end;
  char *actor;
  gint64 settled_at;
};

G_END_DECLS
