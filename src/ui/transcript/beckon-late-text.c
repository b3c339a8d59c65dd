/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-config.h"

#include "beckon-late-text.h"

#include "base/beckon-text-printf.h"
#include "base/beckon-text.h"
#include "domain/beckon-late-message.h"
#include "request/beckon-question-request.h"

#include <glib/gi18n-lib.h>

/* A question is only named, in characters. */
#define MOST 120

static BeckonRequest *
find_in (BeckonMessage *message, const char *request_id)
{
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonToolCall *call = beckon_part_get_call (beckon_message_get_part (message, i));
      GObject *request = call != NULL ? beckon_tool_call_get_request (call) : NULL;

      if (request != NULL && g_str_equal (beckon_request_get_id (BECKON_REQUEST (request)), request_id))
        return BECKON_REQUEST (request);
    }
  return NULL;
}

static BeckonRequest *
find (BeckonConversation *conversation, const char *request_id)
{
  for (guint i = beckon_conversation_get_n_messages (conversation); i > 0; i--)
    {
      BeckonRequest *request = find_in (beckon_conversation_get_message (conversation, i - 1), request_id);

      if (request != NULL)
        return request;
    }
  return NULL;
}

char *
beckon_late_text_describe (BeckonConversation *conversation, BeckonMessage *message)
{
  const char *request_id = beckon_late_message_get_request_id (message);
  BeckonRequest *request = request_id != NULL ? find (conversation, request_id) : NULL;
  BeckonQuestion *question = request != NULL ? beckon_request_get_question (request) : NULL;
  g_autofree char *name = NULL;
  g_autofree char *answer = NULL;

  if (question == NULL || beckon_request_get_state (request) == BECKON_REQUEST_PENDING)
    return NULL;
  name = beckon_text_shorten (beckon_question_get_item (question, 0)->question, MOST);
  answer = beckon_request_dup_summary (request);
  /* Translators: a message that tells the agent the answer to what it asked and did not wait for: question and answer */
  return beckon_text_printf (_("Answer to “%s”: %s"), name, answer);
}
