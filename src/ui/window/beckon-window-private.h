/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-health-bar.h"
#include "beckon-window.h"
#include "ui/conversation/beckon-conversation-view.h"
#include "ui/sidebar/beckon-sidebar.h"
#include "ui/widgets/beckon-announcer.h"

G_BEGIN_DECLS

struct _BeckonWindow
{
  AdwApplicationWindow parent_instance;

  /* input */
  BeckonSettings *settings; /* (owned): for the window's own state */
  BeckonRuntime *runtime;   /* (owned) (nullable): until it is open */

  /* what is shown */
  BeckonConversation *conversation; /* (owned) (nullable) */
  BeckonConversationView *view;     /* (nullable): made when first needed */
  GCancellable *opening;            /* (owned) (nullable): messages being read */
  gboolean focus_wanted;            /* once they are: the composer gets the focus, the sidebar makes room */
  gboolean card_wanted;             /* once they are: a card that waits gets it */
  char *request_wanted;             /* (nullable): whose card; the first that waits */
  char *message_wanted;             /* (owned) (nullable): once they are: the message to be seen */
  char *words_wanted;               /* (owned) (nullable): and what is marked in it */
  BeckonLink *link_wanted;          /* (owned) (nullable): once there is a runtime: the place to be shown */
  GPtrArray *files_wanted;          /* (owned) (nullable): likewise: the files to be taken */
  int surface_width;                /* as it was last laid out */
  guint width_source;               /* the header is to be fitted to the width */
  gboolean small;                   /* for a question on the way */
  gboolean looking;                 /* the person sees the conversation; see beckon-window-away.c */
  guint leaving_source;             /* the window is no longer active: do they? */
  gboolean quitting;                /* the person was asked, or must not be */

  /* widgets */
  AdwToastOverlay *toasts;
  GListModel *toast_widgets; /* (owned): the overlay's children */
  AdwToast *undo_toast; /* (nullable): a weak pointer */
  AdwFlap *flap;
  BeckonSidebar *sidebar;
  GtkWidget *sidebar_button;
  GtkLabel *title_label;
  BeckonAnnouncer *announcer;
  GtkWidget *temporary_note;
  GtkMenuButton *conversation_menu_button;
  GtkWidget *stop_button;
  GtkWidget *stop_word;
  BeckonHealthBar *health_bar;
  gboolean is_careful; /* until something is shown: nothing is opened by itself */
  GtkStack *pages;
};

/** Shows @conversation once its messages are read. @focus: to write in it, not only to look at it. */
void beckon_window_open_conversation (BeckonWindow *self, BeckonConversation *conversation, gboolean focus);

/** Shows the newest conversation, an empty one, or the first page. */
void beckon_window_show_something (BeckonWindow *self);

/** The profile in use, or shown as in use. Caller frees. */
char *beckon_window_dup_profile_id (BeckonWindow *self);

/** Shows what a search found: the conversation, and in it the message with @words marked. See beckon-window-search.c. */
void beckon_window_show_hit (BeckonWindow *self, const char *conversation_id, const char *message_id, const char *words);

/** Shows the place that was asked for before the runtime was open, if there is one. See beckon-window-links.c. */
void beckon_window_follow_wanted_link (BeckonWindow *self);

/** Takes the files that were opened before the runtime was open. See beckon-window-files.c. */
void beckon_window_take_wanted_files (BeckonWindow *self);

/** Puts title, Stop, menu and the actions' states in step with what is shown. */
void beckon_window_update (BeckonWindow *self);

/** Installs the window's actions; see beckon-window-actions.c. */
void beckon_window_install_actions (GtkWidgetClass *widget_class);

/** Installs the actions of searching; of whole conversations; of runs and of quitting. */
void beckon_window_install_search (GtkWidgetClass *widget_class);
void beckon_window_install_library (GtkWidgetClass *widget_class);
void beckon_window_install_runs (GtkWidgetClass *widget_class);

/** Installs the palette, and the action that leads to a message; see beckon-window-palette.c. */
void beckon_window_install_palette (GtkWidgetClass *widget_class);

/** Installs the way from region to region, and to the composer; see beckon-window-regions.c. */
void beckon_window_install_regions (GtkWidgetClass *widget_class);

/** Says something to who cannot see the window, if it has the focus; see beckon-window-announce.c. */
void beckon_window_say (BeckonWindow *self, const char *words);

/** From now on it says how the runs of the conversation that is shown end, and what the agents ask. */
void beckon_window_listen_to_conversation (BeckonWindow *self);
void beckon_window_listen_to_inbox (BeckonWindow *self);

/** Installs the action that imports conversations; see beckon-window-import.c. */
void beckon_window_install_import (GtkWidgetClass *widget_class);

/** Imports the conversations of @file, with progress, and says what came of it. One that comes alone is shown. */
void beckon_window_import_file (BeckonWindow *self, GFile *file);

/** Installs the action that deletes everything. */
void beckon_window_install_delete_all (GtkWidgetClass *widget_class);

/** Whether another window shows @conversation; whether there is another one at all: nothing ends then when this one goes. */
gboolean beckon_window_is_shown_elsewhere (BeckonWindow *self, BeckonConversation *conversation);
gboolean beckon_window_has_others (BeckonWindow *self);

/** How many runs this process drives. */
guint beckon_window_count_runs (BeckonWindow *self);

/** Installs the actions around what waits for the person; see beckon-window-waiting.c. */
void beckon_window_install_waiting (GtkWidgetClass *widget_class);

/** The page of all that waits is shown instead of a conversation. */
gboolean beckon_window_is_waiting_shown (BeckonWindow *self);

/** Installs the actions of folder, mode and effort, and sets the latter two; see beckon-window-workspace.c. */
void beckon_window_install_place (GtkWidgetClass *widget_class);

/** A new conversation is worked on in the folder that was worked in last, if there is one. */
void beckon_window_take_recent_folder (BeckonWindow *self, BeckonConversation *conversation);
void beckon_window_choose_mode (BeckonWindow *self, const char *word);
void beckon_window_choose_effort (BeckonWindow *self, const char *word);

/** The effort of the conversation that is shown. */
BeckonEffort beckon_window_get_effort (BeckonWindow *self);

/** Once it is realized: whether the sidebar lies above the conversation follows its width. */
void beckon_window_follow_width (BeckonWindow *self);

/** *Stop* has its word where there is room for it. */
void beckon_window_fit_header (BeckonWindow *self);

/** Once: toasts stay off the composer, which is written in meanwhile. See beckon-window-toasts.c. */
void beckon_window_follow_toasts (BeckonWindow *self);

/** Shows @toast, (transfer full), with a button to undo, in place of the one before. @on_undo: for its `button-clicked`. */
void beckon_window_offer_undo (BeckonWindow *self, AdwToast *toast, GCallback on_undo);

/** Installs the action that puts back what a call changed; see beckon-window-undo.c. */
void beckon_window_install_undo (GtkWidgetClass *widget_class);

/** Installs the action that rewinds the folder to a message; see beckon-window-rewind.c. */
void beckon_window_install_rewind (GtkWidgetClass *widget_class);

/**
 * The person sees the conversation from now on, if it is shown and the window is active, and is told what was done meanwhile;
 * does no longer; or still does at this moment. beckon_window_follow_looking(): the window came to be active or ceased to.
 */
void beckon_window_begin_looking (BeckonWindow *self);
void beckon_window_end_looking (BeckonWindow *self);
void beckon_window_note_seen (BeckonWindow *self);
void beckon_window_follow_looking (BeckonWindow *self);

/** Installs the actions on messages; see beckon-window-messages.c. */
void beckon_window_install_messages (GtkWidgetClass *widget_class);

/** Conversations can be dragged out of the list; see beckon-window-drag.c. */
void beckon_window_let_drag (BeckonWindow *self);

/** Installs the actions on queued messages, and connects what the view leaves to them; see beckon-window-queue.c. */
void beckon_window_install_queue (GtkWidgetClass *widget_class);
void beckon_window_connect_queue (BeckonWindow *self);

/** A message of @conversation is stored, or is not for @error; see beckon-window-actions.c. */
void beckon_window_note_sent (BeckonWindow *self, BeckonConversation *conversation, const GError *error);

/** Connects what the view leaves to the agent and the store. */
void beckon_window_connect_view (BeckonWindow *self);

G_END_DECLS
