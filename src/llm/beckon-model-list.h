/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-model-pick.h"

G_BEGIN_DECLS

/** A server that lists more than this many models is shown this many. */
#define BECKON_MODEL_LIST_MAX 5000

/**
 * beckon_model_list_parse:
 * @kind: what the server speaks
 * @body: what it answered, of any kind
 * @length: how much of it
 * @error: return location
 *
 * Reads the list of a server's models, those that can hold a conversation where the server says so. Pure; any thread.
 *
 * Returns: (transfer full) (element-type BeckonListedModel): the models, their names fit to show, in order and each once; %NULL
 *   with %BECKON_LLM_ERROR_PROTOCOL when it is no such list
 */
GPtrArray *beckon_model_list_parse (BeckonProfileKind kind, const char *body, gsize length,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
