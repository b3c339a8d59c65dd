/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonMarkdownDefinitions:
 *
 * The link definitions of a text ("[label]: address"), of which the first one of each label holds. A piece of the text
 * is parsed behind those that it may use, so that it means the same as within the whole.
 */
typedef struct _BeckonMarkdownDefinitions BeckonMarkdownDefinitions;

BeckonMarkdownDefinitions *beckon_markdown_definitions_new (void) G_GNUC_WARN_UNUSED_RESULT;
void                       beckon_markdown_definitions_free (BeckonMarkdownDefinitions *definitions);

/** How many there are; they never become fewer. */
guint beckon_markdown_definitions_get_n (BeckonMarkdownDefinitions *definitions);

/** Takes those that @text, a piece that can be parsed by itself, has. */
void beckon_markdown_definitions_learn (BeckonMarkdownDefinitions *definitions, const char *text, gsize length);

/**
 * beckon_markdown_definitions_select:
 * @definitions: the definitions
 * @text: a piece of the text
 * @length: its bytes
 * @since: only if one of them is at least the @since-th
 *
 * Returns: (transfer full) (nullable): the definitions that @text may use, as Markdown of their own, %NULL if there are
 * none
 */
GString *beckon_markdown_definitions_select (BeckonMarkdownDefinitions *definitions, const char *text, gsize length,
                                             guint since) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonMarkdownDefinitions, beckon_markdown_definitions_free)

G_END_DECLS
