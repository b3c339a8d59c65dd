/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** `beckonctl policy`: what the rules are, the end of some, and what would be said to a call, without making it. */
int beckon_command_policy (int argc, char **argv);

/** (nullable): what @rules (nullable) (element-type BeckonRule), remembered with an answer, allow from now on, and how to
 *  take it back: a line for a terminal. Caller frees. */
char *beckon_command_policy_describe (GPtrArray *rules);

G_END_DECLS
