/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-command-undo.h"

#include "base/beckon-json-writer.h"
#include "beckon-command.h"
#include "beckon-errand.h"
#include "store/beckon-change-query.h"
#include "tools/beckon-undo.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>

typedef struct
{
  const char *id; /* (nullable): %NULL to show what there is */
  gboolean json;
  BeckonChange *change; /* (owned) (nullable) */
} Undo;

static void
write_change (BeckonJsonWriter *writer, const BeckonChange *change)
{
  beckon_json_writer_begin_object (writer);
  beckon_json_writer_member_string (writer, "id", change->call_id);
  beckon_json_writer_member_string (writer, "conversation", change->conversation_id);
  beckon_json_writer_member_string (writer, "folder", change->folder);
  beckon_json_writer_member_string (writer, "path", change->path);
  beckon_json_writer_member_int (writer, "made_at", change->made_at);
  if (change->is_withheld)
    beckon_json_writer_member_boolean (writer, "withheld", TRUE);
  beckon_json_writer_end_object (writer);
}

static void
print_json (const char *member, GPtrArray *changes)
{
  g_autoptr (GString) document = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, document);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_name (&writer, member);
  beckon_json_writer_begin_array (&writer);
  for (guint i = 0; i < changes->len; i++)
    write_change (&writer, g_ptr_array_index (changes, i));
  beckon_json_writer_end_array (&writer);
  beckon_json_writer_end_object (&writer);
  beckon_errand_print_json (document->str);
}

static void
print_change (const BeckonChange *change)
{
  g_autofree char *whole = g_build_filename (change->folder, change->path, NULL);
  g_autofree char *path = beckon_errand_make_safe (whole);
  g_autofree char *time = beckon_errand_format_time (change->made_at);
  g_autofree char *title = beckon_errand_make_safe (change->title);

  printf ("%s  %s  %s  (%s)", change->call_id, time, path, title);
  if (change->is_withheld)
    /* Translators: of a change of a file, in a list */
    printf ("  [%s]", _("cannot be undone: the file held a secret, so no copy was kept"));
  printf ("\n");
}

static void
on_undone (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonErrand *errand = user_data;
  Undo *undo = errand->data;
  g_autoptr (GPtrArray) changes = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;

  g_ptr_array_add (changes, undo->change);
  if (beckon_undo_finish (BECKON_FILE_COPIES (source), result, &error) && undo->json)
    print_json ("undone", changes);
  beckon_errand_finish (errand, error != NULL ? error->message : NULL);
}

/* A file is put back whoever made the call, and whether it is still being worked on: what was changed since stays. */
static void
undo_one (BeckonErrand *errand, BeckonChange *change)
{
  Undo *undo = errand->data;
  g_autoptr (BeckonToolCall) call = beckon_tool_call_new (change->call_id, NULL, "", "{}");

  undo->change = change;
  beckon_undo_async (BECKON_FILE_COPIES (errand->store), change->conversation_id, call, "terminal", NULL, on_undone, errand);
}

static void
on_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonErrand *errand = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) changes = beckon_store_list_changes_finish (BECKON_STORE (source), result, &error);

  if (changes == NULL)
    beckon_errand_finish (errand, error->message);
  else if (changes->len > 1)
    beckon_errand_finish (errand, _("More than one change begins with this id. Give more of it."));
  else if (changes->len == 0)
    beckon_errand_finish (errand, _("No such change is kept. “beckonctl undo” shows which there are."));
  else
    undo_one (errand, g_ptr_array_steal_index (changes, 0));
}

static void
on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  BeckonErrand *errand = user_data;
  const Undo *undo = errand->data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) changes = beckon_store_list_changes_finish (BECKON_STORE (source), result, &error);

  for (guint i = changes != NULL ? changes->len : 0; i > 0; i--)
    if (((BeckonChange *) g_ptr_array_index (changes, i - 1))->undone_at > 0)
      g_ptr_array_remove_index (changes, i - 1);
  if (changes != NULL && undo->json)
    print_json ("changes", changes);
  for (guint i = 0; changes != NULL && !undo->json && i < changes->len; i++)
    print_change (g_ptr_array_index (changes, i));
  beckon_errand_finish (errand, error != NULL ? error->message : NULL);
}

static void
start (BeckonErrand *errand)
{
  const Undo *undo = errand->data;

  if (undo->id != NULL)
    beckon_store_list_changes_async (errand->store, undo->id, 2, NULL, on_found, errand);
  else
    beckon_store_list_changes_async (errand->store, NULL, 0, NULL, on_listed, errand);
}

int
beckon_command_undo (int argc, char **argv)
{
  Undo undo = { 0 };
  int status;
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &undo.json, N_("Print one JSON document"), NULL },
    G_OPTION_ENTRY_NULL,
  };

  if (!beckon_errand_parse (_("[ID]"),
                            _("Puts a file back as it was before a tool call changed it, unless it was changed since. The "
                              "beginning of the call's id is enough; without one, shows which changes can be undone, the "
                              "latest first. With --json: changes, or undone, each with id, conversation, folder, path and "
                              "made_at, in microseconds since 1970."),
                            entries, &argc, &argv, 0, 1))
    return BECKON_COMMAND_MISUSED;

  undo.id = argc == 2 ? argv[1] : NULL;
  status = beckon_errand_run ("undo", start, &undo);
  beckon_change_free (undo.change);
  return status;
}
