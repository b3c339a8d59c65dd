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
  gboolean looking;                 /* the person sees the conversation; beckon_window_end_looking() ends it */
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

static inline BeckonLibrary *
window_get_library (BeckonWindow *self)
{
  return beckon_runtime_get_library (self->runtime);
}

static inline BeckonAgent *
window_get_agent (BeckonWindow *self)
{
  return beckon_runtime_get_agent (self->runtime);
}

/* --- The window: beckon-window.c ------------------------------------------------------------------------------------ */

/** Shows @conversation once its messages are read. @focus: to write in it, not only to look at it. */
void beckon_window_open_conversation (BeckonWindow *self, BeckonConversation *conversation, gboolean focus);

/** The title of @conversation for one line, of at most so many characters; *New conversation* without one. Caller frees. */
char *beckon_window_dup_title (BeckonConversation *conversation, gsize most_chars);

/** In a toast or an alert. */
#define BECKON_WINDOW_TITLE_CHARS 40

/** The profile in use, or shown as in use. Caller frees. */
char *beckon_window_dup_profile_id (BeckonWindow *self);

/** Puts title, Stop, menu and the actions' states in step with what is shown. */
void beckon_window_update (BeckonWindow *self);

/** Says something to who cannot see the window, if it has the focus. */
void beckon_window_say (BeckonWindow *self, const char *words);

/** Shows @toast, (transfer full), with a button to undo, in place of the one before. @on_undo: for its `button-clicked`. */
void beckon_window_offer_undo (BeckonWindow *self, AdwToast *toast, GCallback on_undo);

/** The person sees the conversation no longer; that is stored. */
void beckon_window_end_looking (BeckonWindow *self);

/* --- What a person does in a conversation: beckon-window-actions.c -------------------------------------------------- */

void beckon_window_install_actions (GtkWidgetClass *widget_class);

/** Connects what the view leaves to the agent and the store. */
void beckon_window_connect_view (BeckonWindow *self);

/** The page of all that waits is shown instead of a conversation. */
gboolean beckon_window_is_waiting_shown (BeckonWindow *self);

/** A new conversation is worked on in the folder that was worked in last, if there is one. */
void beckon_window_take_recent_folder (BeckonWindow *self, BeckonConversation *conversation);

/* --- What runs, and what it changed: beckon-window-runs.c ----------------------------------------------------------- */

void beckon_window_install_runs (GtkWidgetClass *widget_class);

/** How many runs this process drives. */
guint beckon_window_count_runs (BeckonWindow *self);

/* --- Whole conversations: beckon-window-library.c ------------------------------------------------------------------- */

void beckon_window_install_library (GtkWidgetClass *widget_class);

/** Shows what a search found: the conversation, and in it the message with @words marked. */
void beckon_window_show_hit (BeckonWindow *self, const char *conversation_id, const char *message_id, const char *words);

/** Show the place, and take the files, that were asked for before the runtime was open. */
void beckon_window_follow_wanted_link (BeckonWindow *self);
void beckon_window_take_wanted_files (BeckonWindow *self);

G_END_DECLS
