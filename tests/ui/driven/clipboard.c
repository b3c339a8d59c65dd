/* SPDX-License-Identifier: GPL-3.0-or-later */

/* clipboard MEDIA-TYPE FILE: another program that has copied something. It ends with its input. */

#include <gtk/gtk.h>
#include <gio/gunixinputstream.h>

static void
on_input (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_main_loop_quit (user_data);
}

int
main (int argc, char **argv)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GInputStream) input = g_unix_input_stream_new (0, FALSE);
  g_autoptr (GdkContentProvider) provider = NULL;
  g_autoptr (GBytes) bytes = NULL;
  char *data;
  gsize length;
  char byte;

  if (argc != 3 || !gtk_init_check () || !g_file_get_contents (argv[2], &data, &length, NULL))
    return 1;
  bytes = g_bytes_new_take (data, length);
  provider = gdk_content_provider_new_for_bytes (argv[1], bytes);
  if (!gdk_clipboard_set_content (gdk_display_get_clipboard (gdk_display_get_default ()), provider))
    return 1;
  gdk_display_sync (gdk_display_get_default ());
  g_print ("copied\n");
  g_input_stream_read_async (input, &byte, 1, G_PRIORITY_DEFAULT, NULL, on_input, loop);
  g_main_loop_run (loop);
  return 0;
}
