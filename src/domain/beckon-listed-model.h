/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-profile.h"

G_BEGIN_DECLS

/**
 * BeckonModelDetails:
 * @facts: what a profile keeps of it
 * @created: when it came out, in seconds since 1970; 0 if the server does not say
 * @retires: when it goes, in seconds since 1970; 0 if the server does not say
 * @tools: 1 if it calls tools, 0 if it does not, -1 if the server does not say
 * @prices: for a million tokens in US dollars; below 0 where the server does not say
 * @efforts: how hard it can be told to think, as the server writes the words, with a space between; "" if it does not say
 *
 * All that a server's list says of a model.
 */
typedef struct
{
  BeckonModelFacts facts;
  gint64 created;
  gint64 retires;
  int tools;
  double prices[BECKON_N_PRICES];
  const char *efforts;
} BeckonModelDetails;

#define BECKON_MODEL_DETAILS_INIT { BECKON_MODEL_FACTS_INIT, 0, 0, -1, { -1, -1, -1 }, "" }

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

/** Of an array of them, the one of a name; %NULL if there is none. Borrowed. */
BeckonListedModel *beckon_listed_model_find (GPtrArray *models, const char *name);

G_END_DECLS
