/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-reply-decoder.h"

G_BEGIN_DECLS

/**
 * BeckonCitationList:
 *
 * Collects the citations of the text that is being given, until they are given behind it as a part of their own (see
 * beckon-citation.h). What would be too much is dropped.
 */
typedef struct _BeckonCitationList BeckonCitationList;

BeckonCitationList *beckon_citation_list_new (void) G_GNUC_WARN_UNUSED_RESULT;
void                beckon_citation_list_free (BeckonCitationList *list);

/**
 * beckon_citation_list_add:
 * @list: the list
 * @from: where what is cited for begins in the text, in bytes
 * @to: where it ends
 * @raw: (array): citations as JSON, kept as they are because the provider wants them back
 */
void beckon_citation_list_add (BeckonCitationList *list, gsize from, gsize to, const BeckonJsonSlice *raw);

/** The same for what no provider wants back: only addresses and titles are kept, for all of the text. */
void beckon_citation_list_add_sources (BeckonCitationList *list, const BeckonJsonSlice *raw);

/** Gives what was collected, if there is something, and empties @list. */
void beckon_citation_list_give (BeckonCitationList *list, BeckonReplyDecoder *decoder);

/**
 * beckon_citation_list_give_searches:
 * @decoder: who reads the reply
 * @requests: how often the provider counted a search; below 1 it says nothing
 * @queries: (nullable): a JSON array of what it searched for, where nothing else in the reply says so
 */
void beckon_citation_list_give_searches (BeckonReplyDecoder *decoder, gint64 requests, const BeckonJsonSlice *queries);

G_END_DECLS
