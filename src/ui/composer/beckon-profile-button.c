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

/* The effort's name, such as "High"; translated, static. */
static const char *
effort_labels_get_name (BeckonEffort effort)
{
  switch (effort)
    {
    case BECKON_EFFORT_OFF:
      return C_("reasoning effort", "Off");
    case BECKON_EFFORT_LOW:
      return C_("reasoning effort", "Low");
    case BECKON_EFFORT_MEDIUM:
      return C_("reasoning effort", "Medium");
    case BECKON_EFFORT_HIGH:
      return C_("reasoning effort", "High");
    case BECKON_EFFORT_MAX:
      return C_("reasoning effort", "Maximum");
    case BECKON_EFFORT_DEFAULT:
    default:
      return C_("reasoning effort", "Model Default");
    }
}

/* The same within a line, such as "medium", and where there is little room, such as "med"; translated, static. */
static const char *
effort_labels_get_word (BeckonEffort effort)
{
  switch (effort)
    {
    case BECKON_EFFORT_OFF:
      return C_("reasoning effort, within a line", "off");
    case BECKON_EFFORT_LOW:
      return C_("reasoning effort, within a line", "low");
    case BECKON_EFFORT_MEDIUM:
      return C_("reasoning effort, within a line", "medium");
    case BECKON_EFFORT_HIGH:
      return C_("reasoning effort, within a line", "high");
    case BECKON_EFFORT_MAX:
      return C_("reasoning effort, within a line", "maximum");
    case BECKON_EFFORT_DEFAULT:
    default:
      return C_("reasoning effort, within a line", "default");
    }
}

static const char *
effort_labels_get_short (BeckonEffort effort)
{
  switch (effort)
    {
    case BECKON_EFFORT_OFF:
      return C_("reasoning effort, shortened", "off");
    case BECKON_EFFORT_LOW:
      return C_("reasoning effort, shortened", "low");
    case BECKON_EFFORT_MEDIUM:
      return C_("reasoning effort, shortened", "med");
    case BECKON_EFFORT_HIGH:
      return C_("reasoning effort, shortened", "high");
    case BECKON_EFFORT_MAX:
      return C_("reasoning effort, shortened", "max");
    case BECKON_EFFORT_DEFAULT:
    default:
      return C_("reasoning effort, shortened", "auto");
    }
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

/* A level that the model lacks is shown only if it is chosen: the conversation may come from another model. */
static GMenuModel *
make_effort_menu (BeckonProfileButton *self, BeckonProfile *profile)
{
  g_autoptr (GMenu) menu = g_menu_new ();

  for (guint i = 0; i < BECKON_EFFORT_N_EFFORTS; i++)
    {
      BeckonEffort effort = (BeckonEffort) i;
      g_autoptr (GMenuItem) item = g_menu_item_new (effort_labels_get_name (effort), NULL);

      if (effort != self->effort && !beckon_effort_is_offered (profile, effort))
        continue;
      g_menu_item_set_action_and_target (item, "win.effort", "s", beckon_effort_to_string (effort));
      g_menu_append_item (menu, item);
    }
  return G_MENU_MODEL (g_steal_pointer (&menu));
}

/* @has_efforts: (out): whether the model that is used may have some. */
static GMenuModel *
profile_button_make_menu (BeckonProfileButton *self, const char **current_name, gboolean *has_efforts)
{
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GMenu) list = g_menu_new ();
  g_autoptr (GMenu) more = g_menu_new ();
  g_autoptr (GMenuModel) efforts = NULL;
  guint n = g_list_model_get_n_items (self->profiles);

  *current_name = _("No profile");
  *has_efforts = FALSE;
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (BeckonProfile) profile = g_list_model_get_item (self->profiles, i);
      g_autoptr (GMenuItem) item = g_menu_item_new (profile_button_get_name (profile), NULL);

      g_menu_item_set_action_and_target (item, "win.profile", "s", beckon_profile_get_id (profile));
      g_menu_append_item (list, item);
      if (g_strcmp0 (beckon_profile_get_id (profile), self->current) == 0)
        {
          *current_name = profile_button_get_name (profile);
          *has_efforts = beckon_effort_is_settable (profile);
          g_clear_object (&efforts);
          efforts = *has_efforts ? make_effort_menu (self, profile) : NULL;
        }
    }
  g_menu_append (more, _("Manage _Profiles…"), "app.preferences");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (list));
  if (efforts != NULL)
    g_menu_append_section (menu, _("Reasoning Effort"), efforts);
  g_menu_append_section (menu, NULL, G_MENU_MODEL (more));
  return G_MENU_MODEL (g_steal_pointer (&menu));
}

static void
profile_button_update (BeckonProfileButton *self)
{
  g_autoptr (GMenuModel) menu = NULL;
  gboolean has_efforts;
  gboolean has_effort;
  const char *name;
  g_autofree char *words = NULL;
  g_autofree char *word = NULL;
  g_autofree char *isolated = NULL;
  g_autofree char *spoken = NULL;

  if (self->profiles == NULL)
    return;

  menu = profile_button_make_menu (self, &name, &has_efforts);
  beckon_bar_button_set_menu (self->button, menu);
  has_effort = has_efforts && self->effort != BECKON_EFFORT_DEFAULT;
  words = has_effort ? g_strdup_printf ("%s · %s", name, effort_labels_get_word (self->effort)) : g_strdup (name);
  word = has_effort ? g_strdup_printf ("%s · %s", name, effort_labels_get_short (self->effort)) : g_strdup (name);
  beckon_bar_button_set_words (self->button, words, word);
  isolated = beckon_text_isolate (name, _("Profile: %s"));
  /* Translators: what a screen reader says of the button that names the profile in use */
  spoken = has_effort ? beckon_text_printf (_("Profile: %s. Reasoning effort: %s"), isolated,
                                            effort_labels_get_name (self->effort))
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
