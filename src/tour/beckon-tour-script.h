/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beckon-tour-texts.h"

G_BEGIN_DECLS

/**
 * BeckonTourReply:
 * @text: what is said, Markdown; may be empty
 * @tool: (nullable): the tool that is called after it
 * @arguments: (nullable): its arguments, JSON
 *
 * One round of the tour.
 */
typedef struct
{
  char *text;
  char *tool;
  char *arguments;
} BeckonTourReply;

/**
 * beckon_tour_script_reply:
 * @body: a chat completions request
 * @length: its length
 * @place: where the person reads it
 * @error: return location for an error, %BECKON_ERROR_INVALID with an English message
 *
 * Decides what the tour says next from nothing but the history in the request. Pure.
 *
 * Returns: (transfer full): the reply
 */
BeckonTourReply *beckon_tour_script_reply (const char *body, gsize length, BeckonTourPlace place,
                                           GError **error) G_GNUC_WARN_UNUSED_RESULT;
void             beckon_tour_reply_free (BeckonTourReply *reply);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BeckonTourReply, beckon_tour_reply_free)

G_END_DECLS
