/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-window-private.h"

/* Queries about other windows. */

typedef gboolean (*Test) (BeckonWindow *other, gconstpointer data);

static gboolean
any (BeckonWindow *self, Test test, gconstpointer data)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));
  GList *windows = application != NULL ? gtk_application_get_windows (application) : NULL;

  for (GList *at = windows; at != NULL; at = at->next)
    if (at->data != self && BECKON_IS_WINDOW (at->data) && test (at->data, data))
      return TRUE;
  return FALSE;
}

static gboolean
shows (BeckonWindow *other, gconstpointer conversation)
{
  return other->conversation == conversation;
}

static gboolean
is_there (BeckonWindow *other, gconstpointer data)
{
  return TRUE;
}

gboolean
beckon_window_is_shown_elsewhere (BeckonWindow *self, BeckonConversation *conversation)
{
  return any (self, shows, conversation);
}

gboolean
beckon_window_has_others (BeckonWindow *self)
{
  return any (self, is_there, NULL);
}
