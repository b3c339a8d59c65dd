/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-json-reader.h"

G_BEGIN_DECLS

/**
 * BeckonChatDetails:
 *
 * Reasoning as gateways hand it on: a list of blocks, some sealed, that come in pieces and have to go back in the same
 * order and with the same bytes. Pure.
 */
typedef struct _BeckonChatDetails BeckonChatDetails;

BeckonChatDetails *beckon_chat_details_new (void) G_GNUC_WARN_UNUSED_RESULT;
void               beckon_chat_details_free (BeckonChatDetails *details);

/** Adds what a delta has; @list is raw JSON of a `reasoning_details` member, checked. */
void beckon_chat_details_feed (BeckonChatDetails *details, const BeckonJsonSlice *list);

/**
 * beckon_chat_details_dup_block:
 * @details: what came
 *
 * Returns: (transfer full) (nullable): `{"type":"reasoning_details","reasoning_details":[…]}`; %NULL when there is
 *   nothing, or more than can be kept whole
 */
char *beckon_chat_details_dup_block (BeckonChatDetails *details) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonChatDetails, beckon_chat_details_free)

G_END_DECLS
