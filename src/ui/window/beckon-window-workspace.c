/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-window-private.h"
#include "ui/composer/beckon-mode-labels.h"

#include "sandbox/beckon-working-folder.h"

#include <glib/gi18n-lib.h>

/* The conversation's folder: none until a person chose it. */

typedef struct
{
  BeckonWindow *window;             /* (owned) */
  BeckonConversation *conversation; /* (owned): the person may look at another one by then */
} Choosing;

static void
choosing_free (Choosing *choosing)
{
  g_object_unref (choosing->window);
  g_object_unref (choosing->conversation);
  g_free (choosing);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Choosing, choosing_free)

static void
set_folder (Choosing *choosing, GFile *file)
{
  BeckonWindow *self = choosing->window;
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;
  g_autofree char *folder = NULL;
  g_autoptr (GError) error = NULL;

  if (path != NULL)
    folder = beckon_working_folder_resolve (path, &error);
  else
    error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, _("Choose a folder on this computer."));

  if (folder == NULL)
    beckon_window_toast (self, error->message);
  else if (self->runtime != NULL)
    beckon_library_set_folder (beckon_runtime_get_library (self->runtime), choosing->conversation, folder);
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
      set_folder (choosing, file);
    }
  gtk_native_dialog_destroy (dialog);
}

static void
choose_folder_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  const char *folder;
  GtkFileChooserNative *chooser;
  Choosing *choosing;

  if (self->runtime == NULL || self->conversation == NULL)
    return;

  choosing = g_new0 (Choosing, 1);
  choosing->window = g_object_ref (self);
  choosing->conversation = g_object_ref (self->conversation);
  chooser = gtk_file_chooser_native_new (_("Choose a Working Folder"), GTK_WINDOW (self),
                                         GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _("_Choose"), _("_Cancel"));
  folder = beckon_conversation_get_folder (self->conversation);
  if (folder != NULL)
    {
      g_autoptr (GFile) file = g_file_new_for_path (folder);

      gtk_file_chooser_set_file (GTK_FILE_CHOOSER (chooser), file, NULL);
    }
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_signal_connect (chooser, "response", G_CALLBACK (on_chosen), choosing);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

static void
forget_folder_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);

  if (self->runtime != NULL && self->conversation != NULL)
    beckon_library_set_folder (beckon_runtime_get_library (self->runtime), self->conversation, NULL);
}

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

/* Words where there is room for them and for the title, icons where there is not. */
#define ROOM_FOR_WORDS 700
#define HEADER_PADDING 12
#define SIDEBAR_WIDTH 300

/* The least of both, with text as usual; and the most that the sidebar takes of a narrow window which it lies on. */
#define SIDEBAR_LEAST 250
#define CONTENT_LEAST 360
#define SIDEBAR_MOST_ABOVE 320

/* With less, one button has the menus of two, so that something is left for the title. */
#define ROOM_FOR_BUTTONS 480
/* With less the title is below the header. */
#define ROOM_FOR_TITLE 420

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

/* All words together, shown or not. */
static int
measure_words (BeckonWindow *self)
{
  int stop = gtk_widget_get_visible (self->stop_button) ? measure_width (gtk_widget_get_first_child (self->stop_word)) : 0;

  return stop + beckon_workspace_button_measure_words (self->place_button)
         + beckon_profile_button_measure_words (self->profile_button);
}

/* How wide the end of the header is with icons in place of words, if each has its own. */
static int
measure_icons (BeckonWindow *self)
{
  GtkWidget *box = gtk_widget_get_ancestor (self->stop_button, GTK_TYPE_CENTER_BOX);
  int width = box != NULL ? measure_width (gtk_center_box_get_end_widget (GTK_CENTER_BOX (box))) : 0;

  if (gtk_widget_get_visible (self->stop_word))
    width -= measure_words (self);
  return width + beckon_workspace_button_measure_missing (self->place_button);
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

/* The mode has no button in a tight header, and the title of a narrow one would be three dots. */
static void
show_narrow_line (BeckonWindow *self, gboolean is_tight, gboolean is_narrow)
{
  const char *title = gtk_label_get_text (self->title_label);
  gboolean is_shown = is_tight && self->conversation != NULL && !beckon_window_is_waiting_shown (self);
  const char *mode = is_shown ? beckon_mode_labels_get_name (beckon_conversation_get_mode (self->conversation)) : NULL;
  g_autofree char *words = is_shown && is_narrow ? g_strdup_printf ("%s · %s", title, mode) : g_strdup (mode);

  gtk_label_set_text (self->narrow_label, words != NULL ? words : "");
  gtk_widget_set_visible (GTK_WIDGET (self->narrow_label), is_shown);
  gtk_widget_set_visible (GTK_WIDGET (self->title_label), !(is_shown && is_narrow));
}

/* A header bar gives each side no more than its half; what is beyond that would be missing, and leave a hole. */
void
beckon_window_fit_header (BeckonWindow *self)
{
  int width = self->surface_width, most, icons;
  double scale = get_text_scale (self);
  gboolean has_words, is_tight;

  if (width == 0)
    return;
  if (!adw_flap_get_folded (self->flap) && adw_flap_get_reveal_flap (self->flap))
    width -= SIDEBAR_WIDTH;
  most = measure_header (self) / 2 - HEADER_PADDING;
  icons = measure_icons (self);
  has_words = width >= ROOM_FOR_WORDS * scale && icons + measure_words (self) <= most;
  beckon_workspace_button_set_narrow (self->place_button, !has_words);
  beckon_profile_button_set_narrow (self->profile_button, !has_words);
  gtk_widget_set_visible (self->stop_word, has_words);
  is_tight = width < ROOM_FOR_BUTTONS * scale || icons > most;
  beckon_workspace_button_set_tight (self->place_button, is_tight);
  show_narrow_line (self, is_tight, width < ROOM_FOR_TITLE * scale);
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
  gtk_widget_class_install_action (widget_class, "win.forget-folder", NULL, forget_folder_action);
  gtk_widget_class_install_property_action (widget_class, "win.mode", "mode");
  gtk_widget_class_install_property_action (widget_class, "win.effort", "effort");
}
