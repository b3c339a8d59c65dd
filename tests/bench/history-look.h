/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "runtime/beckon-runtime.h"
#include "ui/window/beckon-window-private.h"

/* The real window on a store, as calls that wait. What fails ends the program. */

BeckonRuntime *history_look_open_runtime (const char *folder);

/** A window of 1000 by 700 that has been at rest for a while. */
BeckonWindow *history_look_show (BeckonRuntime *runtime);

/** The conversation of this title. Borrowed. */
BeckonConversation *history_look_find (BeckonRuntime *runtime, const char *title);

/** Returns the milliseconds from the choice to the first picture that has the conversation's messages. */
double history_look_open (BeckonWindow *window, BeckonConversation *conversation);

/** Returns the process's private memory. */
double history_look_get_private_mb (void);
