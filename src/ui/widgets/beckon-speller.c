/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-speller.h"

#include "beckon-dictionary.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define PAUSE_MS 350
#define MOST_CHARS 20000
#define MOST_WORD_CHARS 40

struct _BeckonSpeller
{
  GObject parent_instance;

  GtkTextView *view; /* not owned: it is taken away with it */
  GtkTextTag *tag;   /* (owned by the buffer's table) */
  GSimpleActionGroup *actions; /* (owned) */
  GtkTextMark *start, *end;    /* (nullable): of the word that the menu is about */
  BeckonDictionary *dictionary; /* (owned) (nullable) */
  GCancellable *loading;        /* (owned) (nullable) */
  gboolean is_enabled;
  gboolean was_tried;
  guint timeout;
};

G_DEFINE_FINAL_TYPE (BeckonSpeller, beckon_speller, G_TYPE_OBJECT)

static GtkTextBuffer *
get_buffer (BeckonSpeller *self)
{
  return gtk_text_view_get_buffer (self->view);
}

/* Scripts that are not written in words, or that no dictionary knows. */
static gboolean
is_checked (const char *word)
{
  guint n = 0;

  for (const char *at = word; *at != '\0'; at = g_utf8_next_char (at), n++)
    {
      gunichar c = g_utf8_get_char (at);
      GUnicodeScript script = g_unichar_get_script (c);

      if (c != '\'' && c != 0x2019 && (!g_unichar_isalpha (c) || (n > 0 && g_unichar_isupper (c))))
        return FALSE;
      if (script == G_UNICODE_SCRIPT_HAN || script == G_UNICODE_SCRIPT_HIRAGANA || script == G_UNICODE_SCRIPT_KATAKANA
          || script == G_UNICODE_SCRIPT_HANGUL || script == G_UNICODE_SCRIPT_THAI)
        return FALSE;
    }
  return n > 1 && n <= MOST_WORD_CHARS;
}

/* A part of a path, an address, a command or code. */
static gboolean
is_part_of_name (const GtkTextIter *start, const GtkTextIter *end)
{
  GtkTextIter before = *start, behind = *end;
  gunichar next = gtk_text_iter_get_char (end);

  if (gtk_text_iter_backward_char (&before) && gtk_text_iter_get_char (&before) < 128
      && strchr ("/@_\\.:#`-$<=", (int) gtk_text_iter_get_char (&before)) != NULL)
    return TRUE;
  if (next == 0 || next >= 128 || strchr ("/@_\\.:=`(", (int) next) == NULL)
    return FALSE;
  return gtk_text_iter_forward_char (&behind) && g_unichar_isalnum (gtk_text_iter_get_char (&behind));
}

/* The word that is being typed is not wrong yet. */
static gboolean
is_being_typed (BeckonSpeller *self, const GtkTextIter *end)
{
  GtkTextIter cursor;

  gtk_text_buffer_get_iter_at_mark (get_buffer (self), &cursor, gtk_text_buffer_get_insert (get_buffer (self)));
  return gtk_text_iter_equal (&cursor, end);
}

static void
speller_clear (BeckonSpeller *self)
{
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (get_buffer (self), &start, &end);
  gtk_text_buffer_remove_tag (get_buffer (self), self->tag, &start, &end);
}

static void
check_all (BeckonSpeller *self)
{
  GtkTextIter start, end;

  speller_clear (self);
  if (gtk_text_buffer_get_char_count (get_buffer (self)) > MOST_CHARS)
    return;
  gtk_text_buffer_get_start_iter (get_buffer (self), &end);
  while (gtk_text_iter_forward_word_end (&end))
    {
      g_autofree char *word = NULL;

      start = end;
      gtk_text_iter_backward_word_start (&start);

      word = gtk_text_iter_get_text (&start, &end);
      if (is_checked (word) && !is_part_of_name (&start, &end) && !is_being_typed (self, &end)
          && !beckon_dictionary_has (self->dictionary, word))
        gtk_text_buffer_apply_tag (get_buffer (self), self->tag, &start, &end);
    }
}

static void
speller_on_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonDictionary) dictionary = beckon_dictionary_load_finish (result, &error);
  BeckonSpeller *self = user_data;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->loading);
  self->dictionary = g_steal_pointer (&dictionary);
  if (self->dictionary != NULL && self->is_enabled)
    check_all (self);
}

static gboolean
on_pause (gpointer user_data)
{
  BeckonSpeller *self = user_data;

  self->timeout = 0;
  if (self->dictionary != NULL)
    check_all (self);
  else if (!self->was_tried)
    {
      self->was_tried = TRUE;
      self->loading = g_cancellable_new ();
      beckon_dictionary_load_async (self->loading, speller_on_loaded, self);
    }
  return G_SOURCE_REMOVE;
}

static void
speller_on_changed (BeckonSpeller *self)
{
  if (!self->is_enabled || gtk_text_buffer_get_char_count (get_buffer (self)) == 0)
    return;
  g_clear_handle_id (&self->timeout, g_source_remove);
  self->timeout = g_timeout_add (PAUSE_MS, on_pause, self);
}

/* The menu */

static gboolean
find_word (BeckonSpeller *self, GtkTextIter *at, GtkTextIter *end)
{
  *end = *at;
  if (!gtk_text_iter_has_tag (at, self->tag) && !gtk_text_iter_ends_tag (at, self->tag))
    return FALSE;
  if (!gtk_text_iter_starts_tag (at, self->tag))
    gtk_text_iter_backward_to_tag_toggle (at, self->tag);
  if (!gtk_text_iter_ends_tag (end, self->tag))
    gtk_text_iter_forward_to_tag_toggle (end, self->tag);
  return TRUE;
}

static void
append_item (GMenu *menu, const char *label, const char *action, const char *word)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

  g_menu_item_set_action_and_target (item, action, "s", word);
  g_menu_append_item (menu, item);
}

static void
offer (BeckonSpeller *self, GtkTextIter *at)
{
  g_autoptr (GMenu) menu = NULL;
  g_autoptr (GMenu) section = NULL;
  g_auto (GStrv) others = NULL;
  g_autofree char *word = NULL;
  GtkTextIter end;

  if (self->dictionary != NULL && self->is_enabled && find_word (self, at, &end))
    {
      gtk_text_buffer_move_mark (get_buffer (self), self->start, at);
      gtk_text_buffer_move_mark (get_buffer (self), self->end, &end);
      word = gtk_text_iter_get_text (at, &end);
      others = beckon_dictionary_suggest (self->dictionary, word);
      section = g_menu_new ();
      for (guint i = 0; others[i] != NULL; i++)
        {
          /* An underscore would be an access key. */
          g_auto (GStrv) pieces = g_strsplit (others[i], "_", -1);
          g_autofree char *label = g_strjoinv ("__", pieces);

          append_item (section, label, "spelling.replace", others[i]);
        }
      append_item (section, _("Add to Dictionary"), "spelling.learn", word);
      menu = g_menu_new ();
      g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
    }
  gtk_text_view_set_extra_menu (self->view, G_MENU_MODEL (menu));
}

static void
speller_on_pressed (BeckonSpeller *self, int n, double x, double y)
{
  GtkTextIter at;
  int buffer_x, buffer_y;

  gtk_text_view_window_to_buffer_coords (self->view, GTK_TEXT_WINDOW_WIDGET, (int) x, (int) y, &buffer_x, &buffer_y);
  gtk_text_view_get_iter_at_location (self->view, &at, buffer_x, buffer_y);
  offer (self, &at);
}

static gboolean
speller_on_key_pressed (BeckonSpeller *self, guint keyval, guint keycode, GdkModifierType state)
{
  GtkTextIter at;

  if (keyval == GDK_KEY_Menu || (keyval == GDK_KEY_F10 && (state & GDK_SHIFT_MASK) != 0))
    {
      gtk_text_buffer_get_iter_at_mark (get_buffer (self), &at, gtk_text_buffer_get_insert (get_buffer (self)));
      offer (self, &at);
    }
  return GDK_EVENT_PROPAGATE;
}

static void
on_replace (GSimpleAction *action, GVariant *word, gpointer user_data)
{
  BeckonSpeller *self = user_data;
  GtkTextBuffer *buffer = get_buffer (self);
  GtkTextIter start, end;

  if (!gtk_text_view_get_editable (self->view))
    return;
  gtk_text_buffer_get_iter_at_mark (buffer, &start, self->start);
  gtk_text_buffer_get_iter_at_mark (buffer, &end, self->end);
  gtk_text_buffer_begin_user_action (buffer);
  gtk_text_buffer_delete (buffer, &start, &end);
  gtk_text_buffer_insert (buffer, &start, g_variant_get_string (word, NULL), -1);
  gtk_text_buffer_end_user_action (buffer);
}

static void
on_learn (GSimpleAction *action, GVariant *word, gpointer user_data)
{
  BeckonSpeller *self = user_data;

  if (self->dictionary == NULL)
    return;
  beckon_dictionary_learn (self->dictionary, g_variant_get_string (word, NULL));
  check_all (self);
}

void
beckon_speller_set_enabled (BeckonSpeller *self, gboolean enabled)
{
  if (self->is_enabled == enabled)
    return;
  self->is_enabled = enabled;
  g_clear_handle_id (&self->timeout, g_source_remove);
  if (enabled)
    speller_on_changed (self);
  else
    speller_clear (self);
}

static void
beckon_speller_dispose (GObject *object)
{
  BeckonSpeller *self = BECKON_SPELLER (object);

  g_clear_handle_id (&self->timeout, g_source_remove);
  if (self->loading != NULL)
    g_cancellable_cancel (self->loading);
  g_clear_object (&self->loading);
  g_clear_object (&self->dictionary);
  g_clear_object (&self->actions);
  G_OBJECT_CLASS (beckon_speller_parent_class)->dispose (object);
}

static void
beckon_speller_class_init (BeckonSpellerClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = beckon_speller_dispose;
}

static void
beckon_speller_init (BeckonSpeller *self)
{
}

BeckonSpeller *
beckon_speller_new (GtkTextView *view)
{
  static const GActionEntry entries[] = {
    { .name = "replace", .activate = on_replace, .parameter_type = "s" },
    { .name = "learn", .activate = on_learn, .parameter_type = "s" },
  };
  BeckonSpeller *self = g_object_new (BECKON_TYPE_SPELLER, NULL);
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (view);
  GtkTextIter start;
  GtkGesture *click = gtk_gesture_click_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->view = view;
  self->tag = gtk_text_buffer_create_tag (buffer, NULL, "underline", PANGO_UNDERLINE_ERROR, NULL);
  gtk_text_buffer_get_start_iter (buffer, &start);
  self->start = gtk_text_buffer_create_mark (buffer, NULL, &start, TRUE);
  self->end = gtk_text_buffer_create_mark (buffer, NULL, &start, FALSE);
  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), entries, G_N_ELEMENTS (entries), self);
  gtk_widget_insert_action_group (GTK_WIDGET (view), "spelling", G_ACTION_GROUP (self->actions));
  g_signal_connect_object (buffer, "changed", G_CALLBACK (speller_on_changed), self, G_CONNECT_SWAPPED);

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (click), GTK_PHASE_CAPTURE);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_object (click, "pressed", G_CALLBACK (speller_on_pressed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (speller_on_key_pressed), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (self->view), GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (GTK_WIDGET (self->view), keys);
  return self;
}
