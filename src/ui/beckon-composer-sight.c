/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-composer-private.h"

#include "base/beckon-text.h"

#include <glib/gi18n-lib.h>

/* Pictures for a model that does not see them: it is said before they are sent, where the model's server told it. */

static gboolean
is_blind (BeckonProfile *profile)
{
  BeckonModelFacts facts;

  if (profile == NULL)
    return FALSE;
  beckon_profile_get_facts (profile, &facts);
  return facts.images == 0;
}

static gboolean
has_picture (BeckonComposer *self)
{
  GListModel *files = G_LIST_MODEL (beckon_file_intake_get_files (self->intake));

  for (guint i = 0; i < g_list_model_get_n_items (files); i++)
    {
      g_autoptr (BeckonPart) part = g_list_model_get_item (files, i);

      if (beckon_part_get_kind (part) == BECKON_PART_IMAGE)
        return TRUE;
    }
  return FALSE;
}

void
beckon_composer_update_sight (BeckonComposer *self)
{
  gboolean shown = self->intake != NULL && is_blind (self->profile) && has_picture (self);

  if (shown)
    {
      g_autofree char *model = beckon_text_for_display (beckon_profile_get_model (self->profile), -1, BECKON_TEXT_EXACT);
      /* Translators: %s is a model */
      g_autofree char *words = beckon_text_fill_in (_("%s does not see pictures. It is only told what they are called."),
                                                  model);

      gtk_label_set_text (self->sight_label, words);
    }
  gtk_revealer_set_reveal_child (self->sight_revealer, shown);
}

void
beckon_composer_set_profile (BeckonComposer *self, BeckonProfile *profile)
{
  g_return_if_fail (BECKON_IS_COMPOSER (self));

  if (self->profile == profile)
    return;
  beckon_composer_dispose_sight (self);
  g_set_object (&self->profile, profile);
  if (profile != NULL)
    {
      g_signal_connect_swapped (profile, "notify::facts", G_CALLBACK (beckon_composer_update_sight), self);
      g_signal_connect_swapped (profile, "notify::model", G_CALLBACK (beckon_composer_update_sight), self);
    }
  beckon_composer_update_sight (self);
}

void
beckon_composer_install_sight (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_child (widget_class, BeckonComposer, sight_revealer);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposer, sight_label);
}

void
beckon_composer_dispose_sight (BeckonComposer *self)
{
  if (self->profile != NULL)
    g_signal_handlers_disconnect_by_data (self->profile, self);
  g_clear_object (&self->profile);
}
