/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-tool-call.h"

G_BEGIN_DECLS

/**
 * beckon_unasked_list:
 * @call: a call that is over
 *
 * Lists what came up about a server of tools while @call ran, which a person would have decided or filled in, and which ended
 * because there was no person to ask. For programs without one.
 *
 * Returns: (transfer full) (array zero-terminated=1): for each the question and why it was not answered, translated, safe to
 *   print in a terminal; free with g_strfreev()
 */
char **beckon_unasked_list (BeckonToolCall *call) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
