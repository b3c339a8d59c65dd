/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-application-private.h"

#include "ui/blocks/beckon-picture-block.h"
#include "ui/desktop/beckon-appearance.h"

#include <glib/gi18n-lib.h>

/* The main windows: there may be several, on the same conversations. With the last one the program ends, or goes on without. */

BeckonWindow *
beckon_application_get_window (BeckonApplication *self)
{
  for (GList *at = gtk_application_get_windows (GTK_APPLICATION (self)); at != NULL; at = at->next)
    {
      if (BECKON_IS_WINDOW (at->data))
        return at->data;
    }
  return NULL;
}

GPtrArray *
beckon_application_list_windows (BeckonApplication *self)
{
  GPtrArray *windows = g_ptr_array_new_with_free_func (g_object_unref);

  for (GList *at = gtk_application_get_windows (GTK_APPLICATION (self)); at != NULL; at = at->next)
    if (BECKON_IS_WINDOW (at->data))
      g_ptr_array_add (windows, g_object_ref (at->data));
  return windows;
}

static gboolean
open_runtime (gpointer user_data)
{
  beckon_application_open_runtime (user_data);
  return G_SOURCE_REMOVE;
}

/* The first frame is drawn before anything with a lower priority runs. */
static gboolean
on_first_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  g_idle_add_full (G_PRIORITY_LOW, open_runtime, g_object_ref (user_data), g_object_unref);
  return G_SOURCE_REMOVE;
}

static void
follow_private (BeckonSettings *settings, const char *key, BeckonWebPictures *pictures)
{
  beckon_web_pictures_set_private_too (pictures, beckon_settings_get_fetch_private_addresses (settings));
}

BeckonWindow *
beckon_application_add_window (BeckonApplication *self, gboolean small)
{
  gboolean is_careful = FALSE;
  GtkWidget *window;

  if (self->settings == NULL)
    {
      g_autoptr (BeckonWebPictures) pictures = NULL;

      self->settings = beckon_settings_new ();
      is_careful = beckon_settings_begin_start (self->settings);
      beckon_appearance_follow (self->settings);

      pictures = beckon_web_pictures_new ();
      g_signal_connect_object (self->settings, "changed::fetch-private-addresses", G_CALLBACK (follow_private),
                               pictures, 0);
      follow_private (self->settings, NULL, pictures);
      beckon_picture_block_set_pictures (pictures);
    }
  window = beckon_window_new (GTK_APPLICATION (self), self->settings);
  if (is_careful)
    beckon_window_begin_carefully (BECKON_WINDOW (window));
  if (small)
    beckon_window_make_small (BECKON_WINDOW (window));
  g_application_set_inactivity_timeout (G_APPLICATION (self), 0);
  beckon_application_update_hold (self);
  self->stays = FALSE;
  gtk_widget_add_tick_callback (window, on_first_tick, g_object_ref (self), g_object_unref);
  if (self->startup_id != NULL)
    gtk_window_set_startup_id (GTK_WINDOW (window), self->startup_id);
  gtk_window_present (GTK_WINDOW (window));
  return BECKON_WINDOW (window);
}

void
beckon_application_close_windows (BeckonApplication *self)
{
  g_autoptr (GPtrArray) windows = beckon_application_list_windows (self);

  for (guint i = 0; i < windows->len; i++)
    beckon_window_close_now (g_ptr_array_index (windows, i));
  if (windows->len == 0)
    beckon_application_end_without_window (self);
}

/* Asked once, whatever is shown in how many windows. */
static void
quit_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  BeckonWindow *window = beckon_application_get_window (user_data);

  if (window == NULL || !beckon_window_ask_before_quitting (window))
    beckon_application_close_windows (user_data);
}

static void
close_all_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  beckon_application_close_windows (user_data);
}

static void
show_window_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  g_application_activate (user_data);
}

void
beckon_application_ask (BeckonApplication *self, const char *text)
{
  BeckonLink link = { .kind = BECKON_LINK_NEW, .text = (char *) text };

  if (!self->closing)
    beckon_window_follow_link (beckon_application_add_window (self, TRUE), &link);
}

static void
ask_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  beckon_application_ask (user_data, parameter != NULL ? g_variant_get_string (parameter, NULL) : "");
}

/* An empty conversation, or the one whose id is given. */
static void
new_window_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  BeckonApplication *self = user_data;
  BeckonLink link = { .kind = BECKON_LINK_NEW };

  if (parameter != NULL)
    {
      link.kind = BECKON_LINK_CONVERSATION;
      link.conversation_id = (char *) g_variant_get_string (parameter, NULL);
    }
  if (!self->closing)
    beckon_window_follow_link (beckon_application_add_window (self, FALSE), &link);
}

static const GActionEntry actions[] = {
  { .name = "quit", .activate = quit_action },
  { .name = "close-all", .activate = close_all_action },
  { .name = "show-window", .activate = show_window_action },
  /* Those without a parameter are in the desktop file, too. */
  { .name = "ask", .activate = ask_action },
  { .name = "ask-about", .activate = ask_action, .parameter_type = "s" },
  { .name = "new-window", .activate = new_window_action },
  { .name = "open-in-window", .activate = new_window_action, .parameter_type = "s" },
};

void
beckon_application_add_window_actions (BeckonApplication *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
}
