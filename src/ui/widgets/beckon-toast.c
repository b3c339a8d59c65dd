/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-toast.h"

AdwToast *
beckon_toast_new (const char *words)
{
  g_autofree char *markup = g_markup_escape_text (words, -1);

  return adw_toast_new (markup);
}

void
beckon_toast_show (GtkWidget *widget, AdwToast *toast)
{
  GtkWidget *overlay = gtk_widget_get_ancestor (widget, ADW_TYPE_TOAST_OVERLAY);

  if (overlay != NULL)
    adw_toast_overlay_add_toast (ADW_TOAST_OVERLAY (overlay), toast);
  else
    g_object_unref (toast);
}
