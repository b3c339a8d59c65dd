/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * BeckonRequestContext:
 * @request_id: which request
 * @title: (nullable): the conversation's
 * @profile_id: (nullable): the profile of the run that asks
 * @asker: (nullable): that profile's name, for people
 * @tool: (nullable): the tool of the call that waits
 * @arguments: (nullable): the call's arguments as the model wrote them; not checked
 * @text: (nullable): the end of what the model had written before the call, valid UTF-8
 *
 * What led to a request, for a front end that shows it far from its conversation.
 */
typedef struct
{
  char *request_id;
  char *title;
  char *profile_id;
  char *asker;
  char *tool;
  char *arguments;
  char *text;
} BeckonRequestContext;

/** The most characters of @text. */
#define BECKON_REQUEST_CONTEXT_MAX_TEXT 4000

/** Caller owns. */
BeckonRequestContext *beckon_request_context_new (const char *request_id) G_GNUC_WARN_UNUSED_RESULT;
void                  beckon_request_context_free (BeckonRequestContext *context);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonRequestContext, beckon_request_context_free)

G_END_DECLS
