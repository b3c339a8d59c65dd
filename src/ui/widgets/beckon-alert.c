/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-alert.h"

#include "beckon-compat.h"

#define TITLE_LEAST_WIDTH 100

/* As libadwaita 1.5 has them, which may be there at run time although they must not be asked for when this is built. */
static struct
{
  GtkWidget *(*create) (const char *heading, const char *body);
  void (*add_response) (gpointer alert, const char *id, const char *label);
  void (*set_appearance) (gpointer alert, const char *id, AdwResponseAppearance appearance);
  void (*set_enabled) (gpointer alert, const char *id, gboolean is_enabled);
  void (*present) (gpointer alert, GtkWidget *parent);
  void (*force_close) (gpointer alert);
} sheets;

gboolean
beckon_alert_is (gpointer widget)
{
  return ADW_IS_MESSAGE_DIALOG (widget)
         || (GTK_IS_WIDGET (widget) && g_str_equal (G_OBJECT_TYPE_NAME (widget), "AdwAlertDialog"));
}

GtkWidget *
beckon_alert_new (const char *heading, const char *body)
{
  static const BeckonSymbol symbols[] = {
    { "adw_alert_dialog_new", &sheets.create },
    { "adw_alert_dialog_add_response", &sheets.add_response },
    { "adw_alert_dialog_set_response_appearance", &sheets.set_appearance },
    { "adw_alert_dialog_set_response_enabled", &sheets.set_enabled },
    { "adw_dialog_present", &sheets.present },
    { "adw_dialog_force_close", &sheets.force_close },
  };
  static gsize state;

  return beckon_symbols_find_once (&state, NULL, symbols, G_N_ELEMENTS (symbols))
             ? sheets.create (heading, body)
             : adw_message_dialog_new (NULL, heading, body);
}

void
beckon_alert_add_responses (GtkWidget *alert, const char *first_id, ...)
{
  va_list rest;

  g_return_if_fail (beckon_alert_is (alert));

  va_start (rest, first_id);
  for (const char *id = first_id; id != NULL; id = va_arg (rest, const char *))
    {
      const char *label = va_arg (rest, const char *);

      if (ADW_IS_MESSAGE_DIALOG (alert))
        adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (alert), id, label);
      else
        sheets.add_response (alert, id, label);
    }
  va_end (rest);
}

void
beckon_alert_set_appearance (GtkWidget *alert, const char *id, AdwResponseAppearance appearance)
{
  g_return_if_fail (beckon_alert_is (alert));

  if (ADW_IS_MESSAGE_DIALOG (alert))
    adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (alert), id, appearance);
  else
    sheets.set_appearance (alert, id, appearance);
}

void
beckon_alert_set_enabled (GtkWidget *alert, const char *id, gboolean is_enabled)
{
  g_return_if_fail (beckon_alert_is (alert));

  if (ADW_IS_MESSAGE_DIALOG (alert))
    adw_message_dialog_set_response_enabled (ADW_MESSAGE_DIALOG (alert), id, is_enabled);
  else
    sheets.set_enabled (alert, id, is_enabled);
}

void
beckon_alert_set_defaults (GtkWidget *alert, const char *default_id, const char *close_id)
{
  g_return_if_fail (beckon_alert_is (alert));

  g_object_set (alert, "default-response", default_id, "close-response", close_id, NULL);
}

void
beckon_alert_set_extra_child (GtkWidget *alert, GtkWidget *child)
{
  g_return_if_fail (beckon_alert_is (alert));

  g_object_set (alert, "extra-child", child, NULL);
}

GtkWidget *
beckon_alert_get_extra_child (GtkWidget *alert)
{
  g_autoptr (GtkWidget) child = NULL;

  g_return_val_if_fail (beckon_alert_is (alert), NULL);

  g_object_get (alert, "extra-child", &child, NULL);
  return child;
}

/* A dialog asks how high its title is in less than its width, which a label that does not wrap warns of (GTK 4.16). It has
 * another one that does, in smaller letters, and shows this where it fits; both need room for one letter. */
static void
let_headings_wrap (GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget) && gtk_widget_has_css_class (widget, "title-2"))
    {
      gtk_label_set_wrap (GTK_LABEL (widget), TRUE);
      gtk_label_set_wrap_mode (GTK_LABEL (widget), PANGO_WRAP_WORD_CHAR);
      gtk_widget_set_size_request (gtk_widget_get_parent (widget), TITLE_LEAST_WIDTH, -1);
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    let_headings_wrap (child);
}

void
beckon_alert_present (GtkWidget *alert, GtkWidget *parent)
{
  GtkRoot *root = parent != NULL ? gtk_widget_get_root (parent) : NULL;

  g_return_if_fail (beckon_alert_is (alert));

  if (gtk_check_version (4, 10, 0) == NULL)
    let_headings_wrap (alert);
  if (!GTK_IS_WINDOW (alert))
    {
      sheets.present (alert, parent);
      return;
    }
  if (GTK_IS_WINDOW (root))
    gtk_window_set_transient_for (GTK_WINDOW (alert), GTK_WINDOW (root));
  gtk_window_present (GTK_WINDOW (alert));
}

void
beckon_alert_dismiss (GtkWidget *alert)
{
  g_return_if_fail (beckon_alert_is (alert));

  if (GTK_IS_WINDOW (alert))
    {
      gtk_window_destroy (GTK_WINDOW (alert));
      return;
    }
  /* A sheet that is closed has its close response as an answer. */
  g_signal_handlers_block_matched (alert, G_SIGNAL_MATCH_ID, g_signal_lookup ("response", G_OBJECT_TYPE (alert)), 0, NULL, NULL,
                                   NULL);
  sheets.force_close (alert);
}

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
