/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-message.h"

G_BEGIN_DECLS

/**
 * beckon_opaque_is_from:
 * @part: a part of any kind
 * @origin: a protocol
 *
 * Returns: %TRUE when it is a whole block that @origin made and may get back; %FALSE for what we noted of its reply ourselves
 */
gboolean beckon_opaque_is_from (BeckonPart *part, const char *origin);

/**
 * beckon_opaque_dup_unsupported:
 * @part: a part of any kind
 *
 * What the provider did or said that cannot be shown, such as a search of its own: the name it has for it, untrusted.
 * The seals of reasoning are nothing that would be missed, and have none.
 *
 * Returns: (transfer full) (nullable): a name; %NULL when nothing is missing
 */
char *beckon_opaque_dup_unsupported (BeckonPart *part) G_GNUC_WARN_UNUSED_RESULT;

/** The same as a sentence that is fit to show, or what the provider searched the web for; %NULL for neither. Caller frees. */
char *beckon_opaque_dup_sentence (BeckonPart *part) G_GNUC_WARN_UNUSED_RESULT;

/** Whether it is a thinking block that Anthropic sealed. It may be bound to all that stood before it. */
gboolean beckon_opaque_is_thinking (BeckonPart *part);

/**
 * beckon_opaque_is_bound_to_search:
 * @message: a message
 * @place: of one of its parts
 *
 * Whether the part means something only to the provider that searched the web for it: the search, what was found, the
 * citations, and the reasoning that led to it, which OpenAI refuses without it.
 */
gboolean beckon_opaque_is_bound_to_search (BeckonMessage *message, guint place);

G_END_DECLS
