/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-listed-model.h"

G_BEGIN_DECLS

/**
 * beckon_model_pick:
 * @models: (element-type BeckonListedModel): all that a server has
 * @preferred: patterns in order: "*" stands for any text, "#" for a version such as 5, 4.1 or 4-5. A date, "latest" or
 *   "preview" may follow what a pattern says
 * @now: in seconds since 1970: what retired before is not taken
 *
 * Picks the newest suitable model for an agent: of those that the first pattern fits that fits any. One that paints, speaks,
 * embeds or searches is not suitable, nor is one of which the server says that it calls no tools; a preview is only taken
 * where there is nothing stable. Without patterns the only suitable one there is. Pure; any thread.
 *
 * Returns: (transfer none) (nullable): one of @models, or %NULL: a person has to choose
 */
BeckonListedModel *beckon_model_pick (GPtrArray *models, const char *const *preferred, gint64 now);

G_END_DECLS
