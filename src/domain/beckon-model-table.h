/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-model-pick.h"

G_BEGIN_DECLS

/** A table that is larger than this is none. */
#define BECKON_MODEL_TABLE_MAX_BYTES (1024 * 1024)

/**
 * beckon_model_table_complete:
 * @name: a model's name, as its server or a gateway to it writes it
 * @details: (inout): what is not known here is filled in
 *
 * Adds what the dated table of models says (`data/models.json`, or the person's own). Any thread.
 */
void beckon_model_table_complete (const char *name, BeckonModelDetails *details);

/**
 * beckon_model_table_takes_temperature:
 * @name: as above
 *
 * Whether a request may have a temperature, as far as the table knows. Today's models of Anthropic and OpenAI refuse requests
 * with one. Any thread.
 */
gboolean beckon_model_table_takes_temperature (const char *name);

/**
 * beckon_model_table_replace:
 * @json: (nullable): another table, in the form of `data/models.json`; %NULL for the one that is built in
 * @length: its length
 * @error: return location
 *
 * To be called before anything asks the table.
 *
 * Returns: %FALSE with %BECKON_ERROR_INVALID and which entry is wrong; the table is as it was
 */
gboolean beckon_model_table_replace (const char *json, gsize length, GError **error);

/** Takes the person's own table if there is one; what is wrong with it is said on standard error. At the start. */
void beckon_model_table_read_own (void);

G_END_DECLS
