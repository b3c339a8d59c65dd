/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-composer-private.h"

#include "agent/beckon-sent-files.h"
#include "base/beckon-text.h"
#include "domain/beckon-attachment.h"

#include <glib/gi18n-lib.h>

/* Pictures for a model that does not see them, and PDFs for one that gets their text: it is said before they are sent. */

static GPtrArray *
vision_list_files (BeckonComposer *self)
{
  GListModel *files = G_LIST_MODEL (beckon_attachment_loader_get_files (self->loader));
  GPtrArray *parts = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < g_list_model_get_n_items (files); i++)
    g_ptr_array_add (parts, g_list_model_get_item (files, i));
  return parts;
}

static gboolean
has_picture (GPtrArray *files)
{
  for (guint i = 0; i < files->len; i++)
    if (beckon_part_get_kind (g_ptr_array_index (files, i)) == BECKON_PART_IMAGE)
      return TRUE;
  return FALSE;
}

static char *
vision_describe (BeckonComposer *self)
{
  g_autoptr (GPtrArray) files = vision_list_files (self);
  g_autofree char *pdfs = beckon_sent_files_describe (files, self->profile);
  g_autofree char *model = NULL;
  g_autofree char *pictures = NULL;
  BeckonModelFacts facts;

  beckon_profile_get_facts (self->profile, &facts);
  if (facts.images != 0 || !has_picture (files))
    return g_steal_pointer (&pdfs);
  model = beckon_text_for_display (beckon_profile_get_model (self->profile), -1, BECKON_TEXT_EXACT);
  /* Translators: %s is a model */
  pictures = beckon_text_fill_in (_("%s does not see pictures. It is only told what they are called."), model);
  return pdfs != NULL ? g_strconcat (pictures, "\n", pdfs, NULL) : g_steal_pointer (&pictures);
}

void
beckon_composer_update_vision (BeckonComposer *self)
{
  g_autofree char *words = self->loader != NULL && self->profile != NULL ? vision_describe (self) : NULL;

  if (words != NULL)
    gtk_label_set_text (self->sight_label, words);
  gtk_revealer_set_reveal_child (self->sight_revealer, words != NULL);
}

void
beckon_composer_set_profile (BeckonComposer *self, BeckonProfile *profile)
{
  if (self->profile == profile)
    return;
  beckon_composer_bar_set_profile (self->bar, profile != NULL ? beckon_profile_get_id (profile) : NULL);
  beckon_composer_dispose_vision (self);
  g_set_object (&self->profile, profile);
  if (profile != NULL)
    {
      g_signal_connect_swapped (profile, "notify::facts", G_CALLBACK (beckon_composer_update_vision), self);
      g_signal_connect_swapped (profile, "notify::model", G_CALLBACK (beckon_composer_update_vision), self);
      g_signal_connect_swapped (profile, "notify::context-window", G_CALLBACK (beckon_composer_update_vision), self);
      g_signal_connect_swapped (profile, "notify::kind", G_CALLBACK (beckon_composer_update_vision), self);
      g_signal_connect_swapped (profile, "notify::base-url", G_CALLBACK (beckon_composer_update_vision), self);
    }
  beckon_composer_update_vision (self);
}

void
beckon_composer_install_vision (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_child (widget_class, BeckonComposer, sight_revealer);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposer, sight_label);
}

void
beckon_composer_dispose_vision (BeckonComposer *self)
{
  if (self->profile != NULL)
    g_signal_handlers_disconnect_by_data (self->profile, self);
  g_clear_object (&self->profile);
}
