/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "markdown/beckon-markdown-node.h"

G_BEGIN_DECLS

/** About how high a block is where a text has the width it mostly has, in pixels: for what has never been laid out. */
double beckon_block_height_guess (const BeckonMarkdownNode *node);

G_END_DECLS
