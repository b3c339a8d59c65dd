/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-library.h"

G_BEGIN_DECLS

/** The place of the first message that may still change, or of the next one if none can. */
gint64 beckon_library_find_open_seq (BeckonConversation *conversation);

/** Brings the end of a conversation up to what was read: (element-type BeckonMessage). What only grows is added to, what
 *  is already so stays untouched, so that views keep their rows. */
void beckon_library_merge_messages (BeckonConversation *conversation, GPtrArray *messages);

G_END_DECLS
