/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-window-private.h"

#include <glib/gi18n-lib.h>

/* Actions on messages: another version is shown or written, messages are deleted and put back. A toast says what can't be done
 * now, because the agent works or a question waits. */

static BeckonLibrary *
get_library (BeckonWindow *self)
{
  return beckon_runtime_get_library (self->runtime);
}

static gboolean
has_messages (BeckonWindow *self)
{
  return self->runtime != NULL && self->conversation != NULL && beckon_conversation_get_loaded (self->conversation);
}

static void
on_shown (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonWindow) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!beckon_library_show_finish (BECKON_LIBRARY (source), result, &error) && self->runtime != NULL)
    beckon_window_toast (self, error->message);
}

static void
version_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  const char *id;
  guint version;

  g_variant_get (parameter, "(&su)", &id, &version);
  if (has_messages (self))
    beckon_library_show_version_async (get_library (self), self->conversation, id, version, NULL, on_shown,
                                       g_object_ref (self));
}

static void
left_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);

  if (has_messages (self))
    beckon_library_show_left_async (get_library (self), self->conversation, NULL, on_shown, g_object_ref (self));
}

static void
on_begun (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonWindow) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!beckon_agent_send_finish (BECKON_AGENT (source), result, &error) && self->runtime != NULL)
    beckon_window_toast (self, error->message);
}

static void
regenerate_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  const char *id = g_variant_get_string (parameter, NULL);

  if (has_messages (self) && beckon_conversation_find_message (self->conversation, id) != NULL)
    beckon_agent_regenerate_async (beckon_runtime_get_agent (self->runtime), self->conversation, id, NULL, on_begun,
                                   g_object_ref (self));
}

static void
on_compacted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (BeckonWindow) self = user_data;
  g_autoptr (GError) error = NULL;

  if (beckon_agent_compact_finish (BECKON_AGENT (source), result, &error) || self->runtime == NULL
      || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  beckon_window_toast (self, error->message);
}

static void
compact_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);

  if (has_messages (self))
    beckon_agent_compact_async (beckon_runtime_get_agent (self->runtime), self->conversation, on_compacted,
                                g_object_ref (self));
}

/* Deleting */

typedef struct
{
  BeckonWindow *window;             /* (owned) */
  BeckonConversation *conversation; /* (owned) */
  GStrv ids;                        /* (owned) */
} Deletion;

static void
deletion_free (Deletion *deletion)
{
  g_object_unref (deletion->window);
  g_object_unref (deletion->conversation);
  g_strfreev (deletion->ids);
  g_free (deletion);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Deletion, deletion_free)

static void
on_undo (AdwToast *toast, BeckonWindow *self)
{
  BeckonConversation *conversation = g_object_get_data (G_OBJECT (toast), "conversation");
  const char *const *ids = g_object_get_data (G_OBJECT (toast), "ids");

  if (self->runtime != NULL)
    beckon_library_restore_messages_async (get_library (self), conversation, ids, NULL, on_shown, g_object_ref (self));
}

static void
on_deleted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Deletion) deletion = user_data;
  g_autoptr (GError) error = NULL;
  gboolean deleted = beckon_library_show_finish (BECKON_LIBRARY (source), result, &error);

  if (deletion->window->runtime == NULL)
    return;
  if (deleted)
    {
      BeckonWindow *self = deletion->window;
      guint n = g_strv_length (deletion->ids);
      g_autofree char *text
        = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u message deleted", "%u messages deleted", n), n);
      AdwToast *toast = adw_toast_new (text);

      g_object_set_data_full (G_OBJECT (toast), "conversation", g_object_ref (deletion->conversation), g_object_unref);
      g_object_set_data_full (G_OBJECT (toast), "ids", g_steal_pointer (&deletion->ids), (GDestroyNotify) g_strfreev);
      beckon_window_offer_undo (self, toast, G_CALLBACK (on_undo));
    }
  else
    beckon_window_toast (deletion->window, error->message);
}

static void
delete_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  g_autofree const char **ids = g_variant_get_strv (parameter, NULL);
  Deletion *deletion;

  if (!has_messages (self) || ids[0] == NULL)
    return;

  deletion = g_new0 (Deletion, 1);
  deletion->window = g_object_ref (self);
  deletion->conversation = g_object_ref (self->conversation);
  deletion->ids = g_strdupv ((GStrv) ids);
  beckon_library_remove_messages_async (get_library (self), self->conversation, (const char *const *) ids, NULL, on_deleted,
                                        deletion);
}

void
beckon_window_install_messages (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.message-version", "(su)", version_action);
  gtk_widget_class_install_action (widget_class, "win.message-left", NULL, left_action);
  gtk_widget_class_install_action (widget_class, "win.message-regenerate", "s", regenerate_action);
  gtk_widget_class_install_action (widget_class, "win.compact", NULL, compact_action);
  gtk_widget_class_install_action (widget_class, "win.message-delete", "as", delete_action);
}
