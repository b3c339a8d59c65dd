/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * beckon_argument_names_translate:
 * @description: (nullable): of an argument, as its schema has it
 *
 * What a person reads beside an argument of a built-in tool, whose schema was written for a model.
 *
 * Returns: (nullable): a translated sentence; %NULL where there is nothing to say; @description itself if it is not known.
 *   Borrowed
 */
const char *beckon_argument_names_translate (const char *description);

G_END_DECLS
