/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A history is imported from the menu: chosen, stopped halfway, gone on with, and told of. */

#include "beckon-ui-home.h"

#include <stdio.h>
#include <string.h>

static GFile *
write_export (UiHome *home, guint n)
{
  g_autofree char *path = g_build_filename (home->folder, "conversations.json", NULL);
  g_autoptr (GString) text = g_string_new ("[");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s{\"uuid\":\"%u\",\"name\":\"Number %u\",\"chat_messages\":[{\"sender\":\"human\","
                                  "\"text\":\"Hello\"}]}", i > 0 ? "," : "", i, i);
  g_string_append_c (text, ']');
  g_assert_true (g_file_set_contents (path, text->str, (gssize) text->len, NULL));
  return g_file_new_for_path (path);
}

static void
begin (UiHome *home, GFile *file)
{
  g_assert_true (gtk_widget_activate_action (home->window, "win.import", NULL));
  ui_open_file (file);
}

static void
assert_body (GtkWidget *dialog, const char *words)
{
  g_autofree char *body = ui_dup_alert_body (dialog);

  g_assert_cmpstr (body, ==, words);
}

static void
close_dialog (GtkWidget *dialog)
{
  ui_respond (dialog, "close");
  ui_settle ();
}

static void
test_once (UiHome *home, gconstpointer data)
{
  g_autoptr (GFile) file = write_export (home, 3);
  BeckonLibrary *library = beckon_runtime_get_library (home->runtime);
  GtkWidget *dialog;

  ui_home_show_window (home);
  begin (home, file);
  ui_wait_until ((dialog = ui_find_alert ("Conversations Imported")) != NULL);
  assert_body (dialog, "3 conversations imported");
  close_dialog (dialog);
  ui_wait_until (g_list_model_get_n_items (G_LIST_MODEL (library)) == 3);
  begin (home, file);
  ui_wait_until ((dialog = ui_find_alert ("Nothing Imported")) != NULL);
  assert_body (dialog, "0 conversations imported\n3 were already here");
  close_dialog (dialog);
}

static void
test_stopped (UiHome *home, gconstpointer data)
{
  g_autoptr (GFile) file = write_export (home, 15000);
  GtkWidget *dialog;
  GtkWidget *bar;
  g_autofree char *body = NULL;
  guint n = 0;

  ui_home_show_window (home);
  begin (home, file);
  ui_wait_until ((dialog = ui_find_alert ("Importing Conversations")) != NULL);
  bar = ui_find_named (dialog, "Progress of the import");
  ui_wait_until (gtk_progress_bar_get_fraction (GTK_PROGRESS_BAR (bar)) > 0);
  ui_respond (dialog, "stop");
  ui_wait_until ((dialog = ui_find_alert ("Conversations Imported")) != NULL);
  body = ui_dup_alert_body (dialog);
  g_assert_cmpint (sscanf (body, "%u conversations imported", &n), ==, 1);
  g_assert_nonnull (strstr (body, "Stopped."));
  g_test_message ("%u of 15000 before it was stopped", n);
  g_assert_cmpuint (n, <, 15000);
  g_assert_cmpuint (n % 100, ==, 0);
  close_dialog (dialog);
}

int
main (int argc, char *argv[])
{
  if (!ui_test_init (&argc, &argv))
    return 0;

  ui_home_test_add ("/ui/import/once", test_once);
  ui_home_test_add ("/ui/import/stopped", test_stopped);
  return g_test_run ();
}
