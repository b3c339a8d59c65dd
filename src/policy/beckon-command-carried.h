/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-shell-segment.h"

G_BEGIN_DECLS

/**
 * beckon_command_list_carried:
 * @segment: a command
 * @is_hidden: (out): whether it may run what cannot be read here
 *
 * What a command may run out of its own arguments: `rm x` of `env rm x`, of `find -exec rm x` and of `sh -c "rm x"`, and
 * whatever else could begin there; a prohibition is about those too. Only for programs that are known to run others.
 * Pure; any thread.
 *
 * Returns: (transfer full) (element-type BeckonShellSegment): the commands, in no order; often none
 */
GPtrArray *beckon_command_list_carried (const BeckonShellSegment *segment, gboolean *is_hidden) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
