/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-window-private.h"

#include "base/beckon-clock.h"
#include "ui/widgets/beckon-sheet.h"

/*
 * The person sees a conversation while it is shown in a window that is active, or in front of which a window of its own stands.
 * The end of that is stored, so that what is done after it can be told when they come back.
 */

static gboolean
has_active_dialog (BeckonWindow *self)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

      if (gtk_window_is_active (window) && gtk_window_get_transient_for (window) == GTK_WINDOW (self))
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_shown (BeckonWindow *self)
{
  return self->runtime != NULL && self->conversation != NULL && self->view != NULL
         && beckon_conversation_view_get_conversation (self->view) == self->conversation
         && gtk_stack_get_visible_child (self->pages) == GTK_WIDGET (self->view);
}

const char *
beckon_window_get_looked_at (BeckonWindow *self)
{
  GtkWindow *window = GTK_WINDOW (self);

  return self->looking && gtk_window_is_active (window) && !beckon_sheet_covers (window) && is_shown (self)
             ? beckon_conversation_get_id (self->conversation)
             : NULL;
}

static void
mark_seen (BeckonWindow *self)
{
  beckon_library_mark_seen (beckon_runtime_get_library (self->runtime), self->conversation,
                            beckon_clock_get_real_time (beckon_clock_get_system ()));
}

/* --- Coming back -------------------------------------------------------------------------------------------------- */

static void tell (BeckonWindow *self, gint64 since);

typedef struct
{
  BeckonWindow *window;             /* (owned) */
  BeckonConversation *conversation; /* (owned) */
  gint64 since;
} Absence;

static void
on_earlier_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Absence *absence = user_data;
  g_autoptr (BeckonWindow) self = absence->window;
  g_autoptr (BeckonConversation) conversation = absence->conversation;
  g_autoptr (GError) error = NULL;

  if (!beckon_library_open_finish (BECKON_LIBRARY (source), result, &error))
    g_message ("what was done in the meantime could not be read: %s", error->message);
  else if (self->conversation == conversation && is_shown (self))
    tell (self, absence->since);
}

static void
tell (BeckonWindow *self, gint64 since)
{
  BeckonAwayDigest *digest;
  Absence *absence;

  /* The messages that are loaded may all be newer. */
  if (!beckon_conversation_get_has_earlier (self->conversation)
      || beckon_conversation_get_n_messages (self->conversation) == 0
      || beckon_message_get_created_at (beckon_conversation_get_message (self->conversation, 0)) <= since)
    {
      digest = beckon_away_digest_new (self->conversation, since);
      if (digest != NULL)
        beckon_conversation_view_show_absence (self->view, digest);
      return;
    }
  absence = g_new0 (Absence, 1);
  absence->window = g_object_ref (self);
  absence->conversation = g_object_ref (self->conversation);
  absence->since = since;
  beckon_library_open_earlier_async (beckon_runtime_get_library (self->runtime), self->conversation, NULL, on_earlier_read,
                                     absence);
}

void
beckon_window_begin_looking (BeckonWindow *self)
{
  gint64 since;

  if (self->looking || !gtk_window_is_active (GTK_WINDOW (self)) || !is_shown (self))
    return;

  self->looking = TRUE;
  g_signal_emit_by_name (self, "looking-changed");
  since = beckon_conversation_get_seen_at (self->conversation);
  mark_seen (self);
  if (since > 0)
    tell (self, since);
}

/* --- Leaving ------------------------------------------------------------------------------------------------------ */

void
beckon_window_note_seen (BeckonWindow *self)
{
  if (self->looking && self->runtime != NULL && self->conversation != NULL)
    mark_seen (self);
}

void
beckon_window_end_looking (BeckonWindow *self)
{
  beckon_window_note_seen (self);
  g_clear_handle_id (&self->leaving_source, g_source_remove);
  if (!self->looking)
    return;
  self->looking = FALSE;
  g_signal_emit_by_name (self, "looking-changed");
}

static gboolean
on_left (gpointer user_data)
{
  BeckonWindow *self = user_data;

  self->leaving_source = 0;
  if (!gtk_window_is_active (GTK_WINDOW (self)) && !has_active_dialog (self))
    beckon_window_end_looking (self);
  return G_SOURCE_REMOVE;
}

/* The dialog that takes the focus is active a moment later. */
void
beckon_window_follow_looking (BeckonWindow *self)
{
  if (gtk_window_is_active (GTK_WINDOW (self)))
    beckon_window_begin_looking (self);
  else if (self->looking && self->leaving_source == 0)
    self->leaving_source = g_idle_add (on_left, self);
}
