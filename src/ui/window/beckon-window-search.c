/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-window-private.h"

#include <glib/gi18n-lib.h>

/* Searching in all conversations, and finding in the one that is shown. */

void
beckon_window_show_hit (BeckonWindow *self, const char *conversation_id, const char *message_id, const char *words)
{
  BeckonConversation *conversation = NULL;

  if (self->runtime != NULL)
    conversation = beckon_library_lookup (beckon_runtime_get_library (self->runtime), conversation_id);
  if (conversation == NULL)
    {
      beckon_window_toast (self, _("This conversation no longer exists"));
      return;
    }
  g_free (self->message_wanted);
  g_free (self->words_wanted);
  self->message_wanted = g_strdup (message_id);
  self->words_wanted = g_strdup (words);
  beckon_window_open_conversation (self, conversation, TRUE);
}

static void
search_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);

  adw_flap_set_reveal_flap (self->flap, TRUE);
  beckon_sidebar_search (self->sidebar);
}

typedef struct
{
  BeckonWindow *window; /* (owned) */
  int step;
} Finding;

static void
on_all_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Finding *finding = user_data;
  g_autoptr (BeckonWindow) self = finding->window;
  g_autoptr (GError) error = NULL;

  if (!beckon_library_open_finish (BECKON_LIBRARY (source), result, &error))
    beckon_window_toast (self, error->message);
  else if (self->view != NULL && self->conversation != NULL)
    beckon_conversation_view_find (self->view, finding->step);
}

/* The match may be anywhere in a long conversation of which only the end was read. */
static void
find (GtkWidget *widget, int step)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  Finding *finding;

  if (self->view == NULL || self->conversation == NULL)
    return;

  if (!beckon_conversation_get_loaded (self->conversation) || !beckon_conversation_get_has_earlier (self->conversation))
    {
      beckon_conversation_view_find (self->view, step);
      return;
    }
  finding = g_new0 (Finding, 1);
  finding->window = g_object_ref (self);
  finding->step = step;
  beckon_library_open_async (beckon_runtime_get_library (self->runtime), self->conversation, NULL, on_all_read, finding);
}

static void
find_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  find (widget, 0);
}

static void
find_next_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  find (widget, 1);
}

static void
find_previous_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  find (widget, -1);
}

void
beckon_window_install_search (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.search", NULL, search_action);
  gtk_widget_class_install_action (widget_class, "win.find", NULL, find_action);
  gtk_widget_class_install_action (widget_class, "win.find-next", NULL, find_next_action);
  gtk_widget_class_install_action (widget_class, "win.find-previous", NULL, find_previous_action);
}
