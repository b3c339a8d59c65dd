/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-composer-private.h"

#include "agent/beckon-sent-files.h"
#include "base/beckon-text.h"
#include "domain/beckon-attachment.h"

#include <glib/gi18n-lib.h>

/* Pictures for a model that does not see them, and PDFs for one that gets their text: it is said before they are sent. */

static gboolean
is_blind (BeckonProfile *profile)
{
  BeckonModelFacts facts;

  beckon_profile_get_facts (profile, &facts);
  return facts.images == 0;
}

static gboolean
has_file (BeckonComposer *self, gboolean (*is_it) (BeckonPart *part, BeckonProfile *profile))
{
  GListModel *files = G_LIST_MODEL (beckon_file_intake_get_files (self->intake));

  for (guint i = 0; i < g_list_model_get_n_items (files); i++)
    {
      g_autoptr (BeckonPart) part = g_list_model_get_item (files, i);

      if (is_it (part, self->profile))
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_picture (BeckonPart *part, BeckonProfile *profile)
{
  return beckon_part_get_kind (part) == BECKON_PART_IMAGE;
}

static gboolean
is_pdf (BeckonPart *part, BeckonProfile *profile)
{
  return beckon_attachment_get_pdf (part, NULL) != NULL;
}

static gboolean
is_large_pdf (BeckonPart *part, BeckonProfile *profile)
{
  return is_pdf (part, profile) && !beckon_sent_files_fits (part, profile);
}

static void
add_sentence (GString *words, const char *format, const char *model)
{
  g_autofree char *sentence = beckon_text_fill_in (format, model);

  g_string_append_printf (words, "%s%s", words->len > 0 ? "\n" : "", sentence);
}

void
beckon_composer_update_sight (BeckonComposer *self)
{
  BeckonProfile *profile = self->intake != NULL ? self->profile : NULL;
  g_autoptr (GString) words = g_string_new (NULL);
  g_autofree char *model = NULL;

  if (profile != NULL)
    model = beckon_text_for_display (beckon_profile_get_model (profile), -1, BECKON_TEXT_EXACT);
  if (profile != NULL && is_blind (profile) && has_file (self, is_picture))
    /* Translators: %s is a model */
    add_sentence (words, _("%s does not see pictures. It is only told what they are called."), model);
  if (profile != NULL && !beckon_profile_reads_pdfs (profile) && has_file (self, is_pdf))
    /* Translators: %s is a model */
    add_sentence (words, _("%s gets the text of PDFs, without their pictures and layout."), model);
  else if (profile != NULL && has_file (self, is_large_pdf))
    /* Translators: %s is a model */
    add_sentence (words, _("%s gets the text of this PDF, which is too large as a file."), model);
  if (words->len > 0)
    gtk_label_set_text (self->sight_label, words->str);
  gtk_revealer_set_reveal_child (self->sight_revealer, words->len > 0);
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
      g_signal_connect_swapped (profile, "notify::context-window", G_CALLBACK (beckon_composer_update_sight), self);
      g_signal_connect_swapped (profile, "notify::kind", G_CALLBACK (beckon_composer_update_sight), self);
      g_signal_connect_swapped (profile, "notify::base-url", G_CALLBACK (beckon_composer_update_sight), self);
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
