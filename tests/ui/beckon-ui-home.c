/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-ui-home.h"

#include "base/beckon-id.h"
#include "beckon-tree.h"

static void
on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  *(gboolean *) user_data = beckon_runtime_open_finish (BECKON_RUNTIME (source), result, &error);
  g_assert_no_error (error);
}

static void
on_closed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(gboolean *) user_data = beckon_runtime_close_finish (BECKON_RUNTIME (source), result, NULL);
}

void
ui_home_open (UiHome *home)
{
  gboolean is_open = FALSE;

  *home = (UiHome){ .folder = g_dir_make_tmp ("beckon-ui-XXXXXX", NULL) };
  home->runtime = beckon_runtime_new (home->folder);
  beckon_runtime_open_async (home->runtime, NULL, on_opened, &is_open);
  ui_wait_until (is_open);
}

void
ui_home_show_window (UiHome *home)
{
  home->settings = beckon_settings_new ();
  home->window = beckon_window_new (NULL, home->settings);
  gtk_window_present (GTK_WINDOW (home->window));
  ui_wait_until (gtk_widget_get_mapped (home->window));
  beckon_window_set_runtime (BECKON_WINDOW (home->window), home->runtime);
}

void
ui_destroy (GtkWidget *window)
{
  g_object_add_weak_pointer (G_OBJECT (window), (gpointer *) &window);
  ui_close (window);
  ui_wait_until (window == NULL);
}

void
ui_home_close (UiHome *home)
{
  gboolean closed = FALSE;

  if (home->window != NULL)
    ui_destroy (home->window);
  g_clear_object (&home->settings);
  beckon_runtime_close_async (home->runtime, on_closed, &closed);
  ui_wait_until (closed);
  g_clear_object (&home->runtime);
  beckon_tree_remove (home->folder);
  g_free (home->folder);
}

void
ui_home_set_up (UiHome *home, gconstpointer data)
{
  ui_home_open (home);
}

void
ui_home_tear_down (UiHome *home, gconstpointer data)
{
  ui_home_close (home);
}

static void
add_message (BeckonBatch *batch, BeckonConversation *conversation, BeckonRole role, gint64 seq, const char *text)
{
  g_autoptr (BeckonMessage) message = beckon_message_new (NULL, role, beckon_conversation_get_updated_at (conversation));
  g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_TEXT, text);

  beckon_message_set_seq (message, seq);
  beckon_message_add_part (message, part);
  beckon_batch_add_message (batch, beckon_conversation_get_id (conversation), message);
}

static void
on_committed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  *(gboolean *) user_data = beckon_store_commit_finish (BECKON_STORE (source), result, &error);
  g_assert_no_error (error);
}

static void
on_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(gboolean *) user_data = beckon_library_load_finish (BECKON_LIBRARY (source), result, NULL);
}

BeckonConversation *
ui_home_add (UiHome *home, const char *title, gint64 at, guint n_pairs, const char *asked, const char *said)
{
  g_autofree char *id = beckon_id_new ();
  g_autoptr (BeckonConversation) stored = beckon_conversation_new (id, at);
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  BeckonLibrary *library = beckon_runtime_get_library (home->runtime);
  gboolean committed = FALSE, loaded = FALSE;

  beckon_conversation_set_title (stored, title);
  beckon_conversation_set_updated_at (stored, at);
  beckon_batch_put_conversation (batch, stored);
  for (guint i = 0; i < n_pairs; i++)
    {
      add_message (batch, stored, BECKON_ROLE_USER, 2 * i, asked);
      add_message (batch, stored, BECKON_ROLE_ASSISTANT, 2 * i + 1, said);
    }
  beckon_store_commit_async (beckon_runtime_get_store (home->runtime), batch, NULL, on_committed, &committed);
  ui_wait_until (committed);
  beckon_library_load_async (library, NULL, on_loaded, &loaded);
  ui_wait_until (loaded);
  return beckon_library_lookup (library, id);
}
