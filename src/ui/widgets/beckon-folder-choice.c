/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-folder-choice.h"

#include <glib/gi18n-lib.h>

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
