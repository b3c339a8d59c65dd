/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-composer-private.h"

#include <glib/gi18n-lib.h>

/* Text from elsewhere: a quotation, and an earlier message that is being edited. The draft that was there waits meanwhile, and
 * no part of the edit becomes a draft. */

static void
put_cursor_at_end (BeckonComposer *self)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->text_view);
  GtkTextIter end;

  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_buffer_place_cursor (buffer, &end);
  gtk_text_view_scroll_mark_onscreen (self->text_view, gtk_text_buffer_get_insert (buffer));
  beckon_composer_focus (self);
}

void
beckon_composer_quote (BeckonComposer *self, const char *markdown)
{
  g_autofree char *before = NULL;
  g_autoptr (GString) text = NULL;
  g_auto (GStrv) lines = NULL;
  GtkTextIter end;

  if (self->locked)
    return;
  before = beckon_composer_dup_text (self);
  text = g_string_new (before != NULL ? "\n\n" : NULL);
  lines = g_strsplit (markdown, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (*lines[i] != '\0' || lines[i + 1] != NULL)
      g_string_append_printf (text, "> %s\n", lines[i]);
  g_string_append_c (text, '\n');
  gtk_text_buffer_get_end_iter (gtk_text_view_get_buffer (self->text_view), &end);
  gtk_text_buffer_insert (gtk_text_view_get_buffer (self->text_view), &end, text->str, (int) text->len);
  put_cursor_at_end (self);
}

gboolean
beckon_composer_is_editing (BeckonComposer *self)
{
  return self->kept_files != NULL;
}

static void
composer_edit_show (BeckonComposer *self, gboolean editing)
{
  const char *name = editing ? _("Send the edited message") : _("Send message");

  gtk_revealer_set_reveal_child (self->edit_revealer, editing);
  gtk_widget_set_tooltip_text (self->send_button, editing ? _("Send Edited Message") : _("Send"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->send_button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

gboolean
beckon_composer_begin_edit (BeckonComposer *self, const char *text, GPtrArray *files)
{
  g_autoptr (GListStore) edited = g_list_store_new (G_TYPE_OBJECT);

  if (self->locked)
    return FALSE;
  beckon_composer_end_edit (self);
  self->kept_text = beckon_composer_dup_draft (self);
  self->kept_files = g_object_ref (beckon_attachment_loader_get_files (self->loader));
  for (guint i = 0; files != NULL && i < files->len; i++)
    g_list_store_append (edited, g_ptr_array_index (files, i));
  beckon_composer_set_text (self, text);
  beckon_composer_set_files (self, edited);
  composer_edit_show (self, TRUE);
  put_cursor_at_end (self);
  return TRUE;
}

void
beckon_composer_end_edit (BeckonComposer *self)
{
  g_autofree char *text = NULL;
  g_autoptr (GListStore) files = NULL;

  if (self->kept_files == NULL)
    return;
  text = g_steal_pointer (&self->kept_text);
  files = g_steal_pointer (&self->kept_files);
  beckon_composer_set_text (self, text);
  beckon_composer_set_files (self, files);
  composer_edit_show (self, FALSE);
}

static void
on_edit_cancelled (BeckonComposer *self)
{
  if (self->locked)
    return;
  beckon_composer_end_edit (self);
  put_cursor_at_end (self);
}

GPtrArray *
beckon_composer_list_files (BeckonComposer *self)
{
  GPtrArray *list = g_ptr_array_new_with_free_func (g_object_unref);
  GListModel *files = G_LIST_MODEL (beckon_attachment_loader_get_files (self->loader));

  for (guint i = 0; i < g_list_model_get_n_items (files); i++)
    g_ptr_array_add (list, g_list_model_get_item (files, i));
  return list;
}

void
beckon_composer_install_edit (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_child (widget_class, BeckonComposer, edit_revealer);
  gtk_widget_class_bind_template_callback (widget_class, on_edit_cancelled);
}
