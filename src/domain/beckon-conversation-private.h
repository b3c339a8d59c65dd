/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-conversation.h"

G_BEGIN_DECLS

struct _BeckonConversation
{
  GObject parent_instance;

  /* header */
  char *id; /* (owned) */
  gint64 created_at;
  char *title; /* (owned) */
  gint64 updated_at;
  char *profile_id; /* (owned) (nullable) */
  char *draft;      /* (owned) */

  /* what a person made of it */
  gint64 sequence;
  gint64 path;
  gboolean pinned;
  gboolean archived;
  gboolean unread;
  gint64 seen_at;
  gboolean temporary;
  char *folder; /* (owned) (nullable) */
  BeckonMode mode;
  BeckonEffort effort;
  BeckonTitleSource title_source;
  char *origin_id;         /* (owned) (nullable) */
  char *origin_message_id; /* (owned) (nullable) */

  GListStore *files; /* (owned) (element-type BeckonPart): what is attached to the draft */

  GListStore *queue; /* (owned) (element-type BeckonQueueItem) */

  /* messages */
  GPtrArray *messages; /* (owned) (element-type BeckonMessage) */
  gboolean loaded;
  gboolean has_earlier; /* that are not in the list */
  guint n_left;         /* branches that begin the conversation and are not shown, while none is */

  /* the last run */
  gboolean has_run;
  BeckonRunPhase phase;
  char *detail; /* (owned) (nullable) */
  gint64 retry_at;
  guint waiting;
};

typedef enum
{
  PROP_TITLE = 1,
  PROP_UPDATED_AT,
  PROP_PROFILE_ID,
  PROP_LOADED,
  PROP_PHASE,
  PROP_HAS_RUN,
  PROP_DETAIL,
  PROP_RETRY_AT,
  PROP_WAITING,
  PROP_DRAFT,
  PROP_PINNED,
  PROP_ARCHIVED,
  PROP_UNREAD,
  PROP_TEMPORARY,
  PROP_FOLDER,
  PROP_MODE,
  PROP_EFFORT,
  N_PROPERTIES,
} BeckonConversationProperty;

/** Before it becomes the last one: it follows the one that is, and if others do so too it is one version more. */
void beckon_conversation_join_branch (BeckonConversation *conversation, BeckonMessage *message);

/** Emits the notification of a property. */
void beckon_conversation_notify (BeckonConversation *conversation, BeckonConversationProperty property);

G_END_DECLS
