/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-lander-note.h"

#include "base/beckon-json-writer.h"
#include "base/beckon-json.h"
#include "beckon-lander-private.h"

/* In a place: what was decided. */
#define NOTE "decided"

/* As much as is kept of the changes of one command. */
#define MAX_BYTES (64 * 1024 * 1024)

gboolean
beckon_lander_note_write (const BeckonLanding *landing, GError **error)
{
  g_autofree char *file = NULL;
  g_autofree char *changes = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  BeckonJsonWriter writer;

  g_return_val_if_fail (landing != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  file = g_build_filename (landing->place, NOTE, NULL);
  changes = beckon_change_set_to_json (landing->changes);
  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "call", landing->call_id);
  beckon_json_writer_member_string (&writer, "folder", landing->folder);
  beckon_json_writer_member_int (&writer, "base", landing->base);
  beckon_json_writer_member_string (&writer, "changes", changes);
  beckon_json_writer_end_object (&writer);
  return g_file_set_contents_full (file, text->str, (gssize) text->len, G_FILE_SET_CONTENTS_CONSISTENT, 0600, error);
}

/* (nullable): nothing is noted, or nothing that could be understood. */
static BeckonLanding *
read_note (const char *place)
{
  g_autofree char *file = g_build_filename (place, NOTE, NULL);
  g_autofree char *text = NULL;
  g_autoptr (JsonObject) note = NULL;
  g_autoptr (BeckonChangeSet) changes = NULL;
  const char *call_id, *folder, *json;
  gsize length;

  if (!g_file_get_contents (file, &text, &length, NULL) || length > MAX_BYTES)
    return NULL;
  note = beckon_json_parse_object (text, (gssize) length, NULL);
  call_id = note != NULL ? beckon_json_get_string (note, "call") : NULL;
  folder = note != NULL ? beckon_json_get_string (note, "folder") : NULL;
  json = note != NULL ? beckon_json_get_string (note, "changes") : NULL;
  changes = json != NULL ? beckon_change_set_from_json (json, NULL) : NULL;
  if (call_id == NULL || folder == NULL || changes == NULL)
    return NULL;

  return beckon_landing_new (call_id, folder, place, beckon_json_get_int (note, "base", 0), changes);
}

gboolean
beckon_lander_note_finish (const char *place, GError **error)
{
  g_autoptr (BeckonLanding) landing = NULL;
  BeckonLander *lander;
  BeckonLanderPhase phase;

  g_return_val_if_fail (place != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  landing = read_note (place);
  if (landing == NULL || !g_file_test (landing->folder, G_FILE_TEST_IS_DIR))
    return TRUE;

  lander = beckon_lander_open (landing, NULL);
  phase = lander != NULL ? lander->resumed : BECKON_LANDER_RESTS;
  beckon_lander_close (lander);
  switch (phase)
    {
    case BECKON_LANDER_LANDS:
      return beckon_lander_land (landing, error);
    case BECKON_LANDER_UNDOES:
      return beckon_lander_undo (landing, error);
    case BECKON_LANDER_REDOES:
      /* The note has what was decided; what is to land again was undone before. */
      for (guint i = 0; i < beckon_change_set_get_n_changes (landing->changes); i++)
        if (beckon_change_set_get (landing->changes, i)->fate == BECKON_FILE_KEPT)
          beckon_change_set_get (landing->changes, i)->fate = BECKON_FILE_UNDONE;
      return beckon_lander_redo (landing, error);
    case BECKON_LANDER_RESTS:
    default:
      return TRUE;
    }
}
