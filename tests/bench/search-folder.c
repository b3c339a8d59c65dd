/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Calls a tool that looks through a folder, and prints the seconds it took and what it found: search-folder FOLDER search|list
 * ARGUMENTS. */

#include "tools/beckon-file-tools.h"

#include <stdio.h>

typedef struct
{
  gboolean is_over;
  char *text;
} Found;

static void
on_run (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  Found *found = user_data;

  found->text = beckon_tool_run_finish (BECKON_TOOL (source), result, &error);
  if (found->text == NULL)
    g_error ("%s", error->message);
  found->is_over = TRUE;
}

int
main (int argc, char **argv)
{
  g_autoptr (BeckonOutputStore) outputs = beckon_output_store_new ();
  g_autoptr (BeckonTool) tool = NULL;
  BeckonToolContext context = { .conversation_id = "bench" };
  Found found = { FALSE, NULL };
  gint64 begun;

  if (argc != 4)
    g_error ("usage: search-folder FOLDER search|list ARGUMENTS");
  tool = g_str_equal (argv[2], "search") ? beckon_search_files_new (outputs) : beckon_list_files_new ();
  context.folder = argv[1];
  context.arguments = argv[3];
  begun = g_get_monotonic_time ();
  beckon_tool_run_async (tool, &context, NULL, on_run, &found);
  while (!found.is_over)
    g_main_context_iteration (NULL, TRUE);
  printf ("%.6f\n%s", (double) (g_get_monotonic_time () - begun) / G_USEC_PER_SEC, found.text);
  g_free (found.text);
  return 0;
}
