/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-window-private.h"

#include "tools/beckon-undo.h"

#include <glib/gi18n-lib.h>

/* What a tool or a command changed is put back, or made again. The card shows by itself what became of it. */

static void
on_undone (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonWindow) self = user_data;
  g_autoptr (GError) error = NULL;

  if (beckon_undo_finish (BECKON_FILE_COPIES (source), result, &error))
    beckon_window_toast (self, _("The change was undone"));
  else
    beckon_window_toast (self, error->message);
}

static void
on_redone (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonWindow) self = user_data;
  g_autoptr (GError) error = NULL;

  if (beckon_redo_finish (BECKON_FILE_COPIES (source), result, &error))
    beckon_window_toast (self, _("The change was made again"));
  else
    beckon_window_toast (self, error->message);
}

static void
undo_change_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  const char *call_id = g_variant_get_string (parameter, NULL);
  BeckonToolCall *call = self->conversation != NULL ? beckon_conversation_find_call (self->conversation, call_id) : NULL;

  if (self->runtime != NULL && call != NULL)
    beckon_undo_async (BECKON_FILE_COPIES (beckon_runtime_get_store (self->runtime)),
                       beckon_conversation_get_id (self->conversation), call, "window", NULL, on_undone,
                       g_object_ref (self));
}

static void
redo_change_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  const char *call_id = g_variant_get_string (parameter, NULL);
  BeckonToolCall *call = self->conversation != NULL ? beckon_conversation_find_call (self->conversation, call_id) : NULL;

  if (self->runtime != NULL && call != NULL)
    beckon_redo_async (BECKON_FILE_COPIES (beckon_runtime_get_store (self->runtime)),
                       beckon_conversation_get_id (self->conversation), call, "window", NULL, on_redone,
                       g_object_ref (self));
}

void
beckon_window_install_undo (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.undo-change", "s", undo_change_action);
  gtk_widget_class_install_action (widget_class, "win.redo-change", "s", redo_change_action);
}
