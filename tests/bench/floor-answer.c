/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * floor-answer URL DATABASE SIZE…: the least that an answer can cost. For each SIZE it makes a POST of that many bytes on one
 * connection; before every one but the first it waits for a line of input and commits it to a database with synchronous=FULL.
 */

#include "floor-client.h"

#include <gio/gunixinputstream.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct
{
  GMainLoop *loop;
  SoupSession *session;
  GDataInputStream *input;
  sqlite3 *database;
  const char *url;
  char **sizes;
} Floor;

static void post (Floor *floor);

static void
run_sql (Floor *floor, const char *sql)
{
  if (sqlite3_exec (floor->database, sql, NULL, NULL, NULL) != SQLITE_OK)
    g_error ("%s", sqlite3_errmsg (floor->database));
}

static void
line_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  Floor *floor = data;
  g_autofree char *line = g_data_input_stream_read_line_finish (G_DATA_INPUT_STREAM (source), result, NULL, NULL);
  char *sql;

  if (line == NULL)
    {
      g_main_loop_quit (floor->loop);
      return;
    }
  sql = sqlite3_mprintf ("INSERT INTO answer (text) VALUES (%Q)", line);
  run_sql (floor, sql);
  sqlite3_free (sql);
  post (floor);
}

static void
sent_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  Floor *floor = data;
  g_autoptr (GBytes) reply = soup_session_send_and_read_finish (SOUP_SESSION (source), result, NULL);

  if (reply == NULL)
    g_error ("no reply");
  if (*floor->sizes == NULL)
    g_main_loop_quit (floor->loop);
  else
    g_data_input_stream_read_line_async (floor->input, G_PRIORITY_DEFAULT, NULL, line_cb, floor);
}

static void
post (Floor *floor)
{
  g_autoptr (SoupMessage) message = floor_client_message_new (floor->url, strtoul (*floor->sizes++, NULL, 10));

  soup_session_send_and_read_async (floor->session, message, G_PRIORITY_DEFAULT, NULL, sent_cb, floor);
}

int
main (int argc, char **argv)
{
  Floor floor = { 0 };
  g_autoptr (GInputStream) input = g_unix_input_stream_new (STDIN_FILENO, FALSE);

  if (argc < 4)
    g_error ("usage: floor-answer URL DATABASE SIZE…");
  floor.loop = g_main_loop_new (NULL, FALSE);
  floor.session = soup_session_new ();
  floor.input = g_data_input_stream_new (input);
  floor.url = argv[1];
  floor.sizes = argv + 3;
  if (sqlite3_open (argv[2], &floor.database) != SQLITE_OK)
    g_error ("no database");
  run_sql (&floor, "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE IF NOT EXISTS answer (text TEXT)");

  post (&floor);
  g_main_loop_run (floor.loop);

  sqlite3_close (floor.database);
  g_clear_object (&floor.input);
  g_clear_object (&floor.session);
  g_main_loop_unref (floor.loop);
  return 0;
}
