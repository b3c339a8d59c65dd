/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-profile-trial.h"

#include <glib/gi18n-lib.h>

struct _BeckonProfileTrial
{
  AdwActionRow *row;
  GtkSpinner *spinner;
  GtkImage *image;
  GtkButton *button;
  char *hint; /* (owned): what stands there before a trial */
  GCancellable *cancellable; /* (owned) (nullable): there while a trial is under way */
};

BeckonProfileTrial *
beckon_profile_trial_new (AdwActionRow *row, GtkSpinner *spinner, GtkImage *image, GtkButton *button)
{
  BeckonProfileTrial *self = g_new0 (BeckonProfileTrial, 1);

  self->row = row;
  self->spinner = spinner;
  self->image = image;
  self->button = button;
  self->hint = g_strdup (adw_action_row_get_subtitle (row));
  /* Servers' words are shown as they are. */
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  return self;
}

static void
trial_end (BeckonProfileTrial *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
}

void
beckon_profile_trial_free (BeckonProfileTrial *self)
{
  trial_end (self);
  g_free (self->hint);
  g_free (self);
}

static void
trial_show_state (BeckonProfileTrial *self, const char *words, const char *icon, const char *style)
{
  adw_action_row_set_subtitle (self->row, words);
  gtk_widget_set_visible (GTK_WIDGET (self->image), icon != NULL);
  gtk_image_set_from_icon_name (self->image, icon);
  gtk_widget_remove_css_class (GTK_WIDGET (self->image), "success");
  gtk_widget_remove_css_class (GTK_WIDGET (self->image), "error");
  if (style != NULL)
    gtk_widget_add_css_class (GTK_WIDGET (self->image), style);
  gtk_spinner_set_spinning (self->spinner, self->cancellable != NULL);
  gtk_button_set_label (self->button, self->cancellable != NULL ? _("Stop") : _("Test"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  self->cancellable != NULL ? _("Stop the test") : _("Test the profile"), -1);
}

void
beckon_profile_trial_reset (BeckonProfileTrial *self)
{
  trial_end (self);
  trial_show_state (self, self->hint, NULL, NULL);
}

void
beckon_profile_trial_fail (BeckonProfileTrial *self, const char *message)
{
  trial_show_state (self, message, "dialog-error-symbolic", "error");
}

typedef struct
{
  BeckonProfileTrial *trial; /* gone when @cancellable is cancelled */
  GCancellable *cancellable; /* (owned) */
} Pending;

static void
trial_on_tested (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Pending *pending = user_data;
  g_autoptr (GCancellable) cancellable = pending->cancellable;
  g_autoptr (GError) error = NULL;
  g_autofree char *words = NULL;
  guint milliseconds;
  gboolean works = beckon_profile_tester_test_finish (BECKON_PROFILE_TESTER (source), result, &milliseconds, &error);

  if (g_cancellable_is_cancelled (cancellable))
    return;
  g_clear_object (&pending->trial->cancellable);
  if (!works)
    {
      beckon_profile_trial_fail (pending->trial, error->message);
      return;
    }
  /* Translators: a test of a model worked; how many seconds it took */
  words = g_strdup_printf (_("It works. The server replied in %.1f s."), milliseconds / 1000.0);
  trial_show_state (pending->trial, words, "emblem-ok-symbolic", "success");
}

void
beckon_profile_trial_start (BeckonProfileTrial *self, BeckonProfileTester *tester, BeckonProfile *profile, const char *key)
{
  Pending *pending;

  if (self->cancellable != NULL)
    {
      trial_end (self);
      trial_show_state (self, _("Stopped."), NULL, NULL);
      return;
    }
  self->cancellable = g_cancellable_new ();
  pending = g_new0 (Pending, 1);
  pending->trial = self;
  pending->cancellable = g_object_ref (self->cancellable);
  trial_show_state (self, _("Waiting for the server…"), NULL, NULL);
  beckon_profile_tester_test_async (tester, profile, key, self->cancellable, trial_on_tested, pending);
}
