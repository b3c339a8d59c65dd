/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-window-private.h"

#include "tools/beckon-command.h"
#include "tools/beckon-undo.h"

#include <glib/gi18n-lib.h>

/* Changes of a tool or a command are undone, or made again, and those of one that runs land. The card shows by itself what
 * became of them. */

typedef struct
{
  BeckonWindow *window; /* (owned) */
  BeckonToolCall *call; /* (owned) */
} Change;

static void
change_free (Change *change)
{
  g_object_unref (change->window);
  g_object_unref (change->call);
  g_free (change);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Change, change_free)

/* (nullable): the call is not there any more. */
static Change *
change_new (BeckonWindow *self, const char *call_id)
{
  BeckonToolCall *call = self->conversation != NULL ? beckon_conversation_find_call (self->conversation, call_id) : NULL;
  Change *change;

  if (self->runtime == NULL || call == NULL)
    return NULL;
  change = g_new0 (Change, 1);
  change->window = g_object_ref (self);
  change->call = g_object_ref (call);
  return change;
}

/* Which files were left as they are, and why, is on the card. */
static guint
count_refused (Change *change)
{
  g_autoptr (GPtrArray) refused = beckon_undo_list_refused (change->call);

  return refused->len;
}

static void
on_undone (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Change) change = user_data;
  g_autoptr (GError) error = NULL;
  guint n;
  g_autofree char *words = NULL;

  if (!beckon_undo_finish (BECKON_FILE_COPIES (source), result, &error))
    {
      beckon_window_toast (change->window, error->message);
      return;
    }
  n = count_refused (change);
  words = n == 0 ? g_strdup (_("The change was undone"))
                 : g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Undone, except for %u file that stays as it is",
                                                 "Undone, except for %u files that stay as they are", n), n);
  beckon_window_toast (change->window, words);
}

static void
on_redone (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Change) change = user_data;
  g_autoptr (GError) error = NULL;
  guint n;
  g_autofree char *words = NULL;

  if (!beckon_redo_finish (BECKON_FILE_COPIES (source), result, &error))
    {
      beckon_window_toast (change->window, error->message);
      return;
    }
  n = count_refused (change);
  words = n == 0 ? g_strdup (_("The change was redone"))
                 : g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Redone, except for %u file that stays as it is",
                                                 "Redone, except for %u files that stay as they are", n), n);
  beckon_window_toast (change->window, words);
}

static void
undo_change_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  Change *change = change_new (self, g_variant_get_string (parameter, NULL));

  if (change != NULL)
    beckon_undo_async (BECKON_FILE_COPIES (beckon_runtime_get_store (self->runtime)),
                       beckon_conversation_get_id (self->conversation), change->call, "window", NULL, on_undone, change);
}

static void
redo_change_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  Change *change = change_new (self, g_variant_get_string (parameter, NULL));

  if (change != NULL)
    beckon_redo_async (BECKON_FILE_COPIES (beckon_runtime_get_store (self->runtime)),
                       beckon_conversation_get_id (self->conversation), change->call, "window", NULL, on_redone, change);
}

/* A landing is said on its card, so a toast is for the other ends. */
static void
on_landed_now (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Change) change = user_data;
  g_autoptr (GError) error = NULL;

  switch (beckon_agent_land_now_finish (BECKON_AGENT (source), result, &error))
    {
    case BECKON_LAND_NOW_NOTHING:
      beckon_window_toast (change->window, _("The command has changed nothing yet"));
      return;
    case BECKON_LAND_NOW_WAITS:
      beckon_window_toast (change->window, _("You will be asked about these changes when the command ends"));
      return;
    case BECKON_LAND_NOW_ASKED:
      return;
    case BECKON_LAND_NOW_LANDED:
      beckon_window_toast (change->window, _("The changes so far are in the folder"));
      return;
    case BECKON_LAND_NOW_FAILED:
    default:
      beckon_window_toast (change->window, error->message);
    }
}

static void
land_now_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  Change *change = change_new (self, g_variant_get_string (parameter, NULL));

  if (change != NULL)
    beckon_agent_land_now_async (beckon_runtime_get_agent (self->runtime), self->conversation, change->call, on_landed_now,
                                 change);
}

/* Its changes are saved as at any end. */
static void
end_command_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  BeckonWindow *self = BECKON_WINDOW (widget);
  g_autoptr (Change) change = change_new (self, g_variant_get_string (parameter, NULL));

  if (change != NULL)
    beckon_command_end (change->call, "the user stopped it");
}

void
beckon_window_install_undo (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.undo-change", "s", undo_change_action);
  gtk_widget_class_install_action (widget_class, "win.redo-change", "s", redo_change_action);
  gtk_widget_class_install_action (widget_class, "win.land-now", "s", land_now_action);
  gtk_widget_class_install_action (widget_class, "win.end-command", "s", end_command_action);
}
