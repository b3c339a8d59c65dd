/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-files.h"

#include "base/beckon-path.h"
#include "base/beckon-text.h"
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

typedef struct
{
  GtkFileChooserNative *chooser; /* (owned) */
  GWeakRef owner;
  BeckonFolderChosen chosen;
} Choice;

static void
folder_choice_on_response (GtkNativeDialog *dialog, int response, gpointer user_data)
{
  Choice *choice = user_data;
  g_autoptr (GtkWidget) owner = g_weak_ref_get (&choice->owner);
  g_autoptr (GFile) file = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog)) : NULL;

  if (owner != NULL && file != NULL && g_file_peek_path (file) != NULL)
    choice->chosen (owner, g_file_peek_path (file));
  gtk_native_dialog_destroy (dialog);
  g_object_unref (choice->chooser);
  g_weak_ref_clear (&choice->owner);
  g_free (choice);
}

void
beckon_folder_choose (GtkWidget *owner, BeckonFolderChosen chosen)
{
  GtkRoot *root;
  Choice *choice = g_new0 (Choice, 1);

  g_weak_ref_init (&choice->owner, owner);
  choice->chosen = chosen;
  root = gtk_widget_get_root (owner);
  choice->chooser = gtk_file_chooser_native_new (_("Choose a Folder"), GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL,
                                                 GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _("_Choose"), _("_Cancel"));
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (choice->chooser), TRUE);
  g_signal_connect (choice->chooser, "response", G_CALLBACK (folder_choice_on_response), choice);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (choice->chooser));
}

char *
beckon_folder_name_shorten (const char *path)
{
  const char *home = g_get_home_dir ();
  g_autofree char *shorter = NULL;
  const char *relative = !g_str_equal (home, "/") ? beckon_path_relate (path, home) : NULL;

  if (relative != NULL)
    shorter = *relative != '\0' ? g_strconcat ("~/", relative, NULL) : g_strdup ("~");
  return beckon_text_for_display (shorter != NULL ? shorter : path, -1, BECKON_TEXT_EXACT);
}

char *
beckon_folder_name_get_last (const char *path)
{
  g_autofree char *base = g_path_get_basename (path);

  return beckon_text_for_display (base, -1, BECKON_TEXT_EXACT);
}
