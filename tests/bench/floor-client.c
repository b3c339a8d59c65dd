/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "floor-client.h"

#include <string.h>

SoupMessage *
floor_client_message_new (const char *url, gsize size)
{
  static const char head[] = "{\"model\":\"bench\",\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\"";
  static const char tail[] = "\"}]}";
  SoupMessage *message = soup_message_new (SOUP_METHOD_POST, url);
  g_autoptr (GString) body = g_string_new (head);
  g_autoptr (GBytes) bytes = NULL;

  if (message == NULL)
    g_error ("not a URL: %s", url);
  while (body->len + strlen (tail) < size)
    g_string_append_c (body, 'x');
  g_string_append (body, tail);

  bytes = g_bytes_new (body->str, body->len);
  soup_message_set_request_body_from_bytes (message, "application/json", bytes);
  soup_message_headers_append (soup_message_get_request_headers (message), "Authorization", "Bearer bench");
  soup_message_add_flags (message, SOUP_MESSAGE_IDEMPOTENT);
  return message;
}
