/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-effects.h"
#include "beckon-shell-lexer.h"

G_BEGIN_DECLS

/** In place of a folder: a command runs where a `cd` led, and nothing here knows where that is. */
#define BECKON_SHELL_DIRECTORY_UNKNOWN "?"

/**
 * beckon_shell_list_reaches:
 * @effects: what the line would do
 * @segments: (element-type BeckonShellSegment): its commands
 *
 * How far each command reaches, which is as far as the line does, but for the folder in which it runs: behind `cd sub &&` it is
 * another one. Pure; any thread.
 *
 * Returns: (transfer full) (element-type GStrv): for each command its reach, as in #BeckonEffects
 */
GPtrArray *beckon_shell_list_reaches (const BeckonEffects *effects, GPtrArray *segments) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
