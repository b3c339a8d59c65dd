/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-request-context.h"

BeckonRequestContext *
beckon_request_context_new (const char *request_id)
{
  BeckonRequestContext *context = g_new0 (BeckonRequestContext, 1);

  context->request_id = g_strdup (request_id);
  return context;
}

void
beckon_request_context_free (BeckonRequestContext *context)
{
  if (context == NULL)
    return;

  g_free (context->request_id);
  g_free (context->title);
  g_free (context->profile_id);
  g_free (context->asker);
  g_free (context->tool);
  g_free (context->arguments);
  g_free (context->text);
  g_free (context);
}
