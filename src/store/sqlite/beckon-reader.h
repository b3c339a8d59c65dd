/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-database.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * beckon_reader_open:
 * @path: the database of a store that is open in this process
 * @cancellable: (nullable): interrupts what is read; has to outlive the reader
 * @error: return location
 *
 * A connection for a thread of its own that sees one state of the store and cannot write. Readers of a write-ahead log
 * disturb no writer.
 *
 * Returns: (transfer full) (nullable): to be given to beckon_reader_close()
 */
BeckonDatabase *beckon_reader_open (const char *path, GCancellable *cancellable, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void            beckon_reader_close (BeckonDatabase *reader);

G_END_DECLS
