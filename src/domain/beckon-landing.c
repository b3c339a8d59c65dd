/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-landing.h"
#include "domain/beckon-landing.h"

#include "base/beckon-json-writer.h"
#include "base/beckon-text.h"
#include "base/beckon-words.h"

#include <string.h>

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
  return change->is_by_product || beckon_file_change_loses_nothing (change) ? by->by_products : by->ordinary;
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

static const char *const words[] = {
  [BECKON_LANDING_WAITING] = "waiting",
  [BECKON_LANDING_DECIDED] = "decided",
  [BECKON_LANDING_LANDED] = "landed",
  [BECKON_LANDING_UNDONE] = "undone",
};

BeckonLanding *
beckon_landing_new (const char *call_id, const char *folder, const char *place, gint64 base, BeckonChangeSet *changes)
{
  BeckonLanding *landing;

  g_return_val_if_fail (call_id != NULL && folder != NULL && place != NULL && changes != NULL, NULL);

  landing = g_new0 (BeckonLanding, 1);
  landing->id = g_strdup (call_id);
  landing->call_id = g_strdup (call_id);
  landing->folder = g_strdup (folder);
  landing->place = g_strdup (place);
  landing->base = base;
  landing->changes = beckon_change_set_ref (changes);
  landing->exit_status = -1;
  return landing;
}

void
beckon_landing_set_id (BeckonLanding *landing, const char *id)
{
  char *copy;

  g_return_if_fail (landing != NULL && id != NULL);

  copy = g_strdup (id);
  g_free (landing->id);
  landing->id = copy;
}

gboolean
beckon_landing_is_early (const BeckonLanding *landing)
{
  g_return_val_if_fail (landing != NULL, FALSE);

  return strcmp (landing->id, landing->call_id) != 0;
}

BeckonLanding *
beckon_landing_copy (const BeckonLanding *landing)
{
  BeckonLanding *copy;

  g_return_val_if_fail (landing != NULL, NULL);

  copy = g_new (BeckonLanding, 1);
  *copy = *landing;
  copy->id = g_strdup (landing->id);
  copy->call_id = g_strdup (landing->call_id);
  copy->folder = g_strdup (landing->folder);
  copy->place = g_strdup (landing->place);
  copy->git = g_strdup (landing->git);
  copy->changes = beckon_change_set_copy (landing->changes);
  copy->output = g_strdup (landing->output);
  return copy;
}

void
beckon_landing_free (BeckonLanding *landing)
{
  if (landing == NULL)
    return;

  g_free (landing->id);
  g_free (landing->call_id);
  g_free (landing->folder);
  g_free (landing->place);
  g_free (landing->git);
  beckon_change_set_unref (landing->changes);
  g_free (landing->output);
  g_free (landing);
}

BECKON_WORDS_TO (BeckonLandingState, beckon_landing_state_to_string, words)
BECKON_WORDS_FROM (BeckonLandingState, beckon_landing_state_from_string, words)

G_DEFINE_INTERFACE (BeckonLandings, beckon_landings, G_TYPE_OBJECT)

static void
beckon_landings_default_init (BeckonLandingsInterface *iface)
{
}

void
beckon_landings_get_async (BeckonLandings *self, const char *call_id, GCancellable *cancellable, GAsyncReadyCallback callback,
                           gpointer user_data)
{
  g_return_if_fail (BECKON_IS_LANDINGS (self));
  g_return_if_fail (call_id != NULL);

  BECKON_LANDINGS_GET_IFACE (self)->get_async (self, call_id, cancellable, callback, user_data);
}

GPtrArray *
beckon_landings_get_finish (BeckonLandings *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (BECKON_IS_LANDINGS (self), NULL);

  return BECKON_LANDINGS_GET_IFACE (self)->get_finish (self, result, error);
}

void
beckon_landings_put_async (BeckonLandings *self, const char *conversation_id, GPtrArray *landings, const char *event,
                           const char *front_end, gint64 at, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_LANDINGS (self));
  g_return_if_fail (conversation_id != NULL && landings != NULL && landings->len > 0 && event != NULL && front_end != NULL);

  BECKON_LANDINGS_GET_IFACE (self)->put_async (self, conversation_id, landings, event, front_end, at, callback, user_data);
}

gboolean
beckon_landings_put_finish (BeckonLandings *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (BECKON_IS_LANDINGS (self), FALSE);

  return BECKON_LANDINGS_GET_IFACE (self)->put_finish (self, result, error);
}

void
beckon_landings_begin_async (BeckonLandings *self, const char *const *call_ids, gboolean is_redo, const char *front_end,
                             GBytes *now, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (BECKON_IS_LANDINGS (self));
  g_return_if_fail (call_ids != NULL && front_end != NULL);

  BECKON_LANDINGS_GET_IFACE (self)->begin_async (self, call_ids, is_redo, front_end, now, callback, user_data);
}

gboolean
beckon_landings_begin_finish (BeckonLandings *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (BECKON_IS_LANDINGS (self), FALSE);

  return BECKON_LANDINGS_GET_IFACE (self)->begin_finish (self, result, error);
}

void
beckon_landings_end (BeckonLandings *self, const char *call_id)
{
  g_return_if_fail (BECKON_IS_LANDINGS (self));
  g_return_if_fail (call_id != NULL);

  BECKON_LANDINGS_GET_IFACE (self)->end (self, call_id);
}
