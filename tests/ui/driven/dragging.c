/* SPDX-License-Identifier: GPL-3.0-or-later */

/* dragging give FILE | dragging take: another program's window, from which a file is dragged, or which says the paths of the files
 * that are dropped on it, a line each. It says "shown" when it is there, and "agreed" when what is dragged may be let go. It ends with
 * its input. */

#include <gtk/gtk.h>
#include <gio/gunixinputstream.h>
#include <string.h>

#define SIDE 120
#define MOTIONS 4

static void
on_input (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_main_loop_quit (user_data);
}

static void
say (const char *line)
{
  g_print ("%s\n", line);
  fflush (stdout);
}

static void
on_selected_action (GdkDrag *drag)
{
  if (gdk_drag_get_selected_action (drag) != 0)
    say ("agreed");
}

static void
on_drag_begin (GtkDragSource *source, GdkDrag *drag)
{
  g_signal_connect (drag, "notify::selected-action", G_CALLBACK (on_selected_action), NULL);
}

static void
give (GtkWidget *window, const char *path)
{
  GtkDragSource *source = gtk_drag_source_new ();
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GdkContentProvider) provider = gdk_content_provider_new_typed (G_TYPE_FILE, file);

  gtk_drag_source_set_content (source, provider);
  gtk_drag_source_set_actions (source, GDK_ACTION_COPY);
  g_signal_connect (source, "drag-begin", G_CALLBACK (on_drag_begin), NULL);
  gtk_widget_add_controller (window, GTK_EVENT_CONTROLLER (source));
}

static gboolean
on_drop (GtkDropTarget *target, const GValue *value, double x, double y)
{
  g_autoptr (GSList) files = gdk_file_list_get_files (g_value_get_boxed (value));

  for (GSList *link = files; link != NULL; link = link->next)
    say (g_file_peek_path (link->data));
  return TRUE;
}

/* The other side says where it is only after it was answered for where it was. */
static GdkDragAction
on_motion (GtkDropTarget *target, double x, double y)
{
  static guint n_motions;

  if (++n_motions == MOTIONS)
    say ("agreed");
  return GDK_ACTION_COPY;
}

static void
take (GtkWidget *window)
{
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  g_signal_connect (target, "motion", G_CALLBACK (on_motion), NULL);
  g_signal_connect (target, "drop", G_CALLBACK (on_drop), NULL);
  gtk_widget_add_controller (window, GTK_EVENT_CONTROLLER (target));
}

static void
on_map (GtkWidget *window)
{
  say ("shown");
}

int
main (int argc, char **argv)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GInputStream) input = g_unix_input_stream_new (0, FALSE);
  GtkWidget *window;
  char byte;

  if (argc < 2 || !gtk_init_check ())
    return 1;
  window = gtk_window_new ();
  gtk_window_set_title (GTK_WINDOW (window), "Another Program");
  gtk_window_set_decorated (GTK_WINDOW (window), FALSE);
  gtk_window_set_default_size (GTK_WINDOW (window), SIDE, SIDE);
  if (strcmp (argv[1], "give") == 0 && argc == 3)
    give (window, argv[2]);
  else
    take (window);
  g_signal_connect (window, "map", G_CALLBACK (on_map), NULL);
  gtk_window_present (GTK_WINDOW (window));
  g_input_stream_read_async (input, &byte, 1, G_PRIORITY_DEFAULT, NULL, on_input, loop);
  g_main_loop_run (loop);
  return 0;
}
