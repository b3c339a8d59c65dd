/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-profile.h"

G_BEGIN_DECLS

/**
 * BeckonModelDetails:
 * @facts: what a profile keeps of it; its prices are for a million tokens in US dollars
 * @created: when it came out, in seconds since 1970; 0 if the server does not say
 * @retires: when it goes, in seconds since 1970; 0 if the server does not say
 * @tools: 1 if it calls tools, 0 if it does not, -1 if the server does not say
 *
 * All that a server's list says of a model.
 */
typedef struct
{
  BeckonModelFacts facts;
  gint64 created;
  gint64 retires;
  int tools;
} BeckonModelDetails;

#define BECKON_MODEL_DETAILS_INIT { BECKON_MODEL_FACTS_INIT, 0, 0, -1 }

#define BECKON_TYPE_LISTED_MODEL (beckon_listed_model_get_type ())
G_DECLARE_FINAL_TYPE (BeckonListedModel, beckon_listed_model, BECKON, LISTED_MODEL, GObject)

/**
 * BeckonListedModel:
 *
 * A model as its server lists it; nothing of it changes. Any thread. Readable property: `name`.
 */
BeckonListedModel *beckon_listed_model_new (const char *name,
                                            const BeckonModelDetails *details) G_GNUC_WARN_UNUSED_RESULT;

const char               *beckon_listed_model_get_name (BeckonListedModel *model);
const BeckonModelDetails *beckon_listed_model_get_details (BeckonListedModel *model);

/** Finds a model by name in an array; %NULL if there is none. Borrowed. */
BeckonListedModel *beckon_listed_model_find (GPtrArray *models, const char *name);

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
