/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-window-private.h"

#include "base/beckon-worker.h"
#include "library/beckon-recent-folders.h"
#include "sandbox/beckon-working-folder.h"

#include <glib/gi18n-lib.h>

/* The conversation's folder: none until a person chose one; a new conversation has the one that was worked in last. */

typedef struct
{
  BeckonWindow *window;             /* (owned) */
  BeckonConversation *conversation; /* (owned): the person may look at another one by then */
} Choosing;

static Choosing *
choosing_new (BeckonWindow *self, BeckonConversation *conversation)
{
  Choosing *choosing = g_new0 (Choosing, 1);

  choosing->window = g_object_ref (self);
  choosing->conversation = g_object_ref (conversation);
  return choosing;
}

static void
choosing_free (Choosing *choosing)
{
  g_object_unref (choosing->window);
  g_object_unref (choosing->conversation);
  g_free (choosing);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Choosing, choosing_free)

/* --- A folder is checked, on a worker ----------------------------------------------------------------------------- */

static void
resolve (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  char *folder = beckon_working_folder_resolve (data, &error);

  if (folder != NULL)
    g_task_return_pointer (task, folder, g_free);
  else
    g_task_return_error (task, error);
}

static void
resolve_async (const char *path, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);

  g_task_set_source_tag (task, resolve_async);
  g_task_set_task_data (task, g_strdup (path), g_free);
  beckon_worker_run_for_person (task, resolve);
}

static void
on_resolved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Choosing) choosing = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_task_propagate_pointer (G_TASK (result), &error);
  BeckonWindow *self = choosing->window;

  if (self->runtime == NULL)
    return;
  if (folder == NULL)
    beckon_window_toast (self, error->message);
  else
    beckon_library_set_folder (beckon_runtime_get_library (self->runtime), choosing->conversation, folder);
}

/* @choosing: (transfer full) */
static void
set_folder (Choosing *choosing, GFile *file)
{
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;

  if (path != NULL)
    {
      resolve_async (path, on_resolved, choosing);
      return;
    }
  beckon_window_toast (choosing->window, _("Choose a folder on this computer."));
  choosing_free (choosing);
}

static void
on_chosen (GtkNativeDialog *dialog, int response, gpointer user_data)
{
  g_autoptr (Choosing) choosing = user_data;
  g_autoptr (GtkNativeDialog) owned = dialog;
  g_autoptr (GFile) file = NULL;

  g_signal_handlers_disconnect_by_data (owned, choosing);
  if (response == GTK_RESPONSE_ACCEPT)
    {
      file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
      set_folder (g_steal_pointer (&choosing), file);
    }
  gtk_native_dialog_destroy (dialog);
}

static void
choose_folder_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  const char *folder;
  GtkFileChooserNative *chooser;

  if (self->runtime == NULL || self->conversation == NULL)
    return;

  chooser = gtk_file_chooser_native_new (_("Choose a Working Folder"), GTK_WINDOW (self),
                                         GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _("_Choose"), _("_Cancel"));
  folder = beckon_conversation_get_folder (self->conversation);
  if (folder != NULL)
    {
      g_autoptr (GFile) file = g_file_new_for_path (folder);

      gtk_file_chooser_set_file (GTK_FILE_CHOOSER (chooser), file, NULL);
    }
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_signal_connect (chooser, "response", G_CALLBACK (on_chosen), choosing_new (self, self->conversation));
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/* A typed path begins in the home folder, unless it says otherwise. */
static GFile *
find_typed (const char *path)
{
  const char *home = g_get_home_dir ();

  if (g_str_has_prefix (path, "file:"))
    return g_file_new_for_uri (path);
  if (g_str_equal (path, "~"))
    return g_file_new_for_path (home);
  return g_path_is_absolute (path) ? g_file_new_for_path (path)
                                   : g_file_new_build_filename (home, path + (g_str_has_prefix (path, "~/") ? 2 : 0), NULL);
}

static void
set_folder_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  g_autoptr (GFile) file = find_typed (g_variant_get_string (parameter, NULL));

  if (self->runtime != NULL && self->conversation != NULL)
    set_folder (choosing_new (self, self->conversation), file);
}

static void
forget_folder_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);

  if (self->runtime != NULL && self->conversation != NULL)
    beckon_library_set_folder (beckon_runtime_get_library (self->runtime), self->conversation, NULL);
}

/* --- The folder of a new conversation ----------------------------------------------------------------------------- */

static void
on_recent_resolved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Choosing) choosing = user_data;
  g_autofree char *folder = g_task_propagate_pointer (G_TASK (result), NULL);

  if (folder == NULL && choosing->window->runtime != NULL
      && beckon_conversation_get_n_messages (choosing->conversation) == 0)
    beckon_library_set_folder (beckon_runtime_get_library (choosing->window->runtime), choosing->conversation, NULL);
}

/* At once, so that nothing is sent without it; when it turns out that it's gone, it is not offered. */
void
beckon_window_take_recent_folder (BeckonWindow *self, BeckonConversation *conversation)
{
  BeckonLibrary *library = beckon_runtime_get_library (self->runtime);
  g_autoptr (GPtrArray) recent = beckon_recent_folders_list (G_LIST_MODEL (library), 1);

  if (recent->len == 0)
    return;
  beckon_library_set_folder (library, conversation, g_ptr_array_index (recent, 0));
  resolve_async (g_ptr_array_index (recent, 0), on_recent_resolved, choosing_new (self, conversation));
}

/* --- Mode and effort ---------------------------------------------------------------------------------------------- */

void
beckon_window_choose_mode (BeckonWindow *self, const char *word)
{
  BeckonMode mode;

  if (self->runtime == NULL || self->conversation == NULL || !beckon_mode_from_string (word, &mode)
      || beckon_conversation_get_mode (self->conversation) == mode)
    return;
  beckon_library_set_mode (beckon_runtime_get_library (self->runtime), self->conversation, mode);
}

BeckonEffort
beckon_window_get_effort (BeckonWindow *self)
{
  return self->conversation != NULL ? beckon_conversation_get_effort (self->conversation) : BECKON_EFFORT_DEFAULT;
}

void
beckon_window_choose_effort (BeckonWindow *self, const char *word)
{
  BeckonEffort effort;

  if (self->runtime == NULL || self->conversation == NULL || !beckon_effort_from_string (word, &effort)
      || beckon_window_get_effort (self) == effort)
    return;
  beckon_library_set_effort (beckon_runtime_get_library (self->runtime), self->conversation, effort);
}

/* --- The room ----------------------------------------------------------------------------------------------------- */

/* The least of both, with text as usual; and the most that the sidebar takes of a narrow window which it lies on. */
#define SIDEBAR_LEAST 250
#define CONTENT_LEAST 360
#define SIDEBAR_MOST_ABOVE 320

#define HEADER_PADDING 12

/* Larger text in a window needs so many times the room. */
static double
get_text_scale (BeckonWindow *self)
{
  int dpi = 0;

  g_object_get (gtk_widget_get_settings (GTK_WIDGET (self)), "gtk-xft-dpi", &dpi, NULL);
  return MAX (1, dpi / (96.0 * 1024));
}

/* Beside each other, the sidebar and the conversation need room as their text does. */
static void
fold_for_text (BeckonWindow *self)
{
  double scale = get_text_scale (self);
  int sidebar = (int) (SIDEBAR_LEAST * scale);
  gboolean is_tight = scale > 1 && self->surface_width < sidebar + (int) (CONTENT_LEAST * scale);

  adw_flap_set_fold_policy (self->flap, is_tight ? ADW_FLAP_FOLD_POLICY_ALWAYS : ADW_FLAP_FOLD_POLICY_AUTO);
  gtk_widget_set_size_request (GTK_WIDGET (self->sidebar), is_tight ? MIN (sidebar, SIDEBAR_MOST_ABOVE) : sidebar, -1);
}

static int
measure_width (GtkWidget *widget)
{
  int width = 0;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &width, NULL, NULL);
  return width;
}

/* The window without its shadow, and without the sidebar where that is beside the header. */
static int
measure_header (BeckonWindow *self)
{
  gboolean is_beside = !adw_flap_get_folded (self->flap) && adw_flap_get_reveal_flap (self->flap);
  double shadow, top;

  gtk_native_get_surface_transform (GTK_NATIVE (self), &shadow, &top);
  return self->surface_width - 2 * (int) shadow - (is_beside ? measure_width (GTK_WIDGET (self->sidebar)) : 0);
}

/* How wide the end of the header is with the word on *Stop*. */
static int
measure_end (BeckonWindow *self)
{
  GtkWidget *box = gtk_widget_get_ancestor (self->stop_button, GTK_TYPE_CENTER_BOX);
  int width = box != NULL ? measure_width (gtk_center_box_get_end_widget (GTK_CENTER_BOX (box))) : 0;

  if (!gtk_widget_get_visible (self->stop_word))
    width += measure_width (gtk_widget_get_first_child (self->stop_word));
  return width;
}

/* A header bar gives each side no more than its half. */
void
beckon_window_fit_header (BeckonWindow *self)
{
  if (self->surface_width > 0)
    gtk_widget_set_visible (self->stop_word, measure_end (self) <= measure_header (self) / 2 - HEADER_PADDING);
}

static gboolean
on_width_known (gpointer user_data)
{
  BeckonWindow *self = user_data;

  self->width_source = 0;
  fold_for_text (self);
  beckon_window_fit_header (self);
  return G_SOURCE_REMOVE;
}

/* Not at once: nothing may change its size while sizes are given out. */
static void
on_room_changed (BeckonWindow *self)
{
  if (self->width_source == 0)
    self->width_source = g_idle_add (on_width_known, self);
}

static void
on_layout (BeckonWindow *self, int width, int height)
{
  self->surface_width = width;
  on_room_changed (self);
}

void
beckon_window_follow_width (BeckonWindow *self)
{
  g_signal_connect_object (gtk_native_get_surface (GTK_NATIVE (self)), "layout", G_CALLBACK (on_layout), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->flap, "notify::reveal-flap", G_CALLBACK (on_room_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_widget_get_settings (GTK_WIDGET (self)), "notify::gtk-xft-dpi", G_CALLBACK (on_room_changed),
                           self, G_CONNECT_SWAPPED);
}

void
beckon_window_install_place (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.choose-folder", NULL, choose_folder_action);
  gtk_widget_class_install_action (widget_class, "win.set-folder", "s", set_folder_action);
  gtk_widget_class_install_action (widget_class, "win.forget-folder", NULL, forget_folder_action);
  gtk_widget_class_install_property_action (widget_class, "win.mode", "mode");
  gtk_widget_class_install_property_action (widget_class, "win.effort", "effort");
}
