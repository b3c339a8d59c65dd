/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-asked-by.h"

#include "base/beckon-json-writer.h"
#include "base/beckon-json.h"

BeckonAskedBy *
beckon_asked_by_new (BeckonAskedByKind kind, const char *name)
{
  BeckonAskedBy *asked_by = g_new0 (BeckonAskedBy, 1);

  asked_by->kind = kind;
  asked_by->name = g_strdup (name);
  return asked_by;
}

void
beckon_asked_by_free (BeckonAskedBy *asked_by)
{
  if (asked_by == NULL)
    return;

  g_free (asked_by->name);
  g_free (asked_by->unit);
  g_free (asked_by);
}

static const char *const kinds[] = { "run", "tool", "server", "plan", "program", "channel" };

char *
beckon_asked_by_to_text (const BeckonAskedBy *asked_by)
{
  g_autoptr (GString) text = NULL;
  BeckonJsonWriter writer;

  g_return_val_if_fail (asked_by != NULL, NULL);

  if (asked_by->kind == BECKON_ASKED_BY_RUN)
    return NULL;
  text = g_string_new (NULL);
  beckon_json_writer_init (&writer, text);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "kind", kinds[asked_by->kind]);
  if (asked_by->name != NULL)
    beckon_json_writer_member_string (&writer, "name", asked_by->name);
  if (asked_by->process != 0)
    beckon_json_writer_member_int (&writer, "process", asked_by->process);
  if (asked_by->unit != NULL)
    beckon_json_writer_member_string (&writer, "unit", asked_by->unit);
  beckon_json_writer_end_object (&writer);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

BeckonAskedBy *
beckon_asked_by_from_text (const char *text)
{
  g_autoptr (JsonObject) object = text != NULL ? beckon_json_parse_object (text, -1, NULL) : NULL;
  const char *kind = object != NULL ? beckon_json_get_string (object, "kind") : NULL;

  for (guint i = 0; kind != NULL && i < G_N_ELEMENTS (kinds); i++)
    if (g_str_equal (kind, kinds[i]))
      {
        BeckonAskedBy *asked_by = beckon_asked_by_new ((BeckonAskedByKind) i, beckon_json_get_string (object, "name"));

        asked_by->process = (pid_t) beckon_json_get_int (object, "process", 0);
        asked_by->unit = g_strdup (beckon_json_get_string (object, "unit"));
        return asked_by;
      }
  return NULL;
}
