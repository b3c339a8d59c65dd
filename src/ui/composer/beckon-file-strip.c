/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-file-strip.h"

#include "beckon-file-chip.h"
#include "domain/beckon-part.h"

struct _BeckonFileStrip
{
  AdwBin parent_instance;

  BeckonAttachmentLoader *loader; /* (owned) (nullable) */
  GListStore *files;        /* (owned) (nullable): the list that is shown */
  gboolean locked;

  GtkBox *chips;
};

G_DEFINE_FINAL_TYPE (BeckonFileStrip, beckon_file_strip, ADW_TYPE_BIN)

/* The button that has the focus goes with its chip: the next one has it then, or the last one. */
static void
file_strip_on_removed (BeckonFileStrip *self, BeckonFileChip *chip)
{
  GtkWidget *next = gtk_widget_get_next_sibling (GTK_WIDGET (chip));
  BeckonPart *part = beckon_file_chip_get_part (chip);
  guint place;

  if (part == NULL)
    {
      beckon_attachment_loader_cancel (self->loader);
      return;
    }
  if (next == NULL)
    next = gtk_widget_get_prev_sibling (GTK_WIDGET (chip));
  if (next != NULL)
    gtk_widget_child_focus (next, GTK_DIR_TAB_FORWARD);
  else
    gtk_widget_activate_action (GTK_WIDGET (self), "conversation.focus-composer", NULL);
  if (self->files != NULL && g_list_store_find (self->files, part, &place))
    g_list_store_remove (self->files, place);
}

static void
add_chip (BeckonFileStrip *self, GtkWidget *chip, GtkWidget *after)
{
  gtk_widget_set_sensitive (chip, !self->locked);
  g_signal_connect_object (chip, "removed", G_CALLBACK (file_strip_on_removed), self, G_CONNECT_SWAPPED);
  gtk_box_insert_child_after (self->chips, chip, after);
}

static void
update_visible (BeckonFileStrip *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self), gtk_widget_get_first_child (GTK_WIDGET (self->chips)) != NULL);
}

static GtkWidget *
get_chip (BeckonFileStrip *self, guint index)
{
  GtkWidget *chip = gtk_widget_get_first_child (GTK_WIDGET (self->chips));

  while (chip != NULL && index-- > 0)
    chip = gtk_widget_get_next_sibling (chip);
  return chip;
}

static void
on_files_changed (BeckonFileStrip *self, guint position, guint removed, guint added)
{
  for (; removed > 0; removed--)
    gtk_box_remove (self->chips, get_chip (self, position));
  for (guint i = 0; i < added; i++)
    {
      g_autoptr (BeckonPart) part = g_list_model_get_item (G_LIST_MODEL (self->files), position + i);

      add_chip (self, beckon_file_chip_new (part), position + i > 0 ? get_chip (self, position + i - 1) : NULL);
    }
  update_visible (self);
}

static void
set_files (BeckonFileStrip *self, GListStore *files)
{
  GtkWidget *chip;

  if (self->files == files)
    return;
  if (self->files != NULL)
    g_signal_handlers_disconnect_by_data (self->files, self);
  g_set_object (&self->files, files);
  while ((chip = gtk_widget_get_first_child (GTK_WIDGET (self->chips))) != NULL)
    gtk_box_remove (self->chips, chip);
  if (files == NULL)
    return;
  g_signal_connect_swapped (files, "items-changed", G_CALLBACK (on_files_changed), self);
  on_files_changed (self, 0, 0, g_list_model_get_n_items (G_LIST_MODEL (files)));
}

/* Files being read come last. */
static void
on_intake_changed (BeckonFileStrip *self)
{
  g_auto (GStrv) reading = beckon_attachment_loader_dup_reading (self->loader);
  guint n;
  GtkWidget *chip;

  set_files (self, beckon_attachment_loader_get_files (self->loader));
  n = self->files != NULL ? g_list_model_get_n_items (G_LIST_MODEL (self->files)) : 0;
  while ((chip = get_chip (self, n)) != NULL)
    gtk_box_remove (self->chips, chip);
  for (guint i = 0; reading[i] != NULL; i++)
    add_chip (self, beckon_file_chip_new_reading (reading[i]), gtk_widget_get_last_child (GTK_WIDGET (self->chips)));
  update_visible (self);
}

void
beckon_file_strip_set_intake (BeckonFileStrip *self, BeckonAttachmentLoader *loader)
{
  g_set_object (&self->loader, loader);
  g_signal_connect_object (loader, "changed", G_CALLBACK (on_intake_changed), self, G_CONNECT_SWAPPED);
  on_intake_changed (self);
}

void
beckon_file_strip_set_locked (BeckonFileStrip *self, gboolean locked)
{
  self->locked = locked;
  for (guint i = 0; get_chip (self, i) != NULL; i++)
    gtk_widget_set_sensitive (get_chip (self, i), !locked);
}

static void
beckon_file_strip_dispose (GObject *object)
{
  BeckonFileStrip *self = BECKON_FILE_STRIP (object);

  if (self->files != NULL)
    g_signal_handlers_disconnect_by_data (self->files, self);
  g_clear_object (&self->files);
  g_clear_object (&self->loader);
  G_OBJECT_CLASS (beckon_file_strip_parent_class)->dispose (object);
}

static void
beckon_file_strip_class_init (BeckonFileStripClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_file_strip_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/file-strip.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonFileStrip, chips);
}

static void
beckon_file_strip_init (BeckonFileStrip *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
