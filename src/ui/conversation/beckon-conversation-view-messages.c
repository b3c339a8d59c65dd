/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-conversation-view-private.h"

#include "domain/beckon-attachment.h"

#include <glib/gi18n-lib.h>

/* Actions on messages that are there: one is edited, some are quoted, and those that came are counted. */

static void
on_n_new_changed (BeckonConversationView *self)
{
  guint n = beckon_transcript_get_n_new (self->transcript);
  g_autofree char *count = g_strdup_printf ("%u", n);
  g_autofree char *text
    = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u new message", "%u new messages", n), n);

  gtk_label_set_text (self->jump_label, count);
  gtk_widget_set_visible (GTK_WIDGET (self->jump_label), n > 0);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->jump_button), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  n > 0 ? text : "", -1);
}

GPtrArray *
beckon_conversation_view_list_files (BeckonConversationView *self)
{
  return beckon_composer_list_files (self->composer);
}

void
beckon_conversation_view_show_absence (BeckonConversationView *self, BeckonAwayDigest *digest)
{
  beckon_transcript_show_absence (self->transcript, digest);
}

void
beckon_conversation_view_set_shows_usage (BeckonConversationView *self, gboolean shows_usage)
{
  beckon_transcript_set_shows_usage (self->transcript, shows_usage);
}

void
beckon_conversation_view_edit_message (BeckonConversationView *self, BeckonMessage *message)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *text = NULL;

  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonPart *part = beckon_message_get_part (message, i);

      if (beckon_attachment_get_name (part) != NULL || beckon_part_get_kind (part) == BECKON_PART_IMAGE)
        g_ptr_array_add (files, g_object_ref (part));
    }
  text = beckon_message_dup_text (message);

  /* The message being sent may come back. */
  if (!beckon_composer_begin_edit (self->composer, text, files))
    return;
  g_free (self->edited_id);
  self->edited_id = g_strdup (beckon_message_get_id (message));
  beckon_composer_focus (self->composer);
}

static void
on_edit (BeckonConversationView *self, BeckonMessage *message)
{
  beckon_conversation_view_edit_message (self, message);
}

static void
on_quote (BeckonConversationView *self, const char *markdown)
{
  beckon_composer_quote (self->composer, markdown);
  beckon_composer_focus (self->composer);
}

void
beckon_conversation_view_bind_messages (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_callback (widget_class, on_n_new_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_edit);
  gtk_widget_class_bind_template_callback (widget_class, on_quote);
}
