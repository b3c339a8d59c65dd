/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-markdown-node.h"

G_BEGIN_DECLS

/** For the parser alone, while the node is made: an empty span at the end of its text, lent until the next one. */
BeckonMarkdownSpan *beckon_markdown_node_add_span (BeckonMarkdownNode *node, BeckonMarkdownSpanKind kind);

G_END_DECLS
