/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** `beckonctl provenance`: the log of what was asked, decided and run, as JSON Lines. */
int beckon_command_provenance (int argc, char **argv);

G_END_DECLS
