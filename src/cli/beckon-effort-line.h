/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "library/beckon-library.h"

G_BEGIN_DECLS

/**
 * beckon_effort_line_take:
 * @library: that has @conversation
 * @conversation: whose effort it is, from the next request on
 * @profile: (nullable): the model that is asked
 * @word: behind /effort: an effort, or empty to be told which it is
 *
 * Returns: (transfer full): what the person is told
 */
char *beckon_effort_line_take (BeckonLibrary *library, BeckonConversation *conversation, BeckonProfile *profile,
                               const char *word) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
