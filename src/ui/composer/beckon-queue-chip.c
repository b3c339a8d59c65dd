/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-queue-chip.h"

#include "base/beckon-text.h"
#include "ui/widgets/beckon-wrap-pair.h"

#include <glib/gi18n-lib.h>

#define MOST_CHARS 400
#define NAME_CHARS 60

struct _BeckonQueueChip
{
  AdwBin parent_instance;

  BeckonQueueItem *item; /* (owned) */

  GtkLabel *label;
  GtkWidget *soon_label;
  GtkWidget *send_button;
  GtkWidget *edit_button;
  GtkWidget *remove_button;
};

G_DEFINE_FINAL_TYPE (BeckonQueueChip, beckon_queue_chip, ADW_TYPE_BIN)

/* Files alone are named by their number. */
static char *
queue_chip_dup_text (BeckonQueueItem *item)
{
  guint n = beckon_queue_item_get_files (item)->len;
  g_autofree char *files = NULL;
  g_autofree char *text = g_strstrip (g_strdup (beckon_queue_item_get_text (item)));

  if (n > 0)
    files = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u file", "%u files", n), n);
  if (files == NULL)
    return g_steal_pointer (&text);
  return *text != '\0' ? g_strdup_printf ("%s · %s", text, files) : g_steal_pointer (&files);
}

static void
queue_chip_update (BeckonQueueChip *self)
{
  gboolean is_soon = beckon_queue_item_get_sends_now (self->item);

  gtk_widget_set_visible (self->send_button, !is_soon);
  gtk_widget_set_visible (self->soon_label, is_soon);
}

static void
set_target (GtkWidget *button, const char *action, const char *id, const char *words, const char *shown)
{
  g_autofree char *isolated = beckon_text_isolate (shown, words);
  g_autofree char *name = beckon_text_fill_in (words, isolated);

  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", id);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

void
beckon_queue_chip_set_can_edit (BeckonQueueChip *self, gboolean can_edit)
{
  gtk_widget_set_sensitive (self->edit_button, can_edit);
  gtk_widget_set_tooltip_text (self->edit_button, can_edit ? _("Edit") : _("Send or clear what you are writing to edit this"));
}

static void
beckon_queue_chip_dispose (GObject *object)
{
  BeckonQueueChip *self = BECKON_QUEUE_CHIP (object);

  if (self->item != NULL)
    g_signal_handlers_disconnect_by_data (self->item, self);
  g_clear_object (&self->item);
  G_OBJECT_CLASS (beckon_queue_chip_parent_class)->dispose (object);
}

static void
beckon_queue_chip_class_init (BeckonQueueChipClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_queue_chip_dispose;
  g_type_ensure (BECKON_TYPE_WRAP_PAIR);
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/queue-chip.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonQueueChip, label);
  gtk_widget_class_bind_template_child (widget_class, BeckonQueueChip, soon_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonQueueChip, send_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonQueueChip, edit_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonQueueChip, remove_button);
}

static void
beckon_queue_chip_init (BeckonQueueChip *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
beckon_queue_chip_new (BeckonQueueItem *item)
{
  BeckonQueueChip *self = g_object_new (BECKON_TYPE_QUEUE_CHIP, NULL);
  const char *id;
  g_autofree char *text = NULL;
  g_autofree char *shown = NULL;
  g_autofree char *cut = NULL;
  g_autofree char *brief = NULL;

  self->item = g_object_ref (item);
  g_signal_connect_swapped (item, "notify::sends-now", G_CALLBACK (queue_chip_update), self);
  id = beckon_queue_item_get_id (self->item);
  text = queue_chip_dup_text (self->item);
  shown = beckon_text_for_display (text, -1, BECKON_TEXT_EXACT);
  cut = beckon_text_shorten (shown, MOST_CHARS);
  brief = beckon_text_shorten (shown, NAME_CHARS);

  gtk_label_set_text (self->label, cut);
  /* Translators: a message that waits to be sent; the beginning of its text */
  set_target (self->send_button, "win.queued-send", id, _("Send now: %s"), brief);
  /* Translators: a message that waits to be sent; the beginning of its text */
  set_target (self->edit_button, "win.queued-edit", id, _("Edit the queued message: %s"), brief);
  /* Translators: a message that waits to be sent; the beginning of its text */
  set_target (self->remove_button, "win.queued-remove", id, _("Remove the queued message: %s"), brief);
  queue_chip_update (self);
  return GTK_WIDGET (self);
}
