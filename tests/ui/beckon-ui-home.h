/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-ui-fixture.h"

#include "runtime/beckon-runtime.h"
#include "ui/window/beckon-window.h"

G_BEGIN_DECLS

/** A runtime in a folder of its own, opened, and if it was asked for a window on it. */
typedef struct
{
  char *folder;
  BeckonRuntime *runtime;
  BeckonSettings *settings; /* (nullable): the window's */
  GtkWidget *window;        /* (nullable) */
} UiHome;

void ui_home_open (UiHome *home);

/** Shows a window on it. */
void ui_home_show_window (UiHome *home);

/** Destroys the window, closes the runtime, and takes the folder away. */
void ui_home_close (UiHome *home);

void ui_home_set_up (UiHome *home, gconstpointer data);
void ui_home_tear_down (UiHome *home, gconstpointer data);

/** Adds a test with a home that is open. */
#define ui_home_test_add(path, function) g_test_add (path, UiHome, NULL, ui_home_set_up, function, ui_home_tear_down)

/** Destroys a window or a sheet and fails if something still holds it. */
void ui_destroy (GtkWidget *window);

/**
 * Stores a conversation whose messages are @n_pairs times @asked and @said, last written to at @at, and returns once the
 * library has it. Borrowed.
 */
BeckonConversation *ui_home_add (UiHome *home, const char *title, gint64 at, guint n_pairs, const char *asked,
                                 const char *said);

G_END_DECLS
