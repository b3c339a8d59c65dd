/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-anthropic-loop.h"

#include "beckon-encoding.h"

static gboolean
has_calls (BeckonMessage *message)
{
  g_autoptr (GPtrArray) calls = beckon_encoding_list_calls (message);

  return calls->len > 0;
}

/* By the first part that is sent: a text with nothing but white space is not. */
static gboolean
begins_with_thinking (BeckonMessage *message)
{
  for (guint i = 0; i < beckon_message_get_n_parts (message); i++)
    {
      BeckonPart *part = beckon_message_get_part (message, i);

      if (beckon_opaque_is_thinking (part))
        return TRUE;
      if (beckon_part_get_call (part) != NULL
          || (beckon_part_get_kind (part) == BECKON_PART_TEXT
              && !beckon_encoding_is_blank (beckon_part_get_text (part), beckon_part_get_length (part))))
        return FALSE;
    }
  return FALSE;
}

/* A person's words beside results are in one message with them, and end no turn. */
BeckonAnthropicLoop
beckon_anthropic_loop_find (const BeckonLlmRequest *request)
{
  BeckonAnthropicLoop loop = { request->messages->len, FALSE };
  gboolean is_asked = FALSE;

  for (guint i = request->messages->len; i > 0; i--)
    {
      BeckonMessage *message = g_ptr_array_index (request->messages, i - 1);

      if (beckon_message_get_role (message) == BECKON_ROLE_USER)
        {
          is_asked = TRUE;
          continue;
        }
      if (is_asked && !has_calls (message))
        break;
      is_asked = FALSE;
      loop.first = i - 1;
    }
  if (loop.first < request->messages->len)
    loop.thinks = begins_with_thinking (g_ptr_array_index (request->messages, loop.first));
  return loop;
}

gboolean
beckon_anthropic_loop_may_think (const BeckonAnthropicLoop *loop, const BeckonLlmRequest *request)
{
  return loop->thinks || loop->first == request->messages->len;
}
