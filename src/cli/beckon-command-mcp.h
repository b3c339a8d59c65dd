/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** `beckonctl mcp`: servers of tools. */
int beckon_command_mcp (int argc, char **argv);

G_END_DECLS
