/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-switched-row.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"

#include <glib/gi18n-lib.h>

typedef struct
{
  GtkSwitch *on_switch;
  gboolean is_showing;
} BeckonSwitchedRowPrivate;

G_DEFINE_TYPE_WITH_PRIVATE (BeckonSwitchedRow, beckon_switched_row, ADW_TYPE_ACTION_ROW)

static guint failed_signal;

/* The window's search shows titles as markup. */
void
beckon_switched_row_show (BeckonSwitchedRow *row, const char *name, const char *words, gboolean is_on)
{
  BeckonSwitchedRowPrivate *priv = beckon_switched_row_get_instance_private (row);
  g_autofree char *shown = beckon_text_for_display (name, -1, BECKON_TEXT_EXACT);
  g_autofree char *title = g_markup_escape_text (shown, -1);
  g_autofree char *subtitle = g_markup_escape_text (words, -1);
  /* Translators: a switch of a server or a channel, which is named */
  g_autofree char *spoken = beckon_text_printf (_("Use %s"), shown);

  priv->is_showing = TRUE;
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  gtk_switch_set_active (priv->on_switch, is_on);
  gtk_accessible_update_property (GTK_ACCESSIBLE (priv->on_switch), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
  priv->is_showing = FALSE;
}

void
beckon_switched_row_fail (BeckonSwitchedRow *row, const char *message)
{
  g_signal_emit (row, failed_signal, 0, message);
}

static void
switched_row_on_switched (BeckonSwitchedRow *self)
{
  BeckonSwitchedRowPrivate *priv = beckon_switched_row_get_instance_private (self);
  BeckonSwitchedRowClass *klass = BECKON_SWITCHED_ROW_GET_CLASS (self);

  if (!priv->is_showing && klass->switched != NULL)
    klass->switched (self, gtk_switch_get_active (priv->on_switch));
}

static void
beckon_switched_row_class_init (BeckonSwitchedRowClass *klass)
{
  failed_signal = g_signal_new ("failed", BECKON_TYPE_SWITCHED_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                G_TYPE_STRING);
}

static void
beckon_switched_row_init (BeckonSwitchedRow *self)
{
  BeckonSwitchedRowPrivate *priv = beckon_switched_row_get_instance_private (self);
  GtkWidget *next = g_object_new (GTK_TYPE_IMAGE, "icon-name", "go-next-symbolic", "accessible-role",
                                  GTK_ACCESSIBLE_ROLE_PRESENTATION, NULL);

  priv->on_switch = GTK_SWITCH (gtk_switch_new ());
  gtk_widget_set_valign (GTK_WIDGET (priv->on_switch), GTK_ALIGN_CENTER);
  adw_action_row_add_suffix (ADW_ACTION_ROW (self), GTK_WIDGET (priv->on_switch));
  adw_action_row_add_suffix (ADW_ACTION_ROW (self), next);
  adw_action_row_set_title_lines (ADW_ACTION_ROW (self), 2);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (self), 4);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (self), TRUE);
  g_signal_connect_swapped (priv->on_switch, "notify::active", G_CALLBACK (switched_row_on_switched), self);
}
