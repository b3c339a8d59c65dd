/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-mcp-decision.h"

#include "base/beckon-json-writer.h"

#include <glib/gi18n-lib.h>

BeckonQuestion *
beckon_mcp_decision_new (const char *text)
{
  g_autoptr (GString) json = g_string_new (NULL);
  BeckonJsonWriter writer;

  beckon_json_writer_init (&writer, json);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "question", text);
  beckon_json_writer_name (&writer, "choices");
  beckon_json_writer_begin_array (&writer);
  /* Translators: the two choices of a decision about a server of tools */
  beckon_json_writer_string (&writer, _("Don't Allow"), -1);
  beckon_json_writer_string (&writer, _("Allow"), -1);
  beckon_json_writer_end_array (&writer);
  beckon_json_writer_member_boolean (&writer, "allow_freeform", FALSE);
  beckon_json_writer_end_object (&writer);
  return beckon_question_parse (json->str, NULL);
}
