/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** The command `debug`, whose own command is `decode`. */
int beckon_debug_run (int argc, char **argv);

G_END_DECLS
