/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The audit log with more calls than a page: it is read on, written to a file while the window lives on, and a call's change is
 * undone from its row.
 */

#include "beckon-ui-home.h"

#include "base/beckon-json-writer.h"
#include "domain/beckon-file-copies.h"
#include "ui/preferences/beckon-audit-log.h"

#include <glib/gstdio.h>
#include <string.h>

/* Three pages of an export, and the last one not full. */
#define N_CALLS 1203
#define PAGE 50

typedef struct
{
  UiHome home;
  GtkWidget *log;
  char *place; /* of the exports */
  GPtrArray *ids; /* (element-type utf8): of the calls, the earliest first */
} Fixture;

static void
on_committed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  *(gboolean *) user_data = beckon_store_commit_finish (BECKON_STORE (source), result, &error);
  g_assert_no_error (error);
}

static void
add_call (Fixture *fixture, BeckonBatch *batch, const char *conversation_id, guint index)
{
  g_autoptr (BeckonMessage) message = beckon_message_new (NULL, BECKON_ROLE_ASSISTANT, UI_NOW + index);
  g_autofree char *arguments = g_strdup_printf ("{\"path\":\"file-%u.txt\",\"content\":\"x\"}", index);
  g_autoptr (BeckonToolCall) call = beckon_tool_call_new (NULL, NULL, "write_file", arguments);
  g_autoptr (BeckonPart) part = beckon_part_new_call (call);
  g_autoptr (GString) data = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_tool_call_set_times (call, UI_NOW + index, UI_NOW + index);
  beckon_tool_call_set_state (call, BECKON_CALL_DONE);
  beckon_tool_call_set_result (call, "“x” was made, with 1 bytes.", FALSE);
  beckon_message_set_seq (message, index);
  beckon_message_add_part (message, part);
  beckon_batch_add_message (batch, conversation_id, message);
  beckon_json_writer_init (&writer, data);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "executed", arguments);
  beckon_json_writer_end_object (&writer);
  beckon_batch_add_provenance (batch, conversation_id, beckon_tool_call_get_id (call), "started", data->str, UI_NOW + index);
  g_ptr_array_add (fixture->ids, g_strdup (beckon_tool_call_get_id (call)));
}

static void
add_calls (Fixture *fixture)
{
  BeckonConversation *conversation = ui_home_add (&fixture->home, "Harbour", UI_NOW, 0, "", "");
  BeckonBatch *batch = beckon_batch_new (BECKON_DURABILITY_NORMAL);
  gboolean committed = FALSE;

  for (guint i = 0; i < N_CALLS; i++)
    add_call (fixture, batch, beckon_conversation_get_id (conversation), i);
  beckon_store_commit_async (beckon_runtime_get_store (fixture->home.runtime), batch, NULL, on_committed, &committed);
  ui_wait_until (committed);
}

static void
show_log (Fixture *fixture)
{
  fixture->log = beckon_audit_log_new (fixture->home.runtime);
  ui_present (fixture->log);
  ui_wait_until (ui_find_type (fixture->log, BECKON_TYPE_AUDIT_ROW) != NULL);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  ui_home_open (&fixture->home);
  fixture->ids = g_ptr_array_new_with_free_func (g_free);
  fixture->place = g_build_filename (fixture->home.folder, "exports", NULL);
  g_assert_no_errno (g_mkdir (fixture->place, 0700));
  add_calls (fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  if (fixture->log != NULL)
    ui_destroy (fixture->log);
  ui_home_close (&fixture->home);
  g_ptr_array_unref (fixture->ids);
  g_free (fixture->place);
}

static guint
count_rows (Fixture *fixture)
{
  return ui_count_type (fixture->log, BECKON_TYPE_AUDIT_ROW);
}

static void
test_pages (Fixture *fixture, gconstpointer data)
{
  show_log (fixture);
  g_assert_cmpuint (count_rows (fixture), ==, PAGE);
  g_assert_nonnull (ui_find_text (fixture->log, "file-1202.txt"));
  g_assert_null (ui_find_text (fixture->log, "file-1152.txt"));
  ui_click (fixture->log, "Earlier Calls");
  ui_wait_until (count_rows (fixture) == 2 * PAGE);
  g_assert_nonnull (ui_find_text (fixture->log, "file-1152.txt"));
  g_assert_null (ui_find_text (fixture->log, "file-1102.txt"));
}

static GFile *
begin_export (Fixture *fixture, const char *name)
{
  g_autofree char *path = g_build_filename (fixture->place, name, NULL);
  GFile *file = g_file_new_for_path (path);

  ui_click (fixture->log, "Export…");
  ui_save_as (file);
  return file;
}

static GStrv
read_lines (GFile *file)
{
  g_autofree char *contents = NULL;
  g_autoptr (GError) error = NULL;

  g_file_load_contents (file, NULL, &contents, NULL, NULL, &error);
  g_assert_no_error (error);
  return g_strsplit (contents, "\n", -1);
}

/* All calls are in the file, the earliest first, and only its owner can read it. */
static void
test_export (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GFile) file = NULL;
  g_autoptr (GFile) table = NULL;
  g_auto (GStrv) lines = NULL;
  g_auto (GStrv) rows = NULL;
  GStatBuf info;

  show_log (fixture);
  file = begin_export (fixture, "log.jsonl");
  ui_wait_until (ui_find_text (fixture->log, "1203 calls written to log.jsonl") != NULL);
  lines = read_lines (file);
  g_assert_cmpuint (g_strv_length (lines), ==, N_CALLS + 1);
  for (guint i = 0; i < N_CALLS; i++)
    g_assert_nonnull (strstr (lines[i], g_ptr_array_index (fixture->ids, i)));
  g_assert_no_errno (g_stat (g_file_peek_path (file), &info));
  g_assert_cmpuint (info.st_mode & 0777, ==, 0600);

  table = begin_export (fixture, "log.csv");
  ui_wait_until (ui_find_text (fixture->log, "1203 calls written to log.csv") != NULL);
  rows = read_lines (table);
  g_assert_cmpuint (g_strv_length (rows), ==, N_CALLS + 2);
  g_assert_nonnull (strstr (rows[1], g_ptr_array_index (fixture->ids, 0)));
}

/* A stopped export leaves nothing behind. */
static void
test_stopped (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GFile) file = NULL;
  g_autoptr (GDir) folder = NULL;

  show_log (fixture);
  file = begin_export (fixture, "log.jsonl");
  ui_wait_until (ui_find_text (fixture->log, "Stop Export") != NULL);
  ui_click (fixture->log, "Stop Export");
  ui_wait_until (ui_find_text (fixture->log, "The export was stopped. Nothing was written.") != NULL);
  g_assert_nonnull (ui_find_text (fixture->log, "Export…"));
  folder = g_dir_open (fixture->place, 0, NULL);
  g_assert_null (g_dir_read_name (folder));
}

static void
on_kept (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(gboolean *) user_data = beckon_file_copies_keep_finish (BECKON_FILE_COPIES (source), result, NULL);
}

static void
keep_copy (Fixture *fixture)
{
  g_autoptr (GBytes) before = g_bytes_new_static ("before", 6);
  g_autoptr (GBytes) after = g_bytes_new_static ("x", 1);
  g_autofree char *hash = beckon_file_copy_hash (after);
  g_autoptr (BeckonFileCopy) copy = beckon_file_copy_new (g_ptr_array_index (fixture->ids, N_CALLS - 1), fixture->place,
                                                          "note.txt", before, hash, UI_NOW);
  gboolean kept = FALSE;

  beckon_file_copies_keep_async (BECKON_FILE_COPIES (beckon_runtime_get_store (fixture->home.runtime)), copy, on_kept, &kept);
  ui_wait_until (kept);
}

/* The change is undone in the folder, once, and the row says so. */
static void
test_undo (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->place, "note.txt", NULL);
  g_autofree char *contents = NULL;

  g_assert_true (g_file_set_contents (path, "x", -1, NULL));
  keep_copy (fixture);
  show_log (fixture);
  g_assert_null (ui_find_button (fixture->log, "Undo Write file-1201.txt"));
  ui_click (fixture->log, "Undo Write file-1202.txt");
  ui_wait_until (ui_find_text (fixture->log, "The change was undone") != NULL);
  g_assert_true (g_file_get_contents (path, &contents, NULL, NULL));
  g_assert_cmpstr (contents, ==, "before");
  g_assert_null (ui_find_button (fixture->log, "Undo Write file-1202.txt"));
  g_assert_nonnull (ui_find_text (fixture->log, "undone\n"));
}

int
main (int argc, char *argv[])
{
  if (!ui_test_init (&argc, &argv))
    return 0;

#define add(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)
  add ("/ui/log/pages", test_pages);
  add ("/ui/log/export", test_export);
  add ("/ui/log/stopped", test_stopped);
  add ("/ui/log/undo", test_undo);
  return g_test_run ();
}
