/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-plain-trust.h"

#include "base/beckon-text-printf.h"
#include "beckon-plain-class.h"
#include "beckon-plain-reply.h"
#include "beckon-request-document-private.h"
#include "request/beckon-trust-request.h"

#include <glib/gi18n-lib.h>

void
beckon_plain_trust_append_heading (GString *text, BeckonRequest *request, guint item)
{
  g_autofree char *sentence = beckon_trust_request_dup_sentence (BECKON_TRUST_REQUEST (request));

  beckon_text_append (text, "%s", sentence);
}

void
beckon_plain_trust_append (GString *text, BeckonRequest *request, guint item, const char *code)
{
  BeckonTrustRequest *self = BECKON_TRUST_REQUEST (request);
  BeckonFolderExtras *extras = beckon_trust_request_get_extras (self);

  beckon_plain_text_append (text, "\n", beckon_trust_request_get_folder (self));
  for (guint i = 0; i < beckon_folder_extras_get_n (extras); i++)
    {
      const BeckonFolderExtra *extra = beckon_folder_extras_get (extras, i);
      g_autofree char *line = beckon_trust_request_dup_line (self, extra);
      g_autofree char *shown = beckon_trust_request_dup_text (self, extra);
      g_autofree char *missing = beckon_trust_request_dup_missing (self, extra);
      g_autofree char *reach = beckon_trust_request_dup_reach (self, extra);
      g_auto (GStrv) lines = g_strsplit (shown, "\n", -1);

      beckon_text_append (text, "\n• %s", line);
      for (guint j = 0; *shown != '\0' && lines[j] != NULL; j++)
        beckon_text_append (text, "\n    %s", lines[j]);
      if (reach != NULL)
        beckon_text_append (text, "\n  %s", reach);
      if (missing != NULL)
        beckon_text_append (text, "\n  ⚠ %s", missing);
    }
  if (!beckon_plain_class_waits (request))
    return;
  beckon_text_append (text, "\n1. %s\n2. %s\n3. %s\n\n%s", _("Use"), _("Don't use"), _("Stop"),
                      _("The agent follows them like your own instructions. Reply with a number"));
}

BeckonPlainResult
beckon_plain_trust_parse (BeckonRequest *request, guint item, const char *line, BeckonAnswer *answer, BeckonAnswer **whole,
                          char **message)
{
  const char *const words[] = { _("Use"), _("Don't use"), _("Stop") };
  BeckonPlainResult result;

  if (beckon_plain_reply_parse_command (line, &result, whole))
    return result;
  return beckon_plain_reply_decide (line, words, NULL, _("Reply with 1 to use them, 2 not to, 3 to stop."), whole, message);
}

static void
write_servers (BeckonJsonWriter *writer, BeckonTrustRequest *request)
{
  BeckonFolderExtras *extras = beckon_trust_request_get_extras (request);

  beckon_json_writer_name (writer, "servers");
  beckon_json_writer_begin_array (writer);
  for (guint i = 0; i < beckon_folder_extras_get_n (extras); i++)
    {
      const BeckonServerReach *reach = beckon_trust_request_get_reach (request, beckon_folder_extras_get (extras, i));

      if (reach != NULL)
        {
          beckon_json_writer_begin_object (writer);
          beckon_json_writer_member_string (writer, "name", reach->name);
          if (reach->directory != NULL)
            beckon_json_writer_member_string (writer, "folder", reach->directory);
          beckon_json_writer_member_boolean (writer, "network", reach->has_network);
          beckon_json_writer_member_boolean (writer, "write", reach->can_write);
          beckon_json_writer_end_object (writer);
        }
    }
  beckon_json_writer_end_array (writer);
}

void
beckon_request_document_write_trust (BeckonJsonWriter *writer, BeckonRequest *request)
{
  BeckonTrustRequest *self = BECKON_TRUST_REQUEST (request);
  BeckonFolderExtras *extras = beckon_trust_request_get_extras (self);
  g_autofree char *json = beckon_folder_extras_to_json (extras);

  beckon_json_writer_name (writer, "trust");
  beckon_json_writer_begin_object (writer);
  beckon_json_writer_member_string (writer, "folder", beckon_trust_request_get_folder (self));
  beckon_json_writer_member_string (writer, "hash", beckon_trust_request_get_hash (self));
  beckon_json_writer_member_boolean (writer, "changed", beckon_trust_request_get_before (self) != NULL);
  beckon_json_writer_name (writer, "brings");
  beckon_json_writer_raw (writer, json, -1);
  write_servers (writer, self);
  beckon_json_writer_end_object (writer);
}
