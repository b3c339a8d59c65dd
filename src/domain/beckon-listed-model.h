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

G_END_DECLS
