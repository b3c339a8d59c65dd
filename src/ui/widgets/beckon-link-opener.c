/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-link-opener.h"

#include "beckon-alert.h"

#include "base/beckon-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define LONGEST_ADDRESS 4096
#define ADDRESS "beckon-address"
#define OPEN "open"
#define COPY "copy"

gboolean
beckon_link_opener_can_open (const char *address)
{
  static const char *const schemes[] = { "http", "https", "mailto", NULL };
  const char *scheme = address != NULL ? g_uri_peek_scheme (address) : NULL;

  return scheme != NULL && strlen (address) <= LONGEST_ADDRESS && g_strv_contains (schemes, scheme);
}

static void
open_address (GtkWidget *widget, const char *address)
{
  GtkRoot *root = gtk_widget_get_root (widget);

  gtk_show_uri (GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, address, GDK_CURRENT_TIME);
}

static void
opener_on_response (GtkWidget *alert, const char *response)
{
  const char *address = g_object_get_data (G_OBJECT (alert), ADDRESS);

  if (g_str_equal (response, OPEN))
    open_address (alert, address);
  else if (g_str_equal (response, COPY))
    gdk_clipboard_set_text (gtk_widget_get_clipboard (alert), address);
}

void
beckon_link_opener_open (GtkLabel *label, const char *address)
{
  if (!beckon_link_opener_can_open (address))
    return;
  /* A visible address needs no question. */
  if (strstr (gtk_label_get_text (label), address) != NULL)
    open_address (GTK_WIDGET (label), address);
  else
    {
      g_autofree char *shown = beckon_text_for_display (address, -1, BECKON_TEXT_EXACT);
      GtkWidget *alert = beckon_alert_new (_("Open Link?"), shown);

      beckon_alert_add_responses (alert, "cancel", _("_Cancel"), COPY, _("Copy _Address"), OPEN, _("_Open"), NULL);
      beckon_alert_set_appearance (alert, OPEN, ADW_RESPONSE_SUGGESTED);
      beckon_alert_set_defaults (alert, OPEN, "cancel");
      g_object_set_data_full (G_OBJECT (alert), ADDRESS, g_strdup (address), g_free);
      g_signal_connect (alert, "response", G_CALLBACK (opener_on_response), NULL);
      beckon_alert_present (alert, GTK_WIDGET (label));
    }
}
