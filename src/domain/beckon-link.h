/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** The scheme of every link, without its colon. */
#define BECKON_LINK_SCHEME "beckon"

/**
 * BeckonLinkKind:
 * @BECKON_LINK_CONVERSATION: `beckon://conversation/ID` or `beckon://conversation/ID/MESSAGE`: shows it
 * @BECKON_LINK_NEW: `beckon://new` or `beckon://new?text=…`: an empty conversation, with the text in the composer
 * @BECKON_LINK_SEARCH: `beckon://search?text=…`: the search, with the words in it
 */
typedef enum
{
  BECKON_LINK_CONVERSATION,
  BECKON_LINK_NEW,
  BECKON_LINK_SEARCH,
} BeckonLinkKind;

/**
 * BeckonLink:
 * @kind: what it leads to
 * @conversation_id: (owned) (nullable): for a conversation
 * @message_id: (owned) (nullable): the message in it that is to be seen
 * @text: (owned) (nullable): what is written into the composer or searched for, or marked in the message
 *
 * A place in the window. It comes from anywhere, a web page too, so following one shows something and does nothing else:
 * no message is sent and no request is answered by it.
 */
typedef struct
{
  BeckonLinkKind kind;
  char *conversation_id;
  char *message_id;
  char *text;
} BeckonLink;

/** @conversation_id, @message_id, @text: (nullable). Caller owns. */
BeckonLink *beckon_link_new (BeckonLinkKind kind, const char *conversation_id, const char *message_id,
                             const char *text) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_link_parse:
 * @uri: what a person or a program gave
 * @error: return location
 *
 * Reads a link strictly: at most 16 KiB, an id of letters, digits and hyphens, valid UTF-8 without control characters but
 * tab and newline, no part that is not named above. Any thread.
 *
 * Returns: (transfer full): the link, or %NULL with %BECKON_ERROR_INVALID, fit to show
 */
BeckonLink *beckon_link_parse (const char *uri, GError **error) G_GNUC_WARN_UNUSED_RESULT;

BeckonLink *beckon_link_copy (const BeckonLink *link) G_GNUC_WARN_UNUSED_RESULT;
void        beckon_link_free (BeckonLink *link);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonLink, beckon_link_free)

G_END_DECLS
