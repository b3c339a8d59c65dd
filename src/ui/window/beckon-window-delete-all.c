/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-window-private.h"

#include "agent/beckon-landing-upkeep.h"
#include "base/beckon-error.h"
#include "store/queries/beckon-delete-all.h"
#include "store/queries/beckon-store-secrets.h"
#include "ui/widgets/beckon-alert.h"

#include <glib/gi18n-lib.h>

/* Deleting everything there is of a person: the keys of the profiles first, since only the profiles know of them, then every
 * file of the store. The window goes with its history, and one that begins anew takes its place. */

typedef struct
{
  BeckonWindow *window; /* (owned) */
  guint position;       /* of the profile whose key is next */
  GError *key_error;    /* (owned) (nullable): why a key was not deleted */
} Deletion;

static void
deletion_free (Deletion *deletion)
{
  g_object_unref (deletion->window);
  g_clear_error (&deletion->key_error);
  g_free (deletion);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Deletion, deletion_free)

static void
begin_anew (gpointer user_data)
{
  g_autoptr (BeckonWindow) self = user_data;
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));

  if (application != NULL)
    g_object_ref (application);
  beckon_window_close_now (self);
  if (application == NULL)
    return;
  g_application_activate (G_APPLICATION (application));
  g_object_unref (application);
}

static void
on_failure_read (GtkWidget *alert, const char *response, BeckonWindow *self)
{
  g_idle_add_once (begin_anew, g_object_ref (self));
}

/* The store is closed either way: what was not deleted is there again afterwards. */
static void
show_failure (BeckonWindow *self, const GError *error)
{
  GtkWidget *alert = beckon_alert_new (_("Not Everything Was Deleted"), error->message);

  beckon_alert_add_responses (alert, "close", _("_Close"), NULL);
  g_signal_connect_object (alert, "response", G_CALLBACK (on_failure_read), self, 0);
  beckon_alert_present (alert, GTK_WIDGET (self));
}

static void
on_places_removed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Deletion) deletion = user_data;

  if (deletion->key_error == NULL)
    begin_anew (g_object_ref (deletion->window));
  else
    show_failure (deletion->window, deletion->key_error);
}

static void
on_deleted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Deletion) deletion = user_data;
  g_autoptr (GError) error = NULL;

  if (beckon_store_delete_all_finish (BECKON_STORE (source), result, &error))
    beckon_landing_upkeep_remove_all_async (on_places_removed, g_steal_pointer (&deletion));
  else
    show_failure (deletion->window, error);
}

static void delete_next (Deletion *deletion);

static void
on_key_deleted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Deletion) deletion = user_data;
  g_autoptr (GError) error = NULL;

  /* Without a keyring there is no key in it. */
  if (!beckon_secrets_store_finish (BECKON_SECRETS (source), result, &error) && deletion->key_error == NULL &&
      !g_error_matches (error, BECKON_ERROR, BECKON_ERROR_UNAVAILABLE))
    deletion->key_error = g_steal_pointer (&error);
  delete_next (g_steal_pointer (&deletion));
}

static void
delete_next (Deletion *deletion)
{
  BeckonRuntime *runtime = deletion->window->runtime;
  GListModel *profiles = G_LIST_MODEL (beckon_runtime_get_profiles (runtime));
  g_autoptr (BeckonProfile) profile = g_list_model_get_item (profiles, deletion->position++);

  while (profile != NULL && beckon_profile_get_kind (profile) == BECKON_PROFILE_TOUR)
    {
      g_object_unref (profile);
      profile = g_list_model_get_item (profiles, deletion->position++);
    }
  if (profile != NULL)
    {
      beckon_secrets_store_async (beckon_runtime_get_secrets (runtime), beckon_profile_get_id (profile), NULL, NULL, NULL,
                                  NULL, on_key_deleted, deletion);
      return;
    }
  beckon_store_forget_secrets (beckon_runtime_get_store (runtime),
                               beckon_inbox_get_vault (beckon_runtime_get_inbox (runtime)), NULL);
  beckon_library_flush (beckon_runtime_get_library (runtime));
  beckon_agent_detach (beckon_runtime_get_agent (runtime));
  beckon_store_delete_all_async (beckon_runtime_get_store (runtime), on_deleted, deletion);
}

static void
on_response (GtkWidget *alert, const char *response, BeckonWindow *self)
{
  Deletion *deletion;

  if (g_strcmp0 (response, "delete") != 0 || self->runtime == NULL)
    return;

  gtk_widget_set_sensitive (GTK_WIDGET (self->flap), FALSE);
  deletion = g_new0 (Deletion, 1);
  deletion->window = g_object_ref (self);
  delete_next (deletion);
}

static void
delete_all_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  GtkWidget *alert;
  g_autofree char *body = NULL;

  if (self->runtime == NULL)
    return;

  body = g_strjoin ("\n", _("This permanently deletes:"),
                    _("• every conversation with its messages, questions, answers and drafts, and the search index"),
                    _("• the audit log and all rules"),
                    _("• all profiles, and their keys in the keyring"),
                    _("• copies from older versions, and files recovered from damage"),
                    _("Settings stay, and so do files you exported."), NULL);
  alert = beckon_alert_new (_("Delete All Data?"), body);
  beckon_alert_add_responses (alert, "cancel", _("_Cancel"), "delete", _("_Delete Everything"), NULL);
  beckon_alert_set_appearance (alert, "delete", ADW_RESPONSE_DESTRUCTIVE);
  beckon_alert_set_defaults (alert, "cancel", "cancel");
  g_signal_connect_object (alert, "response", G_CALLBACK (on_response), self, 0);
  beckon_alert_present (alert, GTK_WIDGET (self));
}

void
beckon_window_install_delete_all (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.delete-all", NULL, delete_all_action);
}
