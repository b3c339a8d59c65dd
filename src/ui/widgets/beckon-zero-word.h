/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/** Shows a word for 0 in a spin button, such as "Never", which can be typed as well. @word is copied. */
void beckon_zero_word_apply (GtkSpinButton *spin, const char *word);

G_END_DECLS
