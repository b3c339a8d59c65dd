/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A phone and its service as a program, for tests that are not written in C: phone-emulator telegram|wechat. Prints the service's
 * address, then answers each line of its input with one line, until that is closed:
 *
 *   write TEXT                   the person writes; prints nothing but "ok", as all that has no answer
 *   fail OPERATION STATUS TIMES  so often the service answers with an HTTP error
 *   count OPERATION              how often it was asked
 *   sent                         the texts that came to the phone, as an array
 *   state STATE                  what becomes of a QR code; of WeChat alone
 */

#include "beckon-telegram-emulator.h"
#include "beckon-wechat-emulator.h"

#include <gio/gunixinputstream.h>
#include <json-glib/json-glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PERSON 42

static BeckonTelegramEmulator *telegram; /* (nullable) */
static BeckonWechatEmulator *wechat;     /* (nullable) */

static void
write_text (const char *text)
{
  if (telegram != NULL)
    beckon_telegram_emulator_write (telegram, PERSON, text, NULL);
  else
    {
      beckon_wechat_emulator_set_time (wechat, g_get_real_time () / 1000);
      beckon_wechat_emulator_write (wechat, BECKON_WECHAT_EMULATOR_USER, text);
    }
}

static void
fail (const char *operation, guint status, guint times)
{
  g_autofree char *body = g_strdup_printf ("{\"ok\":false,\"error_code\":%u,\"description\":\"Unauthorized\"}", status);

  if (telegram != NULL)
    beckon_telegram_emulator_fail (telegram, operation, status, body, times);
  else
    beckon_wechat_emulator_fail (wechat, operation, 0, times, (int)status);
}

static guint
count (const char *operation)
{
  return telegram != NULL ? beckon_telegram_emulator_count (telegram, operation)
                          : beckon_wechat_emulator_count (wechat, operation);
}

static char *
dup_sent (guint nth)
{
  return telegram != NULL ? beckon_telegram_emulator_dup_call (telegram, "sendMessage", nth)
                          : beckon_wechat_emulator_dup_sent (wechat, nth);
}

static void
print_sent (void)
{
  guint n = telegram != NULL ? count ("sendMessage") : beckon_wechat_emulator_count_sent (wechat);
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *json = NULL;

  json_builder_begin_array (builder);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = dup_sent (i);

      json_builder_add_string_value (builder, text);
    }
  json_builder_end_array (builder);
  root = json_builder_get_root (builder);
  json = json_to_string (root, FALSE);
  puts (json);
}

static void
carry_out (const char *line)
{
  g_auto (GStrv) words = g_strsplit (line, " ", -1);
  guint n = g_strv_length (words);

  if (strcmp (words[0], "sent") == 0)
    print_sent ();
  else if (strcmp (words[0], "count") == 0 && n == 2)
    printf ("%u\n", count (words[1]));
  else
    {
      if (strcmp (words[0], "write") == 0 && n > 1)
        write_text (line + strlen ("write "));
      else if (strcmp (words[0], "fail") == 0 && n == 4)
        fail (words[1], (guint)atoi (words[2]), (guint)atoi (words[3]));
      else if (strcmp (words[0], "state") == 0 && n == 2 && wechat != NULL)
        beckon_wechat_emulator_add_state (wechat, words[1]);
      else
        g_error ("no command: %s", line);
      puts ("ok");
    }
  fflush (stdout);
}

static void
on_line (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GDataInputStream *input = G_DATA_INPUT_STREAM (source);
  g_autofree char *line = g_data_input_stream_read_line_finish (input, result, NULL, NULL);

  if (line == NULL)
    {
      g_main_loop_quit (user_data);
      return;
    }
  carry_out (line);
  g_data_input_stream_read_line_async (input, G_PRIORITY_DEFAULT, NULL, on_line, user_data);
}

int
main (int argc, char **argv)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GInputStream) stdin_stream = g_unix_input_stream_new (STDIN_FILENO, FALSE);
  g_autoptr (GDataInputStream) input = g_data_input_stream_new (stdin_stream);

  if (argc == 2 && strcmp (argv[1], "telegram") == 0)
    telegram = beckon_telegram_emulator_new ();
  else if (argc == 2 && strcmp (argv[1], "wechat") == 0)
    wechat = beckon_wechat_emulator_new ();
  else
    {
      fputs ("usage: phone-emulator telegram|wechat\n", stderr);
      return 2;
    }
  puts (telegram != NULL ? beckon_telegram_emulator_get_address (telegram) : beckon_wechat_emulator_get_base (wechat));
  fflush (stdout);
  g_data_input_stream_read_line_async (input, G_PRIORITY_DEFAULT, NULL, on_line, loop);
  g_main_loop_run (loop);
  g_clear_pointer (&telegram, beckon_telegram_emulator_free);
  g_clear_pointer (&wechat, beckon_wechat_emulator_free);
  return 0;
}
