/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-composer-private.h"

#include "beckon-suggestion-row.h"
#include "tools/beckon-folder-names.h"

#include <string.h>

/* Words behind a slash at the very beginning are commands: of the window, in files, and prompts of servers. Words behind an at
 * sign are files of the working folder, and resources of servers. Matches are listed above the text; the keys still edit the
 * text until one is taken, or Escape. */

/* After so long the folder is looked at anew, and for commands. */
#define NAMES_AGE (10 * G_TIME_SPAN_SECOND)

static void
composer_complete_hide (BeckonComposer *self)
{
  gtk_widget_set_visible (self->complete_box, FALSE);
  g_clear_pointer (&self->suggestions, g_ptr_array_unref);
}

static gboolean
composer_complete_is_open (BeckonComposer *self)
{
  return self->suggestions != NULL;
}

/* Borrowed from the list that is shown. */
static void
composer_complete_show (BeckonComposer *self, GPtrArray *suggestions)
{
  GtkWidget *row;

  while ((row = gtk_widget_get_first_child (GTK_WIDGET (self->complete_list))) != NULL)
    gtk_list_box_remove (self->complete_list, row);
  if (suggestions->len == 0)
    {
      g_ptr_array_unref (suggestions);
      composer_complete_hide (self);
      return;
    }
  g_clear_pointer (&self->suggestions, g_ptr_array_unref);
  self->suggestions = suggestions;
  for (guint i = 0; i < suggestions->len; i++)
    gtk_list_box_append (self->complete_list, beckon_suggestion_row_new (g_ptr_array_index (suggestions, i)));
  gtk_list_box_select_row (self->complete_list, gtk_list_box_get_row_at_index (self->complete_list, 0));
  gtk_widget_set_visible (self->complete_box, TRUE);
}

static gboolean
begins (const BeckonSuggestion *suggestion, const char *typed)
{
  g_autofree char *word = g_utf8_casefold (suggestion->word + 1, -1);
  g_autofree char *folded = g_utf8_casefold (typed, -1);

  return g_str_has_prefix (word, folded);
}

/* The text from @start to the cursor, without its sign. (nullable) (transfer full) */
static char *
find_word (BeckonComposer *self, GtkTextIter *start, gunichar *sign)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->text_view);
  GtkTextIter cursor, begin;
  g_autofree char *word = NULL;

  gtk_text_buffer_get_iter_at_mark (buffer, &cursor, gtk_text_buffer_get_insert (buffer));
  begin = cursor;
  while (gtk_text_iter_backward_char (&begin))
    if (g_unichar_isspace (gtk_text_iter_get_char (&begin)))
      {
        gtk_text_iter_forward_char (&begin);
        break;
      }
  word = gtk_text_iter_get_text (&begin, &cursor);
  *sign = g_utf8_get_char (word);
  *start = begin;
  if (*sign != '@' && (*sign != '/' || !gtk_text_iter_is_start (&begin)))
    return NULL;
  return g_strdup (word + 1);
}

static void
on_names_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonComposer *self = user_data;
  g_autoptr (GError) error = NULL;
  GPtrArray *names = beckon_folder_names_list_finish (result, &error);

  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_clear_object (&self->listing);
      g_clear_pointer (&self->names, g_ptr_array_unref);
      self->names = names != NULL ? names : g_ptr_array_new ();
      self->names_at = g_get_monotonic_time ();
      beckon_composer_complete (self);
    }
  g_object_unref (self);
}

static void
complete_file (BeckonComposer *self, const char *typed)
{
  const char *folder = self->conversation != NULL ? beckon_conversation_get_folder (self->conversation) : NULL;

  if (folder == NULL || self->names != NULL)
    {
      g_autoptr (GPtrArray) none = g_ptr_array_new ();
      GPtrArray *found = beckon_suggestion_list_files (self->names != NULL ? self->names : none, typed);

      beckon_composer_add_resources (self, found, typed);
      composer_complete_show (self, found);
    }
  if (folder == NULL || self->listing != NULL || (self->names != NULL && g_get_monotonic_time () - self->names_at < NAMES_AGE))
    return;
  self->listing = g_cancellable_new ();
  beckon_folder_names_list_async (folder, self->listing, on_names_listed, g_object_ref (self));
}

static void
on_commands_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonComposer *self = user_data;
  g_autoptr (GError) error = NULL;
  BeckonFolderExtras *commands = beckon_agent_list_commands_finish (self->agent, result, &error);

  if (commands != NULL)
    {
      g_clear_object (&self->listing_commands);
      g_clear_pointer (&self->commands, beckon_folder_extras_unref);
      self->commands = commands;
      self->commands_at = g_get_monotonic_time ();
      beckon_composer_complete (self);
    }
  g_object_unref (self);
}

static void
complete_command (BeckonComposer *self, const char *typed)
{
  GPtrArray *found = beckon_suggestion_list_commands (self->conversation, self->profiles, typed);
  GPtrArray *ordered;

  if (self->commands != NULL)
    beckon_suggestion_add_own (found, self->commands, typed);
  beckon_composer_add_prompts (self, found, typed);

  /* Those whose word begins so come first, before those that have it in their title alone. */
  ordered = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_suggestion_free);
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < found->len; i++)
      if (begins (g_ptr_array_index (found, i), typed) == (pass == 0))
        g_ptr_array_add (ordered, g_ptr_array_index (found, i));
  g_ptr_array_set_free_func (found, NULL);
  g_ptr_array_unref (found);
  composer_complete_show (self, ordered);

  if (self->agent == NULL || self->conversation == NULL || self->listing_commands != NULL
      || (self->commands != NULL && g_get_monotonic_time () - self->commands_at < NAMES_AGE))
    return;
  self->listing_commands = g_cancellable_new ();
  beckon_agent_list_commands_async (self->agent, self->conversation, self->listing_commands, on_commands_listed,
                                    g_object_ref (self));
}

void
beckon_composer_complete (BeckonComposer *self)
{
  GtkTextIter start;
  gunichar sign;
  g_autofree char *typed = self->composing || self->replacing || self->locked ? NULL : find_word (self, &start, &sign);

  if (typed == NULL || (self->refused_at == gtk_text_iter_get_offset (&start)))
    composer_complete_hide (self);
  else if (sign == '/')
    complete_command (self, typed);
  else
    complete_file (self, typed);
  if (typed == NULL)
    self->refused_at = -1;
}

/* The list may go with what is done. */
static void
composer_complete_take (BeckonComposer *self, guint index)
{
  BeckonSuggestion *suggestion = g_ptr_array_index (self->suggestions, index);
  g_autofree char *text = g_strdup (suggestion->text != NULL ? suggestion->text : "");
  g_autofree char *action = g_strdup (suggestion->action);
  g_autoptr (GVariant) target = suggestion->target != NULL ? g_variant_ref (suggestion->target) : NULL;
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->text_view);
  g_autofree char *typed = NULL;
  GtkTextIter start, cursor;
  gunichar sign;

  typed = find_word (self, &start, &sign);
  composer_complete_hide (self);
  if (typed == NULL)
    return;
  gtk_text_buffer_get_iter_at_mark (buffer, &cursor, gtk_text_buffer_get_insert (buffer));
  gtk_text_buffer_begin_user_action (buffer);
  gtk_text_buffer_delete (buffer, &start, &cursor);
  gtk_text_buffer_insert (buffer, &start, text, -1);
  gtk_text_buffer_end_user_action (buffer);
  beckon_composer_focus (self);
  if (action != NULL)
    gtk_widget_activate_action_variant (GTK_WIDGET (self), action, target);
}

gboolean
beckon_composer_take_word (BeckonComposer *self)
{
  g_autofree char *text = g_strchomp (beckon_composer_dup_draft (self));
  guint n_found = 0;
  guint found = 0;

  for (guint i = 0; composer_complete_is_open (self) && i < self->suggestions->len; i++)
    {
      const BeckonSuggestion *suggestion = g_ptr_array_index (self->suggestions, i);

      if (suggestion->action == NULL || !g_str_equal (suggestion->word, text))
        continue;
      found = i;
      n_found++;
    }
  if (n_found == 1)
    composer_complete_take (self, found);
  return n_found == 1;
}

static void
composer_complete_on_row_activated (BeckonComposer *self, GtkListBoxRow *row)
{
  if (composer_complete_is_open (self))
    composer_complete_take (self, (guint) gtk_list_box_row_get_index (row));
}

static void
composer_complete_move (BeckonComposer *self, int step)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (self->complete_list);
  int n = (int) self->suggestions->len;
  int index = ((row != NULL ? gtk_list_box_row_get_index (row) : 0) + step + n) % n;
  GtkAdjustment *adjustment;
  graphene_rect_t bounds;

  row = gtk_list_box_get_row_at_index (self->complete_list, index);
  gtk_list_box_select_row (self->complete_list, row);
  adjustment = gtk_scrolled_window_get_vadjustment (self->complete_scroller);
  if (gtk_widget_compute_bounds (GTK_WIDGET (row), GTK_WIDGET (self->complete_list), &bounds))
    gtk_adjustment_clamp_page (adjustment, bounds.origin.y, bounds.origin.y + bounds.size.height);
}

gboolean
beckon_composer_complete_key (BeckonComposer *self, guint keyval, GdkModifierType modifiers)
{
  GtkListBoxRow *row;
  GtkTextIter start;
  gunichar sign;

  if (!composer_complete_is_open (self) || self->composing || modifiers != 0)
    return FALSE;
  row = gtk_list_box_get_selected_row (self->complete_list);
  switch (keyval)
    {
    case GDK_KEY_Up:
    case GDK_KEY_Down:
      composer_complete_move (self, keyval == GDK_KEY_Up ? -1 : 1);
      return TRUE;

    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
    case GDK_KEY_ISO_Enter:
    case GDK_KEY_Tab:
      composer_complete_take (self, row != NULL ? (guint) gtk_list_box_row_get_index (row) : 0);
      return TRUE;

    case GDK_KEY_Escape:
      g_free (find_word (self, &start, &sign));
      self->refused_at = gtk_text_iter_get_offset (&start);
      composer_complete_hide (self);
      return TRUE;

    default:
      return FALSE;
    }
}

void
beckon_composer_forget_names (BeckonComposer *self)
{
  if (self->listing != NULL)
    g_cancellable_cancel (self->listing);
  g_clear_object (&self->listing);
  g_clear_pointer (&self->names, g_ptr_array_unref);
  if (self->listing_commands != NULL)
    g_cancellable_cancel (self->listing_commands);
  g_clear_object (&self->listing_commands);
  g_clear_pointer (&self->commands, beckon_folder_extras_unref);
  self->refused_at = -1;
  composer_complete_hide (self);
}

void
beckon_composer_set_profiles (BeckonComposer *self, GListModel *profiles)
{
  if (g_set_object (&self->profiles, profiles) && profiles != NULL)
    beckon_composer_bar_set_profiles (self->bar, profiles);
}

void
beckon_composer_set_agent (BeckonComposer *self, BeckonAgent *agent)
{
  g_set_object (&self->agent, agent);
}

void
beckon_composer_install_complete (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_child (widget_class, BeckonComposer, complete_box);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposer, complete_scroller);
  gtk_widget_class_bind_template_child (widget_class, BeckonComposer, complete_list);
  gtk_widget_class_bind_template_callback (widget_class, composer_complete_on_row_activated);
}
