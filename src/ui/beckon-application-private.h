/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-application.h"

#include "beckon-notifier.h"
#include "beckon-window.h"
#include "dbus/beckon-questions.h"
#include "dbus/beckon-search-provider.h"

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
  BeckonNotifier *notifier;   /* (owned) (nullable): while the runtime is open */
  gboolean ends;              /* without a window, as soon as the runtime is closed */
  gboolean stays;             /* the person wants the runs to go on without a window */
  gboolean held;              /* for runs without a window */
  GVariant *wanted_card;      /* (nullable): conversation and request whose card is to be shown once there is a window */
  GVariant *wanted_answer;    /* (nullable): given in a notification before the runtime was open */
  guint terminate_ids[3];
};

/** The main window, if there is one. Borrowed. */
BeckonWindow *beckon_application_get_window (BeckonApplication *self);

/** Installs the actions that show something, and the keys of all actions; see beckon-application-actions.c. */
void beckon_application_add_actions (BeckonApplication *self);

G_END_DECLS
