/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-folder-list.h"

#include "base/beckon-text.h"
#include "domain/beckon-landing.h"
#include "landing/beckon-landing-look.h"

#include <glib/gi18n-lib.h>

/* More files are counted. */
#define MOST_FILES 200

static void
on_looked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  guint n_all = GPOINTER_TO_UINT (g_task_get_task_data (task));
  g_autoptr (BeckonLandingLook) look = beckon_landing_look_finish (result, NULL);
  guint n = look != NULL ? MIN (look->files->len, MOST_FILES) : 0;
  g_autoptr (GString) text = g_string_new (n == 0 ? _("The files can’t be listed.") : NULL);

  for (guint i = 0; i < n; i++)
    {
      const BeckonFileChange *file = g_ptr_array_index (look->files, i);
      g_autofree char *safe = beckon_text_for_display (file->path, -1, BECKON_TEXT_EXACT);

      g_string_append_printf (text, "%s     %s", i > 0 ? "\n" : "", safe);
    }
  if (n > 0 && n_all > n)
    {
      g_string_append (text, "\n");
      g_string_append_printf (text, ngettext ("… and %u more", "… and %u more", n_all - n), n_all - n);
    }
  g_task_return_pointer (task, g_string_free (g_steal_pointer (&text), FALSE), g_free);
}

void
beckon_folder_list_async (BeckonConversation *conversation, BeckonRequest *request, guint change,
                          GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (conversation, NULL, callback, user_data);
  const char *call_id = beckon_request_get_call_id (request);
  BeckonToolCall *call = call_id != NULL ? beckon_conversation_find_call (conversation, call_id) : NULL;
  const BeckonLanding *landing = call != NULL ? beckon_tool_call_get_landing (call) : NULL;
  const BeckonFileChange *folder;

  g_task_set_source_tag (task, beckon_folder_list_async);
  if (landing == NULL || change >= beckon_change_set_get_n_changes (landing->changes))
    {
      g_task_return_pointer (task, g_strdup (_("The files can’t be listed.")), g_free);
      return;
    }
  folder = beckon_change_set_get (landing->changes, change);
  g_task_set_task_data (task, GUINT_TO_POINTER (folder->n_files), NULL);
  beckon_landing_look_async (landing, folder, NULL, on_looked, g_object_ref (task));
}

char *
beckon_folder_list_finish (BeckonConversation *conversation, GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}
