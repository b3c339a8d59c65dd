/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** `beckonctl policy test`: what would be said to a call, without making it. */
int beckon_command_policy (int argc, char **argv);

G_END_DECLS
