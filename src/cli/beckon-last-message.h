/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-conversation.h"

G_BEGIN_DECLS

/** Returns the text of the last message of the last turn that has any; "" if none has. Caller frees. */
char *beckon_last_message_dup (BeckonConversation *conversation) G_GNUC_WARN_UNUSED_RESULT;

/** Whether @path can be written; a file that isn't there is made, and one that is stays as it is. */
gboolean beckon_last_message_check_file (const char *path, GError **error);

/** Replaces what is in @path with beckon_last_message_dup() and the end of a line. @conversation: (nullable): none is "". */
gboolean beckon_last_message_write (BeckonConversation *conversation, const char *path, GError **error);

G_END_DECLS
