/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "llm/beckon-codec.h"

G_BEGIN_DECLS

/**
 * beckon_llm_address_new:
 * @base_url: as a person entered it: may end in a slash, may lack the version, may be the whole address already, and
 *   may have a query that belongs to every request
 * @codec: what is spoken there
 * @model: the model's name
 * @error: return location
 *
 * Returns: (transfer full): where requests go; %NULL with %BECKON_LLM_ERROR_NOT_FOUND when @base_url is no web address
 */
GUri *beckon_llm_address_new (const char *base_url, const BeckonCodec *codec, const char *model,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_llm_address_get_key_header:
 * @uri: where a request goes
 * @codec: what is spoken there
 * @key: (nullable): what goes along; Azure takes a token of its directory where others take their key
 * @prefix: (out): what stands before the key
 *
 * Returns: the header that the key goes in; static
 */
const char *beckon_llm_address_get_key_header (GUri *uri, const BeckonCodec *codec, const char *key,
                                               const char **prefix);

G_END_DECLS
