/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "library/beckon-library.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define BECKON_TYPE_CONVERSATION_CONTENT (beckon_conversation_content_get_type ())
G_DECLARE_FINAL_TYPE (BeckonConversationContent, beckon_conversation_content, BECKON, CONVERSATION_CONTENT, GdkContentProvider)

/**
 * BeckonConversationContent:
 *
 * A conversation as something that is dragged away: Markdown for a text, and a file with it for a file manager, unless the
 * conversation is a temporary one. It is read, and the file written, when somebody wants it. The file lies in a folder of this
 * user's session, and goes with the next one that is dragged, or beckon_conversation_content_clean_up().
 */
GdkContentProvider *beckon_conversation_content_new (BeckonLibrary *library,
                                                     BeckonConversation *conversation) G_GNUC_WARN_UNUSED_RESULT;

/** Files that were dragged before are not needed any more. Short, and blocking. */
void beckon_conversation_content_clean_up (void);

G_END_DECLS
