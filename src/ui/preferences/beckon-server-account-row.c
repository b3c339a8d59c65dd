/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-server-account-row.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-wipe.h"

#include <glib/gi18n-lib.h>

typedef enum
{
  SIGNED_OUT,
  SIGNED_IN,
  SIGNING_IN,
  LOCKED, /* there is a sign-in, in a keyring that is locked */
} State;

struct _BeckonServerAccountRow
{
  AdwActionRow parent_instance;

  BeckonMcpService *service; /* (owned) (nullable) */
  BeckonOauth *oauth;        /* (owned) (nullable): the service's own; another one where its settings changed */
  GCancellable *cancellable; /* (owned): ends what is under way */
  State state;
  char *address; /* (owned) (nullable): of the page to sign in on, while that is waited for */
  GtkSpinner *spinner;
  GtkWidget *copy_button;
  GtkButton *button;
};

G_DEFINE_FINAL_TYPE (BeckonServerAccountRow, beckon_server_account_row, ADW_TYPE_ACTION_ROW)

static guint signed_in_signal, failed_signal;

static const char *
account_row_describe (BeckonServerAccountRow *self)
{
  switch (self->state)
    {
    case SIGNED_IN:
      return beckon_oauth_is_kept (self->oauth) ? _("Signed in")
                                                : _("Signed in until Beckon ends: no keyring is available");

    case SIGNING_IN:
      return _("Waiting for the browser…");

    case LOCKED:
      return _("The keyring that holds the sign-in is locked");

    case SIGNED_OUT:
    default:
      return beckon_mcp_service_needs_sign_in (self->service) ? _("The server wants you to sign in")
                                                              : _("Not signed in. Not every server needs it.");
    }
}

static void
account_row_show_state (BeckonServerAccountRow *self)
{
  static const char *const labels[] = { N_("Sign In…"), N_("Sign Out"), N_("Cancel"), N_("Unlock…") };
  static const char *const spoken[] = { N_("Sign in to the server"), N_("Sign out of the server"), N_("Stop signing in"),
                                         N_("Unlock the keyring") };
  gboolean is_running = self->state == SIGNING_IN;

  adw_action_row_set_subtitle (ADW_ACTION_ROW (self), account_row_describe (self));
  gtk_button_set_label (self->button, _(labels[self->state]));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL, _(spoken[self->state]), -1);
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), is_running);
  gtk_spinner_set_spinning (self->spinner, is_running);
  gtk_widget_set_visible (self->copy_button, is_running && self->address != NULL);
}

static void
account_row_set_state (BeckonServerAccountRow *self, State state)
{
  if (state != SIGNING_IN)
    g_clear_pointer (&self->address, beckon_wipe);
  self->state = state;
  account_row_show_state (self);
}

static void
begin_anew (BeckonServerAccountRow *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
}

static void
account_row_on_looked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonServerAccountRow) self = user_data;
  g_autoptr (GError) error = NULL;
  gboolean is_in = beckon_oauth_look_finish (BECKON_OAUTH (source), result, &error)
                   && !beckon_mcp_service_needs_sign_in (self->service);

  if (BECKON_OAUTH (source) != self->oauth || self->state == SIGNING_IN)
    return;
  /* A sign-in that the server has just refused is none. */
  if (g_error_matches (error, BECKON_OAUTH_ERROR, BECKON_OAUTH_ERROR_LOCKED))
    account_row_set_state (self, LOCKED);
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    account_row_set_state (self, is_in ? SIGNED_IN : SIGNED_OUT);
}

static void
account_row_on_signed_in (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonServerAccountRow) self = user_data;
  g_autoptr (GError) error = NULL;
  gboolean is_in = beckon_oauth_sign_in_finish (BECKON_OAUTH (source), result, &error);

  /* A stop was the person's own, and needs no word. */
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  account_row_set_state (self, is_in ? SIGNED_IN : SIGNED_OUT);
  if (is_in)
    g_signal_emit (self, signed_in_signal, 0);
  else
    g_signal_emit (self, failed_signal, 0, error->message);
}

static void
on_signed_out (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonServerAccountRow) self = user_data;
  g_autofree char *notice = NULL;
  g_autoptr (GError) error = NULL;

  if (!beckon_oauth_sign_out_finish (BECKON_OAUTH (source), result, &notice, &error))
    {
      g_signal_emit (self, failed_signal, 0, error->message);
      return;
    }
  if (notice != NULL)
    g_signal_emit (self, failed_signal, 0, notice);
  account_row_set_state (self, SIGNED_OUT);
  /* A connection that was signed in to ends with it. */
  beckon_mcp_service_stop (self->service);
}

static void
account_row_on_shown (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonServerAccountRow) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *words = NULL;

  if (gtk_show_uri_full_finish (source != NULL ? GTK_WINDOW (source) : NULL, result, &error) || self->state != SIGNING_IN)
    return;
  /* Translators: why, in the system's words */
  words = beckon_text_printf (_("The browser did not open (%s). Copy the address and open it in one yourself."),
                              error->message);
  g_signal_emit (self, failed_signal, 0, words);
}

/* The person clicked for this; the address is https or this computer's, and goes to the desktop without a shell. */
static void
account_row_show_page (const char *url, gpointer user_data)
{
  BeckonServerAccountRow *self = user_data;
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  g_clear_pointer (&self->address, beckon_wipe);
  self->address = g_strdup (url);
  account_row_show_state (self);
  gtk_show_uri_full (GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, url, GDK_CURRENT_TIME, self->cancellable,
                     account_row_on_shown,
                     g_object_ref (self));
}

static void
account_row_on_clicked (BeckonServerAccountRow *self)
{
  State before = self->state;

  if (self->oauth == NULL)
    return;
  begin_anew (self);
  switch (before)
    {
    case SIGNED_IN:
      beckon_oauth_sign_out_async (self->oauth, self->cancellable, on_signed_out, g_object_ref (self));
      break;

    case SIGNING_IN:
      account_row_set_state (self, SIGNED_OUT);
      break;

    case LOCKED:
      beckon_oauth_look_async (self->oauth, TRUE, self->cancellable, account_row_on_looked, g_object_ref (self));
      break;

    case SIGNED_OUT:
    default:
      account_row_set_state (self, SIGNING_IN);
      beckon_oauth_sign_in_async (self->oauth, account_row_show_page, self, self->cancellable, account_row_on_signed_in,
                                  g_object_ref (self));
    }
}

static void
account_row_on_copy_clicked (BeckonServerAccountRow *self)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), self->address);
}

/* A request may have found what is kept, or that it is good no more; a sign-in by other settings is another one. */
static void
account_row_look (BeckonServerAccountRow *self)
{
  BeckonOauth *oauth = beckon_mcp_service_get_oauth (self->service);

  if (g_set_object (&self->oauth, oauth) && self->state == SIGNING_IN)
    {
      begin_anew (self);
      account_row_set_state (self, SIGNED_OUT);
    }
  gtk_widget_set_visible (GTK_WIDGET (self), oauth != NULL);
  account_row_show_state (self);
  if (oauth != NULL && self->state != SIGNING_IN)
    beckon_oauth_look_async (oauth, FALSE, self->cancellable, account_row_on_looked, g_object_ref (self));
}

void
beckon_server_account_row_set_service (BeckonServerAccountRow *self, BeckonMcpService *service)
{
  g_set_object (&self->service, service);
  g_signal_connect_object (service, "changed", G_CALLBACK (account_row_look), self, G_CONNECT_SWAPPED);
  account_row_look (self);
}

static void
account_row_stop (BeckonServerAccountRow *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
}

static void
beckon_server_account_row_unroot (GtkWidget *widget)
{
  account_row_stop (BECKON_SERVER_ACCOUNT_ROW (widget));
  GTK_WIDGET_CLASS (beckon_server_account_row_parent_class)->unroot (widget);
}

static void
beckon_server_account_row_finalize (GObject *object)
{
  BeckonServerAccountRow *self = BECKON_SERVER_ACCOUNT_ROW (object);

  account_row_stop (self);
  g_clear_object (&self->service);
  g_clear_object (&self->oauth);
  g_clear_object (&self->cancellable);
  beckon_wipe (self->address);
  G_OBJECT_CLASS (beckon_server_account_row_parent_class)->finalize (object);
}

static void
beckon_server_account_row_class_init (BeckonServerAccountRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = beckon_server_account_row_finalize;
  GTK_WIDGET_CLASS (klass)->unroot = beckon_server_account_row_unroot;
  signed_in_signal = g_signal_new ("signed-in", BECKON_TYPE_SERVER_ACCOUNT_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
  failed_signal = g_signal_new ("failed", BECKON_TYPE_SERVER_ACCOUNT_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                1, G_TYPE_STRING);
}

static void
beckon_server_account_row_init (BeckonServerAccountRow *self)
{
  AdwActionRow *row = ADW_ACTION_ROW (self);

  self->cancellable = g_cancellable_new ();
  self->spinner = GTK_SPINNER (gtk_spinner_new ());
  self->copy_button = gtk_button_new_from_icon_name ("edit-copy-symbolic");
  self->button = GTK_BUTTON (gtk_button_new ());
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (self), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self), _("Account"));
  adw_action_row_set_subtitle_lines (row, 3);
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), FALSE);
  gtk_widget_set_visible (self->copy_button, FALSE);
  gtk_widget_set_valign (GTK_WIDGET (self->spinner), GTK_ALIGN_CENTER);
  gtk_widget_set_valign (self->copy_button, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (GTK_WIDGET (self->button), GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (self->copy_button, "flat");
  gtk_widget_set_tooltip_text (self->copy_button, _("Copy Address"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->copy_button), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Copy Address"), -1);
  adw_action_row_add_suffix (row, GTK_WIDGET (self->spinner));
  adw_action_row_add_suffix (row, self->copy_button);
  adw_action_row_add_suffix (row, GTK_WIDGET (self->button));
  g_signal_connect_swapped (self->copy_button, "clicked", G_CALLBACK (account_row_on_copy_clicked), self);
  g_signal_connect_swapped (self->button, "clicked", G_CALLBACK (account_row_on_clicked), self);
}
