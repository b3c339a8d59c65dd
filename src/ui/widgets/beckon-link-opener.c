/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-link-opener.h"

#include "base/beckon-text.h"

#include <adwaita.h>
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
on_response (AdwMessageDialog *dialog, const char *response)
{
  const char *address = g_object_get_data (G_OBJECT (dialog), ADDRESS);

  if (g_str_equal (response, OPEN))
    open_address (GTK_WIDGET (dialog), address);
  else if (g_str_equal (response, COPY))
    gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (dialog)), address);
}

static void
ask (GtkWidget *widget, const char *address)
{
  GtkRoot *root = gtk_widget_get_root (widget);
  g_autofree char *shown = beckon_text_for_display (address, -1, BECKON_TEXT_EXACT);
  GtkWidget *dialog = adw_message_dialog_new (GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, _("Open Link?"), shown);

  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _("_Cancel"), COPY, _("Copy _Address"), OPEN,
                                    _("_Open"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), OPEN, ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), OPEN);
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  g_object_set_data_full (G_OBJECT (dialog), ADDRESS, g_strdup (address), g_free);
  g_signal_connect (dialog, "response", G_CALLBACK (on_response), NULL);
  gtk_window_present (GTK_WINDOW (dialog));
}

void
beckon_link_opener_open (GtkLabel *label, const char *address)
{
  g_return_if_fail (GTK_IS_LABEL (label));

  if (!beckon_link_opener_can_open (address))
    return;
  /* A visible address needs no question. */
  if (strstr (gtk_label_get_text (label), address) != NULL)
    open_address (GTK_WIDGET (label), address);
  else
    ask (GTK_WIDGET (label), address);
}
