/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-import.h"
#include "store/sqlite/beckon-database.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/**
 * beckon_import_write:
 * @database: a database outside of a transaction
 * @documents: (element-type JsonObject): each a `conversation` of an exported document, whatever is in it
 * @report: (inout): what became of each
 * @error: return location: nothing of them was written
 *
 * Checks them and writes them in one transaction; see beckon_store_import_async(). One that is wrong is left out, one that is
 * here already is left as it is.
 */
gboolean beckon_import_write (BeckonDatabase *database, GPtrArray *documents, BeckonImportReport *report, GError **error);

G_END_DECLS
