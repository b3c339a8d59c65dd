/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonRecordValue:
 * @type: %SQLITE_INTEGER, %SQLITE_FLOAT, %SQLITE_TEXT, %SQLITE_BLOB or %SQLITE_NULL
 * @number: of an integer; the bits of a float, see beckon_record_value_get_real()
 * @bytes: of a text or blob; not terminated
 * @length: of @bytes
 *
 * One value of a row.
 */
typedef struct
{
  int type;
  gint64 number;
  const guint8 *bytes;
  gsize length;
} BeckonRecordValue;

/** Returns a float. */
double beckon_record_value_get_real (const BeckonRecordValue *value);

/** @numbered: the row is of a table ordered by @number, else of one ordered by its key, or of an index. */
typedef void (*BeckonRecordFunc) (const BeckonRecordValue *values, guint n_values, gboolean numbered, gint64 number,
                                  gpointer user_data);

/**
 * beckon_salvage_scan_pages:
 * @path: a damaged database; its log is read beside it
 * @func: called for every row on every page, whatever table it belongs to
 * @user_data: for @func
 *
 * Reads the pages of a file one by one, without the trees that lead to them: what is found when the way to it is destroyed. A
 * page that the log has is read as it was at the last commit.
 */
void beckon_salvage_scan_pages (const char *path, BeckonRecordFunc func, gpointer user_data);

G_END_DECLS
