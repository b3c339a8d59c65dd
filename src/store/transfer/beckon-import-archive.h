/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonImportArchive:
 *
 * The file that is imported: a document, or a .zip with documents and what they refer to. Nothing of it is ever written to a
 * disk; names in it are compared and never opened. What is read of any entry is bounded, whatever the entry says of its size.
 * One thread at a time.
 */
typedef struct _BeckonImportArchive BeckonImportArchive;

/** The largest picture that is taken over, and how much of them is in memory at a time. Bytes. */
#define BECKON_IMPORT_MAX_ASSET (8 * 1024 * 1024)
#define BECKON_IMPORT_MAX_ASSETS (64 * 1024 * 1024)

/** @bytes: (nullable): the file, otherwise @fd, which is closed by the archive. Blocks. */
BeckonImportArchive *beckon_import_archive_new (GBytes *bytes, int fd, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void                 beckon_import_archive_free (BeckonImportArchive *archive);

/** The next document; %NULL without an error behind the last. Blocks. */
GBytes *beckon_import_archive_next (BeckonImportArchive *archive, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * beckon_import_archive_read_assets:
 * @archive: the archive
 * @wanted: (element-type utf8 GBytes): by what their names begin with; what is found is put in
 *
 * Looks for files beside the documents. What is missing, or larger than may be, stays %NULL. Blocks.
 */
void beckon_import_archive_read_assets (BeckonImportArchive *archive, GHashTable *wanted);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonImportArchive, beckon_import_archive_free)

G_END_DECLS
