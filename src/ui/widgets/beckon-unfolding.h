/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/** The signal of a widget that scrolls by itself, with one argument: the GtkWidget within it that is being unfolded. */
#define BECKON_UNFOLDING_SIGNAL "unfolding"

/**
 * beckon_unfolding_tell:
 * @toggle: (transfer none): the button with which a person unfolds what is below it
 *
 * Tells the nearest ancestor that has the signal, before the next layout: a view that follows its end must not push the button
 * off the screen with what it unfolded. Without such an ancestor nothing happens.
 */
void beckon_unfolding_tell (GtkWidget *toggle);

G_END_DECLS
