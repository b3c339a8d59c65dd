/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-provenance-window.h"

#include "ui/widgets/beckon-short-list.h"

#include "store/queries/beckon-provenance-query.h"
#include "text/beckon-plain-log.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define PAGE 100

struct _BeckonProvenanceWindow
{
  AdwWindow parent_instance;

  BeckonRuntime *runtime; /* (owned) */
  GCancellable *reading;  /* (owned): of what is shown now */
  gint64 before_seq;      /* what is read next is earlier than this */

  GtkDropDown *event_drop;
  GtkDropDown *time_drop;
  GtkListBox *lines_list;
  GtkWidget *more_button;
  GtkLabel *status_label;
};

G_DEFINE_FINAL_TYPE (BeckonProvenanceWindow, beckon_provenance_window, ADW_TYPE_WINDOW)

/* In the order of the drop-down. */
static const char *const events[] = { NULL,       "asked",  "decided", "settled", "started",
                                      "finished", "failed", "landed",  "undone" };
static const int days[] = { 0, 1, 7, 30 };

static void
make_filter (BeckonProvenanceWindow *self, BeckonProvenanceFilter *filter)
{
  guint event = gtk_drop_down_get_selected (self->event_drop);
  guint time = gtk_drop_down_get_selected (self->time_drop);

  *filter = (BeckonProvenanceFilter){ 0 };
  if (event < G_N_ELEMENTS (events))
    filter->event = events[event];
  if (time < G_N_ELEMENTS (days) && days[time] > 0)
    filter->since = g_get_real_time () - days[time] * G_TIME_SPAN_DAY;
}

static char *
make_title (const BeckonProvenance *line)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (line->at / G_USEC_PER_SEC);
  g_autofree char *at = time != NULL ? g_date_time_format (time, "%x %X") : g_strdup ("?");
  g_autofree char *what = beckon_plain_log_describe (line);

  return line->tool != NULL ? g_strdup_printf ("%s · %s · %s", line->tool, what, at) : g_strdup_printf ("%s · %s", what, at);
}

static void
add_line (BeckonProvenanceWindow *self, const BeckonProvenance *line)
{
  GtkWidget *row = adw_action_row_new ();
  g_autofree char *title = make_title (line);
  g_autofree char *rest = beckon_plain_log_explain (line);

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), rest);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 6);
  gtk_widget_set_tooltip_text (row, line->title);
  gtk_list_box_append (self->lines_list, row);
  self->before_seq = line->seq;
}

static void
say (BeckonProvenanceWindow *self, const char *text)
{
  gtk_label_set_text (self->status_label, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->status_label), text != NULL);
}

static void
on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonProvenanceWindow) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) lines = beckon_store_list_provenance_finish (BECKON_STORE (source), result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  for (guint i = 0; lines != NULL && i < lines->len; i++)
    add_line (self, g_ptr_array_index (lines, i));
  gtk_widget_set_visible (self->more_button, lines != NULL && lines->len == PAGE);
  if (error != NULL)
    say (self, error->message);
  else
    say (self, self->before_seq == 0 ? _("There is nothing of the kind in the log.") : NULL);
}

static void
read_page (BeckonProvenanceWindow *self)
{
  BeckonProvenanceFilter filter;

  make_filter (self, &filter);
  filter.before_seq = self->before_seq;
  filter.max = PAGE;
  beckon_store_list_provenance_async (beckon_runtime_get_store (self->runtime), &filter, self->reading, on_listed,
                                      g_object_ref (self));
}

static void
on_filter_changed (BeckonProvenanceWindow *self)
{
  GtkWidget *child;

  if (self->runtime == NULL)
    return;
  g_cancellable_cancel (self->reading);
  g_set_object (&self->reading, NULL);
  self->reading = g_cancellable_new ();
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->lines_list))) != NULL)
    gtk_list_box_remove (self->lines_list, child);
  self->before_seq = 0;
  read_page (self);
}

/* Writing it to a file */

typedef struct
{
  BeckonProvenanceWindow *window; /* (owned) */
  GFile *file;                    /* (owned) */
} Export;

static void
export_free (Export *export)
{
  g_object_unref (export->window);
  g_object_unref (export->file);
  g_free (export);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Export, export_free)

static void
on_written (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonProvenanceWindow) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *name = g_file_get_basename (G_FILE (source));
  /* Translators: %s is the name of a file */
  g_autofree char *done = g_strdup_printf (_("Written to %s"), name);

  g_file_replace_contents_finish (G_FILE (source), result, NULL, &error);
  say (self, error != NULL ? error->message : done);
}

/* The earliest first, as a log is read. */
static void
on_all_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Export) export = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) lines = beckon_store_list_provenance_finish (BECKON_STORE (source), result, &error);
  g_autoptr (GBytes) bytes = NULL;
  GString *text;

  if (lines == NULL)
    {
      say (export->window, error->message);
      return;
    }
  text = g_string_new (NULL);
  for (guint i = lines->len; i > 0; i--)
    {
      g_autofree char *json = beckon_provenance_to_json (g_ptr_array_index (lines, i - 1));

      g_string_append_printf (text, "%s\n", json);
    }
  bytes = g_string_free_to_bytes (text);
  g_file_replace_contents_bytes_async (export->file, bytes, NULL, FALSE, G_FILE_CREATE_PRIVATE, NULL, on_written,
                                       g_object_ref (export->window));
}

static void
on_chosen (GtkNativeDialog *dialog, int response, gpointer user_data)
{
  g_autoptr (BeckonProvenanceWindow) self = user_data;
  g_autoptr (GtkNativeDialog) owned = dialog;
  BeckonProvenanceFilter filter;
  Export *export;

  g_signal_handlers_disconnect_by_data (owned, self);
  if (response == GTK_RESPONSE_ACCEPT)
    {
      export = g_new0 (Export, 1);
      export->window = g_object_ref (self);
      export->file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
      make_filter (self, &filter);
      beckon_store_list_provenance_async (beckon_runtime_get_store (self->runtime), &filter, NULL, on_all_listed, export);
    }
  gtk_native_dialog_destroy (dialog);
}

static void
on_export_clicked (BeckonProvenanceWindow *self)
{
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (_("Export Log"), GTK_WINDOW (self),
                                                               GTK_FILE_CHOOSER_ACTION_SAVE, _("_Export"), _("_Cancel"));

  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser), "beckon-log.jsonl");
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_signal_connect (chooser, "response", G_CALLBACK (on_chosen), g_object_ref (self));
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

static void
beckon_provenance_window_dispose (GObject *object)
{
  BeckonProvenanceWindow *self = BECKON_PROVENANCE_WINDOW (object);

  g_cancellable_cancel (self->reading);
  g_clear_object (&self->reading);
  g_clear_object (&self->runtime);
  G_OBJECT_CLASS (beckon_provenance_window_parent_class)->dispose (object);
}

static void
beckon_provenance_window_class_init (BeckonProvenanceWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_provenance_window_dispose;
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_w, GDK_CONTROL_MASK, "window.close", NULL);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/provenance-window.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonProvenanceWindow, event_drop);
  gtk_widget_class_bind_template_child (widget_class, BeckonProvenanceWindow, time_drop);
  gtk_widget_class_bind_template_child (widget_class, BeckonProvenanceWindow, lines_list);
  gtk_widget_class_bind_template_child (widget_class, BeckonProvenanceWindow, more_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonProvenanceWindow, status_label);
  gtk_widget_class_bind_template_callback (widget_class, on_filter_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_export_clicked);
  gtk_widget_class_bind_template_callback (widget_class, read_page);
}

static void
beckon_provenance_window_init (BeckonProvenanceWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  beckon_short_list_apply (self->event_drop);
  beckon_short_list_apply (self->time_drop);
  self->reading = g_cancellable_new ();
}

GtkWidget *
beckon_provenance_window_new (BeckonRuntime *runtime)
{
  BeckonProvenanceWindow *self = g_object_new (BECKON_TYPE_PROVENANCE_WINDOW, NULL);

  self->runtime = g_object_ref (runtime);
  read_page (self);
  return GTK_WIDGET (self);
}
