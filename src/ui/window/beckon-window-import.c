/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-window-private.h"

#include "store/transfer/beckon-import.h"
#include "ui/widgets/beckon-alert.h"

#include <glib/gi18n-lib.h>

/* A history from another program, or from another Beckon: chosen, brought over while a dialog says how far it is and lets it be
 * stopped, and told of in the end. */

/* Short imports need no dialog. */
#define SHOWN_AFTER_MS 300

typedef struct
{
  BeckonWindow *window;       /* (owned) */
  GCancellable *cancellable;  /* (owned) */
  GtkWidget *alert;           /* (nullable): while it is shown; a weak pointer */
  GtkProgressBar *bar;        /* of that */
  guint show_later;
  guint n_read;
  guint n_all;
} Import;

static void
import_free (Import *import)
{
  g_clear_handle_id (&import->show_later, g_source_remove);
  if (import->alert != NULL)
    g_signal_handlers_disconnect_by_data (import->alert, import);
  g_clear_weak_pointer (&import->alert);
  g_object_unref (import->cancellable);
  g_object_unref (import->window);
  g_free (import);
}

static void
show_progress (Import *import)
{
  g_autofree char *text = NULL;

  if (import->alert == NULL)
    return;
  if (import->n_all == 0)
    {
      gtk_progress_bar_pulse (import->bar);
      return;
    }
  /* Translators: how many conversations were looked at, of how many */
  text = g_strdup_printf (_("%u of %u"), import->n_read, import->n_all);
  gtk_progress_bar_set_text (import->bar, text);
  gtk_progress_bar_set_fraction (import->bar, (double) import->n_read / import->n_all);
}

static void
on_progress (guint n_read, guint n_all, gpointer data)
{
  Import *import = data;

  import->n_read = n_read;
  import->n_all = n_all;
  show_progress (import);
}

static void
on_stop (Import *import)
{
  g_cancellable_cancel (import->cancellable);
}

static gboolean
on_show_later (gpointer data)
{
  Import *import = data;
  GtkWidget *bar;

  import->show_later = 0;
  /* A window that was closed meanwhile shows nothing; the import goes on. */
  if (import->window->runtime == NULL)
    return G_SOURCE_REMOVE;
  bar = gtk_progress_bar_new ();
  g_set_weak_pointer (&import->alert, beckon_alert_new (_("Importing Conversations"), NULL));
  import->bar = GTK_PROGRESS_BAR (bar);
  gtk_progress_bar_set_show_text (import->bar, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (bar), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Progress of the import"), -1);
  beckon_alert_set_extra_child (import->alert, bar);
  beckon_alert_add_responses (import->alert, "stop", _("_Stop"), NULL);
  beckon_alert_set_defaults (import->alert, NULL, "stop");
  g_signal_connect_swapped (import->alert, "response", G_CALLBACK (on_stop), import);
  show_progress (import);
  beckon_alert_present (import->alert, GTK_WIDGET (import->window));
  return G_SOURCE_REMOVE;
}

static void
tell (BeckonWindow *self, const char *heading, const char *body)
{
  GtkWidget *alert = beckon_alert_new (heading, body);

  beckon_alert_add_responses (alert, "close", _("_Close"), NULL);
  beckon_alert_present (alert, GTK_WIDGET (self));
}

/* Until it is in the library, which has been told of it. */
typedef struct
{
  BeckonWindow *window; /* (owned) */
  char *id;
} Wanted;

static void
wanted_free (gpointer data, GClosure *closure)
{
  Wanted *wanted = data;

  g_object_unref (wanted->window);
  g_free (wanted->id);
  g_free (wanted);
}

static void
on_listed (BeckonLibrary *library, guint position, guint removed, guint added, Wanted *wanted)
{
  BeckonConversation *conversation = beckon_library_lookup (library, wanted->id);

  if (conversation == NULL || wanted->window->runtime == NULL)
    return;
  beckon_window_open_conversation (wanted->window, conversation, TRUE);
  g_signal_handlers_disconnect_by_data (library, wanted);
}

static void
list (BeckonWindow *self, BeckonImportReport *report)
{
  BeckonLibrary *library = beckon_runtime_get_library (self->runtime);
  Wanted *wanted;

  beckon_library_reload (library);
  if (report->ids->len != 1)
    return;
  wanted = g_new0 (Wanted, 1);
  wanted->window = g_object_ref (self);
  wanted->id = g_strdup (g_ptr_array_index (report->ids, 0));
  g_signal_connect_data (library, "items-changed", G_CALLBACK (on_listed), wanted, wanted_free, G_CONNECT_AFTER);
}

static void
on_imported (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Import *import = user_data;
  BeckonWindow *self = g_object_ref (import->window);
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonImportReport) report = beckon_store_import_finish (BECKON_STORE (source), result, &error);
  g_autofree char *words = report != NULL ? beckon_import_report_describe (report) : NULL;
  g_autoptr (GtkWidget) alert = import->alert != NULL ? g_object_ref (import->alert) : NULL;

  import_free (import);
  if (alert != NULL)
    beckon_alert_dismiss (alert);
  if (self->runtime != NULL && report != NULL)
    list (self, report);
  if (self->runtime != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    tell (self, report != NULL && report->ids->len > 0 ? _("Conversations Imported") : _("Nothing Imported"),
          words != NULL ? words : error->message);
  g_object_unref (self);
}

void
beckon_window_import_file (BeckonWindow *self, GFile *file)
{
  Import *import;

  if (self->runtime == NULL)
    return;
  import = g_new0 (Import, 1);
  import->window = g_object_ref (self);
  import->cancellable = g_cancellable_new ();
  import->show_later = g_timeout_add (SHOWN_AFTER_MS, on_show_later, import);
  beckon_store_import_file_async (beckon_runtime_get_store (self->runtime), file, on_progress, import, import->cancellable,
                                  on_imported, import);
}

static void
on_chosen (GtkNativeDialog *chooser, int response, BeckonWindow *self)
{
  g_autoptr (GFile) file = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser)) : NULL;

  if (file != NULL)
    beckon_window_import_file (self, file);
  gtk_native_dialog_destroy (chooser);
  g_object_unref (chooser);
}

static void
import_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  GtkFileChooserNative *chooser;
  g_autoptr (GtkFileFilter) filter = NULL;

  if (self->runtime == NULL)
    return;
  chooser = gtk_file_chooser_native_new (_("Import From ChatGPT, Claude or Beckon"), GTK_WINDOW (self),
                                         GTK_FILE_CHOOSER_ACTION_OPEN, _("_Import"), _("_Cancel"));

  filter = gtk_file_filter_new ();
  gtk_file_filter_set_name (filter, _("Exports (.zip, .json)"));
  gtk_file_filter_add_suffix (filter, "zip");
  gtk_file_filter_add_suffix (filter, "json");
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (chooser), filter);

  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_signal_connect_object (chooser, "response", G_CALLBACK (on_chosen), self, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

void
beckon_window_install_import (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.import", NULL, import_action);
}
