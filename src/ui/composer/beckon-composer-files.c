/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-composer-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Files of a draft: chosen, dropped, pasted; and a long text that is better a file. */

/* Pasted text longer than this makes a message that is hard to read. */
#define LONG_CHARS 6000
#define LONG_LINES 80

gboolean
beckon_composer_is_fixed (BeckonComposer *self)
{
  return self->locked || beckon_attachment_loader_get_files (self->loader) == self->no_files;
}

static void
show_notice (BeckonComposer *self, const char *words, gboolean with_file)
{
  gtk_label_set_text (self->notice_label, words);
  gtk_widget_set_visible (self->as_file_button, with_file);
  gtk_revealer_set_reveal_child (self->notice_revealer, TRUE);
}

static void
forget_paste (BeckonComposer *self)
{
  if (self->paste_mark != NULL)
    gtk_text_buffer_delete_mark (gtk_text_view_get_buffer (self->text_view), self->paste_mark);
  self->paste_mark = NULL;
}

void
beckon_composer_show_notice (BeckonComposer *self, const char *words)
{
  forget_paste (self);
  show_notice (self, words, FALSE);
}

static void
hide_notice (BeckonComposer *self)
{
  gtk_revealer_set_reveal_child (self->notice_revealer, FALSE);
  forget_paste (self);
}

static void
on_notice_closed (BeckonComposer *self)
{
  hide_notice (self);
  beckon_composer_focus (self);
}

static void
on_files_changed (BeckonComposer *self)
{
  hide_notice (self);
  beckon_composer_update (self);
  /* Sent files go by themselves. */
  if (!self->locked)
    beckon_composer_emit_changed (self);
}

void
beckon_composer_set_files (BeckonComposer *self, GListStore *files)
{
  g_signal_handlers_disconnect_by_func (beckon_attachment_loader_get_files (self->loader), on_files_changed, self);
  hide_notice (self);
  if (files == NULL)
    files = self->no_files;
  beckon_attachment_loader_set_files (self->loader, files);
  g_signal_connect_object (files, "items-changed", G_CALLBACK (on_files_changed), self, G_CONNECT_SWAPPED);
  beckon_composer_update (self);
}

/* --- Drops -------------------------------------------------------------------------------------------------------- */

typedef struct
{
  BeckonComposer *composer; /* (owned) */
  GValue value;             /* what was dropped, as it came */
} Drop;

static void
drop_free (Drop *drop)
{
  g_object_unref (drop->composer);
  g_value_unset (&drop->value);
  g_free (drop);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Drop, drop_free)

static void
on_drop_known (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Drop) drop = user_data;
  BeckonComposer *self = drop->composer;
  g_autoptr (GFileInfo) info = g_file_query_info_finish (G_FILE (source), result, NULL);
  g_autofree char *uri = g_file_get_uri (G_FILE (source));

  if (info != NULL && g_file_info_get_file_type (info) == G_FILE_TYPE_DIRECTORY)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.set-folder", "s", uri);
  else if (!beckon_composer_is_fixed (self))
    beckon_attachment_loader_take_value (self->loader, &drop->value);
}

/* A folder is what is worked in; all else is attached. */
gboolean
beckon_composer_take_drop (BeckonComposer *self, const GValue *value)
{
  GFile *single;
  GdkFileList *list;
  g_autoptr (GSList) files = NULL;

  if (beckon_composer_is_fixed (self))
    return FALSE;

  /* The one file that was dropped, which may be a folder. */
  list = G_VALUE_HOLDS (value, GDK_TYPE_FILE_LIST) ? g_value_get_boxed (value) : NULL;
  files = list != NULL ? gdk_file_list_get_files (list) : NULL;
  single = files != NULL && files->next == NULL ? files->data : NULL;
  if (single != NULL)
    {
      Drop *drop = g_new0 (Drop, 1);

      drop->composer = g_object_ref (self);
      g_value_init (&drop->value, G_VALUE_TYPE (value));
      g_value_copy (value, &drop->value);
      g_file_query_info_async (single, G_FILE_ATTRIBUTE_STANDARD_TYPE, G_FILE_QUERY_INFO_NONE, G_PRIORITY_DEFAULT, NULL,
                               on_drop_known, drop);
    }
  else if (!beckon_attachment_loader_take_value (self->loader, value))
    return FALSE;
  beckon_composer_focus (self);
  return TRUE;
}

/* The dialog */

static void
composer_files_on_chosen (GtkNativeDialog *dialog, int response, gpointer user_data)
{
  BeckonComposer *self = user_data;
  g_autoptr (GtkFileChooserNative) chooser = g_steal_pointer (&self->chooser);
  g_autoptr (GListModel) files = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    files = gtk_file_chooser_get_files (GTK_FILE_CHOOSER (chooser));
  for (guint i = 0; files != NULL && i < g_list_model_get_n_items (files) && !beckon_composer_is_fixed (self); i++)
    {
      g_autoptr (GFile) file = g_list_model_get_item (files, i);

      beckon_attachment_loader_take_file (self->loader, file);
    }
  gtk_native_dialog_destroy (GTK_NATIVE_DIALOG (chooser));
  beckon_composer_focus (self);
}

static void
add_filters (GtkFileChooser *chooser)
{
  g_autoptr (GtkFileFilter) all = gtk_file_filter_new ();
  g_autoptr (GtkFileFilter) pictures = gtk_file_filter_new ();

  gtk_file_filter_set_name (all, _("All files"));
  gtk_file_filter_add_pattern (all, "*");
  gtk_file_filter_set_name (pictures, _("Pictures"));
  gtk_file_filter_add_pixbuf_formats (pictures);
  gtk_file_chooser_add_filter (chooser, all);
  gtk_file_chooser_add_filter (chooser, pictures);
}

static void
attach_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonComposer *self = BECKON_COMPOSER (widget);
  GtkRoot *root = gtk_widget_get_root (widget);

  if (self->chooser != NULL || beckon_composer_is_fixed (self))
    return;
  self->chooser = gtk_file_chooser_native_new (_("Attach Files"), GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL,
                                               GTK_FILE_CHOOSER_ACTION_OPEN, _("_Attach"), _("_Cancel"));
  gtk_file_chooser_set_select_multiple (GTK_FILE_CHOOSER (self->chooser), TRUE);
  add_filters (GTK_FILE_CHOOSER (self->chooser));
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (self->chooser), TRUE);
  g_signal_connect_object (self->chooser, "response", G_CALLBACK (composer_files_on_chosen), self, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->chooser));
}

/* The screen */

static void
on_screenshot_changed (BeckonComposer *self)
{
  gtk_widget_set_visible (self->screenshot_button, beckon_screenshot_is_available (self->screenshot));
}

static void
on_screenshot_taken (BeckonComposer *self, GFile *file)
{
  if (!beckon_composer_is_fixed (self))
    beckon_attachment_loader_take_file (self->loader, file);
  beckon_composer_focus (self);
}

static void
screenshot_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonComposer *self = BECKON_COMPOSER (widget);

  if (!beckon_composer_is_fixed (self))
    beckon_screenshot_take (self->screenshot);
}

/* Pasting */

static void
on_paste (BeckonComposer *self)
{
  GdkClipboard *clipboard = gtk_widget_get_clipboard (GTK_WIDGET (self));

  self->paste_length = gtk_text_buffer_get_char_count (gtk_text_view_get_buffer (self->text_view));
  if (!beckon_composer_is_fixed (self) && beckon_attachment_loader_take_clipboard (self->loader, clipboard))
    g_signal_stop_emission_by_name (self->text_view, "paste-clipboard");
}

/* Its end is at the cursor; how long it is tells where it begins. */
static void
on_paste_done (BeckonComposer *self)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->text_view);
  int n = gtk_text_buffer_get_char_count (buffer) - self->paste_length;
  GtkTextIter start, end;

  gtk_text_buffer_get_iter_at_mark (buffer, &end, gtk_text_buffer_get_insert (buffer));
  start = end;
  if (beckon_composer_is_fixed (self) || n <= 0 || !gtk_text_iter_backward_chars (&start, n)
      || (gtk_text_iter_get_offset (&end) - gtk_text_iter_get_offset (&start) <= LONG_CHARS
          && gtk_text_iter_get_line (&end) - gtk_text_iter_get_line (&start) <= LONG_LINES))
    return;
  forget_paste (self);
  self->paste_mark = gtk_text_buffer_create_mark (buffer, NULL, &start, TRUE);
  self->paste_length = n;
  show_notice (self, _("A long text was pasted. As a file it stays out of the way."), TRUE);
}

static void
on_as_file_clicked (BeckonComposer *self)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->text_view);
  g_autoptr (GBytes) bytes = NULL;
  GtkTextIter start, end;
  char *text;

  if (self->paste_mark == NULL || beckon_composer_is_fixed (self))
    return;
  gtk_text_buffer_get_iter_at_mark (buffer, &start, self->paste_mark);
  end = start;
  gtk_text_iter_forward_chars (&end, self->paste_length);
  text = gtk_text_buffer_get_text (buffer, &start, &end, TRUE);
  bytes = g_bytes_new_take (text, strlen (text));
  gtk_text_buffer_delete (buffer, &start, &end);
  hide_notice (self);
  beckon_attachment_loader_take_bytes (self->loader, bytes, _("Pasted text.txt"));
  beckon_composer_focus (self);
}

void
beckon_composer_install_files (GtkWidgetClass *widget_class)
{
  g_type_ensure (BECKON_TYPE_FILE_STRIP);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposer, notice_revealer);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposer, notice_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposer, as_file_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposer, strip);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposer, attach_button);
  gtk_widget_class_bind_template_callback (widget_class, on_as_file_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_notice_closed);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposer, screenshot_button);
  gtk_widget_class_install_action (widget_class, "composer.attach", NULL, attach_action);
  gtk_widget_class_install_action (widget_class, "composer.screenshot", NULL, screenshot_action);
}

void
beckon_composer_init_files (BeckonComposer *self)
{
  self->no_files = g_list_store_new (G_TYPE_OBJECT);
  self->loader = beckon_attachment_loader_new ();
  beckon_attachment_loader_set_files (self->loader, self->no_files);
  beckon_file_strip_set_intake (self->strip, self->loader);
  self->screenshot = beckon_screenshot_new ();
  g_signal_connect_object (self->screenshot, "changed", G_CALLBACK (on_screenshot_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->screenshot, "taken", G_CALLBACK (on_screenshot_taken), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->screenshot, "failed", G_CALLBACK (beckon_composer_show_notice), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->loader, "failed", G_CALLBACK (beckon_composer_show_notice), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->loader, "changed", G_CALLBACK (beckon_composer_update), self, G_CONNECT_SWAPPED);
  g_signal_connect_swapped (self->text_view, "paste-clipboard", G_CALLBACK (on_paste), self);
  g_signal_connect_swapped (gtk_text_view_get_buffer (self->text_view), "paste-done", G_CALLBACK (on_paste_done), self);
}

void
beckon_composer_dispose_files (BeckonComposer *self)
{
  if (self->chooser != NULL)
    gtk_native_dialog_destroy (GTK_NATIVE_DIALOG (self->chooser));
  g_clear_object (&self->chooser);
  if (self->loader != NULL)
    g_signal_handlers_disconnect_by_data (self->loader, self);
  g_clear_object (&self->loader);
  g_clear_object (&self->screenshot);
  g_clear_object (&self->no_files);
  g_clear_object (&self->kept_files);
  g_clear_pointer (&self->kept_text, g_free);
}
