/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** Lists the copies of the history, or opens one in its place; its exit status. */
int beckon_command_copies (int argc, char **argv);

G_END_DECLS
