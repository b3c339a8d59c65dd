/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-reasoning.h"

#include "beckon-text-blocks.h"

struct _BeckonReasoning
{
  AdwBin parent_instance;

  BeckonPart *part; /* (owned) */

  GtkToggleButton *toggle;
  GtkImage *arrow;
  AdwBin *holder;
};

G_DEFINE_FINAL_TYPE (BeckonReasoning, beckon_reasoning, ADW_TYPE_BIN)

static void
on_toggled (BeckonReasoning *self)
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
}

static void
beckon_reasoning_dispose (GObject *object)
{
  BeckonReasoning *self = BECKON_REASONING (object);

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
  gtk_widget_class_bind_template_child (widget_class, BeckonReasoning, holder);
  gtk_widget_class_bind_template_callback (widget_class, on_toggled);
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
  return GTK_WIDGET (self);
}
