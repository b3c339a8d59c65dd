/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define BECKON_TYPE_SPELLER (beckon_speller_get_type ())
G_DECLARE_FINAL_TYPE (BeckonSpeller, beckon_speller, BECKON, SPELLER, GObject)

/**
 * BeckonSpeller:
 *
 * Underlines words in a text view that are in no dictionary, a moment after they were typed, and offers others in its menu.
 * What is no prose is left alone: paths, addresses, names of code. Off until it is enabled; off where there is no dictionary.
 * Main thread.
 */
BeckonSpeller *beckon_speller_new (GtkTextView *view) G_GNUC_WARN_UNUSED_RESULT;

/** The dictionary is loaded with the first text that there is to check. */
void beckon_speller_set_enabled (BeckonSpeller *speller, gboolean enabled);

G_END_DECLS
