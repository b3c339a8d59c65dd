/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_echo_set_hidden:
 * @hidden: whether what is typed is to be kept off the screen
 *
 * Does nothing where the input is no terminal. The echo comes back when the program ends.
 *
 * Returns: whether it is hidden now
 */
gboolean beckon_echo_set_hidden (gboolean hidden);

G_END_DECLS
