/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-transcript-actions.h"

#include "beckon-message-menu.h"
#include "beckon-transcript-private.h"
#include "beckon-transcript-rows.h"
#include "domain/beckon-late-message.h"
#include "markdown/beckon-markdown-plain.h"
#include "text/beckon-conversation-text.h"
#include "ui/blocks/beckon-pointed-block.h"
#include "ui/widgets/beckon-clipboard.h"

static BeckonMessage *
transcript_actions_find (BeckonTranscript *self, GVariant *parameter)
{
  return self->conversation != NULL
           ? beckon_conversation_find_message (self->conversation, g_variant_get_string (parameter, NULL))
           : NULL;
}

/* In the order of the conversation. (transfer container) */
static GPtrArray *
list_selected (BeckonTranscript *self)
{
  GPtrArray *messages = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < beckon_transcript_get_n_messages (self); i++)
    {
      BeckonMessage *message = beckon_conversation_get_message (self->conversation, i);

      if (g_hash_table_contains (self->selected, beckon_message_get_id (message)))
        g_ptr_array_add (messages, g_object_ref (message));
    }
  return messages;
}

/* A person's text is no Markdown. */
static char *
transcript_actions_dup_words (BeckonMessage *message, gboolean as_read)
{
  g_autofree char *text = beckon_message_dup_text (message);

  if (!as_read || beckon_message_get_role (message) == BECKON_ROLE_USER)
    return g_steal_pointer (&text);
  return beckon_markdown_to_plain (text);
}

/* @as_read: without marks. */
static char *
join_texts (GPtrArray *messages, gboolean as_read)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < messages->len; i++)
    {
      g_autofree char *words = transcript_actions_dup_words (g_ptr_array_index (messages, i), as_read);

      if (*g_strstrip (words) != '\0')
        g_string_append_printf (text, "%s%s", text->len > 0 ? "\n\n" : "", words);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
copy_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonTranscript *self = BECKON_TRANSCRIPT (widget);
  BeckonMessage *message = transcript_actions_find (self, parameter);
  g_autofree char *text = message != NULL ? beckon_message_dup_text (message) : NULL;

  /* A person's text is no Markdown. */
  if (text != NULL && beckon_message_get_role (message) == BECKON_ROLE_USER)
    beckon_clipboard_set_text (widget, text);
  else if (text != NULL)
    beckon_clipboard_set_markdown (widget, text);
}

static void
copy_markdown_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonMessage *message = transcript_actions_find (BECKON_TRANSCRIPT (widget), parameter);
  g_autofree char *text = message != NULL ? beckon_message_dup_text (message) : NULL;

  if (text != NULL)
    beckon_clipboard_set_source (widget, text);
}

void
beckon_transcript_point_at (BeckonTranscript *self, GtkWidget *widget)
{
  g_set_weak_pointer (&self->pointed, widget);
}

/* The one that the menu was opened on. */
static void
copy_block_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autofree char *markdown = beckon_pointed_block_dup_markdown (BECKON_TRANSCRIPT (widget)->pointed);

  if (markdown != NULL)
    beckon_clipboard_set_markdown (widget, markdown);
}

static void
edit_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonMessage *message = transcript_actions_find (BECKON_TRANSCRIPT (widget), parameter);

  if (message != NULL && beckon_message_get_role (message) == BECKON_ROLE_USER
      && beckon_late_message_get_request_id (message) == NULL)
    g_signal_emit_by_name (widget, "edit", message);
}

static void
quote (BeckonTranscript *self, GPtrArray *messages)
{
  g_autofree char *text = join_texts (messages, FALSE);

  if (*text != '\0')
    g_signal_emit_by_name (self, "quote", text);
}

static void
quote_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonMessage *message = transcript_actions_find (BECKON_TRANSCRIPT (widget), parameter);
  g_autoptr (GPtrArray) messages = g_ptr_array_new ();

  if (message == NULL)
    return;
  g_ptr_array_add (messages, message);
  quote (BECKON_TRANSCRIPT (widget), messages);
}

static void
top_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonMessage *message = transcript_actions_find (BECKON_TRANSCRIPT (widget), parameter);

  if (message != NULL)
    beckon_transcript_show_top (BECKON_TRANSCRIPT (widget), message);
}

/* Finds where the button's menu begins; FALSE if there is none. */
static gboolean
find_menu_place (BeckonMessageRow *row, graphene_point_t *at)
{
  GtkWidget *button = beckon_message_row_get_menu_button (row);
  graphene_point_t corner;
  int x;

  if (button == NULL)
    return FALSE;
  x = gtk_widget_get_direction (button) == GTK_TEXT_DIR_RTL ? gtk_widget_get_width (button) : 0;
  graphene_point_init (&corner, (float) x, (float) gtk_widget_get_height (button));
  return gtk_widget_compute_point (button, GTK_WIDGET (row), &corner, at);
}

static void
menu_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonTranscript *self = BECKON_TRANSCRIPT (widget);
  BeckonMessage *message = transcript_actions_find (self, parameter);
  GtkWidget *row = message != NULL ? beckon_message_row_find (self->rows, message) : NULL;
  graphene_point_t at;

  if (row == NULL)
    return;
  if (find_menu_place (BECKON_MESSAGE_ROW (row), &at))
    beckon_message_menu_popup (widget, BECKON_MESSAGE_ROW (row), NULL, &at);
  else
    beckon_message_menu_popup (widget, BECKON_MESSAGE_ROW (row), NULL, NULL);
}

/* Selecting */

static void
set_n_selected (BeckonTranscript *self)
{
  g_object_notify (G_OBJECT (self), "n-selected");
}

static void
on_row_toggled (BeckonMessageRow *row, BeckonTranscript *self)
{
  const char *id = beckon_message_get_id (beckon_message_row_get_message (row));

  if (beckon_message_row_get_selected (row))
    g_hash_table_add (self->selected, g_strdup (id));
  else
    g_hash_table_remove (self->selected, id);
  set_n_selected (self);
}

void
beckon_transcript_prepare_row (BeckonTranscript *self, BeckonMessageRow *row)
{
  const char *id = beckon_message_get_id (beckon_message_row_get_message (row));

  g_signal_connect_object (row, "toggled", G_CALLBACK (on_row_toggled), self, 0);
  beckon_message_row_set_shows_usage (row, self->shows_usage);
  if (self->selecting)
    beckon_message_row_set_selecting (row, TRUE, g_hash_table_contains (self->selected, id));
}

void
beckon_transcript_set_shows_usage (BeckonTranscript *self, gboolean shows_usage)
{
  GtkWidget *row;

  self->shows_usage = shows_usage;
  row = gtk_widget_get_first_child (self->rows);
  for (; row != NULL; row = gtk_widget_get_next_sibling (row))
    beckon_message_row_set_shows_usage (BECKON_MESSAGE_ROW (row), shows_usage);
}

static void
set_selecting (BeckonTranscript *self, gboolean selecting)
{
  GtkWidget *row = gtk_widget_get_first_child (self->rows);

  self->selecting = selecting;
  if (!selecting)
    g_hash_table_remove_all (self->selected);
  for (; row != NULL; row = gtk_widget_get_next_sibling (row))
    {
      const char *id = beckon_message_get_id (beckon_message_row_get_message (BECKON_MESSAGE_ROW (row)));

      beckon_message_row_set_selecting (BECKON_MESSAGE_ROW (row), selecting, g_hash_table_contains (self->selected, id));
    }
  g_object_notify (G_OBJECT (self), "selecting");
  set_n_selected (self);
}

void
beckon_transcript_end_selection (BeckonTranscript *self)
{
  if (self->selecting)
    set_selecting (self, FALSE);
}

void
beckon_transcript_check_selection (BeckonTranscript *self)
{
  GHashTableIter iter;
  gpointer id;

  if (!self->selecting)
    return;
  g_hash_table_iter_init (&iter, self->selected);
  while (g_hash_table_iter_next (&iter, &id, NULL))
    if (self->conversation == NULL || beckon_conversation_find_message (self->conversation, id) == NULL)
      g_hash_table_iter_remove (&iter);
  set_n_selected (self);
}

static void
select_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonTranscript *self = BECKON_TRANSCRIPT (widget);
  BeckonMessage *message = transcript_actions_find (self, parameter);

  if (message == NULL)
    return;
  g_hash_table_add (self->selected, g_strdup (beckon_message_get_id (message)));
  set_selecting (self, TRUE);
}

static void
end_selection_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  beckon_transcript_end_selection (BECKON_TRANSCRIPT (widget));
}

static void
copy_selected_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonTranscript *self = BECKON_TRANSCRIPT (widget);
  g_autoptr (GPtrArray) messages = list_selected (self);
  g_autofree char *text = beckon_conversation_text_of_messages (messages);

  beckon_clipboard_set_source (widget, text);
  beckon_transcript_end_selection (self);
}

static void
copy_selected_plain_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonTranscript *self = BECKON_TRANSCRIPT (widget);
  g_autoptr (GPtrArray) messages = list_selected (self);
  g_autofree char *text = join_texts (messages, TRUE);

  beckon_clipboard_set_text (widget, text);
  beckon_transcript_end_selection (self);
}

static void
quote_selected_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonTranscript *self = BECKON_TRANSCRIPT (widget);
  g_autoptr (GPtrArray) messages = list_selected (self);

  beckon_transcript_end_selection (self);
  quote (self, messages);
}

static void
delete_selected_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonTranscript *self = BECKON_TRANSCRIPT (widget);
  g_autoptr (GPtrArray) messages = list_selected (self);
  GVariantBuilder ids;

  g_variant_builder_init (&ids, G_VARIANT_TYPE_STRING_ARRAY);
  for (guint i = 0; i < messages->len; i++)
    g_variant_builder_add (&ids, "s", beckon_message_get_id (g_ptr_array_index (messages, i)));
  beckon_transcript_end_selection (self);
  gtk_widget_activate_action (widget, "win.message-delete", "as", &ids);
}

static void
link_questions_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  beckon_transcript_rows_link_questions (BECKON_TRANSCRIPT (widget)->rows);
}

void
beckon_transcript_install_actions (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "transcript.copy", "s", copy_action);
  gtk_widget_class_install_action (widget_class, "transcript.copy-markdown", "s", copy_markdown_action);
  gtk_widget_class_install_action (widget_class, "transcript.copy-block", NULL, copy_block_action);
  gtk_widget_class_install_action (widget_class, "transcript.edit", "s", edit_action);
  gtk_widget_class_install_action (widget_class, "transcript.quote", "s", quote_action);
  gtk_widget_class_install_action (widget_class, "transcript.top", "s", top_action);
  gtk_widget_class_install_action (widget_class, "transcript.menu", "s", menu_action);
  gtk_widget_class_install_action (widget_class, "transcript.select", "s", select_action);
  gtk_widget_class_install_action (widget_class, "transcript.end-selection", NULL, end_selection_action);
  gtk_widget_class_install_action (widget_class, "transcript.copy-selected", NULL, copy_selected_action);
  gtk_widget_class_install_action (widget_class, "transcript.copy-selected-plain", NULL, copy_selected_plain_action);
  gtk_widget_class_install_action (widget_class, "transcript.quote-selected", NULL, quote_selected_action);
  gtk_widget_class_install_action (widget_class, "transcript.delete-selected", NULL, delete_selected_action);
  gtk_widget_class_install_action (widget_class, "transcript.link-questions", NULL, link_questions_action);
}
