/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-reasoning.h"

#include "beckon-text-blocks.h"
#include "ui/widgets/beckon-scrolled.h"

#include <glib/gi18n-lib.h>

struct _BeckonReasoning
{
  AdwBin parent_instance;

  BeckonPart *part; /* (owned) */

  GtkToggleButton *toggle;
  GtkImage *arrow;
  GtkLabel *label;
  AdwBin *holder;
};

G_DEFINE_FINAL_TYPE (BeckonReasoning, beckon_reasoning, ADW_TYPE_BIN)

static void
reasoning_on_toggled (BeckonReasoning *self)
{
  gboolean shown = gtk_toggle_button_get_active (self->toggle);

  gtk_image_set_from_icon_name (self->arrow, shown ? "pan-down-symbolic" : "pan-end-symbolic");
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->toggle), GTK_ACCESSIBLE_STATE_EXPANDED, shown, -1);
  if (shown && adw_bin_get_child (self->holder) == NULL)
    {
      GtkWidget *text = beckon_text_blocks_new ();

      beckon_text_blocks_set_part (BECKON_TEXT_BLOCKS (text), self->part);
      adw_bin_set_child (self->holder, text);
    }
  if (shown)
    beckon_unfolding_tell (GTK_WIDGET (self->toggle));
}

static char *
describe_duration (gint64 duration)
{
  guint seconds = (guint) MIN ((duration + G_USEC_PER_SEC / 2) / G_USEC_PER_SEC, G_MAXINT);

  if (seconds < 1)
    return g_strdup (_("Thought for a moment"));
  if (seconds < 60)
    /* Translators: how long a model reasoned: seconds */
    return g_strdup_printf (_("Thought for %u s"), seconds);
  /* Translators: minutes and seconds */
  return g_strdup_printf (_("Thought for %u min %u s"), seconds / 60, seconds % 60);
}

/* While it reasons, and where nobody knows how long it did, there is only that it did. */
static void
on_duration_changed (BeckonReasoning *self)
{
  gint64 duration = beckon_part_get_duration (self->part);
  g_autofree char *text = duration > 0 ? describe_duration (duration) : g_strdup (_("Reasoning"));

  gtk_label_set_text (self->label, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->toggle), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

static void
beckon_reasoning_dispose (GObject *object)
{
  BeckonReasoning *self = BECKON_REASONING (object);

  if (self->part != NULL)
    g_signal_handlers_disconnect_by_data (self->part, self);

  g_clear_object (&self->part);
  G_OBJECT_CLASS (beckon_reasoning_parent_class)->dispose (object);
}

static void
beckon_reasoning_class_init (BeckonReasoningClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_reasoning_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/reasoning.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonReasoning, toggle);
  gtk_widget_class_bind_template_child (widget_class, BeckonReasoning, arrow);
  gtk_widget_class_bind_template_child (widget_class, BeckonReasoning, label);
  gtk_widget_class_bind_template_child (widget_class, BeckonReasoning, holder);
  gtk_widget_class_bind_template_callback (widget_class, reasoning_on_toggled);
}

static void
beckon_reasoning_init (BeckonReasoning *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->toggle), GTK_ACCESSIBLE_STATE_EXPANDED, FALSE, -1);
}

GtkWidget *
beckon_reasoning_new (BeckonPart *part)
{
  BeckonReasoning *self = g_object_new (BECKON_TYPE_REASONING, NULL);

  self->part = g_object_ref (part);
  g_signal_connect_swapped (part, "notify::duration", G_CALLBACK (on_duration_changed), self);
  on_duration_changed (self);
  return GTK_WIDGET (self);
}
