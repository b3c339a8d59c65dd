/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-llm-request.h"

BeckonLlmRequest *
beckon_llm_request_new (BeckonProfile *profile, const char *system)
{
  BeckonLlmRequest *request;

  g_return_val_if_fail (BECKON_IS_PROFILE (profile), NULL);

  request = g_new0 (BeckonLlmRequest, 1);
  request->profile = g_object_ref (profile);
  request->system = g_strdup (system);
  request->messages = g_ptr_array_new_with_free_func (g_object_unref);
  request->tools = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_tool_definition_unref);
  return request;
}

void
beckon_llm_request_add_message (BeckonLlmRequest *request, BeckonMessage *message)
{
  g_return_if_fail (request != NULL);
  g_return_if_fail (BECKON_IS_MESSAGE (message));

  g_ptr_array_add (request->messages, g_object_ref (message));
}

void
beckon_llm_request_add_tool (BeckonLlmRequest *request, BeckonToolDefinition *tool)
{
  g_return_if_fail (request != NULL);
  g_return_if_fail (tool != NULL);

  g_ptr_array_add (request->tools, beckon_tool_definition_ref (tool));
}

void
beckon_llm_request_free (BeckonLlmRequest *request)
{
  if (request == NULL)
    return;
  g_object_unref (request->profile);
  g_free (request->system);
  g_free (request->cache_key);
  g_ptr_array_unref (request->messages);
  g_ptr_array_unref (request->tools);
  g_free (request);
}
