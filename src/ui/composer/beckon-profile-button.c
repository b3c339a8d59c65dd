/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-profile-button.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "domain/beckon-effort.h"
#include "domain/beckon-profile.h"
#include "llm/beckon-effort-members.h"
#include "ui/widgets/beckon-bar-button.h"

#include <glib/gi18n-lib.h>

/* The name of an effort; the same within a line; and where there is little room. */
static const struct
{
  const char *name, *word, *short_word;
} efforts[] = {
  [BECKON_EFFORT_DEFAULT] = { NC_("reasoning effort", "Model Default"), NC_("reasoning effort, within a line", "default"),
                              NC_("reasoning effort, shortened", "auto") },
  [BECKON_EFFORT_OFF] = { NC_("reasoning effort", "Off"), NC_("reasoning effort, within a line", "off"),
                          NC_("reasoning effort, shortened", "off") },
  [BECKON_EFFORT_LOW] = { NC_("reasoning effort", "Low"), NC_("reasoning effort, within a line", "low"),
                          NC_("reasoning effort, shortened", "low") },
  [BECKON_EFFORT_MEDIUM] = { NC_("reasoning effort", "Medium"), NC_("reasoning effort, within a line", "medium"),
                             NC_("reasoning effort, shortened", "med") },
  [BECKON_EFFORT_HIGH] = { NC_("reasoning effort", "High"), NC_("reasoning effort, within a line", "high"),
                           NC_("reasoning effort, shortened", "high") },
  [BECKON_EFFORT_MAX] = { NC_("reasoning effort", "Maximum"), NC_("reasoning effort, within a line", "maximum"),
                          NC_("reasoning effort, shortened", "max") },
};

static const char *
effort_get_name (BeckonEffort effort)
{
  return g_dpgettext2 (GETTEXT_PACKAGE, "reasoning effort", efforts[effort].name);
}

struct _BeckonProfileButton
{
  AdwBin parent_instance;

  GListModel *profiles; /* (owned) (nullable) */
  char *current;        /* (owned) (nullable) */
  BeckonEffort effort;

  BeckonBarButton *button;
};

G_DEFINE_FINAL_TYPE (BeckonProfileButton, beckon_profile_button, ADW_TYPE_BIN)

static const char *
profile_button_get_name (BeckonProfile *profile)
{
  return beckon_profile_get_kind (profile) == BECKON_PROFILE_TOUR ? _("Offline tour") : beckon_profile_get_name (profile);
}

static void
profile_button_update (BeckonProfileButton *self)
{
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GMenu) list = g_menu_new ();
  g_autoptr (GMenu) levels = g_menu_new ();
  g_autoptr (GMenu) more = g_menu_new ();
  g_autoptr (BeckonProfile) current = NULL;
  gboolean has_effort;
  const char *name, *long_word, *short_word;
  g_autofree char *words = NULL;
  g_autofree char *word = NULL;
  g_autofree char *isolated = NULL;
  g_autofree char *spoken = NULL;

  if (self->profiles == NULL)
    return;

  for (guint i = 0; i < g_list_model_get_n_items (self->profiles); i++)
    {
      g_autoptr (BeckonProfile) profile = g_list_model_get_item (self->profiles, i);
      g_autoptr (GMenuItem) item = g_menu_item_new (profile_button_get_name (profile), NULL);

      g_menu_item_set_action_and_target (item, "win.profile", "s", beckon_profile_get_id (profile));
      g_menu_append_item (list, item);
      if (g_strcmp0 (beckon_profile_get_id (profile), self->current) == 0)
        g_set_object (&current, profile);
    }
  has_effort = current != NULL && beckon_effort_is_settable (current);
  /* A level that the model lacks is shown only if it is chosen: the conversation may come from another model. */
  for (guint i = 0; has_effort && i < BECKON_EFFORT_N_EFFORTS; i++)
    {
      BeckonEffort effort = (BeckonEffort) i;
      g_autoptr (GMenuItem) item = g_menu_item_new (effort_get_name (effort), NULL);

      if (effort != self->effort && !beckon_effort_is_offered (current, effort))
        continue;
      g_menu_item_set_action_and_target (item, "win.effort", "s", beckon_effort_to_string (effort));
      g_menu_append_item (levels, item);
    }
  g_menu_append (more, _("Manage _Profiles…"), "app.preferences");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (list));
  if (has_effort)
    g_menu_append_section (menu, _("Reasoning Effort"), G_MENU_MODEL (levels));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (more));
  beckon_bar_button_set_menu (self->button, G_MENU_MODEL (menu));

  has_effort = has_effort && self->effort != BECKON_EFFORT_DEFAULT;
  name = current != NULL ? profile_button_get_name (current) : _("No profile");
  long_word = g_dpgettext2 (GETTEXT_PACKAGE, "reasoning effort, within a line", efforts[self->effort].word);
  short_word = g_dpgettext2 (GETTEXT_PACKAGE, "reasoning effort, shortened", efforts[self->effort].short_word);
  words = has_effort ? g_strdup_printf ("%s · %s", name, long_word) : g_strdup (name);
  word = has_effort ? g_strdup_printf ("%s · %s", name, short_word) : g_strdup (name);
  beckon_bar_button_set_words (self->button, words, word);
  isolated = beckon_text_isolate (name, _("Profile: %s"));
  /* Translators: what a screen reader says of the button that names the profile in use */
  spoken = has_effort ? beckon_text_printf (_("Profile: %s. Reasoning effort: %s"), isolated, effort_get_name (self->effort))
                      : beckon_text_printf (_("Profile: %s"), isolated);
  beckon_bar_button_set_name (self->button, spoken, NULL);
}

void
beckon_profile_button_set_profiles (BeckonProfileButton *self, GListModel *profiles)
{
  g_return_if_fail (self->profiles == NULL);

  self->profiles = g_object_ref (profiles);
  g_signal_connect_swapped (profiles, "items-changed", G_CALLBACK (profile_button_update), self);
  profile_button_update (self);
}

void
beckon_profile_button_set_current (BeckonProfileButton *self, const char *profile_id)
{
  g_autofree char *old = g_steal_pointer (&self->current);

  self->current = g_strdup (profile_id);
  if (g_strcmp0 (old, profile_id) != 0)
    profile_button_update (self);
}

void
beckon_profile_button_set_effort (BeckonProfileButton *self, BeckonEffort effort)
{
  if (self->effort == effort)
    return;
  self->effort = effort;
  profile_button_update (self);
}

static void
beckon_profile_button_dispose (GObject *object)
{
  BeckonProfileButton *self = BECKON_PROFILE_BUTTON (object);

  if (self->profiles != NULL)
    g_signal_handlers_disconnect_by_data (self->profiles, self);
  g_clear_object (&self->profiles);
  g_clear_pointer (&self->current, g_free);
  G_OBJECT_CLASS (beckon_profile_button_parent_class)->dispose (object);
}

static void
beckon_profile_button_class_init (BeckonProfileButtonClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (BECKON_TYPE_BAR_BUTTON);
  G_OBJECT_CLASS (klass)->dispose = beckon_profile_button_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, BECKON_RESOURCE_PATH "/ui/profile-button.ui");
  gtk_widget_class_bind_template_child (widget_class, BeckonProfileButton, button);
}

static void
beckon_profile_button_init (BeckonProfileButton *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
