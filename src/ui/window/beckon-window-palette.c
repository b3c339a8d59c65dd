/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-window-private.h"

#include "base/beckon-text.h"
#include "ui/cards/beckon-request-words.h"
#include "ui/palette/beckon-palette-commands.h"
#include "ui/palette/beckon-palette-settings.h"
#include "ui/palette/beckon-palette.h"

#include <glib/gi18n-lib.h>

/* The palette: where everything that has a name is reached by typing it. */

#define KEY_RECENT "palette-recent"

/* The titles beyond these are found by the store's search, as the text of messages is. */
#define MOST_CONVERSATIONS 2000
#define MOST_RECENT 12
#define MOST_TITLE_CHARS 120

static char *
dup_title (BeckonConversation *conversation)
{
  g_autofree char *shortened = beckon_text_shorten (beckon_conversation_get_title (conversation), MOST_TITLE_CHARS);
  g_autofree char *safe = beckon_text_for_display (shortened, -1, BECKON_TEXT_PROSE);

  return *safe != '\0' ? g_steal_pointer (&safe) : g_strdup (_("New conversation"));
}

static void
append_requests (BeckonWindow *self, GPtrArray *items)
{
  GListModel *inbox = G_LIST_MODEL (beckon_runtime_get_inbox (self->runtime));
  guint n = g_list_model_get_n_items (inbox);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (BeckonRequest) request = g_list_model_get_item (inbox, i);
      const char *id = beckon_request_get_conversation_id (request);
      BeckonConversation *conversation = beckon_library_lookup (beckon_runtime_get_library (self->runtime), id);
      g_autofree char *title = beckon_request_words_dup_title (request);
      g_autofree char *subtitle = conversation != NULL ? dup_title (conversation) : NULL;

      g_ptr_array_add (items, beckon_palette_item_new (BECKON_PALETTE_REQUEST, title, subtitle, "beckon-question-symbolic",
                                                       "win.show-card",
                                                       g_variant_new ("(ss)", id, beckon_request_get_id (request))));
    }
}

static void
append_conversations (BeckonWindow *self, GPtrArray *items)
{
  GListModel *library = G_LIST_MODEL (beckon_runtime_get_library (self->runtime));
  guint n = MIN (g_list_model_get_n_items (library), MOST_CONVERSATIONS);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (BeckonConversation) conversation = g_list_model_get_item (library, i);
      const char *id = beckon_conversation_get_id (conversation);
      g_autofree char *title = NULL;
      BeckonPaletteItem *item;

      if (conversation == self->conversation && !beckon_window_is_waiting_shown (self))
        continue;
      title = dup_title (conversation);
      item = beckon_palette_item_new (BECKON_PALETTE_CONVERSATION, title,
                                      beckon_conversation_get_archived (conversation) ? _("Archived") : NULL,
                                      "beckon-conversation-symbolic", "win.show-hit",
                                      g_variant_new ("(sss)", id, "", ""));
      beckon_palette_item_set_conversation_id (item, id);
      g_ptr_array_add (items, item);
    }
}

static void
remember (BeckonWindow *self, BeckonPaletteItem *item)
{
  GSettings *settings = beckon_settings_get_gsettings (self->settings);
  g_autofree char *key = beckon_palette_item_dup_key (item);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) old = NULL;
  g_auto (GStrv) recent = NULL;
  BeckonPaletteKind kind = beckon_palette_item_get_kind (item);

  /* Actions on one conversation are no habit, and its id stays private here. */
  if (settings == NULL || (kind != BECKON_PALETTE_COMMAND && kind != BECKON_PALETTE_SETTING) ||
      g_str_equal (beckon_palette_item_get_action (item), "win.act-on"))
    return;
  old = g_settings_get_strv (settings, KEY_RECENT);
  g_strv_builder_add (builder, key);
  for (guint i = 0, n = 1; old[i] != NULL && n < MOST_RECENT; i++)
    if (!g_str_equal (old[i], key))
      {
        g_strv_builder_add (builder, old[i]);
        n++;
      }
  recent = g_strv_builder_end (builder);
  g_settings_set_strv (settings, KEY_RECENT, (const char *const *) recent);
}

static void
on_chosen (BeckonWindow *self, BeckonPaletteItem *item, gboolean elsewhere)
{
  const char *conversation_id = beckon_palette_item_get_conversation_id (item);

  remember (self, item);
  if (elsewhere && conversation_id != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "app.open-in-window", "s", conversation_id);
  else
    gtk_widget_activate_action_variant (GTK_WIDGET (self), beckon_palette_item_get_action (item),
                                        beckon_palette_item_get_target (item));
}

static void
palette_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  GSettings *settings = beckon_settings_get_gsettings (self->settings);
  GPtrArray *items;
  g_auto (GStrv) recent = NULL;
  g_autoptr (BeckonPaletteFinder) finder = NULL;
  gboolean shown = self->conversation != NULL && !beckon_window_is_waiting_shown (self);
  GtkWidget *palette;

  if (self->runtime == NULL)
    return;

  items = g_ptr_array_new_with_free_func (g_object_unref);
  append_requests (self, items);
  append_conversations (self, items);
  beckon_palette_commands_append (items, shown ? self->conversation : NULL);
  beckon_palette_settings_append (items);
  recent = settings != NULL ? g_settings_get_strv (settings, KEY_RECENT) : NULL;
  finder = beckon_palette_finder_new (items, (const char *const *) recent, beckon_runtime_get_store (self->runtime));
  palette = beckon_palette_new (GTK_WINDOW (self), finder);
  g_signal_connect_object (palette, "chosen", G_CALLBACK (on_chosen), self, G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (palette));
}

static void
show_hit_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  const char *conversation, *message, *words;

  g_variant_get (parameter, "(&s&s&s)", &conversation, &message, &words);
  beckon_window_show_hit (BECKON_WINDOW (widget), conversation, *message != '\0' ? message : NULL,
                          *words != '\0' ? words : NULL);
}

void
beckon_window_install_palette (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.palette", NULL, palette_action);
  gtk_widget_class_install_action (widget_class, "win.show-hit", "(sss)", show_hit_action);
}
