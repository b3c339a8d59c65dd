/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-link.h"
#include "runtime/beckon-runtime.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define BECKON_TYPE_WINDOW (beckon_window_get_type ())
G_DECLARE_FINAL_TYPE (BeckonWindow, beckon_window, BECKON, WINDOW, AdwApplicationWindow)

/**
 * BeckonWindow:
 *
 * The window: the list of conversations, the one that is shown, its actions. It is on screen before there is anything to
 * show, and is filled when the runtime is open.
 */

/** @settings: for its size. */
GtkWidget *beckon_window_new (GtkApplication *application, BeckonSettings *settings) G_GNUC_WARN_UNUSED_RESULT;

/** For a question on the way: it is small, without the sidebar, and its size is not remembered. Before it is shown. */
void beckon_window_make_small (BeckonWindow *self);

/** Says that earlier starts were broken off, and opens nothing that is there by itself. Before the runtime is set. */
void beckon_window_begin_carefully (BeckonWindow *self);

/** Fills the window with the lists of a runtime that is open, or `usable`; shows the newest conversation, or the first page. */
void beckon_window_set_runtime (BeckonWindow *self, BeckonRuntime *runtime);

/** Whether it was filled. */
gboolean beckon_window_has_runtime (BeckonWindow *self);

/** Shows why there is nothing to show, and offers the last copy of @store. */
void beckon_window_show_failure (BeckonWindow *self, BeckonStore *store, const GError *error);

/** Shows an empty conversation; one that is empty already is used again. */
void beckon_window_new_conversation (BeckonWindow *self);

/** Shows a place, now or as soon as there is a runtime; the last one asked for counts. Nothing is sent by it. */
void beckon_window_follow_link (BeckonWindow *self, const BeckonLink *link);

/** Takes a file, now or as soon as there is a runtime: a history is offered to be imported, anything else is attached to a new
 *  conversation. Nothing is sent by it. */
void beckon_window_take_file (BeckonWindow *self, GFile *file);

/** Closes it without a question, whatever is under way: the session ends, or somebody decided. */
void beckon_window_close_now (BeckonWindow *self);

/** Asks the person if ending the program would cut something off. %FALSE: nothing is lost, end it. */
gboolean beckon_window_ask_before_quitting (BeckonWindow *self);

/** (nullable): the id of the conversation that a person looks at in it, while it is active. Borrowed. It is another one at
 *  `notify::is-active` and at the window's signal `looking-changed`. */
const char *beckon_window_get_looked_at (BeckonWindow *self);

/** A short message that goes by itself. */
void beckon_window_toast (BeckonWindow *self, const char *message);

G_END_DECLS
