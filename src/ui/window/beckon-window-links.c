/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-window-private.h"

#include <glib/gi18n-lib.h>

/* Places that other programs lead to: links, and what was found in the desktop's search. Nothing is sent on the way. */

/* Drafts of other conversations stay where they are. */
static void
begin_conversation (BeckonWindow *self, const char *text)
{
  BeckonLibrary *library = beckon_runtime_get_library (self->runtime);
  BeckonConversation *conversation;

  if (text == NULL || *text == '\0')
    {
      beckon_window_new_conversation (self);
      return;
    }

  conversation = beckon_library_create (library);
  beckon_library_save_draft (library, conversation, text);
  beckon_window_open_conversation (self, conversation, TRUE);
}

typedef struct
{
  BeckonWindow *window; /* (owned) */
  BeckonLink *link;     /* (owned) */
} Following;

static void
on_list_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Following *following = user_data;
  g_autoptr (BeckonWindow) self = following->window;
  g_autoptr (BeckonLink) link = following->link;
  g_autoptr (GError) error = NULL;

  if (self->runtime == NULL)
    return;
  if (!beckon_library_load_finish (BECKON_LIBRARY (source), result, &error))
    beckon_window_toast (self, error->message);
  else
    beckon_window_show_hit (self, link->conversation_id, link->message_id, link->text);
}

/* Another program that has begun the conversation just now may have been faster than the news of it. */
static void
show_conversation (BeckonWindow *self, const BeckonLink *link)
{
  BeckonLibrary *library = beckon_runtime_get_library (self->runtime);
  Following *following;

  if (beckon_library_lookup (library, link->conversation_id) != NULL)
    {
      beckon_window_show_hit (self, link->conversation_id, link->message_id, link->text);
      return;
    }
  following = g_new0 (Following, 1);
  following->window = g_object_ref (self);
  following->link = beckon_link_copy (link);
  beckon_library_load_async (library, NULL, on_list_read, following);
}

static void
follow (BeckonWindow *self, const BeckonLink *link)
{
  switch (link->kind)
    {
    case BECKON_LINK_CONVERSATION:
      show_conversation (self, link);
      break;
    case BECKON_LINK_NEW:
      begin_conversation (self, link->text);
      break;
    case BECKON_LINK_SEARCH:
      adw_flap_set_reveal_flap (self->flap, TRUE);
      beckon_sidebar_search_for (self->sidebar, link->text);
      break;
    default:
      g_assert_not_reached ();
    }
}

void
beckon_window_follow_wanted_link (BeckonWindow *self)
{
  g_autoptr (BeckonLink) link = g_steal_pointer (&self->link_wanted);

  if (link != NULL)
    follow (self, link);
}

void
beckon_window_follow_link (BeckonWindow *self, const BeckonLink *link)
{
  g_clear_pointer (&self->link_wanted, beckon_link_free);
  self->link_wanted = beckon_link_copy (link);
  if (self->runtime != NULL && beckon_library_is_loaded (beckon_runtime_get_library (self->runtime)))
    beckon_window_follow_wanted_link (self);
}
