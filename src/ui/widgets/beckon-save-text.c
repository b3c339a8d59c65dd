/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-save-text.h"

#include "beckon-alert.h"

#include <glib/gi18n-lib.h>
#include <string.h>

typedef struct
{
  GtkFileChooserNative *chooser; /* (owned) */
  GtkWindow *parent;             /* (nullable): borrowed, watched */
  char *text;
} Saving;

static void
saving_free (Saving *self)
{
  g_clear_weak_pointer (&self->parent);
  gtk_native_dialog_destroy (GTK_NATIVE_DIALOG (self->chooser));
  g_object_unref (self->chooser);
  g_free (self->text);
  g_free (self);
}

static void
save_text_on_written (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Saving *self = user_data;
  g_autoptr (GError) error = NULL;

  if (!g_file_replace_contents_finish (G_FILE (source), result, NULL, &error))
    {
      GtkWidget *alert = beckon_alert_new (_("Not Saved"), error->message);

      beckon_alert_add_responses (alert, "close", _("_Close"), NULL);
      beckon_alert_present (alert, GTK_WIDGET (self->parent));
    }
  saving_free (self);
}

static void
save_text_on_chosen (GtkNativeDialog *dialog, int response, Saving *self)
{
  g_autoptr (GFile) file = NULL;
  g_autoptr (GBytes) bytes = NULL;

  if (response != GTK_RESPONSE_ACCEPT)
    {
      saving_free (self);
      return;
    }
  file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
  bytes = g_bytes_new (self->text, strlen (self->text));
  g_file_replace_contents_bytes_async (file, bytes, NULL, FALSE, G_FILE_CREATE_PRIVATE, NULL, save_text_on_written, self);
}

void
beckon_save_text (GtkWidget *widget, const char *name, const char *text)
{
  Saving *self = g_new0 (Saving, 1);
  GtkRoot *root = gtk_widget_get_root (widget);

  g_set_weak_pointer (&self->parent, GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL);
  self->text = g_strdup (text);
  self->chooser = gtk_file_chooser_native_new (_("Save a Copy"), self->parent, GTK_FILE_CHOOSER_ACTION_SAVE, _("_Save"),
                                               _("_Cancel"));
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (self->chooser), name);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (self->chooser), TRUE);
  g_signal_connect (self->chooser, "response", G_CALLBACK (save_text_on_chosen), self);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->chooser));
}
