/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-landing-log.h"

#include "base/beckon-json-writer.h"
#include "base/beckon-text.h"

static void
member (BeckonJsonWriter *writer, const char *name, const char *text)
{
  if (text != NULL)
    beckon_json_writer_member_string (writer, name, text);
}

/* A change that did not land was not let through. */
static const char *
get_by (const BeckonFileChange *change, guint index, const BeckonLandingBy *by)
{
  if (change->fate != BECKON_FILE_KEPT && change->fate != BECKON_FILE_UNDONE)
    return NULL;

  if (by->asked != NULL && index < beckon_change_set_get_n_changes (by->asked)
      && beckon_change_set_get (by->asked, index)->fate == BECKON_FILE_OPEN)
    return by->answered;
  if (change->concern != BECKON_FILE_CONCERN_NONE)
    return by->concerned;
  return change->is_by_product || change->is_new_branch ? by->by_products : by->ordinary;
}

/* @decided: @change, or the one that it is bound to; @index: its place. */
static void
landing_log_write_change (BeckonJsonWriter *writer, const BeckonFileChange *change, const BeckonFileChange *decided,
                          guint index, const BeckonLandingBy *by)
{
  g_autofree char *path = beckon_file_change_dup_shown_path (change);

  beckon_json_writer_begin_object (writer);
  member (writer, "path", path);
  if (change->from != NULL)
    {
      g_autofree char *from = beckon_text_for_display (change->from, -1, BECKON_TEXT_EXACT);

      member (writer, "from", from);
    }
  member (writer, "kind", beckon_file_change_kind_to_string (change->kind));
  member (writer, "type", beckon_file_type_to_string (change->type));
  if (change->n_files > 0)
    beckon_json_writer_member_int (writer, "files", change->n_files);
  member (writer, "before", change->before_hash);
  member (writer, "after", change->after_hash);
  if (change->concern != BECKON_FILE_CONCERN_NONE)
    member (writer, "concern", beckon_file_concern_to_string (change->concern));
  member (writer, "fate", beckon_file_fate_to_string (decided->fate));
  member (writer, "by", get_by (decided, index, by));
  if (change->kept_hunks != NULL)
    beckon_json_writer_member_int (writer, "hunks_left_out", (gint64) change->n_hunks - change->kept_hunks->len);
  member (writer, "remark", change->remark);
  beckon_json_writer_end_object (writer);
}

char *
beckon_landing_log (const BeckonLanding *landing, const BeckonLandingBy *by)
{
  GString *text = g_string_new (NULL);
  BeckonJsonWriter writer;

  g_return_val_if_fail (landing != NULL && by != NULL, NULL);

  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  member (&writer, "front_end", by->front_end);
  member (&writer, "actor", by->actor);
  member (&writer, "folder", landing->folder);
  beckon_json_writer_name (&writer, "files");
  beckon_json_writer_begin_array (&writer);
  for (guint i = 0; i < beckon_change_set_get_n_changes (landing->changes); i++)
    {
      const BeckonFileChange *change = beckon_change_set_get (landing->changes, i);
      g_autoptr (GPtrArray) told = beckon_file_change_list_told (change);

      landing_log_write_change (&writer, change, change, i, by);
      for (guint j = 0; j < told->len; j++)
        landing_log_write_change (&writer, g_ptr_array_index (told, j), change, i, by);
    }
  beckon_json_writer_end_array (&writer);
  beckon_json_writer_end_object (&writer);

  return g_string_free (text, FALSE);
}
