/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/beckon-json-writer.h"
#include "base/beckon-json.h"

G_BEGIN_DECLS

/* Shared by readers and writers here. */

/** Adds a member if there is a value. */
void beckon_request_json_member (BeckonJsonWriter *writer, const char *name, const char *value);

/** The element if it is an object, %NULL otherwise; borrowed. */
JsonObject *beckon_request_json_get_element (JsonArray *array, guint index);

G_END_DECLS
