/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define BECKON_TYPE_KEY_LABEL (beckon_key_label_get_type ())
G_DECLARE_FINAL_TYPE (BeckonKeyLabel, beckon_key_label, BECKON, KEY_LABEL, GtkWidget)

/**
 * BeckonKeyLabel:
 *
 * What stands on a button: its label, and beside that its key, dimmed, where there is room for it. Screen readers hear the
 * button's own name and shortcut. Properties: `label`, `key`. Made in templates.
 */

void beckon_key_label_set_label (BeckonKeyLabel *self, const char *label);

/** @key: such as "Ctrl+⏎"; %NULL or "" for none. */
void beckon_key_label_set_key (BeckonKeyLabel *self, const char *key);

/** Lets the label wrap: it is as narrow then as its longest word. */
void beckon_key_label_wrap (BeckonKeyLabel *self);

G_END_DECLS
