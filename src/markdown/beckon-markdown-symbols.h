/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** Returns a LaTeX command's symbol; (nullable). */
const char *beckon_markdown_symbols_look_up (const char *name);

/** The combining character of an accent such as "hat"; 0 if it is none. */
gunichar beckon_markdown_symbols_get_accent (const char *name);

/** The raised or lowered form of a character; 0 if there is none. */
gunichar beckon_markdown_symbols_get_small (gunichar letter, gboolean is_raised);

/** A letter in "mathbb" or "mathcal"; itself if there is no such form. */
gunichar beckon_markdown_symbols_get_styled (gunichar letter, const char *style);

G_END_DECLS
