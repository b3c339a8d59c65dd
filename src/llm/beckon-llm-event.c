/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-llm-event.h"

const char *
beckon_llm_end_to_string (BeckonLlmEnd end)
{
  switch (end)
    {
    case BECKON_LLM_END_COMPLETE:
      return "complete";
    case BECKON_LLM_END_LENGTH:
      return "length";
    case BECKON_LLM_END_TOOL_CALLS:
      return "tool_calls";
    case BECKON_LLM_END_REFUSAL:
      return "refusal";
    case BECKON_LLM_END_CONTENT_FILTER:
      return "content_filter";
    case BECKON_LLM_END_PAUSED:
      return "paused";
    case BECKON_LLM_END_CUT_OFF:
      return "cut_off";
    case BECKON_LLM_END_FAILED:
      return "failed";
    case BECKON_LLM_END_OTHER:
      return "other";
    default:
      g_return_val_if_reached (NULL);
    }
}
