/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-application.h"

#include "beckon-notifier.h"
#include "channels/beckon-channel-watch.h"
#include "channels/beckon-channels.h"
#include "dbus/beckon-questions.h"
#include "dbus/beckon-search-provider.h"
#include "ui/desktop/beckon-global-shortcuts.h"
#include "ui/desktop/beckon-inhibitor.h"
#include "ui/window/beckon-window.h"

G_BEGIN_DECLS

struct _BeckonApplication
{
  AdwApplication parent_instance;

  BeckonSettings *settings; /* (owned) (nullable): from the first window on */
  BeckonRuntime *runtime;   /* (owned) (nullable): from the first frame on */
  gboolean open;            /* the runtime is open */
  gboolean closing;
  gboolean again; /* activated while the runtime was being closed */
  GCancellable *opening;
  BeckonQuestions *questions; /* (owned) (nullable): while there is a bus */
  BeckonSearchProvider *search; /* (owned) (nullable): while there is a bus */
  BeckonInhibitor *inhibitor; /* (owned) (nullable): while the runtime is open */
  BeckonNotifier *notifier;   /* (owned) (nullable): while the runtime is open */
  BeckonChannels *channels;   /* (owned) (nullable): while the runtime is open */
  BeckonChannelWatch *watch;  /* (owned) (nullable): likewise */
  BeckonGlobalShortcuts *shortcuts; /* (owned) (nullable): while the runtime is open */
  GtkWidget *preferences;     /* (nullable): borrowed, while they are shown */
  GtkWidget *keys;            /* (nullable): borrowed, watched: the keyboard shortcuts, while they are shown */
  char *startup_id;           /* (nullable): lets the next window take the focus */
  char *asked;                /* (nullable): from the command line: what to begin with in a small window */
  gboolean ends;              /* without a window, as soon as the runtime is closed */
  gboolean stays;             /* the person wants the runs to go on without a window */
  gboolean held;              /* for runs without a window */
  gboolean is_covered;        /* a sheet is over the active window */
  GVariant *wanted_card;      /* (nullable): conversation and request whose card is to be shown once there is a window */
  GVariant *wanted_answer;    /* (nullable): given in a notification before the runtime was open */
  guint terminate_ids[3];
  guint settling; /* until the window is as it stays */
};

/** The main window that was used last, if there is one. Borrowed. */
BeckonWindow *beckon_application_get_window (BeckonApplication *self);

/** All main windows, the one used last first; (element-type BeckonWindow) (transfer full). */
GPtrArray *beckon_application_list_windows (BeckonApplication *self) G_GNUC_WARN_UNUSED_RESULT;

/** Shows another window; it is filled as soon as the runtime is open. Borrowed. See beckon-application-windows.c. */
BeckonWindow *beckon_application_add_window (BeckonApplication *self, gboolean small);

/** Shows a small window with an empty conversation and @text in its composer. Nothing is sent before the person does it. */
void beckon_application_ask (BeckonApplication *self, const char *text);

/** Takes files: a history is offered to be imported, anything else is attached to a new conversation. */
void beckon_application_open_file (BeckonApplication *self, GFile *file);

/** Follows the setting of the key that opens the small window from anywhere; see beckon-application-shortcut.c. */
void beckon_application_start_shortcut (BeckonApplication *self);

/** Serves the text channels, and ends that; see beckon-application-channels.c. */
void beckon_application_start_channels (BeckonApplication *self);
void beckon_application_stop_channels (BeckonApplication *self);

/** Installs the action that opens a copy of the history; see beckon-application-copies.c. */
void beckon_application_add_copy_action (BeckonApplication *self);

/** The command line; see beckon-application-options.c. */
void     beckon_application_add_options (BeckonApplication *self);
gboolean beckon_application_take_options (BeckonApplication *self, char ***arguments);
int      beckon_application_handle_options (BeckonApplication *self, GVariantDict *options);

/** Closes all windows without a question, and ends the program if there is none. */
void beckon_application_close_windows (BeckonApplication *self);

/** Installs the actions about whole windows. */
void beckon_application_add_window_actions (BeckonApplication *self);

/** Opens the runtime, or gives the one that is open to windows that have none. */
void beckon_application_open_runtime (BeckonApplication *self);

/** Stays for runs without a window, or not. */
void beckon_application_update_hold (BeckonApplication *self);

/** Lets go of what agents still do, and ends. */
void beckon_application_end_without_window (BeckonApplication *self);

/** Installs the actions that show something, and the keys of all actions; see beckon-application-actions.c. */
void beckon_application_add_actions (BeckonApplication *self);

G_END_DECLS
