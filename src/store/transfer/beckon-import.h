/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "store/db/beckon-store.h"
#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonImportReport:
 * @ids: (owned) (element-type utf8): of the conversations that are new
 * @n_known: conversations that were here already, and were left as they are
 * @n_empty: those without messages
 * @n_unreadable: those that could not be read
 * @n_images: pictures that came with them
 * @n_missing: pictures that they name and the export does not have, or which no model could see
 * @n_unknown: pieces of messages of which nothing here can be made, such as recorded speech
 * @is_stopped: it was cancelled; what is named here was imported before
 * @problem: (owned) (nullable): why it ended early, or the first that could not be read; in words to be shown
 *
 * What an import came to.
 */
typedef struct
{
  GPtrArray *ids;
  guint n_known;
  guint n_empty;
  guint n_unreadable;
  guint n_images;
  guint n_missing;
  guint n_unknown;
  gboolean is_stopped;
  char *problem;
} BeckonImportReport;

BeckonImportReport *beckon_import_report_new (void) G_GNUC_WARN_UNUSED_RESULT;
void                beckon_import_report_free (BeckonImportReport *report);

/** (transfer full): translated, a line for each thing that there is to say. */
char *beckon_import_report_describe (const BeckonImportReport *report) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonImportReport, beckon_import_report_free)

/** Bytes of the largest document that is read; an archive may have more than one, and pictures. */
#define BECKON_IMPORT_MAX_BYTES (128 * 1024 * 1024)

/**
 * BeckonImportProgress:
 * @n_read: conversations that were looked at
 * @n_all: those that are known of so far
 * @data: what was given for it
 *
 * Main thread; until the callback.
 */
typedef void (*BeckonImportProgress) (guint n_read, guint n_all, gpointer data);

/**
 * beckon_store_import_async:
 * @store: an open store
 * @text: the file
 * @cancellable: (nullable): what was imported before stays
 * @callback: called later
 * @user_data: for @callback
 *
 * Reads a document of beckon_store_export_async(), or the conversations of ChatGPT's or Claude's export:
 * `conversations.json`, or the .zip with it, whose pictures come along. Texts, code, attached files, thoughts, tool calls
 * with their results, branches and times are taken over. A hundred conversations are one transaction, so that it can be
 * stopped, or end, at any time; a conversation that is here already is left as it is, and one that cannot be read is passed
 * over. A conversation of ours keeps its ids unless one of them is taken; then it gets new ones.
 *
 * What is imported is a history and never acts: a run, a call or a question that was open when the file was made is closed,
 * and nothing a file claims to have been allowed is allowed by it.
 */
void beckon_store_import_async (BeckonStore *store, GBytes *text, GCancellable *cancellable, GAsyncReadyCallback callback,
                                gpointer user_data);

/** The same of a file, which may be larger than memory. @progress: (nullable): told after each hundred. */
void beckon_store_import_file_async (BeckonStore *store, GFile *file, BeckonImportProgress progress, gpointer progress_data,
                                     GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);

/** Returns the report (transfer full). %BECKON_ERROR_INVALID and the like say what is wrong if nothing was imported. */
BeckonImportReport *beckon_store_import_finish (BeckonStore *store, GAsyncResult *result,
                                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
