/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-json-reader.h"

G_BEGIN_DECLS

typedef void (*BeckonChatPartFunc) (gboolean is_reasoning, const BeckonJsonSlice *text, gpointer user_data);

/**
 * beckon_chat_parts_read:
 * @parts: raw JSON of a `content` member that is a list, checked
 * @function: called for each text in it, in order
 * @user_data: for @function
 *
 * Reads content that comes as typed parts: texts, and thinking, which may be a list itself. Parts of other kinds are
 * not for us.
 */
void beckon_chat_parts_read (const BeckonJsonSlice *parts, BeckonChatPartFunc function, gpointer user_data);

G_END_DECLS
