/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-profile-removal.h"

#include "base/beckon-text-printf.h"
#include "ui/widgets/beckon-toast.h"

#include <glib/gi18n-lib.h>

typedef struct
{
  BeckonRuntime *runtime; /* (owned) */
  BeckonProfile *profile; /* (owned): as it was */
  gboolean was_chosen;
  gboolean is_back;
} Removal;

/* With the notice the way back is gone, however it went: it was closed, its time was over, or the window is. */
static void
removal_end (gpointer data)
{
  Removal *removal = data;

  if (!removal->is_back)
    beckon_secrets_store_async (beckon_runtime_get_secrets (removal->runtime), beckon_profile_get_id (removal->profile), NULL,
                                NULL, NULL, NULL, NULL, NULL);
  g_object_unref (removal->runtime);
  g_object_unref (removal->profile);
  g_free (removal);
}

static void
on_undo (AdwToast *toast, gpointer user_data)
{
  Removal *removal = user_data;

  removal->is_back = TRUE;
  beckon_profiles_save_async (beckon_runtime_get_profiles (removal->runtime), removal->profile, NULL, NULL, NULL);
  if (removal->was_chosen)
    beckon_settings_set_default_profile (beckon_runtime_get_settings (removal->runtime),
                                         beckon_profile_get_id (removal->profile));
}

/* The default profile must exist. */
static gboolean
choose_another (BeckonSettings *settings, const char *profile_id)
{
  g_autofree char *chosen = beckon_settings_dup_default_profile (settings);

  if (g_strcmp0 (chosen, profile_id) != 0)
    return FALSE;
  beckon_settings_set_default_profile (settings, BECKON_PROFILE_TOUR_ID);
  return TRUE;
}

static void
on_removed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GtkWidget) place = user_data;
  g_autoptr (GError) error = NULL;

  if (!beckon_profiles_remove_finish (BECKON_PROFILES (source), result, &error))
    beckon_toast_show (place, beckon_toast_new (error->message));
}

void
beckon_profile_removal_begin (GtkWidget *place, BeckonRuntime *runtime, const char *profile_id)
{
  BeckonProfiles *profiles = beckon_runtime_get_profiles (runtime);
  BeckonProfile *profile = beckon_profiles_lookup (profiles, profile_id);
  g_autofree char *escaped = NULL;
  g_autofree char *title = NULL;
  Removal *removal;
  AdwToast *toast;

  if (profile == NULL)
    return;
  removal = g_new0 (Removal, 1);
  removal->runtime = g_object_ref (runtime);
  removal->profile = beckon_profile_copy (profile);
  removal->was_chosen = choose_another (beckon_runtime_get_settings (runtime), profile_id);
  escaped = g_markup_escape_text (beckon_profile_get_name (profile), -1);
  /* Translators: a profile, which is named, was removed */
  title = beckon_text_printf (_("%s removed"), escaped);
  toast = adw_toast_new (title);
  adw_toast_set_button_label (toast, _("_Undo"));
  g_object_set_data_full (G_OBJECT (toast), "removal", removal, removal_end);
  g_signal_connect (toast, "button-clicked", G_CALLBACK (on_undo), removal);
  beckon_toast_show (place, toast);
  beckon_profiles_remove_async (profiles, beckon_profile_get_id (removal->profile), NULL, on_removed, g_object_ref (place));
}
