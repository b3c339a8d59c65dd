/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-folder-list.h"

#include "base/beckon-text.h"
#include "base/beckon-worker.h"
#include "domain/beckon-landing.h"
#include "landing/beckon-landing-files.h"

#include <glib/gi18n-lib.h>

/* More files are counted. */
#define MOST_FILES 200

typedef struct
{
  BeckonLanding *landing; /* (owned) (nullable) */
  guint change;
} Listing;

static void
listing_free (gpointer data)
{
  Listing *listing = data;

  beckon_landing_free (listing->landing);
  g_free (listing);
}

static void
list_files (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  const Listing *listing = task_data;
  const BeckonFileChange *change = beckon_change_set_get (listing->landing->changes, listing->change);
  g_autoptr (GPtrArray) paths = beckon_landing_list_files (listing->landing, change, MOST_FILES);
  g_autoptr (GString) text = g_string_new (paths->len == 0 ? _("The files can’t be listed.") : NULL);

  for (guint i = 0; i < paths->len; i++)
    {
      g_autofree char *safe = beckon_text_for_display (g_ptr_array_index (paths, i), -1, BECKON_TEXT_EXACT);

      g_string_append_printf (text, "%s     %s", i > 0 ? "\n" : "", safe);
    }
  if (paths->len > 0 && change->n_files > paths->len)
    {
      guint n_more = change->n_files - paths->len;

      g_string_append (text, "\n");
      g_string_append_printf (text, ngettext ("… and %u more", "… and %u more", n_more), n_more);
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
  Listing *listing;

  g_task_set_source_tag (task, beckon_folder_list_async);
  if (landing == NULL || change >= beckon_change_set_get_n_changes (landing->changes))
    {
      g_task_return_pointer (task, g_strdup (_("The files can’t be listed.")), g_free);
      return;
    }
  listing = g_new0 (Listing, 1);
  listing->landing = beckon_landing_copy (landing);
  listing->change = change;
  g_task_set_task_data (task, listing, listing_free);
  beckon_worker_run_for_person (task, list_files);
}

char *
beckon_folder_list_finish (BeckonConversation *conversation, GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}
