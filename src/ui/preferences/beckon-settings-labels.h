/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/**
 * beckon_settings_bind_words:
 * @settings: the settings
 * @key: a key whose value is a word
 * @row: a row whose choices stand in the order of @words
 * @words: (array zero-terminated=1): static
 *
 * Binds a choice to a key, both ways. A word that is not known leaves the row as it is.
 */
void beckon_settings_bind_words (GSettings *settings, const char *key, AdwComboRow *row, const char *const *words);

/** Binds each switch, spin button and text below @widget that is named after a key to it, both ways, if the schema has it. */
void beckon_settings_bind_named (GSettings *settings, GtkWidget *widget);

G_END_DECLS
