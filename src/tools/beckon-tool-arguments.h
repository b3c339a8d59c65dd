/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-json-schema.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/**
 * BeckonToolArguments:
 *
 * The arguments of a call, read and checked by the tool's schema once. Never changed once made; any thread.
 */
typedef struct _BeckonToolArguments BeckonToolArguments;

/**
 * beckon_tool_arguments_new:
 * @schema: what the tool gave the model
 * @text: the arguments, as JSON text
 *
 * Returns: (transfer full): them; also where they are no JSON, or do not fit
 */
BeckonToolArguments *beckon_tool_arguments_new (BeckonJsonSchema *schema, const char *text) G_GNUC_WARN_UNUSED_RESULT;
BeckonToolArguments *beckon_tool_arguments_ref (BeckonToolArguments *self);
void                 beckon_tool_arguments_unref (BeckonToolArguments *self);

/** Whether they fit the schema; %FALSE with %BECKON_ERROR_INVALID, English, for the model. */
gboolean beckon_tool_arguments_check (const BeckonToolArguments *self, GError **error);

const char *beckon_tool_arguments_get_text (const BeckonToolArguments *self);

/** (nullable): their exact tree; %NULL where they are no JSON. Borrowed. */
const BeckonJsonValue *beckon_tool_arguments_get_value (const BeckonToolArguments *self);

/** As they are written; %NULL where they are no object, or one that json-glib cannot hold. Borrowed: take no reference. */
JsonObject *beckon_tool_arguments_get_object (const BeckonToolArguments *self, GError **error);

/** (nullable): the same, with the schema's defaults for what is missing. Borrowed likewise. */
JsonObject *beckon_tool_arguments_get_completed (const BeckonToolArguments *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonToolArguments, beckon_tool_arguments_unref)

G_END_DECLS
