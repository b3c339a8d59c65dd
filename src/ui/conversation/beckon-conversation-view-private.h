/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-beginning.h"
#include "beckon-conversation-view.h"
#include "ui/composer/beckon-composer.h"
#include "ui/transcript/beckon-find-bar.h"
#include "ui/transcript/beckon-finder.h"
#include "ui/transcript/beckon-selection-bar.h"
#include "ui/transcript/beckon-transcript.h"

G_BEGIN_DECLS

struct _BeckonConversationView
{
  AdwBin parent_instance;

  BeckonInbox *inbox;               /* (owned) */
  BeckonConversation *conversation; /* (owned) (nullable) */
  BeckonFinder *finder;             /* (owned): what is marked in the transcript */
  GtkWidget *focus_before_find;     /* (nullable): a weak pointer */

  BeckonFindBar *find_bar;
  BeckonTranscript *transcript;
  BeckonBeginning *beginning; /* shown where no message is */
  GtkRevealer *jump_revealer;
  BeckonDock *dock;
  BeckonComposer *composer;
  GtkLabel *error_label;
  GtkLabel *jump_label;
  GtkWidget *jump_button;
  BeckonSelectionBar *selection_bar;
  guint held_key; /* the Enter that was pressed last */
  GtkWidget *held_focus; /* (nullable): a weak pointer: where that was */
  gboolean is_held;
  guint secret_source; /* what was typed goes to a masked entry */
  char *edited_id; /* (owned) (nullable): the message that is being written anew */
  GHashTable *sending; /* (owned) (element-type BeckonConversation BeckonSending): until beckon_conversation_view_sent() */
};

/** A message that left the composer and is not stored yet. */
typedef struct
{
  gboolean is_edit; /* of an earlier message, beside the draft */
  char *ahead;      /* (owned) (nullable): typed since, while the conversation is not shown */
} BeckonSending;

/** The composer is locked until the message of the conversation that is shown is stored. */
void beckon_conversation_view_begin_sending (BeckonConversationView *self, gboolean is_edit);

/** The conversation that is shown is left, or came. */
void beckon_conversation_view_pause_sending (BeckonConversationView *self);
void beckon_conversation_view_resume_sending (BeckonConversationView *self);

/** Shows what went wrong above the composer. @message: (nullable) */
void beckon_conversation_view_show_error (BeckonConversationView *self, const char *message);

/** Says what Enter will do now. */
void beckon_conversation_view_update_hint (BeckonConversationView *self);

/** Binds what the template says about the composer; see beckon-conversation-view-compose.c. */
void beckon_conversation_view_bind_compose (GtkWidgetClass *widget_class);

/** Binds what the template says about messages; see beckon-conversation-view-messages.c. */
void beckon_conversation_view_bind_messages (GtkWidgetClass *widget_class);

/** The keys of a decision, wherever in the conversation the focus is; see beckon-conversation-view-keys.c. */
void beckon_conversation_view_add_keys (BeckonConversationView *self);

G_END_DECLS
