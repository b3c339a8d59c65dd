/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-database.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/**
 * beckon_import_write:
 * @database: a database outside of a transaction
 * @conversation: a `conversation` of an exported document, whatever is in it
 * @error: return location
 *
 * Checks it and writes it in one transaction; see beckon_store_import_async().
 *
 * Returns: (transfer full) (nullable): the id it has now
 */
char *beckon_import_write (BeckonDatabase *database, JsonObject *conversation, GError **error);

G_END_DECLS
