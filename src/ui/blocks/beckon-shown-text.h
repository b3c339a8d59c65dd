/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-message.h"
#include "markdown/beckon-markdown-parse.h"

G_BEGIN_DECLS

/** Takes a block of text as shown. @text is lent. */
typedef void (*BeckonShownTextFunc) (const char *text, gpointer user_data);

/** Calls @function for each block of text that a row of @message shows, in order; no widget is made for it. */
void beckon_shown_text_foreach (BeckonMessage *message, BeckonShownTextFunc function, gpointer user_data);

/** The same for one block. */
void beckon_shown_text_foreach_in_block (const BeckonMarkdownNode *block, BeckonShownTextFunc function, gpointer user_data);

G_END_DECLS
