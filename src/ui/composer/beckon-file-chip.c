/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-file-chip.h"

#include "base/beckon-text.h"
#include "ui/blocks/beckon-attached-view.h"
#include "ui/blocks/beckon-attached-window.h"
#include "ui/widgets/beckon-picture.h"

#include <glib/gi18n-lib.h>

#define SIDE 56

struct _BeckonFileChip
{
  AdwBin parent_instance;

  BeckonPart *part; /* (owned) (nullable) */

  GtkButton *open_button;
  GtkStack *stack;
  GtkPicture *image;
  GtkLabel *name_label;
  GtkLabel *detail_label;
  GtkSpinner *spinner;
  GtkWidget *file_icon;
  GtkWidget *remove_button;
};

G_DEFINE_FINAL_TYPE (BeckonFileChip, beckon_file_chip, ADW_TYPE_BIN)

static guint removed_signal;

static void
file_chip_on_remove_clicked (BeckonFileChip *self)
{
  g_signal_emit (self, removed_signal, 0);
}

static void
on_open_clicked (BeckonFileChip *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *window;

  if (self->part == NULL)
    return;
  window = beckon_attached_window_new (self->part);
  if (GTK_IS_WINDOW (root))
    gtk_window_set_transient_for (GTK_WINDOW (window), GTK_WINDOW (root));
  gtk_window_present (GTK_WINDOW (window));
}

static void
set_names (BeckonFileChip *self, const char *name, const char *open_format, const char *remove_format)
{
  g_autofree char *open = beckon_text_fill_in (open_format, name);
  g_autofree char *remove = beckon_text_fill_in (remove_format, name);

  gtk_label_set_text (self->name_label, name);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->open_button), name);
  gtk_widget_set_tooltip_text (self->remove_button, remove);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->open_button), GTK_ACCESSIBLE_PROPERTY_LABEL, open, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->remove_button), GTK_ACCESSIBLE_PROPERTY_LABEL, remove, -1);
}

BeckonPart *
beckon_file_chip_get_part (BeckonFileChip *self)
{
  return self->part;
}

static void
beckon_file_chip_dispose (GObject *object)
{
  g_clear_object (&BECKON_FILE_CHIP (object)->part);
  G_OBJECT_CLASS (beckon_file_chip_parent_class)->dispose (object);
}

static void
beckon_file_chip_class_init (BeckonFileChipClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_file_chip_dispose;
  removed_signal =
      g_signal_new ("removed", BECKON_TYPE_FILE_CHIP, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/file-chip.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonFileChip, open_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonFileChip, stack);
  gtk_widget_class_bind_template_child (widget_class, BeckonFileChip, image);
  gtk_widget_class_bind_template_child (widget_class, BeckonFileChip, name_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonFileChip, detail_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonFileChip, spinner);
  gtk_widget_class_bind_template_child (widget_class, BeckonFileChip, file_icon);
  gtk_widget_class_bind_template_child (widget_class, BeckonFileChip, remove_button);
  gtk_widget_class_bind_template_callback (widget_class, on_open_clicked);
  gtk_widget_class_bind_template_callback (widget_class, file_chip_on_remove_clicked);
}

static void
beckon_file_chip_init (BeckonFileChip *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
beckon_file_chip_new (BeckonPart *part)
{
  g_autofree char *name = NULL;
  g_autofree char *size = NULL;
  BeckonFileChip *self = g_object_new (BECKON_TYPE_FILE_CHIP, NULL);

  self->part = g_object_ref (part);
  name = beckon_attached_view_dup_name (part);
  size = beckon_attached_view_dup_size (part);
  /* Translators: %s is the name of a file */
  set_names (self, name, _("Show %s"), _("Remove %s"));
  gtk_label_set_text (self->detail_label, size);
  if (beckon_part_get_kind (part) == BECKON_PART_IMAGE)
    {
      /* The shorter side fills it, so the longer one may need more pixels than are seen. */
      int density = 3 * gtk_widget_get_scale_factor (GTK_WIDGET (self));
      g_autoptr (BeckonPicture) picture = beckon_picture_new (part, SIDE, SIDE, density);

      gtk_picture_set_paintable (self->image, GDK_PAINTABLE (picture));
      gtk_stack_set_visible_child_name (self->stack, "picture");
    }
  return GTK_WIDGET (self);
}

GtkWidget *
beckon_file_chip_new_reading (const char *name)
{
  BeckonFileChip *self = g_object_new (BECKON_TYPE_FILE_CHIP, NULL);

  /* Translators: %s is the name of a file */
  set_names (self, name, _("Reading %s"), _("Stop reading %s"));
  gtk_label_set_text (self->detail_label, _("Reading…"));
  gtk_widget_set_visible (self->file_icon, FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), TRUE);
  gtk_spinner_start (self->spinner);
  return GTK_WIDGET (self);
}
