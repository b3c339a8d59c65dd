/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-profile.h"

G_BEGIN_DECLS

/** A server that lists more than this many models is shown this many. */
#define BECKON_MODEL_LIST_MAX 5000

/**
 * beckon_model_list_parse:
 * @kind: what the server speaks
 * @body: what it answered, of any kind
 * @length: how much of it
 * @facts: (out) (optional) (transfer full) (element-type utf8 BeckonModelFacts): what is said of each, by name
 * @error: return location
 *
 * Reads the names of a server's models, those that can hold a conversation where the server says so. Pure; any thread.
 *
 * Returns: (transfer full): the names, fit to show, in order and each once; %NULL with %BECKON_LLM_ERROR_PROTOCOL when it is
 *   no such list
 */
char **beckon_model_list_parse (BeckonProfileKind kind, const char *body, gsize length, GHashTable **facts,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
