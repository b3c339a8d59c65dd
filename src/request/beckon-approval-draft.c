/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-approval-draft.h"

#include "form/beckon-request-json.h"

#include <string.h>

#define KIND "approval"

char *
beckon_approval_draft_to_json (const BeckonApprovalDraft *draft)
{
  GString *json;
  BeckonJsonWriter writer;

  if (draft->arguments == NULL && (draft->feedback == NULL || *draft->feedback == '\0'))
    return NULL;
  json = g_string_new (NULL);
  beckon_json_writer_init (&writer, json);
  beckon_json_writer_begin_object (&writer);
  beckon_json_writer_member_string (&writer, "draft", KIND);
  beckon_request_json_member (&writer, "arguments", draft->arguments);
  beckon_request_json_member (&writer, "feedback", draft->feedback);
  beckon_request_json_member (&writer, "page", draft->page);
  beckon_json_writer_end_object (&writer);
  return g_string_free (json, FALSE);
}

/* Before arguments could be edited here a draft was what is the feedback now. */
void
beckon_approval_draft_read (BeckonApprovalDraft *draft, const char *json)
{
  g_autoptr (JsonObject) object = json != NULL ? beckon_json_parse_object (json, -1, NULL) : NULL;

  memset (draft, 0, sizeof *draft);
  if (g_strcmp0 (beckon_json_get_string (object, "draft"), KIND) != 0)
    {
      draft->feedback = g_strdup (json);
      return;
    }
  draft->arguments = g_strdup (beckon_json_get_string (object, "arguments"));
  draft->feedback = g_strdup (beckon_json_get_string (object, "feedback"));
  draft->page = g_strdup (beckon_json_get_string (object, "page"));
}

void
beckon_approval_draft_clear (BeckonApprovalDraft *draft)
{
  g_clear_pointer (&draft->arguments, g_free);
  g_clear_pointer (&draft->feedback, g_free);
  g_clear_pointer (&draft->page, g_free);
}
