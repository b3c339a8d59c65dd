/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-import-report.h"

#include "base/beckon-text-printf.h"

#include <glib/gi18n-lib.h>

BeckonImportReport *
beckon_import_report_new (void)
{
  BeckonImportReport *report = g_new0 (BeckonImportReport, 1);

  report->ids = g_ptr_array_new_with_free_func (g_free);
  return report;
}

void
beckon_import_report_free (BeckonImportReport *report)
{
  if (report == NULL)
    return;

  g_ptr_array_unref (report->ids);
  g_free (report->problem);
  g_free (report);
}

static void G_GNUC_PRINTF (2, 0)
append_count (GString *text, const char *format, guint n)
{
  if (n > 0)
    g_string_append_c (text, '\n');
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  if (n > 0)
    g_string_append_printf (text, format, n);
#pragma GCC diagnostic pop
}

char *
beckon_import_report_describe (const BeckonImportReport *report)
{
  GString *text;

  g_return_val_if_fail (report != NULL, NULL);

  text = g_string_new (NULL);
  g_string_append_printf (text, g_dngettext (GETTEXT_PACKAGE, "%u conversation imported", "%u conversations imported",
                                             report->ids->len), report->ids->len);
  append_count (text, ngettext ("%u was already here", "%u were already here", report->n_known), report->n_known);
  append_count (text, ngettext ("%u without messages was skipped", "%u without messages were skipped", report->n_empty),
                report->n_empty);
  append_count (text, ngettext ("%u couldn't be read and was skipped", "%u couldn't be read and were skipped",
                                report->n_unreadable), report->n_unreadable);
  append_count (text, ngettext ("%u picture imported", "%u pictures imported", report->n_images), report->n_images);
  append_count (text, ngettext ("%u picture isn't in the export", "%u pictures aren't in the export", report->n_missing),
                report->n_missing);
  append_count (text, ngettext ("%u piece of a message can't be shown here", "%u pieces of messages can't be shown here",
                                report->n_unknown), report->n_unknown);
  if (report->is_stopped)
    beckon_text_append (text, "\n%s", _("Stopped. What was imported before stays."));
  if (report->problem != NULL)
    g_string_append_printf (text, "\n%s", report->problem);
  return g_string_free (text, FALSE);
}
