/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-batch-private.h"

void
beckon_batch_put_parameter (BeckonBatch *batch, BeckonToolParameter *parameter)
{
  if (!beckon_tool_parameter_says_something (parameter))
    beckon_batch_run (batch, "DELETE FROM parameter WHERE tool = ?1 AND server = ?2 AND name = ?3", parameter->tool,
                      parameter->server, parameter->name);
  else
    beckon_batch_run (batch,
                      "INSERT INTO parameter (tool, server, name, access, pinned, allowed, changed_at)"
                      " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"
                      " ON CONFLICT (tool, server, name) DO UPDATE SET access = ?4, pinned = ?5, allowed = ?6, changed_at = ?7",
                      parameter->tool, parameter->server, parameter->name, beckon_form_access_to_string (parameter->access),
                      parameter->pinned, parameter->allowed, parameter->changed_at);
}
