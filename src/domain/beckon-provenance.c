/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-provenance.h"

#include "base/beckon-counted.h"
#include "base/beckon-json-writer.h"
#include "base/beckon-json.h"

G_DEFINE_BOXED_TYPE (BeckonProvenance, beckon_provenance, beckon_provenance_ref, beckon_provenance_unref)

BeckonProvenance *
beckon_provenance_new (void)
{
  return g_atomic_rc_box_new0 (BeckonProvenance);
}

static void
provenance_clear (gpointer data)
{
  BeckonProvenance *line = data;

  g_free (line->conversation_id);
  g_free (line->title);
  g_free (line->call_id);
  g_free (line->tool);
  g_free (line->event);
  g_free (line->data);
}

BECKON_COUNTED (BeckonProvenance, beckon_provenance, provenance_clear)

char *
beckon_provenance_to_json (const BeckonProvenance *line)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (JsonNode) data = NULL;
  BeckonJsonWriter writer;
  g_autoptr (GDateTime) second = NULL;
  g_autoptr (GDateTime) time = NULL;
  g_autofree char *stamp = NULL;

  g_return_val_if_fail (line != NULL, NULL);

  data = line->data != NULL && *line->data != '\0' ? beckon_json_parse (line->data, -1, NULL) : NULL;
  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_int (&writer, "seq", line->seq);
  second = g_date_time_new_from_unix_utc (line->at / G_USEC_PER_SEC);
  time = second != NULL ? g_date_time_add (second, line->at % G_USEC_PER_SEC) : NULL;
  stamp = time != NULL ? g_date_time_format (time, "%Y-%m-%dT%H:%M:%S.%fZ") : NULL;
  beckon_json_writer_member_string (&writer, "at", stamp);
  beckon_json_writer_member_string (&writer, "conversation", line->conversation_id);
  beckon_json_writer_member_string (&writer, "call", line->call_id);
  beckon_json_writer_member_string (&writer, "tool", line->tool);
  beckon_json_writer_member_string (&writer, "event", line->event);
  beckon_json_writer_name (&writer, "data");
  if (data != NULL)
    beckon_json_writer_node (&writer, data);
  else
    beckon_json_writer_null (&writer);
  beckon_json_writer_end_object (&writer);
  return g_string_free (g_steal_pointer (&text), FALSE);
}
