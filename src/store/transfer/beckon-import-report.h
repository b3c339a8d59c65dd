/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

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

G_END_DECLS
