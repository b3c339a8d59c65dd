/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "beckon-late-message.h"

#include <string.h>

#define ORIGIN "answer:"

BeckonMessage *
beckon_late_message_new (const char *request_id, const char *text, gint64 at)
{
  BeckonMessage *message = beckon_message_new (NULL, BECKON_ROLE_USER, at);
  g_autoptr (BeckonPart) part = beckon_part_new (BECKON_PART_TEXT, text);
  g_autofree char *origin = g_strconcat (ORIGIN, request_id, NULL);

  beckon_part_set_origin (part, origin);
  beckon_message_add_part (message, part);
  return message;
}

const char *
beckon_late_message_get_request_id (BeckonMessage *message)
{
  const char *origin = NULL;

  g_return_val_if_fail (BECKON_IS_MESSAGE (message), NULL);

  if (beckon_message_get_role (message) == BECKON_ROLE_USER && beckon_message_get_n_parts (message) == 1)
    origin = beckon_part_get_origin (beckon_message_get_part (message, 0));
  return origin != NULL && g_str_has_prefix (origin, ORIGIN) ? origin + strlen (ORIGIN) : NULL;
}
