/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-queue-strip.h"

#include "beckon-queue-chip.h"

#include <glib/gi18n-lib.h>

/* Those behind them show when their turn comes nearer. */
#define MOST_SHOWN 3

struct _BeckonQueueStrip
{
  AdwBin parent_instance;

  GListModel *queue; /* (owned) (nullable) */
  gboolean can_edit;

  GtkWidget *box;
  GtkLabel *more_label;
};

G_DEFINE_FINAL_TYPE (BeckonQueueStrip, beckon_queue_strip, ADW_TYPE_BIN)

static GtkWidget *
get_chip (BeckonQueueStrip *self, guint index)
{
  GtkWidget *chip = gtk_widget_get_first_child (self->box);

  while (chip != NULL && index-- > 0)
    chip = gtk_widget_get_next_sibling (chip);
  return chip;
}

static void
queue_strip_on_items_changed (BeckonQueueStrip *self, guint position, guint removed, guint added)
{
  GtkWidget *before;
  g_autofree char *words = NULL;
  guint n = 0, more;

  for (guint i = 0; i < removed; i++)
    gtk_box_remove (GTK_BOX (self->box), get_chip (self, position));
  before = position > 0 ? get_chip (self, position - 1) : NULL;
  for (guint i = 0; i < added; i++)
    {
      g_autoptr (BeckonQueueItem) item = g_list_model_get_item (self->queue, position + i);
      GtkWidget *chip = beckon_queue_chip_new (item);

      beckon_queue_chip_set_can_edit (BECKON_QUEUE_CHIP (chip), self->can_edit);
      gtk_box_insert_child_after (GTK_BOX (self->box), chip, before);
      before = chip;
    }
  for (GtkWidget *shown = gtk_widget_get_first_child (self->box); shown != NULL; shown = gtk_widget_get_next_sibling (shown))
    gtk_widget_set_visible (shown, n++ < MOST_SHOWN);
  more = n > MOST_SHOWN ? n - MOST_SHOWN : 0;
  words = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u more is queued", "%u more are queued", more), more);
  gtk_label_set_text (self->more_label, words);
  gtk_widget_set_visible (GTK_WIDGET (self->more_label), more > 0);
  gtk_widget_set_visible (GTK_WIDGET (self), n > 0);
}

void
beckon_queue_strip_set_conversation (BeckonQueueStrip *self, BeckonConversation *conversation)
{
  GListModel *queue = conversation != NULL ? G_LIST_MODEL (beckon_conversation_get_queue (conversation)) : NULL;

  if (self->queue == queue)
    return;
  if (self->queue != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->queue, self);
      queue_strip_on_items_changed (self, 0, g_list_model_get_n_items (self->queue), 0);
    }
  g_set_object (&self->queue, queue);
  if (queue == NULL)
    return;
  g_signal_connect_swapped (queue, "items-changed", G_CALLBACK (queue_strip_on_items_changed), self);
  queue_strip_on_items_changed (self, 0, 0, g_list_model_get_n_items (queue));
}

void
beckon_queue_strip_set_can_edit (BeckonQueueStrip *self, gboolean can_edit)
{
  if (self->can_edit == can_edit)
    return;
  self->can_edit = can_edit;
  for (GtkWidget *chip = gtk_widget_get_first_child (self->box); chip != NULL; chip = gtk_widget_get_next_sibling (chip))
    beckon_queue_chip_set_can_edit (BECKON_QUEUE_CHIP (chip), can_edit);
}

static void
beckon_queue_strip_dispose (GObject *object)
{
  BeckonQueueStrip *self = BECKON_QUEUE_STRIP (object);

  if (self->queue != NULL)
    g_signal_handlers_disconnect_by_data (self->queue, self);
  g_clear_object (&self->queue);
  G_OBJECT_CLASS (beckon_queue_strip_parent_class)->dispose (object);
}

static void
beckon_queue_strip_class_init (BeckonQueueStripClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_queue_strip_dispose;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
beckon_queue_strip_init (BeckonQueueStrip *self)
{
  GtkWidget *column = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->more_label = g_object_new (GTK_TYPE_LABEL, "xalign", 0.0, "margin-start", 12, "margin-bottom", 6, "visible", FALSE,
                                   NULL);
  gtk_widget_add_css_class (GTK_WIDGET (self->more_label), "caption");
  gtk_widget_add_css_class (GTK_WIDGET (self->more_label), "dim-label");
  gtk_box_append (GTK_BOX (column), self->box);
  gtk_box_append (GTK_BOX (column), GTK_WIDGET (self->more_label));
  adw_bin_set_child (ADW_BIN (self), column);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Queued messages"), -1);
}
