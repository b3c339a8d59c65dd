/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-json-slice.h"
#include "domain/beckon-part.h"

G_BEGIN_DECLS

/** The type of the parts in which citations are kept. No provider has a block of this name, and none is sent one. */
#define BECKON_CITATIONS_TYPE "beckon_citations"

/** Sources of one list that are shown; the rest is dropped. */
#define BECKON_CITATIONS_MAX 50

/**
 * BeckonCitation:
 * @url: an http or https address in plain ASCII, of at most 2,048 bytes, that names no user
 * @title: what the page is called, fit to show; the host where the provider names none
 * @host: where the page is, in ASCII
 *
 * A page that a model names as the source of what it wrote. Title and address are what the provider says they are; nothing is
 * looked up.
 */
typedef struct
{
  char *url;
  char *title;
  char *host;
} BeckonCitation;

/**
 * BeckonCitationSource:
 * @url: a string
 * @title: a string
 *
 * What one citation says, as it stands in JSON; a slice without text is one that is not there.
 */
typedef struct
{
  BeckonJsonSlice url;
  BeckonJsonSlice title;
} BeckonCitationSource;

/**
 * BeckonCitedText:
 * @from: where it begins in the text before the list, in bytes
 * @to: where it ends
 * @citations: a JSON array: the citations as the provider wrote them
 *
 * A passage with its citations. Of an imported conversation it may be anything; @from and @to need not be in the text.
 */
typedef struct
{
  gint64 from;
  gint64 to;
  BeckonJsonSlice citations;
} BeckonCitedText;

typedef gboolean (*BeckonCitedTextFunc) (const BeckonCitedText *cited, gpointer user_data);

/** Whether @part holds the citations of the text before it. */
gboolean beckon_citation_is_list (BeckonPart *part);

/**
 * beckon_citation_list:
 * @part: a part of any kind
 *
 * Returns: (transfer full) (nullable) (element-type BeckonCitation): each source once, in their order, no more than
 *   %BECKON_CITATIONS_MAX; %NULL where there is none that can be shown
 */
GPtrArray *beckon_citation_list (BeckonPart *part) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_citation_foreach_text:
 * @part: a part of any kind
 * @function: called with each passage, in their order, until it returns %FALSE
 * @user_data: for @function
 *
 * Returns: %TRUE if @part is a list of citations that could be read, and @function never returned %FALSE
 */
gboolean beckon_citation_foreach_text (BeckonPart *part, BeckonCitedTextFunc function, gpointer user_data);

/** Reads a citation in any of the forms that providers have: an address alone, or an object with address and title. */
void beckon_citation_read_source (const BeckonJsonSlice *raw, BeckonCitationSource *source);

G_END_DECLS
