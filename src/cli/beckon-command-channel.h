/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** `beckonctl channel`: accounts of text channels. */
int beckon_command_channel (int argc, char **argv);

G_END_DECLS
