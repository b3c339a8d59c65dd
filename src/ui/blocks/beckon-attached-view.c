/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-attached-view.h"

#include "base/beckon-text-printf.h"
#include "beckon-attached-window.h"
#include "domain/beckon-attachment.h"
#include "ui/widgets/beckon-controls.h"
#include "ui/widgets/beckon-picture.h"

#include <glib/gi18n-lib.h>

/* The most room that a picture takes in a conversation. */
#define MOST_WIDTH 420
#define MOST_HEIGHT 320
#define SMALL_WIDTH 240
#define SMALL_HEIGHT 180

struct _BeckonAttachedView
{
  AdwBin parent_instance;

  BeckonPart *part;       /* (owned) */
  BeckonPicture *picture; /* (owned) (nullable) */
  gboolean is_small;

  GtkWidget *button;
  GtkStack *stack;
  GtkPicture *image;
  GtkLabel *name_label;
  GtkLabel *size_label;
};

G_DEFINE_FINAL_TYPE (BeckonAttachedView, beckon_attached_view, ADW_TYPE_BIN)

char *
beckon_attached_view_dup_name (BeckonPart *part)
{
  const char *name = beckon_attachment_get_name (part);

  if (name != NULL)
    return g_strdup (name);
  return g_strdup (beckon_part_get_kind (part) == BECKON_PART_IMAGE ? _("Picture") : _("File"));
}

char *
beckon_attached_view_dup_size (BeckonPart *part)
{
  guint n_pages = beckon_attachment_get_pages (part);
  gsize length;

  if (n_pages > 0)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "PDF, %u page", "PDF, %u pages", n_pages), n_pages);
  beckon_attachment_get_content (part, &length);
  return g_format_size (length);
}

/* The words for its tooltip: more than name and size where there is more to say, else the name. Caller frees. */
static char *
attached_view_dup_tooltip (BeckonPart *part)
{
  g_autofree char *name = beckon_attached_view_dup_name (part);

  if (!beckon_attachment_is_masked_pdf (part))
    return g_steal_pointer (&name);
  return g_strconcat (name, "\n", _("Only its text is sent, so that secrets stay masked."), NULL);
}

static void
attached_view_on_clicked (BeckonAttachedView *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *window = beckon_attached_window_new (self->part);

  if (GTK_IS_WINDOW (root))
    gtk_window_set_transient_for (GTK_WINDOW (window), GTK_WINDOW (root));
  gtk_window_present (GTK_WINDOW (window));
}

static void
show_as_file (BeckonAttachedView *self)
{
  g_autofree char *name = beckon_attached_view_dup_name (self->part);
  g_autofree char *size = beckon_attached_view_dup_size (self->part);

  gtk_label_set_text (self->name_label, name);
  gtk_label_set_text (self->size_label, size);
  gtk_widget_add_css_class (self->button, "attached-file");
  gtk_stack_set_visible_child_name (self->stack, "file");
}

static void
on_failed (BeckonAttachedView *self)
{
  gtk_widget_remove_css_class (self->button, "attached-picture");
  show_as_file (self);
}

static void
beckon_attached_view_unmap (GtkWidget *widget)
{
  BeckonAttachedView *self = BECKON_ATTACHED_VIEW (widget);

  GTK_WIDGET_CLASS (beckon_attached_view_parent_class)->unmap (widget);
  if (self->picture != NULL)
    beckon_picture_forget (self->picture);
}

/* A picture can be as small as nothing, and would be: a conversation is as high as it has to be. */
static void
beckon_attached_view_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                              int *minimum_baseline, int *natural_baseline)
{
  GtkWidget *button = BECKON_ATTACHED_VIEW (widget)->button;
  int width;

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      gtk_widget_measure (button, orientation, -1, minimum, natural, NULL, NULL);
      return;
    }
  gtk_widget_measure (button, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &width, NULL, NULL);
  gtk_widget_measure (button, orientation, for_size >= 0 ? MIN (for_size, width) : -1, minimum, natural, NULL, NULL);
  *minimum = *natural;
}

static void
beckon_attached_view_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  gtk_widget_allocate (BECKON_ATTACHED_VIEW (widget)->button, width, height, -1, NULL);
}

static void
beckon_attached_view_dispose (GObject *object)
{
  BeckonAttachedView *self = BECKON_ATTACHED_VIEW (object);

  g_clear_object (&self->picture);
  g_clear_object (&self->part);
  G_OBJECT_CLASS (beckon_attached_view_parent_class)->dispose (object);
}

static void
beckon_attached_view_class_init (BeckonAttachedViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_attached_view_dispose;
  widget_class->unmap = beckon_attached_view_unmap;
  widget_class->measure = beckon_attached_view_measure;
  widget_class->size_allocate = beckon_attached_view_size_allocate;
  widget_class->get_request_mode = beckon_height_for_width;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/attached-view.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonAttachedView, button);
  gtk_widget_class_bind_template_child (widget_class, BeckonAttachedView, stack);
  gtk_widget_class_bind_template_child (widget_class, BeckonAttachedView, image);
  gtk_widget_class_bind_template_child (widget_class, BeckonAttachedView, name_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonAttachedView, size_label);
  gtk_widget_class_bind_template_callback (widget_class, attached_view_on_clicked);
}

static void
beckon_attached_view_init (BeckonAttachedView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_widget_set_layout_manager (GTK_WIDGET (self), NULL);
}

static GtkWidget *
make (BeckonPart *part, gboolean is_small)
{
  BeckonAttachedView *self;
  g_autofree char *name = NULL;
  g_autofree char *label = NULL;
  g_autofree char *tooltip = NULL;
  gboolean is_image;

  self = g_object_new (BECKON_TYPE_ATTACHED_VIEW, NULL);
  self->part = g_object_ref (part);
  self->is_small = is_small;
  is_image = beckon_part_get_kind (part) == BECKON_PART_IMAGE;
  if (is_image)
    {
      int density = gtk_widget_get_scale_factor (GTK_WIDGET (self));

      self->picture = self->is_small ? beckon_picture_new (self->part, SMALL_WIDTH, SMALL_HEIGHT, density)
                                     : beckon_picture_new (self->part, MOST_WIDTH, MOST_HEIGHT, density);
      gtk_picture_set_can_shrink (self->image, !self->is_small);
      g_signal_connect_object (self->picture, "failed", G_CALLBACK (on_failed), self, G_CONNECT_SWAPPED);
      gtk_picture_set_paintable (self->image, GDK_PAINTABLE (self->picture));
      gtk_widget_add_css_class (self->button, "attached-picture");
      gtk_stack_set_visible_child_name (self->stack, "picture");
    }
  else
    show_as_file (self);
  name = beckon_attached_view_dup_name (part);
  /* Translators: %s is the name of a file */
  label = beckon_text_printf (is_image ? _("Picture: %s") : _("Attached file: %s"), name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  tooltip = attached_view_dup_tooltip (part);
  gtk_widget_set_tooltip_text (self->button, tooltip);
  return GTK_WIDGET (self);
}

GtkWidget *
beckon_attached_view_new (BeckonPart *part)
{
  return make (part, FALSE);
}

GtkWidget *
beckon_attached_view_new_small (BeckonPart *part)
{
  return make (part, TRUE);
}

#define SPACING 6

GtkWidget *
beckon_result_images_new (BeckonToolCall *call)
{
  GtkWidget *box;
  guint n = beckon_tool_call_get_result (call) != NULL ? beckon_tool_call_get_n_images (call) : 0;

  if (n == 0)
    return NULL;

  box = gtk_box_new (GTK_ORIENTATION_VERTICAL, SPACING);
  for (guint i = 0; i < n; i++)
    {
      GtkWidget *view = beckon_attached_view_new (beckon_tool_call_get_image (call, i));

      gtk_widget_set_halign (view, GTK_ALIGN_START);
      gtk_box_append (GTK_BOX (box), view);
    }
  return box;
}
