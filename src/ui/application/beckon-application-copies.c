/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-application-private.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "store/queries/beckon-store-copies.h"
#include "ui/preferences/beckon-copy-button.h"
#include "ui/widgets/beckon-alert.h"

#include <glib/gi18n-lib.h>

/* A copy takes the place of the history while nobody has it open, so all windows close, and one comes back. */

static void
on_copy_requested (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonApplication) self = user_data;
  g_autoptr (GError) error = NULL;

  if (beckon_store_request_copy_finish (BECKON_STORE (source), result, &error))
    {
      g_application_hold (G_APPLICATION (self));
      beckon_application_close_windows (self);
      g_application_activate (G_APPLICATION (self));
      g_application_release (G_APPLICATION (self));
    }
  else if (beckon_application_get_window (self) != NULL)
    beckon_window_toast (beckon_application_get_window (self), error->message);
}

static void
on_open_copy_response (GtkWidget *alert, const char *response, BeckonApplication *self)
{
  if (g_strcmp0 (response, "open") == 0 && self->runtime != NULL && !self->closing)
    beckon_store_request_copy_async (beckon_runtime_get_store (self->runtime),
                                     g_object_get_data (G_OBJECT (alert), "beckon-copy"), on_copy_requested,
                                     g_object_ref (self));
}

static void
open_copy_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  BeckonApplication *self = user_data;
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (self));
  g_autofree char *day = NULL;
  g_autofree char *folder = NULL;
  g_autofree char *heading = NULL;
  g_autofree char *kept = NULL;
  g_autofree char *body = NULL;
  const char *directory, *name, *date;
  GtkWidget *alert;

  if (self->runtime == NULL || window == NULL)
    return;

  directory = beckon_store_get_directory (beckon_runtime_get_store (self->runtime));
  g_variant_get (parameter, "(&s&s)", &name, &date);
  day = beckon_copy_button_describe_date (date);
  folder = beckon_text_for_display (directory, -1, BECKON_TEXT_EXACT);
  heading = beckon_text_printf (_("Open the Copy of %s?"), day);
  kept = beckon_text_printf (_("• The file that is in use now stays in %s as “beckon-replaced”, with date and time."), folder);
  body = g_strjoin ("\n",
                    _("• What was added or changed since then is not in it: messages, answers, rules, profiles and everything "
                      "else."),
                    _("• What was under way when it was made is stopped, and text channels are off."), kept,
                    _("• All Beckon windows close, and one opens again."), NULL);
  alert = beckon_alert_new (heading, body);
  g_object_set_data_full (G_OBJECT (alert), "beckon-copy", g_strdup (name), g_free);
  beckon_alert_add_responses (alert, "cancel", _("_Cancel"), "open", _("_Open Copy"), NULL);
  beckon_alert_set_appearance (alert, "open", ADW_RESPONSE_DESTRUCTIVE);
  beckon_alert_set_defaults (alert, "cancel", "cancel");
  g_signal_connect_object (alert, "response", G_CALLBACK (on_open_copy_response), self, 0);
  beckon_alert_present (alert, self->preferences != NULL ? self->preferences : GTK_WIDGET (window));
}

void
beckon_application_add_copy_action (BeckonApplication *self)
{
  static const GActionEntry actions[] = {
    { .name = "open-copy", .activate = open_copy_action, .parameter_type = "(ss)" },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
}
