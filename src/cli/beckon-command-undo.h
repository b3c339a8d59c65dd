/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** `beckonctl undo [ID]`: puts a file back that a tool call changed, or shows which can be. Returns the exit status. */
int beckon_command_undo (int argc, char **argv);

G_END_DECLS
