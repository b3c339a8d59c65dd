/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-waiting-mark.h"

struct _BeckonWaitingMark
{
  AdwBin parent_instance;

  GtkActionable *button;
};

G_DEFINE_FINAL_TYPE (BeckonWaitingMark, beckon_waiting_mark, ADW_TYPE_BIN)

static void
beckon_waiting_mark_class_init (BeckonWaitingMarkClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/waiting-mark.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonWaitingMark, button);
}

static void
beckon_waiting_mark_init (BeckonWaitingMark *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
beckon_waiting_mark_new (BeckonRequest *request)
{
  BeckonWaitingMark *self = g_object_new (BECKON_TYPE_WAITING_MARK, NULL);

  gtk_actionable_set_action_target (self->button, "s", beckon_request_get_id (request));
  return GTK_WIDGET (self);
}
