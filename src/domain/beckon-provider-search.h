/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-message.h"
#include "domain/beckon-profile.h"

G_BEGIN_DECLS

/* A provider's own web search: which profiles may have it, and what is in a reply of it. The provider makes the query and sends
 * it; nothing of it goes through Beckon's tools. */

/** The type of the parts that say how often the provider searched. No provider has a block of this name, and none is sent
 * one. */
#define BECKON_SEARCHES_TYPE "beckon_searches"

/** Whether the server is known to have a web search of its own beside our tools, and for Gemini the model, too. */
gboolean beckon_provider_search_is_known (BeckonProfile *profile);

/** Whether @part is a block of the provider's about a search: the query, the results, or the count. */
gboolean beckon_provider_search_is (BeckonPart *part);

/**
 * beckon_provider_search_dup_sentence:
 * @part: a part of any kind
 *
 * Returns: (transfer full) (nullable): what the provider searched for, or that it failed, translated and fit to show; %NULL
 *   where there is nothing to say, as of the results
 */
char *beckon_provider_search_dup_sentence (BeckonPart *part) G_GNUC_WARN_UNUSED_RESULT;

/** How many searches a message has: as many as the provider counted, else as there are in it. */
guint beckon_provider_search_count (BeckonMessage *message);

/** "2 web searches"; %NULL for none. Caller frees. */
char *beckon_provider_search_dup_count (guint n) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
