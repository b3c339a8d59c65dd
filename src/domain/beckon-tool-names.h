/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "domain/beckon-tool-definition.h"

G_BEGIN_DECLS

/** How a result begins that says what is wrong with the arguments of a call. */
#define BECKON_TOOL_NAMES_UNFIT "The arguments do not fit the schema of the tool:"

/**
 * beckon_tool_names_find_meant:
 * @tools: (element-type BeckonToolDefinition): what a model was told
 * @name: what it calls
 *
 * Returns: (nullable): the tool that @name can only mean: by that name, or by it in another case, without its underscores
 *   ("ReadFile") or behind a prefix such as "functions." or "default_api:"; borrowed
 */
const BeckonToolDefinition *beckon_tool_names_find_meant (GPtrArray *tools, const char *name);

/**
 * beckon_tool_names_refuse:
 * @tools: (element-type BeckonToolDefinition): what a model was told
 * @name: what it calls, which is none of them
 *
 * Returns: (transfer full): for the model: that there is no such tool, which one may be meant, and which there are
 */
char *beckon_tool_names_refuse (GPtrArray *tools, const char *name) G_GNUC_WARN_UNUSED_RESULT;

/** @result: (nullable): of a call; whether it is from beckon_tool_names_refuse() */
gboolean beckon_tool_names_is_refusal (const char *result);

G_END_DECLS
