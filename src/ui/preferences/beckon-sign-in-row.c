/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-sign-in-row-private.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-wipe.h"
#include "llm/beckon-sign-in.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _BeckonSignInRow
{
  AdwActionRow parent_instance;

  BeckonPreset *preset;      /* (nullable): there as long as the process */
  GCancellable *cancellable; /* (owned) (nullable): while somebody signs in */
  char *address;             /* (owned) (nullable): for the browser, meanwhile; wiped */
  GtkSpinner *spinner;
  GtkButton *copy_button;
  GtkButton *button;
};

G_DEFINE_FINAL_TYPE (BeckonSignInRow, beckon_sign_in_row, ADW_TYPE_ACTION_ROW)

static guint signed_in_signal, failed_signal;
static BeckonSignInOpenFunc open_function;
static gpointer open_data;

void
beckon_sign_in_row_open_with (BeckonSignInOpenFunc function, gpointer user_data)
{
  open_function = function;
  open_data = user_data;
}

static void
sign_in_row_show_state (BeckonSignInRow *self)
{
  gboolean is_running = self->cancellable != NULL;

  adw_action_row_set_subtitle (ADW_ACTION_ROW (self), is_running ? _("Waiting for the browser…")
                               : _("Your browser opens. The key comes back by itself."));
  gtk_button_set_label (self->button, is_running ? _("Cancel") : _("Sign In…"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  is_running ? _("Stop signing in") : _("Sign in with the browser"), -1);
  gtk_widget_set_visible (GTK_WIDGET (self->copy_button), is_running);
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), is_running);
  gtk_spinner_set_spinning (self->spinner, is_running);
}

static void
sign_in_row_stop (BeckonSignInRow *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->address, beckon_wipe);
}

static void
sign_in_row_on_signed_in (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonSignInRow) self = user_data;
  g_autoptr (GError) error = NULL;
  char *key = beckon_sign_in_run_finish (BECKON_SIGN_IN (source), result, &error);

  /* A stop was the person's own, and needs no word. */
  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_clear_object (&self->cancellable);
      g_clear_pointer (&self->address, beckon_wipe);
      sign_in_row_show_state (self);
      if (key != NULL)
        g_signal_emit (self, signed_in_signal, 0, key);
      else
        g_signal_emit (self, failed_signal, 0, error->message);
    }
  beckon_wipe (key);
}

/* Waiting goes on without a browser of ours: any on this computer will do. */
static void
tell_unopened (BeckonSignInRow *self, const GError *error)
{
  /* Translators: why, in the system's words */
  g_autofree char *words = beckon_text_printf (_("The browser did not open (%s). Copy the address and open it in one "
                                                 "yourself."),
                                               error->message);

  g_signal_emit (self, failed_signal, 0, words);
}

typedef struct
{
  BeckonSignInRow *row;      /* (owned) */
  GCancellable *cancellable; /* (owned): of the sign-in that it is for */
} Showing;

static void
sign_in_row_on_shown (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Showing *showing = user_data;
  g_autoptr (BeckonSignInRow) self = showing->row;
  g_autoptr (GCancellable) cancellable = showing->cancellable;
  g_autoptr (GError) error = NULL;

  if (!gtk_show_uri_full_finish (source != NULL ? GTK_WINDOW (source) : NULL, result, &error)
      && self->cancellable == cancellable)
    tell_unopened (self, error);
}

static void
sign_in_row_on_copy_clicked (BeckonSignInRow *self)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), self->address);
}

static void
sign_in_row_on_clicked (BeckonSignInRow *self)
{
  if (self->cancellable == NULL)
    {
      g_autoptr (BeckonSignIn) sign_in
          = beckon_sign_in_new (beckon_preset_get_sign_in_url (self->preset), beckon_preset_get_sign_in_keys_url (self->preset),
                                beckon_clock_get_system ());
      g_autoptr (GError) error = NULL;
      const char *address = beckon_sign_in_listen (sign_in, &error);
      GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
      Showing *showing;

      if (address == NULL)
        {
          g_signal_emit (self, failed_signal, 0, error->message);
          return;
        }
      self->cancellable = g_cancellable_new ();
      self->address = g_strdup (address);
      sign_in_row_show_state (self);
      beckon_sign_in_run_async (sign_in, self->cancellable, sign_in_row_on_signed_in, g_object_ref (self));
      if (open_function != NULL)
        {
          if (!open_function (self->address, open_data, &error))
            tell_unopened (self, error);
          return;
        }
      showing = g_new0 (Showing, 1);
      showing->row = g_object_ref (self);
      showing->cancellable = g_object_ref (self->cancellable);
      gtk_show_uri_full (GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, self->address, GDK_CURRENT_TIME, self->cancellable,
                         sign_in_row_on_shown, showing);
      return;
    }
  sign_in_row_stop (self);
  sign_in_row_show_state (self);
}

void
beckon_sign_in_row_set_preset (BeckonSignInRow *self, BeckonPreset *preset)
{
  g_autofree char *title = NULL;

  if (preset != NULL && *beckon_preset_get_sign_in_url (preset) == '\0')
    preset = NULL;
  if (self->preset == preset)
    return;
  sign_in_row_stop (self);
  self->preset = preset;
  gtk_widget_set_visible (GTK_WIDGET (self), preset != NULL);
  sign_in_row_show_state (self);
  if (preset == NULL)
    return;
  /* Translators: a provider */
  title = beckon_text_printf (_("Sign In with %s"), beckon_preset_get_name (preset));
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self), title);
}

static void
beckon_sign_in_row_dispose (GObject *object)
{
  sign_in_row_stop (BECKON_SIGN_IN_ROW (object));
  G_OBJECT_CLASS (beckon_sign_in_row_parent_class)->dispose (object);
}

static void
beckon_sign_in_row_unroot (GtkWidget *widget)
{
  sign_in_row_stop (BECKON_SIGN_IN_ROW (widget));
  GTK_WIDGET_CLASS (beckon_sign_in_row_parent_class)->unroot (widget);
}

static void
beckon_sign_in_row_class_init (BeckonSignInRowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_sign_in_row_dispose;
  GTK_WIDGET_CLASS (klass)->unroot = beckon_sign_in_row_unroot;
  signed_in_signal = g_signal_new ("signed-in", BECKON_TYPE_SIGN_IN_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                   1, G_TYPE_STRING | G_SIGNAL_TYPE_STATIC_SCOPE);
  failed_signal = g_signal_new ("failed", BECKON_TYPE_SIGN_IN_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                G_TYPE_STRING);
}

static void
beckon_sign_in_row_init (BeckonSignInRow *self)
{
  self->spinner = GTK_SPINNER (gtk_spinner_new ());
  self->copy_button = GTK_BUTTON (gtk_button_new_from_icon_name ("edit-copy-symbolic"));
  self->button = GTK_BUTTON (gtk_button_new ());
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->copy_button), _("Copy Address"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->copy_button), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Copy Address"), -1);
  gtk_widget_add_css_class (GTK_WIDGET (self->copy_button), "flat");
  gtk_widget_set_valign (GTK_WIDGET (self->copy_button), GTK_ALIGN_CENTER);
  gtk_widget_set_valign (GTK_WIDGET (self->spinner), GTK_ALIGN_CENTER);
  gtk_widget_set_valign (GTK_WIDGET (self->button), GTK_ALIGN_CENTER);
  adw_action_row_add_suffix (ADW_ACTION_ROW (self), GTK_WIDGET (self->spinner));
  adw_action_row_add_suffix (ADW_ACTION_ROW (self), GTK_WIDGET (self->copy_button));
  adw_action_row_add_suffix (ADW_ACTION_ROW (self), GTK_WIDGET (self->button));
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (self), 3);
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (self), FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  g_signal_connect_swapped (self->copy_button, "clicked", G_CALLBACK (sign_in_row_on_copy_clicked), self);
  g_signal_connect_swapped (self->button, "clicked", G_CALLBACK (sign_in_row_on_clicked), self);
  sign_in_row_show_state (self);
}
