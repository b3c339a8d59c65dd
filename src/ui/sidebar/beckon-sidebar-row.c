/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-sidebar-row.h"

#include "base/beckon-text.h"
#include "ui/widgets/beckon-activity.h"
#include "ui/widgets/beckon-controls.h"

#include <glib/gi18n-lib.h>

struct _BeckonSidebarRow
{
  AdwBin parent_instance;

  BeckonConversation *conversation; /* (owned) (nullable) */

  GtkLabel *heading_label;
  GtkWidget *temporary_icon;
  GtkLabel *title_label;
  GtkWidget *activity;
  GtkImage *state_icon;
  GtkWidget *dot;
};

G_DEFINE_FINAL_TYPE (BeckonSidebarRow, beckon_sidebar_row, ADW_TYPE_BIN)

/* How the last run of a conversation stands, as far as it is of interest to somebody who looks elsewhere. */
typedef struct
{
  const char *words;     /* (nullable): for who cannot see it */
  const char *icon_name; /* (nullable) */
  const char *style;     /* (nullable): of the icon */
  gboolean spins;
  gboolean has_dot;
} RowState;

static RowState
get_state (BeckonConversation *conversation)
{
  BeckonRunPhase phase = beckon_conversation_get_phase (conversation);

  if (beckon_conversation_get_waiting (conversation) > 0)
    return (RowState){ .words = _("waiting for you"), .has_dot = TRUE };
  if (beckon_conversation_is_busy (conversation))
    return (RowState){ .words = _("working"), .spins = TRUE };
  if (!beckon_conversation_get_has_run (conversation))
    return (RowState){ .words = NULL };
  if (phase == BECKON_RUN_FAILED)
    return (RowState){ .words = _("failed"), .icon_name = "dialog-error-symbolic", .style = "error" };
  if (phase == BECKON_RUN_CUT_OFF)
    return (RowState){ .words = _("interrupted"), .icon_name = "dialog-warning-symbolic", .style = "warning" };
  return (RowState){ .words = NULL };
}

/* A name read out: title, state and marks, which all are to be seen as well. */
static char *
sidebar_row_make_name (BeckonConversation *conversation, const char *title, const char *state)
{
  GString *name = g_string_new (title);

  const char *const marks[] = {
    state,
    beckon_conversation_get_unread (conversation) ? _("unread") : NULL,
    beckon_conversation_get_temporary (conversation) ? _("temporary") : NULL,
  };

  for (guint i = 0; i < G_N_ELEMENTS (marks); i++)
    if (marks[i] != NULL)
      g_string_append_printf (name, ", %s", marks[i]);
  return g_string_free (name, FALSE);
}

static void
sidebar_row_update (BeckonSidebarRow *self)
{
  const char *title = beckon_conversation_get_title (self->conversation);
  g_autofree char *safe = beckon_text_for_display (title, -1, BECKON_TEXT_PROSE);
  const char *shown = *safe != '\0' ? safe : _("New conversation");
  RowState state = get_state (self->conversation);
  g_autofree char *name = sidebar_row_make_name (self->conversation, shown, state.words);
  GtkWidget *item = gtk_widget_get_parent (GTK_WIDGET (self));
  gboolean unread = beckon_conversation_get_unread (self->conversation);
  g_autoptr (PangoAttrList) attributes = unread ? pango_attr_list_new () : NULL;

  gtk_label_set_text (self->title_label, shown);
  /* A label whose class goes as its window comes up keeps the font of the class with GTK 4.8: attributes go at once. */
  if (unread)
    pango_attr_list_insert (attributes, pango_attr_weight_new (PANGO_WEIGHT_BOLD));
  gtk_label_set_attributes (self->title_label, attributes);
  gtk_widget_set_visible (self->temporary_icon, beckon_conversation_get_temporary (self->conversation));

  gtk_widget_set_visible (self->dot, state.has_dot);
  gtk_widget_set_visible (self->activity, state.spins);
  gtk_widget_set_visible (GTK_WIDGET (self->state_icon), state.icon_name != NULL);
  gtk_image_set_from_icon_name (self->state_icon, state.icon_name);
  beckon_css_class_set (GTK_WIDGET (self->state_icon), "error", g_strcmp0 (state.style, "error") == 0);
  beckon_css_class_set (GTK_WIDGET (self->state_icon), "warning", g_strcmp0 (state.style, "warning") == 0);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  /* The list's own row takes the focus and is read out. */
  if (item != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (item), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

void
beckon_sidebar_row_set_heading (BeckonSidebarRow *self, const char *heading)
{
  beckon_label_say (self->heading_label, heading);
}

BeckonConversation *
beckon_sidebar_row_get_conversation (BeckonSidebarRow *self)
{
  return self->conversation;
}

void
beckon_sidebar_row_set_conversation (BeckonSidebarRow *self, BeckonConversation *conversation)
{
  if (self->conversation != NULL)
    g_signal_handlers_disconnect_by_data (self->conversation, self);
  g_set_object (&self->conversation, conversation);
  if (conversation == NULL)
    {
      gtk_widget_set_visible (self->activity, FALSE);
      return;
    }

  g_signal_connect_swapped (conversation, "notify::title", G_CALLBACK (sidebar_row_update), self);
  g_signal_connect_swapped (conversation, "notify::waiting", G_CALLBACK (sidebar_row_update), self);
  g_signal_connect_swapped (conversation, "notify::phase", G_CALLBACK (sidebar_row_update), self);
  g_signal_connect_swapped (conversation, "notify::unread", G_CALLBACK (sidebar_row_update), self);
  sidebar_row_update (self);
}

/* Only what does not fit. */
static gboolean
on_query_tooltip (BeckonSidebarRow *self, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  if (!pango_layout_is_ellipsized (gtk_label_get_layout (self->title_label)))
    return FALSE;

  gtk_tooltip_set_text (tooltip, gtk_label_get_text (self->title_label));
  return TRUE;
}

static void
beckon_sidebar_row_dispose (GObject *object)
{
  BeckonSidebarRow *self = BECKON_SIDEBAR_ROW (object);

  if (self->conversation != NULL)
    g_signal_handlers_disconnect_by_data (self->conversation, self);
  g_clear_object (&self->conversation);
  G_OBJECT_CLASS (beckon_sidebar_row_parent_class)->dispose (object);
}

static void
beckon_sidebar_row_class_init (BeckonSidebarRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (BECKON_TYPE_ACTIVITY);
  G_OBJECT_CLASS (klass)->dispose = beckon_sidebar_row_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/sidebar-row.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonSidebarRow, heading_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonSidebarRow, temporary_icon);
  gtk_widget_class_bind_template_child (widget_class, BeckonSidebarRow, title_label);
  gtk_widget_class_bind_template_child (widget_class, BeckonSidebarRow, activity);
  gtk_widget_class_bind_template_child (widget_class, BeckonSidebarRow, state_icon);
  gtk_widget_class_bind_template_child (widget_class, BeckonSidebarRow, dot);
}

static void
beckon_sidebar_row_init (BeckonSidebarRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (on_query_tooltip), NULL);
}

