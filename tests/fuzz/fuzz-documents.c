/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-json.h"
#include "domain/beckon-request-error.h"
#include "fuzz.h"
#include "request/beckon-approval-request.h"
#include "request/beckon-question-request.h"
#include "text/beckon-request-document.h"

/* Any answer is refused in words, or fits the request. */
static void
answer (BeckonRequest *request, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (BeckonAnswer) read = beckon_answer_document_read (text, request, &error);

  g_assert_true ((read == NULL) == (error != NULL));
  g_assert_true (error == NULL || g_utf8_validate (error->message, -1, NULL));
}

static void
check_document (BeckonRequest *request)
{
  g_autofree char *document = beckon_request_document_write (request, NULL, TRUE);

  g_assert_true (beckon_json_check (document, -1, NULL));
}

/* A model's question becomes a document whatever it is, and another program's answer is read strictly. */
int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  static const char usual[] = "{\"questions\":[{\"question\":\"A?\",\"options\":[\"x\",\"y\"]},{\"question\":\"B?\",\"secret\":true}]}";
  g_autofree char *text = g_utf8_make_valid ((const char *) data, (gssize) size);
  g_autoptr (BeckonQuestion) asked = beckon_question_parse (text, NULL);
  g_autoptr (BeckonQuestion) known = beckon_question_parse (usual, NULL);
  g_autoptr (BeckonRequest) question = beckon_question_request_new ("r", "c", "m", "k", known, 1);
  g_autoptr (BeckonRequest) approval = beckon_approval_request_new ("s", "c", "m", "l", "write_file", "{\"path\":\"a\"}", NULL, 1);

  answer (question, text);
  answer (approval, text);
  if (asked != NULL)
    {
      g_autoptr (BeckonRequest) request = beckon_question_request_new ("q", "c", "m", "j", asked, 1);

      check_document (request);
      answer (request, "{\"kind\":\"answered\",\"items\":[]}");
    }
  if (beckon_json_check (text, -1, NULL))
    {
      g_autoptr (BeckonRequest) request = beckon_approval_request_new ("t", "c", "m", "i", "run_command", text, text, 1);

      check_document (request);
    }
  return 0;
}
