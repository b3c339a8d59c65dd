/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-sidebar-row.h"

#include <glib/gi18n-lib.h>

struct _BeckonSidebarRow
{
  AdwBin parent_instance;

  BeckonConversation *conversation; /* (owned) (nullable) */

  GtkLabel *title_label;
  GtkWidget *dot;
};

G_DEFINE_FINAL_TYPE (BeckonSidebarRow, beckon_sidebar_row, ADW_TYPE_BIN)

static void
set_class (GtkWidget *widget, const char *name, gboolean on)
{
  if (on)
    gtk_widget_add_css_class (widget, name);
  else
    gtk_widget_remove_css_class (widget, name);
}

static void
update (BeckonSidebarRow *self)
{
  const char *title = beckon_conversation_get_title (self->conversation);
  const char *shown = title != NULL && *title != '\0' ? title : _("New conversation");
  gboolean waiting = beckon_conversation_get_waiting (self->conversation) > 0;
  gboolean busy = beckon_conversation_is_busy (self->conversation) && !waiting;
  const char *state = waiting ? _("waiting for you") : busy ? _("at work") : NULL;
  g_autofree char *spoken = state != NULL ? g_strdup_printf ("%s, %s", shown, state) : g_strdup (shown);
  GtkWidget *item = gtk_widget_get_parent (GTK_WIDGET (self));

  gtk_label_set_text (self->title_label, shown);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), shown);
  set_class (self->dot, "waiting", waiting);
  set_class (self->dot, "busy", busy);
  gtk_widget_set_visible (self->dot, waiting || busy);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
  /* It is the list's own row that takes the focus and is read out. */
  if (item != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (item), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
}

void
beckon_sidebar_row_set_conversation (BeckonSidebarRow *self, BeckonConversation *conversation)
{
  g_return_if_fail (BECKON_IS_SIDEBAR_ROW (self));

  if (self->conversation != NULL)
    g_signal_handlers_disconnect_by_data (self->conversation, self);
  g_set_object (&self->conversation, conversation);
  if (conversation == NULL)
    return;

  g_signal_connect_swapped (conversation, "notify::title", G_CALLBACK (update), self);
  g_signal_connect_swapped (conversation, "notify::waiting", G_CALLBACK (update), self);
  g_signal_connect_swapped (conversation, "notify::phase", G_CALLBACK (update), self);
  update (self);
}

static void
beckon_sidebar_row_dispose (GObject *object)
{
  BeckonSidebarRow *self = BECKON_SIDEBAR_ROW (object);

  beckon_sidebar_row_set_conversation (self, NULL);
  G_OBJECT_CLASS (beckon_sidebar_row_parent_class)->dispose (object);
}

static void
beckon_sidebar_row_class_init (BeckonSidebarRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = beckon_sidebar_row_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/sidebar-row.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonSidebarRow, title_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonSidebarRow, dot);
}

static void
beckon_sidebar_row_init (BeckonSidebarRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
beckon_sidebar_row_new (void)
{
  return g_object_new (BECKON_TYPE_SIDEBAR_ROW, NULL);
}
