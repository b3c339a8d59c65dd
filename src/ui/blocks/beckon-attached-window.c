/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-attached-window.h"

#include "base/beckon-text.h"
#include "beckon-attached-view.h"
#include "beckon-code-block.h"
#include "domain/beckon-attachment.h"
#include "ui/widgets/beckon-picture.h"
#include "ui/widgets/beckon-alert.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* More than any model's picture has; what a tool returns may have more, and is made smaller. */
#define MOST_SIDE 4096

/* The room on a screen, at a guess. */
#define MOST_WINDOW_WIDTH 1000
#define MOST_WINDOW_HEIGHT 720
#define HEADER_HEIGHT 47

struct _BeckonAttachedWindow
{
  AdwWindow parent_instance;

  BeckonPart *part;              /* (owned) */
  GtkFileChooserNative *chooser; /* (owned) (nullable) */

  AdwToastOverlay *toasts;
  GtkStack *stack;
  GtkPicture *image;
  AdwBin *text_bin;
};

G_DEFINE_FINAL_TYPE (BeckonAttachedWindow, beckon_attached_window, ADW_TYPE_WINDOW)

static GBytes *
dup_content (BeckonPart *part)
{
  gsize length;
  const char *content;

  if (beckon_part_get_kind (part) == BECKON_PART_IMAGE)
    return beckon_picture_dup_file (part);
  content = beckon_attachment_get_content (part, &length);
  return g_bytes_new (content, length);
}

static void
attached_window_say (BeckonAttachedWindow *self, const char *words)
{
  adw_toast_overlay_add_toast (self->toasts, beckon_toast_new (words));
}

static void
attached_window_on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonAttachedWindow) self = user_data;
  g_autoptr (GError) error = NULL;

  attached_window_say (self, g_file_replace_contents_finish (G_FILE (source), result, NULL,
                                                             &error) ? _("Saved") : error->message);
}

static void
attached_window_on_chosen (GtkNativeDialog *dialog, int response, gpointer user_data)
{
  BeckonAttachedWindow *self = user_data;
  g_autoptr (GtkFileChooserNative) chooser = g_steal_pointer (&self->chooser);
  g_autoptr (GFile) file = NULL;
  g_autoptr (GBytes) content = NULL;
  g_autofree char *name = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  if (file == NULL)
    return;

  content = beckon_attached_window_dup_copy (self->part, &name);
  g_file_replace_contents_bytes_async (file, content, NULL, FALSE, G_FILE_CREATE_REPLACE_DESTINATION, NULL,
                                       attached_window_on_saved,
                                       g_object_ref (self));
}

/* The sent file may be of another kind than the attached one. */
static char *
make_file_name (BeckonPart *part)
{
  g_autofree char *name = beckon_attached_view_dup_name (part);
  const char *ending = NULL;
  char *dot = strrchr (name, '.');

  if (g_strcmp0 (beckon_part_get_media_type (part), "image/png") == 0)
    ending = ".png";
  else if (g_strcmp0 (beckon_part_get_media_type (part), "image/jpeg") == 0)
    ending = ".jpg";
  else if (dot != NULL && g_ascii_strcasecmp (dot, ".pdf") == 0 && beckon_attachment_get_pdf (part, NULL) == NULL)
    ending = ".txt";
  if (ending == NULL || (dot != NULL && g_ascii_strcasecmp (dot, ending) == 0))
    return g_steal_pointer (&name);
  if (dot != NULL && dot != name)
    *dot = '\0';
  return g_strconcat (name, ending, NULL);
}

GBytes *
beckon_attached_window_dup_copy (BeckonPart *part, char **name)
{
  GBytes *pdf;

  *name = make_file_name (part);
  pdf = beckon_attachment_get_pdf (part, NULL);
  return pdf != NULL ? g_bytes_ref (pdf) : dup_content (part);
}

static void
save_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  BeckonAttachedWindow *self = BECKON_ATTACHED_WINDOW (widget);
  g_autofree char *name = make_file_name (self->part);

  if (self->chooser != NULL)
    return;
  self->chooser = gtk_file_chooser_native_new (_("Save a Copy"), GTK_WINDOW (self), GTK_FILE_CHOOSER_ACTION_SAVE,
                                               _("_Save"), _("_Cancel"));
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (self->chooser), name);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (self->chooser), TRUE);
  g_signal_connect_object (self->chooser, "response", G_CALLBACK (attached_window_on_chosen), self, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->chooser));
}

static void
copy_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  BeckonAttachedWindow *self = BECKON_ATTACHED_WINDOW (widget);
  const char *media_type = beckon_part_get_media_type (self->part);
  g_autoptr (GBytes) content = dup_content (self->part);
  g_autoptr (GdkContentProvider) provider =
      gdk_content_provider_new_for_bytes (media_type != NULL ? media_type : "text/plain;charset=utf-8", content);

  gdk_clipboard_set_content (gtk_widget_get_clipboard (widget), provider);
  attached_window_say (self, _("Copied"));
}

static void
beckon_attached_window_dispose (GObject *object)
{
  BeckonAttachedWindow *self = BECKON_ATTACHED_WINDOW (object);

  if (self->chooser != NULL)
    gtk_native_dialog_destroy (GTK_NATIVE_DIALOG (self->chooser));
  g_clear_object (&self->chooser);
  g_clear_object (&self->part);
  G_OBJECT_CLASS (beckon_attached_window_parent_class)->dispose (object);
}

static void
beckon_attached_window_class_init (BeckonAttachedWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_attached_window_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/attached-window.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonAttachedWindow, toasts);
  gtk_widget_class_bind_template_child (widget_class, BeckonAttachedWindow, stack);
  gtk_widget_class_bind_template_child (widget_class, BeckonAttachedWindow, image);
  gtk_widget_class_bind_template_child (widget_class, BeckonAttachedWindow, text_bin);
  gtk_widget_class_install_action (widget_class, "attached.save", NULL, save_action);
  gtk_widget_class_install_action (widget_class, "attached.copy", NULL, copy_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_w, GDK_CONTROL_MASK, "window.close", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_w, GDK_CONTROL_MASK, "window.close", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_s, GDK_CONTROL_MASK, "attached.save", NULL);
}

static void
beckon_attached_window_init (BeckonAttachedWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
beckon_attached_window_new (BeckonPart *part)
{
  g_autofree char *name = NULL;
  BeckonAttachedWindow *self = g_object_new (BECKON_TYPE_ATTACHED_WINDOW, NULL);

  self->part = g_object_ref (part);
  name = beckon_attached_view_dup_name (part);
  gtk_window_set_title (GTK_WINDOW (self), name);
  if (beckon_part_get_kind (part) == BECKON_PART_IMAGE)
    {
      g_autoptr (BeckonPicture) picture = beckon_picture_new (self->part, MOST_SIDE, MOST_SIDE, 1);
      int width = gdk_paintable_get_intrinsic_width (GDK_PAINTABLE (picture));
      int height = gdk_paintable_get_intrinsic_height (GDK_PAINTABLE (picture));
      double scale = MIN (1.0, MIN ((double) MOST_WINDOW_WIDTH / width, (double) MOST_WINDOW_HEIGHT / height));

      gtk_picture_set_paintable (self->image, GDK_PAINTABLE (picture));
      gtk_window_set_default_size (GTK_WINDOW (self), MAX (360, (int) (width * scale)),
                                   MAX (240, (int) (height * scale)) + HEADER_HEIGHT);
      gtk_stack_set_visible_child_name (self->stack, "picture");
    }
  else
    {
      GtkWidget *block = beckon_code_block_new ();
      gsize length;
      const char *content = beckon_attachment_get_content (self->part, &length);
      g_autofree char *safe = beckon_text_for_display (content, (gssize) length, BECKON_TEXT_PROSE);

      beckon_code_block_set_wrap (BECKON_CODE_BLOCK (block), TRUE);
      beckon_code_block_set_text (BECKON_CODE_BLOCK (block), safe);
      adw_bin_set_child (self->text_bin, block);
      gtk_window_set_default_size (GTK_WINDOW (self), 680, 560);
      gtk_stack_set_visible_child_name (self->stack, "text");
    }
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->image), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  return GTK_WIDGET (self);
}
