/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-import-archive.h"
#include "beckon-import.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/**
 * BeckonImportReader:
 *
 * The conversations of a file, as documents of our own form, some at a time. One thread at a time.
 */
typedef struct _BeckonImportReader BeckonImportReader;

/** @archive: (transfer full). */
BeckonImportReader *beckon_import_reader_new (BeckonImportArchive *archive) G_GNUC_WARN_UNUSED_RESULT;
void                beckon_import_reader_free (BeckonImportReader *reader);

/**
 * beckon_import_reader_next:
 * @reader: the reader
 * @max: no more than so many
 * @report: (inout): what was passed over is counted here
 * @error: return location: nothing more can be read, and all that was read before was handed out
 *
 * What cannot be read is passed over, and the first of it named in the report. Those of our own files are not checked yet. Each
 * has a member `source`, unless it has no name where it is from. Blocks.
 *
 * Returns: (element-type JsonObject) (transfer full) (nullable): each in the form of an exported `conversation`; an empty list
 *   at the end
 */
GPtrArray *beckon_import_reader_next (BeckonImportReader *reader, guint max, BeckonImportReport *report,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** How many there are in what was opened so far, and how many of them were read. */
void beckon_import_reader_get_progress (BeckonImportReader *reader, guint *n_read, guint *n_all);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonImportReader, beckon_import_reader_free)

G_END_DECLS
