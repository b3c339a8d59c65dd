/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-recent-folders.h"

#include "domain/beckon-conversation.h"

static int
compare_age (gconstpointer a, gconstpointer b)
{
  gint64 first = beckon_conversation_get_updated_at (*(BeckonConversation *const *) a);
  gint64 second = beckon_conversation_get_updated_at (*(BeckonConversation *const *) b);

  return second > first ? 1 : second < first ? -1 : 0;
}

/* Those that count, the newest first. */
static GPtrArray *
sort (GListModel *conversations)
{
  GPtrArray *sorted = g_ptr_array_new_with_free_func (g_object_unref);
  guint n = g_list_model_get_n_items (conversations);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (BeckonConversation) conversation = g_list_model_get_item (conversations, i);

      if (!beckon_conversation_get_temporary (conversation))
        g_ptr_array_add (sorted, g_steal_pointer (&conversation));
    }
  g_ptr_array_sort (sorted, compare_age);
  return sorted;
}

GPtrArray *
beckon_recent_folders_list (GListModel *conversations, guint most)
{
  g_autoptr (GPtrArray) sorted = NULL;
  g_autoptr (GPtrArray) folders = g_ptr_array_new_with_free_func (g_free);

  g_return_val_if_fail (G_IS_LIST_MODEL (conversations), NULL);

  sorted = sort (conversations);
  for (guint i = 0; i < sorted->len && folders->len < most; i++)
    {
      const char *folder = beckon_conversation_get_folder (g_ptr_array_index (sorted, i));

      if (folder != NULL && !g_ptr_array_find_with_equal_func (folders, folder, g_str_equal, NULL))
        g_ptr_array_add (folders, g_strdup (folder));
    }
  return g_steal_pointer (&folders);
}

GPtrArray *
beckon_recent_folders_list_begun (GListModel *conversations, const char *folder, guint most)
{
  g_autoptr (GPtrArray) sorted = NULL;
  g_autoptr (GPtrArray) begun = g_ptr_array_new_with_free_func (g_object_unref);

  g_return_val_if_fail (G_IS_LIST_MODEL (conversations), NULL);

  sorted = sort (conversations);
  for (guint i = 0; i < sorted->len && begun->len < most; i++)
    {
      BeckonConversation *conversation = g_ptr_array_index (sorted, i);
      const char *title = beckon_conversation_get_title (conversation);

      if (g_strcmp0 (beckon_conversation_get_folder (conversation), folder) == 0 && title != NULL && *title != '\0'
          && !beckon_conversation_get_archived (conversation))
        g_ptr_array_add (begun, g_object_ref (conversation));
    }
  return g_steal_pointer (&begun);
}
