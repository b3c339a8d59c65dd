/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * floor-stream URL SIZE: the least that a program can do with a streamed reply on libsoup and json-glib: one POST of SIZE
 * bytes, its body read as it comes, split into lines, each payload parsed as a tree, its text kept and printed.
 */

#include "floor-client.h"

#include <json-glib/json-glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define READ_SIZE 65536

typedef struct
{
  GMainLoop *loop;
  SoupSession *session;
  SoupMessage *message;
  GInputStream *stream;
  JsonParser *parser;
  char *buffer;
  GString *line;
  GString *text;
} Floor;

static void
take_payload (Floor *floor, const char *payload)
{
  JsonArray *choices;
  JsonObject *choice, *delta;

  if (strcmp (payload, "[DONE]") == 0 || !json_parser_load_from_data (floor->parser, payload, -1, NULL))
    return;
  choices = json_object_get_array_member (json_node_get_object (json_parser_get_root (floor->parser)), "choices");
  choice = json_array_get_object_element (choices, 0);
  delta = json_object_get_object_member (choice, "delta");
  if (delta != NULL && json_object_has_member (delta, "content"))
    {
      const char *content = json_object_get_string_member (delta, "content");

      g_string_append (floor->text, content);
      fputs (content, stdout);
    }
}

static void
take_bytes (Floor *floor, const char *bytes, gsize size)
{
  while (size > 0)
    {
      const char *end = memchr (bytes, '\n', size);
      gsize length = end != NULL ? (gsize) (end - bytes) : size;

      g_string_append_len (floor->line, bytes, (gssize) length);
      if (end == NULL)
        return;
      if (g_str_has_prefix (floor->line->str, "data: "))
        take_payload (floor, floor->line->str + strlen ("data: "));
      g_string_truncate (floor->line, 0);
      bytes += length + 1;
      size -= length + 1;
    }
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  Floor *floor = data;
  gssize size = g_input_stream_read_finish (G_INPUT_STREAM (source), result, NULL);

  if (size <= 0)
    {
      g_main_loop_quit (floor->loop);
      return;
    }
  take_bytes (floor, floor->buffer, (gsize) size);
  fflush (stdout);
  g_input_stream_read_async (floor->stream, floor->buffer, READ_SIZE, G_PRIORITY_DEFAULT, NULL, read_cb, floor);
}

static void
send_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  Floor *floor = data;

  floor->stream = soup_session_send_finish (SOUP_SESSION (source), result, NULL);
  if (floor->stream == NULL)
    g_error ("no reply");
  g_input_stream_read_async (floor->stream, floor->buffer, READ_SIZE, G_PRIORITY_DEFAULT, NULL, read_cb, floor);
}

int
main (int argc, char **argv)
{
  Floor floor = { 0 };

  if (argc != 3)
    g_error ("usage: floor-stream URL SIZE");
  floor.loop = g_main_loop_new (NULL, FALSE);
  floor.session = soup_session_new ();
  floor.parser = json_parser_new ();
  floor.buffer = g_malloc (READ_SIZE);
  floor.line = g_string_new (NULL);
  floor.text = g_string_new (NULL);
  floor.message = floor_client_message_new (argv[1], strtoul (argv[2], NULL, 10));

  soup_session_send_async (floor.session, floor.message, G_PRIORITY_DEFAULT, NULL, send_cb, &floor);
  g_main_loop_run (floor.loop);

  g_string_free (floor.text, TRUE);
  g_string_free (floor.line, TRUE);
  g_free (floor.buffer);
  g_clear_object (&floor.stream);
  g_clear_object (&floor.message);
  g_clear_object (&floor.parser);
  g_clear_object (&floor.session);
  g_main_loop_unref (floor.loop);
  return 0;
}
