/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-health-bar.h"

#include "ui/preferences/beckon-copies-group.h"

struct _BeckonHealthBar
{
  AdwBin parent_instance;

  BeckonStore *store; /* (owned) (nullable) */
  char *notice;       /* (owned) (nullable): of the window's start */

  /* widgets */
  GtkInfoBar *bar;
  GtkLabel *label;
  GtkButton *copy_button;
  GtkWidget *folder_button;
  GtkWidget *dismiss_button;
};

G_DEFINE_FINAL_TYPE (BeckonHealthBar, beckon_health_bar, ADW_TYPE_BIN)

static void
health_bar_update (BeckonHealthBar *self)
{
  BeckonHealth *health = beckon_store_get_health (self->store);
  const char *problem = beckon_health_get_problem (health);
  const char *text = problem != NULL ? problem : self->notice != NULL ? self->notice : beckon_health_get_notice (health);

  gtk_info_bar_set_message_type (self->bar, problem != NULL ? GTK_MESSAGE_WARNING : GTK_MESSAGE_INFO);
  gtk_widget_set_visible (self->dismiss_button, problem == NULL);
  gtk_widget_set_visible (self->folder_button, text != self->notice);
  if (beckon_health_get_fault (health) == BECKON_FAULT_DAMAGED
      || (problem == NULL && text != self->notice && beckon_health_get_is_repaired (health)))
    beckon_copy_button_offer (self->copy_button, self->store);
  else
    gtk_widget_set_visible (GTK_WIDGET (self->copy_button), FALSE);
  gtk_label_set_text (self->label, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self), text != NULL);
  /* A screen reader says the name of an alert when it comes. */
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text != NULL ? text : "", -1);
}

static void
on_dismiss (BeckonHealthBar *self)
{
  if (self->store == NULL)
    return;

  if (self->notice == NULL)
    beckon_store_dismiss_notice (self->store);
  g_clear_pointer (&self->notice, g_free);
  health_bar_update (self);
}

static void
on_show_folder (BeckonHealthBar *self)
{
  g_autofree char *uri = NULL;

  if (self->store == NULL)
    return;

  uri = g_filename_to_uri (beckon_store_get_directory (self->store), NULL, NULL);
  if (uri != NULL)
    gtk_show_uri (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), uri, GDK_CURRENT_TIME);
}

void
beckon_health_bar_set_notice (BeckonHealthBar *self, const char *notice)
{
  g_free (self->notice);
  self->notice = g_strdup (notice);
}

void
beckon_health_bar_set_store (BeckonHealthBar *self, BeckonStore *store)
{
  self->store = g_object_ref (store);
  g_signal_connect_object (beckon_store_get_health (store), "notify", G_CALLBACK (health_bar_update), self, G_CONNECT_SWAPPED);
  health_bar_update (self);
}

static void
beckon_health_bar_dispose (GObject *object)
{
  BeckonHealthBar *self = BECKON_HEALTH_BAR (object);

  g_clear_object (&self->store);
  g_clear_pointer (&self->notice, g_free);
  G_OBJECT_CLASS (beckon_health_bar_parent_class)->dispose (object);
}

static void
beckon_health_bar_class_init (BeckonHealthBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_health_bar_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/health-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonHealthBar, bar);
  gtk_widget_class_bind_template_child (widget_class, BeckonHealthBar, label);
  gtk_widget_class_bind_template_child (widget_class, BeckonHealthBar, copy_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonHealthBar, folder_button);
  gtk_widget_class_bind_template_child (widget_class, BeckonHealthBar, dismiss_button);
  gtk_widget_class_bind_template_callback (widget_class, on_dismiss);
  gtk_widget_class_bind_template_callback (widget_class, on_show_folder);
}

static void
beckon_health_bar_init (BeckonHealthBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
