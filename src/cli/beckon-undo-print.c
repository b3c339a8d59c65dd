/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-undo-print.h"

#include "base/beckon-json-writer.h"
#include "beckon-cli-context.h"
#include "tools/beckon-undo.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>

static const char *const fate_words[] = {
  [BECKON_REWIND_RESTORED] = "restored",
  [BECKON_REWIND_DELETED] = "deleted",
  [BECKON_REWIND_AS_IT_WAS] = "as-it-was",
  [BECKON_REWIND_REFUSED] = "refused",
};

void
beckon_undo_print_change (const BeckonChange *change)
{
  g_autofree char *whole = g_build_filename (change->folder, change->path, NULL);
  g_autofree char *path = beckon_cli_context_make_safe (whole);
  g_autofree char *time = beckon_cli_context_format_time (change->made_at);
  g_autofree char *title = beckon_cli_context_make_safe (change->title);

  printf ("%s  %s  %s", change->call_id, time, path);
  if (change->changes != NULL)
    {
      g_autoptr (BeckonChangeSet) landed = beckon_change_set_filter (change->changes, BECKON_FILE_KEPT, BECKON_FILE_UNDONE);
      g_autofree char *sentence = beckon_change_set_dup_sentence (landed);

      printf (": %s", sentence);
    }
  printf (_("  (%s)"), title);
  if (change->is_withheld)
    /* Translators: of a change of a file, in a list */
    printf ("  [%s]", _("cannot be undone: the file held a secret, so no copy was kept"));
  printf ("\n");
}

/* A path is exact where it is UTF-8; where it is not, it is exact in another member. */
static void
write_path (BeckonJsonWriter *writer, const char *path)
{
  g_autofree char *valid = g_utf8_make_valid (path, -1);
  g_autofree char *exact = g_base64_encode ((const guchar *) path, strlen (path));

  beckon_json_writer_member_string (writer, "path", valid);
  if (!g_utf8_validate (path, -1, NULL))
    beckon_json_writer_member_string (writer, "path_base64", exact);
}

/* @from: (nullable): where it was before it was moved */
static void
write_from (BeckonJsonWriter *writer, const char *from)
{
  g_autofree char *valid = from != NULL ? g_utf8_make_valid (from, -1) : NULL;

  if (valid != NULL)
    beckon_json_writer_member_string (writer, "from", valid);
}

static void
write_files (BeckonJsonWriter *writer, const BeckonChangeSet *changes)
{
  beckon_json_writer_name (writer, "files");
  beckon_json_writer_begin_array (writer);
  for (guint i = 0; i < beckon_change_set_get_n_changes (changes); i++)
    {
      const BeckonFileChange *change = beckon_change_set_get (changes, i);

      beckon_json_writer_begin_object (writer);
      write_path (writer, change->path);
      write_from (writer, change->from);
      beckon_json_writer_member_string (writer, "kind", beckon_file_change_kind_to_string (change->kind));
      beckon_json_writer_member_string (writer, "type", beckon_file_type_to_string (change->type));
      beckon_json_writer_member_string (writer, "fate", beckon_file_fate_to_string (change->fate));
      if (change->remark != NULL)
        beckon_json_writer_member_string (writer, "remark", change->remark);
      beckon_json_writer_end_object (writer);
    }
  beckon_json_writer_end_array (writer);
}

static void
undo_print_write_change (BeckonJsonWriter *writer, const BeckonChange *change)
{
  beckon_json_writer_begin_object (writer);
  beckon_json_writer_member_string (writer, "id", change->call_id);
  beckon_json_writer_member_string (writer, "conversation", change->conversation_id);
  beckon_json_writer_member_string (writer, "folder", change->folder);
  if (change->path != NULL)
    write_path (writer, change->path);
  if (change->changes != NULL)
    write_files (writer, change->changes);
  beckon_json_writer_member_int (writer, "made_at", change->made_at);
  if (change->is_withheld)
    beckon_json_writer_member_boolean (writer, "withheld", TRUE);
  beckon_json_writer_end_object (writer);
}

void
beckon_undo_print_json (const char *member, GPtrArray *changes)
{
  g_autoptr (GString) document = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, document);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_name (&writer, member);
  beckon_json_writer_begin_array (&writer);
  for (guint i = 0; i < changes->len; i++)
    undo_print_write_change (&writer, g_ptr_array_index (changes, i));
  beckon_json_writer_end_array (&writer);
  beckon_json_writer_end_object (&writer);
  beckon_cli_context_print_json (document->str);
}

static void
print_rewind_json (const BeckonRewind *rewind, gboolean is_preview)
{
  g_autoptr (GString) document = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, document);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_boolean (&writer, "dry_run", is_preview);
  beckon_json_writer_name (&writer, "files");
  beckon_json_writer_begin_array (&writer);
  for (guint i = 0; i < rewind->files->len; i++)
    {
      const BeckonRewindFile *file = g_ptr_array_index (rewind->files, i);

      beckon_json_writer_begin_object (&writer);
      beckon_json_writer_member_string (&writer, "folder", file->folder);
      write_path (&writer, file->path);
      write_from (&writer, file->from);
      beckon_json_writer_member_string (&writer, "type", beckon_file_type_to_string (file->type));
      beckon_json_writer_member_string (&writer, "fate", fate_words[file->fate]);
      if (file->why != NULL)
        beckon_json_writer_member_string (&writer, "why", file->why);
      beckon_json_writer_end_object (&writer);
    }
  beckon_json_writer_end_array (&writer);
  beckon_json_writer_name (&writer, "calls");
  beckon_json_writer_begin_array (&writer);
  for (guint i = 0; i < rewind->calls->len; i++)
    beckon_json_writer_string (&writer, beckon_tool_call_get_id (g_ptr_array_index (rewind->calls, i)), -1);
  beckon_json_writer_end_array (&writer);
  beckon_json_writer_end_object (&writer);
  beckon_cli_context_print_json (document->str);
}

static const char *
undo_print_describe_fate (BeckonRewindFate fate, gboolean is_redo, gboolean is_moved, gboolean is_git)
{
  if (is_redo && fate == BECKON_REWIND_RESTORED)
    /* Translators: what becomes of a file, in a list: what was undone is done again */
    return C_("rewind", "redone");
  if (is_git && fate == BECKON_REWIND_RESTORED)
    /* Translators: what becomes of a commit or the like, in a list, behind "Commit: Fix the discount" */
    return C_("rewind", "undone");
  if (is_moved && fate == BECKON_REWIND_RESTORED)
    /* Translators: what becomes of a file that is put back, in a list, behind "new.txt → old.txt" */
    return C_("rewind", "moved");
  switch (fate)
    {
    case BECKON_REWIND_RESTORED:
      /* Translators: what becomes of a file that is put back, in a list */
      return C_("rewind", "restored");
    case BECKON_REWIND_DELETED:
      /* Translators: what becomes of a file that is put back, in a list */
      return C_("rewind", "deleted");
    case BECKON_REWIND_AS_IT_WAS:
      /* Translators: what becomes of a file that is put back, in a list */
      return C_("rewind", "already as it was");
    case BECKON_REWIND_REFUSED:
    default:
      /* Translators: what becomes of a file that is put back, in a list */
      return C_("rewind", "left alone");
    }
}

void
beckon_undo_print_rewind (const BeckonRewind *rewind, gboolean is_preview, gboolean json)
{
  g_autofree char *summary = beckon_rewind_dup_summary (rewind);

  if (json)
    {
      print_rewind_json (rewind, is_preview);
      return;
    }

  if (is_preview && rewind->files->len > 0)
    /* Translators: above what a rewind would do, such as "a.txt: restored" and "3 files restored" */
    printf ("%s\n", _("Preview, nothing has changed yet:"));
  for (guint i = 0; i < rewind->files->len; i++)
    {
      const BeckonRewindFile *file = g_ptr_array_index (rewind->files, i);
      g_autofree char *path = beckon_rewind_file_dup_shown_path (file);

      printf (_("%s: %s"), path, undo_print_describe_fate (file->fate, rewind->is_redo, file->from != NULL, file->git != NULL));
      if (file->why != NULL)
        printf (" — %s", file->why);
      printf ("\n");
    }
  printf ("%s\n", summary);
}

void
beckon_undo_print_done (const BeckonChange *change, gboolean is_redo)
{
  g_autofree char *what = NULL;

  if (change->changes != NULL)
    {
      BeckonFileFate fate = is_redo ? BECKON_FILE_KEPT : BECKON_FILE_UNDONE;
      g_autoptr (BeckonChangeSet) done = beckon_change_set_filter (change->changes, fate, fate);

      what = beckon_change_set_dup_sentence (done);
    }
  else
    {
      g_autofree char *whole = g_build_filename (change->folder, change->path, NULL);

      what = beckon_cli_context_make_safe (whole);
    }
  /* Translators: what was undone, such as "Changed 3 files", or the path of a file */
  printf (is_redo ? _("Redone: %s") : _("Undone: %s"), what);
  printf ("\n");
}

gboolean
beckon_undo_print_refused (BeckonToolCall *call)
{
  g_autoptr (GPtrArray) refused = beckon_undo_list_refused (call);

  for (guint i = 0; i < refused->len; i++)
    {
      const BeckonFileChange *change = g_ptr_array_index (refused, i);
      g_autofree char *path = beckon_file_change_dup_shown_path (change);

      fprintf (stderr, "%s: %s — %s\n", path, undo_print_describe_fate (BECKON_REWIND_REFUSED, FALSE, FALSE, FALSE),
               change->remark);
    }
  return refused->len == 0;
}
