/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "history-look.h"
#include "turns.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

static void
on_runtime_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!beckon_runtime_open_finish (BECKON_RUNTIME (source), result, &error))
    g_error ("%s", error->message);
  *(gboolean *) user_data = TRUE;
}

BeckonRuntime *
history_look_open_runtime (const char *folder)
{
  BeckonRuntime *runtime = beckon_runtime_new (folder);
  gboolean is_open = FALSE;

  beckon_runtime_open_async (runtime, NULL, on_runtime_opened, &is_open);
  turns_wait_until (&is_open);

  return runtime;
}

BeckonWindow *
history_look_show (BeckonRuntime *runtime)
{
  GtkWidget *window = beckon_window_new (NULL, beckon_settings_new ());

  gtk_window_set_default_size (GTK_WINDOW (window), 1000, 700);
  gtk_window_present (GTK_WINDOW (window));
  while (!gtk_widget_get_mapped (window))
    g_main_context_iteration (NULL, TRUE);
  beckon_window_set_runtime (BECKON_WINDOW (window), runtime);
  turns_rest (1500);

  return BECKON_WINDOW (window);
}

BeckonConversation *
history_look_find (BeckonRuntime *runtime, const char *title)
{
  GListModel *library = G_LIST_MODEL (beckon_runtime_get_library (runtime));

  for (guint i = 0; i < g_list_model_get_n_items (library); i++)
    {
      g_autoptr (BeckonConversation) conversation = g_list_model_get_item (library, i);

      if (g_str_equal (beckon_conversation_get_title (conversation), title))
        return conversation;
    }
  g_error ("no conversation is called %s", title);
}

typedef struct
{
  BeckonConversation *conversation;
  gboolean done;
} Painting;

static void
on_painted (GdkFrameClock *clock, Painting *painting)
{
  painting->done |= beckon_conversation_get_loaded (painting->conversation);
}

double
history_look_open (BeckonWindow *window, BeckonConversation *conversation)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (window));
  Painting painting = { conversation, FALSE };
  gulong handler = g_signal_connect (clock, "after-paint", G_CALLBACK (on_painted), &painting);
  gint64 began = g_get_monotonic_time ();
  double time;

  beckon_window_open_conversation (window, conversation, TRUE);
  turns_wait_until (&painting.done);
  time = (double) (g_get_monotonic_time () - began) / 1000.0;
  g_signal_handler_disconnect (clock, handler);

  return time;
}

double
history_look_get_private_mb (void)
{
  g_autofree char *rollup = NULL;
  double kb = 0;

  malloc_trim (0);
  g_file_get_contents ("/proc/self/smaps_rollup", &rollup, NULL, NULL);
  for (char *line = strstr (rollup, "Private_"); line != NULL; line = strstr (line + 1, "Private_"))
    if (!g_str_has_prefix (line, "Private_Hugetlb"))
      kb += atof (strchr (line, ':') + 1);

  return kb / 1024;
}
