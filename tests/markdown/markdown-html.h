/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "markdown/beckon-markdown-parse.h"

G_BEGIN_DECLS

/** @blocks (element-type BeckonMarkdownNode) as the HTML that CommonMark's examples are written in. Caller frees. */
char *markdown_to_html (GPtrArray *blocks) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
